"""Robots whose links meet, and paths on which they do: beside all pairs, many samples, and SciPy."""

import pickle
import re

import numpy as np
import pytest
from arm import arm, configurations
from test_robot import any_robot, at

from clearance.dim3 import Shape, intersects
from clearance.robot import Joint, Link, PathStatus, Robot, Spline, Srdf


def tube(a, b, radius):
    """A closed mesh about a segment, thinner in the middle, so that it is not convex."""
    a, b = np.array(a, float), np.array(b, float)
    along = (b - a) / np.linalg.norm(b - a)
    across = np.cross(along, np.eye(3)[np.abs(along).argmin()])
    across /= np.linalg.norm(across)
    angles = np.arange(12) * np.pi / 6
    rim = radius * (np.cos(angles)[:, None] * across + np.sin(angles)[:, None] * np.cross(along, across))
    rings = [a - radius / 2 * along + rim, (a + b) / 2 + rim / 2, b + radius / 2 * along + rim]
    vertices = np.concatenate([*rings, [a, b]])
    triangles = []
    for ring in (0, 12):
        for k in range(12):
            low, next_low = ring + k, ring + (k + 1) % 12
            triangles += [(low, next_low, next_low + 12), (low, next_low + 12, low + 12)]
    triangles += [(36, (k + 1) % 12, k) for k in range(12)] + [(37, 24 + k, 24 + (k + 1) % 12) for k in range(12)]
    return Shape.mesh(vertices, triangles)


ARMS = {
    "capsules": arm(),
    "surfaces": arm(tube),
    "solids": arm(lambda *bone: tube(*bone).solid()),
    "compounds": arm(lambda a, b, radius: Shape.compound([Shape.ball(radius), tube(a, b, radius / 2)], [a, [0, 0, 0]])),
}


def meets(robot, given):
    """Whether any pair meets, of all that count, one after the other."""
    poses, found = robot.poses(given), np.zeros(len(given), bool)
    for a, b in robot.pairs:
        found |= intersects(robot.links[a].shape, robot.links[b].shape, poses[:, a], poses[:, b])
    return found


@pytest.mark.parametrize("name", ARMS)
def test_configurations_are_in_collision_where_any_pair_meets(name):
    robot, given = ARMS[name], configurations(1500, seed=3) * 1.4
    found, expected = robot.in_collision(given), meets(robot, given)
    assert np.array_equal(found, expected)
    assert 100 < expected.sum() < 1400
    assert np.array_equal(found, robot.in_collision(given, threads=3))
    assert np.array_equal(found, [robot.in_collision(row)[0] for row in given])


def test_robots_far_away_are_answered_like_near_ones():
    # Places there are two millimetres apart, and boxes beside their frames overlap by less than that.
    random, step = np.random.default_rng(13), 2.0**-9
    for _ in range(40):
        beside, width = random.uniform(0, 1, 2), random.uniform(0.5, 1.0)
        boxes = [Shape.hull((np.array(list(np.ndindex(2, 2, 2))) - 0.5) * width + [x, 0, 0]) for x in beside]
        far = Joint("far", "world", "a", kind="fixed", origin=at(1.3e13, -0.7e13, 0.9e13))
        slide = Joint("slide", "arm", "b", kind="prismatic", axis=(1, 0, 0))
        links = [Link("world"), Link("a", boxes[0]), Link("arm"), Link("b", boxes[1])]
        robot = Robot(links, [far, Joint("turn", "a", "arm"), slide])
        steps = np.floor((width + beside[0] - beside[1]) / step - 1e-3)
        given = [[0.0, steps * step], [0.0, (steps + 2) * step]]
        assert robot.in_collision(given).tolist() == [True, False]
        assert robot.self_clearance(given).distance[1] > 0.0


@pytest.mark.parametrize("name", ["capsules", "surfaces"])
def test_margins_are_distances(name):
    robot, given = ARMS[name], configurations(300, seed=4)
    near = robot.link_distances(given)
    for margin in (0.01, 0.1, 0.3):
        found = robot.in_collision(given, margin=margin)
        assert (found[near.upper.min(axis=1) <= margin]).all()
        assert not found[near.lower.min(axis=1) > margin].any()


