//! The common part of two convex polygons, or of a line and a polygon, that is seen along the normal.
//!
//! Its corners are the corners of each that lie within the other, and the places where a side of the one is cut by
//! the other (M. Cyrus and J. Beck, "Generalized two- and three-dimensional clipping", 1978). So it is known of each
//! corner what it is a corner of, and no corner is moved by a cut elsewhere.

use arrayvec::ArrayVec;
use clearance_math::DVec2;

use super::facing::MOST_CORNERS;

/// The most corners of a common part: each side of the one polygon can add one to those of the other.
pub(super) const MOST_COMMON: usize = 2 * MOST_CORNERS;

/// What a corner of the common part is on one of the two parts of surfaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// A corner, by its place in the list of corners.
    Corner(u8),
    /// A point of the side from this corner to the next.
    Side(u8),
    /// A point within.
    Inside,
}

impl Place {
    /// A number by which places are ordered.
    pub(super) fn rank(self) -> u16 {
        match self {
            Self::Corner(number) => u16::from(number),
            Self::Side(number) => 1 << 8 | u16::from(number),
            Self::Inside => 2 << 8,
        }
    }
}

/// A corner of the common part.
#[derive(Clone, Copy, Debug)]
pub(super) struct Vertex {
    pub(super) at: DVec2,
    /// What it is on the part that is cut.
    pub(super) on_cut: Place,
    /// What it is on the polygon that cuts.
    pub(super) on_cutter: Place,
}

pub(super) type Common = ArrayVec<Vertex, MOST_COMMON>;

/// Appends the corners of the part of a polygon or a line that lies within the polygon `cutter`. Corners that are at
/// most `slack` outside of the line through each side count as within. Where corners of both are at most `slack` from
/// each other, only that of `cut` is appended.
pub(super) fn clip(cut: &[DVec2], cutter: &[DVec2], slack: f64, common: &mut Common) {
    let cutting = Lines::of(cutter);
    let sides = if cut.len() == 2 { 1 } else { cut.len() };
    // The heights of a corner and of the next one; large, so they are not moved.
    let (mut here, mut there) = (&mut Heights::new(), &mut Heights::new());
    cutting.heights(cut[0], here);
    let mut is_all_within = true;
    for (&at, k) in cut.iter().zip(0_u8..) {
        if here.lowest >= -slack {
            let corner = corner_at(cutter, at, here.lowest, slack);
            push(
                common,
                at,
                [Place::Corner(k), corner.unwrap_or(Place::Inside)],
            );
        }
        is_all_within &= here.lowest >= -slack;
        if usize::from(k) < sides {
            let to = cut[next(usize::from(k), cut)];
            cutting.heights(to, there);
            if here.lowest < -slack || there.lowest < -slack {
                let limits = [&*here, &*there].map(|end| EndLimits {
                    within: -slack,
                    // The only side of a line has its ends made here, even where they are hardly off a corner.
                    named: if sides == 1 && end.lowest < -slack {
                        -slack
                    } else {
                        slack
                    },
                });
                Stretch::between([here, there], limits).push_ends([at, to], k, common);
            }
            core::mem::swap(&mut here, &mut there);
        }
    }
    // If all corners of the cut part are within, they are all corners of the common part, up to `slack`.
    if sides == 1 || is_all_within {
        return;
    }
    let around = Lines::of(cut);
    for (&at, k) in cutter.iter().zip(0..) {
        around.heights(at, here);
        let lowest = here.lowest;
        if lowest >= -slack && corner_at(cut, at, lowest, slack).is_none() {
            push(common, at, [Place::Inside, Place::Corner(k)]);
        }
    }
}

fn next(k: usize, polygon: &[DVec2]) -> usize {
    if k + 1 == polygon.len() { 0 } else { k + 1 }
}

/// There is room for as many as two convex polygons can have; more are doubles, by rounding.
fn push(common: &mut Common, at: DVec2, [on_cut, on_cutter]: [Place; 2]) {
    let _ = common.try_push(Vertex {
        at,
        on_cut,
        on_cutter,
    });
}

/// The corner that is at most `slack` away from a place. `lowest` is how far inside of the nearest side the place lies.
fn corner_at(corners: &[DVec2], at: DVec2, lowest: f64, slack: f64) -> Option<Place> {
    if lowest > slack {
        return None;
    }
    let is_here = |corner: &DVec2| (*corner - at).length_squared() <= slack * slack;
    let near = corners.iter().position(is_here);
    near.map(|corner| Place::Corner(corner as u8))
}

/// How many lines are looked at together, which the compiler turns into SIMD code.
const FOUR: usize = 4;

/// Four lines through sides of a polygon.
#[derive(Clone, Copy)]
struct FourLines {
    /// The unit normals that lead inwards; zero for a side without length.
    x: [f64; FOUR],
    y: [f64; FOUR],
    offsets: [f64; FOUR],
}

/// The lines through the sides of a polygon.
struct Lines(ArrayVec<FourLines, { MOST_CORNERS / FOUR }>);

/// How far a point lies on the inner side of each line, and the least of that.
struct Heights {
    fours: ArrayVec<[f64; FOUR], { MOST_CORNERS / FOUR }>,
    lowest: f64,
}

impl Heights {
    fn new() -> Self {
        Self {
            fours: ArrayVec::new(),
            lowest: f64::INFINITY,
        }
    }
}

