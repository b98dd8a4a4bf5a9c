//! Points that two parts of surfaces in space have in common, seen along the normal of the pair.

use arrayvec::ArrayVec;
use clearance_math::internal::MapEach;
use clearance_math::internal::lanes::{FourVectors, LANES, Simd};
use clearance_math::{DVec2, PreciseVector, tolerances};

use super::clip::{Common, MOST_COMMON, clip};
use super::facing::Facing;
use super::outline::Outline;
use super::place::{Place, Places};
use crate::answer::Measured;

/// A point that can become one of a manifold.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    /// Where it lies across the normal.
    pub(super) at: DVec2,
    /// The height of a's surface there, over the base.
    pub(super) height: f64,
    pub(super) distance: f64,
    /// What it is on a and on b.
    pub(super) places: Places,
    /// Whether it lies at its corner, and not beside it on a round surface.
    pub(super) is_exact: bool,
}

pub(super) type Candidates = ArrayVec<Candidate, MOST_COMMON>;

/// The points of the pair and directions across its normal.
pub(super) struct View<P> {
    base: P,
    normal: P,
    right: P,
    up: P,
}

impl<P: PreciseVector> View<P> {
    pub(super) fn new(pair: &Measured<P>) -> Self {
        let (right, up) = pair.normal.in_space().any_orthonormal_pair();
        Self {
            base: pair.on_a,
            normal: pair.normal,
            right: P::from_space(right),
            up: P::from_space(up),
        }
    }

    fn height(&self, point: P) -> f64 {
        self.normal.dot(point - self.base)
    }

    /// The points of a candidate on a and on b. A corner is kept as it is, to the last bit.
    #[inline(always)]
    pub(super) fn points(&self, candidate: &Candidate, facing: [&Facing<P>; 2]) -> [P; 2] {
        let apart = self.normal * candidate.distance;
        match candidate.places.both() {
            [Place::Corner(k), _] if candidate.is_exact => {
                let on_a = facing[0].corners[usize::from(k)].point;
                [on_a, on_a + apart]
            }
            [_, Place::Corner(k)] if candidate.is_exact => {
                let on_b = facing[1].corners[usize::from(k)].point;
                [on_b - apart, on_b]
            }
            _ => {
                let Candidate { at, height, .. } = *candidate;
                let beside = self.right * at.x + self.up * at.y;
                let on_a = self.base + beside + self.normal * height;
                [on_a, on_a + apart]
            }
        }
    }
}

/// A part of a surface as it is seen along the normal.
struct Seen<'a, P: PreciseVector> {
    facing: &'a Facing<P>,
    corners: Outline,
    /// The height of its plane over the base, and how it rises.
    level: f64,
    rise: DVec2,
    /// Whether the shape lies below the part: that of a does.
    is_below: bool,
}

impl<'a, P: PreciseVector> Seen<'a, P> {
    fn new(facing: &'a Facing<P>, view: &View<P>) -> Self {
        let normal = facing.normal;
        // Parts that face each other have a normal along that of the pair.
        let along = normal.dot(view.normal);
        Self {
            facing,
            is_below: along > 0.0,
            corners: Outline::new(),
            level: normal.dot(facing.origin - view.base) / along,
            rise: -DVec2::new(normal.dot(view.right), normal.dot(view.up)) / along,
        }
    }

    /// Sees the corners. They are written where they stay, since a full list would be copied with all its room.
    #[inline(always)]
    fn see_corners<S: Simd>(&mut self, simd: S, view: &View<P>) {
        let corners = &self.facing.corners;
        let base = FourVectors::splat(simd, view.base);
        let (right, up) = (
            FourVectors::splat(simd, view.right),
            FourVectors::splat(simd, view.up),
        );
        for first in (0..corners.len()).step_by(LANES) {
            let count = LANES.min(corners.len() - first);
            let four = FourVectors::from_lanes(simd, |lane| {
                corners[if lane < count { first + lane } else { 0 }].point
            });
            let apart = four - base;
            self.corners.push([apart.dot(right), apart.dot(up)], count);
        }
    }

    fn height(&self, at: DVec2) -> f64 {
        self.level + self.rise.dot(at)
    }

    /// The height of the surface beside a line, which curves away from the other shape. `None` where that is too far
    /// from the line.
    fn height_beside(&self, at: DVec2, slack: f64) -> Option<f64> {
        let from = self.corners.at(0);
        let whole = self.corners.at(1) - from;
        let along = whole.try_normalize()?;
        let offset = along.perp_dot(at - from).abs();
        let place = along.dot(at - from);
        let level = || self.height(from + along * place);
        if offset <= slack {
            return Some(level());
        }
        let [first, last] = self.facing.roundness;
        let radius = first + (last - first) * (place / whole.length()).clamp(0.0, 1.0);
        let sine = offset / radius;
        if !(sine <= tolerances::PARALLEL_OFFSET) {
            return None;
        }
        let drop = radius * (1.0 - (1.0 - sine * sine).sqrt());
        Some(if self.is_below {
            level() - drop
        } else {
            level() + drop
        })
    }
}

/// Puts the points that the two parts have in common into `found`, and returns how far apart they must be to count as
/// two. There are none if the parts do not face each other, or if one of them is a point.
#[inline(always)]
pub(super) fn find<S: Simd, P: PreciseVector>(
    simd: S,
    facing: [&Facing<P>; 2],
    view: &View<P>,
    found: &mut Candidates,
) -> f64 {
    let mut a = Seen::new(facing[0], view);
    let mut b = Seen::new(facing[1], view);
    a.see_corners(simd, view);
    b.see_corners(simd, view);
    let seen = [&a, &b];
    let finder = Finder { view, seen };
    let extent = a.corners.extent(simd).min(b.corners.extent(simd));
    let slack = tolerances::MANIFOLD_SLACK * extent;
    match [0, 1].map_each(|side| seen[side].corners.len()) {
        [0, 0] | [1, _] | [_, 1] => {}
        [0, _] => finder.corners(1, found),
        [_, 0] => finder.corners(0, found),
        [2, 2] => {
            for end in finder.lines(slack).into_iter().flatten() {
                found.push(end);
            }
        }
        // Lines are cut by polygons.
        [_, 2] => finder.common(simd, [1, 0], slack, found),
        _ => finder.common(simd, [0, 1], slack, found),
    }
    slack
}

