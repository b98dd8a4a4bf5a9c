"""Batches: forms of poses and arrays, reuse, threads, single questions."""

import copy
import json
import math
import multiprocessing
import os
import pickle
import threading
import time

import numpy as np
import pytest

import clearance
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


BALL = dim3.Shape.ball(0.5)
SHAPES = [BALL, dim3.Shape.cuboid([0.5, 1, 0.25]), dim3.Shape.hull(RANDOM.normal(size=(20, 3)))]


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


def test_a_single_matrix_of_the_plane_is_not_taken_for_three_rows():
    a, b = dim2.Shape.cuboid([1, 2]), dim2.Shape.ball(0.5)
    matrix = np.array([[0.0, -1.0, 4.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    world = dim2.World()
    for call in (lambda: dim2.distance(a, b, matrix), lambda: world.insert(a, matrix)):
        with pytest.raises(ValueError, match=r"which is a matrix or three rows x y angle: one matrix must be \(1, 3, 3\)"):
            call()
    assert dim2.distance(a, b, matrix[None]).distance.tolist() == [1.5]
    # Where a single pose is asked for there are no three rows.
    assert np.allclose(a.bounds(matrix), [[2, -1], [6, 1]], atol=1e-6)
    assert dim2.Placed(a, matrix).distance(dim2.Placed(b)).distance == 1.5
    assert len(dim2.distance(a, b, np.zeros((3, 3)))) == 3


def test_many_turns_of_the_plane_cost_no_precision():
    a, b = dim2.Shape.cuboid([3, 0.5]), dim2.Shape.ball(0.5)
    angles = np.array([1e6 + 0.3, -12345.678, 3.3, -3.2])
    places = np.hstack([np.zeros((4, 2)), angles[:, None]])
    near = dim2.distance(a, b, places, [2, 2])
    reduced = np.array([math.remainder(angle, math.tau) for angle in angles])
    places[:, 2] = reduced
    assert near.rows.tobytes() == dim2.distance(a, b, places, [2, 2]).rows.tobytes()
    # What single precision holds is not touched, so that files and arrays are answered alike.
    held = dim2.distance(a, b, [0, 0, 4.0], [2, 2]).rows.tobytes()
    record = {"dimension": 2, "a": {"shape": a.to_record(), "pose": {"rotation": 4.0}}, "b": {"shape": b.to_record(), "pose": {"translation": [2, 2]}}}
    answer = json.loads(clearance.query(json.dumps(record)))
    assert np.frombuffer(held, a._layouts.distance)["point_a"][0].tolist() == answer["point_a"]
    with pytest.raises(ValueError, match=r"poses_a\[0\]: rotation"):
        dim2.distance(a, b, [0, 0, 1e300])


def test_the_length_of_a_direction_means_nothing():
    mesh = dim3.Shape.mesh([[-9, -9, 5], [9, -9, 5], [0, 9, 5]], [[0, 1, 2]])
    direction = np.array([0.3, 0.1, 1.0])
    expected = dim3.cast_rays(mesh, [0, 0, 0], direction).rows
    for exponent in (-400, -160, -149, -140, -90, 90, 126, 140, 1000):
        hit = dim3.cast_rays(mesh, [0, 0, 0], np.ldexp(direction, exponent)).rows
        assert hit.tobytes() == expected.tobytes(), exponent
    world = dim3.World()
    world.insert(mesh)
    assert world.cast_rays([0, 0, 0], np.ldexp(direction, -146)).point[0].tolist() == expected["point"].tolist()
    with pytest.raises(ValueError, match=r"rays\[0\]: the direction of the ray must be finite"):
        dim3.cast_rays(mesh, [0, 0, 0], [0, 0, np.inf])


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


def bumpy(seed, count=24):
    """A surface of many triangles that is near itself everywhere."""
    random = np.random.default_rng(seed)
    x, z = np.meshgrid(np.arange(count), np.arange(count))
    y = random.uniform(-2, 2, x.shape)
    place = np.arange(count * count).reshape(count, count)
    a, b, c, d = (part.ravel() for part in (place[:-1, :-1], place[:-1, 1:], place[1:, 1:], place[1:, :-1]))
    triangles = np.concatenate([np.stack([a, c, b], axis=1), np.stack([a, d, c], axis=1)])
    return dim3.Shape.mesh(np.stack([x, y, z], axis=-1).reshape(-1, 3), triangles)


def test_efforts_end_searches_with_bounds_that_hold():
    # A surface over itself, which it is near to everywhere and never crosses.
    a, b, place = bumpy(1), bumpy(1), [[0, 0.5, 0]]
    whole, short = (dim3.distance(a, b, None, place, effort=effort) for effort in (None, 20))
    assert whole.status_name.tolist() == ["CONVERGED"]
    assert short.status_name.tolist() == ["ITERATION_LIMIT"]
    assert short.lower < whole.lower <= whole.upper <= short.upper
    assert not dim3.intersects(a, b, None, place)
    assert dim3.intersects(a, b, None, place, effort=1)
    assert not dim3.contacts(a, b, None, place, within=1.5, effort=1).complete.any()
    with pytest.raises(ValueError, match="effort: is -1"):
        dim3.distance(a, b, effort=-1)


def test_rays_of_a_large_batch_are_answered_in_their_places():
    # So many rays at so large a mesh that they are answered in another order than they are given in.
    side, count = 170, 20_000
    x, y = np.meshgrid(np.linspace(-1, 1, side), np.linspace(-1, 1, side), indexing="ij")
    vertices = np.stack([x, y, 0.2 * np.sin(7 * x) * np.cos(9 * y)], -1).reshape(-1, 3)
    corner = (np.arange(side - 1)[:, None] * side + np.arange(side - 1)).reshape(-1, 1)
    mesh = dim3.Shape.mesh(vertices, np.concatenate([corner + [0, side, 1], corner + [1, side, side + 1]]))
    origins = RANDOM.normal(size=(count, 3))
    directions = 0.5 * RANDOM.normal(size=(count, 3)) - origins
    directions[::7, 0] = 0.0
    origins[::5] *= 1e-3
    origins[::9] *= 1e9
    pose = space_poses(1)[0] * [0.1, 0.1, 0.1, 1, 1, 1, 1]

    def answers(some, threads=None):
        found = dim3.cast_rays(mesh, origins[some], directions[some], pose, threads=threads)
        return found.rows.view(np.uint8).reshape(len(found), -1)

    expected = np.concatenate([answers(slice(row, row + 1000)) for row in range(0, count, 1000)])
    hit = dim3.cast_rays(mesh, origins, directions, pose).hit
    assert 0.2 < hit.mean() < 0.8
    for threads in (1, 2, None):
        assert np.array_equal(answers(slice(None), threads), expected)
    assert np.array_equal(answers(slice(None, None, -1)), expected[::-1])


def test_all_hits_of_rays_are_those_of_each_part():
    mesh, count = bumpy(3), 40
    origins = RANDOM.uniform(8, 15, (count, 3)) * [1, 0, 1] + [0, 1, 0]
    directions = RANDOM.choice([-1, 1], (count, 1)) * [1.0, 0.0, 0.2] + [0, -0.05, 0]
    found = dim3.cast_rays_all(mesh, origins, directions, threads=2)
    first = dim3.cast_rays(mesh, origins, directions)
    assert len(found) > 2 * count
    for ray in range(count):
        own = found[found.question == ray]
        assert (np.diff(own.distance) >= 0).all()
        assert len(own) == len(set(own.part.tolist()))
        assert first.hit[ray] == (len(own) > 0)
        if len(own):
            assert own.distance[0] == first.distance[ray]
            assert np.allclose(own.point, origins[ray] + own.distance[:, None] * directions[ray] / np.linalg.norm(directions[ray]))
    # A closed surface is entered as often as it is left.
    ball = dim3.Shape.mesh(*octahedron(), solid=True)
    through = dim3.cast_rays_all(ball, RANDOM.uniform(-0.2, 0.2, (50, 3)) + [0, 0, 5], [0.01, 0.02, -1])
    assert np.bincount(through.question, weights=1 - 2 * through.is_back_face.astype(int)).tolist() == [0] * 50


def octahedron():
    corners = np.concatenate([np.eye(3), -np.eye(3)])
    return corners, [(0, 1, 2), (1, 3, 2), (3, 4, 2), (4, 0, 2), (1, 0, 5), (3, 1, 5), (4, 3, 5), (0, 4, 5)]


@pytest.mark.parametrize("forms", ["rows", "matrices", "positions"])
def test_matrices_of_distances_are_those_of_all_pairs(forms, monkeypatch):
    a, b = space_poses(5), space_poses(7)
    a, b = {"rows": (a, b), "matrices": (matrices(a), matrices(b)), "positions": (a[:, :3], b[:, :3])}[forms]
    shapes = [dim3.Shape.ball(0.3), dim3.Shape.cuboid([0.1, 0.2, 0.3])]
    some = dim3.Choice(shapes, [0, 1, 1, 0, 1])
    monkeypatch.setattr("clearance._batches._BATCH", 15)
    found = dim3.distance_matrix(some, shapes[1], a, b)
    assert found.distance.shape == (5, 7)
    for row in range(5):
        assert np.array_equal(found.rows[row], dim3.distance(shapes[some.index[row]], shapes[1], a[row], b).rows)
    listed = dim3.distance_matrix([shapes[0]] * 2, [shapes[1]] * 3, a[:2], b[0])
    assert listed.distance.shape == (2, 3)
    assert np.array_equal(listed.distance[:, 0], listed.distance[:, 2])
    with pytest.raises(ValueError, match="poses_a: there are 5 and 2 rows"):
        dim3.distance_matrix(some, shapes[1], a[:2], b)
    plane = dim2.distance_matrix(dim2.Shape.ball(1), dim2.Shape.ball(1), np.zeros((2, 2)), [[3, 0], [0, 5]])
    assert plane.distance.tolist() == [[1, 3], [1, 3]]
    none = np.zeros((0, 3))
    for left, right in ((a, none), (none, b), (none, none)):
        assert dim3.distance_matrix(shapes[0], shapes[1], left, right).rows.shape == (len(left), len(right))


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


def test_whether_a_list_is_complete_is_kept_or_given_up():
    near = dim3.contacts(SHAPES[0], SHAPES[1], space_poses(20), within=9.0)
    points = dim3.manifolds(SHAPES[0], SHAPES[1], space_poses(20), within=9.0)
    assert len(near) == 20
    for listed in (near, points):
        for other in (copy.copy(listed), copy.deepcopy(listed), pickle.loads(pickle.dumps(listed))):
            assert (other.rows == listed.rows).all()
            assert other.complete.tolist() == [True] * 20
        assert listed[3:5].complete is None


def test_a_single_row_has_no_length():
    near = dim3.distance(SHAPES[0], SHAPES[1], space_poses(20))
    assert near[3].distance == near.distance[3]
    with pytest.raises(TypeError):
        len(near[3])
    assert len(near[3:4]) == 1


def test_signed_distances_own_their_numbers():
    distances = dim3.signed_distance(SHAPES[0], np.zeros((9, 3)))
    assert (distances.strides, distances.base) == ((4,), None)


def test_parts_are_answered_by_several_threads_whatever_the_rows():
    mesh = dim3.Shape.mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    for count in (1, 2, 3, 17, 300):
        poses = space_poses(count)
        one = dim3.distance(mesh, SHAPES[2], poses, threads=1).rows.tobytes()
        for threads in (2, 8, 3, None):
            assert dim3.distance(mesh, SHAPES[2], poses, threads=threads).rows.tobytes() == one


def _threads_of_this_process():
    return len(os.listdir("/proc/self/task"))


COUNTS_THREADS = pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="counts threads as Linux does")


@COUNTS_THREADS
def test_a_few_rows_wake_threads_only_where_there_are_parts():
    mesh = dim3.Shape.mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    dim3.distance(mesh, BALL, space_poses(3), threads=2)
    before = _threads_of_this_process()
    dim3.distance(BALL, BALL, space_poses(3), threads=40)
    assert _threads_of_this_process() <= before
    dim3.distance(mesh, BALL, space_poses(3), threads=40)
    assert _threads_of_this_process() >= 40


@COUNTS_THREADS
def test_the_threads_of_a_call_end_when_another_number_is_asked_for():
    poses = space_poses(600)
    dim3.distance(SHAPES[0], SHAPES[1], poses, threads=2)
    before = _threads_of_this_process()
    for threads in range(20, 2, -1):
        dim3.distance(SHAPES[0], SHAPES[1], poses, threads=threads)
    for _ in range(200):
        if _threads_of_this_process() <= before + 1:
            break
        time.sleep(0.01)
    assert _threads_of_this_process() <= before + 1


def _ticks_during(call):
    """How often another thread of Python comes to run while a call is made, and for how long it takes."""
    ticks, is_done = [], threading.Event()

    def tick():
        while not is_done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    begin = time.perf_counter()
    call()
    end = time.perf_counter()
    is_done.set()
    thread.join()
    return sum(begin < at < end for at in ticks), end - begin


def test_other_threads_go_on_while_shapes_are_built():
    points = RANDOM.normal(size=(60_000, 3))
    points /= np.linalg.norm(points, axis=1)[:, None]
    indices = np.arange(60_000, dtype=np.uint32)
    ticks, took = _ticks_during(lambda: dim3.Shape._class.surface(points, indices))
    # A tick each fifty milliseconds, at least; with the lock held there is at most one at each end.
    assert ticks > max(2, took / 0.05)


def test_one_output_is_written_by_one_call_at_a_time():
    mesh = dim3.Shape.mesh(RANDOM.normal(size=(150, 3)), np.arange(150).reshape(-1, 3))
    # Overlaps of many triangles, which take long enough for the calls to meet.
    poses = space_poses(100)
    out = dim3.distance(SHAPES[0], SHAPES[0], poses)
    problems = []

    def call():
        try:
            dim3.distance(mesh, mesh, poses, poses, out=out, threads=1)
        except ValueError as problem:
            problems.append(str(problem))

    threads = [threading.Thread(target=call) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == ["out: is in use by another call, must be used by one at a time"]


MISREAD = [
    (lambda: dim3.distance(BALL, 5), "^b: is int, must be shapes"),
    (lambda: dim3.distance(BALL, "ab"), "^b: is str, must be shapes"),
    (lambda: dim3.distance(BALL, [BALL, 1]), r"^b\[1\]: is int, must be a shape of 3 dimensions"),
    (lambda: dim3.distance(BALL, dim2.Shape.ball(1.0)), "^b: is a shape of 2 dimensions, must be a shape of 3"),
    (lambda: dim3.distance([BALL, dim2.Shape.ball(1.0)], BALL), r"^a\[1\]: is a shape of 2 dimensions"),
    (lambda: dim3.distance(5, BALL), "^a: is int, must be a shape"),
    (lambda: dim3.distance(BALL, BALL, threads=-1), "^threads: is -1, must be from 1 to 1024"),
    (lambda: dim3.distance(BALL, BALL, threads=2.5), "^threads: is 2.5, must be a whole number"),
    (lambda: dim3.distance(BALL, BALL, within=[1]), r"^within: is \[1\], must be a number"),
    (lambda: dim3.distance(BALL, BALL, out=np.zeros(3)), "^out: is ndarray, must be Distances"),
    (lambda: dim3.cast_rays(BALL, [0, 0, 0], [1, 0, 0], out=dim3.distance(BALL, BALL)), "^out: is Distances, must be RayHits"),
    (lambda: dim3.cast_shapes(BALL, BALL, leaving=5), '^leaving: is "5", must be "hit"'),
    (lambda: dim3.Choice([BALL], [[0], [0, 0]]), "^index: "),
    (lambda: dim3.Choice([BALL, 5], [0, 0]), r"^shapes\[1\]: is int, must be a shape"),
    (lambda: dim3.Shape.compound([BALL, 1]), r"^parts\[1\]: is int, must be a shape of 3 dimensions"),
    (lambda: dim3.Shape.compound(1), "^parts: is int, must be shapes"),
    (lambda: BALL.scaled([1, 2]), r"^factors: has shape \(2,\), must be \(\) or \(3,\)"),
    (lambda: BALL.rounded("x"), "^radius: is 'x', must be a number"),
    (lambda: BALL.bounds(space_poses(2)), "^pose: is a list, must be a single pose"),
    (lambda: dim3.Placed(BALL).distance(5), "^other: is int, must be placed in 3 dimensions"),
    (lambda: dim3.Placed(BALL).distance(dim2.Placed(dim2.Shape.ball(1.0))), "^other: is Placed2, must be placed in 3"),
    (lambda: dim3.Placed(BALL).distance(dim3.Placed(BALL), [1]), r"^within: is \[1\], must be a number"),
    (lambda: dim3.Placed(BALL).intersects(BALL), "^other: is Shape3, must be placed in 3 dimensions"),
]


@pytest.mark.parametrize(("call", "message"), MISREAD, ids=[message for _, message in MISREAD])
def test_refusals_name_the_argument(call, message):
    with pytest.raises((ValueError, TypeError), match=message):
        call()


def test_what_answers_are_made_of_is_public():
    assert isinstance(dim3.distance(BALL, BALL), dim3.Distances)
    assert isinstance(dim2.contacts(dim2.Shape.ball(1.0), dim2.Shape.ball(1.0)), dim2.Contacts)
    near = dim3.Placed(BALL).distance(dim3.Placed(BALL, [3, 0, 0]))
    assert isinstance(near, dim3.Nearest)
    assert near.status is Status.EXACT
    assert repr(near).startswith("<clearance.Nearest 2")


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
    with pytest.raises(TypeError, match="must be a shape of 3 dimensions"):
        dim3.Placed(dim2.Shape.ball(1.0))
