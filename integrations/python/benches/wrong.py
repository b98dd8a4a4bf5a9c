"""How often each library is wrong: ``python benches/wrong.py`` in an environment with the wheel, and coal and python-fcl where they install.

Random pairs, about half of which overlap, with a size between 0.01 and 1 along each axis. The truth is computed in double precision and
by other means than those of any library: closed forms for what is round, and for polyhedra all pairs of features, and all axes that
may separate them. A distance is wrong if it is off by more than 1e-4 of the size of the pair; whether shapes meet is not asked where the
truth is nearer to 0 than 1e-6 of it. Of us it is counted besides how often the truth is not between the bounds.
"""

from __future__ import annotations

import numpy as np
from exact import capsules, faces_of_box, hull_faces, polyhedra, ball_and_box, surfaces
from peers import coal, coal_mesh, fcl, fcl_mesh, sphere

from clearance.dim3 import Shape, distance, intersects

RANDOM = np.random.default_rng(29)
#: By how much the rounding of a rotation to single precision moves a point, relative to its distance from the origin of the shape.
ROTATION = 2.0**-22


def sizes():
    """Half sizes that single precision has."""
    return np.float32(10.0 ** RANDOM.uniform(-2, 0, 3)).astype(float)


def rotation():
    """A quaternion, and its matrix."""
    x, y, z, w = turn = (lambda q: q / np.linalg.norm(q))(RANDOM.normal(size=4))
    square = np.array([[y * y + z * z, -x * y, -x * z], [-x * y, x * x + z * z, -y * z], [-x * z, -y * z, x * x + y * y]])
    return turn, np.eye(3) - 2 * (square + w * np.array([[0, z, -y], [-z, 0, x], [y, -x, 0]]))


def rounded(points):
    return np.float32(points).astype(float)


class Pair:
    """Two shapes of each library, the pose of the second one, and the truth."""

    def __init__(self, ours, peers, pose, truth, slack=0.0):
        self.ours, self.peers, self.pose, self.truth = ours, peers, pose, truth
        radii = [shape.bounding_radius for shape in ours]
        self.size, self.slack = sum(radii), slack * radii[1]


def peers_of(make):
    return {name: make(module) for name, module in (("coal", coal), ("fcl", fcl)) if module}


def pose_of(turn, place):
    return np.concatenate([place, turn])


def of_ball_and_box():
    half, radius = sizes(), float(np.float32(10.0 ** RANDOM.uniform(-2, 0)))
    (turn, matrix), place = rotation(), RANDOM.normal(size=3) * (radius + half.max()) * 0.6
    peers = peers_of(lambda m: (m.Sphere(radius), m.Box(*(2 * half))))
    return Pair((Shape.ball(radius), Shape.cuboid(half)), peers, pose_of(turn, place), ball_and_box(radius, half, -place @ matrix), ROTATION)


def of_capsules():
    lengths, radii = rounded(10.0 ** RANDOM.uniform(-2, 0, 2)), rounded(10.0 ** RANDOM.uniform(-2, 0, 2))
    (turn, matrix), place = rotation(), RANDOM.normal(size=3) * (radii.sum() + lengths.max()) * 0.5
    axes = np.array([[0, 0, 1.0], matrix[:, 2]]) * lengths[:, None]
    peers = peers_of(lambda m: tuple(m.Capsule(r, 2 * half) for r, half in zip(radii, lengths)))
    ours = tuple(Shape.segment([0, 0, -half], [0, 0, half]).rounded(r) for r, half in zip(radii, lengths))
    ends = np.array([[-axes[0], axes[0]], [place - axes[1], place + axes[1]]])
    return Pair(ours, peers, pose_of(turn, place), capsules(ends, radii), ROTATION)


def of_boxes():
    halves = sizes(), sizes()
    (turn, matrix), place = rotation(), RANDOM.normal(size=3) * max(halves[0].max(), halves[1].max())
    peers = peers_of(lambda m: tuple(m.Box(*(2 * half)) for half in halves))
    (first, faces), (second, _) = faces_of_box(halves[0]), faces_of_box(halves[1])
    truth = polyhedra((first, faces), (second @ matrix.T + place, faces))
    return Pair(tuple(map(Shape.cuboid, halves)), peers, pose_of(turn, place), truth, ROTATION)


def coal_hull(vertices, faces):
    import trimesh

    model = coal_mesh(trimesh.Trimesh(vertices, faces, process=False))
    model.buildConvexRepresentation(False)
    return model.convex


def fcl_hull(vertices, faces):
    return fcl.Convex(vertices, len(faces), np.hstack([np.full((len(faces), 1), 3), faces]).flatten())