def test_what_is_inside_of_a_solid_meets_it():
    # A cup, 2 wide and 2 high, and a ball that goes down into it, through its bottom of 0.5, and into its wall.
    outline = [(-1, -1), (1, -1), (1, 1), (0.5, 1), (0.5, -0.5), (-0.5, -0.5), (-0.5, 1), (-1, 1)]
    vertices = [(x, y, z) for z in (-2, 2) for x, y in outline]
    sides = [(k, (k + 1) % 8, (k + 1) % 8 + 8, k + 8) for k in range(8)]
    triangles = [corner for a, b, c, d in sides for corner in ((a, b, c), (a, c, d))]
    faces = [(0, 4, 5), (0, 1, 4), (1, 3, 4), (1, 2, 3), (0, 5, 7), (5, 6, 7)]
    triangles += [(c, b, a) for a, b, c in faces] + [(a + 8, b + 8, c + 8) for a, b, c in faces]
    cup = Shape.mesh(vertices, triangles, solid=True)
    joints = [
        Joint("x", "cup", "slide", kind="prismatic", axis=(1, 0, 0)),
        Joint("y", "slide", "ball", kind="prismatic", axis=(0, 1, 0)),
    ]
    robot = Robot([Link("cup", cup), Link("slide"), Link("ball", Shape.ball(0.1))], joints)
    given = [[0, 2], [0, 0.5], [0, -0.75], [0.75, 0.75], [0.75, 1.2], [-0.75, 0], [0, -1.2]]
    assert robot.in_collision(given).tolist() == [False, False, True, True, False, True, False]
    down = robot.valid_path([[[0, 2], [0, -0.3]], [[0, 2], [0, -2]], [[0.45, 2], [0.45, 0]]])
    assert [PathStatus(status).name for status in down.status] == ["FREE", "COLLIDES", "COLLIDES"]


def dense(robot, path, count=1500):
    return robot.self_clearance(path(np.linspace(path.times[0], path.times[-1], count)))


def test_paths_of_any_robot_are_free_or_not():
    random, seen = np.random.default_rng(18), np.zeros(3, int)
    for _ in range(80):
        robot = any_robot(random)
        if not len(robot.pairs):
            continue
        paths = random.uniform(-1.5, 1.5, (4, 3, len(robot.moving)))
        margin = float(random.choice([0.0, 0.05]))
        found = robot.valid_path(paths, margin=margin)
        for k, path in enumerate(paths):
            seen[found.status[k]] += 1
            spline = Spline([0, 1, 2], np.stack([path[:-1], path[1:]], axis=1))
            if found.status[k] == PathStatus.FREE:
                assert dense(robot, spline, 600).distance.min() > margin
                assert (found.pair[k], found.names[k], np.isnan(found.time[k])) == (-1, None, True)
            elif found.status[k] == PathStatus.COLLIDES:
                there = robot.link_distances(spline([found.time[k]])).lower[0, found.pair[k]]
                assert found.names[k] == tuple(robot.links[link].name for link in robot.pairs[found.pair[k]])
                assert there <= margin
    assert seen[0] > 30
    assert seen[1] > 30
    assert seen[2] < 15


@pytest.mark.parametrize("name", ARMS)
def test_edges_of_planners_are_told_apart(name):
    robot = ARMS[name].with_body("post", Shape.ball(0.25), [0.45, 0, 0.5])
    given = configurations(4000, seed=5) * 0.8
    free = given[~robot.in_collision(given, margin=0.02)][:60].reshape(30, 2, 7)
    found = robot.valid_path(free)
    assert np.array_equal(found.status, robot.valid_path(free, threads=1).status)
    assert (found.status == PathStatus.UNDECIDED).sum() <= 2
    assert 3 < found.free.sum() < 30
    for edge, is_free in zip(free, found.free):
        if is_free:
            assert not robot.in_collision(np.linspace(*edge, 100)).any()
    alone = robot.valid_path(free[0])
    assert alone.status.shape == ()
    assert (alone.status, alone.names) == (found.status[0], found.names[0])


def test_answers_do_not_depend_on_what_was_asked_before():
    given = configurations(300, seed=19) * 1.4
    edges = given.reshape(150, 2, 7)
    before = arm().valid_path(edges)
    assert (before.status == PathStatus.COLLIDES).sum() > 30
    for some in (given[:40], given[200:]):
        robot = arm()
        robot.in_collision(some)
        after = robot.valid_path(edges)
        for name in ("status", "time", "pair"):
            assert np.array_equal(getattr(before, name), getattr(after, name), equal_nan=name == "time")


