"""Times beside other libraries, in one run: ``python benches/peers.py`` in an environment with the release wheel.

Peers that are not installed are left out: coal, python-fcl, trimesh with embreex, open3d. What is compared is measured in turns, and each
time is the median of five: that of the processor, of all threads together, which other programs on the machine disturb least. On a machine
with nothing else to do a batch takes as many times less as there are processors, and so do rays and points of open3d. Ratios are of the best
peer to us: above 1 we are quicker. How far answers differ is told as well; see ``wrong.py`` for who is right.
"""

from __future__ import annotations

import importlib
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from arm import BONES, arm, configurations

from clearance.dim3 import Placed, Shape, cast_rays, closest_points, distance

RANDOM = np.random.default_rng(11)


def peer(name):
    try:
        return importlib.import_module(name)
    except ImportError as missing:
        print(f"without {name}: {missing}")
        return None


coal, fcl, trimesh, open3d = peer("coal"), peer("fcl"), peer("trimesh"), peer("open3d")
embree = peer("embreex") and importlib.import_module("trimesh.ray.ray_pyembree")


#: How often each is measured.
TURNS = 5


def in_turns(calls):
    """Of each call and the number of its answers: nanoseconds for an answer, and the answers."""
    seconds = {name: [] for name in calls}
    answers = {}
    for _ in range(TURNS):
        for name, (call, _) in calls.items():
            start = time.process_time()
            answers[name] = call()
            seconds[name].append(time.process_time() - start)
    return {name: (np.median(seconds[name]) / count * 1e9, answers[name]) for name, (_, count) in calls.items()}


def poses(count, spread):
    rotation = RANDOM.normal(size=(count, 4))
    rotation /= np.linalg.norm(rotation, axis=1)[:, None]
    return np.hstack([RANDOM.normal(size=(count, 3)) * spread, rotation])


def sphere(count):
    """A bumpy closed mesh of about so many triangles."""
    rings = max(int(np.sqrt(count / 2)), 3)
    mesh = trimesh.creation.uv_sphere(1.0, (rings, rings))
    bumps = 1.0 + 0.05 * np.sin(9 * mesh.vertices[:, 0]) * np.sin(9 * mesh.vertices[:, 2])
    return trimesh.Trimesh(mesh.vertices * bumps[:, None], mesh.faces, process=False)


def coal_object(geometry, pose):
    x, y, z, w = pose[3:]
    rotation = coal.Quaternion(w, x, y, z).matrix()
    return coal.CollisionObject(geometry, coal.Transform3s(rotation, pose[:3]))


def fcl_object(geometry, pose):
    x, y, z, w = pose[3:]
    return fcl.CollisionObject(geometry, fcl.Transform(np.array([w, x, y, z]), pose[:3]))


def of_coal(geometries, given):
    a, b = coal_object(geometries[0], np.array([0, 0, 0, 0, 0, 0, 1.0])), [coal_object(geometries[1], pose) for pose in given]
    request, result = coal.DistanceRequest(), coal.DistanceResult()

    def one(other):
        result.clear()
        return coal.distance(a, other, request, result)

    return lambda: [one(other) for other in b]


def of_fcl(geometries, given):
    a, b = fcl_object(geometries[0], np.array([0, 0, 0, 0, 0, 0, 1.0])), [fcl_object(geometries[1], pose) for pose in given]
    request = fcl.DistanceRequest(enable_nearest_points=True, enable_signed_distance=True)
    return lambda: [fcl.distance(a, other, request, fcl.DistanceResult()) for other in b]


def coal_mesh(mesh):
    model = coal.BVHModelOBBRSS()
    model.beginModel(len(mesh.faces), len(mesh.vertices))
    points = coal.StdVec_Vec3s()
    for vertex in mesh.vertices:
        points.append(vertex)
    triangles = coal.StdVec_Triangle()
    for face in mesh.faces:
        triangles.append(coal.Triangle(*map(int, face)))
    model.addSubModel(points, triangles)
    model.endModel()
    return model


def fcl_mesh(mesh):
    model = fcl.BVHModel()
    model.beginModel(len(mesh.faces), len(mesh.vertices))
    model.addSubModel(mesh.vertices, mesh.faces)
    model.endModel()
    return model


def report(name, calls):
    """One line: our times in a batch and one by one, those of peers, ratios, and how far answers differ at most."""
    found = in_turns(calls)
    batch, ours = found.pop("batch")
    alone, _ = found.pop("one by one", (None, None))
    told = []
    for peer_name, (peer_time, others) in found.items():
        few = min(len(others), len(ours))
        apart = np.abs(np.asarray(others, float)[:few] - ours[:few])
        apart = "" if np.isnan(apart).all() else f" (differs {np.nanmax(apart):.1e})"
        told.append(f"{peer_name} {peer_time:,.0f} ns{apart}")
    best = min((peer_time for peer_time, _ in found.values()), default=np.nan)
    by_one = "" if alone is None else f", one by one {alone:,.0f} ns"
    ratios = f"x{best / batch:.1f} in batches" + ("" if alone is None else f", x{best / alone:.1f} one by one")
    print(f"{name}: batch {batch:,.0f} ns{by_one} | {'; '.join(told)} | {ratios}", flush=True)


def pair(name, shapes, peers, setting):
    """Distances of one shape from another at poses that do not overlap it."""
    count, few, spread = setting
    given = poses(count * 4, spread)
    given = np.ascontiguousarray(given[distance(*shapes, None, given).lower > 0][:count])
    out = distance(*shapes, None, given)
    few = min(few, len(given))
    a, b = Placed(shapes[0]), [Placed(shapes[1], pose) for pose in given[:few]]
    calls = {
        "batch": (lambda: distance(*shapes, None, given, out=out).distance.copy(), len(given)),
        "one by one": (lambda: [a.distance(other) for other in b], few),
    }
    calls.update((peer_name, (make(geometries, given[:few]), few)) for peer_name, (make, geometries) in peers.items())
    report(f"{name} ({len(given):,})", calls)


