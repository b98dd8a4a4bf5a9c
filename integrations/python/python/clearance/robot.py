"""Robots: links with shapes on joints, and how clear they are of themselves, proven over whole trajectories.

A configuration is a row of numbers, one for each joint that moves: radians or units of length. What is asked about N configurations
is one batch. Bounds hold for the robot as it is described: what the engine rounds of rotations is added to them.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._arrays import Floats, floats
from ._batches import distance
from ._rows import Distances
from ._shape import Choice
from ._shape import Shape3 as Shape

#: The greatest angle, in radians, by which the rotation of a pose changes when it is rounded to single precision: four numbers
#: of a quaternion, each off by at most 2**-25, turn it by at most twice the length of the difference, 2**-23; doubled for safety.
_ROUNDED_ANGLE = 2.0**-22
#: By how much rounding in double precision turns a link for each joint above it and each radian that they turn by, generously.
_ROUNDING = 1e-13
#: How many poses of links, or distances of pairs, are held at a time.
_BATCH = 1 << 16
#: A piece of a trajectory for one pair of links: where it begins and how long it is, in waypoints; the lower bounds at its ends,
#: how much the distance may change between them, and how far apart the bounds at the ends are themselves.
_PIECE = np.dtype(
    [("begin", "f8"), ("length", "f8"), ("pair", "i8"), ("first", "f8"), ("last", "f8"), ("change", "f8"), ("width", "f8")]
)


@dataclass(frozen=True)
class Link:
    """A rigid part of a robot.

    Attributes
    ----------
    name
        The name.
    shape
        The shape in the frame of the link; None for a link that nothing can meet. A mesh that is not ``solid`` is a surface: what
        lies wholly inside it is clear of it. Only the root may have a half-space, such as a floor.
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
        like any others, and proofs do not rest on them.
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


@dataclass(frozen=True, eq=False)
class SelfClearance:
    """How clear each of N configurations is of itself.

    Attributes
    ----------
    distance, lower, upper
        The least signed distance of two links that count, and its proven bounds; shape (N,).
    pair
        The number of the pair of links that is nearest, as in `Robot.pairs`; shape (N,).
    nearest
        Its closest points and normal, from the first link of the pair to the second.
    """

    distance: Floats
    lower: Floats
    upper: Floats
    pair: NDArray[np.int64]
    nearest: Distances


@dataclass(frozen=True)
class TrajectoryClearance:
    """The least clearance over a trajectory.

    Attributes
    ----------
    lower, upper
        No configuration of the trajectory, between waypoints included, is nearer to itself than ``lower``; one comes as near as
        ``upper``. If ``lower`` > 0, no two links touch anywhere on the trajectory; of a mesh without an inside that is its
        surface, see `Link`. ``lower`` is minus infinity where an overlap was found, which ends the search.
    time
        Where ``upper`` was measured: 2.5 is half way from waypoint 2 to waypoint 3.
    pair
        The names of the links there.
    complete
        Whether ``lower`` and ``upper`` are no farther apart than the tolerance; never where an overlap was found.
    measured
        How many distances were measured.
    """

    lower: float
    upper: float
    time: float
    pair: tuple[str, str]
    complete: bool
    measured: int