def test_checks_of_paths_end():
    robot = ARMS["capsules"]
    edge = configurations(2, seed=7)
    assert robot.valid_path(edge, most=1).status_name != "FREE"
    # Two balls that pass by each other, so near that neither is proven.
    place = at(0, 0.2 - 1e-9, 0)
    links = [Link("a", Shape.ball(0.1)), Link("b", Shape.ball(0.1))]
    joint = Joint("x", "a", "arm", kind="prismatic", axis=(1, 0, 0), origin=place)
    near = Robot([links[0], Link("arm"), links[1]], [joint, Joint("turn", "arm", "b")])
    found = near.valid_path([[-1, 0], [1, 0]])
    assert found.status == PathStatus.UNDECIDED
    assert abs(found.time - 0.5) < 0.01


def test_splines_are_those_of_scipy():
    interpolate = pytest.importorskip("scipy.interpolate")
    random = np.random.default_rng(6)
    times, places, speeds, gains = np.cumsum(random.uniform(0.5, 2, 5)), *random.normal(size=(3, 5, 2))
    at_times = np.linspace(times[0] - 1, times[-1] + 1, 300)
    inside = np.clip(at_times, times[0], times[-1])
    cubic = interpolate.CubicHermiteSpline(times, places, speeds)
    quintic = interpolate.BPoly.from_derivatives(times, np.stack([places, speeds, gains], axis=1))
    natural = interpolate.CubicSpline(times, places)
    pairs = [
        (Spline.hermite(times, places, speeds), cubic),
        (Spline.hermite(times, places, speeds, gains), quintic),
        (Spline.from_scipy(natural), natural),
    ]
    for degree in (1, 2, 3, 5):
        basis = interpolate.make_interp_spline(times, places, k=degree if degree < len(times) else 3)
        pairs.append((Spline.from_scipy(basis), basis))
    # Knots that are not even, some of them twice, and more of them outside of the base interval.
    knots = times[0] + (times[-1] - times[0]) * np.array([-0.5, -0.2, -0.1, 0, 0.3, 0.3, 0.7, 1, 1.1, 1.5, 1.6])
    pairs.append((Spline.from_scipy(basis := interpolate.BSpline(knots, random.normal(size=(7, 2)), 3)), basis))
    for ours, theirs in pairs:
        assert np.allclose(ours(at_times), theirs(inside), atol=1e-10)


def test_clearance_over_splines_is_proven():
    random, complete = np.random.default_rng(9), 0
    for _ in range(12):
        robot = any_robot(random)
        if not len(robot.pairs):
            continue
        times, (places, speeds, gains) = [0.0, 0.5, 2.0], random.uniform(-1, 1, (3, 3, len(robot.moving)))
        for path in (Spline.hermite(times, places, speeds), Spline.hermite(times, places, speeds, gains)):
            found = robot.trajectory_clearance(path, tolerance=1e-2, most=50_000)
            least = float(dense(robot, path).distance.min())
            assert found.lower <= least
            assert (robot.valid_path(path).status == PathStatus.FREE) <= (least > 0)
            if found.complete:
                complete += 1
                assert found.upper <= least + 1e-2
                assert np.isclose(robot.self_clearance(path(found.time)).distance[0], found.upper, atol=1e-5)
    assert complete > 5


