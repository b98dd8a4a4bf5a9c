//! What is asked of two parts in motion, and what is found.

use clearance_math::{PreciseVector, Real, tolerances};

use super::precision::Precision;
use crate::answer::{Measured, Status};

/// When two parts meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Meeting<P> {
    /// Up to this time the parts are proven to be farther apart than asked.
    pub(crate) lower: f64,
    /// At this time they are as near as asked, up to the tolerance.
    pub(crate) time: f64,
    /// Whether they were that near at time 0.
    pub(crate) is_start: bool,
    /// Whether the tolerance is [`tolerances::CAST_GAP`].
    pub(crate) converged: bool,
    /// The cores at that time, if they are apart and their nearest points are known.
    pub(crate) apart: Option<Apart<P>>,
}

/// What is asked of two parts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked {
    /// The distance that counts as met.
    pub(crate) within: f64,
    /// Where to begin.
    pub(crate) from: f64,
    /// Meetings after this time are of no interest.
    pub(crate) until: f64,
    /// How much of the motion is looked at, whatever is of interest of it.
    pub(crate) share: f64,
}

impl Asked {
    /// From time 0 to a time that was rounded.
    pub(crate) fn new(within: Real, until: Real) -> Self {
        Self {
            within: f64::from(within),
            from: 0.0,
            until: f64::from(until.next_up()),
            share: 1.0,
        }
    }
}

/// Two cores that are apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Apart<P> {
    /// The normal of a plane between them, from a to b, in the frame of the world.
    pub(crate) normal: P,
    /// An upper bound of the distance of the cores.
    pub(crate) upper: f64,
    /// The points whose distance that is, in the frame of a.
    pub(crate) witness_points: (P, P),
}

impl<P: PreciseVector> Apart<P> {
    /// The distance of the cores, which are known to be apart by at least `lower`. The normal is given in the frame of
    /// a.
    #[inline(always)]
    pub(crate) fn measured(&self, normal: P, lower: f64, precision: &Precision) -> Measured<P> {
        let (on_a, on_b) = self.witness_points;
        let line = on_b - on_a;
        let length = line.length();
        // Points that are farther apart than the cores can be stay beside the normal.
        let reach = length.min(self.upper);
        // The points must stay on the parts, so a normal that is not along their line gives way, unless
        // they are too near to have a line: parts that are as near as rounding allows have met.
        let beside = (line - normal * reach).length();
        let blur = tolerances::CAST_LINE_ROUNDINGS * precision.rounding;
        let is_along = beside <= tolerances::POINTS_BESIDE_NORMAL * precision.size + blur;
        Measured {
            distance: reach.max(lower),
            lower,
            upper: self.upper.max(lower) + precision.rounding,
            normal: if is_along || length > self.upper {
                normal
            } else {
                line / length
            },
            on_a,
            on_b,
            status: Status::Converged,
        }
    }
}
