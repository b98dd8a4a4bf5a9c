//! Two segments in space, rounded or not, that run beside each other: the points at both ends of the stretch along
//! which they do.
//!
//! They are those that the [parts that face each other](super::facing) and [clipping](super::candidates) would find, up
//! to rounding, computed along the axes of the world and without lists. The cases, in this order:
//! * Seen along the normal, there is no such stretch, or the lines are too far from each other at one of its ends: the
//!   closest points are the only ones.
//! * Both ends are too far apart along the normal: the same.
//! * One of them is, or both are in the same place: one point.
//! * Otherwise two points. If the closest points are nearer than both, they replace the one beside them.

use arrayvec::ArrayVec;
use clearance_math::internal::MapEach;
use clearance_math::{PreciseVector, Vector, round_nearest, tolerances};

use super::answer::{Asked, Manifold, ManifoldPoint, Touch};
use super::feature::Feature;
use super::place::{Place, Places};
use super::points::rank;

use crate::answer::Measured;
use crate::convex::closed_forms::segment_segment::Middle;

/// Two segments that face each other, and their distance.
pub(crate) struct Beside<'a, P: PreciseVector> {
    pub(crate) segments: [Middle<P>; 2],
    pub(crate) radii: [f64; 2],
    /// Of the rounded segments.
    pub(crate) measured: &'a Measured<P>,
}

/// The line on the surface of a rounded segment that faces the other one.
struct BesideLine<P> {
    middle: P,
    /// From the middle to the second end, how much that rises along the normal, and how it is seen along the normal.
    half: P,
    rise: f64,
    seen: P,
    squared_length: f64,
    inverse: f64,
    radius: f64,
}

impl<P: PreciseVector> BesideLine<P> {
    /// `normal` leads to the other segment, or away from it if `side` is -1.
    #[inline(always)]
    fn new(segment: &Middle<P>, radius: f64, (normal, side): (P, f64)) -> Self {
        let half = segment.half;
        let rise = half.dot(normal);
        let share = rise / half.length_squared();
        // The normal of the line, times the cosine of the angle by which it leans.
        let across = normal - half * share;
        let up = across * (side * radius / (1.0 - rise * share).sqrt());
        let seen = half - normal * rise;
        let squared_length = seen.length_squared();
        Self {
            middle: segment.center + up,
            half,
            rise,
            seen,
            squared_length,
            inverse: 1.0 / squared_length,
            radius,
        }
    }

    /// How far along the line a vector leads across the normal, as a share of half of it.
    #[inline(always)]
    fn share(&self, vector: P) -> f64 {
        self.seen.dot(vector) * self.inverse
    }

    /// How much lower the surface is at this vector beside the line; as far as two points count as one, it is level.
    /// `None` where that is too far.
    #[inline(always)]
    fn drop_at(&self, beside: P, squared_slack: f64) -> Option<f64> {
        let squared = beside.length_squared();
        if squared <= squared_slack {
            return Some(0.0);
        }
        let most = tolerances::PARALLEL_OFFSET * self.radius;
        (squared <= most * most).then(|| self.radius - (self.radius * self.radius - squared).sqrt())
    }
}

/// An end of the stretch: how far along a it is, from -1 to 1, and what it is on both.
#[derive(Clone, Copy)]
struct BesideEnd {
    along_a: f64,
    places: [Place; 2],
}

/// A point of the manifold.
#[derive(Clone, Copy)]
struct BesideSpot<P> {
    on: [P; 2],
    distance: f64,
    places: [Place; 2],
}

/// The lines of both segments.
struct BesideLines<P> {
    normal: P,
    a: BesideLine<P>,
    b: BesideLine<P>,
    /// How far along a the middle and the second end of b are from the middle of a.
    middle_of_b: f64,
    reach_of_b: f64,
    inverse_reach: f64,
    /// The square of how far apart points must be to count as two.
    squared_slack: f64,
}

impl<P: PreciseVector> BesideLines<P> {
    #[inline(always)]
    fn of(beside: &Beside<P>) -> Self {
        let ([a, b], normal) = (&beside.segments, beside.measured.normal);
        let [radius_a, radius_b] = beside.radii;
        let a = BesideLine::new(a, radius_a, (normal, 1.0));
        let b = BesideLine::new(b, radius_b, (normal, -1.0));
        let slack = 2.0 * tolerances::MANIFOLD_SLACK;
        let reach_of_b = a.share(b.half);
        Self {
            normal,
            middle_of_b: a.share(b.middle - a.middle),
            reach_of_b,
            inverse_reach: 1.0 / reach_of_b,
            squared_slack: slack * slack * a.squared_length.min(b.squared_length),
            a,
            b,
        }
    }

    /// `None` if the lines do not run beside each other.
    #[inline(always)]
    fn ends(&self) -> Option<[BesideEnd; 2]> {
        let near = self.squared_slack * self.a.inverse;
        let (first, last) = if self.reach_of_b < 0.0 {
            (1, 0)
        } else {
            (0, 1)
        };
        // Which end of which line comes first is decided at both ends alike, as if a led the other way.
        let end = |(of_a, of_b): (u8, u8), side: f64| {
            let level = (side * self.middle_of_b) + self.reach_of_b.abs();
            let (own, other) = (Place::Corner(of_a), Place::Corner(of_b));
            if (level - 1.0) * (level - 1.0) <= near {
                (1.0, [own, other])
            } else if level > 1.0 {
                (1.0, [own, Place::Inside])
            } else {
                (level, [Place::Inside, other])
            }
        };
        let ((before, at_start), (after, at_stop)) = (end((0, first), -1.0), end((1, last), 1.0));
        (-before <= after).then_some([
            BesideEnd {
                along_a: -before,
                places: at_start,
            },
            BesideEnd {
                along_a: after,
                places: at_stop,
            },
        ])
    }

