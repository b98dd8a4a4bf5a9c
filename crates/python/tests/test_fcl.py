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
