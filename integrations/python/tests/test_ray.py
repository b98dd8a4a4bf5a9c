"""Clash checks and batches on a Ray cluster: the bytes of one machine, whoever dies in the middle.

All tests share a cluster of two nodes with a processor each; the last one removes a node.
"""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import building
import numpy as np
import pytest

# All addresses are those of this machine alone; Ray otherwise looks for one that others reach.
os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"
os.environ["RAY_AUTH_MODE"] = "disabled"

ray = pytest.importorskip("ray", reason="the module `ray` is not installed: pip install 'clearance[ray]'")
from ray.cluster_utils import Cluster  # noqa: E402

import clearance.ray  # noqa: E402
from clearance import clash, dim2, dim3  # noqa: E402

LOCAL = {"num_cpus": 1, "node_ip_address": "127.0.0.1", "object_store_memory": 100 << 20}


class Files:
    """A building on the disk, what one machine reports of it, and how many blocks that takes."""

    def __init__(self, folder):
        building.write(folder / "a.obj", building.parts())
        (folder / "rules.json").write_text(json.dumps(building.RULES))
        self.asked = str(folder / "a.obj"), None, str(folder / "rules.json")
        clash.check(*self.asked, out=folder / "one.jsonl")
        self.report = (folder / "one.jsonl").read_bytes()
        self.check = clash.Check(clash.Assembly.read(self.asked[0]), rules=clash.Rules.read(self.asked[2]))
        assert len(self.check) > 10


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    return Files(tmp_path_factory.mktemp("building"))


@pytest.fixture(scope="module")
def cluster():
    # A node that refuses to answer is lost after three seconds rather than fifteen; a slow one may still take its time.
    config = {"health_check_period_ms": 1000, "health_check_failure_threshold": 3}
    made = Cluster(initialize_head=True, head_node_args={**LOCAL, "_system_config": config})
    # A second node, which can be lost.
    made.second = made.add_node(**LOCAL)
    ray.init(address=made.address, log_to_driver=False)
    yield made
    ray.shutdown()
    made.shutdown()


def watched(folder, hook):
    """What a worker does, with a file for each task that begins; ``hook`` is then called with the number of that file's first block."""
    measure = clearance.ray._measure
    begun = str(folder)

    # Ray sends what is not in a module by value, so that workers need no tests.
    def task(shard, *rest):
        import hashlib
        import uuid

        name = hashlib.sha256(shard).hexdigest()[:16]
        node = ray.get_runtime_context().get_node_id()
        running = Path(begun) / f"{name} {uuid.uuid4().hex} {node}"
        running.touch()
        hook(name)
        found = measure(shard, *rest)
        running.rename(f"{running} ended")
        return found

    return task


def runs_of(folder):
    """The shard, the node and the end, if there is one, of each run."""
    return [path.name.split()[::2] + path.name.split()[3:] for path in folder.iterdir()]


@pytest.fixture
def runs(tmp_path, monkeypatch):
    """A function that lets tasks leave files in a folder, and the folder."""
    folder = tmp_path / "runs"
    folder.mkdir()

    def watch(hook):
        monkeypatch.setattr("clearance.ray._measure", watched(folder, hook))
        return folder

    return watch


@pytest.mark.parametrize(("workers", "cost"), [(1, 1), (2, 1 << 17), (8, 1)])
def test_any_number_of_workers_reports_what_one_machine_does(cluster, files, tmp_path, runs, workers, cost):
    # Eight workers share two processors.
    options = {"num_cpus": 2 / max(workers, 2)}
    # Shards end in another order than they begin in.
    folder = runs(lambda name: time.sleep(int(name, 16) % 64 / 1000))
    told = []
    report = clearance.ray.check(
        *files.asked,
        out=tmp_path / "ray.jsonl",
        at_once=workers,
        shard_cost=cost,
        options=options,
        progress=lambda *now: told.append(now),
    )
    assert (tmp_path / "ray.jsonl").read_bytes() == files.report
    assert len(report.clashes) == report.summary["clashes"]
    shards = len(files.check) if cost == 1 else len(files.check) // 2
    assert len(runs_of(folder)) in (shards, shards + 1)
    assert told[0][0] == 0 and told[-1][0] == told[-1][1] and len(told) == len(runs_of(folder)) + 1


