//! An edge of the polytope against the rims and the side of a frustum.
//!
//! The directions perpendicular to the edge are `cos t p + sin t q`, where p is across the axis. Along them the frustum
//! looks like the hull of two ellipses, and the edge like a point. Let w be the vector from the centre of the frustum to
//! the edge, κ sin t the component of the direction along the axis, and y and r where the disc of a rim is along the axis,
//! and its radius. The height of the difference of the edge and the rim is
//!
//! f = -a cos t + b sin t + r sqrt(1 - κ² sin² t), where p is turned so that a = -w·p is not negative, and b = w·q - y κ.
//!
//! Let s = sin t. Where cos t is negative, f is concave in s, and has no minimum but at the ends. Elsewhere its second
//! derivative in s is a / (1 - s²)^(3/2) - r κ² / (1 - κ² s²)^(3/2), which is negative in the middle, if a < r κ², and
//! positive beside. So there is at most one minimum on each side, where its derivative is zero.

use clearance_math::internal::MapEach;
use clearance_math::internal::cube_root;
use clearance_math::{DVec3, PreciseVector, greater_of, tolerances};

use super::frustum::{Disc, Frustum};
use super::turn::{FrustumTurn, ahead};
use crate::convex::closed_forms::axes::{AxisGap, LeastHeight};

/// The most steps of Newton's method. Most minima take four or five.
const MOST_STEPS: usize = 64;

/// An edge of the polytope beside a frustum.
pub(super) struct EdgeAtFrustum<'a> {
    ends: [DVec3; 2],
    frustum: &'a Frustum,
    p: DVec3,
    q: DVec3,
    /// The factor a of the cosine in the height, negated.
    a: f64,
    /// w·q, what the factor b of the sine has for both rims.
    offset_q: f64,
    /// κ, the component of q along the axis.
    axis_q: f64,
    /// 1 - κ², the squared component of the edge along the axis.
    axis_edge_squared: f64,
    /// What the heights may be wrong by, because p is not exactly across the axis.
    error: f64,
}

impl<'a> EdgeAtFrustum<'a> {
    pub(super) fn new([start, end]: [DVec3; 2], frustum: &'a Frustum) -> Self {
        let edge = (end - start).normalize_or_zero();
        let from_center = start - frustum.center;
        let cross = edge.cross(frustum.axis);
        let sine = cross.length();
        let p = if sine > tolerances::ALONG_AXIS {
            cross / sine
        } else {
            edge.perpendicular()
        };
        // Rounding turns p by one part in 1e16 of the sine: back across the edge, so that only the axis is off.
        let p = (p - edge * p.dot(edge)).normalize_or_zero();
        let p = if from_center.dot(p) > 0.0 { -p } else { p };
        let q = edge.cross(p);
        Self {
            ends: [start, end],
            frustum,
            p,
            q,
            a: -from_center.dot(p),
            offset_q: from_center.dot(q),
            axis_q: frustum.axis.dot(q),
            axis_edge_squared: frustum.axis.dot(edge) * frustum.axis.dot(edge),
            error: frustum.axis.dot(p).abs()
                * (frustum.top.along + frustum.top.radius.max(frustum.bottom.radius)),
        }
    }

    /// Tests the directions on the arc between two normals at which the height may be least.
    ///
    /// # Errors
    /// A direction that separates the shapes.
    #[inline(never)]
    pub(super) fn test(&self, normals: [DVec3; 2], least: &mut LeastHeight) -> Result<(), AxisGap> {
        let [first, second] =
            normals.map_each(|normal| FrustumTurn::new(normal.dot(self.p), normal.dot(self.q)));
        // From the first to the second in the sense in which p turns to q.
        let arc = if first.sine_to(second) < 0.0 {
            [second, first]
        } else {
            [first, second]
        };
        let side = self.at_side();
        if let Some(side) = side {
            self.test_side(side, arc, least)?;
        }
        let Some([low, high]) = ahead(arc) else {
            return Ok(());
        };
        for pole in [low, high] {
            // Where a is zero, both minima on one side of the edge meet here.
            if pole.cos == 0.0 {
                self.keep(pole, least)?;
            }
        }
        let Frustum { top, bottom, .. } = self.frustum;
        match side {
            // Where the direction leans against the axis, the rim of the top is met, else that of the bottom.
            Some(side) => {
                let is_upward = self.axis_q > 0.0;
                let (below, above) = if is_upward {
                    (top, bottom)
                } else {
                    (bottom, top)
                };
                self.test_rim(below, [low, high.lower_of(side)], least)?;
                self.test_rim(above, [low.higher_of(side), high], least)
            }
            // All directions meet the rim that those across the axis meet.
            None => self.test_rim(self.frustum.farthest_disc(0.0, 1.0), [low, high], least),
        }
    }

    /// The direction against a normal of the side of the frustum, with the cosine that is not negative: κ sin t is minus the
    /// component of these normals along the axis. `None` if there is none, or if all directions are such.
    fn at_side(&self) -> Option<FrustumTurn> {
        let Frustum {
            side_along,
            side_across,
            ..
        } = self.frustum;
        let sin = -side_along / self.axis_q;
        // The square of κ minus that of the component, or the other way round of what is left of one: without cancellation.
        let squared = if self.axis_edge_squared > 0.5 {
            (self.axis_q - side_along) * (self.axis_q + side_along)
        } else {
            side_across * side_across - self.axis_edge_squared
        };
        let cos = squared.max(0.0).sqrt() / self.axis_q.abs();
        (sin.abs() <= 1.0).then_some(FrustumTurn::new(cos, sin))
    }

