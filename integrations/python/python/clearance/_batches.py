"""Questions about many pairs of placed shapes in one call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._arrays import Floats, floats, number, poses, rows, threads_of, whole
from ._rows import AllRayHits, CastHits, Contacts, CrossingSegments, Distances, ManifoldPoints, RayHits, Rows
from ._shape import AnyShape, Choice, Shape3, native, natives, point

R = TypeVar("R", bound=Rows)
#: How many pairs of a matrix are measured at a time.
_BATCH = 1 << 16
#: One shape, a list of one for each question, or a `Choice`.
Shapes = Union[AnyShape, Sequence[AnyShape], Choice[Any]]
Side = tuple[str, list[Any], Union[NDArray[np.uint32], None], Floats, Union[int, None]]


class _Questions:
    """The sides of a batch, and how many questions it has."""

    def __init__(self, dim: int, cls: type[AnyShape], effort: int | None = None) -> None:
        self.dim = dim
        self.cls = cls
        self.effort = None if effort is None else whole("effort", effort, 0, 2**32 - 1)
        self.lengths: list[int] = []

    def counts(self, length: int, alone: bool) -> None:
        """Notes how many rows something has; what is alone has none of its own."""
        if not alone:
            self.lengths.append(length)

    def side(self, names: tuple[str, str], shapes: Shapes, given: ArrayLike | None) -> Side:
        """A side for the native half; ``names`` are those of the shapes and of the poses."""
        index = None
        if isinstance(shapes, AnyShape):
            found = [native(names[0], shapes, self.cls)]
        elif isinstance(shapes, Choice):
            found, index = natives(f"{names[0]}.shapes", shapes.shapes, self.cls), shapes.index
            self.counts(len(index), False)
        else:
            found = natives(names[0], shapes, self.cls)
            self.counts(len(found), False)
        placed, alone = poses(names[1], given, self.dim)
        self.counts(len(placed), alone)
        return names[1], found, index, placed, self.effort

    def rays(self, origins: ArrayLike, directions: ArrayLike) -> Floats:
        """Rays as rows that the native half reads: origin and direction."""
        first, second = floats("origins", origins), floats("directions", directions)
        for name, array in (("origins", first), ("directions", second)):
            if array.shape[-1:] != (self.dim,) or array.ndim > 2:
                raise ValueError(f"{name}: has shape {array.shape}, must be ({self.dim},) or (N, {self.dim})")
        try:
            rays = np.concatenate(np.broadcast_arrays(first, second), axis=-1)
        except ValueError:
            raise ValueError(f"directions: has shape {second.shape}, must fit that of origins, {first.shape}") from None
        self.counts(len(rays), rays.ndim == 1)
        return rays.reshape(-1, 2 * self.dim)

    @property
    def count(self) -> int:
        """How many questions there are: all that is listed has as many rows, or one."""
        if 0 in self.lengths:
            return 0
        return max(self.lengths, default=1)

    def rows(self, kind: type[R], dtype: np.dtype[Any], out: R | None) -> NDArray[Any]:
        """The rows that are to be written: those of ``out``, or new ones."""
        if out is None:
            return np.empty(self.count, dtype)
        if not isinstance(out, kind):
            raise TypeError(f"out: is {type(out).__name__}, must be {kind.__name__} that an earlier call returned")
        if out.rows.dtype != dtype or out.rows.size != self.count or out.rows.ndim > 1:
            found = f"{out.rows.shape} of {type(out).__name__}"
            raise ValueError(f"out: has rows {found}, must have ({self.count},) of what this call returns")
        if not (out.rows.flags.c_contiguous and out.rows.flags.writeable):
            raise ValueError("out: must be contiguous and writeable")
        return out.rows.reshape(self.count)

    def answer(self, kind: type[R], written: NDArray[Any], out: R | None) -> R:
        """The rows as an object; a single question that lists nothing has an answer without a dimension."""
        if out is not None:
            return out
        return kind(written if self.lengths else written.reshape(()))


def _class_of(argument: str, shapes: Shapes) -> type[AnyShape]:
    first: Any = shapes
    if isinstance(shapes, Choice):
        first = shapes.shapes[0] if shapes.shapes else None
    elif isinstance(shapes, Sequence) and len(shapes):
        first = shapes[0]
    if not isinstance(first, AnyShape):
        raise TypeError(f"{argument}: is {type(first).__name__}, must be a shape, shapes, or a Choice of them")
    return type(first)


def _pairs(
    a: Shapes, b: Shapes, given: tuple[ArrayLike | None, ArrayLike | None], effort: int | None
) -> tuple[_Questions, Side, Side]:
    cls = _class_of("a", a)
    questions = _Questions(cls.dim, cls, effort)
    side_a = questions.side(("a", "poses_a"), a, given[0])
    return questions, side_a, questions.side(("b", "poses_b"), b, given[1])


def sides_of_pairs(
    shapes: Sequence[Any], pairs: NDArray[np.int64], poses: Floats, row: NDArray[np.int64]
) -> tuple[Choice[Any], Choice[Any], Floats, Floats]:
    """What `distance` is asked about pairs of numbered shapes, some of which may be None, each pair in a row of poses (N, S, 4, 4)."""
    place = np.cumsum([shape is not None for shape in shapes]) - 1
    # Nothing is asked about no shapes, but what is asked about needs one.
    there = [shape for shape in shapes if shape is not None] or [Shape3.ball(1.0)]
    a, b = pairs.T
    return Choice(there, place[a]), Choice(there, place[b]), poses[row, a], poses[row, b]


def distance(
    a: Shapes,
    b: Shapes,
    poses_a: ArrayLike | None = None,
    poses_b: ArrayLike | None = None,
    *,
    within: float = np.inf,
    out: Distances | None = None,
    threads: int | None = None,
    effort: int | None = None,
) -> Distances:
    """Signed distances with proven bounds, closest points and normals of N pairs of placed shapes.

    Parameters
    ----------
    a, b
        The shapes: one for all questions, a list of one for each, or a `Choice` by numbers.
    poses_a, poses_b
        Where they are, in the frame of the world; one pose for all, or N. In space, rows ``x y z qx qy qz qw`` (N, 7), matrices
        (N, 4, 4) or positions (N, 3); in the plane, rows ``x y angle`` (N, 3), matrices (N, 3, 3) or positions (N, 2). A single
        matrix of the plane is given as (1, 3, 3), since (3, 3) are three rows. Angles are in radians, counter-clockwise. Positions count in double precision; rotations are rounded to single precision,
        and answers are those at the rounded pose. Left out, the pose is the identity.
    within
        Pairs that are proven to be farther apart than this are not measured further.
    out
        The answers of an earlier call of as many questions, which are written over.
    threads
        How many threads answer; one for each processor by default. Answers do not depend on it, to the last bit.
    effort
        How many pairs of boxes and parts of composites a question may look at in vain; 262,144 by default, which takes tens of milliseconds.
        Then it ends with the status ``ITERATION_LIMIT``, and the bounds hold. Shapes that are not told apart intersect.

    Returns
    -------
    Distances
        One row for each question; without a dimension where nothing is listed.

    Raises
    ------
    ValueError, TypeError
        With the name of the argument, and the row where there is one. Nothing is then written to ``out``.
    KeyboardInterrupt
        And whatever else the handler of a signal raises: about 50 ms after it, once the rows are answered that were begun. Rows of
        ``out`` are then written or left as they were, in no order.

    Notes
    -----
    The lock of the interpreter is released meanwhile; the arrays that are given must not be changed during the call. Costs some
    hundred nanoseconds for a pair of primitives, and the logarithm of the number of parts for composites.

    Examples
    --------
    >>> from clearance.dim3 import Shape, distance
    >>> far = distance(Shape.ball(1.0), Shape.cuboid([1, 1, 1]), None, [[3.0, 0, 0], [0, 5.0, 0]])
    >>> far.distance.tolist()
    [1.0, 3.0]
    >>> bool((far.lower <= far.distance).all() and (far.distance <= far.upper).all())
    True
    """
    questions, side_a, side_b = _pairs(a, b, (poses_a, poses_b), effort)
    written = questions.rows(Distances, questions.cls._layouts.distance, out)
    asked = number("within", within), threads_of(threads)
    questions.cls._class.distance(side_a, side_b, *asked, written.view(np.uint8))
    return questions.answer(Distances, written, out)


def intersects(
    a: Shapes,
    b: Shapes,
    poses_a: ArrayLike | None = None,
    poses_b: ArrayLike | None = None,
    *,
    threads: int | None = None,
    effort: int | None = None,
) -> NDArray[np.bool_]:
    """Whether N pairs of placed shapes have a point in common; shapes that only touch do.

    The parameters are those of `distance`. Faster than it, since the first plane between the shapes decides.

    Returns
    -------
    ndarray of bool
        Shape (N,).
    """
    questions, side_a, side_b = _pairs(a, b, (poses_a, poses_b), effort)
    written = np.empty(questions.count, np.bool_)
    questions.cls._class.intersects(side_a, side_b, threads_of(threads), written.view(np.uint8))
    return written if questions.lengths else written.reshape(())


def contacts(
    a: Shapes,
    b: Shapes,
    poses_a: ArrayLike | None = None,
    poses_b: ArrayLike | None = None,
    *,
    within: float = 0.0,
    threads: int | None = None,
    effort: int | None = None,
) -> Contacts:
    """All pairs of parts that are not farther apart than ``within``, of N pairs of placed shapes.

    The other parameters are those of `distance`. A shape that is no composite is its own part 0. ``complete`` says of each
    question whether the search came to its end; it is false only where masses of parts are nearly in contact.
    """
    questions, side_a, side_b = _pairs(a, b, (poses_a, poses_b), effort)
    options = (questions.count, number("within", within), threads_of(threads))
    found, complete = questions.cls._class.contacts("contacts", side_a, side_b, options)
    return Contacts(found.view(questions.cls._layouts.contact), complete)


def manifolds(
    a: Shapes,
    b: Shapes,
    poses_a: ArrayLike | None = None,
    poses_b: ArrayLike | None = None,
    *,
    within: float = 0.0,
    threads: int | None = None,
    effort: int | None = None,
) -> ManifoldPoints:
    """The points that stand for the regions in which parts touch: up to four a pair in space, two in the plane.

    The parameters are those of `contacts`.
    """
    questions, side_a, side_b = _pairs(a, b, (poses_a, poses_b), effort)
    options = (questions.count, number("within", within), threads_of(threads))
    found, complete = questions.cls._class.contacts("manifolds", side_a, side_b, options)
    return ManifoldPoints(found.view(questions.cls._layouts.manifold), complete)


def crossing_segments(
    a: Shapes,
    b: Shapes,
    poses_a: ArrayLike | None = None,
    poses_b: ArrayLike | None = None,
    *,
    threads: int | None = None,
    effort: int | None = None,
) -> CrossingSegments:
    """The curves in which meshes or height fields cross, as segments, of N pairs of placed shapes.

    The parameters are those of `contacts`. A segment is all that two triangles have in common, if that is more than a point; which
    have one is decided exactly. Where closed surfaces cross, the segments form closed curves: each starts where another one ends,
    in the same point unless an edge meets an edge, where the points are equal up to rounding. Surfaces that touch along a line have
    segments, too. Two triangles in one plane have none: the outline of the area that they share comes from the triangles beside it.

    Raises
    ------
    ValueError
        If a shape is neither a mesh nor a height field.

    Examples
    --------
    >>> from clearance.dim3 import Shape, crossing_segments
    >>> floor = Shape.mesh([[0, 0, 0], [4, 0, 0], [0, 4, 0]], [[0, 1, 2]])
    >>> wall = Shape.mesh([[1, 1, -1], [1, 1, 1], [2, 1, 1]], [[0, 1, 2]])
    >>> curve = crossing_segments(floor, wall)
    >>> (curve.start.tolist(), curve.end.tolist())
    ([[1.5, 1.0, 0.0]], [[1.0, 1.0, 0.0]])
    """
    questions, side_a, side_b = _pairs(a, b, (poses_a, poses_b), effort)
    options = (questions.count, 0.0, threads_of(threads))
    found, complete = questions.cls._class.contacts("crossings", side_a, side_b, options)
    return CrossingSegments(found.view(questions.cls._layouts.crossing), complete)


def closest_points(
    shape: Shapes,
    points: ArrayLike,
    poses: ArrayLike | None = None,
    *,
    within: float = np.inf,
    out: Distances | None = None,
    threads: int | None = None,
) -> Distances:
    """How far N points are from placed shapes, and the closest points of these.

    Parameters
    ----------
    shape, poses
        The shapes and their poses, as sides of `distance`.
    points
        Shape (N, D) or (D,), in the frame of the world, in double precision.
    within, out, threads
        As for `distance`.

    Returns
    -------
    Distances
        ``point_a`` is the point itself, ``point_b`` the closest one of the shape's surface. Inside a solid, ``distance`` is
        minus the depth. The normal points from the point to the shape.
    """
    cls = _class_of("shape", shape)
    questions = _Questions(cls.dim, cls)
    given = floats("points", points)
    if given.shape[-1:] != (cls.dim,) or given.ndim > 2:
        raise ValueError(f"points: has shape {given.shape}, must be ({cls.dim},) or (N, {cls.dim})")
    side_a = questions.side(("points", "points"), point(cls), given)
    side_b = questions.side(("shape", "poses"), shape, poses)
    written = questions.rows(Distances, cls._layouts.distance, out)
    cls._class.distance(side_a, side_b, number("within", within), threads_of(threads), written.view(np.uint8))
    return questions.answer(Distances, written, out)


def signed_distance(
    shape: Shapes, points: ArrayLike, poses: ArrayLike | None = None, *, threads: int | None = None
) -> NDArray[np.float32]:
    """How far N points are from placed shapes: negative inside. See `closest_points`."""
    # A copy, since a view would keep all that was found with it.
    return closest_points(shape, points, poses, threads=threads).distance.copy()


def contains(
    shape: Shapes, points: ArrayLike, poses: ArrayLike | None = None, *, threads: int | None = None
) -> NDArray[np.bool_]:
    """Whether placed shapes contain N points; those of the surface are contained. See `closest_points`.

    A mesh contains only the points of its surface unless it is solid.
    """
    near = closest_points(shape, points, poses, within=0.0, threads=threads)
    return np.asarray(near.distance <= 0.0)


def cast_rays(
    shape: Shapes,
    origins: ArrayLike,
    directions: ArrayLike,
    poses: ArrayLike | None = None,
    *,
    max_distance: float = np.inf,
    solid: bool = True,
    back_faces: bool = True,
    out: RayHits | None = None,
    threads: int | None = None,
) -> RayHits:
    """Where N rays hit placed shapes.

    Parameters
    ----------
    shape, poses
        The shapes and their poses, as sides of `distance`.
    origins
        Shape (N, D) or (D,), in the frame of the world, in double precision.
    directions
        Shape (N, D) or (D,); their lengths, which must not be zero, mean nothing. They are rounded to single precision, times a
        power of two where they are out of its range; the bounds are those of the rounded ray.
    max_distance
        A length along the ray, >= 0; a hit at exactly this distance counts.
    solid
        Whether a ray that starts inside hits at distance 0, rather than where it leaves.
    back_faces
        Whether surfaces are hit from behind, rather than passed through.
    out, threads
        As for `distance`.
    """
    cls = _class_of("shape", shape)
    questions = _Questions(cls.dim, cls)
    rays = questions.rays(origins, directions)
    side = questions.side(("shape", "poses"), shape, poses)
    written = questions.rows(RayHits, cls._layouts.ray, out)
    options = (number("max_distance", max_distance), bool(solid), bool(back_faces))
    cls._class.cast_rays(rays, side, options, threads_of(threads), written.view(np.uint8))
    return questions.answer(RayHits, written, out)


def cast_rays_all(
    shape: Shapes,
    origins: ArrayLike,
    directions: ArrayLike,
    poses: ArrayLike | None = None,
    *,
    max_distance: float = np.inf,
    solid: bool = True,
    back_faces: bool = True,
    threads: int | None = None,
) -> AllRayHits:
    """All that N rays hit of placed shapes: one row for each part, such as a triangle of a mesh, sorted by ray and distance.

    The parameters are those of `cast_rays`. A ray at an edge that triangles share hits each of them. Each hit is the answer of a ray for that
    part alone, so a ray that starts inside of a closed mesh has no hit at 0, whatever ``solid`` is: its triangles have no inside.

    Examples
    --------
    >>> from clearance.dim3 import Shape, cast_rays_all
    >>> tent = Shape.mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    >>> hits = cast_rays_all(tent, [[0.2, 0.3, -1], [5, 5, 5]], [0, 0, 1])
    >>> hits.question.tolist(), hits.distance.tolist(), hits.is_back_face.tolist()
    ([0, 0], [1.0, 1.5], [False, True])
    """
    cls = _class_of("shape", shape)
    questions = _Questions(cls.dim, cls)
    rays = questions.rays(origins, directions)
    side = questions.side(("shape", "poses"), shape, poses)
    options = (number("max_distance", max_distance), bool(solid), bool(back_faces), threads_of(threads))
    found = cls._class.cast_rays_all(rays, side, options, questions.count)
    return AllRayHits(found.view(cls._layouts.all_rays))


def distance_matrix(
    a: Shapes,
    b: Shapes,
    poses_a: ArrayLike | None = None,
    poses_b: ArrayLike | None = None,
    *,
    within: float = np.inf,
    threads: int | None = None,
    effort: int | None = None,
) -> Distances:
    """The distances of each of N placed shapes from each of M others: shape (N, M).

    The parameters are those of `distance`, which pairs them one by one instead.

    Examples
    --------
    >>> from clearance.dim3 import Shape, distance_matrix
    >>> posts = distance_matrix(Shape.ball(0.5), Shape.ball(1.0), [[0, 0, 0], [4, 0, 0]], [[2, 0, 0], [4, 3, 0], [9, 0, 0]])
    >>> posts.distance.tolist()
    [[0.5, 3.5, 7.5], [0.5, 1.5, 3.5]]
    """
    cls = _class_of("a", a)
    sides = [_one_by_one(cls, *side) for side in ((("a", "poses_a"), a, poses_a), (("b", "poses_b"), b, poses_b))]
    (choice_a, rows_a), (choice_b, rows_b) = sides
    found = np.empty((len(rows_a), len(rows_b)), cls._layouts.distance)
    size = max(_BATCH // max(len(rows_b), 1), 1)
    for first in range(0, len(rows_a), size):
        row, column = (place.ravel() for place in np.indices(found[first : first + size].shape))
        row += first
        near = distance(
            Choice(choice_a.shapes, choice_a.index[row]),
            Choice(choice_b.shapes, choice_b.index[column]),
            rows_a[row],
            rows_b[column],
            within=within,
            threads=threads,
            effort=effort,
        )
        found[first : first + size] = near.rows.reshape(found[first : first + size].shape)
    return Distances(found)


def _one_by_one(cls: type[AnyShape], names: tuple[str, str], shapes: Shapes, given: ArrayLike | None) -> tuple[Choice[Any], Floats]:
    """Which shape each row of a side has, and its pose in a form that is no list of numbers for one."""
    questions = _Questions(cls.dim, cls)
    _, found, index, placed, _ = questions.side(names, shapes, given)
    count = questions.count
    if any(length not in (1, count) for length in questions.lengths):
        raise ValueError(f"{names[1]}: there are {' and '.join(map(str, questions.lengths))} rows of shapes and poses")
    if index is None:
        index = np.arange(len(found), dtype=np.uint32)
    side = cls.dim + 1
    rows = np.broadcast_to(placed, (count, placed.shape[1]))
    if placed.shape[1] == side * side:
        rows = rows.reshape(count, side, side)
    listed = shapes.shapes if isinstance(shapes, Choice) else [shapes] if isinstance(shapes, AnyShape) else list(shapes)
    return Choice(listed, np.broadcast_to(index, (count,))), rows


def cast_shapes(
    a: Shapes,
    b: Shapes,
    poses_a: ArrayLike | None = None,
    poses_b: ArrayLike | None = None,
    *,
    motions_a: ArrayLike | None = None,
    motions_b: ArrayLike | None = None,
    within: float = 0.0,
    leaving: str = "hit",
    out: CastHits | None = None,
    threads: int | None = None,
    effort: int | None = None,
) -> CastHits:
    """When N pairs of shapes in motion first meet, with proven times.

    Parameters
    ----------
    a, b, poses_a, poses_b, out, threads, effort
        As for `distance`; the poses are those at time 0.
    motions_a, motions_b
        How they move from time 0 to time 1: rows ``dx dy dz rx ry rz`` (N, 6) in space, ``dx dy angle`` (N, 3) in the plane. The
        first numbers are how far the shape goes; the others how far it turns about the origin of its pose, in radians, along
        the axis in the frame of the world. Left out, it rests.
    within
        The distance that counts as met, >= 0.
    leaving
        What happens to shapes that are as near as that at the start: ``"hit"`` at time 0, ``"pass"`` if they move apart, or
        ``"ignore"`` them.
    """
    questions, side_a, side_b = _pairs(a, b, (poses_a, poses_b), effort)
    width = 6 if questions.dim == 3 else 3
    motions = []
    for name, given in (("motions_a", motions_a), ("motions_b", motions_b)):
        motion = np.zeros((1, width)) if given is None else rows(name, given, width)
        questions.counts(len(motion), given is None or np.ndim(given) == 1)
        motions.append(motion)
    written = questions.rows(CastHits, questions.cls._layouts.cast, out)
    options = (number("within", within), f"{leaving}", threads_of(threads))
    both = (motions[0], motions[1])
    questions.cls._class.cast_shapes(side_a, side_b, both, options, written.view(np.uint8))
    return questions.answer(CastHits, written, out)
