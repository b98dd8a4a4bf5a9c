"""Ctrl-C in the middle of calls that would take many seconds."""

import _thread
import threading
import time

import numpy as np
import pytest
from arm import arm, configurations
from building import ball

from clearance import clash, dim3

#: When Ctrl-C comes, and how long it may take until it is there, in seconds: about 0.1, but for busy machines.
AFTER, LIMIT = 0.1, 3.0
COUNT = 500_000
MESH = dim3.Shape.mesh(*ball([0, 0, 0], rings=40)).solid()
AT = np.random.default_rng(1).uniform(-0.3, 0.3, (COUNT, 3))
MOTIONS = np.hstack([AT, AT])
#: To and fro on an edge that is free, which takes long to prove.
EDGES = configurations(20).reshape(-1, 2, 7)
LONG = np.tile(EDGES[arm().valid_path(EDGES).free][0], (50_000, 1))

CALLS = {
    "distance": lambda **asked: dim3.distance(MESH, MESH, AT, **asked),
    "distance of primitives": lambda **asked: [dim3.distance(dim3.Shape.ball(1), dim3.Shape.cuboid([1, 1, 1]), AT, **asked) for _ in range(200)],
    "intersects": lambda **asked: dim3.intersects(MESH, MESH, 2.5 * AT, **asked),
    "contacts": lambda **asked: dim3.contacts(MESH, MESH, AT, within=0.1, **asked),
    "manifolds": lambda **asked: dim3.manifolds(MESH, MESH, AT, **asked),
    "casts": lambda **asked: dim3.cast_shapes(MESH, MESH, AT - 2, motions_a=MOTIONS + 2, **asked),
    "rays": lambda **asked: [dim3.cast_rays(MESH, AT, AT + 0.5, solid=False, **asked) for _ in range(80)],
    "points": lambda **asked: [dim3.closest_points(MESH, AT, **asked) for _ in range(80)],
    "contains": lambda **asked: [dim3.contains(MESH, AT, **asked) for _ in range(80)],
    "signed distances": lambda **asked: [dim3.signed_distance(MESH, AT, **asked) for _ in range(80)],
    "self clearance": lambda **asked: arm().self_clearance(configurations(4 * COUNT), **asked),
    "trajectory": lambda **asked: arm().trajectory_clearance(configurations(200_000), tolerance=1e-9, most=10**9, **asked),
    "one path": lambda **asked: arm().valid_path(LONG, most=10**9, **asked),
    "clashes": lambda **asked: CLASHES.found(0, len(CLASHES), **asked),
}


def crowd(count, width):
    """Parts that overlap."""
    at = np.random.default_rng(2).uniform(-width, width, (count, 3))
    return clash.Assembly.from_arrays([f"{k}" for k in range(count)], ball([0, 0, 0]), at)


CLASHES = clash.Check(crowd(4000, 3.0))


def bodies():
    """A world that is full of meshes."""
    world = dim3.World()
    world.insert(MESH, np.random.default_rng(3).uniform(-5, 5, (500, 3)), moving=False)
    return world


WORLD = bodies()
OF_WORLDS = {
    "rays": lambda: WORLD.cast_rays(4 * AT, AT),
    "shapes in motion": lambda: WORLD.cast_shapes(dim3.Shape.ball(0.1), 9 * AT, motions=np.ones(6)),
    "bodies near shapes": lambda: WORLD.near(dim3.Shape.ball(0.1), 9 * AT, within=1.0),
}


def seconds_until_it_is_there(call):
    """How long after Ctrl-C the exception comes."""
    pressed = []

    def press():
        pressed.append(time.monotonic())
        _thread.interrupt_main()

    timer = threading.Timer(AFTER, press)
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            call()
        return time.monotonic() - pressed[0]
    finally:
        timer.cancel()
        timer.join()


@pytest.mark.parametrize("threads", [None, 1])
@pytest.mark.parametrize("name", CALLS)
def test_the_exception_comes_at_once(name, threads):
    assert seconds_until_it_is_there(lambda: CALLS[name](threads=threads)) < LIMIT


@pytest.mark.parametrize("name", OF_WORLDS)
def test_questions_to_worlds_end_too(name):
    assert seconds_until_it_is_there(OF_WORLDS[name]) < LIMIT


def test_threads_do_not_wait_for_each_other():
    slow = threading.Thread(target=lambda: dim3.distance(MESH, MESH, AT[:4000], threads=2))
    slow.start()
    time.sleep(AFTER)
    dim3.distance(MESH, MESH, AT[:50], threads=2)
    assert slow.is_alive()
    slow.join()


def test_what_comes_after_is_answered_as_ever():
    few, some = AT[:20], AT[:20_000]
    before = dim3.distance(MESH, MESH, few)
    out = dim3.distance(dim3.Shape.ball(1), dim3.Shape.ball(1), some + 9)
    seconds_until_it_is_there(lambda: dim3.distance(MESH, MESH, some, out=out))
    # What was answered until then is written, and no more.
    assert 0 < np.count_nonzero(out.distance < 1) < len(some)
    assert dim3.distance(MESH, MESH, few).rows.tobytes() == before.rows.tobytes()


def test_issues_that_are_interrupted_can_be_gone_on_with(tmp_path):
    parts, out, bcf = crowd(400, 3.0), tmp_path / "report.jsonl", tmp_path / "issues.bcf"
    made = clash.Check(parts)

    def source(done):
        yield made.found(done, len(made))
        threading.Timer(5 * AFTER, _thread.interrupt_main).start()

    with pytest.raises(KeyboardInterrupt):
        made.report(out, source, bcf=bcf)
    assert [file.name for file in tmp_path.iterdir()] == ["report.jsonl.partial"]


def test_a_check_that_was_interrupted_goes_on(tmp_path):
    parts = crowd(100, 2.0)
    clash.check(parts, out=tmp_path / "whole.jsonl")
    seconds_until_it_is_there(lambda: clash.check(parts, out=tmp_path / "report.jsonl"))
    assert (tmp_path / "report.jsonl.partial").exists()
    clash.check(parts, out=tmp_path / "report.jsonl", resume=True)
    assert (tmp_path / "report.jsonl").read_bytes() == (tmp_path / "whole.jsonl").read_bytes()
