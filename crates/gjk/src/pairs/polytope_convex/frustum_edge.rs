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

use clearance_math::{DVec3, PreciseVector, cube_root};

use super::Least;
use super::frustum::{Disc, Frustum};
use crate::pairs::axes::Apart;

/// The most steps of Newton's method. Most minima take four or five.
const MOST_STEPS: usize = 64;

/// The derivative at which a minimum counts as found, relative to the terms that it is the sum of.
const FLAT: f64 = 8.0 * f64::EPSILON;

/// The sine of the angle between an edge and the axis up to which there is nothing but rounding in the direction across both.
const PARALLEL: f64 = 16.0 * f64::EPSILON;

/// A direction perpendicular to an edge, by its cosine and sine.
#[derive(Clone, Copy, Debug)]
struct Turn {
    cos: f64,
    sin: f64,
}

/// An edge of the polytope beside a frustum.
pub(super) struct EdgeAtFrustum<'a> {
    ends: [DVec3; 2],
    frustum: &'a Frustum,
    p: DVec3,
    q: DVec3,
    a: f64,
    /// w·q
    across: f64,
    /// κ
    along: f64,
    /// 1 - κ²: the squared cosine of the angle between the edge and the axis.
    least_across: f64,
    /// What the heights may be wrong by, because p is not exactly across the axis.
    error: f64,
}

impl<'a> EdgeAtFrustum<'a> {
    pub(super) fn new([start, end]: [DVec3; 2], frustum: &'a Frustum) -> Self {
        let edge = (end - start).normalize_or_zero();
        let from_center = start - frustum.center;
        let cross = edge.cross(frustum.axis);
        let sine = cross.length();
        let p = if sine > PARALLEL {
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
            across: from_center.dot(q),
            along: frustum.axis.dot(q),
            least_across: frustum.axis.dot(edge) * frustum.axis.dot(edge),
            error: frustum.axis.dot(p).abs()
                * (frustum.top.along + frustum.top.radius.max(frustum.bottom.radius)),
        }
    }

    /// Tests the directions on the arc between two normals at which the height may be least.
    #[inline(never)]
    pub(super) fn test(&self, normals: [DVec3; 2], least: &mut Least) -> Result<(), Apart> {
        let [first, second] = normals.map(|normal| Turn {
            cos: normal.dot(self.p),
            sin: normal.dot(self.q),
        });
        // From the first to the second in the sense in which p turns to q.
        let arc = if first.cos * second.sin - first.sin * second.cos < 0.0 {
            [second, first]
        } else {
            [first, second]
        };
        self.test_side(arc, least)?;
        let Some([low, high]) = ahead(arc) else {
            return Ok(());
        };
        for pole in [low, high] {
            // Where a is zero, both minima on one side of the edge meet here.
            if pole.cos == 0.0 {
                let along = self.direction(pole).dot(self.frustum.axis);
                let disc = self.frustum.farthest_disc(-along);
                self.keep(disc, pole, least)?;
            }
        }
        // Where the direction leans against the axis, the rim of the top is met, else that of the bottom.
        let side = -self.frustum.side_along / self.along;
        let (below, above) = if self.along > 0.0 {
            (&self.frustum.top, &self.frustum.bottom)
        } else {
            (&self.frustum.bottom, &self.frustum.top)
        };
        if side.abs() < 1.0 {
            let between = Turn::of_sine(side);
            self.test_rim(below, [low, high.lesser(between)], least)?;
            self.test_rim(above, [low.greater(between), high], least)
        } else {
            // All directions meet the rim that those across the axis meet.
            self.test_rim(self.frustum.farthest_disc(0.0), [low, high], least)
        }
    }

    /// Tests where the edge and a line along the side make a face of the difference.
    fn test_side(&self, [from, to]: [Turn; 2], least: &mut Least) -> Result<(), Apart> {
        let sin = -self.frustum.side_along / self.along;
        if !(sin.abs() <= 1.0) {
            return Ok(());
        }
        let cos = Turn::of_sine(sin).cos;
        for turn in [Turn { cos, sin }, Turn { cos: -cos, sin }] {
            if from.is_before(turn) && turn.is_before(to) {
                let height = self.keep(&self.frustum.bottom, turn, least)?;
                if least.height == height {
                    let line = self.frustum.side_facing(-self.direction(turn));
                    least.crossing = Some([self.ends, line]);
                }
            }
        }
        Ok(())
    }

    fn direction(&self, turn: Turn) -> DVec3 {
        self.p * turn.cos + self.q * turn.sin
    }

    /// Tests a direction, and returns the height along it.
    fn keep(&self, disc: &Disc, turn: Turn, least: &mut Least) -> Result<f64, Apart> {
        let height = self.height(disc, turn);
        let tested = least.test(self.direction(turn), height);
        tested.map_err(|Apart(gap)| Apart(gap - self.error))?;
        least.lower = least.lower.min(height - self.error);
        Ok(height)
    }

    /// Tests the minima of the height of the edge and a rim between two directions.
    fn test_rim(
        &self,
        disc: &Disc,
        [low, high]: [Turn; 2],
        least: &mut Least,
    ) -> Result<(), Apart> {
        if !(low.sin < high.sin) {
            return Ok(());
        }
        let slopes = [low, high].map(|turn| self.slope(disc, turn));
        // Without a slope towards the middle at either end there is no minimum.
        if slopes[0] > 0.0 && slopes[1] < 0.0 {
            return Ok(());
        }
        let curve = disc.radius * self.along * self.along;
        if self.a >= curve {
            return self.test_convex(disc, [low, high], least);
        }
        let part = cube_root((self.a / curve) * (self.a / curve));
        let squared = (1.0 - part) / (1.0 - self.along * self.along * part);
        let turn = Turn::of_sine(squared.min(1.0).sqrt());
        if slopes[0] <= 0.0 {
            self.test_convex(disc, [low, high.lesser(-turn)], least)?;
        }
        if slopes[1] >= 0.0 {
            self.test_convex(disc, [low.greater(turn), high], least)?;
        }
        Ok(())
    }

