//! The feet of perpendiculars from the origin on triangles and their edges, four at a time.

use clearance_math::PreciseVector;
use clearance_math::internal::lanes::{FourVectors, Simd, SimdBase, f64x4, mask64x4};
use clearance_math::tolerances::THIN_TRIANGLE;

/// The feet of the perpendiculars from the origin on four triangles c, c + u, c + v and on their
/// edges at c.
pub(super) struct Feet<S: Simd> {
    pub(super) s: f64x4<S>,
    pub(super) t: f64x4<S>,
    pub(super) uu: f64x4<S>,
    pub(super) uc: f64x4<S>,
    pub(super) whole: f64x4<S>,
    pub(super) spread: f64x4<S>,
    pub(super) thick: mask64x4<S>,
    pub(super) between: mask64x4<S>,
}

impl<S: Simd> Feet<S> {
    #[inline(always)]
    pub(super) fn new<P: PreciseVector>(
        c: FourVectors<S, P>,
        u: FourVectors<S, P>,
        v: FourVectors<S, P>,
    ) -> Self {
        let zero = f64x4::splat(c.x.simd, 0.0);
        let (uu, uv, vv) = (u.length_squared(), u.dot(v), v.length_squared());
        let (uc, vc) = (-u.dot(c), -v.dot(c));
        let spread = uu * vv;
        let whole = spread - uv * uv;
        let (s, t) = (vv * uc - uv * vc, uu * vc - uv * uc);
        Self {
            s,
            t,
            uu,
            uc,
            whole,
            spread,
            thick: whole.simd_gt(spread * THIN_TRIANGLE),
            between: s.simd_gt(zero) & t.simd_gt(zero),
        }
    }

    /// The lanes in which the foot lies inside the triangle.
    #[inline(always)]
    pub(super) fn over(&self) -> mask64x4<S> {
        self.between & self.thick & (self.s + self.t).simd_lt(self.whole)
    }

    /// The position of the foot along u, from 0 at c to 1 at c + u.
    #[inline(always)]
    pub(super) fn along_u(&self) -> f64x4<S> {
        self.uc / self.uu
    }
}

/// Finds the edge, among the first `count` edges c + t u, whose foot is nearest to the origin, with
/// its t and its foot; `None` if c itself is nearest.
///
/// The edges are compared by the distances of their feet. How much nearer an edge comes than c
/// would decide it as well, but if c is far away, all digits of that would cancel.
#[inline(always)]
pub(super) fn nearest_foot<S: Simd, P: PreciseVector>(
    (c, u): (FourVectors<S, P>, FourVectors<S, P>),
    t: f64x4<S>,
    count: usize,
) -> Option<(usize, f64, P)> {
    let feet = c + u * t;
    let (distances, t) = (feet.length_squared().to_array(), t.to_array());
    let mut nearest = c.length_squared().to_array()[0];
    let mut edge = None;
    for place in 0..count {
        if t[place] > 0.0 && distances[place] < nearest {
            nearest = distances[place];
            edge = Some(place);
        }
    }
    edge.map(|place| (place, t[place], feet.lane(place)))
}
