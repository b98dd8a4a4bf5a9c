//! Rays against any convex set with a support mapping, by planes that separate it from points of the ray.
//!
//! From a point of the ray outside of the set, the search for the distance finds a plane between them. The
//! set lies behind that plane, so the ray is free up to where it crosses it: that place is the next point.
//! If the ray never crosses the plane, it misses. The signed distance is a convex function along the ray, of
//! which the plane is a tangent, so this is Newton's method: it converges quadratically, unless the ray
//! grazes the set, where each step at least halves the distance that is left.
//!
//! Source: van den Bergen, "Ray Casting against General Convex Objects with Application to Continuous
//! Collision Detection" (2004), has the same idea with other steps.

use clearance_math::{Matrix, PreciseVector, RelativePose, tolerances};
use clearance_shapes::Support;

use super::chord::{ChordCrossing, surely_inside_after};
use super::in_frame::RayInFrame;
use crate::answer::Outcome;
use crate::search::{Difference, Goal, SearchResult, measure_difference, search};

/// The greatest number of steps along the ray.
const STEP_LIMIT: usize = 96;

/// How often the upper bound is moved outwards until it is certainly inside of the set.
const BRACKET_LIMIT: usize = 6;

/// All points within `radius` of a convex set.
pub(super) struct Rounded<'a, P> {
    pub(super) core: &'a dyn Support<P>,
    pub(super) radius: f64,
}

/// What a ray meets from a given place on.
#[derive(Clone, Copy, Debug)]
pub(super) enum Entry<P> {
    /// The place is inside of the set.
    Inside,
    /// The set, from outside.
    At(FoundEntry<P>),
}

/// Where a ray meets a set.
#[derive(Clone, Copy, Debug)]
pub(super) struct FoundEntry<P> {
    pub(super) crossing: ChordCrossing<P>,
    /// Whether the bounds are as close as they should be.
    pub(super) converged: bool,
}

/// The single point at the origin of its frame.
struct Origin;

impl<P: PreciseVector> Support<P> for Origin {
    fn support(&self, _: P) -> P {
        P::ZERO
    }

    fn center(&self) -> P {
        P::ZERO
    }

    fn bounding_radius(&self) -> f64 {
        0.0
    }
}

/// A plane that separates a point of the line from the set, as the line sees it.
#[derive(Clone, Copy)]
struct Tangent<P> {
    normal: P,
    /// The height of the point above the plane, and how fast the line falls.
    height: f64,
    rate: f64,
}

impl<'a, P: PreciseVector> Rounded<'a, P> {
    fn difference_at(&self, point: P) -> Difference<'a, P, dyn Support<P> + 'a, dyn Support<P>> {
        let pose = RelativePose {
            rotation: P::Matrix::IDENTITY,
            translation: point,
        };
        Difference::new(self.core, &Origin, pose)
    }

    /// The search from a point of the line, and the tangent that it finds. `None` if the point is inside, or
    /// on the boundary up to rounding, where no plane is found.
    fn tangent(&self, ray: &RayInFrame<P>, at: f64) -> Option<(Tangent<P>, f64)> {
        let point = ray.point(at);
        let goal = Goal {
            gap: tolerances::RAY_SEARCH_GAP,
            ..Goal::closest_point()
        };
        let SearchResult::Separated(found) = search(&self.difference_at(point), goal, &mut None)
        else {
            return None;
        };
        let normal = found.normal;
        let height = normal.dot(point - self.core.support(normal)) - self.radius;
        let tangent = Tangent {
            normal,
            height,
            rate: -normal.dot(ray.direction),
        };
        Some((tangent, found.upper - self.radius))
    }

    /// What the line meets from place `from` to place `to`. `None` if it is proven to meet nothing.
    pub(super) fn entry(&self, ray: &RayInFrame<P>, from: f64, to: f64) -> Option<Entry<P>> {
        let near = tolerances::RAY_GAP * ray.bounding_radius + 4.0 * ray.rounding;
        let mut at = from;
        let mut last: Option<Tangent<P>> = None;
        let mut converged = false;
        for _ in 0..STEP_LIMIT {
            let Some((tangent, upper)) = self.tangent(ray, at) else {
                converged = true;
                break;
            };
            if upper <= 0.0 {
                converged = true;
                break;
            }
            last = Some(tangent);
            let certain = tangent.height - ray.rounding;
            if !(certain > 0.0) {
                if at == from && !(tangent.rate > 0.0) {
                    // On the boundary, and about to leave.
                    return Some(Entry::Inside);
                }
                converged = upper <= near;
                break;
            }
            if !(tangent.rate > 0.0) {
                return None;
            }
            let next = at + certain / tangent.rate;
            if next > to {
                return None;
            }
            if !(next > at) {
                converged = upper <= near;
                break;
            }
            at = next;
        }
        // The place was found without a plane that stops short of it only if it is the first.
        let Some(tangent) = last else {
            return Some(Entry::Inside);
        };
        let upper = self.surely_inside_after(ray, at, tangent.rate, to);
        let crossing = ChordCrossing::between(at, [at, upper], tangent.normal);
        let converged = converged && upper < to;
        Some(Entry::At(FoundEntry {
            crossing,
            converged,
        }))
    }

    /// A place where the line is certainly inside of the set, close behind `at`; `to` if none is found.
    fn surely_inside_after(&self, ray: &RayInFrame<P>, at: f64, rate: f64, to: f64) -> f64 {
        if !(rate > 0.0) {
            return to;
        }
        let ahead =
            (0.125 * tolerances::RAY_GAP * ray.bounding_radius + 16.0 * ray.rounding) / rate;
        let is_inside = |place| self.upper_distance(ray.point(place)) <= -ray.rounding;
        surely_inside_after(at, ahead, to, BRACKET_LIMIT, is_inside)
    }

    /// An upper bound of the signed distance of a point.
    fn upper_distance(&self, point: P) -> f64 {
        let difference = self.difference_at(point);
        if self.radius > 0.0 {
            let upper = match search(&difference, Goal::closest_point(), &mut None) {
                SearchResult::Separated(found) => found.upper,
                SearchResult::Overlapping(overlap) => overlap.upper(),
                SearchResult::Farther { .. } => f64::INFINITY,
            };
            return upper - self.radius;
        }
        let gap = tolerances::POLYTOPE_DEPTH_GAP;
        match measure_difference(&difference, f64::INFINITY, gap) {
            Outcome::Near(measured) => measured.upper,
            _ => f64::INFINITY,
        }
    }
}
