//! What is known of two parts at a time: a plane between them, and how fast they approach each other.

use clearance_math::{Matrix, PreciseVector, Vector, tolerances};

use crate::questions::cast::pair::{
    Apart, Asked, Between, FacingPoints, MovingPair, PairAt, Precision,
};
use crate::search::KeptSimplex;

/// A plane whose gap is a smaller share of the distance than this leads nowhere: a better one is needed.
const LEADS_NOWHERE: f64 = 1e-3;

/// What one cast of two parts asks for, and what its steps so far have left for the next ones.
pub(super) struct Course<P> {
    pub(super) asked: Asked,
    /// The distance of the cores that counts as met.
    pub(super) target: f64,
    /// How much a distance may be wrong.
    pub(super) rounding: f64,
    /// How much more than the target counts, too.
    pub(super) near: f64,
    /// How the parts approached each other where they were seen last, if they have been seen since the beginning.
    pub(super) before: Option<Pace>,
    /// The simplex of the last search for the distance.
    pub(super) kept: KeptSimplex<P>,
}

impl<P: PreciseVector> Course<P> {
    pub(super) fn new(asked: Asked, precision: &Precision) -> Self {
        Self {
            asked,
            target: asked.within + precision.radii,
            rounding: precision.rounding_of(asked.within),
            near: precision.near(asked.within),
            before: None,
            kept: KeptSimplex::none(),
        }
    }
}

/// How two parts approach each other at a time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    pub(super) time: f64,
    /// By how much a gap exceeds what is asked, and rounding.
    pub(super) margin: f64,
    /// How fast the distance of the nearest points grows.
    pub(super) rate: f64,
}

/// A plane between two cores.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlaneBetween<P> {
    pub(super) apart: Apart<P>,
    pub(super) facing: FacingPoints<P>,
    pub(super) pace: Pace,
}

/// Two parts at a time until which they are not as near as asked.
pub(super) struct Seen<P: PreciseVector> {
    pub(super) at: PairAt<P>,
    /// A plane between the cores; `None` if they overlap, or touch up to rounding.
    pub(super) plane: Option<PlaneBetween<P>>,
}

impl<V: Vector> MovingPair<'_, V> {
    pub(super) fn seen_at(&self, time: f64, course: &mut Course<V::Precise>) -> Seen<V::Precise> {
        let at = self.at(time);
        let plane = self.good_plane(&at, course);
        Seen { at, plane }
    }

    /// A plane between the cores that leads far enough.
    fn good_plane(
        &self,
        at: &PairAt<V::Precise>,
        course: &mut Course<V::Precise>,
    ) -> Option<PlaneBetween<V::Precise>> {
        let mut gap = tolerances::CAST_TURNING_SEARCH_GAP;
        loop {
            let Between::Apart(apart) = self.between(at, gap, &mut course.kept) else {
                return None;
            };
            let plane = self.plane(at, apart, course);
            let margin = plane.facing.gap - course.target;
            let excess = apart.upper - course.target;
            let is_good = margin >= 0.5 * excess || excess <= 0.5 * course.near;
            if is_good {
                return Some(plane);
            }
            if gap <= tolerances::RAY_SEARCH_GAP {
                let leads_nowhere = margin <= LEADS_NOWHERE * excess && excess > course.near;
                return Some(if leads_nowhere {
                    self.plane(at, self.sharpened(at, apart), course)
                } else {
                    plane
                });
            }
            gap = (gap * 1e-4).max(tolerances::RAY_SEARCH_GAP);
        }
    }

    fn plane(
        &self,
        at: &PairAt<V::Precise>,
        apart: Apart<V::Precise>,
        course: &Course<V::Precise>,
    ) -> PlaneBetween<V::Precise> {
        let facing = self.facing(at, apart.normal);
        PlaneBetween {
            apart,
            facing,
            pace: Pace {
                time: at.time,
                margin: facing.gap - course.target - course.rounding,
                rate: self.rate_of_nearest(at, &apart),
            },
        }
    }

    fn rate_of_nearest(&self, at: &PairAt<V::Precise>, apart: &Apart<V::Precise>) -> f64 {
        let normal = apart.normal;
        let in_world = |point| at.a.rotation.apply(point) + at.a.offset;
        let near_b = in_world(apart.witness_points.1) - at.apart;
        let near_a = if self.a.is_half_space() {
            // The plane turns with the half-space, and so do its points.
            near_b + at.apart
        } else {
            in_world(apart.witness_points.0)
        };
        normal.dot(self.way.velocity) + self.b.rate(near_b, normal) - self.a.rate(near_a, normal)
    }
}
