"""The plane: shapes, worlds, and questions in batches."""

from ._batches import (
    cast_rays,
    cast_shapes,
    closest_points,
    contacts,
    contains,
    distance,
    intersects,
    manifolds,
    signed_distance,
)
from ._rows import EventKind, Status
from ._shape import Choice
from ._shape import Placed2 as Placed
from ._shape import Shape2 as Shape
from ._world import World2 as World

__all__ = [
    "Choice",
    "EventKind",
    "Placed",
    "Shape",
    "Status",
    "World",
    "cast_rays",
    "cast_shapes",
    "closest_points",
    "contacts",
    "contains",
    "distance",
    "intersects",
    "manifolds",
    "signed_distance",
]
