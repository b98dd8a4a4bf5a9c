//! The common part of two convex polygons, or of a line and a polygon, that is seen along the normal.
//!
//! Its corners are the corners of each that lie within the other, and the places where a side of the one is cut by
//! the other (M. Cyrus and J. Beck, "Generalized two- and three-dimensional clipping", 1978). So it is known of each
//! corner what it is a corner of, and no corner is moved by a cut elsewhere.

use clearance_math::DVec2;
use clearance_math::internal::MapEach;
use clearance_math::internal::lanes::{LANES, Select, Simd, SimdBase, SimdMask, f64x4, mask64x4};

use super::candidates::Candidates;
use super::outline::{Four, Lines, Outline, Points};
use super::place::{Place, Places};

/// A polygon or a line that is cut, and the polygon that cuts it.
pub(super) struct Cut<'a> {
    pub(super) cut: &'a Outline,
    pub(super) cutter: &'a Outline,
    /// The side of the pair that is cut.
    pub(super) side: usize,
}

impl<'a> Cut<'a> {
    pub(super) fn of([cut, cutter]: [&'a Outline; 2], side: usize) -> Self {
        Self { cut, cutter, side }
    }
}

/// Adds the corners of the part of a polygon or a line that lies within a polygon. Corners that are at most the slack
/// outside of the line through each side count as within. Where corners of both count as one, only that of what is cut is
/// added.
#[inline(always)]
pub(super) fn clip<S: Simd>(simd: S, of: &Cut<'_>, candidates: &mut Candidates) {
    let (&Cut { cut, cutter, side }, slack) = (of, candidates.reach.slack);
    let mut cutting = Lines::new();
    cutting.fill(simd, cutter);
    let mut is_all_within = true;
    for block in 0..cut.blocks() {
        let at = cut.here(simd, block);
        let (lowest, in_use) = (cutting.lowest(at), cut.lanes_in_use(simd, block));
        let within = lowest.simd_ge(-slack) & in_use;
        let near = (within & lowest.simd_le(slack)).to_bitmask();
        is_all_within &= within.to_bitmask() == in_use.to_bitmask();
        let first = LANES * block;
        let mut places = Places::corners(numbers_from(simd, first), side);
        if near != 0 {
            let others = corners_at(cutter, (cut, first), near, slack);
            places = f64x4::load_array(simd, both_corners(others, first, side));
        }
        candidates.push(at, within, places);
    }
    // If all corners of the cut part are within, they are all corners of the common part, up to `slack`.
    if is_all_within {
        return;
    }
    push_crossings(simd, of, &cutting, candidates);
    if cut.len() == 2 {
        return;
    }
    let mut around = Lines::new();
    around.fill(simd, cut);
    for block in 0..cutter.blocks() {
        let at = cutter.here(simd, block);
        let lowest = around.lowest(at);
        let mut within = lowest.simd_ge(-slack) & cutter.lanes_in_use(simd, block);
        let near = (within & lowest.simd_le(slack)).to_bitmask();
        let first = LANES * block;
        if near != 0 {
            // Corners of the cut part stand for them.
            let own = corners_at(cut, (cutter, first), near, slack);
            within &= are_inside(simd, own);
        }
        candidates.push(
            at,
            within,
            Places::corners(numbers_from(simd, first), 1 - side),
        );
    }
}

/// What corners of a block, given as bits, are on another part: corners where one is at most `slack` away.
#[inline(never)]
fn corners_at(
    other: &Outline,
    (own, first): (&Outline, usize),
    mut near: u64,
    slack: f64,
) -> [Place; LANES] {
    let mut places = [Place::Inside; LANES];
    while near != 0 {
        let lane = near.trailing_zeros() as usize;
        near &= near - 1;
        let at = own.at(first + lane);
        let is_here = |corner: DVec2| (corner - at).length_squared() <= slack * slack;
        if let Some(corner) = other.corners().position(is_here) {
            places[lane] = Place::Corner(corner as u8);
        }
    }
    places
}

/// The [`Places`] of corners of a block, and what they are on the other part.
fn both_corners(others: [Place; LANES], first: usize, side: usize) -> Four {
    [0, 1, 2, 3].map_each(|lane| {
        let places = [Place::Corner((first + lane) as u8), others[lane]];
        Places::of([places[side], places[1 - side]]).lane()
    })
}

/// The numbers of the corners or sides of a block.
#[inline(always)]
pub(super) fn numbers_from<S: Simd>(simd: S, first: usize) -> f64x4<S> {
    f64x4::load_array(simd, [0.0, 1.0, 2.0, 3.0]) + first as f64
}

#[inline(always)]
fn are_inside<S: Simd>(simd: S, [a, b, c, d]: [Place; LANES]) -> mask64x4<S> {
    let inside = Place::Inside;
    let number = |is_inside: bool| f64::from(u8::from(is_inside));
    let numbers = [
        number(a == inside),
        number(b == inside),
        number(c == inside),
        number(d == inside),
    ];
    f64x4::load_array(simd, numbers).simd_gt(0.5)
}

/// Adds the places where the sides of a polygon or a line are cut by the sides of a polygon.
#[inline(always)]
fn push_crossings<S: Simd>(
    simd: S,
    &Cut { cut, side, .. }: &Cut<'_>,
    cutting: &Lines,
    candidates: &mut Candidates,
) {
    let slack = candidates.reach.slack;
    let mut named = [slack; 2];
    if cut.len() == 2 {
        // The only side of a line has its ends made here, even where they are hardly off a corner.
        let lowest = cutting.lowest(cut.here(simd, 0)).to_array();
        for (named, lowest) in named.iter_mut().zip(lowest) {
            *named = if lowest < -slack { -slack } else { slack };
        }
    }
    for block in 0..cut.blocks() {
        let ends = [cut.here(simd, block), cut.there(simd, block)];
        let [starts, stops] = stretch(simd, ends, cutting, ClipLimits { slack, named });
        let is_any = starts.at.simd_le(stops.at) & cut.sides_in_use(simd, block);
        let numbers = numbers_from(simd, LANES * block);
        for end in [starts, stops] {
            let are_there = is_any & end.by.simd_ge(0.0);
            let places = Places::crossings(numbers, end.by, side);
            candidates.push(between(ends, end.at), are_there, places);
        }
    }
}

/// Points between others, as shares of the way.
#[inline(always)]
fn between<S: Simd>([from, to]: [Points<S>; 2], share: f64x4<S>) -> Points<S> {
    let rest = f64x4::splat(share.simd, 1.0) - share;
    [
        from[0] * rest + to[0] * share,
        from[1] * rest + to[1] * share,
    ]
}

/// What the heights of the ends of a side mean.
#[derive(Clone, Copy)]
struct ClipLimits {
    /// An end is not without if it is at most so far outside.
    slack: f64,
    /// A crossing is a corner of its own if the end within is higher than this: where it is the first end, and where it
    /// is the last.
    named: [f64; 2],
}

/// Where the stretches of four sides that lie within a polygon begin, or where they end, from 0 to 1, and the number of
/// the side of the polygon that makes it so; -1 if it is the end of the whole side.
#[derive(Clone, Copy)]
struct Ends<S: Simd> {
    at: f64x4<S>,
    by: f64x4<S>,
}

/// The stretches of four sides that lie within a polygon: where they begin, and where they end.
///
/// A line cuts a side where one end is without, and the other not. If the other end is near the line, the crossing is no
/// corner of its own: that end stands for it, if it is within.
#[inline(always)]
fn stretch<S: Simd>(
    simd: S,
    [from, to]: [Points<S>; 2],
    cutting: &Lines,
    limits: ClipLimits,
) -> [Ends<S>; 2] {
    let whole = f64x4::splat(simd, -1.0);
    let mut starts = Ends {
        at: f64x4::splat(simd, 0.0),
        by: whole,
    };
    let mut stops = Ends {
        at: f64x4::splat(simd, 1.0),
        by: whole,
    };
    for (block, four) in cutting.fours().iter().enumerate() {
        for lane in 0..LANES {
            let (here, there) = (four.height(lane, from), four.height(lane, to));
            let (enters, leaves) = (here.simd_lt(-limits.slack), there.simd_lt(-limits.slack));
            let at = here / (here - there);
            let by = f64x4::splat(simd, (LANES * block + lane) as f64);
            let is_start = enters & !leaves & at.simd_gt(starts.at);
            let is_stop = leaves & !enters & at.simd_lt(stops.at);
            let (by_start, by_stop) = (
                there.simd_gt(limits.named[1]).select(by, whole),
                here.simd_gt(limits.named[0]).select(by, whole),
            );
            starts.by = is_start.select(by_start, starts.by);
            stops.by = is_stop.select(by_stop, stops.by);
            stops.at = is_stop.select(at, stops.at);
            starts.at = is_start.select(at, starts.at);
            starts.at = (enters & leaves).select(f64x4::splat(simd, f64::INFINITY), starts.at);
        }
    }
    [starts, stops]
}

#[cfg(test)]
mod tests {
    use clearance_math::internal::lanes::dispatch;

