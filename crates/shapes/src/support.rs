//! The support mapping: all that the distance algorithms need to know of a convex set.

use clearance_math::PreciseVector;

/// A bounded convex set, known by its farthest point in each direction.
///
/// This is the one trait to implement for convex shapes of your own. The bounds of distances are proven only as
/// far as the answers are right up to a few roundings of `f64`.
pub trait Support<P: PreciseVector> {
    /// A point of the set that is farthest along `direction`, in the frame of the set.
    ///
    /// The direction has any length; for the zero vector any point of the set will do. The answer
    /// depends on the direction alone, never on earlier calls.
    fn support(&self, direction: P) -> P;

    /// A point of the set, somewhere near its middle: where searches begin.
    fn center(&self) -> P;

    /// An upper bound of the distance of the set's points from the origin of its frame, in units of length.
    fn bounding_radius(&self) -> f64;
}

/// The farthest of a few points along `direction`; the first of equals.
pub(crate) fn farthest<P: PreciseVector, const N: usize>(points: [P; N], direction: P) -> P {
    let mut best = points[0];
    let mut height = best.dot(direction);
    for point in &points[1..] {
        let other = point.dot(direction);
        let is_higher = other > height;
        height = if is_higher { other } else { height };
        for k in 0..P::DIM {
            // Component by component, which compiles to a selection and not to a branch.
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
