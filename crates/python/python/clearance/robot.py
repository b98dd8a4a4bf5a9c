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

from ._arrays import floats
from ._batches import distance
from ._rows import Distances
from ._shape import Choice
from ._shape import Shape3 as Shape

Floats = NDArray[np.float64]

#: The greatest angle, in radians, by which the rotation of a pose changes when it is rounded to single precision: four numbers
#: of a quaternion, each off by at most 2**-25, turn it by at most twice the length of the difference, 2**-23; doubled for safety.
_ROUNDED_ANGLE = 2.0**-22
#: How far rounding in double precision takes a link, relative to its reach, generously.
_ROUNDING = 1e-13
#: How many distances are measured in one call.
_BATCH = 1 << 16


@dataclass(frozen=True)
class Link:
    """A rigid part of a robot.

    Attributes
    ----------
    name
        The name.
    shape
        The shape in the frame of the link; None for a link that nothing can meet.
    """

    name: str
    shape: Shape | None = None


@dataclass(frozen=True)
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
        The least and the greatest number of the joint. They bound how far a prismatic joint can reach.
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


@dataclass(frozen=True)
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
        ``upper``. If ``lower`` > 0, the whole trajectory is free. ``lower`` is minus infinity where an overlap was found, which
        ends the search.
    time
        Where ``upper`` was measured: 2.5 is half way from waypoint 2 to waypoint 3.
    pair
        The names of the links there.
    complete
        Whether the bounds are as close as was asked.
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
        The joints, each with another child.
    allowed
        Pairs of names of links that may touch. Links that a joint joins always may; so do links that are joined by fixed joints
        alone.

    Attributes
    ----------
    moving
        The names of the joints that a configuration has numbers for, in order.
    pairs
        The numbers of the links of each pair that counts, shape (P, 2).
    """

    def __init__(self, links: Sequence[Link], joints: Sequence[Joint], allowed: Collection[tuple[str, str]] = ()) -> None:
        self.links = list(links)
        names = [link.name for link in self.links]
        self._number = {name: k for k, name in enumerate(names)}
        if len(self._number) != len(names):
            raise ValueError("links: two have the same name")
        self.joints = self._sorted(joints)
        self._origin = [_matrix(joint) for joint in self.joints]
        self._axis = [_axis(joint) for joint in self.joints]
        self.moving = [joint.name for joint in self.joints if joint.kind != "fixed" and joint.follows is None]
        column = {name: k for k, name in enumerate(self.moving)}
        self._column = [self._column_of(joint, column) for joint in self.joints]
        self._joint_of = {self._number[joint.child]: k for k, joint in enumerate(self.joints)}
        self._parent = {self._number[joint.child]: self._number[joint.parent] for joint in self.joints}
        shapes = [(k, link.shape) for k, link in enumerate(self.links) if link.shape is not None]
        self._shapes = {k: shape for k, shape in shapes}
        self._radius = {k: shape.bounding_radius for k, shape in shapes}
        self.pairs = self._counting(allowed)

    def _sorted(self, joints: Sequence[Joint]) -> list[Joint]:
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
        known, left, order = {roots[0]}, list(joints), []
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
        poses = self.poses(configurations)
        pairs = len(self.pairs)
        row = np.repeat(np.arange(len(poses)), pairs)
        pair = np.tile(np.arange(pairs), len(poses))
        rows = self._measure(poses, (row, pair), (within, threads))
        return Distances(rows.rows.reshape(len(poses), pairs))

    def _measure(self, poses: Floats, which: tuple[Any, Any], asked: tuple[float, int | None]) -> Distances:
        """The distances of pairs, each in one configuration."""
        row, pair = which
        within, threads = asked
        order = sorted(self._shapes)
        shapes = [self._shapes[k] for k in order]
        place = np.zeros(len(self.links), np.int64)
        place[order] = np.arange(len(order))
        dtype = Shape._layouts.distance
        found = np.empty(len(row), dtype)
        for first in range(0, len(row), _BATCH):
            rows, pairs = row[first : first + _BATCH], self.pairs[pair[first : first + _BATCH]]
            sides = [(Choice(shapes, place[pairs[:, k]]), poses[rows, pairs[:, k]]) for k in (0, 1)]
            (a, poses_a), (b, poses_b) = sides
            out = Distances(found[first : first + len(rows)])
            distance(a, b, poses_a, poses_b, within=within, out=out, threads=threads)
        return Distances(found)

    def _slack(self, pairs: NDArray[np.int64]) -> Floats:
        """By how much a distance may differ because poses are rounded."""
        reach = np.array([self._radius.get(k, 0.0) for k in range(len(self.links))])
        chain = np.array([self._reach(self._chain(k)) for k in range(len(self.links))])
        each = _ROUNDED_ANGLE * reach + _ROUNDING * (chain + reach)
        return np.asarray(each[pairs[..., 0]] + each[pairs[..., 1]])

    def _reach(self, chain: list[int]) -> float:
        """No joint of a chain, nor its end, is farther from its beginning."""
        length = 0.0
        for joint in chain:
            length += float(np.linalg.norm(self._origin[joint][:3, 3]))
            if self.joints[joint].kind == "prismatic":
                of = self.joints[joint]
                least, most = self._limits(of)
                length += max(abs(least * of.factor + of.offset), abs(most * of.factor + of.offset))
        return length

    def _limits(self, joint: Joint) -> tuple[float, float]:
        named = {other.name: other for other in self.joints}
        return (named[joint.follows] if joint.follows else joint).limits

    def self_clearance(self, configurations: ArrayLike, *, threads: int | None = None) -> SelfClearance:
        """How clear each of N configurations is of itself: the least distance of the pairs that count.

        Costs one distance for each configuration, and one for each further pair whose bounding balls are nearer than that.
        """
        poses = self.poses(configurations)
        if len(self.pairs) == 0:
            raise ValueError("robot: has no pair of links that counts")
        if len(poses) == 0:
            nothing = np.zeros(0)
            return SelfClearance(nothing, nothing, nothing, np.zeros(0, np.int64), self._measure(poses, ([], []), (np.inf, threads)))
        least = self._ball_distances(poses)
        every = np.arange(len(poses))
        best = least.argmin(axis=1)
        first = self._measure(poses, (every, best), (np.inf, threads))
        slack = self._slack(self.pairs)
        upper = first.upper.astype(np.float64) + slack[best]
        left = least < upper[:, None]
        left[every, best] = False
        row, pair = np.nonzero(left)
        more = self._measure(poses, (row, pair), (np.inf, threads))
        return self._least(len(poses), [(every, best, first), (row, pair, more)], slack)

    def _ball_distances(self, poses: Floats) -> Floats:
        """Lower bounds of the distances of all pairs by balls about the links' boxes, shape (N, P)."""
        center, radius = np.zeros((len(self.links), 3)), np.zeros(len(self.links))
        for k, shape in self._shapes.items():
            low, high = shape.bounds()
            center[k] = (low + high) / 2.0
            radius[k] = np.linalg.norm(high - low) / 2.0 * (1.0 + 1e-12)
        at = np.einsum("nlij,lj->nli", poses[:, :, :3, :3], center) + poses[:, :, :3, 3]
        a, b = self.pairs.T
        apart = np.linalg.norm(at[:, a] - at[:, b], axis=-1) - radius[a] - radius[b]
        return np.asarray(apart - self._slack(self.pairs))

    def _least(self, count: int, measured: list[tuple[Any, Any, Distances]], slack: Floats) -> SelfClearance:
        """The nearest pair of each configuration, of those that were measured."""
        row = np.concatenate([rows for rows, _, _ in measured])
        pair = np.concatenate([pairs for _, pairs, _ in measured])
        found = np.concatenate([rows.rows for _, _, rows in measured])
        order = np.lexsort((pair, found["distance"], row))
        first = order[np.searchsorted(row[order], np.arange(count))]
        lower, upper = np.full(count, np.inf), np.full(count, np.inf)
        np.minimum.at(lower, row, found["lower"] - slack[pair])
        np.minimum.at(upper, row, found["upper"] + slack[pair])
        nearest = found[first]
        distances = nearest["distance"].astype(np.float64)
        return SelfClearance(distances, lower, upper, pair[first], Distances(nearest))

    def gradient(self, configurations: ArrayLike, clearance: SelfClearance | None = None) -> Floats:
        """How the self clearance of N configurations grows with each joint, shape (N, J): by the closest points.

        It is the derivative wherever one pair is nearest and its closest points are unique. ``clearance`` are the answers of
        `self_clearance` for the same configurations, where they are at hand.
        """
        given = self._configurations(configurations)
        at = self.self_clearance(given) if clearance is None else clearance
        poses = self.poses(given)
        gradient = np.zeros((len(given), len(self.moving)))
        for row, pair in enumerate(at.pair):
            normal = at.nearest.normal[row].astype(np.float64)
            for link, point, sign in zip(self.pairs[pair], (at.nearest.point_a[row], at.nearest.point_b[row]), (-1.0, 1.0)):
                for column, velocity in self._velocities(poses[row], int(link), point):
                    gradient[row, column] += sign * float(normal @ velocity)
        return gradient

    def _velocities(self, poses: Floats, link: int, point: Floats) -> Iterator[tuple[int, Floats]]:
        """How a point of a link moves with each joint of its chain."""
        for joint in self._chain(link):
            column = self._column[joint]
            if column is None:
                continue
            of = self.joints[joint]
            frame = poses[self._number[of.parent]] @ self._origin[joint]
            axis = frame[:3, :3] @ self._axis[joint] * of.factor
            yield column, axis if of.kind == "prismatic" else np.cross(axis, point - frame[:3, 3])

    def _rates(self) -> Floats:
        """How far the two links of each pair come nearer at most for one unit of each joint: shape (P, J).

        A point of a link moves, in the frame of the last link that both hang on, by at most the reach from the joint to the
        farthest point of the link, times the angle; or by as much as a prismatic joint moves.
        """
        rates = np.zeros((len(self.pairs), len(self.moving)))
        for k, pair in enumerate(self.pairs):
            for link, chain in zip(pair, self._between(*pair)):
                for place, joint in enumerate(chain):
                    column = self._column[joint]
                    if column is None:
                        continue
                    of = self.joints[joint]
                    lever = self._reach(chain[place + 1 :]) + self._radius[int(link)]
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
            Configurations, shape (N, J) with N >= 1. Prismatic joints must keep to their limits.
        tolerance
            How far ``lower`` and ``upper`` may be apart, > 0, in units of length.
        most
            About how many distances are measured at most; then the answer is not ``complete``, and its bounds still hold.
        threads
            As for `clearance.dim3.distance`.

        Notes
        -----
        Over a piece of the trajectory the distance of two links changes by at most D: the sum over the joints between them of
        the joint's angle times the farthest that a point of the link can be from it. With distances l and m at the ends of a
        piece, none in it is less than (l + m - D) / 2, since what is t of the way from one end is 1 - t of it from the other.
        Pieces for which that is less than the least distance so far, minus the tolerance, are halved.
        """
        given = self._configurations(waypoints)
        if not tolerance > 0.0:
            raise ValueError(f"tolerance: is {tolerance}, must be > 0")
        if len(given) == 0 or len(self.pairs) == 0:
            raise ValueError("waypoints: there must be one at least, and a pair of links that counts")
        self._check_limits(given)
        return _Search(self, given, threads).run(tolerance, most)

    def _check_limits(self, given: Floats) -> None:
        for joint in self.joints:
            if joint.kind != "prismatic" or joint.follows:
                continue
            if not np.isfinite(joint.limits).all():
                raise ValueError(f"joint {joint.name!r}: limits are {joint.limits}, must be finite for a proof")
            numbers = given[:, self.moving.index(joint.name)]
            wrong = np.argwhere((numbers < joint.limits[0]) | (numbers > joint.limits[1]))
            if len(wrong):
                row = int(wrong[0, 0])
                low, high = joint.limits
                raise ValueError(f"waypoints[{row}]: {joint.name} is {numbers[row]}, must be from {low} to {high}")

    @classmethod
    def from_urdf(cls, path: str | os.PathLike[str], *, allowed: Collection[tuple[str, str]] = (), hulls: bool = False) -> Robot:
        """The robot of a URDF file, by yourdfpy.

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


