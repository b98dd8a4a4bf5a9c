//! The support mapping, which is all that the distance algorithms need to know about a convex set.

use clearance_math::PreciseVector;

/// A bounded convex set that is described by its farthest point in each direction.
///
/// Implement this trait for convex shapes of your own. The bounds of distances are proven on the
/// assumption that the support points are right up to a few roundings of `f64`.
pub trait Support<P: PreciseVector> {
    /// The point of the set that is farthest along `direction`, both in the frame of the set. Where
    /// several points are equally far, any of them will do.
    ///
    /// The direction need not have unit length; for the zero vector any point of the set is a valid
    /// answer. The answer must depend on the direction alone and not on earlier calls.
    fn support(&self, direction: P) -> P;

    /// A point of the set near its middle, in the frame of the set. Searches start from it.
    fn center(&self) -> P;

    /// An upper bound of the distance of the points of the set from the origin of its frame, in
    /// units of length.
    fn bounding_radius(&self) -> f64;
}

/// The farthest of a few points along `direction`, or the first one of those that are equally far.
pub(crate) fn farthest<P: PreciseVector, const N: usize>(points: [P; N], direction: P) -> P {
    let mut best = points[0];
    let mut height = best.dot(direction);
    for point in &points[1..] {
        let other = point.dot(direction);
        let is_higher = other > height;
        height = if is_higher { other } else { height };
        for k in 0..P::DIM {
            // Choosing component by component compiles to a conditional move instead of a branch.
            let component = if is_higher {
                point.component(k)
            } else {
                best.component(k)
            };
            best = best.with_component(k, component);
        }
    }
    best
}
