//! Parallelograms in a plane, and what of each lies in the other.

use clearance_math::DVec2;
use clearance_math::internal::MapEach;
use clearance_math::internal::lanes::{LANES, Select, Simd, SimdBase, SimdMask, f64x4, mask64x4};

/// The signs of the two half axes at the four corners, in order around the face.
pub(super) const SIGNS: [[f64; LANES]; 2] = [[1.0, -1.0, -1.0, 1.0], [1.0, 1.0, -1.0, -1.0]];

/// The same at the corner that follows.
pub(super) const NEXT_SIGNS: [[f64; LANES]; 2] = [[-1.0, -1.0, 1.0, 1.0], [1.0, -1.0, -1.0, 1.0]];

/// A parallelogram in a plane.
#[derive(Clone, Copy)]
pub(super) struct Flat {
    pub(super) middle: DVec2,
    pub(super) half: [DVec2; 2],
}

impl Flat {
    /// The coordinates of the plane in which `other` reaches from -1 to 1.
    #[inline(always)]
    pub(super) fn seen_from(&self, other: &Self) -> Self {
        let [p, q] = other.half;
        let scale = 1.0 / p.perp_dot(q);
        let seen = |v: DVec2| DVec2::new(v.perp_dot(q) * scale, p.perp_dot(v) * scale);
        Self {
            middle: seen(self.middle - other.middle),
            half: self.half.map_each(seen),
        }
    }

    /// How far inside of 1 a coordinate must be so that the point is as far inside of the side.
    #[inline(always)]
    pub(super) fn within(&self, distance: f64) -> DVec2 {
        let [p, q] = self.half;
        DVec2::new(q.length(), p.length()) * (distance / p.perp_dot(q).abs())
    }

    #[inline(always)]
    pub(super) fn squared_diameter(&self) -> f64 {
        let [p, q] = self.half;
        let longest = p.length_squared().max(q.length_squared());
        4.0 * (p + q).length_squared().max(longest)
    }

    /// The four corners, as x and y, by the signs of the half axes.
    #[inline(always)]
    pub(super) fn corners<S: Simd>(&self, simd: S, signs: [[f64; LANES]; 2]) -> Lanes<S> {
        let one = f64x4::load_array(simd, signs[0]);
        let two = f64x4::load_array(simd, signs[1]);
        let Self {
            middle,
            half: [p, q],
        } = *self;
        [
            f64x4::splat(simd, middle.x) + one * p.x + two * q.x,
            f64x4::splat(simd, middle.y) + one * p.y + two * q.y,
        ]
    }
}

/// Points of the plane, as x and y.
pub(super) type Lanes<S> = [f64x4<S>; 2];

/// Whether points are within 1 on both axes; `None` if one of them is nearly on a line through a side.
#[inline(always)]
pub(super) fn inside<S: Simd>([x, y]: Lanes<S>, clear: DVec2) -> Option<mask64x4<S>> {
    let (x, y) = (x.abs(), y.abs());
    let is_clear = (x - 1.0).abs().simd_gt(clear.x) & (y - 1.0).abs().simd_gt(clear.y);
    let is_inside = x.simd_lt(1.0) & y.simd_lt(1.0);
    (is_clear.to_bitmask() == 0xf).then_some(is_inside)
}

/// Where the stretch of each side that lies within 1 on both axes begins or ends, as a share of the way, and what side
/// makes it so.
pub(super) struct FlatStretch<S: Simd> {
    pub(super) at: f64x4<S>,
    pub(super) by: CutBy<S>,
    pub(super) is_cut: mask64x4<S>,
}

/// Sides of a parallelogram: 3 and 1 are where the first axis ends, 0 and 2 where the second one does.
pub(super) struct CutBy<S: Simd> {
    pub(super) is_of_first: mask64x4<S>,
    /// Whether the end is the one at 1, not that at -1.
    pub(super) is_positive: mask64x4<S>,
}

impl<S: Simd> CutBy<S> {
    /// The numbers of the sides: for each lane the lower bit, and the higher one.
    #[inline(always)]
    pub(super) fn bits(&self) -> [u64; 2] {
        let (first, positive) = (self.is_of_first.to_bitmask(), self.is_positive.to_bitmask());
        [first, !(first ^ positive) & 0xf]
    }
}

/// The part of the way from `here` to `there` that is inside. It begins at 0 where nothing is cut off. Ways whose ends are
/// both outside of one side have no such part.
#[inline(always)]
pub(super) fn begin<S: Simd>(here: Lanes<S>, there: Lanes<S>) -> FlatStretch<S> {
    let (x, y) = (cut(here[0], there[0]), cut(here[1], there[1]));
    let is_of_first = x.at.simd_gt(y.at);
    FlatStretch {
        at: is_of_first.select(x.at, y.at),
        by: CutBy {
            is_of_first,
            is_positive: (is_of_first & x.is_positive) | (!is_of_first & y.is_positive),
        },
        is_cut: x.is_cut | y.is_cut,
    }
}

/// Where ways enter the range from -1 to 1 of one axis, and whether they come from above it.
struct Cut<S: Simd> {
    at: f64x4<S>,
    is_positive: mask64x4<S>,
    is_cut: mask64x4<S>,
}

/// No closure: what is not inlined is compiled for the oldest processors, and calls for each operation.
#[inline(always)]
fn cut<S: Simd>(from: f64x4<S>, to: f64x4<S>) -> Cut<S> {
    let simd = from.simd;
    let is_positive = from.simd_gt(0.0);
    let (from, to) = (from.abs(), is_positive.select(to, -to));
    let is_cut = from.simd_gt(1.0);
    let at = (from - 1.0) / (from - to);
    let at = to
        .simd_gt(1.0)
        .select(f64x4::splat(simd, f64::INFINITY), at);
    Cut {
        at: is_cut.select(at, f64x4::splat(simd, 0.0)),
        is_positive,
        is_cut,
    }
}
