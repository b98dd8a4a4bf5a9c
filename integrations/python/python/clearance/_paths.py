"""Paths of robots, and what is proven of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from math import comb, factorial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._arrays import Floats, floats

if TYPE_CHECKING:
    from .robot import Robot

#: A piece of a trajectory for one pair of links: where it begins and how long it is, in segments; the lower bounds at its ends,
#: how much the distance may change between them, and how far apart the bounds at the ends are themselves.
_PIECE = np.dtype(
    [("begin", "f8"), ("length", "f8"), ("pair", "i8"), ("first", "f8"), ("last", "f8"), ("change", "f8"), ("width", "f8")]
)
#: Pieces of splines that are farther apart than this, in parts of the greatest number of the spline, do not join: far more than rounding.
_JOINED = 1e-9
#: What the native half writes of each path.
PATH_ROW = np.dtype({"names": ["time", "pair", "status"], "formats": ["f8", "i4", "u1"], "offsets": [0, 8, 12], "itemsize": 16})


class Spline:
    """A path whose pieces are polynomials of time, such as planners and controllers hand over.

    Parameters
    ----------
    times
        When each piece begins, and the last one ends; increasing, shape (S + 1,).
    control
        The control points of each piece as a Bézier curve, shape (S, D + 1, J) for polynomials of degree D. Each piece begins where the
        one before it ends; what rounding leaves between them is closed.

    Examples
    --------
    >>> from clearance.robot import Spline
    >>> path = Spline.hermite([0.0, 2.0], [[0.0], [1.0]], velocities=[[0.0], [0.0]])
    >>> path([0.0, 1.0, 2.0]).tolist()
    [[0.0], [0.5], [1.0]]
    """

    def __init__(self, times: ArrayLike, control: ArrayLike) -> None:
        self.times, self.control = floats("times", times), floats("control", control)
        if self.control.ndim != 3 or 0 in self.control.shape[:2]:
            raise ValueError(f"control: has shape {self.control.shape}, must be (S, D + 1, J)")
        if self.times.shape != (len(self.control) + 1,) or not (np.diff(self.times) > 0.0).all():
            raise ValueError(f"times: must be {len(self.control) + 1} numbers that increase")
        ends, begins = self.control[:-1, -1], self.control[1:, 0]
        jumps = np.argwhere(np.abs(ends - begins) > _JOINED * np.abs(self.control).max(initial=0.0))
        if len(jumps):
            piece, joint = jumps[0]
            where = f"number {joint} begins at {begins[piece, joint]}, but the piece before it ends at {ends[piece, joint]}"
            raise ValueError(f"control: piece {piece + 1} does not join the one before it: {where}")
        self.control = self.control.copy()
        self.control[:-1, -1] = begins

    @classmethod
    def hermite(
        cls, times: ArrayLike, positions: ArrayLike, velocities: ArrayLike, accelerations: ArrayLike | None = None
    ) -> Spline:
        """The cubic polynomials through points with these velocities; quintic ones where accelerations are given, too.

        It is how ``joint_trajectory_controller`` of ROS goes from point to point. ``times`` has shape (N,), the others (N, J).
        """
        knots, places, speeds = floats("times", times), floats("positions", positions), floats("velocities", velocities)
        gains = np.zeros_like(places) if accelerations is None else floats("accelerations", accelerations)
        if places.ndim != 2 or len(places) < 2 or knots.shape != places.shape[:1]:
            raise ValueError(f"positions: has shape {places.shape}, must be (N, J) with a time for each of N >= 2")
        for name, given in (("velocities", speeds), ("accelerations", gains)):
            if given.shape != places.shape:
                raise ValueError(f"{name}: has shape {given.shape}, must be {places.shape}")
        step = np.diff(knots)[:, None]
        degree = 3 if accelerations is None else 5
        first, last = speeds[:-1] * step / degree, speeds[1:] * step / degree
        ends = [places[:-1], places[:-1] + first, places[1:] - last, places[1:]]
        if degree == 5:
            bend = [gains[:-1] * step**2 / 20.0, gains[1:] * step**2 / 20.0]
            ends[2:2] = [places[:-1] + 2.0 * first + bend[0], places[1:] - 2.0 * last + bend[1]]
        return cls(knots, np.stack(ends, axis=1))

    @classmethod
    def from_scipy(cls, spline: Any) -> Spline:
        """The path of a ``BSpline``, a ``CubicSpline`` or another ``PPoly`` of SciPy whose values have shape (J,)."""
        if hasattr(spline, "t"):
            # Within its base interval, where all of its basis functions are there.
            knots = np.unique(spline.t[spline.k : len(spline.t) - spline.k])
            powers = np.stack([floats("spline", spline(knots[:-1], nu)) / factorial(nu) for nu in range(spline.k + 1)])
        else:
            keep = np.diff(spline.x) > 0.0
            knots = np.concatenate([spline.x[:-1][keep], spline.x[-1:]])
            powers = floats("spline", spline.c)[::-1, keep]
        steps, degree = np.diff(knots), len(powers) - 1
        if powers.ndim != 3:
            raise ValueError(f"spline: has coefficients of shape {powers.shape}, must be (D + 1, S, J)")
        control = np.zeros_like(powers)
        for power, of_power in enumerate(powers):
            scaled = of_power * (steps**power)[:, None]
            for place in range(power, degree + 1):
                control[place] += scaled * (comb(place, power) / comb(degree, power))
        return cls(knots, np.moveaxis(control, 0, 1))

    def __call__(self, times: ArrayLike) -> Floats:
        """The configurations at times of any shape, which get one axis more; those before the start and after the end are of there."""
        at = np.clip(floats("times", times), self.times[0], self.times[-1])
        piece = np.clip(np.searchsorted(self.times, at, side="right") - 1, 0, len(self.control) - 1)
        part = (at - self.times[piece]) / np.diff(self.times)[piece]
        return value(self.control[piece], part)


def value(control: Floats, part: Floats) -> Floats:
    """The points of Bézier curves at a part of their length each, by de Casteljau."""
    part = part[..., None, None]
    while control.shape[-2] > 1:
        control = control[..., :-1, :] * (1.0 - part) + control[..., 1:, :] * part
    return np.asarray(control[..., 0, :])


def _halves(control: Floats) -> tuple[Floats, Floats]:
    """The control points of both halves of Bézier curves, by de Casteljau."""
    before, after = [control[:, 0]], [control[:, -1]]
    while control.shape[1] > 1:
        control = control[:, :-1] / 2.0 + control[:, 1:] / 2.0
        before.append(control[:, 0])
        after.append(control[:, -1])
    return np.stack(before, axis=1), np.stack(after[::-1], axis=1)


def ways(control: Floats) -> Floats:
    """How far each number goes on Bézier curves at most: as far as on the chain of the control points."""
    return np.asarray(np.abs(np.diff(control, axis=-2)).sum(axis=-2))


class PathStatus(IntEnum):
    """What is known of a path."""

    FREE = 0
    """Proven: no two links that count come as near as the margin anywhere on it."""
    COLLIDES = 1
    """Proven: somewhere two links are as near as the margin."""
    UNDECIDED = 2
    """Neither: links come as near as the resolution leaves open, or too many distances would have been needed."""


@dataclass(frozen=True, eq=False)
class PathValidity:
    """What is known of N paths.

    Attributes
    ----------
    status
        The numbers of `PathStatus`, shape (N,).
    time
        A time at which links are as near as the margin, or may be, not the first one; NaN for a path that is free. On waypoints 2.5 is half
        way from number 2 to number 3; on a `Spline` it is its time.
    pair
        The number of the pair of links there, as in `Robot.pairs`; -1 for a path that is free.
    """

    status: NDArray[np.uint8]
    time: Floats
    pair: NDArray[np.int32]
    _names: NDArray[np.object_] = field(repr=False)

    @property
    def names(self) -> Any:
        """The names of the links of each ``pair``, shape (N,); None for -1."""
        return self._names[self.pair]

    @property
    def free(self) -> NDArray[np.bool_]:
        """Whether each path is proven to be free."""
        return np.asarray(self.status == PathStatus.FREE)

    @property
    def status_name(self) -> NDArray[np.str_]:
        """The names of the status: ``"FREE"``, ``"COLLIDES"`` or ``"UNDECIDED"``."""
        return np.asarray(np.array([status.name for status in PathStatus])[self.status])


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
        Where ``upper`` was measured: 2.5 is half way from waypoint 2 to waypoint 3. On a `Spline` it is its time.
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


class Search:
    """The search for the least clearance of a trajectory."""

    def __init__(self, robot: Robot, control: Floats, threads: int | None) -> None:
        self.robot, self.control, self.threads = robot, control, threads
        # A Bézier curve stays between the least and the greatest of its control points.
        sizes = robot._sizes(control.reshape(-1, control.shape[-1])).max(axis=0, keepdims=True)
        self.rates, self.slack = robot._rates(sizes)[0], robot._slack(sizes)[0]
        self.measured = 0
        self.upper = np.inf
        self.best: tuple[float, int] = (0.0, 0)

    def bounds(self, at: Floats, time: Floats, pair: NDArray[np.int64]) -> tuple[Floats, Floats]:
        """Lower bounds of distances of pairs in configurations, and how far above them the upper ones are."""
        lower, width = np.empty((2, len(time)))
        for part in self.robot._batches(len(time)):
            lower[part], width[part] = self.bounds_of_part(at[part], time[part], pair[part])
        return lower, width

    def bounds_of_part(self, at: Floats, time: Floats, pair: NDArray[np.int64]) -> tuple[Floats, Floats]:
        """`bounds` of not too many at a time; the least upper bound of all is kept."""
        _, first, place = np.unique(time, return_index=True, return_inverse=True)
        found = self.robot._measure(self.robot.poses(at[first]), (place, pair), (np.inf, self.threads))
        self.measured += len(time)
        lower, upper = found.lower - self.slack[pair], found.upper + self.slack[pair]
        if upper.min() < self.upper:
            k = int(upper.argmin())
            self.upper, self.best = float(upper[k]), (float(time[k]), int(pair[k]))
        return lower, upper - lower

    def whole(self) -> tuple[NDArray[Any], Floats]:
        """A piece for each pair and each segment, and their control points."""
        pairs, count = len(self.robot.pairs), len(self.control) + 1
        ends = np.concatenate([self.control[:, 0], self.control[-1:, -1]])
        time, pair = np.repeat(np.arange(count, dtype=np.float64), pairs), np.tile(np.arange(pairs), count)
        lower, width = self.bounds(np.repeat(ends, pairs, axis=0), time, pair)
        pieces = np.zeros((count - 1) * pairs, _PIECE)
        pieces["begin"], pieces["pair"], pieces["length"] = time[:-pairs], pair[:-pairs], 1.0
        pieces["first"], pieces["last"] = lower[:-pairs], lower[pairs:]
        pieces["change"] = (ways(self.control) @ self.rates.T).reshape(-1)
        pieces["width"] = np.maximum(width[:-pairs], width[pairs:])
        return pieces, np.repeat(self.control, pairs, axis=0)

    def halved(self, pieces: NDArray[Any], control: Floats) -> tuple[NDArray[Any], Floats]:
        """Both halves of each piece, and their control points."""
        before, after = _halves(control)
        pieces["length"] /= 2.0
        middle, width = self.bounds(after[:, 0], pieces["begin"] + pieces["length"], pieces["pair"])
        pieces["width"] = np.maximum(pieces["width"], width)
        later = pieces.copy()
        later["begin"] += pieces["length"]
        pieces["last"], later["first"] = middle, middle
        both, control = np.concatenate([pieces, later]), np.concatenate([before, after])
        both["change"] = (ways(control) * self.rates[both["pair"]]).sum(axis=1)
        return both, control

    def run(self, tolerance: float, most: int) -> TrajectoryClearance:
        """Halves pieces until those that may hold the least clearance are short enough, or too many were measured."""
        (pieces, control), done = self.whole(), np.inf
        while self.upper > 0.0:
            bound = (pieces["first"] + pieces["last"] - pieces["change"]) / 2.0
            # Where less changes than the bounds at the ends leave open, halving would gain nothing.
            is_open = (self.upper - bound > tolerance) & (pieces["change"] > pieces["width"])
            done = min(done, bound[~is_open].min(initial=np.inf))
            pieces, control = pieces[is_open], control[is_open]
            if len(pieces) == 0 or self.measured + len(pieces) > most:
                return self.answer(min(done, bound[is_open].min(initial=np.inf)), tolerance)
            pieces, control = self.halved(pieces, control)
        return self.answer(-np.inf, tolerance)

    def answer(self, lower: float, tolerance: float) -> TrajectoryClearance:
        """What is known when the search ends."""
        time, pair = self.best
        lower, names = min(float(lower), self.upper), self.robot._names[pair]
        return TrajectoryClearance(lower, self.upper, time, names, self.upper - lower <= tolerance, self.measured)
