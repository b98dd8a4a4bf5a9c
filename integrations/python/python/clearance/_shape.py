"""Shapes of both dimensions."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _clearance
from ._arrays import factors as factors_of
from ._arrays import pose as one_pose
from ._arrays import floats, listed, number, poses, rows, vector, whole, wholes
from ._clearance import Nearest
from ._rows import Layouts

if TYPE_CHECKING:
    from typing_extensions import Self

S = TypeVar("S", bound="AnyShape")


@dataclass(frozen=True)
class MassProperties:
    """How heavy a shape is, and how its mass is spread.

    Attributes
    ----------
    volume
        The volume; the area in the plane.
    mass
        The volume times the density.
    center_of_mass
        (D,), in the frame of the shape.
    inertia
        About the centre of mass: (3, 3) in space, a number in the plane.
    """

    volume: float
    mass: float
    center_of_mass: NDArray[np.float64]
    inertia: NDArray[np.float64] | float


@dataclass(frozen=True)
class SelfCrossings:
    """Where a mesh crosses itself.

    Attributes
    ----------
    parts
        The numbers of two triangles that cross, the lesser first, sorted; shape (M, 2).
    complete
        Whether all are listed; false where the search ended at its effort.
    """

    parts: NDArray[np.uint32]
    complete: bool


class AnyShape:
    """A shape, in the frame of its body. It never changes; it can be compared, copied and pickled.

    A pickle is read by the version that wrote it only; the records of `to_record` last. Coordinates are rounded to single precision once, when the shape is made. Lengths are in any unit, the same for all.
    """

    __slots__ = ("_native",)
    #: The number of dimensions, 2 or 3.
    dim: ClassVar[int]
    _class: ClassVar[Any]
    _layouts: ClassVar[Layouts]

    def __init__(self, native: Any = None, /) -> None:
        if not isinstance(native, self._class):
            raise TypeError(f"{type(self).__name__}: is made by its named constructors, such as ball(radius)")
        self._native = native

    @classmethod
    def from_record(cls, record: Mapping[str, Any] | str, *, folder: str | os.PathLike[str] | None = None) -> Self:
        """The shape of a record, as the files of the command have it.

        Parameters
        ----------
        record
            JSON text or what it stands for, such as ``{"type": "ball", "radius": 0.5}``.
        folder
            The folder that the ``path`` of a mesh is relative to; without it no file is read.

        Raises
        ------
        ValueError
            With the field that is wrong, its value, and what would be valid.
        """
        text = record if isinstance(record, str) else json.dumps(record)
        return cls(cls._class.from_record(text, None if folder is None else os.fspath(folder)))

    def to_record(self) -> dict[str, Any]:
        """The record from which `from_record` makes an equal shape."""
        record: dict[str, Any] = json.loads(self._native.record())
        return record

    @classmethod
    def _of(cls, kind: str, **fields: Any) -> Self:
        """The shape of a record of numbers and arrays."""
        record: dict[str, Any] = {"type": kind}
        for name, value in fields.items():
            if isinstance(value, dict):
                record[name] = value
                continue
            numbers = floats(name, value)
            if not np.isfinite(numbers).all():
                raise ValueError(f"{name}: is {numbers.tolist()}, must be finite")
            record[name] = numbers.tolist()
        return cls.from_record(record)

    @classmethod
    def ball(cls, radius: float) -> Self:
        """A sphere or circle of ``radius`` > 0 about the origin."""
        return cls._of("ball", radius=radius)

    @classmethod
    def cuboid(cls, half_extents: ArrayLike) -> Self:
        """A box or rectangle about the origin; ``half_extents`` are half the lengths of its sides, shape (D,), each > 0."""
        return cls._of("cuboid", half_extents=half_extents)

    @classmethod
    def capsule(cls, half_length: float, radius: float) -> Self:
        """All points within ``radius`` > 0 of the segment from -``half_length`` to +``half_length`` on the y axis."""
        return cls._of("capsule", half_length=half_length, radius=radius)

    @classmethod
    def tapered_capsule(cls, half_length: float, radius_top: float, radius_bottom: float) -> Self:
        """The hull of a ball at y = +``half_length`` and one at y = -``half_length``."""
        return cls._of("tapered_capsule", half_length=half_length, radius_top=radius_top, radius_bottom=radius_bottom)

    @classmethod
    def segment(cls, a: ArrayLike, b: ArrayLike) -> Self:
        """The line from point ``a`` to point ``b``, shape (D,) each; a point where both are equal."""
        return cls._of("segment", a=a, b=b)

    @classmethod
    def triangle(cls, a: ArrayLike, b: ArrayLike, c: ArrayLike) -> Self:
        """The filled triangle of three corners, shape (D,) each."""
        return cls._of("triangle", a=a, b=b, c=c)

    @classmethod
    def ellipsoid(cls, radii: ArrayLike) -> Self:
        """The ellipsoid or ellipse with these half axes, shape (D,), each > 0."""
        return cls._of("ellipsoid", radii=radii)

    @classmethod
    def half_space(cls, normal: ArrayLike) -> Self:
        """All points x with ``normal`` · x <= 0; the normal, of length 1, points out of the solid side."""
        return cls._of("half_space", normal=normal)

    @classmethod
    def hull(cls, points: ArrayLike) -> Self:
        """The convex hull of points, shape (N, D) with N >= 1."""
        return cls(cls._class.of_points("hull", rows("points", points, cls.dim), 0.0))

    @classmethod
    def points(cls, points: ArrayLike, radius: float = 0.0) -> Self:
        """A cloud: part i is the ball of ``radius`` >= 0 about point i; shape (N, D) with N >= 1."""
        return cls(cls._class.of_points("points", rows("points", points, cls.dim), number("radius", radius)))

    @classmethod
    def polyline(cls, vertices: ArrayLike, segments: ArrayLike | None = None) -> Self:
        """A chain of segments.

        Parameters
        ----------
        vertices
            Shape (N, D) with N >= 2.
        segments
            The two vertices of each segment, counted from 0, shape (M, 2). If left out, each vertex is joined to the next.
        """
        corners = rows("vertices", vertices, cls.dim)
        if segments is None:
            return cls(cls._class.of_points("polyline", corners, 0.0))
        pairs = _indices("segments", segments, 2)
        if cls.dim == 2:
            return cls(cls._class.surface(corners, pairs.reshape(-1)))
        return cls.from_record({"type": "polyline", "vertices": corners.tolist(), "segments": pairs.tolist()})

    @classmethod
    def voxels(cls, cells: ArrayLike, size: ArrayLike) -> Self:
        """Filled cells of a grid.

        Parameters
        ----------
        cells
            Whole numbers, shape (N, D): cell (i, j, k) is the box from (i, j, k) to (i + 1, j + 1, k + 1), times ``size``. Or a
            mask of bools with D dimensions, whose true entries are the cells.
        size
            The lengths of the sides of a cell, shape (D,), each > 0.
        """
        given = np.asarray(cells)
        if given.dtype == np.bool_ and given.ndim == cls.dim:
            given = np.argwhere(given)
        if given.ndim != 2 or given.shape[1] != cls.dim:
            raise ValueError(f"cells: has shape {given.shape}, must be (N, {cls.dim})")
        numbers = wholes("cells", given, np.int32)
        return cls(cls._class.voxels(vector("size", size, cls.dim), numbers.reshape(-1)))

    @classmethod
    def tiles(
        cls,
        cells: ArrayLike,
        size: ArrayLike,
        tiles: ArrayLike,
        palette: Sequence[Mapping[str, Any] | AnyShape],
    ) -> Self:
        """Voxels some of whose cells have another convex shape.

        Parameters
        ----------
        cells, size
            As for `voxels`; cells are whole numbers of shape (N, D).
        tiles
            For each cell 0 for a whole one, or k for entry k of the palette, counted from 1; shape (N,).
        palette
            Shapes in the frame of the least corner of a cell, or records with ``shape``, ``user`` and ``one_way``.
        """
        entries = listed("palette", palette, "shapes or records")
        for k, entry in enumerate(entries):
            if not isinstance(entry, (Mapping, AnyShape)):
                raise TypeError(f"palette[{k}]: is {type(entry).__name__}, must be a shape or a record")
            entries[k] = dict(entry) if isinstance(entry, Mapping) else {"shape": entry.to_record()}
        record = {
            "type": "voxels",
            "size": vector("size", size, cls.dim).tolist(),
            "cells": wholes("cells", cells, np.int32).tolist(),
            "tiles": wholes("tiles", tiles, np.uint8).tolist(),
            "palette": entries,
        }
        return cls.from_record(record)

    @classmethod
    def compound(cls, parts: Iterable[Self], poses_of_parts: ArrayLike | None = None) -> Self:
        """Several shapes as one: any kind but half-spaces.

        Parameters
        ----------
        parts
            The shapes, at least one. A composite contributes all its parts.
        poses_of_parts
            The pose of each in the compound, in any form that `distance` takes; identities if left out.
        """
        shapes = natives("parts", parts, cls)
        placed, _ = poses("poses_of_parts", poses_of_parts, cls.dim)
        if len(placed) == 1:
            placed = np.ascontiguousarray(np.broadcast_to(placed, (len(shapes), placed.shape[1])))
        if len(placed) != len(shapes):
            raise ValueError(f"poses_of_parts: has {len(placed)} rows, must have 1 or {len(shapes)}")
        return cls(cls._class.compound(shapes, placed))

    def rounded(self, radius: float) -> Self:
        """All points within ``radius`` > 0 of a shape that is no composite."""
        return type(self)(self._native.rounded(number("radius", radius)))

    def scaled(self, factors: ArrayLike) -> Self:
        """The shape scaled about its origin, by one factor or one for each axis; negative factors mirror it."""
        return type(self)(self._native.scaled_by(factors_of("factors", factors, self.dim)))

    def translated(self, offset: ArrayLike) -> Self:
        """The shape moved in the frame of its body, by a vector of shape (D,): points, segments, triangles, hulls, balls, capsules,
        meshes, chains and compounds. Others are moved by their poses."""
        return type(self)(self._native.translated(vector("offset", offset, self.dim)))

    def one_sided(self, depth: float) -> Self:
        """The same mesh, height field or chain of the plane, which counts on its outer side only, up to this depth >= 0."""
        return type(self)(self._native.one_sided(number("depth", depth)))

    def solid(self) -> Self:
        """The same closed mesh, or closed chain of the plane, with an inside.

        Raises
        ------
        ValueError
            Where it is not closed, with the triangles at fault.
        """
        return type(self)(self._native.solid())

    def mass_properties(self, density: float = 1.0) -> MassProperties:
        """Volume, mass, centre of mass and inertia; ``density`` >= 0 is mass per volume."""
        volume, mass, center, inertia = self._native.mass_properties(number("density", density))
        tensor = np.array(inertia).reshape(3, 3)
        return MassProperties(volume, mass, np.array(center), tensor if self.dim == 3 else float(tensor[2, 2]))

    def bounds(self, pose: ArrayLike | None = None) -> NDArray[np.float64]:
        """The least and the greatest corner of the box around the shape at a single pose, shape (2, D)."""
        return np.array(self._native.bounds(one_pose("pose", pose, self.dim)))

    @property
    def kind(self) -> str:
        """The name of the kind: ``"ball"``, ``"mesh"`` and so on."""
        return str(self._native.kind)

    @property
    def part_count(self) -> int:
        """How many parts answers can name; 1 if the shape is no composite."""
        return int(self._native.part_count)

    @property
    def bounding_radius(self) -> float:
        """No point of the shape is farther from its origin."""
        return float(self._native.bounding_radius)

    @property
    def is_solid(self) -> bool:
        """Whether it is, or has in it, a closed surface with an inside."""
        return bool(self._native.is_solid)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AnyShape) and self.dim == other.dim and bool(self._native == other._native)

    def __hash__(self) -> int:
        return hash((self.dim, self.kind, self.part_count, self.bounding_radius))

    def __reduce__(self) -> tuple[Any, tuple[type[Self], bytes]]:
        return _restored, (type(self), self._native.to_bytes())

    def __repr__(self) -> str:
        parts = f", {self.part_count} parts" if self.part_count > 1 else ""
        return f"<clearance.dim{self.dim}.Shape {self.kind}{parts}>"


def natives(argument: str, given: Iterable[Any], cls: type[AnyShape]) -> list[Any]:
    """The native halves of shapes, all of which must be of a class."""
    shapes = listed(argument, given, "shapes")
    for k, shape in enumerate(shapes):
        if not isinstance(shape, cls):
            raise TypeError(f"{argument}[{k}]: is {_name(shape)}, must be {_expected(cls)}")
    return [shape._native for shape in shapes]


def _expected(cls: type[AnyShape]) -> str:
    return "a shape" if cls is AnyShape else f"a shape of {cls.dim} dimensions"


def native(argument: str, shape: Any, cls: type[AnyShape]) -> Any:
    """The native half of a shape, which must be of a class."""
    if not isinstance(shape, cls):
        raise TypeError(f"{argument}: is {_name(shape)}, must be {_expected(cls)}")
    return shape._native


def _name(given: Any) -> str:
    return f"a shape of {given.dim} dimensions" if isinstance(given, AnyShape) else type(given).__name__


_POINTS: dict[int, AnyShape] = {}


def point(cls: type[AnyShape]) -> AnyShape:
    """The origin as a shape, which is made once."""
    if cls.dim not in _POINTS:
        _POINTS[cls.dim] = cls.segment(np.zeros(cls.dim), np.zeros(cls.dim))
    return _POINTS[cls.dim]


def _restored(cls: type[S], stored: bytes) -> S:
    return cls(cls._class.from_bytes(stored))


def _indices(argument: str, given: ArrayLike, count: int) -> NDArray[np.uint32]:
    """Numbers of vertices, shape (M, count)."""
    array = wholes(argument, given, np.uint32)
    if array.ndim != 2 or array.shape[1] != count:
        raise ValueError(f"{argument}: has shape {array.shape}, must be (M, {count})")
    return array


class Shape2(AnyShape):
    """A shape of the plane."""

    __slots__ = ()
    dim = 2
    _class = _clearance.Shape2
    _layouts = Layouts(2)

    @classmethod
    def polygon(cls, vertices: ArrayLike, holes: Sequence[ArrayLike] = ()) -> Self:
        """The area within the ring of ``vertices``, shape (N, 2), but not in the rings ``holes``."""
        rings = [rows(f"holes[{k}]", hole, 2).tolist() for k, hole in enumerate(listed("holes", holes, "rings of vertices"))]
        outline = rows("vertices", vertices, 2)
        return cls.from_record({"type": "polygon", "vertices": outline.tolist(), "holes": rings})


class Shape3(AnyShape):
    """A shape of space."""

    __slots__ = ("_cover",)
    #: What robots compare first, once one has a link of this shape.
    _cover: _clearance.Cover
    dim = 3
    _class = _clearance.Shape3
    _layouts = Layouts(3)

    def _covered(self) -> _clearance.Cover:
        if not hasattr(self, "_cover"):
            self._cover = _clearance.Cover(self._native)
        return self._cover

    @classmethod
    def cylinder(cls, half_height: float, radius: float) -> Self:
        """The cylinder about the y axis, both numbers > 0."""
        return cls._of("cylinder", half_height=half_height, radius=radius)

    @classmethod
    def cone(cls, half_height: float, radius: float) -> Self:
        """The cone about the y axis: apex at y = +``half_height``, base at y = -``half_height``."""
        return cls._of("cone", half_height=half_height, radius=radius)

    @classmethod
    def tapered_cylinder(cls, half_height: float, radius_top: float, radius_bottom: float) -> Self:
        """The hull of two discs about the y axis at y = ±``half_height``; one radius may be 0."""
        return cls._of("tapered_cylinder", half_height=half_height, radius_top=radius_top, radius_bottom=radius_bottom)

    @classmethod
    def mesh(cls, vertices: ArrayLike, triangles: ArrayLike, *, solid: bool = False) -> Self:
        """A surface of triangles.

        Parameters
        ----------
        vertices
            Shape (N, 3).
        triangles
            The three vertices of each, counted from 0; shape (M, 3), M >= 1. Seen from outside they run counter-clockwise.
        solid
            Whether the surface, which must then be closed, has an inside.
        """
        numbers = _indices("triangles", triangles, 3).reshape(-1)
        surface = cls(cls._class.surface(rows("vertices", vertices, 3), numbers))
        return surface.solid() if solid else surface

    def self_crossings(self, *, effort: int | None = None) -> SelfCrossings:
        """The pairs of triangles of a mesh or height field that cross: none if it does not cross itself.

        Two triangles cross if they have more than a point in common, unless that is an edge of both; or if they lie in one plane
        and have an area in common. That is decided exactly. Corners are the same if their coordinates are.

        Parameters
        ----------
        effort
            How long to search beside what the neighbours of each triangle take; 2**18 by default.

        Raises
        ------
        ValueError
            If the shape is neither a mesh nor a height field.

        Examples
        --------
        >>> from clearance.dim3 import Shape
        >>> strip, blade = [[0, 0, 0], [4, 0, 0], [0, 4, 0], [4, 4, 0]], [[3, 3, -1], [3, 3, 1], [3.5, 3, 1]]
        >>> Shape.mesh(strip + blade, [[0, 1, 2], [2, 1, 3], [4, 5, 6]]).self_crossings().parts.tolist()
        [[1, 2]]
        """
        given = 2**18 if effort is None else whole("effort", effort, 0, 2**32 - 1)
        parts, complete = self._native.self_crossings(given)
        return SelfCrossings(parts.reshape(-1, 2), complete)

    @classmethod
    def height_field(cls, heights: ArrayLike, scale: ArrayLike) -> Self:
        """Terrain over the xz plane.

        Parameters
        ----------
        heights
            Shape (R, C), both at least 2. The vertex of row r and column c lies at x = (c / (C - 1) - 1/2) ``scale[0]``,
            y = height ``scale[1]``, z = (r / (R - 1) - 1/2) ``scale[2]``. NaN makes a hole.
        scale
            Shape (3,), none of it 0.
        """
        grid = floats("heights", heights)
        if grid.ndim != 2:
            raise ValueError(f"heights: has shape {grid.shape}, must be (R, C)")
        return cls(cls._class.height_field(grid, vector("scale", scale, 3)))

    @classmethod
    def from_file(
        cls,
        path: str | os.PathLike[str],
        *,
        scale: ArrayLike = 1.0,
        hull: bool = False,
        solid: bool = False,
    ) -> Self:
        """The mesh in a file.

        Parameters
        ----------
        path
            An OBJ or STL file; others (DAE, PLY, glTF, 3MF, OFF) are read by trimesh, where that is installed.
        scale
            One factor of the coordinates, or one for each axis; none of them 0.
        hull
            Whether the convex hull of the vertices is meant.
        solid
            Whether the surface, which must then be closed, has an inside.

        Raises
        ------
        ValueError
            With what is wrong in the file.
        ImportError
            Where trimesh would be needed and is not installed.
        """
        name = os.path.abspath(os.fspath(path))
        factors = factors_of("scale", scale, 3).tolist()
        if name.lower().endswith((".obj", ".stl")):
            record: dict[str, Any] = {"type": "hull" if hull else "mesh", "path": name, "scale": factors}
            if solid and not hull:
                record["solid"] = True
            return cls.from_record(record, folder=os.path.dirname(name))
        from ._meshes import load

        loaded = load(name)
        return cls.from_trimesh(loaded, scale=factors, hull=hull, solid=solid)

    @classmethod
    def from_trimesh(cls, mesh: Any, *, scale: ArrayLike = 1.0, hull: bool = False, solid: bool = False) -> Self:
        """The shape of what trimesh calls a ``Trimesh`` or a ``Scene``, whose transforms are applied.

        The parameters are those of `from_file`.
        """
        geometry = mesh.to_mesh() if hasattr(mesh, "to_mesh") else mesh
        factors = factors_of("scale", scale, 3)
        vertices = np.asarray(geometry.vertices) * factors
        if hull:
            return cls.hull(vertices)
        triangles = np.asarray(geometry.faces)
        if np.prod(factors) < 0.0:
            triangles = triangles[:, ::-1]
        return cls.mesh(vertices, triangles, solid=solid)


class AnyPlaced:
    """A shape at a pose, for programs that ask about one pair after the other: it is quicker than a batch of one.

    Parameters
    ----------
    shape
        The shape.
    pose
        One pose, in any form that `clearance.dim3.distance` takes; the identity if left out.
    """

    __slots__ = ("_native",)
    _shape: ClassVar[type[AnyShape]]
    _class: ClassVar[Any]

    def __init__(self, shape: AnyShape, pose: ArrayLike | None = None) -> None:
        self._native = self._class(native("shape", shape, self._shape), one_pose("pose", pose, self._shape.dim))

    def distance(self, other: Self, within: float = np.inf) -> Nearest:
        """The signed distance of this shape, which is side a, from another, with proven bounds: the answer of a batch."""
        try:
            nearest: Nearest = self._native.distance(other._native, within)
        except (AttributeError, TypeError):
            raise self._misread(other, within) from None
        return nearest

    def intersects(self, other: Self) -> bool:
        """Whether this shape and another have a point in common."""
        try:
            answer: bool = self._native.intersects(other._native)
        except (AttributeError, TypeError):
            raise self._misread(other, 0.0) from None
        return answer

    def _misread(self, other: Any, within: Any) -> TypeError:
        """What is wrong with what was asked; it is looked for only where something is, since that takes time."""
        if isinstance(other, type(self)):
            return TypeError(f"within: is {within!r}, must be a number")
        return TypeError(f"other: is {type(other).__name__}, must be placed in {self._shape.dim} dimensions")


class Placed2(AnyPlaced):
    """A shape at a pose of the plane."""

    __slots__ = ()
    _shape = Shape2
    _class = _clearance.Placed2


class Placed3(AnyPlaced):
    """A shape at a pose of space."""

    __slots__ = ()
    _shape = Shape3
    _class = _clearance.Placed3


class Choice(Generic[S]):
    """Which of some shapes each question is about.

    Parameters
    ----------
    shapes
        The shapes.
    index
        The number of the shape of each question, counted from 0; shape (N,).
    """

    __slots__ = ("index", "shapes")

    def __init__(self, shapes: Sequence[S], index: ArrayLike) -> None:
        self.shapes = listed("shapes", shapes, "shapes")
        natives("shapes", self.shapes, type(self.shapes[0]) if self.shapes and isinstance(self.shapes[0], AnyShape) else AnyShape)
        self.index: NDArray[np.uint32] = wholes("index", index, np.uint32)
        if self.index.ndim != 1:
            raise ValueError(f"index: has shape {self.index.shape}, must be (N,)")
