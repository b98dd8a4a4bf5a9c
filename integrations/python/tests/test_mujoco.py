"""Scenes of MuJoCo: who may meet beside its contacts, shapes beside its rays and distances, and distances that it gets wrong."""

import numpy as np
import pytest

mujoco = pytest.importorskip("mujoco")

from hulls import Hulls

from clearance.dim3 import cast_rays
from clearance.mujoco import Scene
from clearance.robot import Robot

KINDS = """<mujoco>
  <asset>
    <mesh name="tent" vertex="0 0 0 1 0 0 0 1 0 0 0 1 0.9 0.8 0.7"/>
    <hfield name="hills" nrow="4" ncol="6" size="2 1.5 0.7 0.3" elevation="0 1 2 1 0 1 3 0 1 4 1 2 0 2 5 1 0 1 1 0 2 1 3 0"/>
  </asset>
  <worldbody>
    <geom type="plane" size="1 1 1" pos="0 0 -1" euler="5 0 0"/><geom type="hfield" hfield="hills" pos="0 0 -0.3"/>
    <body><freejoint/><geom type="mesh" mesh="tent"/></body>
    <body><freejoint/><geom type="capsule" size="0.1 0.3"/></body>
    <body><freejoint/><geom type="ellipsoid" size="0.1 0.2 0.3"/></body>
    <body><freejoint/><geom type="cylinder" size="0.2 0.1"/></body>
    <body><freejoint/><geom type="box" size="0.1 0.2 0.3" pos="0.1 0 0" euler="30 0 0"/></body>
    <body><freejoint/><geom type="sphere" size="0.2"/></body>
  </worldbody>
</mujoco>"""


def free_poses(random, count, bodies, spread):
    given = np.concatenate([random.uniform(-spread, spread, (count, bodies, 3)), random.normal(size=(count, bodies, 4))], axis=2)
    given[:, :, 3:] /= np.linalg.norm(given[:, :, 3:], axis=2, keepdims=True)
    return given.reshape(count, -1)


def test_shapes_are_where_rays_of_mujoco_hit_them():
    model = mujoco.MjModel.from_xml_string(KINDS)
    data, scene, random = mujoco.MjData(model), Scene(model), np.random.default_rng(1)
    data.qpos[:] = free_poses(random, 1, 6, 0.5)[0]
    mujoco.mj_forward(model, data)
    poses, hits = scene.poses(data)[0], 0
    for geom, shape in enumerate(scene.shapes):
        target = data.geom_xpos[geom] + random.uniform(-0.3, 0.3, (150, 3))
        origins = target + 4 * np.array([0.3, 0.2, 1]) + random.normal(size=(150, 3))
        directions = (target - origins) / np.linalg.norm(target - origins, axis=1, keepdims=True)
        ours = cast_rays(shape, origins, directions, poses[geom]).distance
        if model.geom_type[geom] == 0:
            # The rays of MuJoCo hit planes as large as they are drawn.
            normal = data.geom_xmat[geom].reshape(3, 3)[:, 2]
            theirs = (data.geom_xpos[geom] - origins) @ normal / (directions @ normal)
        else:
            others = np.zeros(3)
            theirs = []
            for origin, direction in zip(origins, directions):
                ask = {1: mujoco.mj_rayHfield, 7: mujoco.mj_rayMesh}.get(int(model.geom_type[geom]))
                args = (model, data, geom, origin, direction, others) if ask else ()
                rotation = data.geom_xmat[geom]
                place = (data.geom_xpos[geom], rotation, model.geom_size[geom], origin, direction)
                found = ask(*args) if ask else mujoco.mju_rayGeom(*place, model.geom_type[geom], None)
                theirs.append(np.inf if found < 0 else found)
        assert np.isclose(ours, theirs, atol=2e-5, rtol=1e-5).mean() > 0.99
        hits += np.isfinite(theirs).sum()
    assert hits > 500


def random_body(random, depth, count):
    """A body with bodies in it, some of them welded, whose balls all overlap; ``count`` counts them."""
    bits = random.integers(4, size=(random.integers(3), 2))
    balls = "".join(f'<geom type="sphere" size="5" contype="{one}" conaffinity="{other}"/>' for one, other in bits)
    joint = "<joint/>" if random.random() < 0.6 else ""
    count[0] += 1
    name, inner = f"b{count[0]}", "".join(random_body(random, depth + 1, count) for _ in range(random.integers(3) if depth < 3 else 0))
    return f'<body name="{name}"><inertial mass="1" pos="0 0 0" diaginertia="1 1 1"/>{joint}{balls}{inner}</body>'


