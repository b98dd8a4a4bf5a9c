"""Robots: kinematics, self clearance, trajectories, gradients, URDF."""

import copy
import pickle
import re
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from arm import arm, configurations

from clearance.dim3 import Shape, distance
from clearance.robot import Joint, Link, Robot

ARM = arm()


def test_poses_are_those_of_the_joints_in_turn():
    swing = Robot(
        [Link("base"), Link("slide"), Link("tip", Shape.ball(0.1))],
        [
            Joint("lift", "base", "slide", kind="prismatic", axis=(0, 0, 2), limits=(0, 3)),
            Joint("turn", "slide", "tip", axis=(0, 1, 0), origin=[[1, 0, 0, 1], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]),
        ],
    )
    assert swing.moving == ["lift", "turn"]
    pose = swing.poses([[2.0, np.pi / 2]])[0, 2]
    assert np.allclose(pose, [[0, 0, 1, 1], [0, 1, 0, 0], [-1, 0, 0, 2], [0, 0, 0, 1]])


def at(x, y, z):
    place = np.eye(4)
    place[:3, 3] = x, y, z
    return place


def test_joints_that_follow_move_by_their_factor_and_offset():
    grip = Robot(
        [Link("palm"), Link("left"), Link("right", Shape.ball(0.1)), Link("tip")],
        [
            Joint("close", "palm", "left", kind="prismatic", axis=(1, 0, 0)),
            Joint("mirror", "palm", "right", kind="prismatic", axis=(1, 0, 0), follows="close", factor=-2.0, offset=0.5),
            Joint("curl", "left", "tip", axis=(0, 0, 1), follows="close", factor=3.0, offset=-1.0),
        ],
    )
    assert grip.moving == ["close"]
    poses = grip.poses([[0.25], [-1.0]])
    assert poses[:, 1, 0, 3].tolist() == [0.25, -1.0]
    assert poses[:, 2, 0, 3].tolist() == [0.0, 2.5]
    assert np.allclose(np.arctan2(poses[:, 3, 1, 0], poses[:, 3, 0, 0]), [-0.25, 2 * np.pi - 4.0])


def two_arms(order=(0, 1, 2, 3)):
    """A torso with two arms of two links, its joints in an order."""
    links = [Link("torso", Shape.ball(0.2))]
    joints = []
    for side, y in (("left", 0.5), ("right", -0.5)):
        links += [Link(f"{side}1", Shape.ball(0.1)), Link(f"{side}2", Shape.ball(0.1))]
        joints.append(Joint(f"{side}1", "torso", f"{side}1", axis=(0, 0, 1), origin=at(0, y, 0)))
        joints.append(Joint(f"{side}2", f"{side}1", f"{side}2", kind="prismatic", axis=(1, 0, 0), origin=at(0.5, 0, 0)))
    return Robot(links, [joints[k] for k in order])


def test_numbers_of_a_configuration_are_in_the_order_of_the_joints():
    robot = two_arms()
    assert robot.moving == ["left1", "left2", "right1", "right2"]
    other = two_arms((3, 2, 0, 1))
    assert other.moving == ["right2", "right1", "left1", "left2"]
    given = np.array([[0.1, 0.2, 0.3, 0.4], [1.0, 0.5, -2.0, 0.25]])
    assert np.array_equal(other.poses(given[:, [3, 2, 0, 1]]), robot.poses(given))


def test_gradients_reach_through_joints_that_follow():
    robot = two_arms()
    following = {"right1": {"follows": "left1", "factor": -0.5, "offset": 0.3}}
    robot = Robot(robot.links, [replace(joint, **following.get(joint.name, {})) for joint in robot.joints])
    given = np.random.default_rng(2).uniform(-0.4, 0.4, (40, 3)) + [-0.8, 0, 0]
    at_them, step, tested = robot.self_clearance(given), 1e-3, 0
    gradient = robot.gradient(given)
    for joint in range(3):
        moved = step * np.eye(3)[joint]
        after, before = (robot.self_clearance(given + sign * moved) for sign in (1, -1))
        same = (after.pair == at_them.pair) & (before.pair == at_them.pair)
        difference = (after.distance - before.distance) / (2 * step)
        assert np.abs(difference - gradient[:, joint])[same].max() < 2e-3
        tested += (same & (np.abs(difference) > 0.01)).sum()
    assert tested > 40


