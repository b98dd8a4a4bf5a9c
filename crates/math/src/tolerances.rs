//! The tolerances that decide answers. Constants that only trade time stay beside their algorithm.
//!
//! Rules of a game, such as how steep a floor may be, are no tolerances either, and stay there, too.
//! Each constant has its unit and the reason for its value.
//!
//! Except where a constant says otherwise it is a ratio without a unit: the code multiplies it by a
//! length of the input (a distance, or the size of the shapes), so that the engine works alike at
//! every scale.

mod boxes;

pub use boxes::*;

/// How far the length of a given rotation or normal may differ from one before it is refused.
///
/// People write 0.7071 for the square root of one half, which must be accepted. An error above one
/// part in a thousand is a mistake in the input.
pub const UNIT_LENGTH_SLACK: f64 = 1e-3;

/// How far the length of a stored rotation of the plane, normalised in double precision, may differ
/// from one.
///
/// Normalising takes two squares, a sum, a square root and a division, and each of them is wrong by
/// at most half a unit in the last place.
pub const UNIT_ROUNDING: f64 = 4.0 * f64::EPSILON;

/// The least coordinate of a position that is not zero, in units of length: the least number of single precision.
///
/// Its sixth power does not vanish in double precision, which distances rely on. Positions have more digits than single
/// precision, but no wider range.
pub const LEAST_POSITION: f64 = 1.401_298_464_324_817e-45;

/// The greatest rounding radius that a shape read from a file may have, in units of length.
///
/// A shape whose radius was increased a million times by the greatest [`crate::Real`] stays below
/// this value. Far beyond it, sums overflow.
pub const MOST_RADIUS: f64 = 1e45;

/// The rounding error of a computed point of the Minkowski difference, relative to its largest
/// term.
///
/// A point is rotated (three products and their sum), translated and subtracted: fewer than sixteen
/// roundings of half a unit in the last place each. This factor times the size of the Minkowski
/// difference bounds how far a computed distance can be from the distance of the exact points.
pub const DIFFERENCE_ROUNDING: f64 = 16.0 * f64::EPSILON;

/// What a few roundings can take off the length of a difference of two points, relative to it.
pub const RADIUS_ROUNDING: f64 = 8.0 * f64::EPSILON;

/// How far apart, relative to their radii and the range, two bounding spheres must be beyond the range so that the
/// bodies inside them need not be measured.
///
/// It is twice as much as a distance gains or loses when it is rounded to single precision, and far more than the rounding
/// errors of a measured distance, [`DIFFERENCE_ROUNDING`] of the size of a pair. Parts of a compound may have coordinates
/// far beyond its radius, and be rounded more; that radius is the one of boxes around the parts, which were inflated by as
/// much.
pub const BOUNDING_SPHERE_SLACK: f64 = crate::Real::EPSILON as f64;

/// How far the line of a ray, in the frame of a shape, may be from where exact arithmetic would have it,
/// relative to the distance between the start of the ray and the shape plus the size of the shape. It also
/// allows for the rounding of the formula that finds where the line meets the shape.
///
/// Rotation matrix, direction and the point of the line nearest to the shape take fewer than forty
/// roundings of half a unit in the last place each, the formulas fewer than sixty.
pub const RAY_ROUNDING: f64 = 64.0 * f64::EPSILON;

/// The greatest rounding error of a determinant that tells on which side of an edge or a corner a ray passes, relative to
/// the sum of the absolute components of the first vector times the greatest components of the others.
///
/// Three differences, three products, a difference and two sums round by at most eight halves of a unit in the last
/// place of a sum of absolute products, which is at most twice that number. Twice as much is allowed.
pub const RAY_PREDICATE_ROUNDING: f64 = 16.0 * f64::EPSILON;

/// How small a coordinate of a point of a ray may be, relative to the size of the shape, before it is replaced by zero.
///
/// It keeps the products of the exact predicates far above the least number of `f64`.
pub const RAY_LEAST_COORDINATE: f64 = 1.0 / (1_u128 << 100) as f64;

