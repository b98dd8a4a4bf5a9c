"""Proven distances of shapes, worlds of bodies, and robots, in batches of NumPy arrays.

`clearance.dim3` is for space and `clearance.dim2` for the plane: both have the same names. `clearance.robot` measures robots,
`clearance.fcl` looks like python-fcl and like the collision manager of trimesh.

A distance is positive for a gap and minus the depth for an overlap; normals point from a to b. Lengths are in any unit, angles
in radians, axes right-handed. Every distance comes with ``lower`` and ``upper``: the true one is proven to lie between them.
"""

from __future__ import annotations

import os

from . import _clearance, dim2, dim3
from ._rows import EventKind, Status

__version__ = _clearance.__version__

__all__ = ["EventKind", "Status", "__version__", "dim2", "dim3", "query"]


def query(line: str | bytes, *, folder: str | os.PathLike[str] | None = None) -> str:
    """The answer of ``clearance query`` to a line of a pair file, without the ends of both.

    Parameters
    ----------
    line
        JSON, such as ``{"dimension": 3, "a": {"shape": ...}, "b": {"shape": ...}}``.
    folder
        The folder that the ``path`` of a mesh is relative to; without it no file is read.
    """
    text = line.encode() if isinstance(line, str) else line
    return _clearance.query(text, None if folder is None else os.fspath(folder))
