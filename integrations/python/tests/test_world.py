"""Worlds: bodies, contacts, events, questions, snapshots."""

import pickle
import threading

import numpy as np
import pytest

from clearance import EventKind, dim2, dim3
from clearance.dim3 import NO_BODY

BALL = dim3.Shape.ball(0.5)


def row_of_balls(**options):
    world = dim3.World(margin=0.1, **options)
    return world, world.insert(BALL, [[0, 0, 0], [1.05, 0, 0], [5, 0, 0]], user_data=[7, 8, 9])


def test_contacts_and_events_follow_the_bodies():
    world, ids = row_of_balls()
    world.step(0.0)
    contacts = world.contacts()
    assert (contacts.a.tolist(), contacts.b.tolist()) == ([ids[0]], [ids[1]])
    assert np.isclose(contacts.distance[0], 0.05)
    assert world.events().kind.tolist() == [EventKind.ENTERED]
    world.set_velocities(ids[:1], [1, 0, 0, 0, 0, 0])
    world.step(0.5)
    events = world.events()
    assert events.kind.tolist() == [EventKind.BEGAN]
    assert (events.user_data_a.tolist(), events.user_data_b.tolist()) == ([7], [8])
    world.remove(ids[1])
    world.step(0.0)
    assert sorted(world.events().kind.tolist()) == [EventKind.ENDED, EventKind.LEFT]
    assert world.ids.tolist() == [ids[0], ids[2]]


def test_poses_and_velocities_come_back():
    world, ids = row_of_balls()
    poses = np.array([[1, 2, 3, 0, 0, 0, 1], [4, 5, 6, 0.5, 0.5, 0.5, 0.5], [7e9 + 0.25, 0, 0, 0, 1, 0, 0]])
    world.set_poses(ids, poses)
    assert world.poses(ids).tolist() == poses.tolist()
    velocities = np.arange(18.0).reshape(3, 6)
    world.set_velocities(ids, velocities)
    assert world.velocities(ids).tolist() == velocities.tolist()
    plane = dim2.World()
    ids = plane.insert(dim2.Shape.ball(1), [1, 2, 0.5], velocities=[1, 2, 3])
    assert np.allclose(plane.poses(ids), [[1, 2, 0.5]])
    assert plane.velocities(ids).tolist() == [[1, 2, 3]]


def test_groups_kinds_and_ignored_pairs_decide_who_meets():
    world, ids = row_of_balls()
    world.ignore(ids[0], ids[1:])
    world.step(0.0)
    assert len(world.contacts()) == 0
    world.unignore(ids[0], ids[1])
    world.step(0.0)
    assert len(world.contacts()) == 1
    world.set_groups(ids, memberships=1, meets=2)
    world.step(0.0)
    assert len(world.contacts()) == 0
    world.set_groups(ids)
    world.set_moving(ids, False)
    world.step(0.0)
    assert len(world.contacts()) == 0
    world.set_moving(ids, True)
    world.set_shape(ids, dim3.Shape.ball(3.0))
    world.step(0.0)
    # The first and the last are still ignored.
    assert len(world.contacts()) == 2


def test_questions_find_bodies():
    world, ids = row_of_balls()
    hits = world.cast_rays([[-5, 0, 0], [0, 9, 9]], [1, 0, 0])
    assert hits.body.tolist() == [ids[0], NO_BODY]
    assert hits.distance[0] == 4.5
    past = world.cast_rays([-5, 0, 0], [1, 0, 0], exclude=ids[:1])
    assert past.body.tolist() == [ids[1]]
    casts = world.cast_shapes(BALL, [-5, 0, 0], motions=[[10, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0]])
    assert casts.body.tolist() == [ids[0], NO_BODY]
    assert casts.time_lower[0] <= 0.4 <= casts.time_upper[0]
    near = world.near(poses=[[0, 0, 0], [5, 1, 0]], within=0.75)
    assert near.question.tolist() == [0, 0, 1]
    assert near.body.tolist() == ids[[0, 1, 2]].tolist()
    nearest = world.near(BALL, [9, 0, 0], within=np.inf, nearest=2)
    assert nearest.body.tolist() == [ids[2], ids[1]]


def test_snapshots_bring_worlds_back():
    world, ids = row_of_balls()
    world.set_velocities(ids, [0.5, 0, 0, 0, 0.1, 0])
    world.step(0.1)
    kept = world.snapshot()
    other = pickle.loads(pickle.dumps(world))
    assert other.margin == world.margin
    world.step(0.1)
    after = (world.state_hash, world.contacts_hash)
    other.step(0.1)
    assert (other.state_hash, other.contacts_hash) == after
    world.restore(kept)
    assert world.state_hash != after[0]
    world.step(0.1)
    assert (world.state_hash, world.contacts_hash) == after


def test_steps_do_not_depend_on_threads():
    poses = np.random.default_rng(3).normal(size=(400, 3)) * 3.0
    hashes = set()
    for threads in (1, 2):
        world = dim3.World(threads=threads, part_contacts=True)
        world.insert([BALL, dim3.Shape.cuboid([0.3, 0.4, 0.5])] * 200, poses, velocities=np.hstack([-poses, poses]))
        for _ in range(5):
            world.step(1 / 60)
        hashes.add((world.state_hash, world.contacts_hash, world.contacts("parts").rows.tobytes()))
    assert len(hashes) == 1


