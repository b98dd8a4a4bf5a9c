//! The feet of perpendiculars from the origin on triangles.

use clearance_math::PreciseVector;
use clearance_math::internal::MapEach;
use clearance_math::internal::lanes::{Number, VectorsInLanes};
use clearance_math::tolerances::THIN_TRIANGLE;

/// The foot of the perpendicular from the origin on a triangle c, c + u, c + v, or on one in each lane. It is c + s u + t v,
/// where s and t solve the normal equations u.u s + u.v t = -u.c, u.v s + v.v t = -v.c.
pub(super) struct Feet<F: Number> {
    /// s times the determinant of the equations.
    pub(super) s: F,
    /// t times the determinant.
    pub(super) t: F,
    uu: F,
    uc: F,
    /// The determinant.
    pub(super) whole: F,
    pub(super) spread: F,
    /// Where the triangle is thick enough for s and t to be significant.
    pub(super) thick: F::Mask,
    /// Where the foot lies beyond neither of the two edges at c.
    pub(super) between: F::Mask,
}

impl<F: Number> Feet<F> {
    #[inline(always)]
    pub(super) fn new<P: PreciseVector>(
        c: VectorsInLanes<F, P>,
        [u, v]: [VectorsInLanes<F, P>; 2],
    ) -> Self {
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
            thick: whole.is_above(spread * THIN_TRIANGLE),
            between: s.is_above(0.0) & t.is_above(0.0),
        }
    }

    /// Where the foot lies inside a triangle that is thick enough.
    #[inline(always)]
    pub(super) fn over(&self) -> F::Mask {
        self.between & self.thick & (self.s + self.t).is_below(self.whole)
    }

    /// The position of the foot along u, from 0 at c to 1 at c + u.
    #[inline(always)]
    pub(super) fn along_u(&self) -> F {
        self.uc / self.uu
    }
}

impl Feet<f64> {
    /// That of one triangle.
    #[inline(always)]
    pub(super) fn of_one<P: PreciseVector>(c: P, sides: [P; 2]) -> Self {
        let [u, v] = sides.map_each(|side| VectorsInLanes::splat((), side));
        Self::new(VectorsInLanes::splat((), c), [u, v])
    }
}
