//! A better plane where the search for one did not come to its end.

use clearance_math::{Matrix, PreciseVector, Vector};

use crate::answer::Outcome;
use crate::convex::method::measure_cores;
use crate::questions::cast::pair::{Apart, MovingPair, PairAt};

impl<V: Vector> MovingPair<'_, V> {
    /// A better plane between cores of which the search for one did not come to its end, and nearer points
    /// if there are any.
    ///
    /// Where a part is much smaller than the other, what is negligible for the larger one is not for it. Then
    /// the plane across the line of the nearest points is often better, and the closed forms may know more.
    pub(super) fn sharpened(
        &self,
        at: &PairAt<V::Precise>,
        apart: Apart<V::Precise>,
    ) -> Apart<V::Precise> {
        let Some(a) = self.a.convex() else {
            return apart;
        };
        let mut best = apart;
        let (b, b_in_a) = (self.convex_b, at.b_in_a());
        let a_in_b = b_in_a.inverse();
        // Rounding errors differ with the order of the cores.
        let in_order = measure_cores([a, b], &b_in_a, f64::INFINITY, None);
        let exchanged = match measure_cores([b, a], &a_in_b, f64::INFINITY, None) {
            Outcome::Near(measured) => Outcome::Near(measured.flipped(&a_in_b)),
            other => other,
        };
        for outcome in [in_order, exchanged] {
            let Outcome::Near(measured) = outcome else {
                continue;
            };
            best = self.better(at, best, measured.normal);
            if measured.upper < best.upper {
                best.upper = measured.upper;
                best.witness_points = (measured.on_a, measured.on_b);
            }
        }
        for (on_a, on_b) in [apart.witness_points, best.witness_points] {
            if let Some(normal) = (on_b - on_a).direction() {
                best = self.better(at, best, normal);
            }
        }
        best
    }

    /// The plane with the greater gap: this one, or that with a normal in the frame of a.
    fn better(
        &self,
        at: &PairAt<V::Precise>,
        apart: Apart<V::Precise>,
        normal: V::Precise,
    ) -> Apart<V::Precise> {
        let normal = at.a.rotation.apply(normal);
        let is_better = self.gap_along(at, normal) > self.gap_along(at, apart.normal);
        Apart {
            normal: if is_better { normal } else { apart.normal },
            ..apart
        }
    }
}