class Robot:
    """A tree of links on joints.

    Parameters
    ----------
    links
        The links. The one that is no joint's child is the root; its frame is that of the world.
    joints
        The joints, in any order, each with another name and another child.
    allowed
        Pairs of names of links that may touch. Links that a joint joins always may; so do links that are joined by fixed joints
        alone.

    Attributes
    ----------
    moving
        The names of the joints that a configuration has numbers for, in the order of ``joints``.
    pairs
        The numbers of the links of each pair that counts, shape (P, 2).
    """

    def __init__(self, links: Sequence[Link], joints: Sequence[Joint], allowed: Collection[tuple[str, str]] = ()) -> None:
        self.links, given = list(links), list(joints)
        names = _named("links", [link.name for link in self.links])
        _named("joints", [joint.name for joint in given])
        self._number = {name: k for k, name in enumerate(names)}
        self.joints = self._sorted(given)
        self._origin = [_matrix(joint) for joint in self.joints]
        self._axis = [_axis(joint) for joint in self.joints]
        self.moving = [joint.name for joint in given if joint.kind != "fixed" and joint.follows is None]
        column = {name: k for k, name in enumerate(self.moving)}
        self._column = [self._column_of(joint, column) for joint in self.joints]
        self._joint_of = {self._number[joint.child]: k for k, joint in enumerate(self.joints)}
        self._parent = {self._number[joint.child]: self._number[joint.parent] for joint in self.joints}
        self._shapes = {k: link.shape for k, link in enumerate(self.links) if link.shape is not None}
        self._radius = np.array([self._radius_of(k) for k in range(len(self.links))])
        self.pairs = self._counting(allowed)

    def _sorted(self, joints: list[Joint]) -> list[Joint]:
        """The joints, each behind the one that its parent hangs on."""
        for joint in joints:
            for name in (joint.parent, joint.child):
                if name not in self._number:
                    raise ValueError(f"joint {joint.name!r}: there is no link {name!r}")
            if joint.kind not in ("revolute", "prismatic", "fixed"):
                kinds = "'revolute', 'prismatic' or 'fixed'"
                raise ValueError(f"joint {joint.name!r}: kind is {joint.kind!r}, must be {kinds}")
        children = [joint.child for joint in joints]
        roots = [link.name for link in self.links if link.name not in children]
        if len(roots) != 1 or len(set(children)) != len(children):
            raise ValueError(f"joints: must make the links one tree, but the roots are {roots}")
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
            raise ValueError(f"joint {joint.name!r}: follows {name!r}, which is no joint that moves by itself")
        return column[name]

    def _radius_of(self, link: int) -> float:
        """No point of a link's shape is farther from its origin; 0 for the root, which nothing turns."""
        if link not in self._shapes or link not in self._parent:
            return 0.0
        radius = self._shapes[link].bounding_radius
        if not np.isfinite(radius):
            raise ValueError(f"link {self.links[link].name!r}: its shape has no end, which only that of the root may have")
        return radius

    def _chain(self, link: int) -> list[int]:
        """The numbers of the joints from the root to a link."""
        chain: list[int] = []
        while link in self._joint_of:
            chain.append(self._joint_of[link])
            link = self._parent[link]
        return chain[::-1]

    def _counting(self, allowed: Collection[tuple[str, str]]) -> NDArray[np.int64]:
        for pair in allowed:
            for name in pair:
                if name not in self._number:
                    raise ValueError(f"allowed: there is no link {name!r}")
        passed = {frozenset(self._number[name] for name in pair) for pair in allowed}
        pairs = []
        for a, b in combinations(sorted(self._shapes), 2):
            above = self._between(a, b)
            moving = [joint for side in above for joint in side if self._column[joint] is not None]
            joined = a == self._parent.get(b) or b == self._parent.get(a)
            if moving and not joined and frozenset((a, b)) not in passed:
                pairs.append((a, b))
        return np.array(pairs, np.int64).reshape(-1, 2)

    def _between(self, a: int, b: int) -> tuple[list[int], list[int]]:
        """The joints from the last link that both hang on to each of them."""
        first, second = self._chain(a), self._chain(b)
        shared = 0
        while shared < min(len(first), len(second)) and first[shared] == second[shared]:
            shared += 1
        return first[shared:], second[shared:]

    def _configurations(self, given: ArrayLike) -> Floats:
        array = floats("configurations", given)
        if array.ndim > 2 or array.shape[-1:] != (len(self.moving),):
            raise ValueError(f"configurations: has shape {array.shape}, must be (N, {len(self.moving)})")
        array = array.reshape(-1, len(self.moving))
        wrong = np.argwhere(~np.isfinite(array))
        if len(wrong):
            row, column = wrong[0]
            raise ValueError(f"configurations[{row}]: {self.moving[column]} is {array[row, column]}, must be finite")
        return array

    def _batches(self, count: int) -> list[slice]:
        """Configurations in parts that need a few megabytes; at least one, which may be empty."""
        size = max(_BATCH // max(len(self.links), len(self.pairs)), 1)
        return [slice(first, first + size) for first in range(0, max(count, 1), size)]

    def poses(self, configurations: ArrayLike) -> Floats:
        """The poses of all links in N configurations, shape (N, L, 4, 4), in the frame of the root."""
        given = self._configurations(configurations)
        poses = np.zeros((len(given), len(self.links), 4, 4))
        poses[:] = np.eye(4)
        for k, joint in enumerate(self.joints):
            parent, child = self._number[joint.parent], self._number[joint.child]
            poses[:, child] = poses[:, parent] @ self._origin[k] @ self._moved(k, given)
        return poses

    def _numbers(self, joint: int, configurations: Floats) -> Floats:
        column = self._column[joint]
        if column is None:
            return np.zeros(len(configurations))
        of = self.joints[joint]
        return configurations[:, column] * of.factor + of.offset

    def _moved(self, joint: int, configurations: Floats) -> Floats:
        """What a joint does, shape (N, 4, 4)."""
        numbers, axis = self._numbers(joint, configurations), self._axis[joint]
        moved = np.zeros((len(numbers), 4, 4))
        moved[:] = np.eye(4)
        kind = self.joints[joint].kind
        if kind == "prismatic":
            moved[:, :3, 3] = numbers[:, None] * axis
        elif kind == "revolute":
            x, y, z = axis
            cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
            sin, cos = np.sin(numbers)[:, None, None], np.cos(numbers)[:, None, None]
            moved[:, :3, :3] += sin * cross + (1.0 - cos) * (cross @ cross)
        return moved

    def link_distances(self, configurations: ArrayLike, *, within: float = np.inf, threads: int | None = None) -> Distances:
        """The distances of all pairs that count, one row for each configuration and pair: shape (N, P).

        Bounds are those at the rounded poses. See `self_clearance` for bounds of the robot.
        """
        given, pairs = self._configurations(configurations), len(self.pairs)
        found = np.empty((len(given), pairs), Shape._layouts.distance)
        for part in self._batches(len(given)):
            poses = self.poses(given[part])
            row, pair = np.divmod(np.arange(len(poses) * pairs), max(pairs, 1))
            found[part] = self._measure(poses, (row, pair), (within, threads)).rows.reshape(-1, pairs)
        return Distances(found)

    def _measure(self, poses: Floats, which: tuple[Any, Any], asked: tuple[float, int | None]) -> Distances:
        """The distances of pairs, each in one configuration."""
        row, pair = which
        within, threads = asked
        place = np.zeros(len(self.links), np.int64)
        place[list(self._shapes)] = np.arange(len(self._shapes))
        shapes = list(self._shapes.values())
        a, b = self.pairs[pair].T
        return distance(
            Choice(shapes, place[a]), Choice(shapes, place[b]), poses[row, a], poses[row, b], within=within, threads=threads
        )

    def _sizes(self, configurations: Floats) -> Floats:
        """How large the number of each joint is, and what it is computed of, at most: shape (N, number of joints)."""
        sizes = np.zeros((len(configurations), len(self.joints)))
        for k, (joint, column) in enumerate(zip(self.joints, self._column)):
            if column is not None:
                sizes[:, k] = np.abs(configurations[:, column] * joint.factor) + abs(joint.offset)
        return sizes

    def _slack(self, sizes: Floats) -> Floats:
        """By how much the distance of each pair may differ because poses are rounded, shape (N, P), by the `_sizes`."""
        reach, turns = np.zeros((2, len(sizes), len(self.links)))
        for k, joint in enumerate(self.joints):
            parent, child = self._number[joint.parent], self._number[joint.child]
            is_straight = joint.kind == "prismatic"
            reach[:, child] = reach[:, parent] + np.linalg.norm(self._origin[k][:3, 3]) + is_straight * sizes[:, k]
            turns[:, child] = turns[:, parent] + 1.0 + (not is_straight) * sizes[:, k]
        each = _ROUNDED_ANGLE * self._radius + _ROUNDING * turns * (reach + self._radius)
        return np.asarray(each[:, self.pairs[:, 0]] + each[:, self.pairs[:, 1]])

    def _reach(self, chain: list[int], sizes: Floats) -> float:
        """No joint of a chain, nor its end, is farther from its beginning while no joint's number is larger than its size."""
        straight = sum(float(sizes[joint]) for joint in chain if self.joints[joint].kind == "prismatic")
        return straight + sum(float(np.linalg.norm(self._origin[joint][:3, 3])) for joint in chain)

    def self_clearance(self, configurations: ArrayLike, *, threads: int | None = None) -> SelfClearance:
        """How clear each of N configurations is of itself: the least distance of the pairs that count.

        Costs one distance for each configuration, and one for each further pair whose bounding balls are nearer than that.
        """
        given = self._configurations(configurations)
        if len(self.pairs) == 0:
            raise ValueError("robot: has no pair of links that counts")
        found = [self._clear(given[part], threads) for part in self._batches(len(given))]
        distances, lower, upper, pair, nearest = (np.concatenate(each) for each in zip(*found))
        return SelfClearance(distances, lower, upper, pair, Distances(nearest))

    def _clear(self, configurations: Floats, threads: int | None) -> tuple[NDArray[Any], ...]:
        """The fields of a `SelfClearance`, the last as rows."""
        poses, slack = self.poses(configurations), self._slack(self._sizes(configurations))
        least = self._ball_distances(poses) - slack
        every = np.arange(len(poses))
        best = least.argmin(axis=1)
        first = self._measure(poses, (every, best), (np.inf, threads))
        left = least < (first.upper + slack[every, best])[:, None]
        left[every, best] = False
        row, pair = np.nonzero(left)
        more = self._measure(poses, (row, pair), (np.inf, threads))
        found = np.concatenate([first.rows, more.rows])
        return _least((np.r_[every, row], np.r_[best, pair]), found, slack)

    def _ball_distances(self, poses: Floats) -> Floats:
        """Lower bounds of the distances of all pairs by balls about the links' boxes, shape (N, P)."""
        center, radius = np.zeros((len(self.links), 3)), np.zeros(len(self.links))
        for k, shape in self._shapes.items():
            low, high = shape.bounds()
            radius[k] = np.linalg.norm(high - low) / 2.0 * (1.0 + 1e-12)
            if np.isfinite(radius[k]):
                center[k] = (low + high) / 2.0
        at = np.einsum("nlij,lj->nli", poses[:, :, :3, :3], center) + poses[:, :, :3, 3]
        a, b = self.pairs.T
        return np.asarray(np.linalg.norm(at[:, a] - at[:, b], axis=-1) - radius[a] - radius[b])

    def gradient(self, configurations: ArrayLike, clearance: SelfClearance | None = None) -> Floats:
        """How the self clearance of N configurations grows with each joint, shape (N, J): by the closest points.

        It is the derivative wherever one pair is nearest and its closest points are unique. ``clearance`` are the answers of
        `self_clearance` for the same configurations, where they are at hand.
        """
        given = self._configurations(configurations)
        at = self.self_clearance(given) if clearance is None else clearance
        if len(at.pair) != len(given):
            raise ValueError(f"clearance: has {len(at.pair)} rows, must have {len(given)}, one for each configuration")
        parts = self._batches(len(given))
        return np.concatenate([self._gradient(given[part], at.pair[part], at.nearest[part]) for part in parts])

    def _gradient(self, configurations: Floats, pair: NDArray[np.int64], nearest: Distances) -> Floats:
        poses, gradient = self.poses(configurations), np.zeros(configurations.shape)
        for side, points, sign in ((0, nearest.point_a, -1.0), (1, nearest.point_b, 1.0)):
            links = self.pairs[pair, side]
            for link in np.unique(links):
                rows = np.flatnonzero(links == link)
                for column, velocity in self._velocities(poses[rows], int(link), points[rows]):
                    gradient[rows, column] += sign * (nearest.normal[rows] * velocity).sum(axis=1)
        return gradient

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
        """How far the two links of each pair come nearer at most for one unit of each joint: shape (P, J).

        In the frame of the last link that both hang on, a revolute joint that turns by an angle moves a point of a link below it
        by at most the angle times the point's distance from the joint's origin, which lies on the axis. That is no more than
        the lengths of the origins of all joints between them, plus the numbers of those that are prismatic, plus the radius of
        the link about its own origin. A prismatic joint moves the point by as much as it moves. ``sizes`` must bound the
        numbers of all joints, followers included, wherever the rates are used; limits of joints are not relied on.
        """
        rates = np.zeros((len(self.pairs), len(self.moving)))
        for k, pair in enumerate(self.pairs):
            for link, chain in zip(pair, self._between(*pair)):
                for place, joint in enumerate(chain):
                    column = self._column[joint]
                    if column is None:
                        continue
                    of = self.joints[joint]
                    lever = self._reach(chain[place + 1 :], sizes) + self._radius[link]
                    rates[k, column] += abs(of.factor) * (1.0 if of.kind == "prismatic" else lever)
        return rates * (1.0 + 1e-9)

    def trajectory_clearance(
        self,
        waypoints: ArrayLike,
        *,
        tolerance: float = 1e-3,
        most: int = 10**6,
        threads: int | None = None,
    ) -> TrajectoryClearance:
        """The least self clearance over a trajectory, proven: all joints move evenly from each waypoint to the next.

        Parameters
        ----------
        waypoints
            Configurations, shape (N, J) with N >= 1.
        tolerance
            How far ``lower`` and ``upper`` may be apart, > 0, in units of length.
        most
            About how many distances are measured at most; then the answer is not ``complete``, and its bounds still hold.
        threads
            As for `clearance.dim3.distance`.

        Notes
        -----
        Over a piece of the trajectory the distance of two links changes by at most D: the sum over the joints between them of
        the joint's angle times the farthest that a point of the link can be from it, or of the length that it moves by. How far
        prismatic joints between them carry that point is bounded by their largest numbers at the waypoints: a joint's number,
        and that of one that follows it, changes evenly between waypoints and so is largest at one of them. With distances l and
        m at the ends of a piece, none in it is less than (l + m - D) / 2, since what is t of the way from one end is 1 - t of it
        from the other, and the mean of l - t D and m - (1 - t) D is that. Pieces for which it is less than the least distance so
        far, minus the tolerance, are halved, until D is less than what rounding leaves open of l and m.
        """
        given = self._configurations(waypoints)
        if not tolerance > 0.0:
            raise ValueError(f"tolerance: is {tolerance}, must be > 0")
        if len(given) == 0 or len(self.pairs) == 0:
            raise ValueError("waypoints: there must be one at least, and a pair of links that counts")
        return _Search(self, given, threads).run(tolerance, most)

    @classmethod
    def from_urdf(cls, path: str | os.PathLike[str], *, allowed: Collection[tuple[str, str]] = (), hulls: bool = False) -> Robot:
        """The robot of a URDF file, by yourdfpy. Closed meshes have an inside; others are surfaces, as `Link` has it.

        Parameters
        ----------
        path
            The file. Meshes are found beside it, and ``package://`` names in the folders above it.
        allowed
            As for `Robot`.
        hulls
            Whether meshes are taken as their convex hulls, which is faster, and overlaps then have depths.
        """
        from ._urdf import read

        links, joints = read(os.fspath(path), hulls)
        return cls(links, joints, allowed)


def _least(which: tuple[Any, Any], found: NDArray[Any], slack: Floats) -> tuple[NDArray[Any], ...]:
    """Of each configuration the least distance, its bounds, the pair and its row, of those that were measured."""
    row, pair = which
    count = len(slack)
    order = np.lexsort((pair, found["distance"], row))
    first = order[np.searchsorted(row[order], np.arange(count))]
    lower, upper = np.full(count, np.inf), np.full(count, np.inf)
    np.minimum.at(lower, row, found["lower"] - slack[row, pair])
    np.minimum.at(upper, row, found["upper"] + slack[row, pair])
    nearest = found[first]
    return nearest["distance"].astype(np.float64), lower, upper, pair[first], nearest


class _Search:
    """The search for the least clearance of a trajectory."""

    def __init__(self, robot: Robot, waypoints: Floats, threads: int | None) -> None:
        self.robot = robot
        # A single waypoint is a way that stays there.
        self.waypoints = waypoints if len(waypoints) > 1 else np.repeat(waypoints, 2, axis=0)
        self.threads = threads
        sizes = robot._sizes(waypoints).max(axis=0)
        self.rates = robot._rates(sizes)
        self.slack = robot._slack(sizes[None])[0]
        self.measured = 0
        self.upper = np.inf
        self.best: tuple[float, int] = (0.0, 0)

    def bounds(self, time: Floats, pair: NDArray[np.int64]) -> tuple[Floats, Floats]:
        """Lower bounds of distances of pairs at times, and how far above them the upper ones are."""
        lower, width = np.empty((2, len(time)))
        for part in self.robot._batches(len(time)):
            lower[part], width[part] = self.bounds_of_part(time[part], pair[part])
        return lower, width

    def bounds_of_part(self, time: Floats, pair: NDArray[np.int64]) -> tuple[Floats, Floats]:
        """`bounds` of not too many at a time; the least upper bound of all is kept."""
        unique, place = np.unique(time, return_inverse=True)
        whole = np.minimum(unique.astype(np.int64), len(self.waypoints) - 2)
        part = (unique - whole)[:, None]
        at = self.waypoints[whole] * (1.0 - part) + self.waypoints[whole + 1] * part
        found = self.robot._measure(self.robot.poses(at), (place, pair), (np.inf, self.threads))
        self.measured += len(time)
        lower, upper = found.lower - self.slack[pair], found.upper + self.slack[pair]
        if upper.min() < self.upper:
            k = int(upper.argmin())
            self.upper, self.best = float(upper[k]), (float(time[k]), int(pair[k]))
        return lower, upper - lower

    def whole(self) -> NDArray[Any]:
        """A piece for each pair and each waypoint but the last."""
        pairs, count = len(self.robot.pairs), len(self.waypoints)
        time, pair = np.repeat(np.arange(count, dtype=np.float64), pairs), np.tile(np.arange(pairs), count)
        lower, width = self.bounds(time, pair)
        pieces = np.zeros((count - 1) * pairs, _PIECE)
        pieces["begin"], pieces["pair"], pieces["length"] = time[:-pairs], pair[:-pairs], 1.0
        pieces["first"], pieces["last"] = lower[:-pairs], lower[pairs:]
        pieces["change"] = (np.abs(np.diff(self.waypoints, axis=0)) @ self.rates.T).reshape(-1)
        pieces["width"] = np.maximum(width[:-pairs], width[pairs:])
        return pieces

    def halved(self, pieces: NDArray[Any]) -> NDArray[Any]:
        """Both halves of each piece."""
        pieces["length"] /= 2.0
        pieces["change"] /= 2.0
        middle, width = self.bounds(pieces["begin"] + pieces["length"], pieces["pair"])
        pieces["width"] = np.maximum(pieces["width"], width)
        after = pieces.copy()
        after["begin"] += pieces["length"]
        pieces["last"], after["first"] = middle, middle
        return np.concatenate([pieces, after])

    def run(self, tolerance: float, most: int) -> TrajectoryClearance:
        """Halves pieces until those that may hold the least clearance are short enough, or too many were measured."""
        pieces, done = self.whole(), np.inf
        while self.upper > 0.0:
            bound = (pieces["first"] + pieces["last"] - pieces["change"]) / 2.0
            # Where less changes than the bounds at the ends leave open, halving would gain nothing.
            is_open = (self.upper - bound > tolerance) & (pieces["change"] > pieces["width"])
            done = min(done, bound[~is_open].min(initial=np.inf))
            pieces = pieces[is_open]
            if len(pieces) == 0 or self.measured + len(pieces) > most:
                return self.answer(min(done, bound[is_open].min(initial=np.inf)), tolerance)
            pieces = self.halved(pieces)
        return self.answer(-np.inf, tolerance)

    def answer(self, lower: float, tolerance: float) -> TrajectoryClearance:
        """What is known when the search ends."""
        time, pair = self.best
        a, b = (self.robot.links[k].name for k in self.robot.pairs[pair])
        lower = min(float(lower), self.upper)
        return TrajectoryClearance(lower, self.upper, time, (a, b), self.upper - lower <= tolerance, self.measured)


def _named(argument: str, names: list[str]) -> list[str]:
    """The names, none of which is there twice."""
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"{argument}: two have the same name, {name!r}")
    return names


def _matrix(joint: Joint) -> Floats:
    origin = floats(f"joint {joint.name!r}: origin", joint.origin)
    if origin.shape != (4, 4):
        raise ValueError(f"joint {joint.name!r}: origin has shape {origin.shape}, must be (4, 4)")
    turn = origin[:3, :3]
    is_rotation = np.allclose(turn @ turn.T, np.eye(3), atol=1e-6) and np.linalg.det(turn) > 0.0
    if not (is_rotation and np.isfinite(origin).all()):
        raise ValueError(f"joint {joint.name!r}: origin must only turn and move")
    # The nearest rotation, so that products of many stay rotations.
    left, _, right = np.linalg.svd(turn)
    exact = origin.copy()
    exact[:3, :3] = left @ right
    return exact


def _axis(joint: Joint) -> Floats:
    axis = floats(f"joint {joint.name!r}: axis", joint.axis)
    length = float(np.linalg.norm(axis)) if axis.shape == (3,) else 0.0
    if joint.kind != "fixed" and not (np.isfinite(length) and length > 0.0):
        raise ValueError(f"joint {joint.name!r}: axis is {axis.tolist()}, must be three numbers, not all 0")
    return axis / length if length > 0.0 else np.zeros(3)
