//! What two lines of the plane have in common: the ends of the stretch along which they face each other.
//!
//! Seen along the normal of the pair each line is an interval, and a half-space has no end.

use arrayvec::ArrayVec;
use clearance_math::internal::MapEach;
use clearance_math::{PreciseVector, tolerances};

use super::candidates::Reach;
use super::facing::Facing;
use super::place::Place;
use super::points::{Anchor, FacingParts, FoundPoint, ends_that_count};

/// A corner of a line, seen along the normal: where it is across it, and its number.
#[derive(Clone, Copy)]
struct CornerInPlane {
    at: f64,
    number: u8,
}

impl<P: PreciseVector> FacingParts<'_, P> {
    /// The ends that are at most `within` apart, sorted by what they are on both; the closest points of the pair where no
    /// end is as near, since a rounded end is deeper beside its line.
    #[inline]
    pub(super) fn in_plane(&self, within: f64) -> ArrayVec<FoundPoint<P>, 2> {
        let normal = self.pair.normal.in_space();
        let right = P::from_space(normal.with_x(-normal.y).with_y(normal.x));
        let seen = self.facing.map_each(|facing| self.see(facing, right));
        let extent = |seen: &Option<[CornerInPlane; 2]>| match seen {
            Some([low, high]) => high.at - low.at,
            None => f64::INFINITY,
        };
        let reach = Reach {
            distance: self.pair.distance,
            within,
            slack: tolerances::MANIFOLD_SLACK * extent(&seen[0]).min(extent(&seen[1])),
        };
        let ends = common(seen, reach.slack);
        let ends = ends.map(|ends| ends.map_each(|(at, places)| self.end(at, places, right)));
        ends_that_count(ends, self.pair, reach)
    }

    /// The corners of a line in their order across the normal; `None` for a half-space.
    #[inline(always)]
    fn see(&self, facing: &Facing<P>, right: P) -> Option<[CornerInPlane; 2]> {
        let [first, last] = facing.corners.as_slice() else {
            return None;
        };
        let at = |point: P| right.dot(point - self.pair.on_a);
        let (first, last) = (at(first.point), at(last.point));
        let corner = |at, number| CornerInPlane { at, number };
        Some(if first <= last {
            [corner(first, 0), corner(last, 1)]
        } else {
            [corner(last, 1), corner(first, 0)]
        })
    }

    /// The end at a corner of one line or of both.
    #[inline(always)]
    fn end(&self, at: f64, places: [Place; 2], right: P) -> FoundPoint<P> {
        let &Self { pair, facing } = self;
        let (is_of_a, number) = match places {
            [Place::Corner(number), _] => (true, number),
            [_, Place::Corner(number)] => (false, number),
            _ => return FoundPoint::closest(self.pair, places),
        };
        let [own, other] = if is_of_a { [0, 1] } else { [1, 0] };
        let point = facing[own].corners[usize::from(number)].point;
        // How high the other surface is there, over the closest point of a.
        let Facing { normal, origin, .. } = facing[other];
        let level = normal.dot(*origin - pair.on_a) - normal.dot(right) * at;
        let level = level / normal.dot(pair.normal);
        let height = pair.normal.dot(point - pair.on_a);
        let distance = if is_of_a {
            level - height
        } else {
            height - level
        };
        let anchor = Anchor {
            side: own,
            at: point,
        };
        FoundPoint {
            anchor,
            distance,
            places,
        }
    }
}

/// The ends of what two intervals have in common; `None` if that is nothing or has no end.
#[inline(always)]
fn common(seen: [Option<[CornerInPlane; 2]>; 2], slack: f64) -> Option<[(f64, [Place; 2]); 2]> {
    let of = |corner: CornerInPlane| Place::Corner(corner.number);
    let ends = match seen {
        [Some(a), Some(b)] => {
            // Which corner bounds the stretch: the one farther inwards.
            let end = |side: usize, outwards: f64| {
                let (a, b) = (a[side], b[side]);
                let beyond = (b.at - a.at) * outwards;
                if beyond.abs() <= slack {
                    (a.at, [of(a), of(b)])
                } else if beyond > 0.0 {
                    (a.at, [of(a), Place::Inside])
                } else {
                    (b.at, [Place::Inside, of(b)])
                }
            };
            let ends = [end(0, -1.0), end(1, 1.0)];
            (ends[0].0 <= ends[1].0).then_some(ends)?
        }
        [Some(a), None] => a.map_each(|corner| (corner.at, [of(corner), Place::Inside])),
        [None, Some(b)] => b.map_each(|corner| (corner.at, [Place::Inside, of(corner)])),
        [None, None] => return None,
    };
    Some(ends)
}