def test_self_clearance_is_the_least_of_all_pairs():
    given = configurations(300)
    found = ARM.self_clearance(given)
    every = ARM.link_distances(given)
    assert np.array_equal(found.distance, every.distance.min(axis=1))
    assert (found.lower <= found.distance).all()
    assert (found.distance <= found.upper).all()
    assert (found.upper - found.lower < 1e-3).all()
    poses = ARM.poses(given)
    a, b = ARM.pairs[found.pair[17]]
    alone = distance(ARM.links[a].shape, ARM.links[b].shape, poses[17, a], poses[17, b])
    assert alone.distance == found.distance[17]
    assert found.names[17] == (f"link{a}", f"link{b}")
    assert repr(ARM) == f"<Robot: 8 links, 7 joints that move, {len(ARM.pairs)} pairs>"
    assert found.nearest.point_a[17].tolist() == alone.point_a.tolist()


def test_gradients_agree_with_differences():
    given = configurations(60)
    at = ARM.self_clearance(given)
    gradient, step, tested = ARM.gradient(given, at), 1e-3, 0
    for joint in range(7):
        moved = np.zeros(7)
        moved[joint] = step
        after, before = (ARM.self_clearance(given + sign * moved) for sign in (1, -1))
        same = (after.pair == at.pair) & (before.pair == at.pair) & (np.abs(at.distance) > 0.02)
        bent = np.abs(after.distance + before.distance - 2 * at.distance)
        smooth = same & (bent < 1e-5)
        difference = (after.distance - before.distance) / (2 * step)
        assert np.abs(difference - gradient[:, joint])[smooth].max() < 2e-3
        tested += smooth.sum()
    assert tested > 200


def free_waypoints():
    given = configurations(4000, seed=5) * 0.7
    return given[ARM.self_clearance(given).distance > 0.12]


def test_trajectories_are_proven():
    waypoints = free_waypoints()
    complete = 0
    for first in range(0, 24, 2):
        found = ARM.trajectory_clearance(waypoints[first : first + 2], tolerance=2e-3)
        part = np.linspace(0.0, 1.0, 2001)[:, None]
        dense = waypoints[first] * (1 - part) + waypoints[first + 1] * part
        least = ARM.self_clearance(dense).distance.min()
        assert found.lower <= least + 1e-6
        if found.lower == -np.inf:
            assert found.upper <= 0.0
            assert not found.complete
            continue
        assert found.complete
        assert found.upper - found.lower <= 2e-3
        assert found.upper <= least + 2e-3
        at = waypoints[first] * (1 - found.time) + waypoints[first + 1] * found.time
        assert np.isclose(ARM.self_clearance(at).distance[0], found.upper, atol=1e-5)
        complete += 1
    assert complete > 3


def test_short_searches_have_bounds_that_hold():
    waypoints = free_waypoints()[:2]
    rough, fine = (ARM.trajectory_clearance(waypoints, tolerance=1e-3, most=most) for most in (100, 10**6))
    assert not rough.complete
    assert rough.lower <= fine.lower <= fine.upper <= rough.upper
    alone = ARM.trajectory_clearance(waypoints[:1])
    assert np.isclose(alone.upper, ARM.self_clearance(waypoints[:1]).distance[0], atol=1e-5)
    assert alone.complete
    assert not ARM.trajectory_clearance(waypoints[:1], tolerance=1e-12).complete


def test_tolerances_that_rounding_does_not_allow_end_soon():
    found = two_arms().trajectory_clearance([[-0.2, 0.1, 0.3, 0.4], [-0.9, 0.9, 0.6, 0.1]], tolerance=1e-12)
    assert not found.complete
    assert 0.0 < found.upper - found.lower < 1e-5
    assert found.measured < 50_000


