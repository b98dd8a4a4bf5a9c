//! The common part of two convex polygons, or of a line and a polygon, that is seen along the normal.
//!
//! Its corners are the corners of each that lie within the other, and the places where a side of the one is cut by
//! the other (M. Cyrus and J. Beck, "Generalized two- and three-dimensional clipping", 1978). So it is known of each
//! corner what it is a corner of, and no corner is moved by a cut elsewhere.

use arrayvec::ArrayVec;
use clearance_math::DVec2;
use clearance_math::internal::lanes::{LANES, Select, Simd, SimdBase, SimdMask, f64x4};

use super::facing::MOST_CORNERS;
use super::outline::{Four, Lines, Outline, Points};
use super::place::{Place, Places};

/// The most corners of a common part: each side of the one polygon can add one to those of the other.
pub(super) const MOST_COMMON: usize = 2 * MOST_CORNERS;

/// A corner of the common part.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClipVertex {
    pub(super) at: DVec2,
    /// What it is on the part that is cut, and on the polygon that cuts.
    pub(super) places: Places,
}

pub(super) type Common = ArrayVec<ClipVertex, MOST_COMMON>;

/// Appends the corners of the part of a polygon or a line that lies within the polygon `cutter`. Corners that are at
/// most `slack` outside of the line through each side count as within. Where corners of both are at most `slack` from
/// each other, only that of `cut` is appended.
#[inline(always)]
pub(super) fn clip<S: Simd>(
    simd: S,
    [cut, cutter]: [&Outline; 2],
    slack: f64,
    common: &mut Common,
) {
    let mut cutting = Lines::new();
    cutting.fill(simd, cutter);
    let mut is_all_within = true;
    for block in 0..cut.blocks() {
        let lowest = cutting.lowest(cut.here(simd, block));
        let lanes = cut.lanes_in_use(block);
        let mut within = lowest.simd_ge(-slack).to_bitmask() & lanes;
        let near = lowest.simd_le(slack).to_bitmask();
        is_all_within &= within == lanes;
        while within != 0 {
            let (k, is_near) = next_lane(&mut within, block, near);
            let at = cut.at(k);
            let corner = if is_near {
                corner_at(cutter, at, slack)
            } else {
                None
            };
            let own = Place::Corner(k as u8);
            push(common, at, [own, corner.unwrap_or(Place::Inside)]);
        }
    }
    // If all corners of the cut part are within, they are all corners of the common part, up to `slack`.
    if is_all_within {
        return;
    }
    push_crossings(simd, (cut, &cutting), slack, common);
    if cut.len() == 2 {
        return;
    }
    let mut around = Lines::new();
    around.fill(simd, cut);
    for block in 0..cutter.blocks() {
        let lowest = around.lowest(cutter.here(simd, block));
        let mut within = lowest.simd_ge(-slack).to_bitmask() & cutter.lanes_in_use(block);
        let near = lowest.simd_le(slack).to_bitmask();
        while within != 0 {
            let (k, is_near) = next_lane(&mut within, block, near);
            let at = cutter.at(k);
            if !is_near || corner_at(cut, at, slack).is_none() {
                push(common, at, [Place::Inside, Place::Corner(k as u8)]);
            }
        }
    }
}

/// Takes the lowest of the bits of a block's lanes. Returns the number of its corner, and whether its bit in `others`
/// is set.
#[inline(always)]
fn next_lane(bits: &mut u64, block: usize, others: u64) -> (usize, bool) {
    let lane = bits.trailing_zeros() as usize;
    *bits &= *bits - 1;
    (LANES * block + lane, others >> lane & 1 == 1)
}

/// There is room for as many as two convex polygons can have; more are doubles, by rounding.
#[inline(always)]
fn push(common: &mut Common, at: DVec2, places: [Place; 2]) {
    let places = Places::of(places);
    let _ = common.try_push(ClipVertex { at, places });
}