/// Up to which rounding of a ray, relative to the least half axis, an ellipsoid is hit as the ball that it becomes when it
/// is divided by its half axes: there the rounding is relative to the radius, and a flatter ellipsoid would be hit
/// beside its rim.
pub const RAY_ELLIPSOID_ROUNDING: f64 = 1e-6;

/// The distance from the shape, relative to its size, at which a ray that is cast by iteration has arrived.
/// It is far below the precision of an answer.
pub const RAY_GAP: f64 = 1e-9;

/// The gap at which the search stops, as [`DISTANCE_GAP`], that looks for the plane between a ray and a
/// shape. The plane is proven whatever the gap is; a smaller one leads farther.
pub const RAY_SEARCH_GAP: f64 = 1e-10;

/// How much farther apart than asked two shapes in motion may be, relative to twice the size of the
/// smaller one, to count as having met. It is far below the precision of an answer.
pub const CAST_GAP: f64 = 1e-8;

/// What is added to [`CAST_GAP`], relative to the distance of the shapes without their rounding radii: the
/// search for a plane between them leaves so much open. See [`RAY_SEARCH_GAP`].
pub const CAST_OPEN: f64 = 4e-10;

/// The rounding error of the place of a point of a shape in motion, relative to the way that the shape
/// goes, its distance from where it is measured from, and its size.
///
/// Matrix, translation and their sums take fewer than thirty roundings of half a unit in the last place,
/// and so do the heights of two shapes along a direction.
pub const CAST_ROUNDING: f64 = 32.0 * f64::EPSILON;

/// The rounding error of the height of a corner of a composite along a direction, computed in single precision,
/// relative to the distance of the corner from the origin of the composite.
///
/// Three products and their sums take five roundings of half a unit in the last place, of terms whose absolute
/// values add up to no more than that distance. Twice that and a reserve.
pub const FRONT_ROUNDING: f64 = 6.0 * crate::Real::EPSILON as f64;

/// How much the poses of a cast may be rounded, relative to the size of the smaller part, the radii and the distance asked
/// for, so that the answer counts as converged. Turns beyond about 1e11 radians, and beside half-spaces
/// speeds beyond about 1e11 sizes, round more.
pub const CAST_MOST_ROUNDING: f64 = 1e-3;

/// How far shapes in touch go until it is looked whether they are nearer, relative to twice the size of the smaller one.
///
/// Far enough for the bounds of curved shapes, which leave some ten-billionths open, to tell an approach of a millionth of the
/// way; and so near that what is not seen between, of shapes that pass through each other on this way, is not deep.
pub const CAST_LOOK_AHEAD: f64 = 1e-4;

/// How long a motion is at most cast as a whole, relative to all that matters: the distance of the origins at the start, how
/// far both shapes reach from them, and the distance asked for. Places are rounded by less than a hundred-millionth of that
/// then. Of longer motions only the beginning is cast.
pub const CAST_LONGEST_MOTION: f64 = (1_u64 << 20) as f64;

/// The least length of all that matters to a cast, in units of length. The beginning of a long motion is written in single
/// precision, where numbers that are much smaller have few digits.
pub const CAST_LEAST_REACH: f64 = 1e-30;

/// A line between two points of shapes in motion that is not longer than so many rounding errors of a point has no
/// direction.
///
/// The points of cores that touch lie along the way, up to seven roundings and a hundred-millionth of the size apart, as
/// far as a cast allows. Such a line is up to a right angle away from the normal of the plane that is proven, and so its
/// end is less than ten roundings beside that normal. The normal must not give way to it.
pub const CAST_LINE_ROUNDINGS: f64 = 16.0;

/// The greatest rounding error of the distance of two balls in motion, relative to the distance of their centres at the
/// meeting, with which the closed form answers: about that of an answer in single precision. The series that gives the
/// normal unit length allows for a thousandth.
pub const CAST_BALLS_MOST_ROUNDING: f64 = 1e-6;