@pytest.mark.parametrize(
    ("turn", "factor", "offset"), [(100.0, 1.0, 0.0), (-20.0, -4.0, 20.0), (0.0, 1.0, 100.0), (1.0, 100.0, 0.0)]
)
def test_proofs_do_not_rest_on_limits(turn, factor, offset):
    # A hand on a slide that copies a joint far beyond that one's limits: it comes near the base in the middle of the way only.
    robot = Robot(
        [Link("base", Shape.ball(0.2).translated([0, 0, 0.55])), Link("arm"), Link("wheel"), Link("hand", Shape.ball(0.3))],
        [
            Joint("swing", "base", "arm", axis=(0, 0, 1), origin=at(-100, 0, 0)),
            Joint("turn", "base", "wheel", axis=(0, 0, 1)),
            Joint("out", "arm", "hand", kind="prismatic", axis=(1, 0, 0), follows="turn", factor=factor, offset=offset),
        ],
    )
    found = robot.trajectory_clearance([[-1.0, turn], [1.1, turn]])
    assert found.complete
    assert found.lower <= 0.05 <= found.upper
    assert found.upper - found.lower <= 1e-3


def follower():
    """A hand that swings on a slide which copies a joint that turns."""
    return Robot(
        [
            Link("base", Shape.ball(0.2)),
            Link("arm"),
            Link("wheel"),
            Link("slide"),
            Link("hand", Shape.ball(0.3).translated([1, 0, 0])),
        ],
        [
            Joint("swing", "base", "arm", axis=(0, 0, 1)),
            Joint("turn", "base", "wheel", axis=(0, 0, 1)),
            Joint("out", "arm", "slide", kind="prismatic", axis=(1, 0, 0), follows="turn", factor=-3.0, offset=2.0),
            Joint("bend", "slide", "hand", axis=(0, 1, 0)),
        ],
    )


def any_robot(random):
    """A robot of five links in any tree, with joints of any kind, some of which copy the first."""
    links, joints = [Link("0", Shape.ball(0.3))], []
    for k in range(1, 5):
        links.append(Link(f"{k}", Shape.cuboid(random.uniform(0.05, 0.3, 3)).rounded(0.05)))
        kind = ("revolute", "prismatic", "fixed")[random.choice(3, p=(0.45, 0.45, 0.1)) if k > 1 else random.integers(2)]
        follows = "1" if k > 1 and random.random() < 0.4 and kind != "fixed" else None
        factor, offset = random.uniform(-2, 2, 2) if follows else (1.0, 0.0)
        place = at(*random.uniform(-1, 1, 3))
        parent = f"{random.integers(k)}"
        joints.append(Joint(f"{k}", parent, f"{k}", kind, place, random.normal(size=3), (-0.1, 0.1), follows, factor, offset))
    return Robot(links, joints)


def test_trajectories_of_any_robot_are_proven():
    random, proven = np.random.default_rng(8), 0
    for _ in range(150):
        robot = any_robot(random)
        if not len(robot.pairs):
            continue
        ends = random.uniform(-3, 3, (2, len(robot.moving)))
        found = robot.trajectory_clearance(ends, tolerance=1e-2, most=20_000)
        least = float(robot.self_clearance(np.linspace(*ends, 1001)).distance.min())
        assert found.lower <= least
        if found.complete:
            assert found.upper <= least + 1e-2
            proven += 1
    assert proven > 30


def test_rates_hold_for_robots_that_follow():
    robot, random = follower(), np.random.default_rng(4)
    for _ in range(20):
        ends = random.uniform(-5, 5, (2, 3))
        way = np.linspace(*ends, 501)
        distances = robot.link_distances(way).distance.astype(float)
        most = np.abs(np.diff(ends, axis=0)) @ robot._rates(robot._sizes(ends).max(axis=0, keepdims=True))[0].T
        assert (np.abs(np.diff(distances, axis=0)) <= most / 500 + 1e-4).all()


