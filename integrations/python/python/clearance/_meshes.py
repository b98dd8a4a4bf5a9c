"""Files of meshes that trimesh reads."""

from __future__ import annotations

from typing import Any


def load(path: str) -> Any:
    """What trimesh reads from a file, with the transforms of scenes applied."""
    try:
        import trimesh
    except ImportError as missing:
        raise ImportError(f"{path}: is read by trimesh, which is not installed: pip install 'clearance[meshes]'") from missing
    scene: Any = trimesh.load(path, force="scene")
    return scene.to_mesh()