/// The gap at which the search for a plane between two shapes in motion stops at first. The plane is
/// proven whatever the gap is, and while the shapes are far apart a rough one leads as far.
pub const CAST_SEARCH_GAP: f64 = 1e-2;

/// [`CAST_SEARCH_GAP`] where a shape turns: the search then begins anew at each time, from the nearest features of the last
/// one, and how far a plane leads depends more on how the shapes turn than on the plane.
pub const CAST_TURNING_SEARCH_GAP: f64 = 0.06;

/// The greatest gap between the two bounds, relative to the distance, with which a closed form
/// accepts its points as the closest ones. The direction between the points is wrong by at most the
/// square root of twice the gap, which is 4e-6 radians.
///
/// This is far below the precision of an answer, and above the rounding error wherever the distance
/// is at least a hundredth of the size of the shapes.
pub const CLOSED_FORM_GAP: f64 = 1e-11;

/// The gap between the lower and the upper bound, relative to the distance, at which GJK stops.
///
/// Between polytopes the search ends on a vertex, edge or face and is exact whatever this value is.
/// Between smooth shapes it converges linearly, and each further decimal digit takes a quarter more
/// time. The normal is wrong by at most the square root of twice the gap, here about 0.0006
/// radians.
pub const DISTANCE_GAP: f64 = 2e-7;

/// The gap at which the search stops, as [`DISTANCE_GAP`], where the caller asks for the closest
/// point more than for the distance: the direction to that point is wrong by at most the square
/// root of twice the gap.
pub const CLOSEST_POINT_GAP: f64 = 1e-8;

/// How much less than the lower bound of the distance the gap may be that the reported normal
/// proves, relative to the size of the shapes.
pub const NORMAL_SLACK: f64 = 1e-5;

/// How far the difference of the two witness points may be from the distance times the normal,
/// relative to the size of the cores (the shapes without their rounding radius). Points that are
/// farther off are corrected.
///
/// It is a little below the error of 1e-6 that answers promise. Witness points of shapes that
/// almost touch usually pass uncorrected, and so stay exactly on their shapes.
pub const POINTS_BESIDE_NORMAL: f64 = 9e-7;

/// The greatest gap between the two bounds, relative to the distance, with which the status of an
/// answer is `converged`.
///
/// Rounding can end a search before it reaches [`DISTANCE_GAP`]. This value is a few units in the
/// last place of a [`crate::Real`].
pub const CONVERGED_GAP: f64 = 1e-6;

/// The greatest gap between the bounds of a `converged` answer for shapes that almost touch,
/// relative to their size. Single precision cannot express less.
pub const CONVERGED_NEAR: f64 = 1e-7;

/// The gap between the bounds, relative to the size of the Minkowski difference, at which the
/// search for the penetration depth of two polytopes stops.
///
/// The difference of two polytopes has finitely many faces and the search ends on one of them, so
/// this value can be small. With 1e-7 the search for shapes that just touch could end on a face
/// next to the right one.
pub const POLYTOPE_DEPTH_GAP: f64 = 1e-10;

/// The gap at which the search for the penetration depth stops where at least one core is curved.
///
/// The size of the difference is at most twice that of the larger shape, so the depth is right to
/// 1e-4 of that shape even if the whole gap is error.
pub const SMOOTH_DEPTH_GAP: f64 = 4e-5;

/// The same, relative to the size of the smaller shape with its radius. The lesser of the two gaps counts: this one,
/// where one shape is more than fifteen times as large as the other.
///
/// Relative to the difference alone, a small cylinder on a triangle of a large floor would be as deep as it is high.
pub const SMOOTH_DEPTH_GAP_OF_SMALLER: f64 = 16.0 * SMOOTH_DEPTH_GAP;

/// The gap that is small enough relative to the depth, where one shape is that much larger than the other and the
/// search runs out of space. The depth is the number that is reported, so four of its digits are right.
pub const SMOOTH_DEPTH_GAP_OF_DEPTH: f64 = 1e-4;

