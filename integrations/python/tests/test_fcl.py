"""The facade of python-fcl, and trimesh's collision manager over it."""

import numpy as np
import pytest

from clearance import fcl


def placed(geometry, *position):
    return fcl.CollisionObject(geometry, fcl.Transform(position))


def test_primitives_are_those_of_fcl():
    # Each touches the ball at z = 3 from below: they are round about the z axis.
    ball = placed(fcl.Sphere(1.0), 0, 0, 3)
    shapes = [
        (fcl.Box(2, 4, 2), 1.0),
        (fcl.Cylinder(0.5, 3.0), 0.5),
        (fcl.Cone(0.5, 3.0), 0.5),
        (fcl.Capsule(0.5, 2.0), 0.5),
        (fcl.Ellipsoid(1, 1, 1.5), 0.5),
        (fcl.Sphere(0.5), 1.5),
        (fcl.Halfspace([0, 0, 1], 0.25), 1.75),
        (fcl.Halfspace([0, 0, 4], 1.0), 1.75),
        (fcl.Convex([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.5]]), 0.5),
        (fcl.TriangleP([-1, 0, 0], [1, -1, 0], [1, 1, 0]), 2.0),
    ]
    for shape, expected in shapes:
        result = fcl.DistanceResult()
        found = fcl.distance(placed(shape, 0, 0, 0), ball, fcl.DistanceRequest(True), result)
        assert np.isclose(found, expected, atol=1e-5), type(shape).__name__
        assert result.lower <= result.min_distance <= result.upper
        assert np.allclose(result.getNearestPoint2(), [0, 0, 2], atol=1e-2)


def test_overlaps_and_contacts():
    one, other = placed(fcl.Box(2, 2, 2), 0, 0, 0), placed(fcl.Box(2, 2, 2), 1.75, 0, 0)
    assert fcl.distance(one, other) == -1.0
    assert fcl.distance(one, other, fcl.DistanceRequest(enable_signed_distance=True)) == -0.25
    assert fcl.collide(one, other) == 1
    result = fcl.CollisionResult()
    assert fcl.collide(one, other, fcl.CollisionRequest(enable_contact=True), result) == 1
    assert result.isCollision()
    contact = result.getContacts()[0]
    assert (contact.o1, contact.penetration_depth) == (one.geom, 0.25)
    assert contact.normal.tolist() == [1, 0, 0]
    other.setTranslation([2.5, 0, 0])
    assert fcl.collide(one, other) == 0
    assert fcl.collide(one, other, fcl.CollisionRequest(security_margin=0.5)) == 1
    turned = fcl.Transform(np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]]), [3.5, 0, 0])
    long = fcl.CollisionObject(fcl.Box(2, 4, 2), turned)
    assert fcl.distance(one, long) == 0.5
    by_quaternion = fcl.Transform([np.sqrt(0.5), 0, 0, np.sqrt(0.5)], [3.5, 0, 0])
    assert np.allclose(by_quaternion.getRotation(), turned.getRotation())


def test_managers_ask_about_pairs_whose_boxes_are_near():
    balls = [placed(fcl.Sphere(0.5), x, 0, 0) for x in (0, 0.75, 4, 9)]
    manager = fcl.DynamicAABBTreeCollisionManager()
    manager.registerObjects(balls)
    manager.setup()
    data = fcl.CollisionData(fcl.CollisionRequest(num_max_contacts=9, enable_contact=True))
    manager.collide(data, fcl.defaultCollisionCallback)
    assert len(data.result.contacts) == 1
    manager.unregisterObject(balls[0])
    near = fcl.DistanceData()
    manager.distance(near, fcl.defaultDistanceCallback)
    assert near.result.min_distance == 2.25
    near = fcl.DistanceData()
    manager.distance(placed(fcl.Sphere(1.0), 11, 0, 0), near, fcl.defaultDistanceCallback)
    assert near.result.min_distance == 0.5
    assert manager.size() == 3


def test_managers_hand_over_their_own_object_first():
    member, query = placed(fcl.Box(2, 2, 2), 0, 0, 0), placed(fcl.Box(2, 2, 2), 1.75, 0, 0)
    manager, other = fcl.DynamicAABBTreeCollisionManager(), fcl.DynamicAABBTreeCollisionManager()
    manager.registerObject(member)
    other.registerObject(query)
    for against in (query, other):
        near = fcl.DistanceData()
        manager.distance(against, near, fcl.defaultDistanceCallback)
        assert (near.result.o1, near.result.o2) == (member.geom, query.geom)
        data = fcl.CollisionData(fcl.CollisionRequest(enable_contact=True))
        manager.collide(against, data, fcl.defaultCollisionCallback)
        contact = data.result.contacts[0]
        assert (contact.o1, contact.o2) == (member.geom, query.geom)
        assert contact.normal.tolist() == [1, 0, 0]


