//! Every tolerance of the engine, with its unit and its reason.

/// How far the length of a rotation or a normal may be from one (dimensionless).
///
/// Users type 0.7071 for a root of one half; more than a thousandth off is a mistake.
pub const UNIT_LENGTH_SLACK: f64 = 1e-3;

/// How far the length of a rotation of the plane, normalised in double precision, may be from one.
///
/// Two squares, a sum, a root and a division round by half a unit in the last place each.
pub const UNIT_ROUNDING: f64 = 4.0 * f64::EPSILON;

/// The greatest radius that a stored shape may have, in units of length: of one rounded a million
/// times by the greatest [`crate::Real`]. Far beyond it sums overflow.
pub const MOST_RADIUS: f64 = 1e45;

/// The factor of rounding in a point of the Minkowski difference, relative to its largest term.
///
/// A point is rotated (three products and sums), translated and subtracted: fewer than sixteen
/// roundings of half a unit in the last place each. Multiplied by the size of the difference it
/// bounds how far a computed distance can be from that of the exact points.
pub const DIFFERENCE_ROUNDING: f64 = 16.0 * f64::EPSILON;

/// How far to the side a search looks for its first vertices, relative to the size of the difference:
/// no tolerance, for any will do.
///
/// Measured: hulls of 8 and 16 corners, apart by 1 % to 100 %, take the fewest steps at 0.45, those of
/// 32 to 128 at 0.2 to 0.35.
pub const SEED_SPREAD: f64 = 0.4;

/// The gap between the bounds up to which a closed form takes points for the nearest, relative to the
/// distance: the line between them is off by the root of twice the gap at most, 4e-6 radians.
///
/// Far below what the answer keeps of it, and above rounding where the distance is a hundredth of the
/// size.
pub const CLOSED_FORM_GAP: f64 = 1e-11;

/// The gap between the bounds at which a distance counts as found, relative to the distance.
///
/// Polytopes end on a feature and are exact whatever this says. Between smooth shapes the search
/// converges linearly, a quarter of its time for another decimal; the normal is off by the root of
/// twice the gap at most, here half a thousandth of a radian.
pub const DISTANCE_GAP: f64 = 2e-7;

/// The same where the point matters more than the distance: it is off by the root of twice the gap.
pub const CLOSEST_POINT_GAP: f64 = 1e-8;

/// How much worse than the lower bound the plane across a reported normal may be, relative to the
/// size of the shapes.
pub const NORMAL_SLACK: f64 = 1e-5;

/// How far the difference of two witness points may be from the distance times the normal, relative to
/// the size of the cores: what is more is corrected.
///
/// A little less than the millionth that answers promise. Points of shapes apart by a hair are so little
/// beside the normal, and stay on their shapes.
pub const POINTS_BESIDE_NORMAL: f64 = 9e-7;

/// The gap between the bounds up to which an answer is called converged, relative to the distance.
///
/// Where rounding ends a search before [`DISTANCE_GAP`] is reached: a few last places of a
/// [`crate::Real`].
pub const CONVERGED_GAP: f64 = 1e-6;

/// The same for shapes that all but touch, relative to their size: single precision ends there.
pub const CONVERGED_NEAR: f64 = 1e-7;

/// The gap between the bounds at which the depth of two polytopes counts as found, relative to the
/// size of their difference.
///
/// Their difference has finitely many faces and the search ends on one of them, so this can be
/// small; at 1e-7 shapes that but touch could end on a face next to the right one.
pub const POLYTOPE_DEPTH_GAP: f64 = 1e-10;

/// The same where a curved core takes part.
///
/// The size of the difference is at most twice that of the larger shape, so the depth is right to
/// 1e-4 of it even where all of the gap is error.
pub const SMOOTH_DEPTH_GAP: f64 = 4e-5;

/// How far the difference of two witness points of an overlap may lie beside the normal, relative
/// to the size of the shapes' difference.
pub const WITNESS_OFFSET: f64 = 1e-5;