/// The last step of the search for the least depth among directions, in radians. The error of the depth is about the
/// square of this angle, relative to the size of the Minkowski difference.
pub const COMPASS_LAST_STEP: f64 = 1e-5;

/// How far the difference of the two witness points of overlapping shapes may be from depth times
/// normal, relative to the size of the Minkowski difference.
pub const WITNESS_OFFSET: f64 = 1e-5;

/// How far beside a shape a witness point may lie that a closed form found as a point of the other shape moved by the depth,
/// relative to the size of the Minkowski difference. It is far above rounding, and far below what an answer can show.
pub const WITNESS_BESIDE: f64 = 1e-9;

/// The sine of the angle between a unit vector and an axis up to which what is left across the axis is nothing but rounding.
pub const ALONG_AXIS: f64 = 16.0 * f64::EPSILON;

/// The derivative of a height by the angle at which a minimum counts as found, relative to the terms that it is the sum of.
/// The height is then off by the square of it.
pub const FLAT_SLOPE: f64 = 8.0 * f64::EPSILON;

/// The squared length of a line, relative to the terms that it is the difference of, with which twelve of sixteen digits
/// are left.
pub const CHORD_DIGITS: f64 = 1e-4;

/// How far a corner of a face of a hull may be from the plane of the face, relative to the distance of the farthest corner
/// from the origin, for the normal to count as precise.
pub const FACE_PLANE: f64 = 64.0 * f64::EPSILON;

/// How far a determinant of three differences may be off, relative to the sum of the sizes of its terms. Its sign is right beyond that.
///
/// The error is below 7 units of half the last place and a little (J. R. Shewchuk, "Adaptive Precision Floating-Point Arithmetic
/// and Fast Robust Geometric Predicates", 1997); this is 8.
pub const DETERMINANT_ROUNDING: f64 = 4.0 * f64::EPSILON;

/// How thin a Minkowski difference may be, relative to its size, before it counts as flat: its
/// penetration depth is then zero up to rounding.
pub const FLAT_DIFFERENCE: f64 = 1e-11;

/// How far the sum of two unit normals may be from zero for the normals to count as exactly
/// opposite.
///
/// It allows for the rounding of two rotation matrices in double precision and for nothing else.
pub const OPPOSITE_NORMALS: f64 = 64.0 * f64::EPSILON;

/// The area of a triangle's parallelogram, relative to the square of its longest side, below which its
/// normal proves neither a depth nor a distance from its plane.
///
/// The components of the normal round by a few times 1e-16 of that square, so above this ratio the
/// normal turns by less than 1e-13, and a depth changes by that part of the size, far less than single
/// precision.
pub const PRECISE_NORMAL: f64 = 1e-2;

/// The sine of the angle below which two directions count as parallel. Where two squared lengths
/// are compared, it is the square of the sine instead.
///
/// The cross product of such directions has no significant digit left in double precision.
pub const PARALLEL: f64 = 1e-14;

/// By how much, relative to the size of two polytopes, all other faces of their difference are deeper than the deepest for
/// each search to find that: ten times [`POLYTOPE_DEPTH_GAP`], up to which a search for the depth may be off.
pub const ONLY_FACE: f64 = 1e-9;

/// How far, relative to the size of two polytopes, the next corners are behind those that are nearest, for rounding not to
/// decide which are.
pub const ONLY_CORNER: f64 = 2e-7;

/// How far, relative to the size of two polytopes, the point that is nearest is from the border of its face or the ends of
/// its edge for each search to find that: twice the root of [`POLYTOPE_DEPTH_GAP`].
pub const ONLY_FOOT: f64 = 2e-5;

/// By how much of the size and of the distance a pair has to be beyond the range for every search to find that it is: ten
/// times [`DISTANCE_GAP`], up to which a search for the distance may be off.
pub const BORDER_OF_RANGE: f64 = 2e-6;

