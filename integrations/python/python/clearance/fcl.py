"""A facade with the names of python-fcl, so that a program changes its import: ``from clearance import fcl``.

Every pair is asked for alone, as there; a program that has many pairs should call `clearance.dim3.distance` instead. Distances are
proven: `DistanceResult` has ``lower`` and ``upper`` beside ``min_distance``. Programs that import ``fcl`` themselves, such as
``trimesh.collision``, use this module after `stand_in`.

Not here: ``Plane``, ``OcTree``, costs, and motions that turn in `continuousCollide`. Normals of contacts point from o1 to o2.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import dim3
from ._arrays import Floats, floats, vector
from ._shape import Shape3 as Shape

#: Turns the y axis, about which shapes of this engine are round, to the z axis, about which those of FCL are.
_Y_TO_Z = np.array([[1.0, 0, 0, 0], [0, 0, -1.0, 0], [0, 1.0, 0, 0], [0, 0, 0, 1.0]])


def stand_in() -> None:
    """Lets ``import fcl`` find this module; call it before what imports that, such as ``trimesh.collision``."""
    sys.modules["fcl"] = sys.modules[__name__]


class Transform:
    """A rotation and a translation: ``Transform(R, T)``, ``Transform(q, T)`` with q as w x y z, ``Transform(T)`` or of another."""

    def __init__(self, *given: Any) -> None:
        self._matrix = np.eye(4)
        if len(given) == 1 and isinstance(given[0], Transform):
            self._matrix = given[0]._matrix.copy()
            return
        for array in (floats("Transform", one) for one in given):
            if array.shape == (3,):
                self._matrix[:3, 3] = array
            elif array.shape == (4,):
                self._matrix[:3, :3] = _of_quaternion(array)
            elif array.shape == (3, 3):
                self._matrix[:3, :3] = array
            else:
                raise ValueError(f"Transform: has an array of shape {array.shape}, must be (3, 3), (4,) or (3,)")

    def getRotation(self) -> Floats:
        """The rotation, shape (3, 3)."""
        return self._matrix[:3, :3].copy()

    def getTranslation(self) -> Floats:
        """The translation, shape (3,)."""
        return self._matrix[:3, 3].copy()

    def getQuatRotation(self) -> Floats:
        """The rotation as a quaternion w x y z, shape (4,)."""
        return _to_quaternion(self._matrix[:3, :3])

    def setRotation(self, R: ArrayLike) -> None:
        """Turns to a rotation, shape (3, 3)."""
        self._matrix = Transform(R, self.getTranslation())._matrix

    def setTranslation(self, T: ArrayLike) -> None:
        """Moves to a place, shape (3,)."""
        self._matrix = Transform(self.getRotation(), T)._matrix

    def setQuatRotation(self, q: ArrayLike) -> None:
        """Turns to the rotation of a quaternion w x y z, shape (4,)."""
        self.setRotation(_of_quaternion(vector("setQuatRotation", q, 4)))


def _of_quaternion(wxyz: Floats) -> Floats:
    w, x, y, z = wxyz / np.linalg.norm(wxyz)
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.asarray(np.eye(3) + 2.0 * w * cross + 2.0 * cross @ cross)


def _to_quaternion(turn: Floats) -> Floats:
    """The quaternion w x y z of a rotation: of the matrix 4 q qᵀ the column with the largest diagonal, to divide by no small number."""
    x, y, z = turn
    squares = np.array([
        [1 + x[0] + y[1] + z[2], z[1] - y[2], x[2] - z[0], y[0] - x[1]],
        [z[1] - y[2], 1 + x[0] - y[1] - z[2], y[0] + x[1], x[2] + z[0]],
        [x[2] - z[0], y[0] + x[1], 1 - x[0] + y[1] - z[2], z[1] + y[2]],
        [y[0] - x[1], x[2] + z[0], z[1] + y[2], 1 - x[0] - y[1] + z[2]],
    ])  # fmt: skip
    column = squares[:, int(np.diagonal(squares).argmax())]
    return np.asarray(column / np.linalg.norm(column))


class CollisionGeometry:
    """A shape as FCL has it."""

    def __init__(self, shape: Shape | None = None, place: Floats | None = None) -> None:
        self._shape = shape
        self._place = np.eye(4) if place is None else place

    @property
    def shape(self) -> Shape:
        """The shape of this engine."""
        if self._shape is None:
            raise ValueError("the geometry has no shape yet: endModel was not called")
        return self._shape


class Sphere(CollisionGeometry):
    """A sphere about the origin."""

    def __init__(self, radius: float) -> None:
        super().__init__(Shape.ball(radius))
        self.radius = radius


class Box(CollisionGeometry):
    """A box about the origin, by the lengths of its sides."""

    def __init__(self, x: float, y: float, z: float) -> None:
        super().__init__(Shape.cuboid([x / 2.0, y / 2.0, z / 2.0]))
        self.side = np.array([x, y, z])


class Ellipsoid(CollisionGeometry):
    """An ellipsoid about the origin, by its half axes."""

    def __init__(self, a: float, b: float, c: float) -> None:
        super().__init__(Shape.ellipsoid([a, b, c]))
        self.radii = np.array([a, b, c])


class Capsule(CollisionGeometry):
    """A capsule along the z axis, by the length of the segment within it."""

    def __init__(self, radius: float, lz: float) -> None:
        super().__init__(Shape.capsule(lz / 2.0, radius), _Y_TO_Z)
        self.radius, self.lz = radius, lz


class Cylinder(CollisionGeometry):
    """A cylinder along the z axis, by its whole height."""

    def __init__(self, radius: float, lz: float) -> None:
        super().__init__(Shape.cylinder(lz / 2.0, radius), _Y_TO_Z)
        self.radius, self.lz = radius, lz


class Cone(CollisionGeometry):
    """A cone along the z axis with its apex up, by its whole height."""

    def __init__(self, radius: float, lz: float) -> None:
        super().__init__(Shape.cone(lz / 2.0, radius), _Y_TO_Z)
        self.radius, self.lz = radius, lz


class TriangleP(CollisionGeometry):
    """A triangle."""

    def __init__(self, a: ArrayLike, b: ArrayLike, c: ArrayLike) -> None:
        super().__init__(Shape.triangle(a, b, c))


class Halfspace(CollisionGeometry):
    """All points x with n · x <= d; n, of any length but 0, and d are divided by its length, as there."""

    def __init__(self, n: ArrayLike, d: float) -> None:
        normal = vector("n", n, 3)
        length = float(np.linalg.norm(normal))
        if not (np.isfinite(length) and length > 0.0):
            raise ValueError(f"n: is {normal.tolist()}, must be finite and not all 0")
        self.n, self.d = normal / length, d / length
        place = np.eye(4)
        place[:3, 3] = self.n * self.d
        super().__init__(Shape.half_space(self.n), place)


class Convex(CollisionGeometry):
    """The convex hull of vertices; the faces are not needed."""

    def __init__(self, vertices: ArrayLike, num_faces: int = 0, faces: Any = None) -> None:
        super().__init__(Shape.hull(vertices))


class BVHModel(CollisionGeometry):
    """A surface of triangles."""

    def __init__(self) -> None:
        super().__init__()
        self._vertices: list[Floats] = []
        self._triangles: list[NDArray[np.int64]] = []

    def beginModel(self, num_tris_: int = 0, num_vertices_: int = 0) -> None:
        """Begins anew."""
        self._vertices, self._triangles = [], []

    def addSubModel(self, verts: ArrayLike, triangles: ArrayLike) -> None:
        """Adds vertices, and triangles of their numbers."""
        before = sum(len(vertices) for vertices in self._vertices)
        self._vertices.append(np.asarray(verts, np.float64))
        self._triangles.append(np.asarray(triangles, np.int64) + before)

    def addVertex(self, x: float, y: float, z: float) -> None:
        """Adds a vertex."""
        self._vertices.append(np.array([[x, y, z]], np.float64))

    def addTriangle(self, v1: ArrayLike, v2: ArrayLike, v3: ArrayLike) -> None:
        """Adds a triangle by its corners."""
        self.addSubModel(np.array([v1, v2, v3], np.float64), [[0, 1, 2]])

    def endModel(self) -> None:
        """Builds the surface."""
        self._shape = Shape.mesh(np.concatenate(self._vertices), np.concatenate(self._triangles))


class CollisionObject:
    """A geometry at a transform."""

    def __init__(self, geom: CollisionGeometry, tf: Transform | None = None) -> None:
        self.geom = geom
        self._built: Shape | None = None
        self.setTransform(Transform() if tf is None else tf)

    def setTransform(self, tf: Transform) -> None:
        """Moves the object."""
        self._transform = Transform(tf)
        self._pose = self._transform._matrix @ self.geom._place
        self._kept: dim3.Placed | None = None
        self._bounds: Floats | None = None

    def getTransform(self) -> Transform:
        """Where the object is."""
        return Transform(self._transform)

    def setTranslation(self, T: ArrayLike) -> None:
        """Moves the object without turning it."""
        self.setTransform(Transform(self._transform.getRotation(), T))

    def setRotation(self, R: ArrayLike) -> None:
        """Turns the object to a rotation."""
        self.setTransform(Transform(R, self._transform.getTranslation()))

    def getTranslation(self) -> Floats:
        """The translation, shape (3,)."""
        return self._transform.getTranslation()

    def getRotation(self) -> Floats:
        """The rotation, shape (3, 3)."""
        return self._transform.getRotation()

    def getQuatRotation(self) -> Floats:
        """The rotation as a quaternion w x y z, shape (4,)."""
        return self._transform.getQuatRotation()

    def setQuatRotation(self, q: ArrayLike) -> None:
        """Turns the object to the rotation of a quaternion w x y z."""
        self._transform.setQuatRotation(q)
        self.setTransform(self._transform)

    @property
    def _placed(self) -> dim3.Placed:
        self._renew()
        if self._kept is None:
            self._kept = dim3.Placed(self.geom.shape, self._pose)
        return self._kept

    def _box(self) -> Floats:
        self._renew()
        if self._bounds is None:
            self._bounds = self.geom.shape.bounds(self._pose)
        return self._bounds

    def _renew(self) -> None:
        """Forgets what was kept of a model that has been built anew since."""
        if self._built is not self.geom.shape:
            self._built, self._kept, self._bounds = self.geom.shape, None, None


@dataclass
class Contact:
    """Where two geometries overlap: ``normal`` from o1 to o2, ``pos`` in the middle, the parts ``b1`` and ``b2``."""

    o1: CollisionGeometry
    o2: CollisionGeometry
    b1: int
    b2: int
    normal: Floats
    pos: Floats
    penetration_depth: float


class GJKSolverType:
    """Names of solvers of FCL. They are accepted and mean nothing: the engine has one, and its answers are proven."""

    GST_LIBCCD, GST_INDEP = range(2)


@dataclass
class CollisionRequest:
    """What `collide` is asked for: at most so many contacts of a pair.

    ``security_margin`` is Coal's, and only by name: a distance that counts as a contact, too. Costs are not computed:
    ``enable_cost`` must be false, and what else there is about costs and solvers means nothing.
    """

    num_max_contacts: int = 1
    enable_contact: bool = False
    num_max_cost_sources: int = 1
    enable_cost: bool = False
    use_approximate_cost: bool = True
    gjk_solver_type: int = GJKSolverType.GST_LIBCCD
    security_margin: float = field(default=0.0, kw_only=True)

    def __post_init__(self) -> None:
        if self.enable_cost:
            raise ValueError("enable_cost: is True, must be False: costs are not computed")


@dataclass
class CollisionResult:
    """What `collide` found."""

    is_collision: bool = False
    contacts: list[Contact] = field(default_factory=list)

    def isCollision(self) -> bool:
        """Whether the objects overlap."""
        return self.is_collision

    def getContacts(self) -> list[Contact]:
        """The contacts."""
        return self.contacts

    def numContacts(self) -> int:
        """How many contacts there are."""
        return len(self.contacts)

    def clear(self) -> None:
        """Forgets what was found."""
        self.is_collision, self.contacts = False, []


@dataclass
class DistanceRequest:
    """What `distance` is asked for; the type of solver means nothing."""

    enable_nearest_points: bool = False
    enable_signed_distance: bool = False
    gjk_solver_type: int = GJKSolverType.GST_LIBCCD


@dataclass
class DistanceResult:
    """What `distance` found; ``lower`` and ``upper`` are proven bounds of the signed distance."""

    min_distance: float = np.inf
    nearest_points: list[Floats] = field(default_factory=lambda: [np.zeros(3), np.zeros(3)])
    normal: Floats = field(default_factory=lambda: np.zeros(3))
    lower: float = -np.inf
    upper: float = np.inf
    o1: CollisionGeometry | None = None
    o2: CollisionGeometry | None = None
    b1: int = -1
    b2: int = -1

    def getNearestPoint1(self) -> Floats:
        """The closest point of the first object."""
        return self.nearest_points[0]

    def getNearestPoint2(self) -> Floats:
        """The closest point of the second object."""
        return self.nearest_points[1]

    def clear(self) -> None:
        """Forgets what was found."""
        self.__init__()  # type: ignore[misc]


def collide(
    o1: CollisionObject,
    o2: CollisionObject,
    request: CollisionRequest | None = None,
    result: CollisionResult | None = None,
) -> int:
    """Whether two objects overlap: the number of contacts that were added to the result."""
    asked = CollisionRequest() if request is None else request
    found = CollisionResult() if result is None else result
    if not asked.enable_contact and asked.security_margin == 0.0:
        if not o1._placed.intersects(o2._placed):
            return 0
        found.is_collision = True
        nothing = np.zeros(3)
        found.contacts.append(Contact(o1.geom, o2.geom, 0, 0, nothing, nothing, 0.0))
        return 1
    near = dim3.contacts(o1.geom.shape, o2.geom.shape, o1._pose, o2._pose, within=asked.security_margin, threads=1)
    found.is_collision = found.is_collision or len(near) > 0
    added = near.rows[: asked.num_max_contacts]
    for row in added:
        middle = (row["point_a"] + row["point_b"]) / 2.0
        parts = int(row["part_a"]), int(row["part_b"])
        normal = row["normal"].astype(np.float64)
        found.contacts.append(Contact(o1.geom, o2.geom, *parts, normal, middle, -float(row["distance"])))
    return len(added)


def distance(
    o1: CollisionObject,
    o2: CollisionObject,
    request: DistanceRequest | None = None,
    result: DistanceResult | None = None,
) -> float:
    """The distance of two objects; -1 for an overlap unless signed distances are asked for."""
    asked = DistanceRequest() if request is None else request
    near = o1._placed.distance(o2._placed)
    shown = near.distance if near.distance > 0.0 or asked.enable_signed_distance else -1.0
    if result is not None and shown < result.min_distance:
        result.min_distance, result.lower, result.upper = shown, near.lower, near.upper
        result.nearest_points = [np.array(near.point_a), np.array(near.point_b)]
        result.normal = np.array(near.normal)
        result.o1, result.o2 = o1.geom, o2.geom
        result.b1, result.b2 = near.part_a, near.part_b
    return shown


class CCDMotionType:
    """Kinds of motions of FCL, of which `continuousCollide` has ``CCDM_TRANS``."""

    CCDM_TRANS, CCDM_LINEAR, CCDM_SCREW, CCDM_SPLINE = range(4)


class CCDSolverType:
    """Names of solvers of FCL. They are accepted and mean nothing."""

    CCDC_NAIVE, CCDC_CONSERVATIVE_ADVANCEMENT, CCDC_RAY_SHOOTING, CCDC_POLYNOMIAL_SOLVER = range(4)


@dataclass
class ContinuousCollisionRequest:
    """What `continuousCollide` is asked for; what there is about iterations, errors and solvers means nothing."""

    num_max_iterations: int = 10
    toc_err: float = 1e-4
    ccd_motion_type: int = CCDMotionType.CCDM_TRANS
    gjk_solver_type: int = GJKSolverType.GST_LIBCCD
    ccd_solver_type: int = CCDSolverType.CCDC_CONSERVATIVE_ADVANCEMENT


@dataclass
class ContinuousCollisionResult:
    """What `continuousCollide` found: the time is from 0 to 1, and 1 where the objects do not meet."""

    is_collide: bool = False
    time_of_contact: float = 1.0


def continuousCollide(
    o1: CollisionObject,
    tf1_end: Transform,
    o2: CollisionObject,
    tf2_end: Transform,
    request: ContinuousCollisionRequest | None = None,
    result: ContinuousCollisionResult | None = None,
) -> float:
    """The first time, from 0 to 1, at which two objects that move evenly to other places without turning meet; 1 if they do not."""
    asked = ContinuousCollisionRequest() if request is None else request
    found = ContinuousCollisionResult() if result is None else result
    if asked.ccd_motion_type != CCDMotionType.CCDM_TRANS:
        raise ValueError(f"ccd_motion_type: is {asked.ccd_motion_type}, must be CCDM_TRANS: use clearance.dim3.cast_shapes to turn")
    ways = [np.r_[end.getTranslation() - of.getTranslation(), 0.0, 0.0, 0.0] for of, end in ((o1, tf1_end), (o2, tf2_end))]
    shapes, poses = (o1.geom.shape, o2.geom.shape), (o1._pose, o2._pose)
    cast = dim3.cast_shapes(*shapes, *poses, motions_a=ways[0], motions_b=ways[1], threads=1)
    time = min(float(cast.time), 1.0)
    found.is_collide = found.is_collide or bool(cast.hit)
    found.time_of_contact = min(found.time_of_contact, time)
    return time


@dataclass
class CollisionData:
    """What is handed to `defaultCollisionCallback`."""

    request: CollisionRequest = field(default_factory=CollisionRequest)
    result: CollisionResult = field(default_factory=CollisionResult)
    done: bool = False


@dataclass
class DistanceData:
    """What is handed to `defaultDistanceCallback`."""

    request: DistanceRequest = field(default_factory=DistanceRequest)
    result: DistanceResult = field(default_factory=DistanceResult)
    done: bool = False


def defaultCollisionCallback(o1: CollisionObject, o2: CollisionObject, cdata: CollisionData) -> bool:
    """Adds the contacts of a pair; true once there are as many as were asked for."""
    if not cdata.done:
        collide(o1, o2, cdata.request, cdata.result)
        cdata.done = cdata.result.is_collision and len(cdata.result.contacts) >= cdata.request.num_max_contacts
    return cdata.done


def defaultDistanceCallback(o1: CollisionObject, o2: CollisionObject, cdata: DistanceData) -> tuple[bool, float]:
    """Keeps the least distance; true once that is not positive, so that no other pair is asked about."""
    if not cdata.done:
        distance(o1, o2, cdata.request, cdata.result)
    least = cdata.result.min_distance
    return cdata.done or least <= 0.0, least


class DynamicAABBTreeCollisionManager:
    """Many objects, and questions about pairs of them whose boxes are near."""

    def __init__(self) -> None:
        self._objects: dict[int, CollisionObject] = {}

    def registerObject(self, obj: CollisionObject) -> None:
        """Adds an object."""
        self._objects[id(obj)] = obj

    def registerObjects(self, objs: Sequence[CollisionObject]) -> None:
        """Adds objects."""
        for obj in objs:
            self.registerObject(obj)

    def unregisterObject(self, obj: CollisionObject) -> None:
        """Removes an object."""
        self._objects.pop(id(obj), None)

    def setup(self) -> None:
        """Does nothing: boxes are computed when they are asked for."""

    def update(self, arg: Any = None) -> None:
        """Does nothing: boxes are computed when they are asked for."""

    def clear(self) -> None:
        """Removes all objects."""
        self._objects = {}

    def getObjects(self) -> list[CollisionObject]:
        """The objects."""
        return list(self._objects.values())

    def size(self) -> int:
        """How many objects there are."""
        return len(self._objects)

    def empty(self) -> bool:
        """Whether there are none."""
        return not self._objects

    def _pairs(self, other: Any) -> tuple[list[CollisionObject], list[CollisionObject], Floats]:
        """Both sides, and how far the boxes of each pair are apart; infinite for pairs that do not count."""
        first = self.getObjects()
        if other is None:
            second = first
        elif isinstance(other, DynamicAABBTreeCollisionManager):
            second = other.getObjects()
        else:
            second = [other]
        a, b = (np.array([obj._box() for obj in side]).reshape(-1, 2, 3) for side in (first, second))
        gap = np.maximum(a[:, None, 0] - b[None, :, 1], b[None, :, 0] - a[:, None, 1])
        apart = np.linalg.norm(np.maximum(gap, 0.0), axis=-1)
        if other is None:
            apart[np.tril_indices(len(first))] = np.inf
        return first, second, apart

    def collide(self, *given: Any) -> None:
        """``collide(data, callback)`` of all pairs, ``collide(other, data, callback)`` with an object or a manager."""
        other, data, callback = given if len(given) == 3 else (None, *given)
        first, second, apart = self._pairs(other)
        ask: Callable[..., bool] = callback
        for a, b in np.argwhere(apart <= getattr(data.request, "security_margin", 0.0)):
            if ask(first[a], second[b], data):
                return

    def distance(self, *given: Any) -> None:
        """``distance(data, callback)`` of all pairs, ``distance(other, data, callback)`` with an object or a manager."""
        other, data, callback = given if len(given) == 3 else (None, *given)
        first, second, apart = self._pairs(other)
        least = np.inf
        for k in np.argsort(apart, axis=None, kind="stable"):
            a, b = np.unravel_index(k, apart.shape)
            # A little slack, since distances are rounded to single precision.
            if apart[a, b] == np.inf or apart[a, b] > least * (1.0 + 1e-6):
                return
            done, least = callback(first[int(a)], second[int(b)], data)
            if done:
                return
