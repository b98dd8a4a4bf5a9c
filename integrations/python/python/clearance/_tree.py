"""Links on joints: where they are in configurations, and how far they move at most."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from types import NoneType
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _clearance
from ._arrays import Floats, floats, listed
from ._shape import Shape3 as Shape

T = TypeVar("T")

#: The greatest angle, in radians, by which the rotation of a pose changes when it is rounded to single precision: four numbers
#: of a quaternion, each off by at most 2**-25, turn it by at most twice the length of the difference, 2**-23; doubled for safety.
_ROUNDED_ANGLE = 2.0**-22
#: By how much rounding in double precision turns a link for each joint above it and each radian that they turn by, generously.
_ROUNDING = 1e-13
#: What is farther away than this has no place in single precision, whatever the sizes of links.
_FAR = 1e37
#: How many poses of links, or distances of pairs, are held at a time.
_BATCH = 1 << 16
#: What lists of links that may touch have.
PAIRS = "pairs of names of links"


@dataclass(frozen=True)
class Link:
    """A rigid part of a robot.

    Attributes
    ----------
    name
        The name.
    shape
        The shape in the frame of the link; None for a link that nothing can meet. A mesh that is not ``solid`` is a surface: what
        lies wholly inside it is clear of it. Only a link that no joint moves may have a half-space, such as a floor. One-sided shapes are
        refused: their distances jump, so that nothing would be proven between configurations.
    """

    name: str
    shape: Shape | None = None


@dataclass(frozen=True, eq=False)
class Joint:
    """What a link hangs on.

    Attributes
    ----------
    name, parent, child
        Its name, and those of the links.
    kind
        ``"revolute"`` (radians about the axis, counter-clockwise), ``"prismatic"`` (units of length along it) or ``"fixed"``.
    origin
        The pose of the joint in the frame of the parent, shape (4, 4). The child's frame is that of the joint, moved by it.
    axis
        A vector in the frame of the joint, shape (3,); its length means nothing.
    limits
        The least and the greatest number of the joint, for programs that choose configurations: numbers beyond them are answered
        like any others, and proofs do not rest on them. Both are infinite for a joint that has none. The default ones
        of a joint that follows another restrict nothing.
    follows, factor, offset
        The name of the joint that this one copies, if any: its number is that of the other times the factor plus the offset.
    """

    name: str
    parent: str
    child: str
    kind: str = "revolute"
    origin: ArrayLike = field(default_factory=lambda: np.eye(4))
    axis: ArrayLike = (0.0, 0.0, 1.0)
    limits: tuple[float, float] = (-np.pi, np.pi)
    follows: str | None = None
    factor: float = 1.0
    offset: float = 0.0


class _NativeJoint(NamedTuple):
    """A joint as the native half reads it."""

    parent: int
    child: int
    kind: str
    column: int | None
    factor: float
    offset: float
    origin: list[list[float]]
    axis: list[float]


class Tree:
    """Links on joints, and the pairs of links that count: see `Robot`."""

    def __init__(self, links: Sequence[Link], joints: Sequence[Joint], allowed: Collection[tuple[str, str]] = ()) -> None:
        self.links, self._given = _of_kind("links", links, Link), _of_kind("joints", joints, Joint)
        self._allowed = listed("allowed", allowed, PAIRS)
        names = _named("links", [link.name for link in self.links])
        _named("joints", [joint.name for joint in self._given])
        for link in self.links:
            if not isinstance(link.shape, (Shape, NoneType)):
                raise TypeError(f"link {link.name!r}: shape is {type(link.shape).__name__}, must be a Shape of clearance.dim3, or None")
        self._number = {name: k for k, name in enumerate(names)}
        self.joints = self._sorted(self._given)
        self._origin = _matrices(self.joints)
        self._lengths = np.linalg.norm(self._origin[:, :3, 3], axis=1)
        self._axis = [_axis(joint) for joint in self.joints]
        self.moving = [joint.name for joint in self._given if joint.kind != "fixed" and joint.follows is None]
        column = {name: k for k, name in enumerate(self.moving)}
        self._column = [self._column_of(joint, column) for joint in self.joints]
        self._joint_of = {self._number[joint.child]: k for k, joint in enumerate(self.joints)}
        self._parent = {self._number[joint.child]: self._number[joint.parent] for joint in self.joints}
        self._shapes = {k: link.shape for k, link in enumerate(self.links) if link.shape is not None}
        self._radius = np.array([self._radius_of(k) for k in range(len(self.links))])
        self.pairs = self._counting()
        # With None behind the last, which is number -1.
        self._names = np.empty(len(self.pairs) + 1, object)
        for k, (a, b) in enumerate(self.pairs):
            self._names[k] = names[a], names[b]
        self._scale = sum(abs(joint.factor) for joint in self.joints)
        self._levers = self._constant_levers()
        self._chains = self._constant_chains()
        far = self._chains[0] + sum(abs(joint.offset) for joint in self.joints)
        wrong = _first(~(far < _FAR))
        if wrong is not None:
            raise ValueError(f"link {names[wrong]!r}: is {far[wrong]} from the root at most, must be nearer than {_FAR:.0e}")
        self._linkage = self._native()

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.links, self._given, self._allowed)

    def _native(self) -> _clearance.Linkage:
        joints = []
        for k, joint in enumerate(self.joints):
            ends = self._number[joint.parent], self._number[joint.child]
            numbers = float(joint.factor), float(joint.offset)
            frame = self._origin[k].tolist(), self._axis[k].tolist()
            joints.append(_NativeJoint(*ends, joint.kind, self._column[k], *numbers, *frame))
        shapes = [None if link.shape is None else link.shape._covered() for link in self.links]
        for link, shape in zip(self.links, shapes):
            if shape is not None and shape.is_one_sided:
                raise ValueError(f"link {link.name!r}: its shape counts on one side only, must count on all")
        return _clearance.Linkage(joints, shapes, self.pairs.tolist(), max(len(self.moving), 1))

    def _sorted(self, joints: list[Joint]) -> list[Joint]:
        """The joints, each behind the one that its parent hangs on."""
        for joint in joints:
            for name in (joint.parent, joint.child):
                if name not in self._number:
                    raise ValueError(f"joint {joint.name!r}: there is no link {name!r}")
            if joint.kind not in ("revolute", "prismatic", "fixed"):
                kinds = "'revolute', 'prismatic' or 'fixed'"
                raise ValueError(f"joint {joint.name!r}: kind is {joint.kind!r}, must be {kinds}")
            for name, given in (("factor", joint.factor), ("offset", joint.offset)):
                if not np.isfinite(given):
                    raise ValueError(f"joint {joint.name!r}: {name} is {given}, must be finite")
        above: dict[str, Joint] = {}
        for joint in joints:
            other = above.setdefault(joint.child, joint)
            if other is not joint:
                raise ValueError(f"joint {joint.name!r}: its child {joint.child!r} is that of {other.name!r}, too, must be of one joint")
        roots = [link.name for link in self.links if link.name not in above]
        if len(roots) != 1:
            raise ValueError(f"joints: the links that are no joint's child are {roots}, must be one, the root")
        known, left, order = {roots[0]}, joints, []
        while left:
            ready = [joint for joint in left if joint.parent in known]
            if not ready:
                raise ValueError(f"joint {left[0].name!r}: hangs on a link that hangs on it")
            order += ready
            known |= {joint.child for joint in ready}
            left = [joint for joint in left if joint.parent not in known or joint.child not in known]
        return order

    def _column_of(self, joint: Joint, column: dict[str, int]) -> int | None:
        if joint.kind == "fixed":
            return None
        name = joint.follows or joint.name
        if name not in column:
            raise ValueError(f"joint {joint.name!r}: follows {name!r}, must be one that moves by itself: {', '.join(column)}")
        return column[name]

    def _radius_of(self, link: int) -> float:
        """No point of a link's shape is farther from its origin; 0 for the root, which nothing turns."""
        if link not in self._shapes or link not in self._parent:
            return 0.0
        radius = self._shapes[link].bounding_radius
        if not np.isfinite(radius) and any(self._column[joint] is not None for joint in self._chain(link)):
            raise ValueError(f"link {self.links[link].name!r}: its shape has no end, which only that of one that rests may have")
        return radius

    def _chain(self, link: int) -> list[int]:
        """The numbers of the joints from the root to a link."""
        chain: list[int] = []
        while link in self._joint_of:
            chain.append(self._joint_of[link])
            link = self._parent[link]
        return chain[::-1]

    def _counting(self) -> NDArray[np.int64]:
        parent, rigid = np.full(len(self.links), -1), np.arange(len(self.links))
        for joint, column in zip(self.joints, self._column):
            child = self._number[joint.child]
            parent[child] = self._number[joint.parent]
            if column is None:
                rigid[child] = rigid[parent[child]]
        allowed = np.zeros((len(self.links), len(self.links)), bool)
        for names in self._allowed:
            if isinstance(names, str) or not isinstance(names, Collection) or len(names) != 2:
                raise ValueError(f"allowed: has {names!r}, must be {PAIRS}")
            a, b = (self._link("allowed", name) for name in names)
            allowed[a, b] = allowed[b, a] = True
        shaped = np.array(sorted(self._shapes), np.int64)
        first, second = (shaped[side] for side in np.triu_indices(len(shaped), 1))
        joined = (parent[first] == second) | (parent[second] == first)
        counts = (rigid[first] != rigid[second]) & ~joined & ~allowed[first, second]
        return np.asarray(np.stack([first, second], axis=1)[counts], np.int64)

    def _link(self, argument: str, name: str) -> int:
        """The number of a link."""
        if not isinstance(name, str) or name not in self._number:
            raise ValueError(f"{argument}: there is no link {name!r}, must be one of {', '.join(self._number)}")
        return self._number[name]

    def _configurations(self, given: ArrayLike, argument: str = "configurations") -> Floats:
        array = floats(argument, given)
        if array.ndim > 2 or array.shape[-1:] != (len(self.moving),):
            raise ValueError(f"{argument}: has shape {array.shape}, must be (N, {len(self.moving)})")
        array = np.atleast_2d(array)
        wrong = np.argwhere(~np.isfinite(array))
        if len(wrong):
            row, column = wrong[0]
            raise ValueError(f"{argument}[{row}]: {self.moving[column]} is {array[row, column]}, must be finite")
        if not np.abs(array).max(initial=0.0) * self._scale < _FAR:
            row, column = np.unravel_index(np.abs(array).argmax(), array.shape)
            number = array[row, column]
            raise ValueError(f"{argument}[{row}]: {self.moving[column]} is {number}, must keep links nearer than {_FAR:.0e}")
        return array

    def _batches(self, count: int) -> list[slice]:
        """Configurations in parts that need a few megabytes; at least one, which may be empty."""
        size = max(_BATCH // max(len(self.links), len(self.pairs)), 1)
        return [slice(first, first + size) for first in range(0, max(count, 1), size)]

    def poses(self, configurations: ArrayLike) -> Floats:
        """The poses of all links in N configurations, shape (N, L, 4, 4), in the frame of the root."""
        given = self._configurations(configurations)
        poses = np.empty((len(given), len(self.links), 4, 4))
        self._linkage.frames(self._columns(given), poses.reshape(-1).view(np.uint8))
        return poses

    def _columns(self, configurations: Floats) -> Floats:
        """Configurations as the native half reads them: with one number at least."""
        return configurations if self.moving else np.zeros((len(configurations), 1))

    def _sizes(self, configurations: Floats) -> Floats:
        """How large the number of each joint is, and what it is computed of, at most: shape (N, number of joints)."""
        sizes = np.zeros((len(configurations), len(self.joints)))
        for k, (joint, column) in enumerate(zip(self.joints, self._column)):
            if column is not None:
                sizes[:, k] = np.abs(configurations[:, column] * joint.factor) + abs(joint.offset)
        return sizes

    def _slack(self, sizes: Floats) -> Floats:
        """By how much the distance of each pair may differ because poses are rounded, shape (N, P), by the `_sizes`."""
        far, straight, turns, angles = self._chains
        # Unlike those of `@`, the bits of these sums do not depend on how many rows there are.
        reach, turned = far + np.einsum("nk,lk->nl", sizes, straight), turns + np.einsum("nk,lk->nl", sizes, angles)
        # Of a shape without an end counts what the rest of the robot can come near.
        most = (reach + self._radius).max(axis=1, initial=0.0, where=np.isfinite(self._radius))
        radius = np.where(np.isfinite(self._radius), self._radius, reach + most[:, None])
        each = _ROUNDED_ANGLE * radius + _ROUNDING * turned * (reach + radius)
        return np.asarray(each[:, self.pairs[:, 0]] + each[:, self.pairs[:, 1]])

    def _constant_chains(self) -> tuple[Floats, Floats, Floats, Floats]:
        """How far each link is from the root at most, and by how much its chain turns: of the `_sizes` of joints that count for each."""
        (far, turns), (straight, angles) = np.zeros((2, len(self.links))), np.zeros((2, len(self.joints), len(self.links)))
        for k, joint in enumerate(self.joints):
            parent, child = self._number[joint.parent], self._number[joint.child]
            far[child] = far[parent] + self._lengths[k]
            turns[child] = turns[parent] + 1.0
            straight[:, child], angles[:, child] = straight[:, parent], angles[:, parent]
            (straight if joint.kind == "prismatic" else angles)[k, child] = 1.0
        return far, straight.T.copy(), turns, angles.T.copy()

    def _velocities(self, poses: Floats, link: int, points: Floats) -> Iterator[tuple[int, Floats]]:
        """How points of a link, one in each configuration, move with each joint of its chain."""
        for joint in self._chain(link):
            column = self._column[joint]
            if column is None:
                continue
            of = self.joints[joint]
            frames = poses[:, self._number[of.parent]] @ self._origin[joint]
            axes = frames[:, :3, :3] @ self._axis[joint] * of.factor
            yield column, axes if of.kind == "prismatic" else np.cross(axes, points - frames[:, :3, 3])

    def _rates(self, sizes: Floats) -> Floats:
        """How far the two links of each pair come nearer at most for one unit of each joint: shape (N, P, J).

        In the frame of the last link that both hang on, a revolute joint that turns by an angle moves a point of a link below it
        by at most the angle times the point's distance from the joint's origin, which lies on the axis. That is no more than
        the lengths of the origins of all joints between them, plus the numbers of those that are prismatic, plus the radius of
        the link about its own origin. A prismatic joint moves the point by as much as it moves. ``sizes`` must bound the
        numbers of all joints, followers included, wherever the rates are used; limits of joints are not relied on.
        """
        constant, per_size, straight = self._levers
        rates = np.repeat(constant[None] * (1.0 + 1e-9), len(sizes), axis=0)
        for k, joint in enumerate(straight):
            rates += sizes[:, joint, None, None] * (per_size[..., k] * (1.0 + 1e-9))
        return rates

    def _constant_levers(self) -> tuple[Floats, Floats, list[int]]:
        """What `_rates` are when no prismatic joint is moved, shape (P, J); what each of these adds for its size; and which they are."""
        straight = [k for k, joint in enumerate(self.joints) if joint.kind == "prismatic"]
        moving = [k for k, column in enumerate(self._column) if column is not None]
        levers, slides = np.zeros((len(self.links), len(moving))), np.zeros((len(self.links), len(moving), len(straight)))
        below = np.zeros(levers.shape, bool)
        for link in self._shapes:
            lever, slid = self._radius[link], np.zeros(len(straight))
            for joint in reversed(self._chain(link)):
                factor, is_straight = abs(self.joints[joint].factor), joint in straight
                if self._column[joint] is not None:
                    place = link, moving.index(joint)
                    below[place] = True
                    levers[place] = factor * (1.0 if is_straight else lever)
                    slides[place] = 0.0 if is_straight else factor * slid
                lever += self._lengths[joint]
                if is_straight:
                    slid[straight.index(joint)] = 1.0
        # Joints that carry both links of a pair leave their distance as it is.
        a, b = self.pairs.T
        between = ~(below[a] & below[b])
        rates = np.zeros((len(self.pairs), len(self.moving)))
        per_size = np.zeros((*rates.shape, len(straight)))
        for own, joint in enumerate(moving):
            column, counts = self._column[joint], between[:, own]
            rates[:, column] += (levers[a, own] + levers[b, own]) * counts
            per_size[:, column] += (slides[a, own] + slides[b, own]) * counts[:, None]
        return rates, per_size, straight


def _of_kind(argument: str, given: Any, kind: type[T]) -> list[T]:
    """A list whose members are all of a kind."""
    members = listed(argument, given, f"{kind.__name__}s")
    for k, member in enumerate(members):
        if not isinstance(member, kind):
            raise TypeError(f"{argument}[{k}]: is {type(member).__name__}, must be a {kind.__name__}")
    return members


def _named(argument: str, names: list[str]) -> list[str]:
    """The names, none of which is there twice."""
    known: set[str] = set()
    for name in names:
        if name in known:
            raise ValueError(f"{argument}: two have the same name, {name!r}")
        known.add(name)
    return names


def _first(which: NDArray[np.bool_]) -> int | None:
    """The number of the first row that is chosen, if any is."""
    return int(which.argmax()) if which.any() else None


def _matrices(joints: list[Joint]) -> Floats:
    """The origins of joints, (K, 4, 4)."""
    origins = np.zeros((len(joints), 4, 4))
    for k, joint in enumerate(joints):
        origin = floats(f"joint {joint.name!r}: origin", joint.origin)
        if origin.shape != (4, 4):
            raise ValueError(f"joint {joint.name!r}: origin has shape {origin.shape}, must be (4, 4)")
        origins[k] = origin
    turns = origins[:, :3, :3]
    with np.errstate(invalid="ignore"):
        off = np.abs(turns @ turns.swapaxes(1, 2) - np.eye(3)).max(axis=(1, 2), initial=0.0)
        is_rotation = (off <= 1e-5) & (np.linalg.det(turns) > 0.0) & np.isfinite(origins).all(axis=(1, 2))
    wrong = _first(~is_rotation)
    if wrong is not None:
        raise ValueError(f"joint {joints[wrong].name!r}: origin is {origins[wrong].tolist()}, must only turn and move")
    # The nearest rotations, so that products of many stay rotations.
    left, _, right = np.linalg.svd(turns)
    origins[:, :3, :3] = left @ right
    return origins


def _axis(joint: Joint) -> Floats:
    axis = floats(f"joint {joint.name!r}: axis", joint.axis)
    length = float(np.linalg.norm(axis)) if axis.shape == (3,) else 0.0
    if joint.kind != "fixed" and not (np.isfinite(length) and length > 0.0):
        raise ValueError(f"joint {joint.name!r}: axis is {axis.tolist()}, must be three numbers, not all 0")
    return axis / length if length > 0.0 else np.zeros(3)