/// The sine of the angle between two edges of polytopes up to which the plane along both is too uncertain: its normal is off
/// by the rounding of `f64` divided by that.
pub const CROSSING_EDGES: f64 = 1e-4;

/// How far the axes of two bodies of revolution may be apart, relative to the size of their
/// Minkowski difference, for their depth to be measured as if they had one axis.
///
/// The rounding of poses to single precision moves stacked cylinders apart by about 1e-7. The
/// bounds are widened by the offset of the pair, by at most half of [`SMOOTH_DEPTH_GAP`] in total. Where one shape is
/// much larger and the gap is relative to the smaller one, this is as much smaller as the gap is.
pub const COAXIAL: f64 = 1e-5;

/// By how much overlapping shapes are separated in order to measure their deepest points from
/// outside, relative to the size of their Minkowski difference.
pub const CLEARANCE_TO_REFINE: f64 = 1e-2;

/// The gap between the bounds, relative to the distance, below which a search compares a new vertex
/// with those it has: only then can it have returned to one of them.
pub const STALL_GAP: f64 = 1e-3;

/// How flat a triangle or tetrahedron may be before its interior is ignored: its area or volume
/// relative to the product of its edges.
///
/// Double precision leaves an error of about 1e-16 in a volume, relative to that product, so a
/// volume above this limit certainly has the right sign.
pub const FLAT_SIMPLEX: f64 = 1e-13;

/// The squared sine of the angle below which a triangle counts as thin. The short formula for its
/// barycentric weights would lose more than half of their digits, so a slower one is used.
pub const THIN_TRIANGLE: f64 = 1e-6;

/// The least volume of a tetrahedron, relative to the product of the three edges at one corner,
/// with which it starts the polytope of the depth search. It is far above rounding, and a fatter
/// start would not be better.
pub const SOLID: f64 = 1e-3;

/// How many times thicker than [`FLAT_DIFFERENCE`] the simplex that is already known must be for
/// the search not to look for a better one.
pub const FAR_FROM_FLAT: f64 = 1e3;

/// The product of two squared edges of a face of the polytope, relative to the squared double area
/// of the face, from which it is worth looking for better edges: from there on rounding takes three
/// digits.
pub const THIN: f64 = 1e6;

/// How thin a face of the polytope may be (height divided by length) before its normal is ignored.
pub const SLIVER: f64 = 1e-10;

/// How far behind a face a vertex may be for the face still to be replaced together with the faces
/// around it, in units of the rounding error. This is about a millionth of the size, which is how
/// far off the normals of the thinnest faces can be.
pub const LEVEL: f64 = 3e8;

/// How far outside a face the foot of a perpendicular may lie and still count as on the face,
/// relative to the size of the face.
pub const FOOT_SLACK: f64 = 1e-9;

/// One minus the cosine of the greatest angle at which two faces of a hull count as one.
pub const COPLANAR: f64 = 1e-6;

/// How far a vertex of a face may lie below the plane of the face in a valid hull, relative to the greatest coordinate.
///
/// The normal is right to a few roundings across the width of the face, and a scalar product takes five roundings.
pub const HULL_PLANE_ROUNDING: f64 = 32.0 * f64::EPSILON;

/// The length below which a direction, or the part of it across the axis of a shape, counts as zero. Lengths are divided
/// by this at least, so that zero is not divided by zero and no quotient overflows.
pub const LEAST_DIRECTION: f64 = 1e-150;

/// How far numbers of a custom shape may contradict each other, relative to its bounding radius: some thousand roundings
/// of `f64`, and far less than one of `f32`.
pub const CUSTOM_SHAPE_SLACK: f64 = 1e-12;

