//! The contact manifolds of a stored snapshot.
//!
//! They are stored, though they follow from shapes and poses: a world shows them before its next step, as it did, and
//! which points go on from which follows from those of the last two steps.

use clearance_gjk::{Feature, Manifold, ManifoldPoint};
use clearance_math::internal::MapEach;
use clearance_math::internal::exact_numbers;
use clearance_math::{Pose, Real, Rotation, Vector};
use serde::{Deserialize, Serialize};

use super::read::bodies::position;
use super::read::contacts::contact_in;
use super::record::{ContactRecord, SnapshotError};
use super::write::contact_record;
use crate::columns::Columns;
use crate::digest::digested;
use crate::encoding::position_components;
use crate::queries::BodyManifold;
use crate::report::manifolds::{Manifolds, PointsBefore};

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ManifoldRecord {
    /// The two bodies, and what was measured of them.
    pub(super) contact: ContactRecord,
    /// Where a was, then b.
    #[serde(with = "exact_numbers")]
    pub(super) translations: Vec<f64>,
    pub(super) rotations: [[u32; 4]; 2],
    pub(super) points: Vec<PointRecord>,
    pub(super) points_before: PointsRecord,
}

/// For each point which one it goes on from, counted from 1; 0 for none.
pub(super) type PointsRecord = [u8; 4];

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PointRecord {
    /// The bits of the distance.
    pub(super) distance: u32,
    /// Point on a, point on b.
    #[serde(with = "exact_numbers")]
    pub(super) points: Vec<f64>,
    /// Of a, then of b: whether it is a face, an edge or a corner, and its number.
    pub(super) features: [[u32; 2]; 2],
}

digested!(ManifoldRecord: contact, translations, rotations, points, points_before);
digested!(PointRecord: distance, points, features);

impl ManifoldRecord {
    pub(super) fn of<V: Vector>(found: &BodyManifold<V>) -> Self {
        let poses = [found.pose_a, found.pose_b];
        Self {
            contact: contact_record(&found.contact()),
            translations: (poses.iter())
                .flat_map(|pose| position_components::<V>(pose.position()))
                .collect(),
            rotations: poses.map_each(|pose| pose.rotation.to_bits()),
            points: found
                .manifold
                .points()
                .iter()
                .map(PointRecord::of)
                .collect(),
            points_before: points_record(&found.points_before),
        }
    }

    fn read<V: Vector>(&self, columns: &Columns<V>) -> Result<BodyManifold<V>, String> {
        let contact = contact_in(&self.contact, columns)?;
        let [position_a, position_b] = positions::<V>("translations", &self.translations)?;
        let pose = |position, bits| {
            let rotation = V::Rotation::from_bits(bits).map_err(|error| error.to_string())?;
            let pose = Pose::new(position, rotation);
            pose.checked().map_err(|error| error.to_string())
        };
        let [of_a, of_b] = self.rotations;
        let poses = [&pose(position_a, of_a)?, &pose(position_b, of_b)?];
        let points: Result<Vec<_>, _> = self.points.iter().map(PointRecord::read).collect();
        let manifold = Manifold::from_points(contact.separation, &points?);
        let manifold = manifold.ok_or_else(|| {
            let (found, most) = (self.points.len(), 2 * V::DIM - 2);
            format!("has {found} points, must have from 1 to {most}")
        })?;
        let mut found = BodyManifold::new([contact.a, contact.b], &manifold, poses);
        found.points_before = points_before(self.points_before)?;
        Ok(found)
    }
}

impl PointRecord {
    fn of<V: Vector>(point: &ManifoldPoint<V>) -> Self {
        let feature = |feature| match feature {
            Feature::Face(number) => [0, number],
            Feature::Edge(number) => [1, number],
            Feature::Corner(number) => [2, number],
        };
        let on = [point.position_a, point.position_b];
        Self {
            distance: point.distance.to_bits(),
            points: on.into_iter().flat_map(position_components::<V>).collect(),
            features: [feature(point.feature_a), feature(point.feature_b)],
        }
    }

    fn read<V: Vector>(&self) -> Result<ManifoldPoint<V>, String> {
        let feature = |[kind, number]: [u32; 2]| match kind {
            0 => Ok(Feature::Face(number)),
            1 => Ok(Feature::Edge(number)),
            2 => Ok(Feature::Corner(number)),
            _ => Err(format!("kind of a feature is {kind}, must be from 0 to 2")),
        };
        let distance = Real::from_bits(self.distance);
        if distance.is_nan() {
            return Err("distance of a point is NaN, must be a number".to_owned());
        }
        let [position_a, position_b] = positions::<V>("points", &self.points)?;
        let [feature_a, feature_b] = self.features;
        Ok(ManifoldPoint {
            distance,
            position_a,
            position_b,
            feature_a: feature(feature_a)?,
            feature_b: feature(feature_b)?,
        })
    }
}

/// Two places in one list of numbers.
fn positions<V: Vector>(field: &str, numbers: &[f64]) -> Result<[V::Precise; 2], String> {
    let is_fit = numbers.len() == 2 * V::DIM && numbers.iter().all(|number| number.is_finite());
    let places = is_fit.then(|| numbers.split_at(V::DIM));
    let places = places.and_then(|(a, b)| Some([position::<V>(a)?, position::<V>(b)?]));
    places.ok_or_else(|| format!("{field} are {numbers:?}, must be two finite vectors"))
}

pub(super) fn points_record(before: &PointsBefore) -> PointsRecord {
    before.map_each(|from| from.map_or(0, |from| from + 1))
}

fn points_before(record: PointsRecord) -> Result<PointsBefore, String> {
    if record.iter().any(|&number| number > 4) {
        return Err(format!(
            "points_before is {record:?}, must be numbers from 0 to 4"
        ));
    }
    Ok(record.map_each(|number| number.checked_sub(1)))
}

/// The manifolds, or the first that cannot be one.
pub(super) fn manifolds<V: Vector>(
    records: &[ManifoldRecord],
    points: &[PointsRecord],
    columns: &Columns<V>,
) -> Result<Manifolds<V>, SnapshotError> {
    let refusal = |list, place| move |reason| SnapshotError::entry(list, place, reason);
    let found = records.iter().enumerate().map(|(place, record)| {
        let found = record.read(columns);
        found.map_err(refusal("manifolds", place))
    });
    let before = points.iter().enumerate().map(|(place, &record)| {
        let before = points_before(record);
        before.map_err(refusal("points_before", place))
    });
    Ok(Manifolds::of(
        found.collect::<Result<_, _>>()?,
        before.collect::<Result<_, _>>()?,
    ))
}