def test_manifolds_of_a_step_are_those_on_request_and_tell_where_points_come_from():
    floor, box = dim3.Shape.half_space([0, 1, 0]), dim3.Shape.cuboid([0.5, 0.5, 0.5])
    worlds = [dim3.World(manifolds=manifolds) for manifolds in (True, False)]
    for world in worlds:
        world.insert(floor, moving=False)
        world.insert([box] * 3, [[2.0 * k, 0.5, 0] for k in range(3)], velocities=[[6, 0, 0, 0, 0, 0]] * 3)
        for _ in range(2):
            world.step(1 / 60)
    found, on_request = (world.manifolds() for world in worlds)
    assert len(found.rows) == 12
    for name in found.rows.dtype.names:
        if name != "before":
            assert (found.rows[name] == on_request.rows[name]).all(), name
    assert (found.before == np.tile([0, 1, 2, 3], 3)).all()
    assert (on_request.before == -1).all()
    assert (found.normal == [0, 1, 0]).all() and (np.diff(found.b) >= 0).all()
    assert pickle.loads(pickle.dumps(worlds[0])).manifolds().rows.tobytes() == found.rows.tobytes()


def test_refusals_name_the_row_and_change_nothing():
    world, ids = row_of_balls()
    before = world.state_hash
    calls = [
        (lambda: world.insert([BALL] * 2, extra_margin=[0, -1]), r"extra_margin\[1\]: is -1, must be finite and >= 0"),
        (lambda: world.insert(BALL, [[0, 0, 0], [np.nan, 0, 0]]), r"poses\[1\]"),
        (lambda: world.insert([BALL] * 2, moving=[True] * 3), "must be 1 or 3"),
        (lambda: world.insert([BALL] * 4, moving=[True] * 3), "moving: has shape"),
        (lambda: world.insert(BALL, memberships=-1), "memberships: is -1"),
        (lambda: world.insert(BALL, user_data=2**64), "user_data"),
        (lambda: world.set_poses(ids, np.full((3, 3), np.inf)), r"poses\[0\]"),
        (lambda: world.set_poses(ids, np.zeros((2, 3))), "poses: has 2 rows, must have 1 or 3"),
        (lambda: world.set_poses([99], [0, 0, 0]), r"^ids\[0\]: is 99, must be the id of a body in this world"),
        (lambda: world.set_velocities(ids, [np.nan, 0, 0, 0, 0, 0]), r"velocities\[0\]: number 0 is NaN"),
        (lambda: world.poses([3 * 2**32]), r"^ids\[0\]: is 12884901888, must be the id of a body"),
        (lambda: world.remove([*ids, 99]), r"^ids\[3\]: is 99, must be the id"),
        (lambda: world.remove(-1), r"^ids\[0\]: is -1, must be the id"),
        (lambda: world.set_groups([ids[0], 99], meets=1), r"^ids\[1\]: is 99, must be the id"),
        (lambda: world.ignore(ids[0], [ids[1], 99]), r"^b\[1\]: is 99, must be the id"),
        (lambda: world.ignore(ids, ids[[1, 1, 2]]), r"^b\[1\]: is the body that it is paired with"),
        (lambda: world.ignore(ids, ids[:2]), "^b: has 2 ids, must have 1 or 3"),
        (lambda: world.set_groups(ids, memberships=-1), "^memberships: is -1, must be from 0 to"),
        (lambda: world.set_moving(ids, "no"), "^moving: is 'no', must be True or False"),
        (lambda: world.set_shape(ids, 5), "^shape: is int, must be a shape of 3 dimensions"),
        (lambda: world.set_shape(ids, dim2.Shape.ball(1.0)), "^shape: is a shape of 2 dimensions, must be a shape of 3"),
        (lambda: world.insert(BALL, moving="no"), "^moving: has values of type <U2, must be bools"),
        (lambda: world.cast_rays([0, 0], [1, 0, 0]), r"^origins: has shape \(2,\)"),
        (lambda: world.cast_rays(np.zeros((2, 3)), np.ones((3, 3))), r"^directions: has shape \(3, 3\), must fit"),
        (lambda: world.cast_rays([0, 0, 0], [1, 0, 0], groups=(1,)), r"^groups: is \(1,\), must be two sets"),
        (lambda: world.cast_rays([0, 0, 0], [1, 0, 0], groups=(1, -1)), r"^groups\[1\]: is -1"),
        (lambda: world.near(BALL, nearest=-1), "^nearest: is -1, must be from 0"),
        (lambda: world.near(BALL, within=[1]), r"^within: is \[1\], must be a number"),
        (lambda: dim3.World(effort=-1), "^effort: is -1, must be from 0"),
        (lambda: world.step(-1.0), "dt is -1"),
        (lambda: world.restore(b"nothing"), "snapshot"),
        (lambda: world.contacts("all"), "of: is 'all'"),
        (lambda: world.cast_rays([0, 0, 0], [1, 0, 0], max_distance=-1), "max_distance is -1"),
        (lambda: dim3.World(margin=-1), "margin is -1"),
        (lambda: dim3.World(threads=0), "^threads: is 0, must be from 1"),
    ]
    for call, message in calls:
        with pytest.raises((ValueError, TypeError), match=message):
            call()
    assert world.state_hash == before


def test_threads_that_share_a_world_take_turns_or_are_refused():
    world = dim3.World(margin=0.1)
    ids = world.insert(BALL, np.random.default_rng(1).uniform(-4, 4, (2000, 3)), velocities=[1, 0, 0, 0, 0, 0])
    done, refused = [], []

    def step():
        for _ in range(20):
            try:
                world.step(0.01)
                done.append(True)
            except RuntimeError as error:
                refused.append(str(error))

    threads = [threading.Thread(target=step) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(done) + len(refused) == 80 and all("borrowed" in text for text in refused)
    # Each step that was made moved every body once.
    alone = dim3.World(margin=0.1)
    alone.insert(BALL, np.random.default_rng(1).uniform(-4, 4, (2000, 3)), velocities=[1, 0, 0, 0, 0, 0])
    for _ in done:
        alone.step(0.01)
    assert world.state_hash == alone.state_hash and len(ids) == 2000
