"""Batches: forms of poses and arrays, reuse, threads, single questions."""

import multiprocessing
import pickle

import numpy as np
import pytest

from clearance import Status, dim2, dim3

RANDOM = np.random.default_rng(7)


def turns(count):
    rotation = RANDOM.normal(size=(count, 4))
    return rotation / np.linalg.norm(rotation, axis=1)[:, None]


def space_poses(count):
    return np.hstack([RANDOM.normal(size=(count, 3)) * 2.0, turns(count)])


def matrices(poses):
    x, y, z, w = poses[:, 3:].T
    matrix = np.zeros((len(poses), 4, 4))
    matrix[:, 3, 3] = 1.0
    matrix[:, :3, 3] = poses[:, :3]
    matrix[:, 0, :3] = np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)], 1)
    matrix[:, 1, :3] = np.stack([2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)], 1)
    matrix[:, 2, :3] = np.stack([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], 1)
    return matrix


SHAPES = [dim3.Shape.ball(0.5), dim3.Shape.cuboid([0.5, 1, 0.25]), dim3.Shape.hull(RANDOM.normal(size=(20, 3)))]


def test_known_distances():
    near = dim3.distance(SHAPES[0], dim3.Shape.cuboid([1, 1, 1]), [3, 0, 0])
    assert near.distance == 1.5
    assert near.lower <= 1.5 <= near.upper
    assert near.point_a.tolist() == [2.5, 0, 0]
    assert near.point_b.tolist() == [1, 0, 0]
    assert near.normal.tolist() == [-1, 0, 0]
    assert near.status == Status.EXACT
    far = dim3.distance(SHAPES[0], SHAPES[0], [[9, 0, 0], [1, 0, 0]], within=2.0)
    assert far.status.tolist() == [Status.FARTHER, Status.EXACT]
    assert far.distance[0] == np.inf
    assert 2.0 < far.lower[0] <= 8.0
    up, down = dim2.Shape.half_space([0, 1]), dim2.Shape.half_space([0, -1])
    assert dim2.distance(up, up).status == Status.UNBOUNDED
    assert dim2.distance(up, down, None, [0, 2]).distance == 2.0


def test_answers_depend_neither_on_threads_nor_on_the_batch():
    count = 3000
    poses_a, poses_b = space_poses(count), space_poses(count)
    index = RANDOM.integers(0, 3, count)
    a, b = dim3.Choice(SHAPES, index), [SHAPES[k % 3] for k in range(count)]
    one = dim3.distance(a, b, poses_a, poses_b, threads=1)
    for threads in (2, 3, None):
        assert dim3.distance(a, b, poses_a, poses_b, threads=threads).rows.tobytes() == one.rows.tobytes()
    for row in (0, 17, 2999):
        alone = dim3.distance(SHAPES[index[row]], b[row], poses_a[row], poses_b[row])
        assert alone.rows.tobytes() == one.rows[row].tobytes()
    overlaps = dim3.intersects(a, b, poses_a, poses_b)
    decided = (one.lower > 0) | (one.upper < 0)
    assert (overlaps == (one.distance <= 0))[decided].all()


def test_all_forms_of_poses_are_read_alike():
    poses = space_poses(50)
    rows = dim3.distance(SHAPES[1], SHAPES[2], poses)
    by_matrix = dim3.distance(SHAPES[1], SHAPES[2], matrices(poses))
    assert np.allclose(rows.distance, by_matrix.distance, atol=1e-6)
    plane = np.hstack([RANDOM.normal(size=(50, 2)), RANDOM.uniform(-3, 3, (50, 1))])
    sin, cos = np.sin(plane[:, 2]), np.cos(plane[:, 2])
    matrix = np.tile(np.eye(3), (50, 1, 1))
    matrix[:, 0, :2], matrix[:, 1, :2], matrix[:, :2, 2] = np.stack([cos, -sin], 1), np.stack([sin, cos], 1), plane[:, :2]
    a, b = dim2.Shape.cuboid([1, 2]), dim2.Shape.capsule(0.5, 0.25)
    first, second = dim2.distance(a, b, plane), dim2.distance(a, b, matrix)
    assert np.allclose(first.distance, second.distance, atol=1e-6)
    positions = dim3.distance(SHAPES[1], SHAPES[2], poses[:, :3])
    unturned = np.hstack([poses[:, :3], np.tile([0, 0, 0, 1.0], (50, 1))])
    assert positions.rows.tobytes() == dim3.distance(SHAPES[1], SHAPES[2], unturned).rows.tobytes()
    single = dim3.distance(SHAPES[1], SHAPES[2], matrices(poses)[0])
    assert single.rows.shape == ()


def test_arrays_of_any_layout_are_read():
    poses = space_poses(40)
    expected = dim3.distance(SHAPES[1], SHAPES[2], poses).rows.tobytes()
    wide = np.zeros((80, 14))
    wide[::2, ::2] = poses
    read_only = poses.copy()
    read_only.flags.writeable = False
    for given in (np.asfortranarray(poses), wide[::2, ::2], poses.astype(">f8"), read_only, poses.tolist()):
        assert dim3.distance(SHAPES[1], SHAPES[2], given).rows.tobytes() == expected
    whole = np.array([[3, 0, 0]], np.int16)
    assert dim3.distance(SHAPES[0], SHAPES[0], whole).distance.tolist() == [2.0]


