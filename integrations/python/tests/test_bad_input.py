"""Whatever is given, the answer is an array or an exception that is meant: never a panic."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from clearance import dim2, dim3
from clearance.clash import Assembly
from clearance.robot import Joint, Link, Robot

MEANT = (ValueError, TypeError, OverflowError)
NUMBERS = st.one_of(
    st.floats(width=64),
    st.sampled_from([0.0, -0.0, 1.0, -1.0, np.nan, np.inf, -np.inf, 1e-300, 5e-324, 1e38, 3.5e38, 1e300]),
)
DTYPES = st.sampled_from(["f8", "f4", ">f8", ">i4", "i8", "u1", "?", "c16", "U3", "O", "M8[s]"])
SHAPES = st.one_of(
    arrays.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=7),
    st.sampled_from([(3,), (7,), (1, 3), (2, 3), (2, 7), (2, 4, 4), (2, 3, 3), (4, 4), (0, 7), (2, 2), (2, 6)]),
)


@st.composite
def any_array(draw):
    """Arrays of any shape, type and layout, and what is no array."""
    if draw(st.integers(0, 9)) == 0:
        return draw(st.sampled_from([None, "poses", {}, [[1, 2], [3]], object(), 17, [], float("nan")]))
    shape, dtype = draw(SHAPES), draw(DTYPES)
    numbers = draw(arrays.arrays(np.float64, shape, elements=NUMBERS, fill=st.just(0.5)))
    with np.errstate(all="ignore"):
        try:
            array = numbers.astype(dtype)
        except (ValueError, TypeError, OverflowError):
            array = numbers
    layout = draw(st.integers(0, 3))
    if layout == 1:
        array = np.asfortranarray(array)
    elif layout == 2 and array.ndim:
        array = np.repeat(array, 2, axis=0)[::2]
    elif layout == 3:
        array.flags.writeable = False
    return array


def asked(call, *given, **named):
    try:
        return call(*given, **named)
    except MEANT as problem:
        assert str(problem)
        return None


CALLS = {
    "distance": lambda module, a, b, x, y: module.distance(a, b, x, y),
    "within": lambda module, a, b, x, y: module.distance(a, b, within=x),
    "intersects": lambda module, a, b, x, y: module.intersects(a, b, x, y),
    "contacts": lambda module, a, b, x, y: module.contacts(a, b, x, y, within=0.1),
    "manifolds": lambda module, a, b, x, y: module.manifolds(a, b, x, y, within=0.1),
    "points": lambda module, a, b, x, y: module.closest_points(a, x, y),
    "rays": lambda module, a, b, x, y: module.cast_rays(a, x, y),
    "casts": lambda module, a, b, x, y: module.cast_shapes(a, b, motions_a=x, motions_b=y),
    "hull": lambda module, a, b, x, y: module.Shape.hull(x),
    "points of": lambda module, a, b, x, y: module.Shape.points(x, y),
    "polyline": lambda module, a, b, x, y: module.Shape.polyline(x, y),
    "voxels": lambda module, a, b, x, y: module.Shape.voxels(x, y),
    "cuboid": lambda module, a, b, x, y: module.Shape.cuboid(x),
    "scaled": lambda module, a, b, x, y: a.scaled(x),
    "compound": lambda module, a, b, x, y: module.Shape.compound([a, b], x),
    "choice": lambda module, a, b, x, y: module.distance(module.Choice([a, b], x), b, y),
    "mesh": lambda module, a, b, x, y: dim3.Shape.mesh(x, y),
    "field": lambda module, a, b, x, y: dim3.Shape.height_field(x, y),
    "insert": lambda module, a, b, x, y: module.World().insert(a, x, velocities=y),
    "insert many": lambda module, a, b, x, y: module.World().insert([a, b], moving=x, user_data=y),
    "set poses": lambda module, a, b, x, y: module.World().set_poses(x, y),
}


@settings(max_examples=600, deadline=None)
@given(st.sampled_from(sorted(CALLS)), st.booleans(), any_array(), any_array())
def test_any_arrays_are_answered_or_refused(name, is_plane, x, y):
    module = dim2 if is_plane else dim3
    dim = module.Shape.dim
    a, b = module.Shape.capsule(0.5, 0.25), module.Shape.hull(np.vstack([np.eye(dim), -np.eye(dim)]))
    asked(CALLS[name], module, a, b, x, y)


@settings(max_examples=150, deadline=None)
@given(any_array(), st.floats(allow_nan=True))
def test_any_configurations_are_answered_or_refused(configurations, tolerance):
    ball = dim3.Shape.ball(0.1)
    slide = Joint("slide", "a", "b", kind="prismatic", limits=(-1, 1))
    robot = Robot([Link("a", ball), Link("b"), Link("c", ball)], [slide, Joint("turn", "b", "c", origin=np.eye(4))])
    asked(robot.self_clearance, configurations)
    asked(robot.trajectory_clearance, configurations, tolerance=tolerance, most=1000)


def _of_bytes():
    cloud = np.vstack([np.eye(3), -np.eye(3)])
    shapes = [dim3.Shape.ball(1.0), dim3.Shape.hull(cloud), dim3.Shape.mesh(cloud, [[0, 1, 2], [3, 4, 5]])]
    shapes += [dim3.Shape.voxels(np.eye(3, dtype=int), [1, 1, 1]), dim3.Shape.compound(shapes[:2])]
    world = dim3.World(part_contacts=True)
    world.insert(shapes, [[k, 0, 0] for k in range(5)])
    world.step(0.01)
    return [shape._native.to_bytes() for shape in shapes], world.snapshot()


SHAPE_BYTES, SNAPSHOT = _of_bytes()


@st.composite
def changed(draw, kept):
    """Bytes that were valid, with some of them changed, left out or put in."""
    stored = bytearray(draw(kept))
    for _ in range(draw(st.integers(1, 4))):
        # The first bytes only say what the others are.
        place = draw(st.integers(min(30, len(stored) - 1), len(stored) - 1))
        how = draw(st.integers(0, 3))
        if how == 0:
            del stored[place:]
        elif how == 1:
            stored.insert(place, draw(st.integers(0, 255)))
        else:
            stored[place] = draw(st.integers(0, 255))
    return bytes(stored)


@settings(max_examples=400, deadline=None)
@given(changed(st.sampled_from(SHAPE_BYTES)))
def test_changed_shapes_are_refused_or_answer(stored):
    try:
        shape = dim3.Shape(dim3.Shape._class.from_bytes(stored))
    except ValueError as problem:
        assert "stored shape" in str(problem)
        return
    # What is read is a shape that could have been made: it is stored as itself, and it can be asked.
    assert dim3.Shape._class.from_bytes(shape._native.to_bytes()) == shape._native
    near = dim3.distance(shape, dim3.Shape.ball(0.5), None, [9, 0, 0])
    assert not near.lower > near.upper


@settings(max_examples=300, deadline=None)
@given(changed(st.just(SNAPSHOT)))
def test_changed_snapshots_are_refused_or_worlds_go_on(stored):
    world = dim3.World(part_contacts=True)
    before = world.state_hash
    try:
        world.restore(stored)
    except ValueError as problem:
        assert str(problem).startswith("snapshot: ")
        assert world.state_hash == before
        return
    asked(world.step, 0.01)


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=60))
def test_any_bytes_are_refused(stored):
    for call in (dim3.World().restore, dim3.Shape._class.from_bytes, lambda text: dim3.Shape.from_record(text.decode("latin-1"))):
        with pytest.raises(ValueError, match="[a-z]"):
            call(stored)


def test_the_row_that_is_wrong_is_named_whatever_the_threads():
    poses = np.zeros((5000, 7))
    poses[:, 6] = 1.0
    poses[4000, 6] = 1.01
    poses[777, 1] = np.inf
    ball = dim3.Shape.ball(1.0)
    for threads in (1, 2, 4):
        with pytest.raises(ValueError, match=r"^poses_b\[777\]: translation\[1\] is inf, must be finite"):
            dim3.distance(ball, ball, None, poses, threads=threads)
    poses[777, 1] = 0.0
    with pytest.raises(ValueError, match=r"^poses_b\[4000\]: rotation has length 1\.0099"):
        dim3.distance(ball, ball, None, poses)


PAIR = [Link("a"), Link("b", dim3.Shape.ball(1.0))], [Joint("turn", "a", "b")]
LISTS = {
    "links": lambda given: Robot(given, []),
    "joints": lambda given: Robot(PAIR[0], given),
    "allowed": lambda given: Robot(*PAIR, allowed=given),
    "pairs": lambda given: Robot(*PAIR).allowing(given),
    "touching": lambda given: Robot(*PAIR).with_body("c", dim3.Shape.ball(1.0), touching=given),
    "values": lambda given: Robot(*PAIR).configuration(given),
    "names": lambda given: Assembly.from_arrays(given, dim3.Shape.ball(1.0)),
    "shapes": lambda given: Assembly.from_arrays(["wall"], given),
    "shapes ": lambda given: dim3.Choice(given, [0]),
    "parts": lambda given: dim3.Shape.compound(given),
    "holes": lambda given: dim2.Shape.polygon([[0, 0], [1, 0], [0, 1]], given),
    "palette": lambda given: dim3.Shape.tiles([[0, 0, 0]], [1, 1, 1], [1], given),
}


@pytest.mark.parametrize("argument", LISTS)
def test_what_is_no_list_is_refused_by_its_name(argument):
    # A string is a list of letters for Python, and never meant.
    for given in (5, 1.5, "ab", object(), np.float64(1.0), [5], [None], [object()]):
        if argument == "names" and isinstance(given, list):
            continue
        # Pairs that are added are among those that are allowed then.
        names = f"^({argument.strip()}|allowed)" if argument == "pairs" else f"^{argument.strip()}"
        with pytest.raises((TypeError, ValueError), match=names):
            LISTS[argument](given)