/// How thin a difference may be, relative to its size, before it counts as flat: its depth is then
/// nought up to rounding.
pub const FLAT_DIFFERENCE: f64 = 1e-11;

/// How far the sum of two unit normals may be from zero for them to count as exactly opposite.
///
/// Only the rounding of two rotation matrices in double precision is forgiven.
pub const OPPOSITE_NORMALS: f64 = 64.0 * f64::EPSILON;

/// The sine of the angle below which two directions count as parallel, and its square where two
/// squared lengths are compared.
///
/// A product of such directions carries no digit of its own in double precision.
pub const PARALLEL: f64 = 1e-14;

/// How far two bodies of revolution may be from having one axis, relative to the size of their
/// difference, for their depth to be measured as if they had.
///
/// Rounding of poses to single precision takes stacked cylinders about 1e-7 off. The bounds widen by
/// what a pair is off: at most by a half of [`SMOOTH_DEPTH_GAP`], both ways together.
pub const COAXIAL: f64 = 1e-5;

/// How far overlapping shapes are moved apart to look at their deepest points from outside,
/// relative to the size of their difference.
pub const CLEARANCE_TO_REFINE: f64 = 1e-2;

/// How near the bounds of a search must be, relative to the distance, before it looks whether it
/// came back to a vertex that it has: only then can it have.
pub const STALL_GAP: f64 = 1e-3;

/// How flat a triangle or tetrahedron may be before its interior is ignored: its area or volume
/// relative to the product of its edges.
///
/// Double precision leaves a relative error of about 1e-16 in that product, so that at 1e-13 the
/// sign of a volume is still certain.
pub const FLAT_SIMPLEX: f64 = 1e-13;

/// The squared sine of the angle below which a triangle is thin: its weights lose more than half of
/// their digits if they are computed the short way.
pub const THIN_TRIANGLE: f64 = 1e-6;

/// The volume of a tetrahedron relative to the product of three edges at a corner, from which it
/// makes a good start for the polytope: far above rounding, and any other would be no better.
pub const SOLID: f64 = 1e-3;

/// How many times thicker than [`FLAT_DIFFERENCE`] a known simplex must be for nothing better to be
/// sought.
pub const FAR_FROM_FLAT: f64 = 1e3;

/// The product of two squared edges of a face of the polytope, relative to the square of twice its
/// area, from which it is worth looking for better edges: three digits are lost to rounding there.
pub const THIN: f64 = 1e6;

/// How thin a face of the polytope may be, height over length, before its normal means nothing.
pub const SLIVER: f64 = 1e-10;

/// How far behind a face a vertex may be for the face to be taken with the patch around it, in units
/// of rounding: a millionth of the size, which the normal of the thinnest faces may be off by.
pub const LEVEL: f64 = 3e8;

/// How far outside a face a foot may lie and still count as on it, relative to the face.
pub const FOOT_SLACK: f64 = 1e-9;

/// One minus the cosine of the angle up to which two faces count as one.
pub const COPLANAR: f64 = 1e-6;

/// How far apart two scalar products in single precision can be and be in the wrong order, relative to
/// the sum of the coordinates of a vertex, for a direction whose greatest component is one; and how far
/// from nought one product of an edge can be and have the wrong sign.
///
/// The direction, three products and two sums round by half a unit in the last place each: a
/// product is off by less than four units of 2^-24, and there are two. Twice as much leaves room for
/// the rounding of the comparison itself. Of edges, which are rounded too, there is but one product: off
/// by less than five units.
pub const SIEVE_BLUR: f64 = 1.0 / 1_048_576.0;

/// How much wider than its vertices a node of a tree of vertices is, relative to the greatest sum of the
/// coordinates of a vertex.
///
/// Finding the node and its bound takes fewer than thirty roundings of half a unit in the last place
/// each. So no vertex is passed over whose computed product would have been the greatest.
pub const VERTEX_TREE_ROUNDING: f64 = 64.0 * f64::EPSILON;