/// The corner that is at most `slack` away from a place.
fn corner_at(corners: &Outline, at: DVec2, slack: f64) -> Option<Place> {
    let is_here = |corner: DVec2| (corner - at).length_squared() <= slack * slack;
    let near = corners.corners().position(is_here);
    near.map(|corner| Place::Corner(corner as u8))
}

/// Appends the places where the sides of a polygon or a line are cut by the sides of a polygon.
#[inline(always)]
fn push_crossings<S: Simd>(
    simd: S,
    (cut, cutting): (&Outline, &Lines),
    slack: f64,
    common: &mut Common,
) {
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
        // A line has one side, its first.
        let sides = cut.lanes_in_use(block) >> u64::from(cut.len() == 2);
        let is_any = starts.at.simd_le(stops.at).to_bitmask() & sides;
        for end in [starts, stops] {
            let [x, y] = between(ends, end.at);
            let by = end.by.to_array();
            let mut cut_here = is_any & end.by.simd_ge(0.0).to_bitmask();
            while cut_here != 0 {
                let (k, _) = next_lane(&mut cut_here, block, 0);
                let lane = k % LANES;
                let places = [Place::Side(k as u8), Place::Side(by[lane] as u8)];
                push(common, DVec2::new(x[lane], y[lane]), places);
            }
        }
    }
}

/// Points between others, as shares of the way.
#[inline(always)]
fn between<S: Simd>([from, to]: [Points<S>; 2], share: f64x4<S>) -> [Four; 2] {
    let rest = f64x4::splat(share.simd, 1.0) - share;
    [
        (from[0] * rest + to[0] * share).to_array(),
        (from[1] * rest + to[1] * share).to_array(),
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
    for number in 0..cutting.len() {
        let (here, there) = (cutting.height(number, from), cutting.height(number, to));
        let (enters, leaves) = (here.simd_lt(-limits.slack), there.simd_lt(-limits.slack));
        let at = here / (here - there);
        let by = f64x4::splat(simd, number as f64);
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
    [starts, stops]
}

#[cfg(test)]
mod tests {
    use clearance_math::internal::lanes::dispatch;

    use super::*;

    fn clip(cut: &[DVec2], cutter: &[DVec2], slack: f64) -> Common {
        let mut common = Common::new();
        dispatch!(simd => clip_lists(simd, [cut, cutter], slack, &mut common));
        common
    }

    #[inline(always)]
    fn clip_lists<S: Simd>(simd: S, lists: [&[DVec2]; 2], slack: f64, common: &mut Common) {
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
        super::clip(simd, [&outlines[0], &outlines[1]], slack, common);
    }

    fn square(half: f64, turn: f64) -> Vec<DVec2> {
        let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
        let turn = DVec2::from_angle(turn);
        corners
            .map(|(x, y)| turn.rotate(DVec2::new(x, y) * half))
            .to_vec()
    }

    /// The area of the polygon that has these corners, in any order.
    fn area(common: &Common) -> f64 {
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
            let places: Vec<Place> = common
                .iter()
                .map(|vertex| vertex.places.both()[0])
                .collect();
            assert_eq!(places, [0, 1, 2, 3].map(Place::Corner));
            let common = clip(&square(1.0, 0.0), &square(0.5, turn), 1e-9);
            let mut places: Vec<Place> = common
                .iter()
                .map(|vertex| vertex.places.both()[1])
                .collect();
            places.sort_unstable_by_key(|place| place.rank());
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
        let sides =
            |vertex: &ClipVertex| matches!(vertex.places.both(), [Place::Side(_), Place::Side(_)]);
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
            for (polygon, place) in polygons.iter().zip(vertex.places.both()) {
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
            let mut places: Vec<Place> = common
                .iter()
                .map(|vertex| vertex.places.both()[1])
                .collect();
            places.sort_unstable_by_key(|place| place.rank());
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
            let places: Vec<Place> = common
                .iter()
                .map(|vertex| vertex.places.both()[0])
                .collect();
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
