//! The directions perpendicular to an edge of each side.
//!
//! On the arc of an edge the ends of the edge are the farthest points of its side. Which points of the other side are
//! the farthest changes along the arc, where it crosses arcs of that side. Any vertex of the other side gives a lower bound
//! of the height all along the arc; the greater of two such bounds is least where both are equal. There the true
//! height is looked at: either the bound is reached, so that an arc is crossed there, or a new vertex is found, and both
//! parts of the arc are looked at in turn.

use core::hint::select_unpredictable;

use arrayvec::ArrayVec;
use clearance_math::lanes::{
    Select, Simd, SimdBase, SimdMask, f32x16, greater_in_lanes, lesser_in_lanes,
};
use clearance_math::{PreciseVector, Vector, lesser_of};
use clearance_shapes::hull::{Hull, SIXTEEN, SixteenDirections};

use super::face_bounds::along;
use super::{Candidate, FIRST_POINTS, Feature, Point, Search};

/// By how much more a height between the ends of an arc may be wrong in single precision than one at an end.
///
/// It is compared on the chord, which comes nearer to the origin than the arc, though not nearer than 0.3 for the hulls that
/// have arcs: an error of the two bounds, and as much again of the computation, is divided by that.
const ARC_ALLOWANCE: f64 = 8.0;

/// The most parts of arcs that wait to be looked at.
const MOST_PARTS: usize = 64;

/// The arcs of a block on which some height may be less than the limit.
struct Open<S: Simd> {
    /// A bit for each of them.
    open: u32,
    /// The numbers of the points that are the greatest bounds at the first and at the last end of each arc.
    first: f32x16<S>,
    last: f32x16<S>,
}

/// The arcs of a block on which some height may be less than `limit`.
#[inline(always)]
fn may_be_less<S: Simd>(
    simd: S,
    arcs: &[SixteenDirections; 2],
    points: &[[f32; 3]],
    limit: f32x16<S>,
) -> Option<Open<S>> {
    if are_more(simd, arcs, points, limit) {
        return None;
    }
    let [from, to] = arcs;
    let none = f32x16::splat(simd, f32::NEG_INFINITY);
    let zero = f32x16::splat(simd, 0.0);
    let one = f32x16::splat(simd, 1.0);
    // The greatest bounds at the two ends, each with the bound of the same point at the other end.
    let (mut first, mut first_at_last, mut first_point) = (none, none, zero);
    let (mut last, mut last_at_first, mut last_point) = (none, none, zero);
    let mut number = zero;
    for point in points {
        let point = &splat(simd, point);
        let (at_first, at_last) = (along(from, point), along(to, point));
        let is_first = at_first.simd_gt(first);
        first = is_first.select(at_first, first);
        first_at_last = is_first.select(at_last, first_at_last);
        first_point = is_first.select(number, first_point);
        let is_last = at_last.simd_gt(last);
        last = is_last.select(at_last, last);
        last_at_first = is_last.select(at_first, last_at_first);
        last_point = is_last.select(number, last_point);
        number += one;
    }
    // Where the two bounds are equal on the chord. Its distance from the origin there follows from the cosine of the arc.
    // Rounding errors may leave nothing of a difference, or less.
    let ahead_first = greater_in_lanes(first - last_at_first, zero);
    let ahead_last = greater_in_lanes(last - first_at_last, zero);
    let least_sum = f32x16::splat(simd, f32::MIN_POSITIVE);
    let share = ahead_first / greater_in_lanes(ahead_first + ahead_last, least_sum);
    let height = first - (first - first_at_last) * share;
    let cosine = from[0].load(simd) * to[0].load(simd)
        + from[1].load(simd) * to[1].load(simd)
        + from[2].load(simd) * to[2].load(simd);
    let squared = one - (share + share) * (one - share) * (one - cosine);
    let is_low = height.simd_lt(zero) | (height * height).simd_lt(limit * limit * squared);
    // Where the height at an end is nearly the least one, another point may be the greatest bound there by less than what single
    // precision can tell, and its bound may become less beside the end.
    let is_tie = lesser_in_lanes(first, last).simd_lt(limit);
    Some(Open {
        open: (is_low | is_tie).to_bitmask() as u32,
        first: first_point,
        last: last_point,
    })
}