/// The rounding error of the scalar products by which a hull is searched in single precision,
/// relative to the sum of the coordinates of a vertex, for a direction whose greatest component is
/// one.
///
/// Two products that differ by less than this may be in the wrong order, and the product with an
/// edge may have the wrong sign if it is nearer to zero than this.
///
/// The direction, three products and two sums round by half a unit in the last place each, so one
/// product is wrong by less than four units of 2^-24, and a comparison takes two products. Twice
/// that is used, which allows for the rounding of the comparison itself. For an edge, whose
/// coordinates are rounded too, there is only one product, wrong by less than five units.
pub const F32_PRODUCT_ROUNDING: f64 = 1.0 / 1_048_576.0;

/// By how much a node of the vertex tree is enlarged beyond its vertices, relative to the greatest
/// sum of the coordinates of a vertex.
///
/// Computing the node and its bound takes fewer than thirty roundings of half a unit in the last
/// place each. With this margin the search never skips the vertex whose computed product is the
/// greatest.
pub const VERTEX_TREE_ROUNDING: f64 = 64.0 * f64::EPSILON;

/// The sine of the greatest angle between the normal of a contact and a flat part of a shape (across an edge, or
/// along the normal of a face) at which that part faces the other shape, so that a manifold consists of it.
///
/// A box that stands a little tilted still has four contact points with the floor, as long as they are in range;
/// two edges that cross have one. Where a part is left out, its far end is about a tenth of its length away.
pub const FACING_SINE: f64 = 0.1;

/// The cosine that belongs to [`FACING_SINE`], rounded up.
pub const FACING_COSINE: f64 = 0.994_987_437_106_63;

/// How much the cosines of two sides of a polygon with a direction must differ for it to be certain which is nearer to it. The
/// sides themselves then differ by a millionth of a right angle; cosines are rounded by some 1e-16.
pub const SIDES_IN_LINE: f64 = 1e-12;

/// How far a corner of a face may lie outside of the face opposite and still count as on it, relative to the size of
/// the smaller of the two faces. Also how far two points of a manifold must be apart.
///
/// Poses of single precision move the corners of boxes that stand on each other by about 1e-7. The corners of equal
/// faces must not become crossings of their edges now and then.
pub const MANIFOLD_SLACK: f64 = 1e-5;

/// How much two squared distances may differ, relative to them, for two points of a manifold to count as equally
/// far: the one with the lower feature is then taken, so that rounding does not choose between the corners of a
/// square.
pub const MANIFOLD_TIE: f64 = 1e-5;

/// How far beside the edge of a shape a contact point may lie, relative to the radius of the surface there, where two
/// edges run nearly parallel. The surface is lower than the edge by half the square of it.
pub const PARALLEL_OFFSET: f64 = 0.1;

/// How near a contact point must be to another part to count as lying on its surface too, relative to the size of the
/// smaller one of the part and of the shape that touches it. See `seams` of the world.
pub const SEAM_TOUCH: f64 = 1e-4;

/// How far a contact point may be off that two parts have in common, relative to its coordinates in the frames of their
/// bodies, and to those of bodies that were placed in single precision: four steps of [`Real`](crate::Real), two for the
/// point and two for vertices that were meant to be where it is.
pub const SEAM_ROUNDING: f64 = 4.0 * crate::Real::EPSILON as f64;

/// The same at most, relative to the size of the smaller one of the part and of the shape that touches it.
pub const SEAM_MOST_ROUNDING: f64 = 1.0 / 64.0;

/// The sine of the angle by which a normal may lean into the surface of another part and still be a normal of the
/// surface that the parts make together. A normal that is kept is off by no more than that; it is above the error of
/// normals between smooth shapes ([`DISTANCE_GAP`]).
pub const SEAM_TILT: f64 = 7e-4;

/// How far beyond an overlap a contact point is moved to look at the surface beside it, relative to the distance within
/// which it counts as lying on another part ([`SEAM_TOUCH`] and [`SEAM_ROUNDING`]).
pub const SEAM_STEP: f64 = 4.0;

/// The least cosine between the normal of a contact and that of a one-sided face for the contact to be on its outer side: more
/// than the rounding of a normal to single precision, so that what is exactly beside the edge of a face is not on that side.
pub const OUTER_SIDE_COSINE: f64 = 1e-6;