    /// Tests the minimum between two directions between which the height is convex in the sine.
    fn test_convex(
        &self,
        disc: &Disc,
        [mut low, mut high]: [Turn; 2],
        least: &mut Least,
    ) -> Result<(), Apart> {
        if !(low.sin < high.sin) {
            return Ok(());
        }
        let (slope_low, slope_high) = (self.slope(disc, low), self.slope(disc, high));
        if !(slope_low <= 0.0 && slope_high >= 0.0) {
            // The end of the convex part may be where the minimum is, up to rounding; other ends were tested.
            return Ok(());
        }
        let flat = FLAT * (self.a + self.beside(disc).abs() + disc.radius);
        let mut turn = low.toward(high, slope_low / (slope_low - slope_high));
        for _ in 0..MOST_STEPS {
            let slope = self.slope(disc, turn);
            if slope.abs() <= flat {
                break;
            }
            if slope < 0.0 {
                low = turn;
            } else {
                high = turn;
            }
            let next = turn.turned(-slope / self.bend(disc, turn));
            let is_between = low.sin < next.sin && next.sin < high.sin && next.cos >= 0.0;
            let next = if is_between {
                next
            } else {
                low.toward(high, 0.5)
            };
            if next.sin == turn.sin && next.cos == turn.cos {
                break;
            }
            turn = next;
        }
        self.keep(disc, turn, least).map(drop)
    }

    /// The squared component of a direction across the axis: 1 - κ² sin² t.
    #[inline(always)]
    fn across_squared(&self, turn: Turn) -> f64 {
        let along_p = self.along * turn.cos;
        (self.least_across + along_p * along_p).max(f64::MIN_POSITIVE)
    }

    /// b
    #[inline(always)]
    fn beside(&self, disc: &Disc) -> f64 {
        self.across - disc.along * self.along
    }

    fn height(&self, disc: &Disc, turn: Turn) -> f64 {
        let on_rim = disc.radius * self.across_squared(turn).sqrt();
        self.beside(disc) * turn.sin - self.a * turn.cos + on_rim
    }

    /// The derivative of the height by the angle.
    #[inline(always)]
    fn slope(&self, disc: &Disc, turn: Turn) -> f64 {
        let curve = disc.radius * self.along * self.along;
        let of_rim = curve * turn.sin / self.across_squared(turn).sqrt();
        self.a * turn.sin + (self.beside(disc) - of_rim) * turn.cos
    }

    /// The second derivative of the height by the angle.
    #[inline(always)]
    fn bend(&self, disc: &Disc, Turn { cos, sin }: Turn) -> f64 {
        let squared = self.along * self.along;
        let across_squared = self.across_squared(Turn { cos, sin });
        let bend = (cos * cos - sin * sin) + squared * (sin * cos) * (sin * cos) / across_squared;
        let of_rim = disc.radius * squared * bend / across_squared.sqrt();
        self.a * cos - self.beside(disc) * sin - of_rim
    }
}

/// The part of an arc of less than half a turn where the cosine is not negative.
fn ahead([from, to]: [Turn; 2]) -> Option<[Turn; 2]> {
    let is_ahead = from.cos >= 0.0 || to.cos >= 0.0;
    let pole = |sin| Turn { cos: 0.0, sin };
    let low = if from.cos >= 0.0 { from } else { pole(-1.0) };
    let high = if to.cos >= 0.0 { to } else { pole(1.0) };
    is_ahead.then_some([low, high])
}

impl Turn {
    /// The direction with this sine and a cosine that is not negative.
    fn of_sine(sin: f64) -> Self {
        Self {
            cos: (1.0 - sin * sin).max(0.0).sqrt(),
            sin,
        }
    }

    fn lesser(self, other: Self) -> Self {
        if self.sin < other.sin { self } else { other }
    }

    fn greater(self, other: Self) -> Self {
        if self.sin > other.sin { self } else { other }
    }

    /// Whether another direction follows within half a turn, up to rounding.
    fn is_before(self, other: Self) -> bool {
        self.cos * other.sin - self.sin * other.cos >= -4.0 * f64::EPSILON
    }

    /// This direction turned by a small angle, in radians.
    fn turned(self, angle: f64) -> Self {
        Self {
            cos: self.cos - self.sin * angle,
            sin: self.sin + self.cos * angle,
        }
        .normalized()
    }

    /// A direction between this one and another.
    fn toward(self, other: Self, share: f64) -> Self {
        Self {
            cos: self.cos + (other.cos - self.cos) * share,
            sin: self.sin + (other.sin - self.sin) * share,
        }
        .normalized()
    }

    fn normalized(self) -> Self {
        let length = (self.cos * self.cos + self.sin * self.sin).sqrt();
        Self {
            cos: self.cos / length,
            sin: self.sin / length,
        }
    }
}

/// The direction with the opposite sine.
impl core::ops::Neg for Turn {
    type Output = Self;

    fn neg(self) -> Self {
        Self {
            sin: -self.sin,
            ..self
        }
    }
}