/// A point in single precision, each component in all lanes.
#[inline(always)]
fn splat<S: Simd>(simd: S, point: &[f32; 3]) -> [f32x16<S>; 3] {
    [
        f32x16::splat(simd, point[0]),
        f32x16::splat(simd, point[1]),
        f32x16::splat(simd, point[2]),
    ]
}

/// Whether a few points prove that no arc of a block has a height of less than `limit`.
#[inline(always)]
fn are_more<S: Simd>(
    simd: S,
    [from, to]: &[SixteenDirections; 2],
    points: &[[f32; 3]],
    limit: f32x16<S>,
) -> bool {
    let mut bounds = f32x16::splat(simd, f32::NEG_INFINITY);
    let (few, others) = points.split_at(FIRST_POINTS);
    for points in [few, others] {
        for point in points {
            let point = &splat(simd, point);
            let at_ends = lesser_in_lanes(along(from, point), along(to, point));
            bounds = greater_in_lanes(bounds, at_ends);
        }
        if !bounds.simd_lt(limit).any_true() {
            return true;
        }
    }
    false
}

/// A direction on an arc, and the point that is a bound there.
#[derive(Clone, Copy)]
struct End<P> {
    direction: P,
    point: usize,
}

/// Part of an arc.
#[derive(Clone, Copy)]
struct Part<P> {
    edge: usize,
    ends: [End<P>; 2],
}

/// Parts of arcs, each with the direction that may be the least there.
type Parts<P> = ArrayVec<(Part<P>, Crossing<P>), MOST_PARTS>;

/// Takes out the part with the least bound.
#[inline(always)]
fn least_of<P: PreciseVector>(parts: &mut Parts<P>) -> Option<(Part<P>, Crossing<P>)> {
    let mut least = (0, f64::INFINITY);
    for (number, (_, crossing)) in parts.iter().enumerate() {
        let is_less = crossing.height < least.1;
        least.0 = select_unpredictable(is_less, number, least.0);
        least.1 = select_unpredictable(is_less, crossing.height, least.1);
    }
    parts.swap_pop(least.0)
}