    use super::*;
    use crate::manifold::candidates::{Reach, Slope};

    /// A corner of the common part, and what it is on both.
    #[derive(Debug)]
    struct Vertex {
        at: DVec2,
        places: [Place; 2],
    }

    fn clip(cut: &[DVec2], cutter: &[DVec2], slack: f64) -> Vec<Vertex> {
        let level = Slope {
            level: 0.0,
            rise: DVec2::ZERO,
        };
        let reach = Reach {
            distance: 0.0,
            within: 0.0,
            slack,
        };
        let mut candidates = Candidates::new([level; 2], reach);
        dispatch!(simd => clip_lists(simd, [cut, cutter], &mut candidates));
        let vertex = |point| Vertex {
            at: candidates.at(point),
            places: candidates.places(point).both(),
        };
        candidates.points().map(vertex).collect()
    }

    #[inline(always)]
    fn clip_lists<S: Simd>(simd: S, lists: [&[DVec2]; 2], candidates: &mut Candidates) {
        let outlines = lists.map(|corners| {
            let mut outline = Outline::new();
            for first in (0..corners.len()).step_by(LANES) {
                let four =
                    [0, 1, 2, 3].map(|lane| *corners.get(first + lane).unwrap_or(&corners[0]));
                let x = f64x4::load_array(simd, four.map(|corner| corner.x));
                let y = f64x4::load_array(simd, four.map(|corner| corner.y));
                outline.push([x, y], LANES.min(corners.len() - first));
            }
            outline
        });
        super::clip(simd, &Cut::of([&outlines[0], &outlines[1]], 0), candidates);
    }

