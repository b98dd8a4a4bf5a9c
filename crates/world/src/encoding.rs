//! Descriptions and contacts as serde sees them; what is read is checked.

use clearance_broadphase::Backend;
use clearance_gjk::{Separation, Status};
use clearance_math::internal::MapEach;
use clearance_math::internal::{ExactNumber, exact_numbers};
use clearance_math::{
    Pose, PoseResidual, PreciseVector, Real, Rotation, Vec3, Vector, round_down, round_nearest,
    round_up,
};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::error::{check_extra_margin, check_velocity};
use crate::threads::check_count;
use crate::world::check_margin;
use crate::{BodyId, Contact, SlideGround, Subject, Velocity};

#[derive(Serialize, Deserialize)]
#[serde(rename = "Velocity", deny_unknown_fields)]
struct VelocityEncoding {
    linear: Vec<Real>,
    /// One number in the plane, three in space.
    angular: Vec<Real>,
}

/// The axes in space that an angular velocity of this dimension has a part about.
fn angular_axes<V: Vector>() -> core::ops::Range<usize> {
    if const { V::DIM == 2 } { 2..3 } else { 0..3 }
}

impl<V: Vector> Serialize for Velocity<V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let angular = V::Rotation::angular_in_space(self.angular).to_array();
        VelocityEncoding {
            linear: components(self.linear),
            angular: angular[angular_axes::<V>()].to_vec(),
        }
        .serialize(serializer)
    }
}

impl<'de, V: Vector> Deserialize<'de> for Velocity<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let encoding = VelocityEncoding::deserialize(deserializer)?;
        let axes = angular_axes::<V>();
        if encoding.angular.len() != axes.len() {
            let (found, expected) = (encoding.angular.len(), axes.len());
            let reason = format!("angular has {found} numbers, must have {expected}");
            return Err(de::Error::custom(reason));
        }
        let mut angular = Vec3::ZERO;
        for (axis, &number) in axes.zip(&encoding.angular) {
            angular[axis] = number;
        }
        let linear = vector("linear", &encoding.linear)?;
        let velocity = Self::new(linear, V::Rotation::angular_from_space(angular));
        check_velocity(Subject::New, velocity).map_err(de::Error::custom)
    }
}

/// The bits of what rounding left over of a pose.
pub(crate) mod residual {
    use super::*;

    pub(crate) fn serialize<V: Vector, S: Serializer>(
        residual: &PoseResidual<V>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        residual.encode().serialize(serializer)
    }

    pub(crate) fn deserialize<'de, V: Vector, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<PoseResidual<V>, D::Error> {
        Deserialize::deserialize(deserializer).map(PoseResidual::decode)
    }
}

pub(crate) fn extra_margin<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Real, D::Error> {
    let margin = Real::deserialize(deserializer)?;
    check_extra_margin(Subject::New, margin).map_err(de::Error::custom)
}

pub(crate) fn margin<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Real, D::Error> {
    check_margin(Real::deserialize(deserializer)?).map_err(de::Error::custom)
}

pub(crate) fn threads<'de, D: Deserializer<'de>>(deserializer: D) -> Result<usize, D::Error> {
    check_count(usize::deserialize(deserializer)?).map_err(de::Error::custom)
}

/// The name of a broad phase.
pub(crate) mod backend {
    use super::*;

    #[derive(Clone, Copy, Serialize, Deserialize)]
    #[serde(rename = "Backend")]
    enum BackendEncoding {
        Bvh,
        // Here without the cargo feature `rtree`, too: the numbers of the others do not depend on it.
        RTree,
        BruteForce,
    }

