"""A small building for tests of clash checks."""

import numpy as np

RULES = {
    "groups": {"balls": ["ball *"]},
    "rules": [
        {"between": ["ball 1*", "ball 7*"], "ignore": True},
        {"between": ["balls", "balls"], "clearance": 0.25, "name": "balls keep apart"},
        {"between": ["*", "*"], "tolerance": 0.001},
    ],
}


def box(low, high):
    """The vertices and triangles of a box."""
    sides = np.array([low, high], float)
    corners = np.array([[sides[k & 1, 0], sides[k >> 1 & 1, 1], sides[k >> 2, 2]] for k in range(8)])
    quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]]
    return corners, np.array([triangle for a, b, c, d in quads for triangle in ([a, b, c], [a, c, d])], np.uint32)


def ball(at, radius=0.5, rings=8):
    """The vertices and triangles of a ball of 2 * rings * (rings - 1) * 2 triangles."""
    around = 2 * rings
    up, turn = np.pi * np.arange(1, rings) / rings, 2 * np.pi * np.arange(around) / around
    ring = [[np.sin(u) * np.cos(t), np.sin(u) * np.sin(t), np.cos(u)] for u in up for t in turn]
    vertices = np.array([[0, 0, 1], *ring, [0, 0, -1]]) * radius + at
    triangles = []
    for k in range(around):
        after, last = (k + 1) % around, len(vertices) - 1
        triangles += [[0, 1 + k, 1 + after], [last, last - around + after, last - around + k]]
        for row in range(rings - 2):
            a, b = 1 + row * around + k, 1 + row * around + after
            triangles += [[a, a + around, b], [b, a + around, b + around]]
    return vertices, np.array(triangles, np.uint32)


def parts(size=6, at=(0.0, 0.0, 0.0)):
    """The names and meshes of size**3 balls, some of which overlap, on a slab with a wall."""
    random = np.random.default_rng(1)
    named = {"slab": box([-1, -1, -2], [size, size, -0.5]), "wall": box([-1, -1, -0.5], [size, -0.75, 3])}
    for k, place in enumerate(np.ndindex(size, size, size)):
        named[f"ball {k}"] = ball(np.array(place) + random.uniform(-0.125, 0.125, 3))
    named["inner"], named["twin"] = box([0, 0, -1.5], [1, 1, -1]), named["wall"]
    return {name: (vertices + np.array(at), triangles) for name, (vertices, triangles) in named.items()}


def write(path, named):
    """Writes parts as an OBJ file, to the last bit."""
    lines, first = [], 1
    for name, (vertices, triangles) in named.items():
        lines.append(f"o {name}")
        lines += [f"v {x!r} {y!r} {z!r}" for x, y, z in vertices.tolist()]
        lines += ["f {} {} {}".format(*(triangle + first)) for triangle in triangles.astype(int)]
        first += len(vertices)
    path.write_text("\n".join(lines) + "\n")
