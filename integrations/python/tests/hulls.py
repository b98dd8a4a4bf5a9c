"""Random convex meshes at random poses: distances of this package and of MuJoCo beside the truth, which dot products prove.

Run as a program it prints the table of the README: ``python tests/hulls.py 100000``.
"""

import sys
from dataclasses import dataclass

import numpy as np

from clearance.mujoco import Scene

#: Distances are wrong if they are off by more than this part of the size of the pair.
WRONG = 1e-4


@dataclass
class Found:
    """How many pairs are proven to be separated, and how wrong answers about them are."""

    separated: int = 0
    #: Answers of ours off by more than `WRONG`, or with bounds that do not hold; and the worst, in parts of the size.
    wrong: int = 0
    worst: float = 0.0
    #: The same of MuJoCo, and how many of them are exactly 0 or less.
    mujoco_wrong: int = 0
    mujoco_zero: int = 0
    mujoco_worst: float = 0.0


class Hulls:
    """A model of two bodies, each of which can have any of some meshes."""

    def __init__(self, seed, meshes):
        import mujoco

        self.mujoco, self.random = mujoco, np.random.default_rng(seed)
        corners = [self.corners() for _ in range(meshes)]
        assets = "".join(f'<mesh name="m{k}" vertex="{" ".join(map(str, c.ravel()))}"/>' for k, c in enumerate(corners))
        bodies = "".join(f'<body><freejoint/><geom type="mesh" mesh="m{k}"/></body>' for k in range(meshes))
        self.model = mujoco.MjModel.from_xml_string(f"<mujoco><asset>{assets}</asset><worldbody>{bodies}</worldbody></mujoco>")
        self.scene, self.meshes = Scene(self.model), meshes
        first, count = self.model.mesh_vertadr, self.model.mesh_vertnum
        self.vertices = [self.model.mesh_vert[a : a + n].astype(float) for a, n in zip(first, count)]

    def corners(self):
        """Corners of a box, of a prism, or of points on or in a ball, stretched, as small as a finger or as large as a table."""
        kind, count = self.random.integers(4), self.random.integers(6, 40)
        points = self.random.normal(size=(count, 3))
        if kind == 0:
            points = np.array(list(np.ndindex(2, 2, 2))) * 2.0 - 1.0
        elif kind == 1:
            angles = np.arange(count) * (2 * np.pi / count)
            rim = np.stack([np.cos(angles), np.sin(angles), np.ones(count)], axis=1)
            points = np.concatenate([rim, rim * [1, 1, -1]])
        elif kind == 2:
            points /= np.linalg.norm(points, axis=1, keepdims=True)
        return points * self.random.uniform(0.05, 1.0, 3) * self.random.choice([0.1, 0.3, 1.0])

    def compare(self, count):
        """Compares both for the first of all pairs of meshes at so many poses, a hundred at a time."""
        found = Found()
        for _ in range(0, count, 100):
            pair = np.sort(self.random.choice(self.meshes, 2, replace=False))
            self.compare_pair(pair, found)
        return found

    def compare_pair(self, pair, found):
        size = sum(np.linalg.norm(self.vertices[k], axis=1).max() for k in pair)
        qpos = np.tile(self.model.qpos0, (100, 1)).reshape(100, self.meshes, 7)
        turns = self.random.normal(size=(100, 2, 4))
        qpos[:, pair, 3:] = turns / np.linalg.norm(turns, axis=2, keepdims=True)
        away = self.random.normal(size=(100, 3))
        away *= (size * self.random.uniform(0.0, 2.0, 100) / np.linalg.norm(away, axis=1))[:, None]
        qpos[:, pair[0], :3], qpos[:, pair[1], :3] = 0.0, away
        qpos = qpos.reshape(100, -1)
        near, poses = self.scene.distances(qpos, pairs=[pair]), self.scene.poses(qpos)
        data = self.mujoco.MjData(self.model)
        for row in range(100):
            data.qpos[:] = qpos[row]
            self.mujoco.mj_kinematics(self.model, data)
            theirs = self.mujoco.mj_geomDistance(self.model, data, *map(int, pair), 1e3, None)
            corners = [self.vertices[k] @ poses[row, k, :3, :3].T + poses[row, k, :3, 3] for k in pair]
            self.note(found, near[row, 0], (corners, size, theirs))

    @staticmethod
    def note(found, near, beside):
        """Notes one pair, if it is separated: a plane across the normal proves a lower bound, and the closest points an upper one."""
        corners, size, theirs = beside
        normal = near.normal.astype(float) / np.linalg.norm(near.normal.astype(float))
        least = (corners[1] @ normal).min() - (corners[0] @ normal).max()
        if not least > 1e-3 * size:
            return
        most = np.linalg.norm(near.point_b - near.point_a)
        found.separated += 1
        # Closest points lie on the hulls up to single precision, and so does the pose.
        off = max(float(near.distance) - most, least - float(near.distance), 0.0) / size
        truth = (least + most) / 2.0
        bounds_hold = near.lower <= most + 2e-6 * size and near.upper >= least - 2e-6 * size
        found.worst = max(found.worst, off)
        found.wrong += off > WRONG or not bounds_hold or most - least > WRONG * size
        found.mujoco_zero += theirs <= 0.0
        found.mujoco_wrong += abs(theirs - truth) > WRONG * size
        found.mujoco_worst = max(found.mujoco_worst, abs(theirs - truth) / size)


if __name__ == "__main__":
    print(Hulls(seed=7, meshes=60).compare(int(sys.argv[1])))
