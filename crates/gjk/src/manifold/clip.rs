//! The common part of two convex polygons, or of a line and a polygon, that is seen along the normal.
//!
//! Source: I. Sutherland and G. Hodgman, "Reentrant polygon clipping", 1974. Here each side of the result knows which
//! side of the input it lies on, so that each corner of the result knows what it is a corner of.

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
    /// What the side to the next corner lies on.
    side: Side,
}

#[derive(Clone, Copy, Debug)]
enum Side {
    OfCut(u8),
    OfCutter(u8),
}

pub(super) type Common = ArrayVec<Vertex, MOST_COMMON>;

/// Finds the part of a polygon or a line that lies within the polygon `cutter`, in one of two empty `rooms`. Corners
/// that are at most `slack` outside count as within.
pub(super) fn clip<'a>(
    cut: &[DVec2],
    cutter: &[DVec2],
    slack: f64,
    rooms: &'a mut [Common; 2],
) -> &'a Common {
    let [mut common, mut kept] = rooms.each_mut();
    let is_line = cut.len() == 2;
    for (&at, k) in cut.iter().zip(0..) {
        let _ = common.try_push(Vertex {
            at,
            on_cut: Place::Corner(k),
            on_cutter: Place::Inside,
            // The way back along a line is the same side.
            side: Side::OfCut(if is_line { 0 } else { k }),
        });
    }
    let turn = doubled_area(cutter).signum();
    for side in 0..cutter.len() {
        let (from, to) = (cutter[side], cutter[(side + 1) % cutter.len()]);
        let length = (to - from).length();
        if !(length > 0.0) {
            continue;
        }
        let inwards = (to - from).perp() * (turn / length);
        let mut heights: ArrayVec<f64, MOST_COMMON> = ArrayVec::new();
        let mut lowest = f64::INFINITY;
        for vertex in common.iter() {
            let height = inwards.dot(vertex.at - from);
            lowest = lowest.min(height);
            let _ = heights.try_push(height);
        }
        if lowest < -slack {
            let line = Line {
                cutter,
                side,
                slack,
            };
            kept.clear();
            line.cut(common, &heights, kept);
            core::mem::swap(&mut common, &mut kept);
        }
    }
    common
}

fn doubled_area(polygon: &[DVec2]) -> f64 {
    let first = polygon[0];
    let pairs = polygon.windows(2);
    pairs
        .map(|pair| (pair[0] - first).perp_dot(pair[1] - first))
        .sum()
}

/// The line through a side of the polygon that cuts.
struct Line<'a> {
    cutter: &'a [DVec2],
    side: usize,
    slack: f64,
}

impl Line<'_> {
    /// What lies above the line, where `heights` are those of the corners.
    fn cut(&self, from: &[Vertex], heights: &[f64], kept: &mut Common) {
        for (k, vertex) in from.iter().enumerate() {
            let next = if k + 1 == from.len() { 0 } else { k + 1 };
            let (here, there) = (heights[k], heights[next]);
            let leaves = there < -self.slack;
            if here >= -self.slack {
                let side = if here <= self.slack && leaves {
                    Side::OfCutter(self.side as u8)
                } else {
                    vertex.side
                };
                // There is room for a corner more for each side, and for both ends of a line that is cut.
                let _ = kept.try_push(Vertex { side, ..*vertex });
            }
            let crosses = here > self.slack && leaves || here < -self.slack && there > self.slack;
            if crosses {
                let at = vertex.at.lerp(from[next].at, here / (here - there));
                let _ = kept.try_push(self.crossing(vertex.side, at, leaves));
            }
        }
    }

    /// The corner where a side of the common part crosses the line.
    fn crossing(&self, crossed: Side, at: DVec2, leaves: bool) -> Vertex {
        let side = if leaves {
            Side::OfCutter(self.side as u8)
        } else {
            crossed
        };
        match crossed {
            Side::OfCut(number) => Vertex {
                at,
                on_cut: Place::Side(number),
                on_cutter: Place::Side(self.side as u8),
                side,
            },
            Side::OfCutter(number) => {
                let corner = self.corner_with(number);
                Vertex {
                    at: corner.map_or(at, |corner| self.cutter[usize::from(corner)]),
                    on_cut: Place::Inside,
                    on_cutter: corner.map_or(Place::Side(self.side as u8), Place::Corner),
                    side,
                }
            }
        }
    }

    /// The corner between this side and another one; `None` if they are not neighbours. Where their lines cross is
    /// then outside of the polygon, and a later side cuts it off.
    fn corner_with(&self, other: u8) -> Option<u8> {
        let (count, own) = (self.cutter.len() as u8, self.side as u8);
        if (other + 1) % count == own {
            Some(own)
        } else if (own + 1) % count == other {
            Some(other)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clip(cut: &[DVec2], cutter: &[DVec2], slack: f64) -> Common {
        super::clip(cut, cutter, slack, &mut [Common::new(), Common::new()]).clone()
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
