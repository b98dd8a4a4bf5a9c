"""Robots: kinematics, self clearance, trajectories, gradients, URDF."""

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


def test_rates_bound_how_fast_links_come_nearer():
    rates = ARM._rates()
    given = configurations(50)
    before = ARM.link_distances(given).distance.astype(float)
    for joint in range(7):
        after = ARM.link_distances(given + 0.05 * np.eye(7)[joint]).distance
        assert (np.abs(after - before) <= 0.05 * rates[:, joint] + 1e-5).all()


REFUSED = [
    (lambda: Robot([Link("a"), Link("a")], []), "same name"),
    (lambda: Robot([Link("a")], [Joint("j", "a", "b")]), "joint 'j': there is no link 'b'"),
    (lambda: Robot([Link("a"), Link("b")], []), "one tree"),
    (lambda: Robot([Link("a"), Link("b")], [Joint("j", "a", "b", kind="ball")]), "kind is 'ball'"),
    (lambda: Robot([Link("a"), Link("b")], [Joint("j", "a", "b", axis=(0, 0, 0))]), "axis"),
    (lambda: Robot([Link("a"), Link("b")], [Joint("j", "a", "b", origin=2 * np.eye(4))]), "only turn and move"),
    (lambda: Robot([Link("a"), Link("b")], [Joint("j", "a", "b", follows="k")]), "follows 'k'"),
    (lambda: Robot([Link("a")], [], allowed=[("a", "b")]), "allowed: there is no link 'b'"),
    (lambda: ARM.poses(np.zeros((2, 6))), r"must be \(N, 7\)"),
    (lambda: ARM.self_clearance([[0, 0, np.nan, 0, 0, 0, 0]]), r"configurations\[0\]: joint2 is nan"),
    (lambda: ARM.trajectory_clearance(np.zeros((0, 7))), "waypoints"),
    (lambda: ARM.trajectory_clearance(np.zeros((2, 7)), tolerance=0), "tolerance: is 0"),
]


@pytest.mark.parametrize(("make", "message"), REFUSED, ids=[message for _, message in REFUSED])
def test_refusals_name_what_is_wrong(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_empty_and_single_configurations():
    assert ARM.self_clearance(np.zeros((0, 7))).distance.shape == (0,)
    assert ARM.self_clearance(np.zeros(7)).distance.shape == (1,)


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
    with pytest.raises(ValueError, match=r"waypoints\[0\]: reach is 2.0, must be from -1.0 to 0.5"):
        robot.trajectory_clearance([[0, 2.0]])