def test_floors_are_roots():
    place = at(0, 1.0, 0)
    joints = [
        Joint("lift", "floor", "body", kind="prismatic", axis=(0, 1, 0), origin=place),
        Joint("turn", "body", "hand", origin=place),
    ]
    floor, body = Link("floor", Shape.half_space([0, 1, 0])), Link("body", Shape.ball(0.25))
    robot = Robot([floor, body, Link("hand", Shape.ball(0.5).translated([0, 0.75, 0]))], joints)
    assert robot.pairs.tolist() == [[0, 2]]
    found = robot.self_clearance([[0.0, 0.0], [0.5, np.pi]])
    assert np.allclose(found.distance, [2.25, 1.25])
    assert (found.upper - found.lower < 1e-5).all()
    way = robot.trajectory_clearance([[0.0, 0.0], [0.5, np.pi]])
    assert way.complete
    least = robot.self_clearance(np.linspace([0.0, 0.0], [0.5, np.pi], 10_001)).distance.min()
    assert way.lower <= least <= way.lower + 2e-3
    assert way.measured < 1000
    with pytest.raises(ValueError, match="link 'hand': its shape has no end"):
        Robot([Link("floor"), body, Link("hand", floor.shape)], joints)


def test_rates_bound_how_fast_links_come_nearer():
    given = configurations(50)
    rates = ARM._rates(ARM._sizes(given).max(axis=0, keepdims=True))[0]
    before = ARM.link_distances(given).distance.astype(float)
    for joint in range(7):
        after = ARM.link_distances(given + 0.05 * np.eye(7)[joint]).distance
        assert (np.abs(after - before) <= 0.05 * rates[:, joint] + 1e-5).all()


def limited(*limits):
    return Robot([Link("a"), Link("b")], [Joint("j", "a", "b", limits=limits)])


def gripper(*follows, own=(-1, 1), **moves):
    """Fingers that follow the joint "j", which has limits of its own: each with a factor, an offset and its own limits, if any."""
    fingers = [Joint(f"k{n}", "b", f"c{n}", limits=limits or Joint.limits, follows="j", factor=factor, offset=offset, **moves) for n, (factor, offset, *limits) in enumerate(follows)]
    links = [Link(name) for name in ["a", "b", *(finger.child for finger in fingers)]]
    return Robot(links, [Joint("j", "a", "b", limits=own), *fingers])


NONE = (-np.inf, np.inf)


@pytest.mark.parametrize(
    ("robot", "least", "most"),
    [
        # Followers that were given no limits, in two ways, and one that does not move, restrict nothing.
        (gripper((2, 0), (1, 50), own=(-3, 3)), -3, 3),
        (gripper((2, 0, *NONE), (0, 50, *NONE), own=(-3, 3)), -3, 3),
        (gripper((1, 0, 7, 8), (1, 0, 3, -3), kind="fixed"), -1, 1),
        # Where the one that they follow has none, theirs are all that counts.
        (gripper((1, 0, 4, 6), own=NONE), 4, 6),
        (gripper((-0.5, 1, -2, 0), (1, 0, 3, 50), own=NONE), 3, 6),
        (gripper((2, 0), own=NONE), -np.pi, np.pi),
    ],
)
def test_random_configurations_are_restricted_by_given_limits_alone(robot, least, most):
    values = robot.random_configurations(1000)[:, 0]
    width = most - least
    assert least <= values.min() < least + 0.02 * width and most - 0.02 * width < values.max() <= most