def of_hulls():
    hulls = [hull_faces(rounded(RANDOM.normal(size=(20, 3)) * sizes() @ rotation()[1].T)) for _ in range(2)]
    place = RANDOM.normal(size=3) * np.abs(hulls[0][0]).max()
    peers = {}
    if coal:
        peers["coal"] = tuple(coal_hull(*hull) for hull in hulls)
    if fcl:
        peers["fcl"] = tuple(fcl_hull(*hull) for hull in hulls)
    truth = polyhedra(hulls[0], (hulls[1][0] + place, hulls[1][1]))
    return Pair(tuple(Shape.hull(vertices) for vertices, _ in hulls), peers, pose_of([0, 0, 0, 1], place), truth)


def of_meshes():
    mesh = sphere(300)
    meshes = [(rounded(mesh.vertices * sizes() @ rotation()[1].T), np.asarray(mesh.faces)) for _ in range(2)]
    place = RANDOM.normal(size=3) * np.abs(meshes[0][0]).max() * 1.2
    peers = {}
    import trimesh

    both = [trimesh.Trimesh(*each, process=False) for each in meshes]
    if coal:
        peers["coal"] = tuple(map(coal_mesh, both))
    if fcl:
        peers["fcl"] = tuple(map(fcl_mesh, both))
    truth = surfaces(meshes[0], (meshes[1][0] + place, meshes[1][1]))
    return Pair(tuple(Shape.mesh(*each) for each in meshes), peers, pose_of([0, 0, 0, 1], place), truth)


def asked(name, geometries, pose):
    """The signed distance that a peer finds, and whether it says that shapes meet."""
    module = {"coal": coal, "fcl": fcl}[name]
    x, y, z, w = pose[3:]
    if name == "coal":
        places = coal.Transform3s(), coal.Transform3s(coal.Quaternion(w, x, y, z).matrix(), pose[:3])
        request = coal.DistanceRequest()
    else:
        places = fcl.Transform(), fcl.Transform(np.array([w, x, y, z]), pose[:3])
        request = fcl.DistanceRequest(enable_nearest_points=True, enable_signed_distance=True)
    a, b = (module.CollisionObject(geometry, place) for geometry, place in zip(geometries, places))
    found = module.distance(a, b, request, module.DistanceResult())
    return found, bool(module.collide(a, b, module.CollisionRequest(), module.CollisionResult()))


class Tally:
    """What went wrong of how many answers."""

    def __init__(self):
        self.counts = np.zeros(4, int)
        self.worst = 0.0

    def add(self, pair, found, meets, are_surfaces):
        # Surfaces that cross have no depth, and libraries say different numbers of them.
        is_asked = not are_surfaces or pair.truth > 0
        error = abs(found - pair.truth) / pair.size if is_asked else 0.0
        is_sure = abs(pair.truth) > 1e-6 * pair.size or (are_surfaces and pair.truth <= 0)
        self.worst = max(self.worst, error if np.isfinite(error) else np.inf)
        self.counts += [is_asked, not error <= 1e-4, is_sure, is_sure and meets != (pair.truth <= 0)]

    def __str__(self):
        asked, wrong, sure, met = self.counts
        return f"{wrong} of {asked} distances wrong (at worst {self.worst:.1e}), {met} of {sure} meetings"


def run(name, make, count, are_surfaces=False):
    tallies, outside, overlaps = {"clearance": Tally()}, 0, 0
    for _ in range(count):
        pair = make()
        near = distance(*pair.ours, None, pair.pose)
        # An error of the truth itself, which is in double precision.
        slack = pair.slack + 1e-12 * pair.size
        if not are_surfaces or pair.truth > 0:
            outside += not float(near.lower) - slack <= pair.truth <= float(near.upper) + slack
        overlaps += pair.truth <= 0
        tallies["clearance"].add(pair, float(near.distance), bool(intersects(*pair.ours, None, pair.pose)), are_surfaces)
        for peer, geometries in pair.peers.items():
            tallies.setdefault(peer, Tally()).add(pair, *asked(peer, geometries, pair.pose), are_surfaces)
    print(f"{name} ({count:,}, {overlaps:,} overlap): the truth is outside of our bounds {outside} times", flush=True)
    for peer, tally in tallies.items():
        print(f"    {peer}: {tally}", flush=True)


if __name__ == "__main__":
    run("ball, box", of_ball_and_box, 20_000)
    run("capsule, capsule", of_capsules, 20_000)
    run("box, box", of_boxes, 5000)
    run("hull, hull of 20 points", of_hulls, 2000)
    run(f"mesh, mesh of {len(sphere(300).faces)} triangles, as surfaces", of_meshes, 200, are_surfaces=True)