def test_bodies_are_put_down_and_picked_up():
    robot = ARMS["capsules"]
    given = configurations(400, seed=11)
    turned = at(0.1, 0.2, -0.1)
    turned[:3, :3] = [[0, -1, 0], [0, 0, -1], [1, 0, 0]]
    scene = robot.with_body("wall", Shape.half_space([0, 1, 0]), turned, touching=["link1"])
    scene = scene.with_body("cup", Shape.ball(0.1), [0, 0, 0.2], on="link7", touching=["link6"])
    poses = robot.poses(given)
    cup = poses[:, 7] @ [0, 0, 0.2, 1]
    expected = robot.in_collision(given)
    # The outside of the wall is along its y axis, which is x in the world.
    outside = lambda points: -(points - turned[:3, 3]) @ turned[:3, :3] @ [0, 1, 0]
    for k, (link, pose) in enumerate(zip(robot.links, np.moveaxis(poses, 1, 0))):
        if k not in (0, 1):
            expected |= intersects(link.shape, Shape.half_space([0, 1, 0]), pose, turned)
        if k not in (6, 7):
            expected |= intersects(link.shape, Shape.ball(0.1), pose, cup[:, :3])
    expected |= outside(cup[:, :3]) >= -0.1
    assert np.array_equal(scene.in_collision(given), expected)
    assert 20 < expected.sum() < 390
    assert np.array_equal(scene.without("wall", "cup").in_collision(given), robot.in_collision(given))
    clear, bound = scene.self_clearance(given), scene.trajectory_clearance(given[:1])
    assert np.isfinite(clear.lower).all()
    assert bound.lower <= clear.distance[0]
    by_row = robot.with_body("wall", Shape.half_space([0, 1, 0]), [0.1, 0.2, -0.1, *(np.array([1, -1, 1, 1]) / 2)], touching=["link1"])
    assert np.allclose(by_row.poses(given[:1])[0, -1], turned)


def gripper():
    """Two fingers, of which one does what the other does."""
    joints = [
        Joint("close", "palm", "left", kind="prismatic", axis=(1, 0, 0)),
        Joint("mirror", "palm", "right", kind="prismatic", axis=(-1, 0, 0), follows="close"),
    ]
    return Robot([Link("palm"), Link("left"), Link("right")], joints)


def test_states_may_name_joints_that_follow():
    assert gripper().configuration({"mirror": 0.04, "close": 0.04}).tolist() == [0.04]


# A tent, through which a ball that goes up jumps from overlapping it to being clear of it.
SHEET = Shape.mesh([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0], [0, 0, 0.001]], [[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]])
ONE_WAY = {"shape": Shape.cuboid([0.5, 0.1, 0.5]).translated([0.5, 0.5, 0.5]).to_record(), "one_way": {"normal": [0, 1, 0], "depth": 0.1}}
ONE_SIDED = {
    "mesh": SHEET.one_sided(0.5),
    "compound": Shape.compound([Shape.ball(0.1), SHEET.one_sided(0.5)]).translated([1, 0, 0]),
    "tile": Shape.tiles([[0, 0, 0]], [1, 1, 1], [1], [ONE_WAY]),
}


@pytest.mark.parametrize("name", ONE_SIDED)
def test_one_sided_links_are_refused(name):
    sheet, ball = Link("sheet", ONE_SIDED[name]), Link("ball", Shape.ball(0.1))
    for root, link in ((sheet, ball), (ball, sheet)):
        with pytest.raises(ValueError, match="link 'sheet': its shape counts on one side only"):
            Robot([root, link], [Joint("lift", root.name, link.name, kind="prismatic")])
    Robot([Link("sheet", SHEET), ball], [Joint("lift", "sheet", "ball", kind="prismatic")])


def test_what_is_known_of_a_path_does_not_depend_on_others():
    random, seen = np.random.default_rng(23), np.zeros(3, int)
    for _ in range(40):
        robot = any_robot(random)
        paths = random.uniform(-1.5, 1.5, (6, 3, len(robot.moving)))
        paths[0] *= 1e4
        found = robot.valid_path(paths, resolution=0.05, most=3000)
        for k, path in enumerate(paths):
            alone = robot.valid_path(path, resolution=0.05, most=3000)
            for name in ("status", "time", "pair"):
                assert np.array_equal(getattr(found, name)[k], getattr(alone, name), equal_nan=name == "time")
            seen[alone.status] += 1
    assert (seen > 5).all()


def test_rows_are_not_taken_for_columns():
    given = np.asfortranarray(configurations(6))
    with pytest.raises(ValueError, match="configurations: must be contiguous"):
        ARMS["capsules"]._linkage.in_collision(given, 0.0, 1, np.empty(6, np.uint8))


def test_splines_are_joined_where_rounding_parts_them():
    path = Spline([0, 1, 2], [[[0.0], [0.1 + 0.2]], [[0.3], [1.0]]])
    assert path.control[0, -1] == path.control[1, 0] == 0.3


