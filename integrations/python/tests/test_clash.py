"""Clash checks: the report of the command to the last byte, what arrays say, and what is refused."""

import doctest
import json
import os
import pickle
import re
import subprocess
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import building
import numpy as np
import pytest

from clearance import _clearance, clash
from clearance.clash import Assembly, Check, Inner, Kind, Rules, check
from clearance.dim3 import Choice, Shape

COMMAND = os.environ.get("CLEARANCE_COMMAND")
needs_command = pytest.mark.skipif(COMMAND is None, reason="CLEARANCE_COMMAND does not name the command `clearance`")


@pytest.fixture(scope="session")
def files(tmp_path_factory):
    """The files of a building, and of a part of one."""
    made = tmp_path_factory.mktemp("building")
    building.write(made / "a.obj", building.parts())
    building.write(made / "b.obj", building.parts(4, [0.5, 0.25, 0.125]))
    (made / "rules.json").write_text(json.dumps(building.RULES))
    return made


@pytest.fixture(autouse=True)
def folder(files, tmp_path, monkeypatch):
    """The current folder, which has the files."""
    for file in files.iterdir():
        (tmp_path / file.name).symlink_to(file)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def command(*words):
    done = subprocess.run([COMMAND, "clash", *words], capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr


@needs_command
def test_tolerances_and_clearances_of_everything_are_those_of_the_command(folder):
    command("a.obj", "--tolerance", "0.005", "--clearance", "0.25", "-o", "command.jsonl")
    check("a.obj", rules=Rules.everything(tolerance=0.005, clearance=0.25), out="python.jsonl")
    assert (folder / "python.jsonl").read_bytes() == (folder / "command.jsonl").read_bytes()


@needs_command
@pytest.mark.parametrize(("b", "ending"), [(None, "jsonl"), ("b.obj", "jsonl"), (None, "csv")])
def test_reports_are_those_of_the_command(folder, b, ending):
    command("a.obj", *([b] if b else []), "--rules", "rules.json", "-o", f"command.{ending}")
    expected = (folder / f"command.{ending}").read_bytes()
    assert len(expected) > 10_000
    for threads in (1, 2, 5):
        check("a.obj", b, "rules.json", out=f"python.{ending}", threads=threads)
        assert (folder / f"python.{ending}").read_bytes() == expected


def test_arrays_have_what_the_report_says(folder):
    report = check("a.obj", rules="rules.json", out="report.jsonl")
    lines = [json.loads(line) for line in (folder / "report.jsonl").read_text().splitlines()]
    assert report.summary == lines[-1]
    clashes = [line for line in lines if line["type"] == "clash"]
    found = report.clashes
    assert len(found) == len(clashes) == report.summary["clashes"] > 100
    assert found.name_a.tolist() == [line["a"] for line in clashes]
    assert found.name_b.tolist() == [line["b"] for line in clashes]
    assert [Kind(kind).name.lower() for kind in found.kind] == [line["kind"] for line in clashes]
    assert [Inner(inner).name for inner in found.inner] == [line.get("inner", "neither").upper() for line in clashes]
    assert (found.group + 1).tolist() == [line["group"] for line in clashes]
    assert found.kind_name.tolist() == [line["kind"].upper() for line in clashes]
    assert repr(found).startswith(f"<Clashes: {len(clashes)}, {report.summary['faults']} not allowed (")
    assert repr(found[:0]) == "<Clashes: 0, 0 not allowed ()>"
    names = ["balls keep apart" if rule == 1 else "*, *" for rule in found.rule]
    assert names == [line["rule"] for line in clashes]
    for field in ("proven", "allowed", "point_a", "point_b"):
        assert getattr(found, field).tolist() == [line[field] for line in clashes], field
    for field in ("distance", "lower", "upper", "normal"):
        assert (getattr(found, field) == np.array([line[field] for line in clashes], np.float32)).all(), field
    assert {Kind.DUPLICATE, Kind.INSIDE, Kind.OVERLAP, Kind.TOUCH, Kind.CLEARANCE} == {Kind(kind) for kind in found.kind}
    some = found[found.kind == Kind.INSIDE]
    assert list(zip(some.name_a, some.name_b, some.inner)) == [("inner", "slab", Inner.A)]
    again = pickle.loads(pickle.dumps(some))
    assert (again.rows == some.rows).all() and again.name_a.tolist() == some.name_a.tolist()


def test_without_a_file_the_answer_is_the_same():
    there = check("a.obj", "b.obj", "rules.json", out="report.jsonl")
    for threads in (1, 3):
        here = check("a.obj", "b.obj", "rules.json", threads=threads)
        assert (here.clashes.rows == there.clashes.rows).all()
        assert here.summary == there.summary


def test_arrays_make_the_parts_that_files_make():
    named = building.parts()
    given = Assembly.from_arrays(list(named), list(named.values()), name="a.obj")
    read = Assembly.read("a.obj")
    assert given.fingerprint == read.fingerprint
    assert given.names == read.names == sorted(named)
    assert given.triangles == read.triangles
    check(given, rules="rules.json", out="given.csv")
    check(read, rules="rules.json", out="read.csv")
    assert open("given.csv").read() == open("read.csv").read()


def test_parts_are_where_their_poses_put_them():
    far = np.array([512_000.25, -3.5, 7e6])
    mesh = building.box(far, far + 1)
    turn = np.eye(4)
    turn[:3, :3], turn[:3, 3] = [[0, -1, 0], [1, 0, 0], [0, 0, 1]], [5, 6, 7]
    turned = Assembly.from_arrays(["turned"], mesh, [turn])
    vertices = mesh[0] @ turn[:3, :3].T + turn[:3, 3]
    there = Assembly.from_arrays(["there"], (vertices, mesh[1]))
    found = check(turned, there).clashes
    assert found.kind.tolist() == [Kind.DUPLICATE]
    gap = Assembly.from_arrays(["gap"], (vertices + [1.25, 0, 0], mesh[1]))
    assert check(turned, gap, Rules.everything(0.5)).clashes.distance.tolist() == [0.25]


def test_shapes_are_shared():
    bolt = Shape.mesh(*building.ball([0, 0, 0]))
    at = np.arange(3 * 200.0).reshape(-1, 3)
    many = Assembly.from_arrays([f"{k}" for k in range(200)], bolt, at)
    chosen = Assembly.from_arrays([f"{k}" for k in range(200)], Choice([bolt], np.zeros(200, int)), at)
    assert chosen.fingerprint == many.fingerprint
    assert len(pickle.dumps(many)) < 200 * 100 + len(pickle.dumps(bolt))


@pytest.mark.parametrize("b", [None, "b.obj"])
def test_blocks_are_measured_one_by_one_and_apart(b):
    assemblies = [Assembly.read(path) for path in ("a.obj", b) if path]
    rules = Rules.read("rules.json")
    whole = Check(*assemblies, rules=rules)
    assert len(whole) >= 3
    expected = check(*assemblies, rules=rules).clashes.rows
    names = [name for name in expected.dtype.names if name != "group"]
    blocks = [whole.measure(k) for k in range(len(whole))]
    assert (np.concatenate([found.rows for found in blocks])[names] == expected[names]).all()
    assert set(blocks[0].group.tolist()) == {-1}
    last = blocks[-1]
    assert (last.name_a.tolist(), last.name_b.tolist()) == (
        [assemblies[0].names[k] for k in last.a],
        [assemblies[-1].names[k] for k in last.b],
    )
    assert whole.blocks["cost"].min() > 0 and whole.blocks["pairs"].sum() >= len(expected)
    store = _clearance.ClashStore(whole._native, 500)
    assert len(store) > 5
    # What is kept of one shard serves the next.
    kept = _clearance.ClashShapes(10_000)
    for k in range(len(whole)):
        shard, groups = store.shard(whole._native, (k, k + 1))
        arrays = [store.group(group) for group in groups]
        again = pickle.loads(pickle.dumps(rules))
        assert _clearance.measure_shard(shard, again._native, arrays, kept) == whole.found(k, k + 1)


def test_a_shard_holds_the_parts_of_its_blocks_only():
    whole = Check(Assembly.read("a.obj"), rules=Rules.read("rules.json"))
    store = _clearance.ClashStore(whole._native, 1)
    names = Assembly.read("a.obj").names
    for first in (0, len(whole) // 2, len(whole) - 2):
        last = min(first + 2, len(whole))
        shard, groups = store.shard(whole._native, (first, last))
        # Postcard writes a name as its length and its letters.
        held = [name for name in names if bytes([len(name)]) + name.encode() in shard]
        pairs = int(whole.blocks["pairs"][first:last].sum())
        found = clash.Clashes(_clearance.ClashCheck.rows(whole.found(first, last)).view(clash.clash_record()), whole._names)
        assert {*found.name_a, *found.name_b} <= {*held}
        assert len(held) <= 2 * pairs and len(held) < len(names)
        # With a group for each shape, as many shapes as parts at most.
        assert len(groups) <= len(held)


def test_a_shard_without_its_shapes_is_refused():
    whole = Check(Assembly.read("a.obj"))
    store = _clearance.ClashStore(whole._native, 1000)
    shard, groups = store.shard(whole._native, (0, 1))
    arrays = [store.group(group) for group in groups]
    for wrong in (arrays[:-1], [*arrays[:-1], arrays[-1][:3]], [arrays[-1] * 0] * len(arrays)):
        with pytest.raises(ValueError, match="^groups: ha"):
            _clearance.measure_shard(shard, whole.rules._native, wrong, _clearance.ClashShapes(10_000))
    with pytest.raises(ValueError, match="^shard: "):
        _clearance.measure_shard(shard[:-1], whole.rules._native, arrays, _clearance.ClashShapes(10_000))


def test_assemblies_can_be_pickled_and_selected():
    whole = Assembly.read("a.obj")
    again = pickle.loads(pickle.dumps(whole))
    assert (again.fingerprint, again.name, again.refused) == (whole.fingerprint, "a.obj", [])
    some = whole.select([3, 5])
    assert some.names == [whole.names[3], whole.names[5]]
    assert len(pickle.dumps(some)) < len(pickle.dumps(whole)) / 20


def interrupted(**options):
    """A check that ends behind its first blocks."""

    def stop(done, total):
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        check("a.obj", rules="rules.json", out="cut.jsonl", threads=1, progress=stop, **options)


def test_a_check_that_was_ended_goes_on(folder, monkeypatch):
    monkeypatch.setattr("clearance.clash._BLOCKS_AT_ONCE", 1)
    check("a.obj", rules="rules.json", out="whole.jsonl")
    interrupted()
    assert (folder / "cut.jsonl.partial").exists() and not (folder / "cut.jsonl").exists()
    with pytest.raises(FileExistsError, match=r"cut\.jsonl\.partial is there .* resume=True"):
        check("a.obj", rules="rules.json", out="cut.jsonl")
    with pytest.raises(ValueError, match=r"cannot go on with cut\.jsonl\.partial: the rules changed"):
        check("a.obj", out="cut.jsonl", resume=True)
    told = []
    check("a.obj", rules="rules.json", out="cut.jsonl", resume=True, progress=lambda *now: told.append(now))
    assert told[0][0] > 0 and told[-1][0] == told[-1][1] and told == sorted(told)
    assert (folder / "cut.jsonl").read_bytes() == (folder / "whole.jsonl").read_bytes()
    assert not (folder / "cut.jsonl.partial").exists()


@needs_command
def test_the_command_goes_on_with_a_check_of_python(folder, monkeypatch):
    monkeypatch.setattr("clearance.clash._BLOCKS_AT_ONCE", 1)
    check("a.obj", rules="rules.json", out="whole.jsonl")
    interrupted()
    command("a.obj", "--rules", "rules.json", "-o", "cut.jsonl", "--resume")
    assert (folder / "cut.jsonl").read_bytes() == (folder / "whole.jsonl").read_bytes()


CUBE = Shape.cuboid([1, 1, 1])
MESH = building.box([0, 0, 0], [1, 1, 1])


@pytest.mark.parametrize(
    ("ask", "problem"),
    [
        (lambda: Assembly.from_arrays(["a", "b"], [CUBE]), "shapes: has 1 rows, must have 2, as many as names"),
        (lambda: Assembly.from_arrays(["a"], [3]), r"shapes\[0\]: is int, must be"),
        (lambda: Assembly.from_arrays(["a"], [Shape.half_space([0, 1, 0])]), r"shapes\[0\]: a half_space has no end"),
        (lambda: Assembly.from_arrays(["a"], CUBE, [0, 0, 0]), "poses: has a single pose, must have 1 rows"),
        (lambda: Assembly.from_arrays(["a", "b"], CUBE, [[0, 0, 0]]), "poses: has 1 rows, must have 2 rows"),
        (lambda: Assembly.from_arrays(["a", "b"], CUBE, [[0, 0, 0], [0, np.nan, 0]]), r"poses\[1\]: translation\[1\] is NaN"),
        (lambda: Assembly.from_arrays(["a"], [(MESH[0][:7], MESH[1])]), r"shapes\[0\]: triangles\[2\] names vertex 7"),
        (lambda: Assembly.from_arrays(["a"], [(MESH[0] * np.nan, MESH[1])]), r"shapes\[0\]: vertices\[0\]\[0\] is NaN"),
        (lambda: Assembly.from_arrays(["a"], [(MESH[0], MESH[1].reshape(-1))]), r"shapes\[0\]: triangles: has shape \(36,\)"),
        (lambda: Assembly.from_arrays(["a"], [(MESH[0], -1 - MESH[1].astype(int))]), r"shapes\[0\]: triangles\[0\]\[0\]: is -1"),
        (lambda: Assembly.from_arrays(["a"], [MESH[:1]]), r"shapes\[0\]: is a tuple of 1"),
        (lambda: Assembly.from_arrays(["a"], Choice([CUBE], [2])), "index"),
        (lambda: Assembly.read("a.obj").select([10_000]), r"numbers\[0\]: is 10000, must be less than"),
        (lambda: Assembly.read("rules.json"), "rules.json"),
        (lambda: Assembly.read("nothing"), "nothing: cannot be read"),
        (lambda: Rules.everything(-1), "clearance: is -1, must be finite"),
        (lambda: Rules.everything(0, np.nan), "tolerance: is NaN, must be finite"),
        (lambda: Rules.parse('{"rules": 3}'), "rules: line 1, column 11"),
        (lambda: check(3), "a: is int, must be an Assembly or a path"),
        (lambda: check("a.obj", rules={"rules": []}), r"rules: is dict, must be Rules \(Rules.from_dict makes them\) or a path"),
        (lambda: check("a.obj", threads=0), "threads: is 0, must be from 1"),
        (lambda: check("a.obj", out="no folder/report.jsonl"), "out: cannot write no folder/report.jsonl"),
        (lambda: Check(Assembly.read("a.obj")).measure(99_999), "block: is 99999, must be from 0"),
        (lambda: Check(Assembly.read("a.obj")).report("r.jsonl", lambda done: iter(())), "source: ended behind 0 of"),
        (lambda: Check(Assembly.read("a.obj")).report("r.jsonl", lambda done: iter([b"\xff"])), "found: "),
    ],
)
def test_what_is_wrong_is_named(ask, problem):
    with pytest.raises((ValueError, TypeError, OSError)) as raised:
        ask()
    assert re.search(problem, str(raised.value))


def test_examples_hold():
    failed, tried = doctest.testmod(clash)
    assert failed == 0 and tried > 10


#: A cuboid as a mesh: its corners by their signs, and its sides, seen from outside.
CORNERS = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
SIDES = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
TRIANGLES = np.array([[a, b, c] for a, b, c, d in SIDES] + [[a, c, d] for a, b, c, d in SIDES])


def topics(path):
    """Of each topic of a BCF file its title and status, and the lines of its view, (N, 2, 3)."""
    found = {}
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            if name.endswith("markup.bcf"):
                topic = ElementTree.fromstring(archive.read(name)).find("Topic")
                view = ElementTree.fromstring(archive.read(name.replace("markup.bcf", "viewpoint.bcfv")))
                numbers = [float(number.text) for line in view.iter("Line") for point in line for number in point]
                found[topic.findtext("Title")] = topic.get("TopicStatus"), np.reshape(numbers, (-1, 2, 3))
    return found


def test_issues_show_the_curves_in_which_parts_cross_and_keep_their_statuses(folder):
    far = np.array([5e5, 4e6, 10.0])
    wall, pipe = ((CORNERS * half, TRIANGLES) for half in ([0.1, 2.0, 1.5], [3.0, 0.05, 0.03]))
    built = Assembly.from_arrays(["pipe", "wall"], [pipe, wall], [far + [0.5, 0.3, 0.2], far])
    check(built, out="first.jsonl", bcf="first.bcf")
    ((title, (status, lines)),) = topics("first.bcf").items()
    assert (title, status) == ("overlap: pipe and wall", "Open")
    # The first one is the way out. The pipe goes in on one side of the wall and out on the other.
    crossing = lines[1:] - far
    assert np.allclose(np.abs(crossing[:, :, 0]), 0.1, atol=1e-6)
    assert np.isclose(np.linalg.norm(crossing[:, 0] - crossing[:, 1], axis=1).sum(), 2 * 2 * (0.1 + 0.06), atol=1e-6)
    with zipfile.ZipFile("first.bcf") as first, zipfile.ZipFile("looked_at.bcf", "w") as second:
        for name in first.namelist():
            second.writestr(name, first.read(name).replace(b'TopicStatus="Open"', b'TopicStatus="Closed"'))
    later = check(built, since="looked_at.bcf", bcf="next.bcf")
    assert [status for status, _ in topics("next.bcf").values()] == ["Closed"]
    assert later.summary["changes"]["known"] == 1 and later.summary["changes"]["new"] == 0
    with pytest.raises(ValueError, match=r"since: a\.obj is no earlier report"):
        check(built, since="a.obj")
    with pytest.raises(OSError, match=r"since: cannot read no\.jsonl"):
        check(built, since="no.jsonl")


def test_files_that_cannot_be_written_are_refused_before_anything_is_read(folder):
    for name in ("old.bcf", "old.jsonl"):
        Path(name).write_bytes(b"")
    for problem, error, named in (
        ("bcf: cannot write issues to next.txt: choose a file that ends in .bcf", ValueError, {"bcf": "next.txt"}),
        ("out: cannot write the report to plan.glb: choose a file that ends in .jsonl for lines of JSON, or in .csv for a table", ValueError, {"out": "plan.glb"}),
        ("bcf: cannot write to ./old.bcf: the check reads it", ValueError, {"bcf": "./old.bcf", "since": "old.bcf"}),
        ("out: cannot write to old.jsonl: the check reads it", ValueError, {"out": "old.jsonl", "since": "old.jsonl"}),
        ("bcf: cannot write none/x.bcf", OSError, {"bcf": "none/x.bcf"}),
        ("out: cannot write none/x.jsonl", OSError, {"out": "none/x.jsonl"}),
    ):
        with pytest.raises(error, match=re.escape(problem)):
            check("no such folder", **named)
    assert not list(Path().glob("*.partial")) and Path("old.bcf").read_bytes() == b""


def test_topics_whose_parts_nobody_knows_are_told(folder):
    built = Assembly.from_arrays(["a", "b"], Shape.ball(1.0), [[0, 0, 0], [1.5, 0, 0]])
    check(built, bcf="first.bcf")
    with zipfile.ZipFile("first.bcf") as first, zipfile.ZipFile("second.BCF", "w") as second:
        for name in first.namelist():
            if not name.endswith("viewpoint.bcfv"):
                second.writestr(name, first.read(name))
    with pytest.warns(UserWarning, match=r"since: second\.BCF: topics of the type Clash that were passed over: 1;"):
        assert check(built, since="second.BCF").summary["changes"]["new"] == 1


def test_invalid_parts_are_errors_or_listed(folder):
    named = building.parts(1)
    named["flat"] = (np.zeros((3, 3)), np.array([[0, 1, 2]], np.uint32))
    building.write(folder / "flawed.obj", named)
    with pytest.raises(ValueError, match=r"flawed\.obj: part \"flat\".*skip_invalid=True"):
        Assembly.read("flawed.obj")
    read = Assembly.read("flawed.obj", skip_invalid=True)
    assert len(read.refused) == 1 and "flat" in read.refused[0] and "flat" not in read.names