impl<V: Vector> Search<'_, V> {
    /// Looks at all arcs whose bounds do not exceed the least height. `None` if there are too many points.
    #[inline(always)]
    pub(super) fn arcs<S: Simd>(&mut self, simd: S) -> Option<()> {
        let (hull, map) = self.sides[1].hull()?;
        let limit = f32x16::splat(simd, (self.height + ARC_ALLOWANCE * self.allowance) as f32);
        let mut parts = Parts::new();
        for (block, arcs) in map.arcs().iter().enumerate() {
            let Some(found) = may_be_less(simd, arcs, &self.points_in_b, limit) else {
                continue;
            };
            let mut open = found.open;
            while open != 0 {
                let lane = open.trailing_zeros() as usize % SIXTEEN;
                open &= open - 1;
                if let Some(&edge) = map.edges().get(block * SIXTEEN + lane) {
                    let edge = edge as usize;
                    let points = [found.first[lane] as usize, found.last[lane] as usize];
                    let ends = self.ends(hull, edge, points);
                    self.push(hull, &mut parts, Part { edge, ends })?;
                }
            }
        }
        self.look_at_parts(simd, hull, &mut parts)
    }

    /// Looks at the parts of arcs, that of the least bound first.
    #[inline(always)]
    fn look_at_parts<S: Simd>(
        &mut self,
        simd: S,
        hull: &Hull<V>,
        parts: &mut Parts<V::Precise>,
    ) -> Option<()> {
        while let Some((Part { edge, ends }, crossing)) = least_of(parts) {
            if crossing.height >= self.height - self.limits.rounding {
                break;
            }
            let on_edge = self.on_edge(hull, edge);
            let other = self.support_of(simd, 0, crossing.normal);
            let point = self.point_of(on_edge, other);
            let height = point.sum().dot(crossing.normal);
            let [from, to] = ends;
            let is_known = self.other_of(from.point) == other || self.other_of(to.point) == other;
            if is_known || height <= crossing.height + self.limits.rounding {
                if height < self.least.height {
                    self.height = lesser_of(self.height, height);
                    self.least = Candidate {
                        height,
                        normal: crossing.normal,
                        feature: Feature::Edges {
                            edge,
                            points: [from.point, to.point],
                        },
                        point,
                    };
                }
                continue;
            }
            let middle = End {
                direction: crossing.normal,
                point: self.points.len(),
            };
            self.points.try_push(point).ok()?;
            for ends in [[from, middle], [middle, to]] {
                self.push(hull, parts, Part { edge, ends })?;
            }
        }
        Some(())
    }

    /// Adds a part of an arc if the least height may be there.
    #[inline(always)]
    fn push(
        &self,
        hull: &Hull<V>,
        parts: &mut Parts<V::Precise>,
        part: Part<V::Precise>,
    ) -> Option<()> {
        match self.crossing(self.on_edge(hull, part.edge), part.ends) {
            Some(crossing) => parts.try_push((part, crossing)).ok(),
            None => Some(()),
        }
    }

    #[inline(always)]
    fn on_edge(&self, hull: &Hull<V>, edge: usize) -> V::Precise {
        let corner = hull.vertices()[hull.edges()[edge].vertices[0] as usize];
        self.contribution(1, corner.to_precise())
    }

    /// The ends of an arc, with the points that are the greatest bounds there in single precision.
    #[inline(always)]
    fn ends(&self, hull: &Hull<V>, edge: usize, points: [usize; 2]) -> [End<V::Precise>; 2] {
        let [from, to] = hull.edges()[edge].faces;
        let from = self.direction_from(1, hull.face_normal(from as usize));
        let to = self.direction_from(1, hull.face_normal(to as usize));
        [self.end(from, points[0]), self.end(to, points[1])]
    }

    /// An end of an arc. The height there is known not to be less than the least one, so a bound that is less belongs to
    /// another point.
    #[inline(always)]
    fn end(&self, direction: V::Precise, point: usize) -> End<V::Precise> {
        let bound = self.points[point].sum().dot(direction);
        if bound >= self.height - self.limits.rounding {
            return End { direction, point };
        }
        self.best_known(direction)
    }

    /// The known point that is the greatest bound along a direction.
    #[cold]
    #[inline(never)]
    fn best_known(&self, direction: V::Precise) -> End<V::Precise> {
        let (mut best, mut greatest) = (0, f64::NEG_INFINITY);
        for (number, point) in self.points.iter().enumerate() {
            let bound = point.sum().dot(direction);
            if bound > greatest {
                (best, greatest) = (number, bound);
            }
        }
        End {
            direction,
            point: best,
        }
    }

    /// Where the bounds of both ends are equal, if the least height may be there.
    #[inline(always)]
    fn crossing(
        &self,
        on_edge: V::Precise,
        [from, to]: [End<V::Precise>; 2],
    ) -> Option<Crossing<V::Precise>> {
        let p = on_edge + self.other_of(from.point);
        let q = on_edge + self.other_of(to.point);
        // Along the chord between the ends both bounds are linear. At the first end that of p is the greater one, at the
        // other end that of q.
        let ahead_at_start = (p - q).dot(from.direction);
        let ahead_at_end = (q - p).dot(to.direction);
        let sum = ahead_at_start + ahead_at_end;
        if !(ahead_at_start > 0.0 && ahead_at_end > 0.0) {
            return None;
        }
        let share = ahead_at_start / sum;
        let chord = from.direction + (to.direction - from.direction) * share;
        let normal = chord / chord.length();
        let height = p.dot(normal);
        (height < self.height - self.limits.rounding).then_some(Crossing { normal, height })
    }

    #[inline(always)]
    fn other_of(&self, point: usize) -> V::Precise {
        self.points[point].of[0]
    }

    /// The point that a vertex of the side with arcs and one of the other side make.
    #[inline(always)]
    fn point_of(&self, on_edge: V::Precise, other: V::Precise) -> Point<V::Precise> {
        Point {
            of: [other, on_edge],
        }
    }
}

/// A direction on an arc with a lower bound of the height.
#[derive(Clone, Copy)]
struct Crossing<P> {
    normal: P,
    height: f64,
}