    /// The point at an end; `None` if the lines are too far apart there.
    #[inline(always)]
    fn spot(&self, end: BesideEnd) -> Option<BesideSpot<P>> {
        let Self { normal, a, b, .. } = self;
        let (normal, squared_slack, places) = (*normal, self.squared_slack, end.places);
        let along_b = (end.along_a - self.middle_of_b) * self.inverse_reach;
        let at_a = a.middle + a.half * end.along_a;
        let at_b = b.middle + b.half * along_b;
        let height = normal.dot(at_b - at_a);
        let apart = at_b - at_a - normal * height;
        if apart.length_squared() <= squared_slack {
            let up = normal * height;
            let on = match places {
                [Place::Corner(_), _] => [at_a, at_a + up],
                _ => [at_b - up, at_b],
            };
            return Some(BesideSpot {
                on,
                distance: height,
                places,
            });
        }
        let radii = a.radius + b.radius;
        if !(radii > 0.0) {
            return None;
        }
        // Between the lines, nearer to the sharper one, and not beyond the end of b.
        let part_of_a = a.radius / radii;
        let along_b = along_b + b.share(apart) * (part_of_a - 1.0);
        let back = b.seen * (along_b.clamp(-1.0, 1.0) - along_b);
        let from_a = apart * part_of_a + back;
        let from_b = from_a - apart;
        let (share_a, share_b) = (a.share(from_a), b.share(from_b));
        let drop_of_a = a.drop_at(from_a - a.seen * share_a, squared_slack)?;
        let drop_of_b = b.drop_at(from_b - b.seen * share_b, squared_slack)?;
        let up = a.rise * share_a - drop_of_a;
        let up_to_b = height + b.rise * share_b + drop_of_b;
        let on_a = at_a + from_a + normal * up;
        let distance = up_to_b - up;
        Some(BesideSpot {
            on: [on_a, on_a + normal * distance],
            distance,
            places,
        })
    }

    /// The squared distance of two points across the normal.
    #[inline(always)]
    fn squared_across(&self, from: P, to: P) -> f64 {
        let apart = to - from;
        (apart - self.normal * self.normal.dot(apart)).length_squared()
    }
}

impl<P: PreciseVector> Beside<'_, P> {
    /// The closest points, as what they are on both.
    #[inline(always)]
    fn closest(&self, places: [Place; 2]) -> BesideSpot<P> {
        let &Measured {
            on_a,
            normal,
            distance,
            ..
        } = self.measured;
        BesideSpot {
            on: [on_a, on_a + normal * distance],
            distance,
            places,
        }
    }

    /// The points, at most `within` apart, sorted by what they are on both.
    #[inline(always)]
    fn spots(&self, within: f64) -> ArrayVec<BesideSpot<P>, 2> {
        let lines = BesideLines::of(self);
        let distance = self.measured.distance;
        let enough = distance + lines.squared_slack.sqrt();
        let mut kept = ArrayVec::new();
        if let Some([start, stop]) = lines.ends()
            && let Some(start) = lines.spot(start)
            && let Some(stop) = lines.spot(stop)
        {
            let order = |spot: &BesideSpot<P>| rank(Places::of(spot.places));
            let both = if order(&stop) < order(&start) {
                [stop, start]
            } else {
                [start, stop]
            };
            let most = within.max(enough);
            for spot in both {
                let is_double = |other: &BesideSpot<P>| {
                    lines.squared_across(other.on[0], spot.on[0]) <= lines.squared_slack
                };
                if spot.distance <= most && !kept.first().is_some_and(is_double) {
                    kept.push(spot);
                }
            }
        }
        if !kept.iter().any(|spot| spot.distance <= enough) {
            let from_own =
                |spot: &BesideSpot<P>| lines.squared_across(self.measured.on_a, spot.on[0]);
            let nearest = kept
                .iter_mut()
                .min_by(|p, q| from_own(p).total_cmp(&from_own(q)));
            match nearest {
                Some(nearest) => *nearest = self.closest(nearest.places),
                None => kept.push(self.closest([Place::Inside; 2])),
            }
        }
        kept
    }

    /// Appends the points, of shapes that were measured from this origin.
    #[inline]
    pub(crate) fn fill<V: Vector<Precise = P>>(
        &self,
        origin: P,
        asked: Asked,
        manifold: &mut Manifold<V>,
    ) {
        for spot in self.spots(f64::from(asked.within)) {
            let touch = Touch {
                on: spot.on.map_each(|point| point + origin),
                features: spot.places.map_each(feature),
            };
            let point = ManifoldPoint::new(round_nearest(spot.distance), touch, asked.exchange);
            manifold.points.push(point);
        }
    }
}

/// What a place on a segment is.
#[inline(always)]
fn feature(place: Place) -> Feature {
    match place {
        Place::Corner(number) => Feature::Corner(u32::from(number)),
        Place::Side(_) | Place::Inside => Feature::Edge(0),
    }
}
