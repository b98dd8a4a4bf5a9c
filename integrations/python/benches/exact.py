"""Signed distances in double precision, by other means than those of the engine: closed forms, and all pairs of features."""

import numpy as np
from scipy.spatial import ConvexHull


def ball_and_box(radius, half, center):
    """A ball from a box about the origin."""
    beyond = np.abs(center) - half
    outside = np.linalg.norm(np.maximum(beyond, 0))
    return outside + min(beyond.max(), 0) - radius


def capsules(ends, radii):
    """Segments with a thickness; those that cross do not occur."""
    return float(edges_apart(*(edge[None] for edge in ends)).min() - sum(radii))


def faces_of_box(half):
    """The corners of a box, and its triangles with their normals outwards."""
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * half
    quads = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    return corners, np.array([t for a, b, c, d in quads for t in ([a, b, c], [a, c, d])])


def hull_faces(points):
    """The corners of a hull, and its triangles with their normals outwards."""
    hull = ConvexHull(points)
    number = np.full(len(points), -1)
    number[hull.vertices] = np.arange(len(hull.vertices))
    faces = number[hull.simplices]
    vertices = points[hull.vertices]
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    inwards = np.einsum("ij,ij->i", np.cross(b - a, c - a), hull.equations[:, :3]) < 0
    faces[inwards] = faces[inwards][:, ::-1]
    return vertices, faces


def _edges(faces):
    return np.unique(np.sort(faces[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1), axis=0)


def _normals(vertices, faces):
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    return np.cross(b - a, c - a)


def polyhedra(first, second):
    """Convex polyhedra. An overlap is as deep as the least of the widths of their difference along the normals of its faces, which are those of
    both, and those of pairs of edges."""
    along = [vertices[edges[:, 1]] - vertices[edges[:, 0]] for vertices, edges in ((v, _edges(f)) for v, f in (first, second))]
    axes = np.concatenate([_normals(*first), -_normals(*second), np.cross(along[0][:, None], along[1][None]).reshape(-1, 3)])
    lengths = np.linalg.norm(axes, axis=1)
    scale = np.linalg.norm(along[0], axis=1).max() * np.linalg.norm(along[1], axis=1).max()
    axes = axes[lengths > 1e-12 * scale] / lengths[lengths > 1e-12 * scale, None]
    axes = np.concatenate([axes, -axes])
    gaps = (second[0] @ axes.T).min(axis=0) - (first[0] @ axes.T).max(axis=0)
    return float(gaps.max()) if gaps.max() <= 0 else features_apart(first, second)


def features_apart(first, second):
    """The least distance of corners from triangles and of edges from each other."""
    corners = [v[f] for v, f in (first, second)]
    ends = [v[_edges(f)] for v, f in (first, second)]
    return float(min(
        points_apart(first[0], corners[1]).min(), points_apart(second[0], corners[0]).min(), edges_apart(*ends).min()
    ))


def edges_apart(first, second):
    """Distances of segments (N, 2, 3) from segments (M, 2, 3): where the lines are nearest if that is within both, and of ends otherwise."""
    a, u = first[:, None, 0], (first[:, 1] - first[:, 0])[:, None]
    b, v = second[None, :, 0], (second[:, 1] - second[:, 0])[None]
    w = a - b
    uu, uv, vv, uw, vw = ((x * y).sum(-1) for x, y in ((u, u), (u, v), (v, v), (u, w), (v, w)))
    with np.errstate(divide="ignore", invalid="ignore"):
        det = uu * vv - uv * uv
        s, t = (uv * vw - vv * uw) / det, (uu * vw - uv * uw) / det
        inside = (s >= 0) & (s <= 1) & (t >= 0) & (t <= 1)
        normal = np.cross(np.broadcast_to(u, w.shape), np.broadcast_to(v, w.shape))
        lines = np.abs((normal * w).sum(-1)) / np.linalg.norm(normal, axis=-1)
    best = np.where(inside, lines, np.inf)
    for end in (0, 1):
        best = np.minimum(best, _from_segments(first[:, end], second))
        best = np.minimum(best, _from_segments(second[:, end], first).T)
    return best


def _from_segments(points, segments):
    along = segments[:, 1] - segments[:, 0]
    w = points[:, None] - segments[None, :, 0]
    t = np.clip((w * along).sum(-1) / (along * along).sum(-1), 0, 1)
    return np.linalg.norm(w - t[..., None] * along, axis=-1)


def points_apart(points, corners):
    """Distances of points (N, 3) from triangles (M, 3, 3): from the plane above the triangle, and from its sides elsewhere."""
    a, b, c = (corners[None, :, k] for k in range(3))
    normal = np.cross(b - a, c - a)
    p = points[:, None]
    above = np.ones((len(points), corners.shape[0]), bool)
    for x, y in ((a, b), (b, c), (c, a)):
        above &= (np.cross(y - x, p - x) * normal).sum(-1) >= 0
    best = np.where(above, np.abs(((p - a) * normal).sum(-1)) / np.linalg.norm(normal, axis=-1), np.inf)
    for k in range(3):
        best = np.minimum(best, _from_segments(points, corners[:, [k, (k + 1) % 3]]))
    return best


def surfaces(first, second):
    """Meshes as surfaces: 0 where an edge of one goes through a triangle of the other."""
    if _crosses(first, second) or _crosses(second, first):
        return 0.0
    return features_apart(first, second)


def _crosses(first, second):
    ends, corners = first[0][_edges(first[1])], second[0][second[1]]
    p, q = ends[:, None, 0], ends[:, None, 1]
    a, b, c = (corners[None, :, k] for k in range(3))

    def volume(a, b, c, d):
        return (np.cross(b - a, c - a) * (d - a)).sum(-1)

    sides = [volume(p, q, x, y) for x, y in ((a, b), (b, c), (c, a))]
    around = np.all([side > 0 for side in sides], axis=0) | np.all([side < 0 for side in sides], axis=0)
    return bool((around & (volume(a, b, c, p) * volume(a, b, c, q) < 0)).any())