def test_pairs_are_those_of_which_mujoco_makes_contacts():
    random, seen = np.random.default_rng(2), 0
    for _ in range(150):
        count = [0]
        bodies = "".join(random_body(random, 0, count) for _ in range(3))
        a, b = random.choice(count[0], 2, replace=False) + 1
        flag = '<option><flag filterparent="disable"/></option>' if random.random() < 0.3 else ""
        model = mujoco.MjModel.from_xml_string(
            f'<mujoco>{flag}<worldbody><geom name="r" type="sphere" size="5"/><geom name="p" type="plane" size="1 1 1"/>{bodies}</worldbody>'
            f'<contact><exclude body1="b{a}" body2="b{b}"/><pair geom1="r" geom2="p"/></contact></mujoco>'
        )
        data, scene = mujoco.MjData(model), Scene(model)
        mujoco.mj_forward(model, data)
        found = {tuple(pair) for pair in np.sort(data.contact.geom[: data.ncon], axis=1).tolist()}
        assert {tuple(pair) for pair in scene.pairs.tolist()} == found
        beside = scene.contacts(data)
        assert beside.geoms.tolist() == scene.pairs.tolist()
        seen += len(found)
    assert seen > 1000


def test_contacts_stand_beside_distances():
    model = mujoco.MjModel.from_xml_string(KINDS)
    data, scene, off = mujoco.MjData(model), Scene(model), []
    for qpos in free_poses(np.random.default_rng(3), 60, 6, 0.6):
        data.qpos[:] = qpos
        mujoco.mj_forward(model, data)
        found = scene.contacts(data)
        assert np.array_equal(scene.distances(data).rows, scene.distances(qpos).rows[0])
        assert (found.near.distance[np.isfinite(found.mujoco)] < 1e-4).all()
        # Prisms of a height field are one contact each for MuJoCo, and no deeper than the least way out of the whole.
        is_whole = ~np.isin(model.geom_type[found.geoms], 1).any(axis=1)
        off += (found.mujoco - found.near.distance)[is_whole].tolist()
    assert len(off) > 150
    # Contacts of boxes and cylinders are not always along the shortest way out.
    assert (np.abs(off) < 1e-3).mean() > 0.8


def test_separated_meshes_have_their_distance():
    # Random hulls at random poses, as in reports of separated meshes whose distance is exactly 0.
    hulls = Hulls(seed=7, meshes=12)
    found = hulls.compare(4000)
    assert found.separated > 2000
    assert found.wrong == 0
    assert found.worst < 2e-6


def test_what_is_wrong_is_named():
    model = mujoco.MjModel.from_xml_string(KINDS)
    scene = Scene(model)
    with pytest.raises(ValueError, match="meshes: is 'box'"):
        Scene(model, meshes="box")
    with pytest.raises(ValueError, match=r"qpos: has shape \(1, 3\), must be \(N, 42\)"):
        scene.distances([1, 2, 3])
    with pytest.raises(ValueError, match=r"qpos\[1\]: number 4 is nan"):
        scene.poses(np.where(np.arange(84).reshape(2, 42) == 46, np.nan, 1.0))
    with pytest.raises(ValueError, match="pairs: name geoms from 0 to 8"):
        scene.distances(np.ones(42), pairs=[[0, 8]])


def test_scenes_without_geoms_have_no_distances():
    model = mujoco.MjModel.from_xml_string("<mujoco><worldbody/></mujoco>")
    scene = Scene(model)
    assert scene.distances(mujoco.MjData(model)).rows.shape == (0,)
    assert scene.distances(np.zeros((2, 0))).rows.shape == (2, 0)
    assert scene.contacts(mujoco.MjData(model)).geoms.shape == (0, 2)


def test_data_without_kinematics_are_refused():
    model = mujoco.MjModel.from_xml_string(KINDS)
    with pytest.raises(ValueError, match="data: does not say where geoms are yet"):
        Scene(model).distances(mujoco.MjData(model))


