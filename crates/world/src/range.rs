//! How far apart two bodies may be to make a contact, and by how much boxes are inflated for it.

use clearance_gjk::internal::Ball;
use clearance_math::{PreciseVector, Real, Vector, round_nearest, tolerances};

/// The greatest distance of a contact of two bodies with these extra margins, in units of length.
#[inline]
pub(crate) fn range(margin: Real, extra_a: Real, extra_b: Real) -> Real {
    round_nearest(f64::from(margin) + f64::from(extra_a) + f64::from(extra_b))
}

/// By how much the bounding box of a body is inflated: half the margin, and its own extra margin.
///
/// The inflations of two bodies add up to their range, so the boxes of bodies within range overlap.
#[inline]
pub(crate) fn inflation(margin: Real, extra: Real) -> f64 {
    (0.5 * f64::from(margin) + f64::from(extra)) * (1.0 + tolerances::CONTACT_BOX_SLACK)
}

/// Whether two bodies may be within range, by their bounding spheres.
///
/// A sphere is around the origin of a body and has its bounding radius. A distance that is measured may be below
/// the true one by rounding errors, relative to the size of the pair, and is then rounded to single precision:
/// spheres that are out of range are so by more than both. (Where radii and range are zero, so is the distance of
/// centres that count as near.)
///
/// Which spheres are near is unpredictable, so there is no branch: callers write each pair, and the count only
/// advances past those that are.
#[inline(always)]
pub(crate) fn may_be_within<V: Vector>([a, b]: [Ball<V>; 2], within: Real) -> bool {
    let apart = b.center - a.center;
    let radii = f64::from(a.radius) + f64::from(b.radius);
    let within = f64::from(within);
    // A range below zero asks for a depth, which is rounded relative to the radii and not to what is left of them.
    let slack = (radii + within.abs()) * tolerances::BOUNDING_SPHERE_SLACK;
    let most = (radii + within + slack).max(0.0);
    apart.length_squared() <= most * most
}

/// A sphere around a body, seen from another one, while both move straight.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SphereOnWay<P> {
    /// The centre at the beginning, and how far it goes, as seen from the centre of the other one.
    pub(crate) from: P,
    pub(crate) way: P,
    /// The sum of both radii.
    pub(crate) radii: f64,
    /// How far apart they are and how far they go, as a length: places are rounded relative to it.
    pub(crate) reach: f64,
}

impl<P: PreciseVector> SphereOnWay<P> {
    /// Whether the bodies may come within a distance of each other, however they turn.
    ///
    /// What casts count as met is allowed for, and the rounding of places: which pairs are cast must not show.
    #[inline]
    pub(crate) fn may_come_within(&self, distance: f64) -> bool {
        let Self { from, way, .. } = *self;
        let squared = way.length_squared();
        let time = if squared > 0.0 {
            (-from.dot(way) / squared).clamp(0.0, 1.0)
        } else {
            0.0
        };
        let nearest = from + way * time;
        let most = (self.radii + distance) * (1.0 + 8.0 * tolerances::CAST_GAP)
            + tolerances::SWEEP_BOX_ROUNDING * (self.radii + self.reach);
        // NaN, from radii that are infinite, says nothing.
        !(nearest.length_squared() > most * most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inflations_cover_every_distance_that_rounds_into_the_range() {
        let numbers = [0.0, 1e-6, 0.05, 0.1, 0.3, 1.0 / 3.0, 0.7, 5.0, 1e3, 3e37];
        let mut rounded_up = 0;
        for margin in numbers {
            for extra_a in numbers {
                for extra_b in numbers {
                    let range = range(margin, extra_a, extra_b);
                    // The greatest distance of which `range` is the nearest single precision number.
                    let greatest = f64::midpoint(range.into(), range.next_up().into());
                    let inflated = inflation(margin, extra_a) + inflation(margin, extra_b);
                    assert!(
                        range == 0.0 || inflated >= greatest,
                        "{margin} {extra_a} {extra_b}"
                    );
                    let sum = f64::from(margin) + f64::from(extra_a) + f64::from(extra_b);
                    rounded_up += usize::from(f64::from(range) > sum);
                }
            }
        }
        assert!(rounded_up > 100, "{rounded_up} sums were rounded up");
    }
}
