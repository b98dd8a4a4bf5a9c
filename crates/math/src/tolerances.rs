//! Every tolerance of the engine, with its unit and its reason.

use crate::Real;

/// How far the length of a rotation or a normal may be from one (dimensionless).
///
/// Users type 0.7071 for a root of one half; more than a thousandth off is a mistake.
pub const UNIT_LENGTH_SLACK: f64 = 1e-3;

/// The factor of rounding in a point of the Minkowski difference, relative to its largest term.
///
/// A point is rotated (three products and sums), translated and subtracted: fewer than sixteen
/// roundings of half a unit in the last place each. Multiplied by the size of the difference it
/// bounds how far a computed distance can be from that of the exact points.
pub const DIFFERENCE_ROUNDING: f64 = 16.0 * f64::EPSILON;

/// The gap between the bounds at which a distance counts as found, relative to the distance.
///
/// An eighth of the last place of the [`Real`] that the answer is rounded to.
pub const DISTANCE_GAP: f64 = 0.125 * Real::EPSILON as f64;
