"""Robots: links with shapes on joints, and how clear they are of themselves, proven over whole trajectories.

A configuration is a row of numbers, one for each joint that moves: radians or units of length. What is asked about N configurations
is one batch. Bounds hold for the robot as it is described: what the engine rounds of rotations is added to them.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._arrays import Floats, floats, listed, number, threads_of, whole
from ._arrays import pose as one_pose
from ._batches import distance, intersects, sides_of_pairs
from ._paths import PATH_ROW, PathStatus, PathValidity, Search, Spline, TrajectoryClearance
from ._rows import Distances
from ._shape import Choice
from ._shape import Shape3 as Shape
from ._srdf import Srdf
from ._tree import PAIRS, Joint, Link, Tree

__all__ = [
    "Joint",
    "Link",
    "PairSamples",
    "PathStatus",
    "PathValidity",
    "Robot",
    "SelfClearance",
    "Spline",
    "Srdf",
    "TrajectoryClearance",
]


#: What the native half writes of each configuration.
_NEAREST = Shape._layouts.distance
_CLEARANCE = np.dtype(
    {
        "names": ["lower", "upper", "pair", "nearest"],
        "formats": ["f8", "f8", "i8", _NEAREST],
        "offsets": [0, 8, 16, 24],
        "itemsize": 24 + _NEAREST.itemsize,
    }
)


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
    _names: NDArray[np.object_] = field(repr=False)

    @property
    def names(self) -> NDArray[np.object_]:
        """The names of the links of each ``pair``, shape (N,)."""
        return self._names[self.pair]


@dataclass(frozen=True, eq=False)
class PairSamples:
    """How often pairs of links met in configurations that were chosen by chance.

    Attributes
    ----------
    share
        The part of the configurations in which each pair of `Robot.pairs` met, from 0 to 1; shape (P,).
    always, never
        The names of the pairs that met in all of them, and in none. Neither is proven. Those that always meet may as a rule be allowed to;
        to allow those that never do is quicker, and a risk.
    """

    share: Floats
    always: list[tuple[str, str]]
    never: list[tuple[str, str]]


class Robot(Tree):
    """A tree of links on joints. It can be copied and pickled.

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

    def __repr__(self) -> str:
        return f"<Robot: {len(self.links)} links, {len(self.moving)} joints that move, {len(self.pairs)} pairs>"

    def link_distances(self, configurations: ArrayLike, *, within: float = np.inf, threads: int | None = None) -> Distances:
        """The distances of all pairs that count, one row for each configuration and pair: shape (N, P).

        Bounds are those at the rounded poses. See `self_clearance` for bounds of the robot.
        """
        given, pairs = self._configurations(configurations), len(self.pairs)
        found = np.empty((len(given), pairs), Shape._layouts.distance)
        for part in self._batches(len(given)):
            poses = self.poses(given[part])
            which = np.divmod(np.arange(len(poses) * pairs), max(pairs, 1))
            found[part] = self._measure(poses, which, (within, threads)).rows.reshape(len(poses), pairs)
        return Distances(found)

    def _measure(self, poses: Floats, which: tuple[Any, Any], asked: tuple[float, int | None]) -> Distances:
        """The distances of pairs, each in one configuration."""
        within, threads = asked
        return distance(*self._sides(poses, *which), within=within, threads=threads)

    def _sides(self, poses: Floats, row: Any, pair: Any) -> tuple[Choice[Shape], Choice[Shape], Floats, Floats]:
        """What `distance` is asked about pairs, each in one configuration."""
        return sides_of_pairs([link.shape for link in self.links], self.pairs[pair], poses, row)

    def self_clearance(
        self, configurations: ArrayLike, *, threads: int | None = None, effort: int | None = None
    ) -> SelfClearance:
        """How clear each of N configurations is of itself: the least distance of the pairs that count.

        Costs one distance for each configuration, and one for each further pair whose hulls are nearer than that. How deep solids overlap that
        are not convex takes milliseconds; ``effort``, as for `clearance.dim3.distance`, ends it earlier with wider bounds.
        """
        given = self._configurations(configurations)
        self._expect_pairs()
        found = np.empty(len(given), _CLEARANCE)
        options = None if effort is None else whole("effort", effort, 0, 2**32 - 1), threads_of(threads)
        for part in self._batches(len(given)):
            slack = np.ascontiguousarray(self._slack(self._sizes(given[part])))
            self._linkage.clearance(self._columns(given[part]), slack, options, found[part].view(np.uint8))
        nearest = Distances(np.ascontiguousarray(found["nearest"]))
        distances = nearest.distance.astype(np.float64)
        return SelfClearance(distances, found["lower"].copy(), found["upper"].copy(), found["pair"].copy(), nearest, self._names)

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

    def trajectory_clearance(
        self,
        waypoints: ArrayLike | Spline,
        *,
        tolerance: float = 1e-3,
        most: int = 10**6,
        threads: int | None = None,
    ) -> TrajectoryClearance:
        """The least self clearance over a trajectory, proven.

        Parameters
        ----------
        waypoints
            Configurations, shape (N, J) with N >= 1: all joints move evenly from each to the next. Or a `Spline`.
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
        if not tolerance > 0.0:
            raise ValueError(f"tolerance: is {tolerance}, must be > 0")
        control = self._control("waypoints", waypoints)
        if control.ndim != 3:
            raise ValueError(f"waypoints: has {len(control)} paths, must be one, (N, {len(self.moving)})")
        self._expect_pairs()
        found = Search(self, control, threads).run(tolerance, most)
        return replace(found, time=float(_times(waypoints, found.time)))

    def _expect_pairs(self) -> None:
        if len(self.pairs) == 0:
            raise ValueError("robot: has no pair of links that counts, must have two with shapes that joints move against each other")

    def _control(self, argument: str, path: ArrayLike | Spline) -> Floats:
        """The control points of the segments of a path, shape (S, D + 1, J); of N of them, (N, S, D + 1, J)."""
        if isinstance(path, Spline):
            self._configurations(path.control.reshape(-1, path.control.shape[-1]), argument)
            return path.control
        given = floats(argument, path)
        if given.ndim < 2:
            given = given.reshape(1, -1)
        if given.ndim > 3 or given.shape[-1] != len(self.moving) or given.shape[-2] == 0:
            shapes = f"(N, {len(self.moving)}) with N >= 1, or a list of those"
            raise ValueError(f"{argument}: has shape {given.shape}, must be {shapes}")
        self._configurations(given.reshape(int(np.prod(given.shape[:-1])), given.shape[-1]), argument)
        # A single waypoint is a way that stays there.
        ends = given if given.shape[-2] > 1 else np.repeat(given, 2, axis=-2)
        return np.stack([ends[..., :-1, :], ends[..., 1:, :]], axis=-2)

    def in_collision(self, configurations: ArrayLike, *, margin: float = 0.0, threads: int | None = None) -> NDArray[np.bool_]:
        """Whether each of N configurations has links that meet, of the pairs that count; shape (N,).

        Parameters
        ----------
        configurations
            Shape (N, J).
        margin
            Links meet if they are not proven to be farther apart than this, in units of length, >= 0. With 0, if they have a point in
            common, or are not told apart with the effort of a question.
        threads
            As for `clearance.dim3.distance`.

        Notes
        -----
        Answers are those of `clearance.dim3.intersects` for each pair at the poses of `poses`. Pairs that met most often so far come first, and the first
        that meets ends the search. Boxes around links are compared before hulls, and hulls before their triangles.

        Examples
        --------
        >>> from clearance.dim3 import Shape
        >>> from clearance.robot import Joint, Link, Robot
        >>> hand = Link("hand", Shape.ball(0.1).translated([1, 0, 0]))
        >>> links = [Link("base", Shape.cuboid([0.3, 0.3, 0.3])), Link("arm"), hand]
        >>> joints = [Joint("turn", "base", "arm"), Joint("reach", "arm", "hand", kind="prismatic", axis=(1, 0, 0))]
        >>> Robot(links, joints).in_collision([[0.0, 0.0], [0.0, -0.7]]).tolist()
        [False, True]
        """
        given = self._configurations(configurations)
        found = np.empty(len(given), np.bool_)
        self._linkage.in_collision(self._columns(given), _margin(margin), threads_of(threads), found.view(np.uint8))
        return found

    def valid_path(
        self,
        path: ArrayLike | Spline,
        *,
        margin: float = 0.0,
        resolution: float = 1e-3,
        most: int = 10**5,
        threads: int | None = None,
    ) -> PathValidity:
        """Whether paths are free, proven: between the waypoints, too. It is the check of edges for planners.

        Parameters
        ----------
        path
            Waypoints, shape (K, J); N paths of as many waypoints each, (N, K, J), such as edges with K = 2; or a `Spline`.
        margin
            Links meet if they come as near as this, in units of length, >= 0.
        resolution
            Where links come nearer by less than this on a piece of the path, > 0, it is not divided further.
        most
            About how many pairs are compared at most, for each path.
        threads
            As for `clearance.dim3.distance`.

        Returns
        -------
        PathValidity
            One row for each path; without a dimension for a single one.

        Notes
        -----
        The distance of two links in the middle of a piece, less how far they come nearer on it, decides for all of it: see
        `trajectory_clearance` for how much that is. Pieces of which it does not are halved, the longest first.

        Examples
        --------
        >>> from clearance.dim3 import Shape
        >>> from clearance.robot import Joint, Link, PathStatus, Robot
        >>> post = Shape.ball(0.2).translated([0, 1, 0])
        >>> robot = Robot([Link("post", post), Link("arm"), Link("hand", Shape.ball(0.1).translated([1, 0, 0]))],
        ...               [Joint("turn", "post", "arm"), Joint("lift", "arm", "hand", kind="prismatic")])
        >>> edges = [[[0.0, 0.0], [1.2, 0.0]], [[0.0, 0.0], [2.0, 0.0]], [[0.0, 0.4], [2.0, 0.4]]]
        >>> found = robot.valid_path(edges)
        >>> [PathStatus(status).name for status in found.status], found.free.tolist()
        (['FREE', 'COLLIDES', 'FREE'], [True, False, True])
        """
        if not resolution > 0.0:
            raise ValueError(f"resolution: is {resolution}, must be > 0")
        control = self._control("path", path)
        paths = control if control.ndim == 4 else control[None]
        found = np.zeros(len(paths), PATH_ROW)
        if len(self.pairs) == 0:
            found["time"], found["pair"] = np.nan, -1
        elif len(paths):
            options = _margin(margin), float(resolution), whole("most", most, 1, 2**63), threads_of(threads)
            for part in self._batches(len(paths)):
                rows = np.ascontiguousarray(paths[part].reshape(len(paths[part]), -1))
                sizes = self._sizes(rows.reshape(-1, len(self.moving))).reshape(len(rows), -1, len(self.joints)).max(axis=1)
                bounds = np.ascontiguousarray(self._rates(sizes).reshape(len(rows), -1)), np.ascontiguousarray(self._slack(sizes))
                self._linkage.paths((rows, paths.shape[2]), bounds, options, found[part].view(np.uint8))
        shape = control.shape[:-3]
        status, time, pair = (found[name].reshape(shape) for name in ("status", "time", "pair"))
        return PathValidity(status, _times(path, time), pair, self._names)

    def configuration(self, values: Mapping[str, float], start: ArrayLike | None = None) -> Floats:
        """The configuration in which joints have these numbers, by name, and the others those of ``start``, or 0; shape (J,).

        Joints that follow others may be named, too, as SRDF files do: with the numbers that they have then, up to 1e-4.
        """
        row: Floats = np.zeros(len(self.moving)) if start is None else self._configurations(start, "start")[0].copy()
        if not isinstance(values, Mapping):
            raise TypeError(f"values: is {type(values).__name__}, must be a mapping from names of joints to numbers")
        given = {name: number(name, value) for name, value in values.items()}
        for name in given.keys() & set(self.moving):
            row[self.moving.index(name)] = given.pop(name)
        row = self._configurations(row, "values")[0]
        followers = {joint.name: (joint, column) for joint, column in zip(self.joints, self._column) if column is not None}
        for name, value in given.items():
            if name not in followers:
                raise ValueError(f"values: {name!r} is no joint that moves, must be one of {', '.join(dict.fromkeys([*self.moving, *followers]))}")
            joint, column = followers[name]
            follows = row[column] * joint.factor + joint.offset
            if not abs(value - follows) <= 1e-4:
                raise ValueError(f"values: {name!r} is {value}, must be {follows}, since it follows {joint.follows!r}")
        return row

    def with_body(
        self, name: str, shape: Shape, pose: ArrayLike | None = None, *, on: str | None = None, touching: Collection[str] = ()
    ) -> Robot:
        """The robot with one body more: an obstacle, or what a hand has picked up. `without` puts it away.

        Parameters
        ----------
        name
            The name of the new link.
        shape, pose
            Its shape, and where it is in the frame of what it is on; the identity if left out.
        on
            The link that it moves with; the root, which rests, if left out.
        touching
            Names of links that may touch it, such as fingers. The link that it is on always may.

        Examples
        --------
        >>> from clearance.dim3 import Shape
        >>> from clearance.robot import Joint, Link, Robot
        >>> hand = Link("hand", Shape.ball(0.1).translated([1, 0, 0]))
        >>> arm = Robot([Link("base", Shape.ball(0.2)), Link("arm"), hand], [Joint("a", "base", "arm"), Joint("b", "arm", "hand", axis=(0, 1, 0))])
        >>> scene = arm.with_body("floor", Shape.half_space([0, 0, 1]), [0, 0, -0.5]).with_body("cup", Shape.ball(0.05), [1, 0, -0.2])
        >>> scene.in_collision([[0.0, 0.0], [0.0, 0.2], [0.0, 1.0]]).tolist()
        [False, True, True]
        >>> carrying = scene.without("cup").with_body("cup", Shape.ball(0.05), [1, 0, -0.2], on="hand")
        >>> carrying.in_collision([[0.0, 0.0], [0.0, 0.2], [0.0, 1.0]]).tolist()
        [False, False, True]
        """
        if not isinstance(name, str):
            raise TypeError(f"name: is {type(name).__name__}, must be a string")
        if name in self._number:
            raise ValueError(f"name: there is a link {name!r} already, must be another name")
        root = next(link.name for k, link in enumerate(self.links) if k not in self._parent)
        parent = root if on is None else self.links[self._link("on", on)].name
        joint = Joint(f"{name} on {parent}", parent, name, kind="fixed", origin=_matrix_of_pose(pose))
        allowed = [*self._allowed, *((name, self.links[self._link("touching", other)].name) for other in listed("touching", touching, "names of links"))]
        return Robot([*self.links, Link(name, shape)], [*self._given, joint], allowed)

    def without(self, *names: str) -> Robot:
        """The robot without some links, on which nothing may hang that stays."""
        gone = {self.links[self._link("names", name)].name for name in names}
        joints = [joint for joint in self._given if joint.child not in gone]
        for joint in joints:
            if joint.parent in gone:
                raise ValueError(f"names: {joint.child!r} hangs on {joint.parent!r}, so both must go")
        links = [link for link in self.links if link.name not in gone]
        return Robot(links, joints, [pair for pair in self._allowed if not gone.intersection(pair)])

    def allowing(self, pairs: Collection[tuple[str, str]]) -> Robot:
        """The robot whose links may touch in these pairs, too."""
        return Robot(self.links, self._given, [*self._allowed, *listed("pairs", pairs, PAIRS)])

    def random_configurations(self, count: int, seed: int = 0) -> Floats:
        """So many configurations within the limits of joints and of those that follow them, shape (count, J); within a turn for a
        joint that has no limits, nor any from those that follow it."""
        moves = [joint for joint in self._given if joint.kind != "fixed"]
        limits = {joint.name: _checked(joint.name, joint.limits) for joint in moves if joint.follows is None}
        for joint in moves:
            if joint.follows is not None:
                limits[joint.follows] = _followed(limits[joint.follows], joint)
        ends = np.array(list(limits.values())).reshape(-1, 2)
        ends[np.isinf(ends).all(axis=1)] = -np.pi, np.pi
        low, high = ends.T
        size = whole("count", count, 0, 2**40), len(self.moving)
        return np.random.default_rng(seed).uniform(low, high, size)

    def sample_pairs(self, samples: int = 10_000, seed: int = 0, *, threads: int | None = None) -> PairSamples:
        """Which pairs meet always, and which never, in so many of `random_configurations`: what MoveIt's setup assistant looks for."""
        given = self.random_configurations(whole("samples", samples, 1, 2**40), seed)
        hits, pairs = np.zeros(len(self.pairs), np.int64), len(self.pairs)
        for part in self._batches(len(given)):
            poses = self.poses(given[part])
            row, pair = np.divmod(np.arange(len(poses) * pairs), max(pairs, 1))
            hits += intersects(*self._sides(poses, row, pair), threads=threads).reshape(len(poses), pairs).sum(axis=0)
        always, never = (self._names[:-1][hits == count].tolist() for count in (samples, 0))
        return PairSamples(hits / samples, always, never)

    @classmethod
    def from_urdf(
        cls,
        path: str | os.PathLike[str],
        *,
        srdf: str | os.PathLike[str] | Srdf | None = None,
        allowed: Collection[tuple[str, str]] = (),
        hulls: bool = False,
    ) -> Robot:
        """The robot of a URDF file, by yourdfpy. Closed meshes have an inside; others are surfaces, as `Link` has it.

        Parameters
        ----------
        path
            The file. Meshes are found beside it, and ``package://`` names in the folders above it.
        srdf
            The SRDF file, or what `Srdf.read` made of it: its pairs may touch, too. What it says of links that are not there is passed over,
            unless it is that of another robot: one that names none of these links.
        allowed
            As for `Robot`.
        hulls
            Whether meshes are taken as their convex hulls, which is faster, and overlaps then have depths.
        """
        from ._urdf import read

        semantics = Srdf.read(srdf) if isinstance(srdf, (str, os.PathLike)) else srdf
        links, joints = read(os.fspath(path), hulls)
        names = [link.name for link in links]
        known = semantics.links if semantics else []
        if known and not set(known).intersection(names):
            raise ValueError(f"srdf: names no link of this robot (its first is {known[0]!r}), must be that of {os.fspath(path)}")
        return cls(links, joints, [*listed("allowed", allowed, PAIRS), *(semantics.allowed(names) if semantics else [])])

    @classmethod
    def from_mujoco(cls, model: Any, *, allowed: Collection[tuple[str, str]] = (), meshes: str = "hull") -> Robot:
        """The robot of an ``MjModel`` whose joints are hinges and slides: a configuration is its ``qpos``.

        Parameters
        ----------
        model
            The model. A link has the name of its body, and the geoms of the body that may meet others as one shape. Where these may not all meet
            the same, each set that does is a link of its own, ``"body/geom"`` by its first geom; so are geoms of the world, ``"world/floor"``, and
            planes. Equalities and tendons are passed over.
        allowed
            As for `Robot`, beside the pairs of bodies that MuJoCo makes no contacts of.
        meshes
            As for `clearance.mujoco.Scene`.
        """
        from .mujoco import links_and_joints

        links, joints, passed = links_and_joints(model, meshes)
        return cls(links, joints, [*passed, *listed("allowed", allowed, PAIRS)])