SRDF = """<robot name="arm">
  <group name="arm"><chain base_link="link0" tip_link="link7"/></group>
  <group name="hand"><joint name="joint6"/><link name="link7"/><group name="arm"/></group>
  <group_state name="up" group="arm"><joint name="joint1" value="0.5"/><joint name="joint3" value="-1e-1"/>
    <joint name="float" value="0 0 0 1"/></group_state>
  <disable_collisions link1="link0" link2="link5" reason="Never"/>
  <disable_collisions link1="link0" link2="elsewhere" reason="Never"/>
  <disable_default_collisions link="link7"/><enable_collisions link1="link0" link2="link7"/>
</robot>"""


def test_srdf_files_are_read(tmp_path):
    (tmp_path / "arm.srdf").write_text(SRDF)
    read, robot = Srdf.read(tmp_path / "arm.srdf"), ARMS["capsules"]
    less = robot.allowing(read.allowed([link.name for link in robot.links]))
    gone = {tuple(pair) for pair in robot.pairs.tolist()} - {tuple(pair) for pair in less.pairs.tolist()}
    assert gone == {(0, 5), (1, 7), (2, 7), (3, 7), (4, 7)}
    assert read.groups["hand"] == [("joint", "joint6"), ("link", "link7"), ("group", "arm")]
    assert robot.configuration(read.states["arm", "up"]).tolist() == [0, 0.5, 0, -0.1, 0, 0, 0]
    assert robot.configuration({"joint0": 2}, start=np.ones(7)).tolist() == [2, 1, 1, 1, 1, 1, 1]


def test_srdf_files_of_others_are_refused(tmp_path):
    pytest.importorskip("yourdfpy")
    urdf = tmp_path / "two.urdf"
    urdf.write_text('<robot name="r"><link name="a"/><link name="b"/><joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint></robot>')
    (tmp_path / "arm.srdf").write_text(SRDF)
    for srdf, message in (
        (tmp_path / "arm.srdf", rf"^srdf: names no link of this robot \(its first is 'link0'\), must be that of {re.escape(str(urdf))}$"),
        (urdf, r"two.urdf: says nothing of groups, states or pairs, must be an SRDF file$"),
    ):
        with pytest.raises(ValueError, match=message):
            Robot.from_urdf(urdf, srdf=srdf)
    with pytest.raises(ValueError, match=r"arm.srdf: has no <link>, must be a URDF file$"):
        Robot.from_urdf(tmp_path / "arm.srdf")
    with pytest.raises(FileNotFoundError, match=r"none.urdf"):
        Robot.from_urdf(tmp_path / "none.urdf")
    some = Srdf.parse('<robot name="r"><disable_collisions link1="a" link2="elsewhere" reason="Never"/></robot>')
    states = Srdf.parse('<robot name="r"><group name="g"><joint name="j"/></group></robot>')
    for srdf in (some, states):
        assert len(Robot.from_urdf(urdf, srdf=srdf).links) == 2


def test_states_that_are_missing_are_told_with_those_that_are_there():
    states = pickle.loads(pickle.dumps(Srdf.parse(SRDF))).states
    with pytest.raises(KeyError, match=r"there is no state \('arm', 'home'\), must be one of \[\('arm', 'up'\)\]"):
        states["arm", "home"]
    assert states.get(("arm", "home")) is None


def test_pairs_that_always_or_never_meet_are_found():
    place = at(0, 0, 0.5)
    links = [Link("a", Shape.ball(0.3)), Link("b"), Link("c", Shape.ball(0.3)), Link("d", Shape.ball(0.1).translated([1, 0, 0]))]
    joints = [Joint("1", "a", "b", origin=place), Joint("2", "b", "c"), Joint("3", "b", "d", axis=(0, 1, 0))]
    robot = Robot([*links, Link("e", Shape.ball(1.0).translated([1, 0, 0]))], [*joints, Joint("4", "d", "e")], allowed=[("c", "e")])
    found = robot.sample_pairs(2000)
    assert found.always == [("a", "c")]
    assert found.never == [("a", "d"), ("c", "d")]
    some = found.share[robot.pairs.tolist().index([0, 4])]
    assert some == meets(robot.allowing(found.always), robot.random_configurations(2000)).mean()
    assert 0.1 < some < 0.9