    pub(crate) fn serialize<S: Serializer>(
        backend: &Backend,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let encoding = match backend {
            Backend::Bvh => BackendEncoding::Bvh,
            Backend::BruteForce => BackendEncoding::BruteForce,
            // The R-tree. Another crate may have switched on the feature `rtree` of the broad
            // phase while ours is off, so the variant is not named here.
            #[allow(unreachable_patterns)]
            _ => BackendEncoding::RTree,
        };
        encoding.serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Backend, D::Error> {
        match BackendEncoding::deserialize(deserializer)? {
            BackendEncoding::Bvh => Ok(Backend::Bvh),
            #[cfg(feature = "rtree")]
            BackendEncoding::RTree => Ok(Backend::RTree),
            #[cfg(not(feature = "rtree"))]
            BackendEncoding::RTree => {
                let reason = "the backend RTree needs the cargo feature `rtree`";
                Err(de::Error::custom(reason))
            }
            BackendEncoding::BruteForce => Ok(Backend::BruteForce),
        }
    }
}

/// A contact in numbers of double precision: formats for people hold the shortest decimal that reads back as the
/// same number, and the shortest decimal of a single precision bound need not be a bound.
///
/// Infinite numbers, which text formats such as JSON cannot write, are left out.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Contact", deny_unknown_fields)]
struct ContactEncoding {
    a: BodyId,
    b: BodyId,
    distance: Option<ExactNumber>,
    lower: Option<ExactNumber>,
    upper: Option<ExactNumber>,
    normal: Vec<Real>,
    #[serde(with = "exact_numbers")]
    point_a: Vec<f64>,
    #[serde(with = "exact_numbers")]
    point_b: Vec<f64>,
    #[serde(default)]
    part_a: u32,
    #[serde(default)]
    part_b: u32,
    /// [`Status::name`].
    status: String,
}

impl<V: Vector> Serialize for Contact<V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let s = &self.separation;
        let finite = |number: Real| number.is_finite().then_some(ExactNumber(number.into()));
        ContactEncoding {
            a: self.a,
            b: self.b,
            distance: finite(s.distance),
            lower: finite(s.lower),
            upper: finite(s.upper),
            normal: components(s.normal),
            point_a: position_components::<V>(s.position_a),
            point_b: position_components::<V>(s.position_b),
            part_a: s.part_a,
            part_b: s.part_b,
            status: s.status.name().to_owned(),
        }
        .serialize(serializer)
    }
}

impl<'de, V: Vector> Deserialize<'de> for Contact<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let encoding = ContactEncoding::deserialize(deserializer)?;
        let numbers = [encoding.distance, encoding.lower, encoding.upper];
        let numbers = numbers.map_each(|number| number.map(|number| number.0));
        if let Some(beyond) = (numbers.iter().flatten()).find(|n| !(n.abs() <= Real::MAX.into())) {
            return Err(de::Error::custom(format!(
                "a contact's distance or bound is {beyond}, must be a single precision number"
            )));
        }
        // Without a distance the overlap has no bound; else the bound that is missing says nothing.
        let [distance, lower, upper] = numbers;
        let no_upper = if distance.is_some() {
            Real::INFINITY
        } else {
            Real::NEG_INFINITY
        };
        let separation = Separation {
            distance: distance.map_or(Real::NEG_INFINITY, round_nearest),
            // Rounded outwards, so that what was proven of the numbers that were read still holds.
            lower: lower.map_or(Real::NEG_INFINITY, round_down),
            upper: upper.map_or(no_upper, round_up),
            normal: vector("normal", &encoding.normal)?,
            position_a: position::<V, _>("point_a", &encoding.point_a)?,
            position_b: position::<V, _>("point_b", &encoding.point_b)?,
            part_a: encoding.part_a,
            part_b: encoding.part_b,
            status: status(&encoding.status)?,
        };
        let (a, b) = (encoding.a, encoding.b);
        let Separation {
            distance,
            lower,
            upper,
            ..
        } = separation;
        if a >= b {
            let reason = format!("a is {a} and b is {b}, a must be the smaller one");
            return Err(de::Error::custom(reason));
        }
        if !(lower <= distance && distance <= upper) {
            let reason = format!("distance is {distance}, must be from {lower} to {upper}");
            return Err(de::Error::custom(reason));
        }
        Ok(Self { a, b, separation })
    }
}

