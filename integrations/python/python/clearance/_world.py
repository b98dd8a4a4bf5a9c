"""Worlds of bodies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _clearance
from ._arrays import bools, floats, number, poses, rows, whole, wholes
from ._batches import Shapes, _Questions
from ._rows import BodyCastHits, BodyContacts, BodyManifoldPoints, BodyRayHits, BodySeparations, Events
from ._shape import AnyShape, Shape2, Shape3, native, point

if TYPE_CHECKING:
    from typing_extensions import Self

ALL_GROUPS = 2**32 - 1
Ids = NDArray[np.int64]


def _ids(argument: str, given: ArrayLike) -> NDArray[np.uint64]:
    """Ids for the native half; a negative one names no body."""
    array: Ids = wholes(argument, given, np.int64)
    return array.reshape(-1).view(np.uint64)


def _groups(given: Any) -> tuple[int, int]:
    """Memberships, and what is met."""
    try:
        memberships, meets = given
    except (TypeError, ValueError):
        raise TypeError(f"groups: is {given!r}, must be two sets of groups: memberships, and what is met") from None
    return whole("groups[0]", memberships, 0, ALL_GROUPS), whole("groups[1]", meets, 0, ALL_GROUPS)


class AnyWorld:
    """Bodies, and every pair of them that is closer than a margin, step by step.

    Parameters
    ----------
    margin
        Pairs that are no farther apart are contacts; >= 0, in units of length.
    threads
        How many threads a step and a batch of questions use. Answers do not depend on it.
    effort
        How long a question about composites may search; the default takes tens of milliseconds at most for most shapes.
    part_contacts
        Whether every pair gives the contacts of its parts, too: triangles, say.
    surface_contacts
        Whether steps tell which part contacts are those of the surface that neighbours make together, without ghosts at seams.
    manifolds
        Whether steps find the points for a solver together with the contacts, on all threads, and keep those of bodies at rest.

    Notes
    -----
    Bodies are named by ids, numbers of 64 bits, which are never used again. A world may be asked by one thread at a time; another
    one then gets an exception. Refused input changes nothing.
    """

    __slots__ = ("_settings", "_world")
    dim: ClassVar[int]
    _shape: ClassVar[type[AnyShape]]
    _class: ClassVar[Any]

    def __init__(
        self,
        *,
        margin: float = 0.05,
        threads: int = 1,
        effort: int = 1 << 18,
        part_contacts: bool = False,
        surface_contacts: bool = False,
        manifolds: bool = False,
    ) -> None:
        searched = whole("threads", threads, 1, 1024), whole("effort", effort, 0, 2**32 - 1)
        wishes = bool(part_contacts), bool(surface_contacts), bool(manifolds)
        self._settings = (number("margin", margin), *searched, *wishes)
        self._world = self._class(self._settings)

    def insert(
        self,
        shapes: Shapes,
        poses: ArrayLike | None = None,
        *,
        moving: ArrayLike = True,
        velocities: ArrayLike | None = None,
        memberships: ArrayLike = ALL_GROUPS,
        meets: ArrayLike = ALL_GROUPS,
        extra_margin: ArrayLike = 0.0,
        swept: ArrayLike = False,
        user_data: ArrayLike = 0,
    ) -> Ids:
        """Inserts N bodies, and returns their ids, shape (N,).

        Parameters
        ----------
        shapes, poses
            The shapes and where they are, as for `clearance.dim3.distance`.
        moving
            Whether steps move the body by its velocity. Two bodies that are not moving make no contact.
        velocities
            Rows ``vx vy vz wx wy wz`` in space, ``vx vy w`` in the plane: units of length and radians per second.
        memberships, meets
            Sets of 32 groups: two bodies can meet if each is a member of a group that the other meets.
        extra_margin
            Added to the margin for the pairs of the body, >= 0.
        swept
            Whether a step looks at the whole way of the body, so that nothing is passed unnoticed, nor what it starts in.
        user_data
            A number of 64 bits of yours, which events repeat.

        Each of them is one for all, or a list of N.
        """
        questions = _Questions(self.dim, self._shape)
        side = questions.side(("shapes", "poses"), shapes, poses)
        speeds = self._velocities(velocities)
        questions.counts(len(speeds), velocities is None or np.ndim(velocities) == 1)
        given = [
            ("moving", bools("moving", moving).astype(np.uint8)),
            ("memberships", wholes("memberships", memberships, np.uint32)),
            ("meets", wholes("meets", meets, np.uint32)),
            ("extra_margin", floats("extra_margin", extra_margin)),
            ("user_data", wholes("user_data", user_data, np.uint64)),
            ("swept", bools("swept", swept).astype(np.uint8)),
        ]
        for _, array in given:
            questions.counts(array.size, np.ndim(array) == 0)
        each = tuple(self._each(name, array, questions.count) for name, array in given)
        ids: Ids = self._world.insert(side, speeds, each).view(np.int64)
        return ids

    def _velocities(self, given: ArrayLike | None) -> NDArray[np.float64]:
        width = 6 if self.dim == 3 else 3
        return np.zeros((1, width)) if given is None else rows("velocities", given, width)

    @staticmethod
    def _each(name: str, array: NDArray[Any], count: int) -> NDArray[Any]:
        if array.size not in (1, count) or array.ndim > 1:
            raise ValueError(f"{name}: has shape {array.shape}, must be () or ({count},)")
        return np.ascontiguousarray(np.broadcast_to(array.reshape(-1) if count != 0 else array.reshape(-1)[:0], (count,)))

    def remove(self, ids: ArrayLike) -> None:
        """Removes bodies, all or none."""
        self._world.remove(_ids("ids", ids))

    def set_poses(self, ids: ArrayLike, poses: ArrayLike) -> None:
        """Puts bodies elsewhere, all or none; ``poses`` as for `insert`."""
        self._world.set_poses(_ids("ids", ids), self._poses(poses))

    def _poses(self, given: ArrayLike) -> NDArray[np.float64]:
        return poses("poses", given, self.dim)[0]

    def set_velocities(self, ids: ArrayLike, velocities: ArrayLike) -> None:
        """Gives bodies velocities, all or none, as for `insert`. A body that does not move takes none but zero."""
        self._world.set_velocities(_ids("ids", ids), self._velocities(velocities))

    def set_groups(self, ids: ArrayLike, *, memberships: int = ALL_GROUPS, meets: int = ALL_GROUPS) -> None:
        """Changes what bodies are members of, and what they meet."""
        sets = whole("memberships", memberships, 0, ALL_GROUPS), whole("meets", meets, 0, ALL_GROUPS)
        self._world.set_groups(_ids("ids", ids), *sets)

    def set_moving(self, ids: ArrayLike, moving: bool) -> None:
        """Changes whether steps move bodies."""
        if not isinstance(moving, (bool, np.bool_)):
            raise TypeError(f"moving: is {moving!r}, must be True or False")
        self._world.set_moving(_ids("ids", ids), bool(moving))

    def set_shape(self, ids: ArrayLike, shape: AnyShape) -> None:
        """Gives bodies another shape."""
        self._world.set_shape(_ids("ids", ids), native("shape", shape, self._shape))

    def ignore(self, a: ArrayLike, b: ArrayLike) -> None:
        """Lets the pairs of N bodies ``a`` with N bodies ``b`` make no contact: the links of a joint, say."""
        self._ignore(a, b, True)

    def unignore(self, a: ArrayLike, b: ArrayLike) -> None:
        """Takes `ignore` back."""
        self._ignore(a, b, False)

    def _ignore(self, a: ArrayLike, b: ArrayLike, is_ignored: bool) -> None:
        first, second = _ids("a", a), _ids("b", b)
        if first.size != second.size and 1 not in (first.size, second.size):
            raise ValueError(f"b: has {second.size} ids, must have 1 or {first.size}")
        first, second = np.broadcast_arrays(first, second)
        self._world.ignore(np.ascontiguousarray(first), np.ascontiguousarray(second), is_ignored)

    def poses(self, ids: ArrayLike) -> NDArray[np.float64]:
        """The poses of bodies: (N, 7) in space, (N, 3) in the plane."""
        found: NDArray[np.float64] = self._world.poses(_ids("ids", ids))
        return found.reshape(-1, 7 if self.dim == 3 else 3)

    def velocities(self, ids: ArrayLike) -> NDArray[np.float64]:
        """The velocities of bodies: (N, 6) in space, (N, 3) in the plane."""
        found: NDArray[np.float64] = self._world.velocities(_ids("ids", ids))
        return found.reshape(-1, 6 if self.dim == 3 else 3)

    @property
    def ids(self) -> Ids:
        """The ids of all bodies, in order."""
        ids: Ids = self._world.ids().view(np.int64)
        return ids

    def __len__(self) -> int:
        return len(self.ids)

    def step(self, dt: float) -> None:
        """Moves bodies by their velocities for ``dt`` >= 0 seconds, and finds every pair within the margin."""
        self._world.step(number("dt", dt))

    def contacts(self, of: Literal["bodies", "parts", "surfaces"] = "bodies") -> BodyContacts:
        """The contacts that the last step found, of bodies, of their parts, or of the surfaces that parts make together."""
        if of not in ("bodies", "parts", "surfaces"):
            raise ValueError(f"of: is {of!r}, must be 'bodies', 'parts' or 'surfaces'")
        return BodyContacts(self._world.contacts(of).view(self._shape._layouts.body_contact))

    def manifolds(self) -> BodyManifoldPoints:
        """The points for a solver of all contacts of the last step; in a world without `manifolds` they are measured now.

        Then no point goes on from another one. Those of surfaces are listed if the world has ``surface_contacts``, else those of
        parts where there are any.
        """
        return BodyManifoldPoints(self._world.contacts("manifolds").view(self._shape._layouts.body_manifold))

    def events(self) -> Events:
        """What the last step changed."""
        return Events(self._world.events().view(self._shape._layouts.event))

    def cast_rays(
        self,
        origins: ArrayLike,
        directions: ArrayLike,
        *,
        max_distance: float = np.inf,
        solid: bool = True,
        back_faces: bool = True,
        groups: tuple[int, int] = (ALL_GROUPS, ALL_GROUPS),
        exclude: ArrayLike = (),
    ) -> BodyRayHits:
        """The first body that each of N rays hits.

        The first parameters are those of `clearance.dim3.cast_rays`. ``groups`` are the memberships of who asks, and what it meets;
        bodies in ``exclude`` are passed over.
        """
        rays = _Questions(self.dim, self._shape).rays(origins, directions)
        options = (number("max_distance", max_distance), bool(solid), bool(back_faces))
        found = self._world.cast_rays(rays, options, (_groups(groups), _ids("exclude", exclude)))
        return BodyRayHits(found.view(self._shape._layouts.body_ray))

    def cast_shapes(
        self,
        shapes: Shapes,
        poses: ArrayLike | None = None,
        *,
        motions: ArrayLike,
        within: float = 0.0,
        leaving: str = "hit",
        groups: tuple[int, int] = (ALL_GROUPS, ALL_GROUPS),
        exclude: ArrayLike = (),
    ) -> BodyCastHits:
        """The first body that each of N shapes in motion meets; bodies rest. See `clearance.dim3.cast_shapes`."""
        questions = _Questions(self.dim, self._shape)
        side = questions.side(("shapes", "poses"), shapes, poses)
        given = rows("motions", motions, 6 if self.dim == 3 else 3)
        questions.counts(len(given), np.ndim(motions) == 1)
        options = (questions.count, number("within", within), f"{leaving}")
        found = self._world.cast_shapes(side, given, options, (_groups(groups), _ids("exclude", exclude)))
        return BodyCastHits(found.view(self._shape._layouts.body_cast))

    def near(
        self,
        shapes: Shapes | None = None,
        poses: ArrayLike | None = None,
        *,
        within: float = 0.0,
        nearest: int | None = None,
        groups: tuple[int, int] = (ALL_GROUPS, ALL_GROUPS),
        exclude: ArrayLike = (),
    ) -> BodySeparations:
        """The bodies that are not farther than ``within`` from N placed shapes.

        Parameters
        ----------
        shapes, poses
            The shapes and where they are; without shapes the ``poses`` are points, shape (N, D).
        within
            A distance; it may be infinite.
        nearest
            At most how many are listed for each question, the nearest first; all, sorted by body, if left out.
        groups, exclude
            As for `cast_rays`.
        """
        questions = _Questions(self.dim, self._shape)
        side = questions.side(("shapes", "poses"), point(self._shape) if shapes is None else shapes, poses)
        most = None if nearest is None else whole("nearest", nearest, 0, 2**63 - 1)
        asked = (questions.count, most, number("within", within))
        found = self._world.near(side, asked, (_groups(groups), _ids("exclude", exclude)))
        return BodySeparations(found.view(self._shape._layouts.body_near))

    def snapshot(self) -> bytes:
        """The whole state: bodies, contacts, events, ignored pairs."""
        return bytes(self._world.snapshot())

    def restore(self, snapshot: bytes) -> None:
        """Comes back to a snapshot; every step from there is the same, bit for bit."""
        self._world.restore(snapshot)

    @property
    def state_hash(self) -> int:
        """Eight bytes by which two programs see whether their worlds agree."""
        return int(self._world.state_hash)

    @property
    def contacts_hash(self) -> int:
        """Eight bytes by which two programs see whether their contacts agree."""
        return int(self._world.contacts_hash)

    @property
    def margin(self) -> float:
        """Pairs that are no farther apart are contacts."""
        return float(self._world.margin)

    def __reduce__(self) -> tuple[Any, tuple[type[Self], tuple[Any, ...], bytes]]:
        return _restored, (type(self), self._settings, self.snapshot())

    def __repr__(self) -> str:
        return f"<clearance.dim{self.dim}.World of {len(self)} bodies>"


def _restored(cls: type[AnyWorld], settings: Sequence[Any], snapshot: bytes) -> AnyWorld:
    names = ("margin", "threads", "effort", "part_contacts", "surface_contacts", "manifolds")
    world = cls(**dict(zip(names, settings)))
    world.restore(snapshot)
    return world


class World2(AnyWorld):
    """A world of the plane."""

    __slots__ = ()
    dim = 2
    _shape = Shape2
    _class = _clearance.World2


class World3(AnyWorld):
    """A world of space."""

    __slots__ = ()
    dim = 3
    _shape = Shape3
    _class = _clearance.World3
