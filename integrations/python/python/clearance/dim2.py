"""The plane: shapes, worlds, and questions in batches."""

from ._batches import (
    cast_rays,
    cast_rays_all,
    cast_shapes,
    closest_points,
    contacts,
    contains,
    distance,
    distance_matrix,
    intersects,
    manifolds,
    signed_distance,
)
from ._clearance import Nearest
from ._rows import (
    NO_BODY,
    AllRayHits,
    BodyCastHits,
    BodyContacts,
    BodyManifoldPoints,
    BodyRayHits,
    BodySeparations,
    CastHits,
    Contacts,
    Distances,
    EventKind,
    Events,
    ManifoldPoints,
    RayHits,
    Status,
)
from ._shape import Choice, MassProperties
from ._shape import Placed2 as Placed
from ._shape import Shape2 as Shape
from ._world import World2 as World

__all__ = [
    "NO_BODY",
    "AllRayHits",
    "BodyCastHits",
    "BodyContacts",
    "BodyManifoldPoints",
    "BodyRayHits",
    "BodySeparations",
    "CastHits",
    "Choice",
    "Contacts",
    "Distances",
    "EventKind",
    "Events",
    "ManifoldPoints",
    "MassProperties",
    "Nearest",
    "Placed",
    "RayHits",
    "Shape",
    "Status",
    "World",
    "cast_rays",
    "cast_rays_all",
    "cast_shapes",
    "closest_points",
    "contacts",
    "contains",
    "distance",
    "distance_matrix",
    "intersects",
    "manifolds",
    "signed_distance",
]