def _margin(given: float) -> float:
    margin = number("margin", given)
    if not (0.0 <= margin < np.inf):
        raise ValueError(f"margin: is {margin}, must be finite and >= 0")
    return margin


def _checked(name: str, limits: tuple[float, float]) -> tuple[float, float]:
    """The limits of a joint, which must be such that a number can be chosen between them."""
    least, most = limits
    if not (-np.inf < least <= most < np.inf or (least, most) == (-np.inf, np.inf)):
        raise ValueError(f"joint {name!r}: limits are from {least} to {most}, must both be finite or both infinite, the least first")
    return least, most


def _followed(limits: tuple[float, float], follower: Joint) -> tuple[float, float]:
    """The part of a joint's limits in which one that follows it keeps its own."""
    if tuple(follower.limits) == Joint.limits:
        return limits
    own = _checked(follower.name, follower.limits)
    if follower.factor == 0:
        least, most = limits
        is_reached = own[0] <= follower.offset <= own[1]
    else:
        first, last = sorted((end - follower.offset) / follower.factor for end in own)
        least, most = max(limits[0], first), min(limits[1], last)
        is_reached = least <= most
    if not is_reached:
        raise ValueError(
            f"joint {follower.name!r}: limits are from {own[0]} to {own[1]}, must be reached somewhere within those of "
            f"{follower.follows!r}, which it follows"
        )
    return _checked(str(follower.follows), (least, most))


def _times(path: ArrayLike | Spline, segments: ArrayLike) -> Floats:
    """The times of places on a path that are counted in segments."""
    places = np.array(segments, np.float64)
    if isinstance(path, Spline):
        return np.asarray(np.interp(places, np.arange(len(path.times)), path.times))
    return places


def _matrix_of_pose(given: ArrayLike | None) -> Floats:
    """The matrix (4, 4) of a single pose of any form."""
    row: Floats = one_pose("pose", given, 3)[0]
    matrix: Floats = np.eye(4)
    if len(row) == 16:
        return row.reshape(4, 4)
    matrix[:3, 3] = row[:3]
    if len(row) == 7:
        length = np.linalg.norm(row[3:])
        if not abs(length - 1.0) < 1e-3:
            raise ValueError(f"pose: rotation has length {length}, must be 1")
        x, y, z, w = row[3:] / length
        cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
        matrix[:3, :3] += 2.0 * (w * cross + cross @ cross)
    return matrix
