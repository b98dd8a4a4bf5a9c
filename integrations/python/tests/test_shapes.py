"""Shapes: all kinds, what they are made from, and what they say of themselves."""

import copy
import pickle

import numpy as np
import pytest

from clearance import dim2, dim3

TETRAHEDRON = ([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
SLOPE = {"shape": {"type": "hull", "points": [[0, 0], [1, 0], [0, 1]]}, "user": 7}


def shapes_of_both(module):
    shape, dim = module.Shape, module.Shape.dim
    ones = np.ones(dim)
    return [
        shape.ball(0.5),
        shape.cuboid(0.5 * ones),
        shape.capsule(0.5, 0.25),
        shape.tapered_capsule(1.0, 0.25, 0.5),
        shape.segment(0 * ones, ones),
        shape.triangle(0 * ones, ones, [1.0, *(0 * ones[1:])]),
        shape.ellipsoid(np.arange(1, dim + 1)),
        shape.half_space([0, 1, 0][:dim]),
        shape.hull(np.vstack([np.eye(dim), -np.eye(dim)])),
        shape.points(np.eye(dim), 0.1),
        shape.polyline(np.eye(dim)),
        shape.polyline(np.eye(dim), [[0, 1]]),
        shape.voxels(np.eye(dim, dtype=int), 0.5 * ones),
        shape.compound([shape.ball(0.5), shape.cuboid(ones)], np.eye(dim)[:2]),
        shape.cuboid(ones).rounded(0.25),
    ]


def of_either():
    yield from shapes_of_both(dim2)
    yield from shapes_of_both(dim3)
    yield dim2.Shape.polygon([[0, 0], [4, 0], [4, 3], [0, 3]], [[[1, 1], [2, 1], [2, 2]]])
    yield dim2.Shape.tiles([[0, 0], [1, 0]], [1, 1], [0, 1], [SLOPE])
    yield dim3.Shape.cylinder(0.5, 0.25)
    yield dim3.Shape.cone(0.5, 0.25)
    yield dim3.Shape.tapered_cylinder(0.5, 0.25, 0.5)
    yield dim3.Shape.mesh(*TETRAHEDRON)
    yield dim3.Shape.mesh(*TETRAHEDRON, solid=True)
    yield dim3.Shape.mesh(*TETRAHEDRON).one_sided(0.1)
    yield dim3.Shape.height_field([[0, 0.5, 0], [0, 2, np.nan], [0, 1, 0]], [4, 1, 4])


ALL_SHAPES = list(of_either())


@pytest.mark.parametrize("shape", ALL_SHAPES, ids=repr)
def test_shapes_come_back_from_records_and_pickles(shape):
    for other in (pickle.loads(pickle.dumps(shape)), copy.deepcopy(shape), type(shape).from_record(shape.to_record())):
        assert other == shape
        assert hash(other) == hash(shape)
        assert other.kind == shape.kind
    assert shape != type(shape).ball(17.0)
    assert shape.scaled(2.0).bounding_radius >= shape.bounding_radius
    assert shape.part_count >= 1
    assert shape.kind in repr(shape)


def test_stored_shapes_say_what_they_are():
    stored = dim3.Shape.ball(1.0)._native.to_bytes()
    assert stored.startswith(b"clearance.dim3.Shape 0")
    for other, message in [
        (dim2.Shape.ball(1.0)._native.to_bytes(), 'begins with "clearance.dim2.Shape'),
        (stored.replace(b"Shape 0", b"Shape 9"), 'begins with "clearance.dim3.Shape 9'),
        (stored + b"0", "has 1 bytes more than the shape"),
        (stored[:-1], "stored shape: "),
        (b"", 'begins with ""'),
    ]:
        with pytest.raises(ValueError, match=message):
            dim3.Shape._class.from_bytes(other)


def test_shapes_of_two_dimensions_differ():
    assert dim2.Shape.ball(1.0) != dim3.Shape.ball(1.0)
    with pytest.raises(TypeError, match="named constructors"):
        dim3.Shape(dim2.Shape.ball(1.0)._native)


def test_mass_and_bounds_are_those_of_the_solid():
    cube = dim3.Shape.cuboid([1, 2, 3])
    mass = cube.mass_properties(2.0)
    assert (mass.volume, mass.mass) == (48.0, 96.0)
    assert np.allclose(mass.inertia, np.diag([13.0, 10.0, 5.0]) * 96.0 / 3.0)
    assert np.allclose(dim3.Shape.hull(np.eye(3)).translated([1, 2, 3]).bounds(), [[1, 2, 3], [2, 3, 4]])
    assert np.allclose(cube.bounds([10, 0, 0]), [[9, -2, -3], [11, 2, 3]])
    plate = dim2.Shape.cuboid([1, 2]).mass_properties()
    assert (plate.volume, plate.center_of_mass.tolist()) == (8.0, [0.0, 0.0])
    assert np.isclose(plate.inertia, 8.0 * 5.0 / 3.0)
    solid = dim3.Shape.mesh(*TETRAHEDRON, solid=True)
    assert solid.is_solid
    assert np.isclose(solid.mass_properties().volume, 1.0 / 6.0)


def test_cells_of_a_mask_are_those_of_a_list():
    mask = np.zeros((3, 2), bool)
    mask[2, 1] = mask[0, 0] = True
    assert dim2.Shape.voxels(mask, [1, 1]) == dim2.Shape.voxels([[0, 0], [2, 1]], [1, 1])


def test_mirrored_meshes_keep_their_outside(tmp_path):
    trimesh = pytest.importorskip("trimesh")
    box = trimesh.creation.box([1, 2, 3])
    for name in ("box.stl", "box.obj", "box.ply", "box.glb", "box.off"):
        path = tmp_path / name
        box.export(path)
        for scale in (1.0, [2.0, -2.0, 2.0]):
            volume = 6.0 if scale == 1.0 else 48.0
            solid = dim3.Shape.from_file(path, scale=scale, solid=True)
            assert np.isclose(solid.mass_properties().volume, volume), name
            hull = dim3.Shape.from_file(path, scale=scale, hull=True)
            assert hull.kind == "hull"
            assert np.isclose(hull.mass_properties().volume, volume), name
    scene = trimesh.Scene([box])
    assert dim3.Shape.from_trimesh(scene, solid=True) == dim3.Shape.from_trimesh(box, solid=True)


REFUSED = [
    (lambda: dim3.Shape.ball(-1), "radius: is -1.0, must be finite and > 0"),
    (lambda: dim3.Shape.ball(np.nan), "radius: is nan, must be finite"),
    (lambda: dim3.Shape.cuboid([1, 0, 1]), r"half_extents\[1\]: is 0.0"),
    (lambda: dim3.Shape.mesh([[0, 0, 0]] * 3, [[0, 1, 7]]), r"triangles\[0\] names vertex 7"),
    (lambda: dim3.Shape.mesh([[0, 0, 0]] * 3, [[0, 1, -1]]), r"triangles\[0\]\[2\]: is -1, must be from 0 to"),
    (lambda: dim3.Shape.mesh(TETRAHEDRON[0], TETRAHEDRON[1][:3], solid=True), "triangle"),
    (lambda: dim3.Shape.hull(np.zeros((0, 3))), "points is empty"),
    (lambda: dim3.Shape.hull([[0, 0, np.inf]]), r"points\[0\]"),
    (lambda: dim3.Shape.hull([[0, 0]]), r"points: has shape \(1, 2\), must be \(3,\) or \(N, 3\)"),
    (lambda: dim3.Shape.voxels([[0, 0, 0]] * 2, [1, 1, 1]), r"cells\[1\] is the same as cells\[0\]"),
    (lambda: dim3.Shape.voxels([[0, 0]], [1, 1, 1]), "cells: has shape"),
    (lambda: dim3.Shape.height_field([1, 2], [1, 1, 1]), "heights: has shape"),
    (lambda: dim3.Shape.compound([]), "parts"),
    (lambda: dim3.Shape.polyline([[0, 0, 0]]), "vertices"),
    (lambda: dim3.Shape.from_file("/nowhere/no.stl"), "no.stl"),
    (lambda: dim3.Shape.from_record("{"), "the text ends before"),
    (lambda: dim3.Shape.from_record({"type": "sphere"}), '"ball" is meant'),
    (lambda: dim3.Shape.ball(1).solid(), "ball"),
    (lambda: dim3.Shape.points([[0, 0, 0]], -1), "radius"),
    (lambda: dim2.Shape.polygon([[0, 0], [1, 1]]), "vert"),
]


@pytest.mark.parametrize(("make", "message"), REFUSED, ids=[message for _, message in REFUSED])
def test_refusals_name_what_is_wrong(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_shapes_are_made_by_their_constructors():
    for cls in (dim2.Shape, dim3.Shape):
        with pytest.raises(TypeError, match=r"Shape\d: is made by its named constructors, such as ball\(radius\)"):
            cls()