struct Finder<'a, P: PreciseVector> {
    view: &'a View<P>,
    seen: [&'a Seen<'a, P>; 2],
}

impl<P: PreciseVector> Finder<'_, P> {
    /// All corners of one part, over a half-space.
    fn corners(&self, side: usize, found: &mut Candidates) {
        for (at, k) in self.seen[side].corners.corners().zip(0..) {
            let mut places = [Place::Inside; 2];
            places[side] = Place::Corner(k);
            let _ = found.try_push(self.candidate(at, Places::of(places)));
        }
    }

    /// The corners of what the part on one side has in common with the polygon on the other.
    #[inline(always)]
    fn common<S: Simd>(
        &self,
        simd: S,
        [cut, cutter]: [usize; 2],
        slack: f64,
        found: &mut Candidates,
    ) {
        let corners = |side: usize| &self.seen[side].corners;
        let mut common = Common::new();
        clip(simd, [corners(cut), corners(cutter)], slack, &mut common);
        for vertex in &common {
            let places = if cut == 0 {
                vertex.places
            } else {
                vertex.places.exchanged()
            };
            // There is room for as many as clipping can make.
            let _ = found.try_push(self.candidate(vertex.at, places));
        }
    }

    /// The candidate at a place.
    #[inline(always)]
    fn candidate(&self, at: DVec2, places: Places) -> Candidate {
        let [a, b] = self.seen;
        let corner = |seen: &Seen<P>, k: u8| seen.facing.corners[usize::from(k)].point;
        let (height, above) = match places.both() {
            [Place::Corner(k), _] => (self.view.height(corner(a, k)), b.height(at)),
            [_, Place::Corner(k)] => (a.height(at), self.view.height(corner(b, k))),
            _ => (a.height(at), b.height(at)),
        };
        Candidate {
            at,
            height,
            distance: above - height,
            places,
            is_exact: true,
        }
    }

    /// The ends of the stretch along which two lines run beside each other. Lines that cross have none: the closest
    /// points of the pair are their contact.
    fn lines(&self, slack: f64) -> Option<[Candidate; 2]> {
        let [a, b] = self.seen;
        let along = a.corners.at(1) - a.corners.at(0);
        let length = along.length();
        if !(length > 0.0) {
            return None;
        }
        let along = along / length;
        let at = |corner: DVec2| along.dot(corner - a.corners.at(0));
        let ends_b = [at(b.corners.at(0)), at(b.corners.at(1))];
        let is_reversed = ends_b[1] < ends_b[0];
        let (low, high): (u8, u8) = if is_reversed { (1, 0) } else { (0, 1) };
        let end = |level: f64, (of_a, of_b): (u8, u8), a_ends_first: bool| {
            let own = if of_a == 0 { 0.0 } else { length };
            if (level - own).abs() <= slack {
                (own, [Place::Corner(of_a), Place::Corner(of_b)])
            } else if a_ends_first {
                (own, [Place::Corner(of_a), Place::Inside])
            } else {
                (level, [Place::Inside, Place::Corner(of_b)])
            }
        };
        let starts = end(
            ends_b[usize::from(low)],
            (0, low),
            ends_b[usize::from(low)] < 0.0,
        );
        let (last, is_short) = (
            ends_b[usize::from(high)],
            ends_b[usize::from(high)] > length,
        );
        let ends = end(last, (1, high), is_short);
        if starts.0 > ends.0 {
            return None;
        }
        let beside = |(distance, places): (f64, [Place; 2])| {
            let share = (distance - ends_b[0]) / (ends_b[1] - ends_b[0]);
            let on_b = b.corners.at(0).lerp(b.corners.at(1), share);
            self.beside(a.corners.at(0) + along * distance, on_b, (places, slack))
        };
        Some([beside(starts)?, beside(ends)?])
    }

    /// The candidate at two places of lines that pass each other; `None` if they are too far apart there.
    fn beside(
        &self,
        on_a: DVec2,
        on_b: DVec2,
        (places, slack): ([Place; 2], f64),
    ) -> Option<Candidate> {
        let apart = on_b - on_a;
        if apart.length() <= slack {
            let is_corner_of_a = matches!(places[0], Place::Corner(_));
            return Some(
                self.candidate(if is_corner_of_a { on_a } else { on_b }, Places::of(places)),
            );
        }
        let [a, b] = self.seen;
        let radii = [a, b].map_each(|seen| seen.facing.roundness.iter().sum::<f64>());
        if !(radii[0] + radii[1] > 0.0) {
            return None;
        }
        // Between the lines, nearer to the sharper one, and not beyond the end of b.
        let between = on_a + apart * (radii[0] / (radii[0] + radii[1]));
        let along = b.corners.at(1) - b.corners.at(0);
        let share = along.dot(between - b.corners.at(0)) / along.length_squared();
        let at = between + along * (share.clamp(0.0, 1.0) - share);
        let heights = [a.height_beside(at, slack)?, b.height_beside(at, slack)?];
        let [height, above] = heights;
        Some(Candidate {
            at,
            height,
            distance: above - height,
            places: Places::of(places),
            is_exact: false,
        })
    }
}