def test_requests_take_the_arguments_of_fcl_in_their_order():
    apart = placed(fcl.Sphere(1.0), 0, 0, 0), placed(fcl.Sphere(1.0), 2.5, 0, 0)
    request = fcl.CollisionRequest(4, True, 1, False, True, fcl.GJKSolverType.GST_INDEP)
    assert fcl.collide(*apart, request) == 0
    assert fcl.distance(*apart, fcl.DistanceRequest(True, True, fcl.GJKSolverType.GST_INDEP)) == 0.5
    with pytest.raises(ValueError, match="enable_cost: is True, must be False"):
        fcl.CollisionRequest(enable_cost=True)


def test_distances_of_overlaps_end_the_search():
    one = placed(fcl.Sphere(0.5), 0, 0, 0)
    assert fcl.defaultDistanceCallback(one, placed(fcl.Sphere(0.5), 0.75, 0, 0), fcl.DistanceData()) == (True, -1.0)
    assert fcl.defaultDistanceCallback(one, placed(fcl.Sphere(0.5), 5, 0, 0), fcl.DistanceData()) == (False, 4.0)


def test_quaternions_come_back():
    for given in ([0.5, 0.5, -0.5, 0.5], [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1], [0.1, -0.7, 0.1, 0.7]):
        transform = fcl.Transform(given, [1, 2, 3])
        found = transform.getQuatRotation()
        assert np.isclose(abs(found @ given), np.linalg.norm(given)), given
        body = fcl.CollisionObject(fcl.Sphere(1.0), fcl.Transform([4, 5, 6]))
        body.setQuatRotation(given)
        assert np.allclose(body.getRotation(), transform.getRotation())
        assert np.allclose(body.getQuatRotation(), found)
        assert body.getTranslation().tolist() == [4, 5, 6]
    transform.setRotation(np.eye(3))
    transform.setTranslation([7, 8, 9])
    assert transform.getQuatRotation().tolist() == [1, 0, 0, 0]
    assert transform.getTranslation().tolist() == [7, 8, 9]


def test_models_can_be_built_anew():
    model = fcl.BVHModel()
    model.beginModel()
    model.addTriangle([0, -1, -1], [0, 1, -1], [0, 0, 1])
    model.endModel()
    body, ball = fcl.CollisionObject(model), placed(fcl.Sphere(1.0), 3, 0, 0)
    manager = fcl.DynamicAABBTreeCollisionManager()
    manager.registerObjects([body, ball])
    assert fcl.distance(body, ball) == 2.0
    model.beginModel()
    for corner in ([1, -1, -1], [1, 1, -1], [1, 0, 1]):
        model.addVertex(*corner)
    model.addSubModel([[1.5, -1, -1], [1.5, 1, -1], [1.5, 0, 1]], [[0, 1, 2]])
    model.endModel()
    assert fcl.distance(body, ball) == 0.5
    near = fcl.DistanceData()
    manager.distance(near, fcl.defaultDistanceCallback)
    assert near.result.min_distance == 0.5
    assert np.allclose(body._box()[:, 0], 1.5)


def test_motions_meet():
    one, other = placed(fcl.Capsule(0.5, 2.0), 0, 0, 0), placed(fcl.Box(1, 1, 1), 4, 0, 0.75)
    result = fcl.ContinuousCollisionResult()
    time = fcl.continuousCollide(one, fcl.Transform([6, 0, 0]), other, fcl.Transform([4, 0, 0.75]), None, result)
    assert (result.is_collide, result.time_of_contact) == (True, time)
    assert np.isclose(time, 0.5, atol=1e-4)
    assert fcl.continuousCollide(one, fcl.Transform([0, 6, 0]), other, other.getTransform()) == 1.0
    turning = fcl.ContinuousCollisionRequest(ccd_motion_type=fcl.CCDMotionType.CCDM_SCREW)
    with pytest.raises(ValueError, match="ccd_motion_type: is 2, must be CCDM_TRANS"):
        fcl.continuousCollide(one, fcl.Transform(), other, fcl.Transform(), turning)


def test_trimesh_has_its_manager_over_the_facade(monkeypatch):
    trimesh = pytest.importorskip("trimesh")
    collision = pytest.importorskip("trimesh.collision")
    monkeypatch.setattr(collision, "fcl", fcl)
    manager = collision.CollisionManager()
    box = trimesh.creation.box()
    manager.add_object("one", box)
    manager.add_object("two", box, trimesh.transformations.translation_matrix([3, 0, 0]))
    assert not manager.in_collision_internal()
    assert np.isclose(manager.min_distance_internal(), 2.0)
    manager.set_transform("two", trimesh.transformations.translation_matrix([0.75, 0, 0]))
    hit, names = manager.in_collision_internal(return_names=True)
    assert hit
    assert names == {("one", "two")}
