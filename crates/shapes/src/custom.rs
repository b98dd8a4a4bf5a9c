//! Convex shapes of programs that use the engine.

use core::fmt;
use std::sync::Arc;

use clearance_math::{PreciseVector, Real, Vector, tolerances};

use crate::{ShapeError, Support};

/// A convex shape of your own, described by its farthest point in each direction.
/// [`Shape::custom`](crate::Shape::custom) makes the shape of a body of it.
///
/// The engine asks [`Support::support`] for directions of unit length only. Its bounds are proven on
/// the assumption that the farthest points are right up to a few roundings of `f64`: compute them in
/// double precision. A function that gives other points gets answers that may be wrong, but it always
/// gets answers: a point beyond the bounding radius is moved back to it, and a point that is not
/// finite is replaced by the centre.
///
/// What the functions answer must not change during the life of the shape. The centre, the bounding
/// radius and the key are asked for once.
pub trait CustomShape<P: PreciseVector>: Support<P> + fmt::Debug + Send + Sync {
    /// What tells the shape from all other custom shapes of the program.
    ///
    /// Shapes with equal keys are taken as equal, so shapes that differ must have different keys,
    /// also if they are of different types. The key also puts the two shapes of a pair in order, on
    /// which the last bit of an answer can depend: make it of the numbers that define the shape, so
    /// that it is the same in every run. A good key is a number for the type, followed by the bits of
    /// the lengths.
    fn key(&self) -> [u32; 8];
}

/// A [`CustomShape`] that was checked. Clones share it, and it equals another one if the keys do.
#[derive(Clone)]
pub struct Custom<V: Vector>(Arc<Checked<V::Precise, dyn CustomShape<V::Precise>>>);

/// A shape behind what was asked for once.
struct Checked<P, S: ?Sized> {
    key: [u32; 8],
    center: P,
    bounding_radius: f64,
    shape: S,
}

impl<V: Vector> Custom<V> {
    pub(crate) fn new(shape: impl CustomShape<V::Precise> + 'static) -> Result<Self, ShapeError> {
        let center = shape.center();
        let bounding_radius = checked_radius(shape.bounding_radius())?;
        check_center(center, bounding_radius)?;
        check_support(&shape, (center, bounding_radius))?;
        Ok(Self(Arc::new(Checked {
            key: shape.key(),
            center,
            bounding_radius: bounding_radius * (1.0 + tolerances::CUSTOM_SHAPE_SLACK),
            shape,
        })))
    }

    /// The key of the shape: [`CustomShape::key`].
    #[must_use]
    pub fn key(&self) -> [u32; 8] {
        self.0.key
    }

    /// The shape itself.
    #[must_use]
    pub fn shape(&self) -> &dyn CustomShape<V::Precise> {
        &self.0.shape
    }

    /// The least and greatest scalar product of the points with a unit vector, moved outwards by what
    /// the support function may have lost by rounding. The centre is always between them.
    pub(crate) fn span(&self, unit: V::Precise) -> (f64, f64) {
        let rounding = tolerances::DIFFERENCE_ROUNDING * self.0.bounding_radius;
        let middle = unit.dot(self.0.center);
        let least = unit.dot(self.support(-unit)).min(middle);
        let greatest = unit.dot(self.support(unit)).max(middle);
        (least - rounding, greatest + rounding)
    }
}

impl<V: Vector> Support<V::Precise> for Custom<V> {
    /// A finite point within the bounding radius, whatever the shape answers.
    fn support(&self, direction: V::Precise) -> V::Precise {
        let checked = &*self.0;
        let unit = direction.direction();
        let Some(unit) = unit.filter(|unit| unit.length_squared().is_finite()) else {
            return checked.center;
        };
        let point = checked.shape.support(unit);
        let length = point.length();
        if length <= checked.bounding_radius {
            point
        } else if length.is_finite() {
            point * (checked.bounding_radius / length)
        } else {
            checked.center
        }
    }

    fn center(&self) -> V::Precise {
        self.0.center
    }

    fn bounding_radius(&self) -> f64 {
        self.0.bounding_radius
    }
}

impl<V: Vector> PartialEq for Custom<V> {
    fn eq(&self, other: &Self) -> bool {
        self.0.key == other.0.key
    }
}

impl<V: Vector> fmt::Debug for Custom<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.shape.fmt(f)
    }
}

fn refused(reason: String) -> ShapeError {
    ShapeError::Custom { reason }
}

/// Beyond the range of lengths of all other shapes the engine could not compute with squares.
fn checked_radius(radius: f64) -> Result<f64, ShapeError> {
    let (least, most) = (f64::from(Real::from_bits(1)), f64::from(Real::MAX));
    if radius == 0.0 || (least..=most).contains(&radius) {
        Ok(radius)
    } else {
        Err(refused(format!(
            "bounding_radius is {radius:?}, must be 0 or from {least:e} to {most:e}"
        )))
    }
}

fn check_center<P: PreciseVector>(center: P, radius: f64) -> Result<(), ShapeError> {
    if center.length() <= radius * (1.0 + tolerances::CUSTOM_SHAPE_SLACK) {
        Ok(())
    } else {
        let center = text(center);
        Err(refused(format!(
            "center is {center}, must be within bounding_radius {radius:?}"
        )))
    }
}

/// Compares the farthest points along the axes and diagonals with each other and with the centre.
fn check_support<P: PreciseVector>(
    shape: &impl Support<P>,
    (center, radius): (P, f64),
) -> Result<(), ShapeError> {
    let directions: Vec<P> = axes_and_diagonals().collect();
    let points: Vec<P> = directions.iter().map(|&d| shape.support(d)).collect();
    for (&direction, &point) in directions.iter().zip(&points) {
        let along = text(direction);
        if !(point.length() <= radius * (1.0 + tolerances::CUSTOM_SHAPE_SLACK)) {
            let point = text(point);
            return Err(refused(format!(
                "support along {along} is {point}, must be within bounding_radius {radius:?}"
            )));
        }
        let height = point.dot(direction) + tolerances::CUSTOM_SHAPE_SLACK * radius;
        let farther = |other: &&P| other.dot(direction) > height;
        if let Some(&other) = points.iter().chain([&center]).find(farther) {
            let (point, other) = (text(point), text(other));
            return Err(refused(format!(
                "support along {along} is {point}, but {other} is another point and farther"
            )));
        }
    }
    Ok(())
}

/// The unit vectors whose components are all zero or equal in size.
fn axes_and_diagonals<P: PreciseVector>() -> impl Iterator<Item = P> {
    let signs = |mut number: usize| {
        P::from_fn(|_| {
            let sign = [0.0, 1.0, -1.0][number % 3];
            number /= 3;
            sign
        })
    };
    (1..3_usize.pow(P::DIM as u32)).filter_map(move |number| signs(number).direction())
}

fn text<P: PreciseVector>(vector: P) -> String {
    let components: Vec<f64> = (0..P::DIM).map(|k| vector.component(k)).collect();
    format!("{components:?}")
}

#[cfg(test)]
mod tests;