    /// Tests where the edge and a line along the side make a face of the difference.
    fn test_side(
        &self,
        side: FrustumTurn,
        [from, to]: [FrustumTurn; 2],
        least: &mut LeastHeight,
    ) -> Result<(), AxisGap> {
        let behind = FrustumTurn::new(-side.cos, side.sin);
        for turn in [side, behind] {
            if turn.is_between(from, to) {
                let height = self.keep(turn, least)?;
                if least.height == height {
                    let line = self.frustum.side_facing(-self.direction(turn));
                    least.crossing = Some([self.ends, line]);
                }
            }
        }
        Ok(())
    }

    fn direction(&self, turn: FrustumTurn) -> DVec3 {
        self.p * turn.cos + self.q * turn.sin
    }

    /// Tests a direction, and returns the height along it.
    fn keep(&self, turn: FrustumTurn, least: &mut LeastHeight) -> Result<f64, AxisGap> {
        let Frustum { top, bottom, .. } = self.frustum;
        let height = greater_of(self.height(top, turn), self.height(bottom, turn));
        let tested = least.test(self.direction(turn), height);
        tested.map_err(|AxisGap(gap)| AxisGap(gap - self.error))?;
        least.lower = least.lower.min(height - self.error);
        Ok(height)
    }

    /// Tests the minima of the height of the edge and a rim between two directions.
    fn test_rim(
        &self,
        disc: &Disc,
        [low, high]: [FrustumTurn; 2],
        least: &mut LeastHeight,
    ) -> Result<(), AxisGap> {
        if !low.is_below(high) {
            return Ok(());
        }
        let curve = disc.radius * self.axis_q * self.axis_q;
        if self.a >= curve {
            return self.test_convex(disc, [low, high], least);
        }
        let inflection = self.inflection(self.a / curve);
        self.test_convex(disc, [low, high.lower_of(inflection.mirrored())], least)?;
        self.test_convex(disc, [low.higher_of(inflection), high], least)
    }

    /// The direction of positive sine where the second derivative is zero: (a / (r κ²))² = ((1 - s²) / (1 - κ² s²))³.
    fn inflection(&self, share: f64) -> FrustumTurn {
        let part = cube_root(share * share);
        let below = 1.0 - part + part * self.axis_edge_squared;
        let cos = (part * self.axis_edge_squared / below).sqrt();
        FrustumTurn::new(cos, ((1.0 - part) / below).min(1.0).sqrt())
    }

    /// Tests the minimum between two directions between which the height is convex in the sine.
    fn test_convex(
        &self,
        disc: &Disc,
        [mut low, mut high]: [FrustumTurn; 2],
        least: &mut LeastHeight,
    ) -> Result<(), AxisGap> {
        if !low.is_below(high) {
            return Ok(());
        }
        let (slope_low, slope_high) = (self.slope(disc, low), self.slope(disc, high));
        if !(slope_low <= 0.0 && slope_high >= 0.0) {
            return Ok(());
        }
        let terms = self.a + self.beside(disc).abs() + disc.radius;
        let mut turn = low.toward(high, slope_low / (slope_low - slope_high));
        for _ in 0..MOST_STEPS {
            let slope = self.slope(disc, turn);
            if slope.abs() <= tolerances::FLAT_SLOPE * terms {
                break;
            }
            if slope < 0.0 {
                low = turn;
            } else {
                high = turn;
            }
            let next = turn.turned(-slope / self.second_derivative(disc, turn));
            turn = if low.is_below(next) && next.is_below(high) {
                next
            } else {
                low.toward(high, 0.5)
            };
        }
        self.keep(turn, least).map(drop)
    }

    /// The squared component of a direction across the axis: 1 - κ² sin² t.
    #[inline(always)]
    fn across_squared(&self, turn: FrustumTurn) -> f64 {
        let along_p = self.axis_q * turn.cos;
        (self.axis_edge_squared + along_p * along_p).max(f64::MIN_POSITIVE)
    }

    /// The factor b of the sine in the height.
    #[inline(always)]
    fn beside(&self, disc: &Disc) -> f64 {
        self.offset_q - disc.along * self.axis_q
    }

    fn height(&self, disc: &Disc, turn: FrustumTurn) -> f64 {
        let on_rim = disc.radius * self.across_squared(turn).sqrt();
        self.beside(disc) * turn.sin - self.a * turn.cos + on_rim
    }

    /// The derivative of the height by the angle.
    #[inline(always)]
    fn slope(&self, disc: &Disc, turn: FrustumTurn) -> f64 {
        let curve = disc.radius * self.axis_q * self.axis_q;
        let of_rim = curve * turn.sin / self.across_squared(turn).sqrt();
        self.a * turn.sin + (self.beside(disc) - of_rim) * turn.cos
    }

    /// The second derivative of the height by the angle.
    #[inline(always)]
    fn second_derivative(&self, disc: &Disc, FrustumTurn { cos, sin }: FrustumTurn) -> f64 {
        let squared = self.axis_q * self.axis_q;
        let across_squared = self.across_squared(FrustumTurn { cos, sin });
        let bend = (cos * cos - sin * sin) + squared * (sin * cos) * (sin * cos) / across_squared;
        let of_rim = disc.radius * squared * bend / across_squared.sqrt();
        self.a * cos - self.beside(disc) * sin - of_rim
    }
}
