//! Two lines in space that run beside each other, such as edges or the sides of capsules: the points at both ends of the
//! stretch along which they do.
//!
//! The cases, in this order:
//! * Seen along the normal, there is no such stretch, or the lines are too far from each other at one of its ends: the
//!   closest points are the only ones.
//! * Both ends are too far apart along the normal: the same.
//! * One of them is, or both are in the same place: one point.
//! * Otherwise two points. If the closest points are nearer than both, they replace the one beside them.

use arrayvec::ArrayVec;
use clearance_math::internal::MapEach;
use clearance_math::internal::lanes::VectorsInLanes;
use clearance_math::{PreciseVector, Vector, round_nearest, tolerances};

use super::answer::{Manifold, ManifoldPoint, ManifoldQuestion};
use super::ends::Closest;
use super::facing::Facing;
use super::feature::Feature;
use super::place::Place;
use super::points::{Anchor, FacingParts, FoundPoint};
use crate::answer::Measured;
use crate::convex::closed_forms::segment_segment::Middle;

/// A line on a surface that faces along the normal, or away from it.
struct BesideLine<P> {
    middle: P,
    /// From the middle to the second end, how much that rises along the normal, and how it is seen along the normal.
    half: P,
    rise: f64,
    seen: P,
    squared_length: f64,
    inverse: f64,
    /// The radius of curvature across the line in its middle, and how much more it is at the second end.
    radius: f64,
    growth: f64,
}

impl<P: PreciseVector> BesideLine<P> {
    #[inline(always)]
    fn new(line: Middle<P>, normal: P, [radius, growth]: [f64; 2]) -> Self {
        let rise = line.half.dot(normal);
        let seen = line.half - normal * rise;
        let squared_length = seen.length_squared();
        Self {
            middle: line.center,
            half: line.half,
            rise,
            seen,
            squared_length,
            inverse: 1.0 / squared_length,
            radius,
            growth,
        }
    }

    /// The line of a rounded segment. `normal` leads to the other segment, or away from it if `side` is -1.
    #[inline(always)]
    fn of_segment(segment: &Middle<P>, radius: f64, (normal, side): (P, f64)) -> Self {
        let half = segment.half;
        let rise = half.dot(normal);
        let share = rise / half.length_squared();
        // The normal of the line, times the cosine of the angle by which it leans.
        let across = normal - half * share;
        let up = across * (side * radius / (1.0 - rise * share).sqrt());
        let center = segment.center + up;
        Self::new(Middle { center, half }, normal, [radius, 0.0])
    }

    /// The line that a part of a surface is.
    fn of_part(facing: &Facing<P>, normal: P) -> Self {
        let [first, last] = [0, 1].map_each(|end| facing.corners[end].point);
        let [start, stop] = facing.roundness;
        let line = Middle {
            center: (first + last) * 0.5,
            half: (last - first) * 0.5,
        };
        Self::new(line, normal, [(start + stop) * 0.5, (stop - start) * 0.5])
    }

    /// How far along the line a vector leads across the normal, as a share of half of it.
    #[inline(always)]
    fn share(&self, vector: P) -> f64 {
        self.seen.dot(vector) * self.inverse
    }

    /// The way back to the end of the line from beyond it, seen along the normal; none from a place so far along it that is not
    /// beyond.
    #[inline(always)]
    fn back_to_line(&self, along: f64) -> P {
        self.seen * (along.clamp(-1.0, 1.0) - along)
    }

    /// How much lower the surface is at this vector beside the line, so far along it; as far as two points count as one, it
    /// is level. `None` where that is too far.
    #[inline(always)]
    fn drop_at(&self, beside: P, along: f64, squared_slack: f64) -> Option<f64> {
        let squared = beside.length_squared();
        if squared <= squared_slack {
            return Some(0.0);
        }
        let radius = self.radius + self.growth * along.clamp(-1.0, 1.0);
        // A flat cone is hardly curved across its side, but ends at its rim.
        let most = tolerances::PARALLEL_OFFSET * radius.min(self.squared_length.sqrt());
        (squared <= most * most).then(|| radius - (radius * radius - squared).sqrt())
    }
}

/// An end of the stretch: how far along a it is, from -1 to 1, and what it is on both.
#[derive(Clone, Copy)]
struct BesideEnd {
    along_a: f64,
    places: [Place; 2],
}

/// Two lines that face each other, and the distance of their shapes.
pub(crate) struct Beside<'a, P: PreciseVector> {
    pair: &'a Measured<P>,
    a: BesideLine<P>,
    b: BesideLine<P>,
    /// How far along a the middle and the second end of b are from the middle of a.
    middle_of_b: f64,
    reach_of_b: f64,
    inverse_reach: f64,
    /// The square of how far apart points must be to count as two.
    squared_slack: f64,
}

