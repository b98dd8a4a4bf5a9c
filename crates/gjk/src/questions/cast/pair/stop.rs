//! What is known of two parts at one of the times at which a cast looks at them.

use clearance_math::{Matrix, PreciseVector, Vector};

use super::{Apart, MovingPair, PairAt};
use crate::answer::{Measured, Outcome};

/// An [`Advance`](crate::Advance) of sides in canonical order, without the poses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stop<P> {
    pub(crate) time: f64,
    pub(crate) lower: f64,
    pub(crate) upper: f64,
    pub(crate) normal: P,
}

impl<P: PreciseVector> Stop<P> {
    /// Where shapes were measured, in the frame of the world.
    pub(crate) fn measured(time: f64, measured: &Measured<P>) -> Self {
        Self {
            time,
            lower: measured.lower,
            upper: measured.upper,
            normal: measured.normal,
        }
    }
}

impl<V: Vector> MovingPair<'_, V> {
    /// What is known at a time: the plane between the cores, or, if they overlap, the measured distance.
    // Only where steps are looked at.
    #[cold]
    #[inline(never)]
    pub(crate) fn stop(
        &self,
        at: &PairAt<V::Precise>,
        plane: Option<&Apart<V::Precise>>,
    ) -> Stop<V::Precise> {
        if let Some(apart) = plane {
            let rounding = self.precision.rounding + 8.0 * f64::EPSILON * self.precision.radii;
            let upper = apart.upper - self.precision.radii + rounding;
            let lower = self.gap_along(at, apart.normal) - self.precision.radii - rounding;
            return Stop {
                time: at.time,
                lower: lower.min(upper),
                upper,
                normal: apart.normal,
            };
        }
        let mut stop = Stop {
            time: at.time,
            lower: f64::NEG_INFINITY,
            upper: f64::INFINITY,
            normal: V::Precise::ZERO,
        };
        if let Outcome::Near(measured) = self.measure(at) {
            (stop.lower, stop.upper) = (measured.lower, measured.upper);
            stop.normal = at.a.rotation.apply(measured.normal);
        }
        stop
    }
}
