"""Robots of URDF files, which yourdfpy reads."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from ._shape import Shape3 as Shape
from .robot import Joint, Link

_KINDS = {"revolute": "revolute", "continuous": "revolute", "prismatic": "prismatic", "fixed": "fixed"}
#: What elements must say.
_NEEDED = {
    ".": ("name",),
    "link": ("name",),
    "joint": ("name", "type"),
    "joint/parent": ("link",),
    "joint/child": ("link",),
    "joint/mimic": ("joint",),
    ".//geometry/mesh": ("filename",),
    ".//geometry/box": ("size",),
    ".//geometry/sphere": ("radius",),
    ".//geometry/cylinder": ("radius", "length"),
}
#: Turns the y axis, about which shapes of this engine are round, to the z axis of URDF.
_Y_TO_Z = np.array([[1.0, 0, 0, 0], [0, 0, -1.0, 0], [0, 1.0, 0, 0], [0, 0, 0, 1.0]])


def read(path: str, hulls: bool) -> tuple[list[Link], list[Joint]]:
    """The links and joints of a file."""
    try:
        import yourdfpy
    except ImportError as missing:
        raise ImportError("robots of URDF files are read by yourdfpy: pip install 'clearance[urdf]'") from missing
    options = {"build_scene_graph": False, "load_meshes": False, "load_collision_meshes": False}
    _check(path)
    robot = yourdfpy.URDF.load(path, **options).robot
    folder = os.path.dirname(os.path.abspath(path))
    links = [Link(link.name, _shape(link, folder, hulls)) for link in robot.links]
    return links, [_joint(joint) for joint in robot.joints]


def _check(path: str) -> None:
    """Refuses a file in which an element lacks an attribute that it must have, with the line, or that is no URDF file."""
    from lxml import etree

    try:
        with open(path, "rb") as file:
            root = etree.parse(file).getroot()
    except etree.XMLSyntaxError as problem:
        raise ValueError(f"{path}: {problem}") from None
    if root.find("link") is None:
        raise ValueError(f"{path}: has no <link>, must be a URDF file")
    for place, attributes in _NEEDED.items():
        for element in root.findall(place):
            for attribute in attributes:
                if attribute not in element.attrib:
                    raise ValueError(f"{path}, line {element.sourceline}: <{element.tag}> has no attribute {attribute!r}")


def _joint(joint: Any) -> Joint:
    if joint.type not in _KINDS:
        raise ValueError(f"joint {joint.name!r}: is {joint.type}, must be one of {', '.join(_KINDS)}")
    limit = joint.limit
    known = limit is not None and limit.lower is not None and limit.upper is not None
    limits = (float(limit.lower), float(limit.upper)) if known else (-np.inf, np.inf)
    origin = np.eye(4) if joint.origin is None else joint.origin
    axis = (1.0, 0.0, 0.0) if joint.axis is None else joint.axis
    mimic = joint.mimic
    return Joint(
        joint.name,
        joint.parent,
        joint.child,
        kind=_KINDS[joint.type],
        origin=origin,
        axis=axis,
        limits=limits,
        follows=None if mimic is None else mimic.joint,
        factor=1.0 if mimic is None or mimic.multiplier is None else mimic.multiplier,
        offset=0.0 if mimic is None or mimic.offset is None else mimic.offset,
    )


def _shape(link: Any, folder: str, hulls: bool) -> Shape | None:
    """All collision geometries of a link as one shape."""
    shapes, origins = [], []
    for collision in link.collisions:
        shape, turn = _geometry(collision.geometry, folder, hulls)
        shapes.append(shape)
        origins.append((np.eye(4) if collision.origin is None else collision.origin) @ turn)
    if not shapes:
        return None
    if len(shapes) == 1 and np.array_equal(origins[0], np.eye(4)):
        return shapes[0]
    return Shape.compound(shapes, np.array(origins))


def _geometry(geometry: Any, folder: str, hulls: bool) -> tuple[Shape, Any]:
    if geometry.box is not None:
        return Shape.cuboid(np.asarray(geometry.box.size, np.float64) / 2.0), np.eye(4)
    if geometry.cylinder is not None:
        return Shape.cylinder(geometry.cylinder.length / 2.0, geometry.cylinder.radius), _Y_TO_Z
    if geometry.sphere is not None:
        return Shape.ball(geometry.sphere.radius), np.eye(4)
    mesh = geometry.mesh
    scale = 1.0 if mesh.scale is None else mesh.scale
    shape = Shape.from_file(_found(mesh.filename, folder), scale=scale, hull=hulls)
    return shape if hulls else _filled(shape), np.eye(4)


def _filled(mesh: Shape) -> Shape:
    """A mesh with an inside where it is closed, and the surface itself where it is not."""
    try:
        return mesh.solid()
    except ValueError:
        return mesh


def _found(name: str, folder: str) -> str:
    """The file that a URDF names: relative to its folder, or to one above where the name has a package."""
    if name.startswith("file://"):
        return name.removeprefix("file://")
    rest = name.removeprefix("package://")
    beside = os.path.join(folder, rest)
    if rest == name or os.path.exists(beside):
        return beside
    above = folder
    while os.path.dirname(above) != above:
        above = os.path.dirname(above)
        for place in (rest, rest.partition("/")[2]):
            if os.path.exists(os.path.join(above, place)):
                return os.path.join(above, place)
    return beside
