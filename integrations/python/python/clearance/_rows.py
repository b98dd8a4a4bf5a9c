"""Answers as arrays: the rows that the native half writes, and views of their fields."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from typing_extensions import Self

T = TypeVar("T", bound=np.generic)
Dtype = np.dtype[Any]


class Status(IntEnum):
    """How a distance was found, and how precise it is."""

    EXACT = 0
    """By a closed form: the bounds differ by rounding errors only."""
    CONVERGED = 1
    """By iteration, until the bounds were close enough."""
    ITERATION_LIMIT = 2
    """By a search that had to stop early. The bounds hold, but are farther apart. Where it found no parts that count before that,
    nothing but ``lower`` is known."""
    SATURATED = 3
    """A number is beyond the range of single precision. The bounds hold; one of them may be infinite."""
    FARTHER = 4
    """Not measured: proven to be farther apart than was asked, or nothing is hit. Only ``lower`` is known."""
    UNBOUNDED = 5
    """Two half-spaces whose overlap has no end."""


class EventKind(IntEnum):
    """What changed for a pair of bodies in the last step."""

    ENTERED = 0
    """The bodies came within the margin."""
    BEGAN = 1
    """They began to touch."""
    STAYED = 2
    """They touched before and still do."""
    ENDED = 3
    """They no longer touch."""
    LEFT = 4
    """They are no longer within the margin."""


def _record(dim: int, before: list[str], middle: list[str], after: list[str]) -> Dtype:
    """The dtype of rows as ``src/rows.rs`` writes them: fields without gaps, the row padded to eight bytes."""
    kinds: dict[str, tuple[str, int]] = {
        "question": ("i8", 1), "body": ("i8", 1), "a": ("i8", 1), "b": ("i8", 1),
        "user_data_a": ("u8", 1), "user_data_b": ("u8", 1),
        "point_a": ("f8", dim), "point_b": ("f8", dim), "point": ("f8", dim), "start": ("f8", dim), "end": ("f8", dim), "normal": ("f4", dim),
        "distance": ("f4", 1), "lower": ("f4", 1), "upper": ("f4", 1),
        "time": ("f4", 1), "time_lower": ("f4", 1), "time_upper": ("f4", 1),
        "part_a": ("i4", 1), "part_b": ("i4", 1), "part": ("i4", 1), "feature_a": ("i4", 1), "feature_b": ("i4", 1),
        "before": ("i4", 1),
        "status": ("u1", 1), "time_status": ("u1", 1), "kind": ("u1", 1),
        "hit": ("?", 1), "is_back_face": ("?", 1),
        "rule": ("i4", 1), "group": ("i4", 1), "inner": ("u1", 1), "proven": ("?", 1), "allowed": ("?", 1),
    }  # fmt: skip
    names, formats, offsets, end = [], [], [], 0
    for name in before + middle + after:
        code, count = kinds[name]
        one = np.dtype(code)
        if name == "time":
            end = -(-end // 4) * 4
        names.append(name)
        formats.append(code if count == 1 else f"{count}{code}")
        offsets.append(end)
        end += count * one.itemsize
    layout = {"names": names, "formats": formats, "offsets": offsets, "itemsize": -(-end // 8) * 8}
    return np.dtype(layout)  # type: ignore[call-overload, no-any-return]


_SEPARATION = ["point_a", "point_b", "distance", "lower", "upper", "normal", "part_a", "part_b", "status"]
_RAY = ["point", "distance", "lower", "upper", "normal", "part", "hit", "is_back_face", "status"]
_CAST = [*_SEPARATION, "hit", "time_status", "time", "time_lower", "time_upper"]
_POINT = ["point_a", "point_b", "distance", "normal", "part_a", "part_b", "feature_a", "feature_b"]


class Layouts:
    """The dtypes of all answers of a dimension."""

    def __init__(self, dim: int) -> None:
        def record(before: list[str], middle: list[str], after: list[str] | None = None) -> Dtype:
            return _record(dim, before, middle, after or [])

        self.distance = record([], _SEPARATION)
        self.contact = record(["question"], _SEPARATION)
        self.manifold = record(["question"], _POINT)
        self.crossing = record(["question"], ["part_a", "part_b", "start", "end"])
        self.ray = record([], _RAY)
        self.all_rays = record(["question"], _RAY)
        self.cast = record([], _CAST)
        self.body_contact = record(["a", "b"], _SEPARATION)
        self.body_manifold = record(["a", "b"], _POINT, ["before"])
        self.event = record(["a", "b", "user_data_a", "user_data_b"], _SEPARATION, ["kind"])
        self.body_ray = record(["body"], _RAY)
        self.body_cast = record(["body"], _CAST)
        self.body_near = record(["question", "body"], _SEPARATION)


def clash_record() -> Dtype:
    """The dtype of clashes."""
    middle = ["point_a", "point_b", "distance", "lower", "upper", "normal"]
    return _record(3, ["a", "b"], middle, ["rule", "group", "kind", "inner", "proven", "allowed"])


class Column(Generic[T]):
    """A field of all rows, as a view: nothing is copied."""

    def __init__(self, doc: str) -> None:
        self.__doc__ = doc

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, of: None, owner: type) -> Self: ...
    @overload
    def __get__(self, of: Rows, owner: type) -> NDArray[T]: ...
    def __get__(self, of: Rows | None, owner: type) -> Self | NDArray[T]:
        return self if of is None else of.rows[self._name]


class Rows:
    """Answers, one row each.

    ``rows`` is a structured array; the attributes are views of its fields. Slices and masks select rows.
    """

    __slots__ = ("rows",)

    def __init__(self, rows: NDArray[Any]) -> None:
        self.rows = rows

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, selected: Any) -> Self:
        # A single row stays an array, which has no length.
        return type(self)(np.asarray(self.rows[selected]))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.rows!r})"

    def __reduce__(self) -> tuple[type[Self], tuple[Any, ...]]:
        return type(self), (self.rows,)


class Measured(Rows):
    """Answers with a status."""

    __slots__ = ()

    status: Column[np.uint8] = Column("How the distance was found: see `Status`.")

    @property
    def status_name(self) -> NDArray[np.str_]:
        """The names of the status: ``"EXACT"``, ``"CONVERGED"`` and so on."""
        return np.asarray(np.array([status.name for status in Status])[self.status])


class Separations(Measured):
    """Signed distances with proven bounds, closest points, normals and parts.

    The true distance of the shapes, at the poses as they were read (rotations in single precision), lies between ``lower``
    and ``upper``.
    """

    __slots__ = ()

    distance: Column[np.float32] = Column(
        "The gap if positive, minus the penetration depth if negative; in units of length. Infinite where ``status`` is "
        "``FARTHER``, minus infinity where it is ``UNBOUNDED``."
    )
    lower: Column[np.float32] = Column("The true distance is at least this.")
    upper: Column[np.float32] = Column("The true distance is at most this.")
    point_a: Column[np.float64] = Column("The closest point of a, or the deepest in b; (N, D), in the frame of the world.")
    point_b: Column[np.float64] = Column("The closest point of b, or the deepest in a; (N, D), in the frame of the world.")
    normal: Column[np.float32] = Column("The unit vector from a to b; (N, D). Moving b along it increases the distance.")
    part_a: Column[np.int32] = Column("The number of the part of a: the triangle of a mesh, say. -1 where nothing was measured.")
    part_b: Column[np.int32] = Column("The number of the part of b.")


class Distances(Separations):
    """The answers of `distance`, one row for each question."""

    __slots__ = ()


class CastHits(Separations):
    """When shapes in motion first meet, and their distance then."""

    __slots__ = ()

    hit: Column[np.bool_] = Column("Whether they meet; a miss is proven.")
    time: Column[np.float32] = Column("The first time at which they do, from 0 to 1; infinite for a miss.")
    time_lower: Column[np.float32] = Column("Before this time they are proven to be farther apart than asked.")
    time_upper: Column[np.float32] = Column("Not later than this they are as near as asked.")
    time_status: Column[np.uint8] = Column("How the time was found: see `Status`.")


class RayHits(Measured):
    """Where rays hit."""

    __slots__ = ()

    hit: Column[np.bool_] = Column("Whether the ray hits; a miss is proven.")
    distance: Column[np.float32] = Column("The length of the ray up to the hit, in units of length; infinite for a miss.")
    lower: Column[np.float32] = Column("The true distance is at least this.")
    upper: Column[np.float32] = Column("The true distance is at most this.")
    point: Column[np.float64] = Column("The place of the hit; (N, D), in the frame of the world.")
    normal: Column[np.float32] = Column("The unit normal on the side of the ray; (N, D). NaN where a ray starts inside.")
    part: Column[np.int32] = Column("The number of the part that is hit; -1 where there is none.")
    is_back_face: Column[np.bool_] = Column("Whether the surface is hit from behind.")


class AllRayHits(RayHits):
    """All that rays hit, sorted by ray and distance."""

    __slots__ = ()

    question: Column[np.int64] = Column("The number of the ray.")


class Listed(Rows):
    """Any number of rows for each question."""

    __slots__ = ("complete",)

    question: Column[np.int64] = Column("The number of the question.")

    def __init__(self, rows: NDArray[Any], complete: NDArray[np.bool_] | None = None) -> None:
        super().__init__(rows)
        #: Of each question whether all that it asks for is listed, shape (N,). Of a selection it is None: not all is listed there.
        self.complete = complete

    def __reduce__(self) -> tuple[type[Self], tuple[Any, ...]]:
        return type(self), (self.rows, self.complete)


class Contacts(Listed, Separations):
    """All pairs of parts within a distance, sorted by question and parts."""

    __slots__ = ()


class CrossingSegments(Listed):
    """Where triangles cross, sorted by question and parts: segments of curves in space."""

    __slots__ = ()

    part_a: Column[np.int32] = Column("The number of the triangle of a.")
    part_b: Column[np.int32] = Column("The number of the triangle of b.")
    start: Column[np.float64] = Column("One end; (N, 3), in the frame of the world.")
    end: Column[np.float64] = Column("The other one, along the cross product of the normals of a and b from the start; (N, 3).")


class ManifoldPoints(Listed):
    """Points that stand for the regions in which parts touch, sorted by question and parts."""

    __slots__ = ()

    distance: Column[np.float32] = Column("The distance of the surfaces at this point, along the normal.")
    point_a: Column[np.float64] = Column("The point on a; (N, D), in the frame of the world.")
    point_b: Column[np.float64] = Column("The point on b; (N, D), in the frame of the world.")
    normal: Column[np.float32] = Column("The unit vector from a to b; (N, D).")
    part_a: Column[np.int32] = Column("The number of the part of a.")
    part_b: Column[np.int32] = Column("The number of the part of b.")
    feature_a: Column[np.int32] = Column("Which face, edge or corner of a the point lies on.")
    feature_b: Column[np.int32] = Column("Which face, edge or corner of b the point lies on.")

    def __init__(self, rows: NDArray[Any], complete: NDArray[np.bool_] | None = None) -> None:
        super().__init__(rows)
        #: Of each question whether all that it asks for is listed; shape (N,).
        self.complete = complete


class BodyContacts(Separations):
    """The pairs of bodies of a world that are within the margin, sorted by their ids."""

    __slots__ = ()

    a: Column[np.int64] = Column("The id of the first body.")
    b: Column[np.int64] = Column("The id of the second body, which is greater in its slot.")


class BodyManifoldPoints(ManifoldPoints):
    """Points that stand for the regions in which bodies touch, sorted by their ids and by parts."""

    __slots__ = ()

    a: Column[np.int64] = Column("The id of the first body.")
    b: Column[np.int64] = Column("The id of the second body, which is greater in its slot.")
    before: Column[np.int32] = Column(
        "Which point of the same bodies and parts in the step before it goes on from, counted from 0; -1 for none."
    )


class Events(BodyContacts):
    """What changed in the last step."""

    __slots__ = ()

    kind: Column[np.uint8] = Column("What changed: see `EventKind`.")
    user_data_a: Column[np.uint64] = Column("The user data of body a, also where it was removed.")
    user_data_b: Column[np.uint64] = Column("The user data of body b, also where it was removed.")


#: The ``body`` of a ray or a cast that meets none.
NO_BODY = -1


class BodyRayHits(RayHits):
    """The first body that each ray hits."""

    __slots__ = ()

    body: Column[np.int64] = Column("The id of the body; `NO_BODY` for a miss.")


class BodyCastHits(CastHits):
    """The first body that each shape in motion meets."""

    __slots__ = ()

    body: Column[np.int64] = Column("The id of the body; `NO_BODY` for a miss.")


class BodySeparations(Separations):
    """Bodies that were found near something, which is side a."""

    __slots__ = ()

    question: Column[np.int64] = Column("The number of the question.")
    body: Column[np.int64] = Column("The id of the body, which is side b.")