def test_outputs_are_used_again():
    poses = space_poses(600)
    out = dim3.distance(SHAPES[0], SHAPES[1], poses)
    kept = out.rows
    again = dim3.distance(SHAPES[0], SHAPES[2], poses, out=out)
    assert again is out
    assert out.rows is kept
    assert out.rows.tobytes() == dim3.distance(SHAPES[0], SHAPES[2], poses).rows.tobytes()
    before = out.rows.tobytes()
    bad = poses.copy()
    bad[599, 0] = np.nan
    with pytest.raises(ValueError, match=r"poses_a\[599\]: translation\[0\] is NaN"):
        dim3.distance(SHAPES[0], SHAPES[2], bad, out=out)
    assert out.rows.tobytes() == before
    with pytest.raises(ValueError, match="out: has rows"):
        dim3.distance(SHAPES[0], SHAPES[2], poses[:5], out=out)
    frozen = dim3.distance(SHAPES[0], SHAPES[1], poses)
    frozen.rows.flags.writeable = False
    with pytest.raises(ValueError, match="writeable"):
        dim3.distance(SHAPES[0], SHAPES[2], poses, out=frozen)


def test_empty_batches_have_empty_answers():
    nothing = np.zeros((0, 7))
    assert len(dim3.distance(SHAPES[0], SHAPES[1], nothing)) == 0
    assert dim3.intersects(SHAPES[0], SHAPES[1], nothing).shape == (0,)
    assert len(dim3.contacts(SHAPES[0], SHAPES[1], nothing)) == 0
    assert len(dim3.cast_rays(SHAPES[0], np.zeros((0, 3)), np.zeros((0, 3)))) == 0
    assert len(dim3.closest_points(SHAPES[0], np.zeros((0, 3)))) == 0


def test_points_rays_and_casts():
    cube = dim3.Shape.cuboid([1, 1, 1])
    points = [[0, 0, 0], [0.75, 0, 0], [3, 0, 0], [1, 1, 1]]
    assert dim3.signed_distance(cube, points).tolist() == [-1, -0.25, 2, 0]
    assert dim3.contains(cube, points).tolist() == [True, True, False, True]
    assert dim3.closest_points(cube, points).point_b[2].tolist() == [1, 0, 0]
    hits = dim3.cast_rays(cube, [[-5, 0, 0], [-5, 3, 0], [0, 0, 0]], [2, 0, 0])
    assert hits.hit.tolist() == [True, False, True]
    assert hits.distance.tolist() == [4, np.inf, 0]
    hollow = dim3.cast_rays(cube, [0, 0, 0], [1, 0, 0], solid=False)
    assert (hollow.distance, bool(hollow.is_back_face)) == (1.0, True)
    cast = dim3.cast_shapes(SHAPES[0], cube, [-5.5, 0, 0], motions_a=[[8, 0, 0, 0, 0, 0], [0, 8, 0, 0, 0, 0]])
    assert cast.hit.tolist() == [True, False]
    assert cast.time_lower[0] <= 0.5 <= cast.time_upper[0]


def test_contacts_and_manifolds_name_questions_and_parts():
    floor = dim3.Shape.mesh([[-9, 0, -9], [-9, 0, 9], [9, 0, -9], [9, 0, 9]], [[0, 1, 2], [2, 1, 3]])
    crate = dim3.Shape.cuboid([0.5, 0.5, 0.5])
    found = dim3.contacts(floor, crate, None, [[0, 0.5, 0], [0, 5, 0], [6, 0.5, 6]], within=0.01)
    assert found.question.tolist() == [0, 0, 2]
    assert found.part_a.tolist() == [0, 1, 1]
    assert found.complete.tolist() == [True, True, True]
    points = dim3.manifolds(floor, crate, None, [[6, 0.5, 6]], within=0.01)
    assert len(points) == 4
    assert sorted(map(tuple, points.point_b[:, ::2].tolist())) == [(5.5, 5.5), (5.5, 6.5), (6.5, 5.5), (6.5, 6.5)]


def test_answers_can_be_selected_and_pickled():
    near = dim3.distance(SHAPES[0], SHAPES[1], space_poses(20))
    assert near[near.distance > 0].distance.min() > 0
    assert pickle.loads(pickle.dumps(near)).rows.tobytes() == near.rows.tobytes()
    assert "Distances" in repr(near)


def _distances_of_child(poses):
    return dim3.distance(SHAPES[0], SHAPES[2], poses, threads=2).rows.tobytes()


def test_a_forked_process_has_threads_of_its_own():
    poses = space_poses(2000)
    expected = _distances_of_child(poses)
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.apply_async(_distances_of_child, (poses,)).get(timeout=60) == expected


def test_a_placed_shape_answers_as_a_batch_of_one():
    poses = space_poses(60)
    shapes = [*SHAPES, dim3.Shape.mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])]
    for k, pose in enumerate(poses):
        a, b = shapes[k % 4], shapes[k // 4 % 4]
        within = np.inf if k % 2 else 0.5
        row = dim3.distance(a, b, pose, within=within).rows[()]
        alone = dim3.Placed(a, pose).distance(dim3.Placed(b), within)
        for name in ("distance", "lower", "upper", "point_a", "point_b", "normal", "part_a", "part_b", "status"):
            assert np.array_equal(row[name], getattr(alone, name), equal_nan=True), name
        assert dim3.Placed(a, pose).intersects(dim3.Placed(b)) == bool(dim3.intersects(a, b, pose))
    with pytest.raises(ValueError, match="must be a single pose"):
        dim3.Placed(SHAPES[0], poses)
    with pytest.raises(TypeError, match="must be of 3 dimensions"):
        dim3.Placed(dim2.Shape.ball(1.0))
