//! Ray and cone.

use clearance_math::PreciseVector;
use clearance_shapes::Cone;

use super::chord::{Chord, ChordCrossing, ChordSide, surely_inside_after};
use super::in_frame::RayInFrame;

/// The greatest number of Newton steps. A ray that grazes the flank halves its error with each step, any
/// other squares it.
const STEP_LIMIT: usize = 100;

/// How often the upper bound is moved outwards until it is certainly inside.
const BRACKET_LIMIT: usize = 8;

/// The height of a point of the line above the flank, as a function of the place.
///
/// With the apex at y = h and k = radius / (2 h), the flank is |p_xz| = k (h - y), and the height is
/// (|p_xz| - k (h - y)) / sqrt(1 + k^2): below zero exactly for the points of the infinite cone that opens
/// downwards from the apex. It is convex.
struct Flank<P> {
    /// The unit normal is this times the radial direction, plus `rise` times the axis.
    run: f64,
    rise: f64,
    apex: f64,
    base: P,
    direction: P,
    rounding: f64,
}

/// The value of a convex function and its slope, and the outward normal that belongs to them.
struct Height<P> {
    value: f64,
    slope: f64,
    normal: P,
}

impl<P: PreciseVector> Flank<P> {
    #[inline]
    fn height(&self, at: f64) -> Height<P> {
        let point = self.base + self.direction * at;
        let flat = point.with_component(1, 0.0);
        let across = flat.length();
        let radial = if across > 0.0 { flat / across } else { P::ZERO };
        let normal = (radial * self.run).with_component(1, self.rise);
        Height {
            value: self.run * across + self.rise * (point.component(1) - self.apex),
            slope: normal.dot(self.direction),
            normal,
        }
    }

    /// Where the line enters, starting outside at `from`. `Ok(None)` if it is inside at `from`, an error if
    /// it misses as far as `to`.
    ///
    /// A tangent lies below a convex function, so each Newton step proves that the line is outside up to
    /// the place where it leads.
    fn entry(&self, from: f64, to: f64) -> Result<Option<ChordCrossing<P>>, Misses> {
        let mut at = from;
        let mut height = self.height(at);
        if height.value < -self.rounding {
            return Ok(None);
        }
        // As far as rounding can tell, the line runs along the flank, and no step is made.
        let is_along = height.value <= self.rounding;
        for _ in 0..STEP_LIMIT {
            let certain = height.value - self.rounding;
            if certain <= 0.0 {
                break;
            }
            if height.slope >= 0.0 {
                return Err(Misses);
            }
            let next = at - certain / height.slope;
            if next > to {
                return Err(Misses);
            }
            if !(next > at) {
                break;
            }
            at = next;
            height = self.height(at);
        }
        let rate = -height.slope;
        let (ahead, upper) = if rate > 0.0 {
            let is_inside = |place: f64| self.height(place).value <= -self.rounding;
            let ahead = if is_along {
                0.0
            } else {
                height.value.max(0.0) / rate
            };
            let step = 4.0 * self.rounding / rate;
            let upper = surely_inside_after(at, step, to, BRACKET_LIMIT, is_inside);
            (ahead, upper)
        } else {
            (0.0, to)
        };
        Ok(Some(ChordCrossing::between(
            at + ahead,
            [at, upper],
            height.normal,
        )))
    }
}

/// The line is proven to miss.
struct Misses;

/// Newton's method on the height above the flank, from either side, and the plane of the base.
pub(super) fn chord<P: PreciseVector>(ray: &RayInFrame<P>, cone: &Cone) -> Option<Chord<P>> {
    let (half, radius) = (f64::from(cone.half_height), f64::from(cone.radius));
    let slant = (4.0 * half * half + radius * radius).sqrt();
    let flank = |ray: &RayInFrame<P>| Flank {
        run: 2.0 * half / slant,
        rise: radius / slant,
        apex: half,
        base: ray.base,
        direction: ray.direction,
        rounding: ray.rounding,
    };
    let mut chord = Chord::line();
    let base = ChordSide::new(ray, -P::axis(1), half);
    if !chord.clip(ray, base) {
        return None;
    }
    // All of the cone is within its bounding radius, so the part of the line beyond does not matter.
    let end = ray.bounding_radius + ray.rounding;
    if chord.enter.lower > end || chord.leave.upper < -end {
        return None;
    }
    let backwards = ray.reversed();
    let enter = flank(ray).entry(-end, end).ok()?;
    let leave = flank(&backwards).entry(-end, end).ok()?;
    let side = Chord::new(
        enter.unwrap_or(chord.enter),
        leave.map_or(chord.leave, ChordCrossing::reversed),
    );
    chord.and(side).if_any()
}
