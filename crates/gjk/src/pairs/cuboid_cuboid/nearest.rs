//! The closest points of two separated boxes.

use clearance_math::{Matrix, PreciseVector, tolerances};

use super::{Pair, STEP_LIMIT};
use crate::measured::Measured;
use crate::pairs::axes::greatest;

impl<P: PreciseVector> Pair<P> {
    /// Finds the closest points and proves them by the plane between them; `None` if the plane is
    /// no proof.
    ///
    /// Minimises the distance of a from a point `at` of b, given in b's frame. The search takes
    /// steps along one edge of b by Newton's method, and steps to the point closest to a corner of
    /// a. Together they end at every kind of feature after finitely many steps, mostly one or two.
    ///
    /// Let e be the vector from the closest point of a to the point of b. The plane perpendicular
    /// to e touches a there, and b extends below it by the sum over b's axes of h |w| + at w, with
    /// w = e . axis, divided by |e|. If that is zero, the points are the closest ones.
    pub(super) fn nearest_points(&self, mut at: P) -> Option<Measured<P>> {
        for _ in 0..STEP_LIMIT {
            let on_b = self.b_in_a.transform_point(at);
            let on_a = on_b.max(-self.half_a).min(self.half_a);
            let apart = on_b - on_a;
            let slopes = self.b_in_a.inverse_transform_direction(apart);
            let squared_distance = apart.length_squared();
            let beneath = slopes.abs().dot(self.half_b) + slopes.dot(at);
            if beneath <= tolerances::CLOSED_FORM_GAP * squared_distance {
                let distance = squared_distance.sqrt();
                let normal = apart / distance;
                let lower = distance - beneath / distance;
                return self.answer((on_a, on_b), (lower, distance), normal);
            }
            let losses = slopes.abs().scaled_by(self.half_b) + slopes.scaled_by(at);
            let (steepest, most) = greatest(losses);
            if most <= self.rounding * self.half_b.component(steepest) {
                return self.proven(on_a, on_b, self.sharpened(apart, at));
            }
            at = self.step(at, apart, (steepest, slopes.component(steepest)));
        }
        None
    }

    /// The next point of b: closest to the corner of a that is nearest, or a step along axis k.
    fn step(&self, at: P, apart: P, (k, slope): (usize, f64)) -> P {
        if (0..P::DIM).all(|k| apart.component(k) != 0.0) {
            return self.nearest_in_b(self.half_a.with_signs_of(apart));
        }
        let edge = outside_only(self.b_in_a.rotation.column(k), apart);
        let half = self.half_b.component(k);
        let next = at.component(k) - slope / edge.length_squared();
        at.with_component(k, next.clamp(-half, half))
    }

    /// The vector between the two closest points, without its rounding error along those edges of b
    /// in whose interior the point lies.
    #[inline(never)]
    fn sharpened(&self, apart: P, at: P) -> P {
        let mut sharpened = apart;
        for k in 0..P::DIM {
            if at.component(k).abs() < self.half_b.component(k) {
                let edge = outside_only(self.b_in_a.rotation.column(k), apart);
                let across = sharpened - edge * (edge.dot(sharpened) / edge.length_squared());
                // Not if the edge is parallel to all of the vector.
                if across.length_squared() > 0.5 * apart.length_squared() {
                    sharpened = across;
                }
            }
        }
        sharpened
    }

    /// The distance of two points, if the plane perpendicular to `normal` (of any length) proves
    /// it.
    #[inline(never)]
    pub(super) fn proven(&self, on_a: P, on_b: P, normal: P) -> Option<Measured<P>> {
        let distance = (on_b - on_a).length();
        let normal = normal / normal.length();
        let lower = self.b_in_a.translation.dot(normal) - self.reach(normal);
        let allowed = tolerances::CLOSED_FORM_GAP * distance + 2.0 * self.rounding;
        if distance - lower <= allowed {
            self.answer((on_a, on_b), (lower, distance), normal)
        } else {
            None
        }
    }

    /// The result with bounds that are right up to rounding; `None` if it consists of rounding
    /// only.
    pub(super) fn answer(
        &self,
        points: (P, P),
        (lower, distance): (f64, f64),
        normal: P,
    ) -> Option<Measured<P>> {
        let rounding = 3.0 * self.rounding;
        let lower = lower - rounding;
        (lower > 0.0).then(|| Measured {
            lower,
            ..Measured::exact(distance, normal, points, rounding)
        })
    }
}

/// The components of `vector` along which `apart` has one.
pub(super) fn outside_only<P: PreciseVector>(mut vector: P, apart: P) -> P {
    for k in 0..P::DIM {
        if apart.component(k) == 0.0 {
            vector = vector.with_component(k, 0.0);
        }
    }
    vector
}