/// The squared length of the difference of two unit normals up to which they are equal but for rounding. Single precision
/// moves each of them by less than 1e-7; the rest is a reserve.
pub const SEAM_EQUAL_NORMALS: f64 = 1e-12;

/// The squared sine of the angle up to which two planes that bound the way of a sliding shape count as parallel; of three
/// planes, the determinant of the scalar products of their normals.
///
/// From here down rounding leaves fewer than four digits of it.
pub const SLIDE_PARALLEL: f64 = 1e-12;

/// By how much a way may violate a plane that bounds it, of a sliding shape or out of a solid, relative to the lengths that take
/// part. It is far above the rounding of double precision.
pub const SLIDE_PLANE_SLACK: f64 = 1e-9;

/// By how much the way of a sliding shape may violate a plane that bounds it, relative to its skin. What is missing of the
/// skin for less is not looked at.
pub const SLIDE_SKIN_SLACK: f64 = 1.0 / 256.0;

/// The heights of two unit normals, as cosines, that differ by no more are equal: the first of them is stood on, so that
/// rounding does not choose the ground.
pub const SLIDE_EQUALLY_HIGH: f64 = 1e-6;

/// The sine of the angle up to which an axis of a part of a compound counts as an axis of the compound, where the compound
/// is stretched. A quarter turn in single precision is off by a tenth of it.
pub const QUARTER_TURN: f64 = 1e-6;

/// Coordinates of points that are less than this, beside all that single precision has, count as zero where exact signs are
/// asked for: products of three of their last digits must not vanish.
pub const LEAST_COORDINATE: f64 = 1.0 / (1_u128 << 125) as f64 / (1_u128 << 125) as f64;

/// What lies so far below the end of a one-way tile, relative to the sizes of both, is still beyond it: more than the rounding
/// of the places at which casts end.
pub const ONE_WAY_ROUNDING: f64 = 1e-5;

/// Where a direction leads is looked up this share of the size of a facet away from it.
pub const OUTER_SIDE_PROBE: f64 = 1e-4;

/// How far towards the middle of a facet a place on it is moved, as a share of the way there, before it is looked what is on the
/// outer side: at an edge or a corner that side may be narrow.
pub const BESIDE_EDGE: f64 = 1e-3;

/// How far beside a plane of a grid of cells a coordinate may be found that lies on it, as a share of the coordinate: the rounding of
/// double precision, many times.
pub const GRID_ROUNDING: f64 = 1e-14;

/// How far a tile may reach beyond its cell, as a share of the size of the cell: the rounding of single precision, several times.
pub const TILE_ROUNDING: f64 = 8.0 * crate::Real::EPSILON as f64;

/// How far the corners of a turned box around edited cells may be off, as a share of the box: a few times the rounding of single
/// precision, in which rotations are.
pub const EDIT_ROUNDING: f64 = 1e-6;

/// How far the corners of a convex cell of a solid may be off by rounding, relative to the reach of the cell.
pub const CELL_ROUNDING: f64 = 1e-9;

/// How near to the surface of a solid the place may be around which a convex cell is made, relative to the reach of the cell.
pub const CELL_CLEARANCE: f64 = 4e-9;

/// A facet bounds a convex cell by its own plane if that is at least this share of the facet's distance away from the
/// middle of the cell; else the plane across the way to the facet leaves more room.
pub const CELL_FACET_HEIGHT: f64 = 0.25;

/// The gap between the bounds of how far a convex piece reaches beyond a face, relative to the size of the smaller
/// shape, at which the face is not divided any further.
pub const OBSTACLE_GAP: f64 = 1e-5;

/// How far a point of a contact manifold may go on its body from one step to the next and still be the same, as a share of
/// the bounding radius of the smaller body: a hundredth, which is a metre a second for a body of a metre and 60 steps a
/// second.
pub const POINTS_GO_ON: crate::Real = 0.01;