def test_a_worker_that_dies_repeats_its_shard_only(cluster, files, tmp_path, runs):
    once = tmp_path / "once"
    once.touch()

    def die(name, once=str(once)):
        try:
            os.remove(once)
        except FileNotFoundError:
            return
        os.kill(os.getpid(), signal.SIGKILL)

    folder = runs(die)
    clearance.ray.check(*files.asked, out=tmp_path / "ray.jsonl", shard_cost=1)
    assert (tmp_path / "ray.jsonl").read_bytes() == files.report
    assert not once.exists()
    # The worker that was killed had one shard, and no other.
    assert len(runs_of(folder)) == len(files.check) + 1


def test_a_worker_that_is_silent_is_not_waited_for(cluster, files, tmp_path, runs, monkeypatch):
    monkeypatch.setattr("clearance.ray._PATIENCE", 5.0)
    silent = tmp_path / "silent"

    def hook(name):
        if not silent.exists():
            silent.touch()
            time.sleep(600)

    runs(hook)
    begin = time.monotonic()
    clearance.ray.check(*files.asked, out=tmp_path / "ray.jsonl", shard_cost=1 << 17)
    assert silent.exists() and time.monotonic() - begin < 120
    assert (tmp_path / "ray.jsonl").read_bytes() == files.report


def test_tasks_that_are_as_slow_as_others_are_not_silent(monkeypatch):
    clock, submitted = SimpleNamespace(now=0.0), []
    monkeypatch.setattr("clearance.ray.time", SimpleNamespace(monotonic=lambda: clock.now))
    one, other = (clearance.ray._Task(lambda item: submitted.append(item) or item, name) for name in ("one", "other"))
    clock.now = 50.0
    slowest = one.notice({"one"}, 0.0)
    for clock.now, copies in ((100.0, 1), (199.0, 1), (201.0, 2), (350.0, 2), (402.0, 3)):
        assert other.notice(set(), slowest) == slowest == 50.0
        assert submitted.count("other") == copies, clock.now


def test_a_shard_that_fails_again_and_again_ends_the_check(cluster, files, tmp_path, runs):
    def fail(name):
        raise ArithmeticError(name)

    runs(fail)
    with pytest.raises(ArithmeticError):
        clearance.ray.check(*files.asked, out=tmp_path / "ray.jsonl", shard_cost=1)
    assert (tmp_path / "ray.jsonl.partial").exists()


DRIVER = """
import sys, time
import ray
sys.path.insert(0, sys.argv[1])
import clearance.ray
measure = clearance.ray._measure
def slow():
    def task(*given):
        time.sleep(0.1)
        return measure(*given)
    return task
clearance.ray._measure = slow()
ray.init(address=sys.argv[2], log_to_driver=False)
clearance.ray.check(sys.argv[3], None, sys.argv[4], out=sys.argv[5], shard_cost=1)
"""


def blocks_in(path):
    return path.read_text().count('"type":"block"') if path.exists() else 0


def test_what_a_driver_wrote_is_not_measured_again(cluster, files, tmp_path, runs):
    out, partial = tmp_path / "ray.jsonl", tmp_path / "ray.jsonl.partial"
    words = [str(Path(__file__).parent), cluster.address, files.asked[0], files.asked[2], str(out)]
    driver = subprocess.Popen([sys.executable, "-c", DRIVER, *words], stderr=subprocess.DEVNULL)
    try:
        limit = time.monotonic() + 180
        while blocks_in(partial) < 3 and time.monotonic() < limit and driver.poll() is None:
            time.sleep(0.02)
    finally:
        driver.kill()
        driver.wait()
    known = blocks_in(partial)
    assert 3 <= known < len(files.check) and not out.exists()
    left = partial.read_bytes()
    folder = runs(lambda name: None)
    clearance.ray.check(*files.asked, out=out, shard_cost=1, resume=True)
    assert out.read_bytes() == files.report and not partial.exists()
    assert len(runs_of(folder)) == len(files.check) - known
    # One machine goes on with it as well.
    partial.write_bytes(left)
    clash.check(*files.asked, out=out, resume=True)
    assert out.read_bytes() == files.report


