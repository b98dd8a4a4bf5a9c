"""Models of MuJoCo: which geoms may meet, how far apart they are, with proven bounds, and what its contacts say.

MuJoCo itself, which must be installed, computes where geoms are. Nothing of a model is changed.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._arrays import Floats, floats
from ._batches import distance, sides_of_pairs
from ._rows import Distances
from ._shape import Shape3 as Shape
from ._tree import Joint, Link

__all__ = ["ContactsBeside", "Scene"]

#: How many distances are measured at a time.
_BATCH = 1 << 16
#: The numbers of kinds of geoms.
_PLANE, _HFIELD, _SPHERE, _CAPSULE, _ELLIPSOID, _CYLINDER, _BOX, _MESH, _SDF = range(9)
#: Turns the y axis, about which cylinders are round here, to the z axis of MuJoCo.
_Y_TO_Z = np.array([[1.0, 0, 0, 0], [0, 0, -1.0, 0], [0, 1.0, 0, 0], [0, 0, 0, 1.0]])


@dataclass(frozen=True, eq=False)
class ContactsBeside:
    """Contacts of MuJoCo beside distances, one row for each pair of geoms that has one of both.

    Attributes
    ----------
    geoms
        The numbers of the geoms, the smaller one first; shape (K, 2).
    mujoco
        The least ``dist`` of the contacts of MuJoCo between them; infinite where it has none.
    near
        Their distance with bounds, closest points, and the normal from the first to the second.
    """

    geoms: NDArray[np.int64]
    mujoco: Floats
    near: Distances


class Scene:
    """The geoms of an ``MjModel``.

    Parameters
    ----------
    model
        The model. It is looked at now: make another scene when geoms change.
    meshes
        What meshes are: ``"hull"``, their convex hulls, which is what MuJoCo collides; ``"solid"``, closed surfaces with an inside; or
        ``"surface"``.

    Attributes
    ----------
    shapes
        The shape of each geom. A plane has no end, as for MuJoCo; a height field is solid down to its base.
    pairs
        The numbers of the geoms of each pair that may meet, the smaller one first; shape (P, 2). As MuJoCo has it: by ``contype`` and
        ``conaffinity``, not within a body nor between what is welded, not with the parent, not where a body pair is excluded, and
        always where a ``<pair>`` names them.

    Examples
    --------
    >>> import mujoco
    >>> import clearance.mujoco
    >>> model = mujoco.MjModel.from_xml_string('''<mujoco><worldbody><geom type="plane" size="1 1 1"/>
    ...   <body><freejoint/><geom type="ellipsoid" size="0.1 0.2 0.3"/></body></worldbody></mujoco>''')
    >>> scene = clearance.mujoco.Scene(model)
    >>> near = scene.distances([[0, 0, 1, 1, 0, 0, 0], [0, 0, 0.25, 1, 0, 0, 0]])
    >>> near.distance.astype(float).round(4).tolist(), bool((near.lower <= near.upper).all())
    ([[0.7], [-0.05]], True)
    """

    def __init__(self, model: Any, *, meshes: str = "hull") -> None:
        if meshes not in ("hull", "solid", "surface"):
            raise ValueError(f"meshes: is {meshes!r}, must be 'hull', 'solid' or 'surface'")
        self.model = model
        self.shapes = [_shape(model, geom, meshes) for geom in range(model.ngeom)]
        self.pairs = _pairs(model)
        self._turns = np.array([_Y_TO_Z if kind == _CYLINDER else np.eye(4) for kind in model.geom_type]).reshape(-1, 4, 4)

    def poses(self, at: Any) -> Floats:
        """The poses of all shapes, (N, G, 4, 4): as an ``MjData`` has them, where N is 1, or for rows of ``qpos``, (N, nq) or (nq,).

        Those of cylinders are turned, since the shapes stand on their y axis.
        """
        if hasattr(at, "geom_xpos"):
            return self._placed(at)[None]
        import mujoco

        given = np.atleast_2d(floats("qpos", at))
        if given.ndim != 2 or given.shape[1] != self.model.nq:
            raise ValueError(f"qpos: has shape {given.shape}, must be (N, {self.model.nq})")
        wrong = np.argwhere(~np.isfinite(given))
        if len(wrong):
            row, column = wrong[0]
            raise ValueError(f"qpos[{row}]: number {column} is {given[row, column]}, must be finite")
        data, placed = mujoco.MjData(self.model), np.empty((len(given), self.model.ngeom, 4, 4))
        for row, qpos in enumerate(given):
            data.qpos[:] = qpos
            mujoco.mj_kinematics(self.model, data)
            placed[row] = self._placed(data)
        return placed

    def _placed(self, data: Any) -> Floats:
        if not data.geom_xmat.any(axis=1).all():
            raise ValueError("data: does not say where geoms are yet: call mujoco.mj_kinematics first")
        placed = np.zeros((self.model.ngeom, 4, 4))
        placed[:, :3, :3], placed[:, :3, 3] = data.geom_xmat.reshape(-1, 3, 3), data.geom_xpos
        placed[:, 3, 3] = 1.0
        return np.asarray(placed @ self._turns)

    def distances(
        self, at: Any, *, pairs: ArrayLike | None = None, within: float = np.inf, threads: int | None = None
    ) -> Distances:
        """The signed distances of pairs of geoms with proven bounds, closest points and normals.

        Parameters
        ----------
        at
            An ``MjData`` whose kinematics are known, or ``qpos``, as for `poses`.
        pairs
            Numbers of geoms, (P, 2); all that may meet if left out.
        within, threads
            As for `clearance.dim3.distance`.

        Returns
        -------
        Distances
            Shape (N, P), or (P,) for an ``MjData``. Bounds are those at poses whose rotations are rounded to single precision.
        """
        chosen = self.pairs if pairs is None else np.asarray(pairs, np.int64).reshape(-1, 2)
        if len(chosen) and not (0 <= chosen.min() and chosen.max() < self.model.ngeom):
            raise ValueError(f"pairs: name geoms from {chosen.min()} to {chosen.max()}, must be from 0 to {self.model.ngeom - 1}")
        rows = 1 if hasattr(at, "geom_xpos") else len(np.atleast_2d(at))
        found, size = np.empty((rows, len(chosen)), Shape._layouts.distance), max(_BATCH // max(len(chosen), 1), 1)
        for first in range(0, rows, size):
            poses = self.poses(at if rows == 1 else at[first : first + size])
            row, pair = np.divmod(np.arange(len(poses) * len(chosen)), max(len(chosen), 1))
            near = distance(*sides_of_pairs(self.shapes, chosen[pair], poses, row), within=within, threads=threads)
            found[first : first + size] = near.rows.reshape(len(poses), len(chosen))
        return Distances(found[0] if hasattr(at, "geom_xpos") else found)

    def contacts(self, data: Any, *, within: float = 0.0, threads: int | None = None) -> ContactsBeside:
        """The contacts that an ``MjData`` has, beside what is measured, and pairs that are within a distance although it has none."""
        near = self.distances(data, within=within, threads=threads)
        least: dict[tuple[int, ...], float] = {}
        for geoms, dist in zip(np.sort(data.contact.geom[: data.ncon], axis=1).tolist(), data.contact.dist):
            least[tuple(geoms)] = min(float(dist), least.get(tuple(geoms), np.inf))
        close = {tuple(pair) for pair in self.pairs[near.distance <= within].tolist()}
        # What flexes touch has no geom, which is written as -1.
        geoms = np.array(sorted(close.union(pair for pair in least if pair[0] >= 0)), np.int64).reshape(-1, 2)
        mujoco = np.array([least.get(tuple(pair), np.inf) for pair in geoms.tolist()])
        return ContactsBeside(geoms, mujoco, self.distances(data, pairs=geoms, threads=threads))


def _pairs(model: Any) -> NDArray[np.int64]:
    """The pairs of geoms that MuJoCo may make contacts of."""
    import mujoco

    a, b = np.triu_indices(model.ngeom, 1)
    first, second = model.geom_contype, model.geom_conaffinity
    may = (first[a] & second[b] != 0) | (first[b] & second[a] != 0)
    weld = model.body_weldid[model.geom_bodyid]
    may &= weld[a] != weld[b]
    if not model.opt.disableflags & mujoco.mjtDisableBit.mjDSBL_FILTERPARENT:
        above = model.body_weldid[model.body_parentid[weld]]
        may &= (weld[a] == 0) | (weld[b] == 0) | ((weld[a] != above[b]) & (weld[b] != above[a]))
    bodies = np.sort(np.stack([model.geom_bodyid[a], model.geom_bodyid[b]]), axis=0)
    may &= ~np.isin((bodies[0] << 16) + bodies[1], model.exclude_signature)
    named = np.sort(np.stack([model.pair_geom1, model.pair_geom2], axis=1), axis=1)
    found = np.unique(np.concatenate([np.stack([a, b], axis=1)[may], named]), axis=0)
    # What rests without an end meets nothing of its kind.
    endless = np.isin(model.geom_type, (_PLANE, _HFIELD))
    return np.asarray(found[~endless[found].all(axis=1)], np.int64)


def _shape(model: Any, geom: int, meshes: str) -> Shape:
    kind, size = int(model.geom_type[geom]), model.geom_size[geom]
    if kind == _PLANE:
        return Shape.half_space([0, 0, 1])
    if kind == _HFIELD:
        return _height_field(model, int(model.geom_dataid[geom]))
    if kind == _SPHERE:
        return Shape.ball(size[0])
    if kind == _CAPSULE:
        return Shape.segment([0, 0, -size[1]], [0, 0, size[1]]).rounded(size[0])
    if kind == _ELLIPSOID:
        return Shape.ellipsoid(size)
    if kind == _CYLINDER:
        return Shape.cylinder(size[1], size[0])
    if kind == _BOX:
        return Shape.cuboid(size)
    if kind not in (_MESH, _SDF):
        raise ValueError(f"geom {geom}: is of kind {kind}, must be a plane, a height field, a primitive or a mesh")
    mesh = int(model.geom_dataid[geom])
    first, face = model.mesh_vertadr[mesh], model.mesh_faceadr[mesh]
    vertices = model.mesh_vert[first : first + model.mesh_vertnum[mesh]]
    if meshes == "hull":
        return Shape.hull(vertices)
    return Shape.mesh(vertices, model.mesh_face[face : face + model.mesh_facenum[mesh]], solid=meshes == "solid")


def _height_field(model: Any, number: int) -> Shape:
    """The solid between the surface of a height field and its base. Cells are cut from the least corner to the greatest, as by MuJoCo."""
    rows, columns, first = model.hfield_nrow[number], model.hfield_ncol[number], model.hfield_adr[number]
    x, y, top, base = model.hfield_size[number]
    heights = model.hfield_data[first : first + rows * columns] * top
    across, along = np.meshgrid(np.linspace(-x, x, columns), np.linspace(-y, y, rows))
    upper = np.stack([across.ravel(), along.ravel(), heights], axis=1)
    lower = np.stack([across.ravel(), along.ravel(), np.full(len(heights), -base)], axis=1)
    place = np.arange(rows * columns).reshape(rows, columns)
    a, b, c, d = (part.ravel() for part in (place[:-1, :-1], place[:-1, 1:], place[1:, 1:], place[1:, :-1]))
    surface = np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])
    rim = np.concatenate([place[0], place[1:, -1], place[-1, -2::-1], place[-2::-1, 0]])
    start, end, below = rim[:-1], rim[1:], len(heights)
    walls = [np.stack([start, start + below, end + below], axis=1), np.stack([start, end + below, end], axis=1)]
    return Shape.mesh(np.concatenate([upper, lower]), np.concatenate([surface, surface[:, ::-1] + below, *walls]), solid=True)


#: Kinds of joints by their numbers.
_JOINTS = {2: "prismatic", 3: "revolute"}


def links_and_joints(model: Any, meshes: str) -> tuple[list[Link], list[Joint], list[tuple[str, str]]]:
    """The links and joints of a model, and the pairs of links that may touch: see `Robot.from_mujoco`."""
    scene = Scene(model, meshes=meshes)
    bodies = [model.body(body).name or f"body {body}" for body in range(model.nbody)]
    links, joints, of_geom = [Link(bodies[0])], [], dict[int, str]()
    for body, sets in enumerate(_sets(scene)):
        name = bodies[body]
        chain = _chain(model, body, bodies) if body else []
        links += [Link(joint.child) for joint in chain]
        joints += chain
        if body and len(sets) == 1 and model.geom_type[sets[0][0]] != _PLANE:
            links[-1] = Link(name, _compound(scene, sets[0]))
            of_geom.update(dict.fromkeys(sets[0], name))
            continue
        for geoms in sets:
            first, is_alone = geoms[0], len(geoms) == 1
            child = f"{name}/{model.geom(first).name or f'geom {first}'}"
            links.append(Link(child, scene.shapes[first] if is_alone else _compound(scene, geoms)))
            origin = _in_body(scene, first) if is_alone else np.eye(4)
            joints.append(Joint(f"{child} on {name}", name, child, kind="fixed", origin=origin))
            of_geom.update(dict.fromkeys(geoms, child))
    counted = {frozenset(of_geom[geom] for geom in pair) for pair in scene.pairs.tolist()}
    shaped = [link.name for link in links if link.shape is not None]
    return links, joints, [pair for pair in combinations(shaped, 2) if frozenset(pair) not in counted]


def _sets(scene: Scene) -> list[list[list[int]]]:
    """Of each body the geoms that may meet others, in sets that meet the same ones. Those of the world are alone, and so are planes, which have no
    place in compounds.
    """
    model, meets = scene.model, [set[int]() for _ in scene.shapes]
    for a, b in scene.pairs.tolist():
        meets[a].add(b)
        meets[b].add(a)
    sets: list[dict[Any, list[int]]] = [{} for _ in range(model.nbody)]
    for geom, others in enumerate(meets):
        if others:
            is_alone = model.geom_bodyid[geom] == 0 or model.geom_type[geom] == _PLANE
            same = frozenset(others), geom if is_alone else None
            sets[model.geom_bodyid[geom]].setdefault(same, []).append(geom)
    return [list(of_body.values()) for of_body in sets]


def _compound(scene: Scene, geoms: list[int]) -> Shape:
    """The shape of geoms of a body, in its frame."""
    return Shape.compound([scene.shapes[geom] for geom in geoms], np.array([_in_body(scene, geom) for geom in geoms]))


def _chain(model: Any, body: int, bodies: list[str]) -> list[Joint]:
    """The joints from the parent of a body to it; the last one is fixed."""
    name, above = bodies[body], bodies[model.body_parentid[body]]
    chain, place = [], _frame(model.body_pos[body], model.body_quat[body])
    for number in range(model.body_jntadr[body], model.body_jntadr[body] + model.body_jntnum[body]):
        title = model.joint(number).name or f"joint {number}"
        if int(model.jnt_type[number]) not in _JOINTS:
            kind = "free" if model.jnt_type[number] == 0 else "ball"
            raise ValueError(f"joint {title!r}: is a {kind} joint, must be a hinge or a slide")
        anchor, start = _frame(model.jnt_pos[number], [1, 0, 0, 0]), float(model.qpos0[model.jnt_qposadr[number]])
        limits = tuple(model.jnt_range[number].tolist()) if model.jnt_limited[number] else (-np.inf, np.inf)
        moves = {"kind": _JOINTS[int(model.jnt_type[number])], "axis": model.jnt_axis[number], "offset": -start, "limits": limits}
        chain.append(Joint(title, above, f"{name} behind {title}", origin=place @ anchor, **moves))
        above, place = chain[-1].child, np.asarray(np.linalg.inv(anchor), np.float64)
    return [*chain, Joint(f"{name} on {above}", above, name, kind="fixed", origin=place)]


def _in_body(scene: Scene, geom: int) -> Floats:
    """Where the shape of a geom is in the frame of its body."""
    return np.asarray(_frame(scene.model.geom_pos[geom], scene.model.geom_quat[geom]) @ scene._turns[geom])


def _frame(place: ArrayLike, turn: ArrayLike) -> Floats:
    """The matrix of a position and a quaternion of MuJoCo, which begins with its real part."""
    import mujoco

    turned, frame = np.zeros(9), np.zeros((4, 4))
    frame[3, 3] = 1.0
    mujoco.mju_quat2Mat(turned, np.asarray(turn, np.float64))
    frame[:3, :3], frame[:3, 3] = turned.reshape(3, 3), place
    return frame