ARM = """<mujoco><compiler angle="radian"/><worldbody>
  <geom name="floor" type="plane" size="2 2 1" pos="0 0 -0.3"/>
  <geom name="post" type="cylinder" size="0.1 0.5" pos="0.9 0 0.2" euler="0.3 0 0"/>
  <body name="base" pos="0 0 0.1" euler="0 0 0.5"><geom type="box" size="0.1 0.1 0.1"/>
    <body name="upper" pos="0 0 0.2" quat="0.9 0.1 0.2 0.3">
      <joint name="turn" pos="0 0.05 0.02" axis="0 0 1" range="-2 2" limited="true" ref="0.25"/><joint name="lift" axis="0 1 0.2"/>
      <geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.05"/><geom type="sphere" size="0.3" contype="0" conaffinity="0"/>
      <body pos="0.45 0 0"><joint type="slide" axis="1 0 0"/><geom type="cylinder" size="0.04 0.1" euler="0 1.2 0"/>
        <body name="tool" pos="0.1 0 0.1"><joint name="roll" axis="1 0 0" pos="0.1 0 0"/><geom type="ellipsoid" size="0.05 0.1 0.05"/></body>
      </body></body></body></worldbody></mujoco>"""


def test_robots_are_where_mujoco_has_them_and_meet_what_it_lets_meet():
    model = mujoco.MjModel.from_xml_string(ARM)
    robot, scene = Robot.from_mujoco(model), Scene(model)
    assert robot.moving == ["turn", "lift", "joint 2", "roll"]
    given, data = np.random.default_rng(3).uniform(-1.5, 1.5, (400, 4)), mujoco.MjData(model)
    links = [robot._number[model.body(body).name or f"body {body}"] for body in range(model.nbody)]
    for qpos, poses in zip(given, robot.poses(given)):
        data.qpos[:] = qpos
        mujoco.mj_kinematics(model, data)
        assert np.allclose(poses[links, :3, 3], data.xpos, atol=1e-12)
        assert np.allclose(poses[links, :3, :3].reshape(-1, 9), data.xmat, atol=1e-12)
    least = scene.distances(given).distance.min(axis=1)
    assert np.allclose(robot.self_clearance(given).distance, least, atol=1e-5)
    meets = robot.in_collision(given)
    assert np.array_equal(meets, least <= 0.0) and 20 < meets.sum() < 380
    limits = [joint.limits for joint in robot._given if joint.name == "turn"]
    assert limits == [(-2.0, 2.0)]


def test_each_geom_meets_what_it_may_meet_although_others_of_its_body_may_not():
    random, seen = np.random.default_rng(5), 0
    for _ in range(12):

        def body(inner):
            bits, at = random.integers(4, size=(3, 2)), random.uniform(-0.3, 0.3, (3, 3))
            balls = "".join(
                f'<geom name="{random.integers(1 << 60)}" size="0.1" pos="{x} {y} {z}" contype="{one}" conaffinity="{other}"/>'
                for (one, other), (x, y, z) in zip(bits, at)
            )
            return f'<body pos="0.3 0 0"><inertial mass="1" pos="0 0 0" diaginertia="1 1 1"/><joint axis="0 0.6 0.8"/>{balls}{inner}</body>'

        tilted = '<body pos="0 0 -0.6" euler="20 0 0"><geom name="low" type="plane" size="1 1 1"/><geom type="box" size="0.1 0.1 0.1"/></body>'
        unmet = '<geom name="unmet" size="1" contype="0" conaffinity="0"/>'
        model = mujoco.MjModel.from_xml_string(f"<mujoco><worldbody>{unmet}{tilted}{body(body(body('')))}{body('')}</worldbody></mujoco>")
        robot, scene = Robot.from_mujoco(model), Scene(model)
        assert "world/unmet" not in [link.name for link in robot.links]
        given = random.uniform(-3, 3, (60, 4))
        expected = scene.distances(given).distance.min(axis=1, initial=np.inf)
        assert np.allclose(robot.self_clearance(given).distance, expected, atol=1e-5)
        seen += np.isfinite(expected).sum()
    assert seen > 300


def test_joints_that_turn_freely_are_refused_by_name():
    ball = '<mujoco><worldbody><body><joint name="wrist" type="ball"/><geom size="1"/></body></worldbody></mujoco>'
    with pytest.raises(ValueError, match="joint 'wrist': is a ball joint, must be a hinge or a slide"):
        Robot.from_mujoco(mujoco.MjModel.from_xml_string(ball))
