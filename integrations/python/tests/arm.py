"""An arm of seven joints, of the size of those that stand in laboratories."""

import numpy as np

from clearance.dim3 import Shape
from clearance.robot import Joint, Link, Robot

#: Where each joint is in the frame of the one before, and how it is turned against it about the x axis.
PLACES = [(0, 0, 0.34, 0), (0, 0, 0, -90), (0, -0.32, 0, 90), (0.08, 0, 0, 90), (-0.08, 0.38, 0, -90), (0, 0, 0, 90), (0.09, 0, 0, 90)]
#: The ends of the segment that each link is thick about, and how thick it is.
BONES = [
    ((0, 0, 0), (0, 0, 0.14), 0.11),
    ((0, 0, -0.12), (0, 0, 0), 0.09),
    ((0, -0.14, 0), (0, 0, 0), 0.09),
    ((0, 0, -0.14), (0.04, 0, 0), 0.08),
    ((0, 0, 0), (-0.04, 0.1, 0), 0.08),
    ((0, 0, -0.26), (0, 0.06, 0), 0.07),
    ((0, 0, 0), (0.06, 0, 0), 0.07),
    ((0, 0, 0), (0, 0, 0.12), 0.07),
]


def bone(a, b, radius):
    return Shape.segment(a, b).rounded(radius)


def arm(shape=bone):
    """The arm; ``shape`` makes the shape of a link of the ends of its segment and its thickness."""
    links = [Link(f"link{k}", shape(*each)) for k, each in enumerate(BONES)]
    joints = []
    for k, (x, y, z, angle) in enumerate(PLACES):
        origin = np.eye(4)
        sin, cos = np.sin(np.radians(angle)), np.cos(np.radians(angle))
        origin[1:3, 1:3] = [[cos, -sin], [sin, cos]]
        origin[:3, 3] = x, y, z
        joints.append(Joint(f"joint{k}", f"link{k}", f"link{k + 1}", origin=origin))
    return Robot(links, joints, allowed=[(f"link{k}", f"link{k + 2}") for k in range(6)])


def configurations(count, seed=1):
    """Configurations in no order."""
    return np.random.default_rng(seed).uniform(-2.0, 2.0, (count, 7))