/// The ground of a shape that stands, without which the next slide from a lift or a turntable would lose it.
#[derive(Serialize, Deserialize)]
#[serde(rename = "SlideGround", deny_unknown_fields)]
struct GroundEncoding {
    body: BodyId,
    part: u32,
    normal: Vec<Real>,
    #[serde(with = "exact_numbers")]
    position: Vec<f64>,
    velocity: Vec<Real>,
    #[serde(with = "exact_numbers")]
    place: Vec<f64>,
    #[serde(with = "exact_numbers")]
    place_in_body: Vec<f64>,
    seconds: Real,
}

impl<V: Vector> Serialize for SlideGround<V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        GroundEncoding {
            body: self.body,
            part: self.part,
            normal: components(self.normal),
            position: position_components::<V>(self.position),
            velocity: components(self.velocity),
            place: position_components::<V>(self.place),
            place_in_body: position_components::<V>(self.place_in_body),
            seconds: self.seconds,
        }
        .serialize(serializer)
    }
}

impl<'de, V: Vector> Deserialize<'de> for SlideGround<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let encoding = GroundEncoding::deserialize(deserializer)?;
        let place = |field, numbers: &[f64]| {
            let place = position::<V, _>(field, numbers)?;
            let in_range = Pose::<V>::from_translation(place).checked();
            in_range.map_err(|error| de::Error::custom(format!("{field}: {error}")))?;
            Ok(place)
        };
        let seconds = encoding.seconds;
        if !(seconds.is_finite() && seconds >= 0.0) {
            let reason = format!("seconds is {seconds}, must be finite and at least 0");
            return Err(de::Error::custom(reason));
        }
        Ok(Self {
            body: encoding.body,
            part: encoding.part,
            normal: vector("normal", &encoding.normal)?,
            position: place("position", &encoding.position)?,
            velocity: vector("velocity", &encoding.velocity)?,
            place: place("place", &encoding.place)?,
            place_in_body: place("place_in_body", &encoding.place_in_body)?,
            seconds,
        })
    }
}

pub(crate) fn components<V: Vector>(vector: V) -> Vec<Real> {
    (0..V::DIM).map(|axis| vector.component(axis)).collect()
}

pub(crate) fn position_components<V: Vector>(position: V::Precise) -> Vec<f64> {
    (0..V::DIM).map(|axis| position.component(axis)).collect()
}

/// The status of this name.
fn status<E: de::Error>(name: &str) -> Result<Status, E> {
    let found = Status::ALL.into_iter().find(|status| status.name() == name);
    found.ok_or_else(|| {
        let names = Status::ALL.map(Status::name).join(", ");
        E::custom(format!("status is {name:?}, must be one of {names}"))
    })
}

/// Refuses anything but one finite number for each axis.
fn check_components<E: de::Error>(
    field: &str,
    dimension: usize,
    numbers: impl ExactSizeIterator<Item = f64>,
) -> Result<(), E> {
    if numbers.len() != dimension {
        let found = numbers.len();
        let reason = format!("{field} has {found} numbers, must have {dimension}");
        return Err(E::custom(reason));
    }
    for (axis, number) in numbers.enumerate() {
        if !number.is_finite() {
            let reason = format!("{field}[{axis}] is {number}, must be finite");
            return Err(E::custom(reason));
        }
    }
    Ok(())
}

/// One finite number for each axis, in double precision.
fn position<V: Vector, E: de::Error>(field: &str, numbers: &[f64]) -> Result<V::Precise, E> {
    check_components(field, V::DIM, numbers.iter().copied())?;
    Ok(V::Precise::from_fn(|axis| numbers[axis]))
}

/// One finite number for each axis.
fn vector<V: Vector, E: de::Error>(field: &str, numbers: &[Real]) -> Result<V, E> {
    check_components(field, V::DIM, numbers.iter().map(|&number| number.into()))?;
    Ok(V::from_fn(|axis| numbers[axis]))
}