impl Lines {
    #[inline]
    fn of(polygon: &[DVec2]) -> Self {
        let mut lines = Self(ArrayVec::new());
        let turn = doubled_area(polygon).signum();
        for first in (0..polygon.len()).step_by(FOUR) {
            // Where there are no more sides, every point is within.
            let mut four = FourLines {
                x: [0.0; FOUR],
                y: [0.0; FOUR],
                offsets: [f64::NEG_INFINITY; FOUR],
            };
            for (k, lane) in (first..polygon.len()).zip(0..FOUR) {
                let from = polygon[k];
                let along = polygon[next(k, polygon)] - from;
                let length = along.length();
                if length > 0.0 {
                    let inwards = along.perp() * (turn / length);
                    four.x[lane] = inwards.x;
                    four.y[lane] = inwards.y;
                    four.offsets[lane] = inwards.dot(from);
                }
            }
            lines.0.push(four);
        }
        lines
    }

    #[inline]
    fn heights(&self, at: DVec2, heights: &mut Heights) {
        let Heights { fours, lowest } = heights;
        fours.clear();
        *lowest = f64::INFINITY;
        for FourLines { x, y, offsets } in &self.0 {
            let four = [0, 1, 2, 3].map(|k| x[k] * at.x + y[k] * at.y - offsets[k]);
            for height in four {
                if height < *lowest {
                    *lowest = height;
                }
            }
            fours.push(four);
        }
    }
}

fn doubled_area(polygon: &[DVec2]) -> f64 {
    let first = polygon[0];
    let pairs = polygon.windows(2);
    pairs
        .map(|pair| (pair[0] - first).perp_dot(pair[1] - first))
        .sum()
}

/// What the heights of an end of a side mean.
#[derive(Clone, Copy)]
struct EndLimits {
    /// The end is not without if it is as high as this.
    within: f64,
    /// A crossing is a corner of its own if this end is higher than this.
    named: f64,
}

/// The stretch of a side that lies within a polygon, from 0 to 1.
struct Stretch {
    starts: End,
    ends: End,
}

/// An end of a stretch, and the side of the polygon that makes it; `None` if it is that of the whole side.
#[derive(Clone, Copy)]
struct End {
    at: f64,
    by: Option<u8>,
}

impl Stretch {
    /// The stretch of a side whose ends have these heights over the lines of the polygon.
    ///
    /// A line cuts the side where one end is without, and the other not. If the other end is near the line, the crossing
    /// is no corner of its own: that end stands for it, if it is within.
    fn between([here, there]: [&Heights; 2], [of_here, of_there]: [EndLimits; 2]) -> Self {
        let mut starts = End { at: 0.0, by: None };
        let mut ends = End { at: 1.0, by: None };
        let pairs = here
            .fours
            .iter()
            .flatten()
            .zip(there.fours.iter().flatten());
        for ((&here, &there), number) in pairs.zip(0..) {
            let (enters, leaves) = (here < of_here.within, there < of_there.within);
            if !enters && !leaves {
                continue;
            }
            let at = here / (here - there);
            if enters && leaves {
                starts.at = f64::INFINITY;
            } else if enters && at > starts.at {
                let by = (there > of_there.named).then_some(number);
                starts = End { at, by };
            } else if leaves && at < ends.at {
                let by = (here > of_here.named).then_some(number);
                ends = End { at, by };
            }
        }
        Self { starts, ends }
    }

    /// Appends the ends of the stretch that are cut.
    fn push_ends(&self, [from, to]: [DVec2; 2], side: u8, common: &mut Common) {
        if !(self.starts.at <= self.ends.at) {
            return;
        }
        for end in [self.starts, self.ends] {
            if let Some(by) = end.by {
                push(
                    common,
                    from.lerp(to, end.at),
                    [Place::Side(side), Place::Side(by)],
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clip(cut: &[DVec2], cutter: &[DVec2], slack: f64) -> Common {
        let mut common = Common::new();
        super::clip(cut, cutter, slack, &mut common);
        common
    }

    fn square(half: f64, turn: f64) -> Vec<DVec2> {
        let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
        let turn = DVec2::from_angle(turn);
        corners
            .map(|(x, y)| turn.rotate(DVec2::new(x, y) * half))
            .to_vec()
    }

    fn area(common: &Common) -> f64 {
        let corners: Vec<DVec2> = common.iter().map(|vertex| vertex.at).collect();
        0.5 * doubled_area(&corners).abs()
    }

    #[test]
    fn a_square_within_another_keeps_its_corners() {
        for turn in [0.0, 0.3, 0.7] {
            let common = clip(&square(0.5, turn), &square(1.0, 0.0), 1e-9);
            let places: Vec<Place> = common.iter().map(|vertex| vertex.on_cut).collect();
            assert_eq!(places, [0, 1, 2, 3].map(Place::Corner));
            let common = clip(&square(1.0, 0.0), &square(0.5, turn), 1e-9);
            let mut places: Vec<Place> = common.iter().map(|vertex| vertex.on_cutter).collect();
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
        let sides = |vertex: &Vertex| {
            matches!(
                (vertex.on_cut, vertex.on_cutter),
                (Place::Side(_), Place::Side(_))
            )
        };
        assert!(common.iter().all(sides), "{common:?}");
        // The square is 2 wide, and so is the octagon.
        assert!((area(&common) - 8.0 * (2.0_f64.sqrt() - 1.0)).abs() < 1e-12);
    }

    #[test]
    fn an_octagon_within_a_square_keeps_its_corners() {
        let octagon: Vec<DVec2> = (0..8)
            .map(|k| DVec2::from_angle(f64::from(k) * core::f64::consts::FRAC_PI_4))
            .collect();
        for turn in [0.0, 0.3, 0.7, 2.0] {
            let common = clip(&square(1.5, turn), &octagon, 1e-9);
            let mut places: Vec<Place> = common.iter().map(|vertex| vertex.on_cutter).collect();
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
            let places: Vec<Place> = common.iter().map(|vertex| vertex.on_cut).collect();
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
