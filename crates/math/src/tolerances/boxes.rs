//! Tolerances of boxes: around bodies, around parts, and those of the trees.

use core::ops::RangeInclusive;

use crate::Real;

/// By how much more than necessary the box of a body is inflated by its margin, relative to the inflation.
///
/// The range of a pair is rounded to the nearest [`Real`], and so is the distance that is compared with it: half a unit
/// in the last place each. With twice as much the boxes of every such pair overlap.
pub const CONTACT_BOX_SLACK: f64 = 2.0 * Real::EPSILON as f64;

/// By how much more than the formula says the box around the way of a body is inflated, relative to the size of the body:
/// the last pose of a way is rounded to single precision, and so are its lengths.
pub const SWEEP_BOX_ROUNDING: f64 = 4.0 * Real::EPSILON as f64;

/// The rounding error of a gap between the boxes of two composites, relative to the coordinates that it is computed from.
///
/// For each axis: the matrix, centre and half extents of a box are rounded, three products and their sums give the mapped
/// centre, and as many the mapped half extent, and there are a translation and a difference: fewer than twenty roundings
/// of half a unit in the last place. The length of a vector of three components is wrong by up to the square root of
/// three times that, and by four roundings more. Along the normal of a plane between two pieces,
/// where the corner of a turned box lies is fewer than twenty roundings, mapped to the other frame, and the normal and the
/// product with it are about ten.
pub const BOX_GAP_ROUNDING: Real = 24.0 * Real::EPSILON;

/// How much the coordinates of boxes in motion and of their way may be wrong, relative to their size: as
/// [`BOX_GAP_ROUNDING`], with a few roundings more.
pub const SWEPT_BOX_ROUNDING: Real = 48.0 * Real::EPSILON;

/// Sums of squares below this may have lost digits, in squared units of length: the least square that keeps them all is
/// 1e-38.
pub const LEAST_PRECISE_SQUARE: Real = 1e-30;

/// The factor by which the squared distance of a point from a box of a wide node is reduced: three squares, their sum and
/// this product round, and the number of the lane replaces the last four bits. With a reserve.
pub const SQUARED_DISTANCE_LOWERED: Real = 1.0 - 24.0 * Real::EPSILON;

/// The size from which on boxes, lines and ways are too large for wide nodes, in units of length: they are left to tests
/// that allow for sums and squares that overflow.
///
/// The sum of a few squares of this stays below the greatest [`Real`], which is 3.4e38.
pub const MOST_WIDE_SIZE: f64 = 1e18;

/// Stands for one over a component of a way or of a direction that counts as zero. It is finite, so that products with
/// zero are zero.
pub const INVERSE_OF_ZERO: Real = 1e30;

/// Components of the way of a box that are less than this count as zero, in units of length. The box is grown by as much.
pub const LEAST_WAY: Real = 1e-20;

/// What a time that is computed from a height in single precision is reduced by, relative to itself: a difference, a
/// quotient and two products round, and the number of a lane replaces the last four bits. With a reserve.
pub const FRONT_TIME_SLACK: Real = 24.0 * Real::EPSILON;

/// Twice the relative rounding error of the place where a ray meets a plane of a box (a difference, the inverse and a
/// product), and a reserve. With it, a ray that touches a box in exact arithmetic is never missed.
pub const RAY_BOX_SLACK: Real = 6.0 * Real::EPSILON;

/// What the places where a ray enters the boxes of a node are reduced by, relative to themselves: a difference, the
/// inverse and two products round, and the number of the lane replaces the last four bits. With a reserve, so that what
/// is found with [`RAY_BOX_SLACK`] is found here.
pub const RAY_NODE_ENTER_SLACK: Real = 32.0 * Real::EPSILON;

/// What the places where a ray leaves the boxes of a node are raised by, relative to themselves: a difference, the inverse
/// and two products round. With a reserve.
pub const RAY_NODE_LEAVE_SLACK: Real = 8.0 * Real::EPSILON;

/// The absolute values of the components of a direction, unless they are zero, with which the boxes of nodes are tested by
/// inverses: those are as precise as numbers are.
pub const RAY_NODE_COMPONENTS: RangeInclusive<Real> = 1e-30..=1e30;

/// The longest component of a direction for which wide nodes are used is at least this, so that no place within
/// [`MOST_WIDE_SIZE`] overflows.
pub const RAY_NODE_LEAST_LENGTH: Real = 1e-6;

/// How much the place where a ray meets the box of a part of a composite may be wrong, relative to the size: a difference,
/// a quotient and a product round.
pub const PART_BOX_RAY_ROUNDING: Real = 8.0 * Real::EPSILON;

/// How much twice the area of a triangle in the plane, two of whose corners are wrong by as much as a coordinate may be, is wrong
/// at most, relative to that times the greatest coordinate.
///
/// Each of the two products is wrong by twice as much, and their rounding takes less than one more. With a reserve.
pub const RAY_SHEARED_ROUNDING: Real = 8.0;

/// A unit direction with a component below this counts as perpendicular to that axis: along the whole composite the
/// coordinate changes by less than [`PART_BOX_RAY_ROUNDING`], by which boxes are grown.
pub const PART_BOX_RAY_LEAST_COMPONENT: f64 = 1e-7;