def test_random_configurations_keep_the_limits_of_joints_that_follow():
    rng = np.random.default_rng(5)
    for _ in range(50):
        factors, offsets = rng.uniform(-3, 3, 2), rng.uniform(-1, 1, 2)
        # Limits around where the joint is at 0.25, so that there is something in common.
        ends = [(factor * 0.25 + offset - rng.uniform(0, 1), factor * 0.25 + offset + rng.uniform(0, 1)) for factor, offset in zip(factors, offsets)]
        values = gripper(*((*both, *limits) for *both, limits in zip(factors, offsets, ends))).random_configurations(200)[:, 0]
        allowed = np.linspace(-1, 1, 10_001)

        def keeps(given):
            follows = [factor * given + offset for factor, offset in zip(factors, offsets)]
            return np.all([(number >= least - 1e-12) & (number <= most + 1e-12) for number, (least, most) in zip(follows, ends)], axis=0)

        assert np.abs(values).max() <= 1 and keeps(values).all()
        # Whatever is allowed may come.
        assert np.ptp(values) > 0.9 * np.ptp(allowed[keeps(allowed)])
    assert gripper((1, 0, -np.inf, np.inf), (0, 5, 4, 6)).random_configurations(1000).max() > 0.9


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda robot: pickle.loads(pickle.dumps(robot))])
def test_robots_come_back_from_copies_and_pickles(again):
    robot = arm().with_body("cup", Shape.ball(0.1), [0, 0, 0.2], on="link7", touching=["link6"]).allowing([("link0", "link4")])
    other, given = again(robot), configurations(40)
    assert type(other) is Robot
    assert (other.moving, other.pairs.tolist()) == (robot.moving, robot.pairs.tolist())
    assert np.array_equal(other.poses(given), robot.poses(given))
    assert np.array_equal(other.self_clearance(given).nearest.rows, robot.self_clearance(given).nearest.rows)
    assert np.array_equal(other.without("cup").in_collision(given), robot.without("cup").in_collision(given))


REFUSED = [
    (lambda: Robot([Link("a"), Link("a")], []), "links: two have the same name, 'a'"),
    (
        lambda: Robot([Link("a"), Link("b"), Link("c")], [Joint("j", "a", "b"), Joint("j", "b", "c")]),
        "joints: two have the same name, 'j'",
    ),
    (lambda: Robot([Link("a")], [Joint("j", "a", "b")]), "joint 'j': there is no link 'b'"),
    (lambda: Robot([Link("a"), Link("b")], []), r"joints: the links that are no joint's child are \['a', 'b'\], must be one"),
    (
        lambda: Robot([Link("a"), Link("b")], [Joint("j", "a", "b"), Joint("k", "a", "b")]),
        "joint 'k': its child 'b' is that of 'j', too, must be of one joint",
    ),
    (lambda: Robot([Link("a"), Link("b")], [Joint("j", "a", "b")], allowed=[5]), "allowed: has 5, must be pairs of names of links"),
    (lambda: Robot([Link("a"), Link("b")], [Joint("j", "a", "b")], allowed=["ab"]), "allowed: has 'ab', must be pairs of names of links"),
    (lambda: ARM.random_configurations(-1), "count: is -1"),
    (lambda: Robot([Link("a"), Link("b")], [Joint("j", "a", "b")]).self_clearance([0]), "robot: has no pair of links that counts"),
    (lambda: Robot([Link("a"), Link("b")], [Joint("j", "a", "b", kind="ball")]), "kind is 'ball'"),
    (lambda: Robot([Link("a"), Link("b")], [Joint("j", "a", "b", axis=(0, 0, 0))]), "axis"),
    (lambda: Robot([Link("a"), Link("b")], [Joint("j", "a", "b", origin=2 * np.eye(4))]), "only turn and move"),
    (lambda: Robot([Link("a"), Link("b")], [Joint("j", "a", "b", follows="k")]), "follows 'k', must be one that moves by itself"),
    (lambda: Robot([Link("a")], [], allowed=[("a", "b")]), "allowed: there is no link 'b'"),
    (lambda: Robot([Link("a"), Link("b")], [Joint("j", "a", "b", factor=np.nan)]), "joint 'j': factor is nan, must be finite"),
    (lambda: Robot([Link("a"), Link("b")], [Joint("j", "a", "b", offset=np.inf)]), "joint 'j': offset is inf, must be finite"),
    (lambda: limited(0.0, np.inf).random_configurations(3), "joint 'j': limits are from 0.0 to inf"),
    (lambda: limited(-np.inf, 1.0).random_configurations(3), "joint 'j': limits are from -inf to 1.0"),
    (lambda: limited(2.0, 1.0).random_configurations(3), "joint 'j': limits are from 2.0 to 1.0"),
    (lambda: limited(np.nan, 1.0).random_configurations(3), "joint 'j': limits are from nan to 1.0"),
    (lambda: gripper((1, 0, 2, 3)).random_configurations(3), "joint 'k0': limits are from 2 to 3, must be reached somewhere within those of 'j'"),
    (lambda: gripper((0, 5, 2, 3)).random_configurations(3), "joint 'k0': limits are from 2 to 3"),
    (lambda: gripper((1, 0, 0.5, -0.5)).random_configurations(3), "joint 'k0': limits are from 0.5 to -0.5, must both be finite or both infinite, the"),
    (lambda: gripper((1, 0, np.nan, 0.5)).random_configurations(3), "joint 'k0': limits are from nan to 0.5, must both be finite or both infinite, the"),
    (lambda: gripper((0, 0, -1, np.nan)).random_configurations(3), "joint 'k0': limits are from -1 to nan, must both be finite or both infinite, the"),
    (lambda: limited(np.inf, -np.inf).random_configurations(3), "joint 'j': limits are from inf to -inf"),
    (lambda: gripper((1e-320, 0, 0, 1), own=(-np.inf, np.inf)).random_configurations(3), "joint 'j': limits are from 0.0 to inf"),
    (lambda: ARM.poses(np.zeros((2, 6))), r"must be \(N, 7\)"),
    (lambda: ARM.self_clearance([[0, 0, np.nan, 0, 0, 0, 0]]), r"configurations\[0\]: joint2 is nan"),
    (lambda: ARM.trajectory_clearance(np.zeros((0, 7))), "waypoints"),
    (lambda: ARM.gradient(np.zeros((3, 7)), ARM.self_clearance(np.zeros((2, 7)))), "clearance: has 2 rows, must have 3"),
    (lambda: ARM.gradient(np.zeros((1, 7)), ARM.self_clearance(np.zeros((2, 7)))), "clearance: has 2 rows, must have 1"),
    (lambda: ARM.trajectory_clearance(np.zeros((2, 7)), tolerance=0), "tolerance: is 0"),
]