class _Search:
    """The search for the least clearance of a trajectory."""

    def __init__(self, robot: Robot, waypoints: Floats, threads: int | None) -> None:
        self.robot = robot
        self.waypoints = waypoints
        self.threads = threads
        self.rates = robot._rates()
        self.slack = robot._slack(robot.pairs)
        self.measured = 0
        self.upper = np.inf
        self.best: tuple[float, int] = (0.0, 0)

    def lowers(self, time: Floats, pair: NDArray[np.int64]) -> Floats:
        """Lower bounds of distances of pairs at times; the least upper bound of all is kept."""
        unique, place = np.unique(time, return_inverse=True)
        whole = np.minimum(unique.astype(np.int64), max(len(self.waypoints) - 2, 0))
        after = np.minimum(whole + 1, len(self.waypoints) - 1)
        part = (unique - whole)[:, None]
        at = self.waypoints[whole] * (1.0 - part) + self.waypoints[after] * part
        found = self.robot._measure(self.robot.poses(at), (place, pair), (np.inf, self.threads))
        self.measured += len(time)
        upper = found.upper + self.slack[pair]
        if len(upper) and upper.min() < self.upper:
            k = int(upper.argmin())
            self.upper, self.best = float(upper[k]), (float(time[k]), int(pair[k]))
        return np.asarray(found.lower - self.slack[pair])

    def run(self, tolerance: float, most: int) -> TrajectoryClearance:
        pairs, count = len(self.robot.pairs), len(self.waypoints)
        ends = np.repeat(np.arange(count, dtype=np.float64), pairs)
        lower = self.lowers(ends, np.tile(np.arange(pairs), count))
        if count == 1:
            return self.answer(float(lower.min()), True)
        at_ends = lower.reshape(count, pairs)
        steps = np.abs(np.diff(self.waypoints, axis=0))
        # Pieces: where they begin, how long they are, their pair, the lower bounds at their ends, how much may change in them.
        begin, length = ends[: (count - 1) * pairs], np.ones((count - 1) * pairs)
        pair = np.tile(np.arange(pairs), count - 1)
        first, last = at_ends[:-1].reshape(-1), at_ends[1:].reshape(-1)
        change = (steps @ self.rates.T).reshape(-1)
        done = float(lower.min())
        while self.upper > 0.0:
            bound = (first + last - change) / 2.0
            open_ = bound < self.upper - tolerance
            done = min(done, float(bound[~open_].min(initial=np.inf)))
            if not open_.any():
                return self.answer(done, True)
            if self.measured + int(open_.sum()) > most:
                return self.answer(min(done, float(bound[open_].min())), False)
            begin, length, pair = begin[open_], length[open_] / 2.0, pair[open_]
            first, last, change = first[open_], last[open_], change[open_] / 2.0
            middle = self.lowers(begin + length, pair)
            begin, length, pair = np.r_[begin, begin + length], np.r_[length, length], np.r_[pair, pair]
            first, last, change = np.r_[first, middle], np.r_[middle, last], np.r_[change, change]
        return self.answer(-np.inf, True)

    def answer(self, lower: float, complete: bool) -> TrajectoryClearance:
        time, pair = self.best
        a, b = (self.robot.links[k].name for k in self.robot.pairs[pair])
        return TrajectoryClearance(min(lower, self.upper), self.upper, time, (a, b), complete, self.measured)


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