def pairs():
    libraries = [(name, of, module) for name, of, module in (("coal", of_coal, coal), ("fcl", of_fcl, fcl)) if module]

    def both(make):
        return {name: (of, make(module)) for name, of, module in libraries}

    pair("ball, box", (Shape.ball(0.5), Shape.cuboid([0.5, 1, 0.25])), both(lambda m: (m.Sphere(0.5), m.Box(1, 2, 0.5))), (100_000, 5000, 2.0))
    pair("box, box", (Shape.cuboid([0.5, 1, 0.25]),) * 2, both(lambda m: (m.Box(1, 2, 0.5),) * 2), (100_000, 5000, 2.0))
    ball = trimesh.creation.icosphere(2, 0.5)
    hull = Shape.hull(ball.vertices)
    convex = {}
    if coal:
        model = coal_mesh(ball)
        model.buildConvexRepresentation(False)
        convex["coal"] = (of_coal, (model.convex,) * 2)
    if fcl:
        faces = np.hstack([np.full((len(ball.faces), 1), 3), ball.faces]).flatten()
        convex["fcl"] = (of_fcl, (fcl.Convex(ball.vertices, len(ball.faces), faces),) * 2)
    pair("hull, hull of 162", (hull, hull), convex, (100_000, 2000, 2.0))
    for size, count, few in ((1000, 2000, 100), (10_000, 600, 30), (100_000, 100, 10)):
        mesh = sphere(size)
        shape = Shape.mesh(mesh.vertices, mesh.faces)
        models = {}
        if coal:
            models["coal"] = (of_coal, (coal_mesh(mesh),) * 2)
        if fcl:
            models["fcl"] = (of_fcl, (fcl_mesh(mesh),) * 2)
        pair(f"mesh, mesh of {len(mesh.faces):,}", (shape, shape), models, (count, few, 2.0))


def rays_and_points():
    mesh = sphere(100_000)
    shape = Shape.mesh(mesh.vertices, mesh.faces)
    count = 100_000
    origins = RANDOM.normal(size=(count, 3))
    origins *= 3.0 / np.linalg.norm(origins, axis=1)[:, None]
    directions = RANDOM.normal(size=(count, 3)) * 0.4 - origins
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    calls = {"batch": (lambda: finite(cast_rays(shape, origins, directions).distance), count)}
    if open3d:
        scene = open3d.t.geometry.RaycastingScene()
        scene.add_triangles(np.asarray(mesh.vertices, np.float32), np.asarray(mesh.faces, np.uint32))
        rays = np.hstack([origins, directions]).astype(np.float32)
        calls["open3d"] = lambda: finite(scene.cast_rays(open3d.core.Tensor(rays))["t_hit"].numpy()), count
    if embree:
        caster = embree.RayMeshIntersector(mesh)
        # Which triangle is hit; not where.
        calls["embreex"] = lambda: np.full_like(caster.intersects_first(origins, directions), np.nan, float), count
    report(f"rays at {len(mesh.faces):,} triangles ({count:,})", calls)
    points, few = RANDOM.normal(size=(count, 3)) * 1.5, 200
    calls = {"batch": (lambda: closest_points(shape, points).distance.copy(), count)}
    if open3d:
        wanted = points.astype(np.float32)
        calls["open3d"] = lambda: scene.compute_distance(open3d.core.Tensor(wanted)).numpy(), count
    calls["trimesh"] = lambda: trimesh.proximity.closest_point(mesh, points[:few])[1], few
    report(f"points from {len(mesh.faces):,} triangles ({count:,})", calls)


def finite(distances):
    """Distances, but for rays that miss."""
    return np.where(np.isinf(distances), np.nan, distances)


def arms():
    robot, count, few = arm(), 10_000, 300
    given = configurations(count)
    at = robot.poses(given[:few])
    calls = {"batch": (lambda: robot.self_clearance(given).distance, count)}
    for name, module in (("coal", coal), ("fcl", fcl)):
        if module:
            calls[name] = lambda module=module: arm_of(module, robot, at), few
    report(f"self clearance of an arm ({count:,} configurations)", calls)


def arm_of(module, robot, poses_of_links):
    """The least distance of the pairs that count by a peer, as a program would ask for it pair by pair."""
    place = module.Transform3s if module is coal else module.Transform
    capsules = []
    for a, b, radius in BONES:
        a, b = np.array(a, float), np.array(b, float)
        z = (b - a) / np.linalg.norm(b - a)
        x = np.cross(z, [0.3, 0.5, 0.8])
        x /= np.linalg.norm(x)
        local = np.eye(4)
        local[:3, :3] = np.stack([x, np.cross(z, x), z], axis=1)
        local[:3, 3] = (a + b) / 2
        capsules.append((module.Capsule(radius, float(np.linalg.norm(b - a))), local))
    least = []
    signed = {"enable_nearest_points": True, "enable_signed_distance": True}
    request = module.DistanceRequest() if module is coal else module.DistanceRequest(**signed)
    for links in poses_of_links:
        at = [link @ local for link, (_, local) in zip(links, capsules)]
        objects = [module.CollisionObject(shape, place(pose[:3, :3], pose[:3, 3])) for pose, (shape, _) in zip(at, capsules)]
        found = [module.distance(objects[a], objects[b], request, module.DistanceResult()) for a, b in robot.pairs]
        least.append(min(found))
    return least


if __name__ == "__main__":
    pairs()
    rays_and_points()
    arms()