@pytest.mark.parametrize(("make", "message"), REFUSED, ids=[message for _, message in REFUSED])
def test_refusals_name_what_is_wrong(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_what_is_no_shape_is_refused_with_its_link():
    with pytest.raises(TypeError, match="link 'a': shape is str, must be a Shape of clearance.dim3, or None"):
        Robot([Link("a", "ball")], [])


@pytest.mark.parametrize("seed", range(30))
def test_pairs_and_rates_are_those_of_the_chains(seed):
    random = np.random.default_rng(seed)
    links = [Link(f"{k}", Shape.ball(0.1 + 0.1 * k) if random.random() < 0.8 else None) for k in range(9)]
    joints, parents = [], {}
    for k in range(1, 9):
        parents[k], origin = int(random.integers(k)), np.eye(4)
        origin[:3, 3] = random.normal(size=3)
        kind = random.choice(["revolute", "prismatic", "fixed"])
        joints.append(Joint(f"j{k}", f"{parents[k]}", f"{k}", kind=kind, origin=origin, factor=random.uniform(-2, 2)))
    robot = Robot(links, joints, allowed=[("3", "5")])
    pairs, rates = [], []
    size = random.uniform(0.0, 2.0, (1, 8))
    for a, b in combinations([k for k in range(9) if links[k].shape], 2):
        row, columns = np.zeros(len(robot.moving)), 0
        for link, other in ((a, b), (b, a)):
            lever, at = links[link].shape.bounding_radius if link else 0.0, link
            while not is_above(parents, at, other):
                joint = joints[at - 1]
                if joint.kind != "fixed":
                    columns += 1
                    row[robot.moving.index(joint.name)] += abs(joint.factor) * (1.0 if joint.kind == "prismatic" else lever)
                lever += np.linalg.norm(joint.origin[:3, 3]) + (size[0, at - 1] if joint.kind == "prismatic" else 0.0)
                at = parents[at]
        if columns and (a, b) != (3, 5) and parents.get(a) != b and parents.get(b) != a:
            pairs.append([a, b])
            rates.append(row)
    assert robot.pairs.tolist() == pairs
    order = [int(joint.name[1:]) - 1 for joint in robot.joints]
    assert np.allclose(robot._rates(size[:, order])[0], np.reshape(rates, (len(pairs), len(robot.moving))), rtol=1e-6)


def is_above(parents, link, other):
    """Whether a link is another one, or is above it."""
    while other != link and other:
        other = parents[other]
    return other == link


def test_empty_and_single_configurations():
    assert ARM.self_clearance(np.zeros((0, 7))).distance.shape == (0,)
    assert ARM.self_clearance(np.zeros(7)).distance.shape == (1,)
    assert ARM.gradient(np.zeros((0, 7))).shape == (0, 7)
    assert ARM.link_distances(np.zeros((0, 7))).rows.shape == (0, len(ARM.pairs))
    assert ARM.valid_path(np.empty((0, 2, 7))).status.shape == (0,)


@pytest.mark.parametrize("shape", [None, Shape.ball(1.0)])
def test_robots_without_pairs_have_no_distances(shape):
    robot = Robot([Link("a", shape), Link("b", shape)], [Joint("j", "a", "b")])
    assert robot.link_distances([[0.0], [1.0]]).rows.shape == (2, 0)
    assert robot.link_distances(np.zeros((0, 1))).rows.shape == (0, 0)
    assert robot.sample_pairs(10).share.shape == (0,)
    assert robot.valid_path(np.empty((0, 2, 1))).status.shape == (0,)


def test_many_configurations_are_answered_in_parts(monkeypatch):
    given = configurations(300)
    waypoints = free_waypoints()[:3]
    whole = ARM.self_clearance(given), ARM.gradient(given), ARM.link_distances(given), ARM.trajectory_clearance(waypoints)
    monkeypatch.setattr("clearance._tree._BATCH", 150)
    parts = ARM.self_clearance(given), ARM.gradient(given), ARM.link_distances(given), ARM.trajectory_clearance(waypoints)
    for name in ("distance", "lower", "upper", "pair"):
        assert np.array_equal(getattr(parts[0], name), getattr(whole[0], name))
    assert np.array_equal(parts[0].nearest.rows, whole[0].nearest.rows)
    assert np.array_equal(parts[1], whole[1])
    assert np.array_equal(parts[2].rows, whole[2].rows)
    assert parts[3] == whole[3]


def test_joints_can_be_compared_and_kept_in_sets():
    one, other = Joint("j", "a", "b"), Joint("j", "a", "b")
    assert one == one
    assert one != other
    assert len({one, other, one}) == 2


URDF = """<robot name="two">
  <link name="base"><collision><geometry><box size="0.4 0.4 0.2"/></geometry></collision></link>
  <link name="pole"><collision><origin xyz="0 0 0.5"/><geometry><cylinder length="1" radius="0.05"/></geometry></collision></link>
  <link name="hand">
    <collision><origin xyz="0 0 0.1" rpy="0 0 1.5707963267948966"/><geometry><mesh filename="hand.stl" scale="0.001 0.001 0.001"/></geometry></collision>
    <collision><geometry><sphere radius="0.06"/></geometry></collision>
  </link>
  <joint name="tilt" type="revolute"><parent link="base"/><child link="pole"/><origin xyz="0 0 0.15"/><axis xyz="0 1 0"/>
    <limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
  <joint name="reach" type="prismatic"><parent link="pole"/><child link="hand"/><origin xyz="0 0 1.1"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="0.5" effort="1" velocity="1"/></joint>
</robot>"""


def test_urdf_files_are_read(tmp_path):
    pytest.importorskip("yourdfpy")
    trimesh = pytest.importorskip("trimesh")
    trimesh.creation.box([200, 20, 100]).export(tmp_path / "hand.stl")
    (tmp_path / "two.urdf").write_text(URDF)
    robot = Robot.from_urdf(tmp_path / "two.urdf", hulls=True)
    assert robot.moving == ["tilt", "reach"]
    assert robot.pairs.tolist() == [[0, 2]]
    # The hand's box goes 0.05 down from 0.1 above its origin, but its ball goes 0.06 down: 1.25 - 0.06 - 0.1 above the base.
    assert np.isclose(robot.self_clearance([0, 0]).distance[0], 1.25 - 0.06 - 0.1, atol=1e-5)
    assert np.isclose(robot.links[2].shape.bounds()[1, 1], 0.1, atol=1e-6)
    moving = robot.trajectory_clearance([[0, 0], [1, -0.5]], tolerance=1e-3)
    assert moving.complete
    assert 0 < moving.lower <= moving.upper
    # Beyond the limits, which proofs do not rest on.
    assert robot.trajectory_clearance([[0, 2.0]]).complete


def test_closed_meshes_of_urdf_have_an_inside(tmp_path):
    pytest.importorskip("yourdfpy")
    trimesh = pytest.importorskip("trimesh")
    box = trimesh.creation.box([2, 2, 2])
    box.export(tmp_path / "closed.stl")
    trimesh.Trimesh(box.vertices, box.faces[2:], process=False).export(tmp_path / "open.stl")
    text = """<robot name="r">
      <link name="base"><collision><geometry><mesh filename="NAME.stl"/></geometry></collision></link><link name="arm"/>
      <link name="hand"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
      <joint name="a" type="continuous"><parent link="base"/><child link="arm"/></joint>
      <joint name="b" type="continuous"><parent link="arm"/><child link="hand"/></joint></robot>"""
    for name, clear in (("closed", False), ("open", True)):
        (tmp_path / "r.urdf").write_text(text.replace("NAME", name))
        found = Robot.from_urdf(tmp_path / "r.urdf").trajectory_clearance([[0, 0], [1, 1]])
        assert (found.lower > 0.0) == clear


def test_columns_are_those_of_yourdfpy(tmp_path):
    yourdfpy = pytest.importorskip("yourdfpy")
    arm_of = """<link name="{0}1"/><link name="{0}2"/>
      <joint name="{0}1" type="continuous"><parent link="torso"/><child link="{0}1"/></joint>
      <joint name="{0}2" type="continuous"><parent link="{0}1"/><child link="{0}2"/></joint>"""
    text = f'<robot name="r"><link name="torso"/>{arm_of.format("left")}{arm_of.format("right")}</robot>'
    (tmp_path / "r.urdf").write_text(text)
    assert Robot.from_urdf(tmp_path / "r.urdf").moving == yourdfpy.URDF.load(tmp_path / "r.urdf").actuated_joint_names


@pytest.mark.parametrize(
    ("tag", "whole", "attribute"),
    [
        ("robot", '<robot name="r">', "name"),
        ("link", '<link name="a"/>', "name"),
        ("joint", '<joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint>', "name"),
        ("child", '<child link="b"/>', "link"),
        ("mesh", '<mesh filename="m.stl"/>', "filename"),
    ],
)
def test_urdf_without_an_attribute_says_where(tmp_path, tag, whole, attribute):
    pytest.importorskip("yourdfpy")
    text = """<robot name="r">
      <link name="b"><collision><geometry><mesh filename="m.stl"/></geometry></collision></link>
      <link name="a"/>
      <joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint></robot>"""
    assert whole in text
    line = text[: text.index(whole)].count("\n") + 1
    (tmp_path / "r.urdf").write_text(text.replace(whole, re.sub(f' {attribute}="[^"]*"', "", whole, count=1)))
    with pytest.raises(ValueError, match=rf"r.urdf, line {line}: <{tag}> has no attribute '{attribute}'"):
        Robot.from_urdf(tmp_path / "r.urdf")
