//! The fields of answers.

use clearance_gjk::{CastHit, Manifold, ManifoldPoint, RayHit, Separation, Status};
use clearance_math::Real;
use serde::{Serialize, Serializer, ser::SerializeMap};

use crate::FileVector;
use crate::decimal::Bound;
use crate::file_vector::Numbers;

/// The fields of a separation, in answers and contacts alike; the parts only where `has_parts` says
/// that a composite takes part.
pub(crate) fn write_distance<V: FileVector, M: SerializeMap>(
    map: &mut M,
    separation: &Separation<V>,
    has_parts: bool,
) -> Result<(), M::Error> {
    map.serialize_entry("distance", &separation.distance)?;
    map.serialize_entry("point_a", &Numbers::of_position(separation.position_a))?;
    map.serialize_entry("point_b", &Numbers::of_position(separation.position_b))?;
    map.serialize_entry("normal", &Numbers::of_vector(separation.normal))?;
    Bounds::of(separation).write(map)?;
    if has_parts {
        map.serialize_entry("part_a", &separation.part_a)?;
        map.serialize_entry("part_b", &separation.part_b)?;
    }
    Ok(())
}

/// The fields of the distance of a point, which is known to who asked.
pub(crate) fn write_point<V: FileVector, M: SerializeMap>(
    map: &mut M,
    separation: &Separation<V>,
) -> Result<(), M::Error> {
    map.serialize_entry("distance", &separation.distance)?;
    map.serialize_entry("point_b", &Numbers::of_position(separation.position_b))?;
    map.serialize_entry("normal", &Numbers::of_vector(separation.normal))?;
    Bounds::of(separation).write(map)?;
    map.serialize_entry("part_b", &separation.part_b)
}

/// The fields of two half-spaces that overlap without bound.
pub(super) fn write_unbounded<M: SerializeMap>(map: &mut M) -> Result<(), M::Error> {
    map.serialize_entry("distance", &None::<Real>)?;
    map.serialize_entry("unbounded", &true)
}

/// The fields of two shapes of which no parts count for each other, as far as the search came.
pub(crate) fn write_uncounted<M: SerializeMap>(map: &mut M, lower: Real) -> Result<(), M::Error> {
    map.serialize_entry("distance", &None::<Real>)?;
    if lower == Real::INFINITY {
        return map.serialize_entry("counts", &false);
    }
    map.serialize_entry("lower", &Bound::Lower(lower))?;
    map.serialize_entry("status", Status::IterationLimit.name())
}

/// The fields of a hit.
pub(crate) fn write_hit<V: FileVector, M: SerializeMap>(
    map: &mut M,
    hit: &RayHit<V>,
) -> Result<(), M::Error> {
    map.serialize_entry("distance", &hit.distance)?;
    map.serialize_entry("point", &Numbers::of_position(hit.position))?;
    map.serialize_entry("normal", &hit.normal.map(Numbers::of_vector))?;
    let bounds = Bounds {
        lower: hit.lower,
        upper: hit.upper,
        status: hit.status,
    };
    bounds.write(map)?;
    let part = (hit.part != RayHit::<V>::NO_PART).then_some(hit.part);
    map.serialize_entry("part_b", &part)
}

/// The fields of a meeting of two shapes in motion.
pub(crate) fn write_cast_hit<V: FileVector, M: SerializeMap>(
    map: &mut M,
    hit: &CastHit<V>,
) -> Result<(), M::Error> {
    map.serialize_entry("time", &hit.time)?;
    map.serialize_entry("time_lower", &Bound::Lower(hit.time_lower))?;
    map.serialize_entry("time_upper", &Bound::Upper(hit.time_upper))?;
    map.serialize_entry("time_status", status_name(hit.status))?;
    write_met(map, &hit.separation)
}

/// The fields of a distance with its parts, or of two half-spaces that overlap without bound.
pub(crate) fn write_met<V: FileVector, M: SerializeMap>(
    map: &mut M,
    separation: &Separation<V>,
) -> Result<(), M::Error> {
    if separation.distance.is_finite() {
        write_distance(map, separation, true)
    } else {
        write_unbounded(map)
    }
}

/// The fields of a manifold; without points if there is none.
pub(super) fn write_manifold<V: FileVector, M: SerializeMap>(
    map: &mut M,
    manifold: Option<&Manifold<V>>,
) -> Result<(), M::Error> {
    let normal = manifold.map(|manifold| Numbers::of_vector(manifold.normal()));
    map.serialize_entry("normal", &normal)?;
    let points = manifold.map_or(&[][..], Manifold::points);
    let points: Vec<_> = points.iter().map(PointInFile::new).collect();
    map.serialize_entry("points", &points)
}

#[derive(Serialize)]
struct PointInFile {
    distance: Real,
    point_a: Numbers<f64>,
    point_b: Numbers<f64>,
    feature_a: u32,
    feature_b: u32,
}

impl PointInFile {
    fn new<V: FileVector>(point: &ManifoldPoint<V>) -> Self {
        Self {
            distance: point.distance,
            point_a: Numbers::of_position(point.position_a),
            point_b: Numbers::of_position(point.position_b),
            feature_a: point.feature_a.id(),
            feature_b: point.feature_b.id(),
        }
    }
}

/// A separation with its parts.
pub(super) struct WithParts<'a, V: FileVector>(pub(super) &'a Separation<V>);

impl<V: FileVector> Serialize for WithParts<'_, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(separation) = self;
        let mut map = serializer.serialize_map(None)?;
        write_distance(&mut map, separation, true)?;
        map.end()
    }
}

/// What is proven of a distance.
///
/// The bounds are rounded outwards, so that they are bounds as decimals, too.
struct Bounds {
    lower: Real,
    upper: Real,
    status: Status,
}

impl Bounds {
    fn of<V: FileVector>(separation: &Separation<V>) -> Self {
        Self {
            lower: separation.lower,
            upper: separation.upper,
            status: separation.status,
        }
    }

    fn write<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        map.serialize_entry("lower", &Bound::Lower(self.lower))?;
        map.serialize_entry("upper", &Bound::Upper(self.upper))?;
        map.serialize_entry("status", status_name(self.status))
    }
}

/// The name of a status in files.
#[must_use]
pub fn status_name(status: Status) -> &'static str {
    status.name()
}
