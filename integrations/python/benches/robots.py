"""Whether configurations of robots are in collision: this package beside pinocchio with coal, on one thread.

usage: python benches/robots.py FOLDER ROBOT.urdf ROBOT.srdf ...
FOLDER is where ``package://`` names begin, for example a checkout of Gepetto/example-robot-data. Needs ``pin`` and ``yourdfpy``.
Time is that of the processor, the least of five rounds in turns, of random configurations within the limits.
"""

import sys
import time

import numpy as np
import pinocchio as pin

from clearance.robot import Robot


def links_of(model, geometry, pair):
    """The names of the links of a pair of geometries."""
    objects = (geometry.geometryObjects[k] for k in (pair.first, pair.second))
    return frozenset(model.frames[each.parentFrame].name for each in objects)


def same_pairs(folder, urdf, srdf):
    """The robot of both, with the pairs of links that both check."""
    model = pin.buildModelFromUrdf(urdf)
    geometry = pin.buildGeomFromUrdf(model, urdf, pin.GeometryType.COLLISION, package_dirs=[folder])
    geometry.addAllCollisionPairs()
    pin.removeCollisionPairs(model, geometry, srdf, False)
    robot = Robot.from_urdf(urdf, srdf=srdf)
    theirs = {links_of(model, geometry, pair) for pair in geometry.collisionPairs}
    ours = {frozenset((robot.links[a].name, robot.links[b].name)) for a, b in robot.pairs}
    for pair in list(geometry.collisionPairs):
        if links_of(model, geometry, pair) not in ours:
            geometry.removeCollisionPair(pair)
    return robot.allowing([tuple(pair) for pair in ours - theirs]), model, geometry


def least_time(calls, rounds=5):
    """The least time of each call, which are taken in turns."""
    least = [np.inf] * len(calls)
    for _ in range(rounds):
        for k, call in enumerate(calls):
            start = time.process_time()
            call()
            least[k] = min(least[k], time.process_time() - start)
    return least


def main(folder, urdf, srdf):
    robot, model, geometry = same_pairs(folder, urdf, srdf)
    count, few = 20_000, 5_000
    limits = np.maximum(model.lowerPositionLimit, -np.pi), np.minimum(model.upperPositionLimit, np.pi)
    given = np.random.default_rng(1).uniform(*limits, (count, model.nq))
    # What copies another joint has a number of its own for pinocchio.
    names = list(model.names)[1:]
    for joint in robot.joints:
        if joint.follows in names and joint.name in names:
            given[:, names.index(joint.name)] = given[:, names.index(joint.follows)] * joint.factor + joint.offset
    ours = np.ascontiguousarray(given[:, [names.index(name) for name in robot.moving]])
    data, placed, theirs = model.createData(), geometry.createData(), np.zeros(few, bool)

    def ask_pinocchio():
        for k in range(few):
            theirs[k] = pin.computeCollisions(model, data, geometry, placed, given[k], True)

    found = robot.in_collision(ours, threads=1)
    coal, batch = least_time([ask_pinocchio, lambda: robot.in_collision(ours, threads=1)])
    # Edges of half a radian, in all joints together, which a sampled check divides by 50.
    start, way = ours[~found][:400], np.random.default_rng(2).normal(size=(400, ours.shape[1]))
    paths = np.stack([start, start + 0.5 * way[: len(start)] / np.linalg.norm(way[: len(start)], axis=1, keepdims=True)], axis=1)
    (edges,) = least_time([lambda: robot.valid_path(paths, threads=1)])
    free, collide, undecided = np.bincount(robot.valid_path(paths).status, minlength=3)
    coal, batch, edges = coal / few * 1e6, batch / count * 1e6, edges / len(paths) * 1e6
    print(
        f"{urdf}: {len(robot.pairs)} pairs, {found.mean():.1%} in collision; pinocchio {coal:.2f} us, in_collision {batch:.2f} us,"
        f" x{coal / batch:.1f}; differs in {np.count_nonzero(found[:few] != theirs)} of {few},"
        f" of which {np.count_nonzero(found[:few] & ~theirs)} only for us; an edge of 0.5 rad {edges:.0f} us,"
        f" {free} free, {collide} collide, {undecided} undecided; 50 samples by pinocchio {50 * coal:.0f} us"
    )


if __name__ == "__main__":
    for first in range(2, len(sys.argv), 2):
        main(sys.argv[1], *sys.argv[first : first + 2])