REFUSED = [
    (lambda: Srdf.parse("<robot>"), "srdf: no element found"),
    (lambda: Srdf.parse('<robot><disable_collisions link1="a"/></robot>'), "a <disable_collisions> has no attribute 'link2'"),
    (
        lambda: Srdf.parse('<robot><group_state name="s" group="g"><joint name="j" value="x"/></group_state></robot>'),
        "joint 'j' has the value 'x'",
    ),
    (lambda: Spline([0, 0], np.zeros((1, 2, 1))), "times: must be 2 numbers that increase"),
    (lambda: Spline([0, 1], np.zeros((2, 1))), r"control: has shape \(2, 1\)"),
    (lambda: Spline.hermite([0, 1], np.zeros((2, 7)), np.zeros((2, 6))), "velocities: has shape"),
    (lambda: ARMS["capsules"].valid_path(np.zeros((2, 6))), "path: has shape"),
    (lambda: ARMS["capsules"].valid_path(np.zeros((2, 7)), resolution=0), "resolution: is 0"),
    (lambda: ARMS["capsules"].in_collision(np.zeros(7), margin=-1), "margin: is -1.0"),
    (lambda: ARMS["capsules"].with_body("link0", Shape.ball(1)), "name: there is a link 'link0' already"),
    (lambda: ARMS["capsules"].with_body("cup", Shape.ball(1), on="hand"), "on: there is no link 'hand', must be one of link0, link1"),
    (lambda: ARMS["capsules"].with_body("cup", Shape.ball(1), [0, 0, 0, 0, 0, 0, 2]), "pose: rotation has length 2.0"),
    (lambda: ARMS["capsules"].without("link3"), "'link4' hangs on 'link3'"),
    (lambda: ARMS["capsules"].configuration({"j": 1}), "values: 'j' is no joint that moves, must be one of joint0, joint1"),
    (lambda: ARMS["capsules"].configuration({"joint3": np.nan}), "joint3 is nan, must be finite"),
    (lambda: gripper().configuration({"j": 1}), "'j' is no joint that moves, must be one of close, mirror$"),
    (lambda: gripper().configuration({"close": 0.04, "mirror": 0.05}), "values: 'mirror' is 0.05, must be 0.04, since it follows 'close'"),
    (lambda: Spline([0, 1, 2], [[[0, 0], [1, 0]], [[0, 0], [0, 0]]]), "control: piece 1 does not join .*: number 0 begins at 0.0, but .* at 1.0"),
    (lambda: ARMS["capsules"].with_body("moon", Shape.ball(1), [1e38, 0, 0]), r"link 'moon': is 1e\+38 from the root at most, must be nearer than"),
    (lambda: ARMS["capsules"].valid_path([[0] * 7, [0, np.inf, 0, 0, 0, 0, 0]]), r"path\[1\]: joint1 is inf, must be finite"),
    (lambda: ARMS["capsules"].trajectory_clearance(np.full((1, 7), np.nan)), r"waypoints\[0\]: joint0 is nan, must be finite"),
    (lambda: ARMS["capsules"].configuration({}, [0, 0, np.nan, 0, 0, 0, 0]), r"start\[0\]: joint2 is nan, must be finite"),
    (lambda: ARMS["capsules"].in_collision([[0] * 7, [0, 0, 1e300, 0, 0, 0, 0]]), r"configurations\[1\]: joint2 is 1e\+300, must keep"),
]


def test_robots_with_more_bodies_share_what_is_known_of_shapes():
    robot = ARMS["solids"]
    more = robot.with_body("ball", Shape.ball(0.1), [2, 0, 0])
    assert [link.shape._covered() for link in robot.links] == [link.shape._covered() for link in more.links[:-1]]


@pytest.mark.parametrize(("make", "message"), REFUSED, ids=[message for _, message in REFUSED])
def test_refusals_name_what_is_wrong(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_robots_that_cannot_move_are_free():
    robot = Robot([Link("a", Shape.ball(1)), Link("b", Shape.ball(1))], [Joint("j", "a", "b", kind="fixed")])
    assert robot.in_collision(np.zeros((3, 0))).tolist() == [False] * 3
    assert robot.valid_path(np.zeros((2, 0))).free
    assert robot.poses(np.zeros((2, 0))).shape == (2, 2, 4, 4)