def test_batches_are_those_of_one_machine(cluster):
    random = np.random.default_rng(1)
    count = 1000
    at = random.uniform(-2, 2, (count, 3))
    mesh, ball = dim3.Shape.mesh(*building.ball([0, 0, 0])).solid(), dim3.Shape.ball(0.5)
    choice = dim3.Choice([mesh, ball], np.arange(count) % 2)
    rays = random.normal(size=(count, 3))
    asked = [
        (dim3.distance, (mesh, ball, at), {"within": 1.0}),
        (dim3.distance, (choice, [ball, mesh] * (count // 2)), {"poses_b": at}),
        (dim3.intersects, (mesh, mesh), {"poses_b": at}),
        (dim3.contacts, (mesh, choice, at), {"within": 0.1}),
        (dim3.signed_distance, (mesh, at), {}),
        (dim3.cast_rays, (mesh, at, rays), {}),
        (dim3.cast_shapes, (ball, mesh, at), {"motions_a": np.hstack([-at, 0 * at])}),
        (dim2.distance, (dim2.Shape.ball(1.0), dim2.Shape.ball(1.0), at), {}),
    ]
    for function, arguments, named in asked:
        here = function(*arguments, **named)
        there = clearance.ray.batch(function, *arguments, shard_rows=300, **named)
        assert type(there) is type(here), function
        one, other = (getattr(answer, "rows", answer) for answer in (here, there))
        assert one.dtype == other.dtype and one.tobytes() == other.tobytes(), function
        if function is dim3.contacts:
            assert (here.complete == there.complete).all() and there.question[-1] > 300
    assert clearance.ray.batch(dim3.distance, ball, mesh, at[0]).distance == dim3.distance(ball, mesh, at[0]).distance
    with pytest.raises(ValueError, match=r"poses_b: has 3 rows, must have 1 or 1000"):
        clearance.ray.batch(dim3.distance, ball, mesh, at, at[:3])
    with pytest.raises(ValueError, match=r"poses_a\[17\]"):
        clearance.ray.batch(dim3.distance, ball, mesh, np.where(np.arange(count)[:, None] == 17, np.nan, at))


def test_the_lines_of_the_readme_run(cluster, files, tmp_path, monkeypatch):
    text = (Path(__file__).parents[1] / "README.md").read_text()
    lines = text.split("```python\nimport numpy as np\nimport ray\n")[1].split("```")[0]
    monkeypatch.chdir(tmp_path)
    for name, path in (("building.obj", files.asked[0]), ("rules.json", files.asked[2])):
        (tmp_path / name).symlink_to(path)
    exec(lines.replace("ray.init(", "dict("), {})
    assert len((tmp_path / "report.jsonl").read_bytes().splitlines()) == len(files.report.splitlines())


def test_a_node_that_is_lost_repeats_its_shards_only(cluster, files, tmp_path, runs):
    lost = cluster.second.node_id
    folder = runs(lambda name: time.sleep(1))
    removed = []

    def remove(done, total):
        # It may be that none of the tasks that are submitted runs there: then wait for the next ones.
        limit = time.monotonic() + 0.5
        while done and not removed and time.monotonic() < limit:
            if any(run[1:] == [lost] for run in runs_of(folder)):
                cluster.remove_node(cluster.second, allow_graceful=False)
                removed.append(done)
            time.sleep(0.01)

    clearance.ray.check(*files.asked, out=tmp_path / "ray.jsonl", shard_cost=1, at_once=4, progress=remove)
    assert (tmp_path / "ray.jsonl").read_bytes() == files.report
    assert removed
    repeated = len(runs_of(folder)) - len(files.check)
    # The node had one processor, and so one shard at a time.
    assert repeated == sum(run[1:] == [lost] for run in runs_of(folder)) == 1