    fn square(half: f64, turn: f64) -> Vec<DVec2> {
        let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
        let turn = DVec2::from_angle(turn);
        corners
            .map(|(x, y)| turn.rotate(DVec2::new(x, y) * half))
            .to_vec()
    }

    /// The area of the polygon that has these corners, in any order.
    fn area(common: &[Vertex]) -> f64 {
        let mut corners: Vec<DVec2> = common.iter().map(|vertex| vertex.at).collect();
        let middle = corners.iter().sum::<DVec2>() / corners.len() as f64;
        corners.sort_by(|p, q| {
            (*p - middle)
                .to_angle()
                .total_cmp(&(*q - middle).to_angle())
        });
        let following = corners.iter().cycle().skip(1);
        let turns = corners.iter().zip(following).map(|(p, q)| p.perp_dot(*q));
        0.5 * turns.sum::<f64>()
    }

    #[test]
    fn a_square_within_another_keeps_its_corners() {
        for turn in [0.0, 0.3, 0.7] {
            let common = clip(&square(0.5, turn), &square(1.0, 0.0), 1e-9);
            let places: Vec<Place> = common.iter().map(|vertex| vertex.places[0]).collect();
            assert_eq!(places, [0, 1, 2, 3].map(Place::Corner));
            let common = clip(&square(1.0, 0.0), &square(0.5, turn), 1e-9);
            let mut places: Vec<Place> = common.iter().map(|vertex| vertex.places[1]).collect();
            places.sort_unstable_by_key(|place| place.number());
            assert_eq!(places, [0, 1, 2, 3].map(Place::Corner));
            assert!((area(&common) - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn equal_squares_turned_make_an_octagon() {
        let common = clip(
            &square(1.0, 0.0),
            &square(1.0, core::f64::consts::FRAC_PI_4),
            1e-9,
        );
        assert_eq!(common.len(), 8);
        let sides = |vertex: &Vertex| matches!(vertex.places, [Place::Side(_), Place::Side(_)]);
        assert!(common.iter().all(sides), "{common:?}");
        // The square is 2 wide, and so is the octagon.
        assert!((area(&common) - 8.0 * (2.0_f64.sqrt() - 1.0)).abs() < 1e-12);
    }

    /// Its corners lie so little within the sides that no side cuts another one.
    #[test]
    fn a_square_that_nearly_touches_the_sides_around_it_keeps_its_corners() {
        let slack = 1e-6;
        let half = (1.0 - 0.5 * slack) * core::f64::consts::FRAC_1_SQRT_2;
        let inner = square(half, core::f64::consts::FRAC_PI_4);
        for (cut, cutter) in [(square(1.0, 0.0), inner.clone()), (inner, square(1.0, 0.0))] {
            let common = clip(&cut, &cutter, slack);
            assert_eq!(common.len(), 4, "{common:?}");
            assert!((area(&common) - 2.0).abs() < 1e-5, "{common:?}");
        }
    }

    fn octagon(turn: f64) -> Vec<DVec2> {
        let angle = |k: i32| f64::from(k) * core::f64::consts::FRAC_PI_4 + turn;
        (0..8).map(|k| DVec2::from_angle(angle(k))).collect()
    }

    #[test]
    fn crossings_are_named_by_the_sides_that_pass_there() {
        let polygons = [octagon(0.0), octagon(core::f64::consts::FRAC_PI_8)];
        let common = clip(&polygons[0], &polygons[1], 1e-9);
        assert_eq!(common.len(), 16, "{common:?}");
        for vertex in &common {
            for (polygon, place) in polygons.iter().zip(vertex.places) {
                let Place::Side(side) = place else {
                    panic!("{vertex:?} is no crossing");
                };
                let [from, to] = [side, side + 1].map(|k| polygon[usize::from(k) % 8]);
                let beside = (to - from).perp_dot(vertex.at - from);
                assert!(beside.abs() < 1e-12, "{vertex:?}");
            }
        }
    }

    #[test]
    fn an_octagon_within_a_square_keeps_its_corners() {
        for turn in [0.0, 0.3, 0.7, 2.0] {
            let common = clip(&square(1.5, turn), &octagon(0.0), 1e-9);
            let mut places: Vec<Place> = common.iter().map(|vertex| vertex.places[1]).collect();
            places.sort_unstable_by_key(|place| place.number());
            assert_eq!(places, [0, 1, 2, 3, 4, 5, 6, 7].map(Place::Corner));
            assert!((area(&common) - 8.0_f64.sqrt()).abs() < 1e-12);
        }
    }

    #[test]
    fn both_ways_round_and_equal_squares_are_cut_alike() {
        let mut back = square(1.0, 0.0);
        back.reverse();
        for cutter in [square(1.0, 0.0), back] {
            let common = clip(&square(1.0, 1e-8), &cutter, 1e-6);
            let places: Vec<Place> = common.iter().map(|vertex| vertex.places[0]).collect();
            assert_eq!(places, [0, 1, 2, 3].map(Place::Corner));
            assert!(clip(&square(1.0, 0.0).map_by(4.0), &cutter, 1e-6).is_empty());
        }
    }

    /// It starts hardly outside of one side, passes through, and ends outside of another.
    #[test]
    fn a_line_along_a_side_has_two_ends() {
        let slack = 1e-6;
        let unit = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].map(|(x, y)| DVec2::new(x, y));
        let line = [DVec2::new(0.2, -1.1 * slack), DVec2::new(1.5, 0.9 * slack)];
        for line in [line, [line[1], line[0]]] {
            let common = clip(&line, &unit, slack);
            assert_eq!(common.len(), 2, "{common:?}");
            let mut ends = [common[0].at.x, common[1].at.x];
            ends.sort_by(f64::total_cmp);
            assert!((ends[0] - 0.915).abs() < 1e-3 && ends[1] == 1.0, "{ends:?}");
        }
    }

    trait Moved {
        fn map_by(self, x: f64) -> Self;
    }

    impl Moved for Vec<DVec2> {
        fn map_by(self, x: f64) -> Self {
            self.into_iter().map(|p| p + DVec2::new(x, 0.0)).collect()
        }
    }

    #[test]
    fn a_line_is_cut_to_what_lies_inside() {
        let line = [DVec2::new(-3.0, 0.25), DVec2::new(0.5, 0.25)];
        let common = clip(&line, &square(1.0, 0.0), 1e-9);
        let ends: Vec<f64> = common.iter().map(|vertex| vertex.at.x).collect();
        let is_at = |x: f64, wanted: f64| (x - wanted).abs() < 1e-12;
        for wanted in [-1.0, 0.5] {
            assert!(ends.iter().any(|&x| is_at(x, wanted)), "{ends:?}");
        }
        let is_known = |&x: &f64| is_at(x, -1.0) || is_at(x, 0.5);
        assert!(ends.iter().all(is_known), "{ends:?}");
    }
}