impl<'a, P: PreciseVector> Beside<'a, P> {
    /// The lines of two rounded segments.
    #[inline(always)]
    pub(crate) fn of_segments(
        [a, b]: [Middle<P>; 2],
        [radius_a, radius_b]: [f64; 2],
        pair: &'a Measured<P>,
    ) -> Self {
        let normal = pair.normal;
        let a = BesideLine::of_segment(&a, radius_a, (normal, 1.0));
        let b = BesideLine::of_segment(&b, radius_b, (normal, -1.0));
        Self::new(a, b, pair)
    }

    #[inline(always)]
    fn new(a: BesideLine<P>, b: BesideLine<P>, pair: &'a Measured<P>) -> Self {
        let slack = 2.0 * tolerances::MANIFOLD_SLACK;
        let reach_of_b = a.share(b.half);
        Self {
            pair,
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
    fn point(&self, end: BesideEnd) -> Option<FoundPoint<P>> {
        let Self { a, b, .. } = self;
        let (normal, squared_slack, places) = (self.pair.normal, self.squared_slack, end.places);
        let along_b = (end.along_a - self.middle_of_b) * self.inverse_reach;
        let at_a = a.middle + a.half * end.along_a;
        let at_b = b.middle + b.half * along_b;
        let height = normal.dot(at_b - at_a);
        let apart = at_b - at_a - normal * height;
        if apart.length_squared() <= squared_slack {
            let anchor = match places {
                [Place::Corner(_), _] => Anchor::on_a(at_a),
                _ => Anchor { side: 1, at: at_b },
            };
            return Some(FoundPoint {
                anchor,
                distance: height,
                places,
            });
        }
        let radii = a.radius + b.radius;
        if !(radii > 0.0) {
            return None;
        }
        // Between the lines, nearer to the sharper one, and not beyond the ends of b and of a.
        let part_of_a = a.radius / radii;
        let from_a = apart * part_of_a;
        let from_a = from_a + b.back_to_line(along_b + b.share(from_a - apart));
        let from_a = from_a + a.back_to_line(end.along_a + a.share(from_a));
        let from_b = from_a - apart;
        let (share_a, share_b) = (a.share(from_a), b.share(from_b));
        let drop = |line: &BesideLine<P>, from: P, share: f64, along: f64| {
            line.drop_at(from - line.seen * share, along + share, squared_slack)
        };
        let drop_of_a = drop(a, from_a, share_a, end.along_a)?;
        let drop_of_b = drop(b, from_b, share_b, along_b)?;
        let up = a.rise * share_a - drop_of_a;
        let up_to_b = height + b.rise * share_b + drop_of_b;
        Some(FoundPoint {
            anchor: Anchor::on_a(at_a + from_a + normal * up),
            distance: up_to_b - up,
            places,
        })
    }

    /// The points, at most `within` apart, sorted by what they are on both.
    #[inline(always)]
    fn points(&self, within: f64) -> ArrayVec<FoundPoint<P>, 2> {
        let ends = || {
            let [start, stop] = self.ends()?;
            Some([self.point(start)?.as_end(), self.point(stop)?.as_end()])
        };
        let mut points = ArrayVec::new();
        let Some(ends) = ends() else {
            points.push(FoundPoint::closest(self.pair));
            return points;
        };
        let closest = Closest {
            normal: VectorsInLanes::splat((), self.pair.normal),
            on_a: VectorsInLanes::splat((), self.pair.on_a),
            distance: self.pair.distance,
            within,
            has_ends: true,
        };
        for end in closest.ends_that_count(ends, self.squared_slack.sqrt()) {
            if end.is_kept {
                points.push(FoundPoint::of_end(&end));
            }
        }
        points
    }

    /// Appends the points, of shapes that were measured from this origin.
    #[inline]
    pub(crate) fn fill<V: Vector<Precise = P>>(
        &self,
        origin: P,
        asked: ManifoldQuestion,
        manifold: &mut Manifold<V>,
    ) {
        for point in self.points(f64::from(asked.within)) {
            let anchor = Anchor {
                at: point.anchor.at + origin,
                ..point.anchor
            };
            let apart = self.pair.normal * point.distance;
            let touch = anchor.touch(apart, point.places.map_each(feature));
            let distance = round_nearest(point.distance);
            let point = ManifoldPoint::new(distance, touch, asked.exchange);
            manifold.points.push(point);
        }
    }
}

impl<P: PreciseVector> FacingParts<'_, P> {
    /// The points of the manifold of two lines in space, at most `within` apart.
    #[inline(never)]
    pub(super) fn beside(&self, within: f64) -> ArrayVec<FoundPoint<P>, 2> {
        let [a, b] = self.facing;
        let line = |facing| BesideLine::of_part(facing, self.pair.normal);
        Beside::new(line(a), line(b), self.pair).points(within)
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
