//! A ray in the frame of a shape.

use clearance_math::tolerances::{self, PART_BOX_RAY_ROUNDING};
use clearance_math::{PreciseVector, Ray, Real, RelativePose, Vector};

/// A ray in the frame of a shape, in double precision, with the line that it lies on.
///
/// Make one for each ray and shape, and for a mesh one for all of its triangles: they are tested against
/// one and the same line, which is what keeps rays from passing between them. Places on the line are
/// counted from the point of the line that is nearest to the origin of the frame, so that they are precise
/// wherever the ray starts.
#[derive(Clone, Copy, Debug)]
pub struct RayInFrame<P> {
    /// The point of the line nearest to the origin of the frame, up to rounding.
    pub(super) base: P,
    /// Another point of the line, ahead of `base` by more than the size of the shape.
    pub(super) through: P,
    /// `through - base`, rounded.
    pub(super) along: P,
    /// The sum of the absolute components of `along`.
    pub(super) along_sum: f64,
    /// The unit direction.
    pub(super) direction: P,
    /// The unit direction in the frame in which the ray was given.
    pub(super) unit: P,
    /// The start of the ray.
    pub(super) origin: P,
    /// The distance of `base` from the start of the ray, negative if it lies behind the start.
    pub(super) middle: f64,
    /// No point of the shape is farther from the origin of the frame than this.
    pub(super) bounding_radius: f64,
    /// How far points of the line may be, within that radius, from where exact arithmetic would have them.
    pub(super) rounding: f64,
}

/// The start and the direction of a ray.
struct InFrame<P> {
    origin: P,
    /// The direction, at any length.
    ahead: P,
    /// The length of `ahead` and its square, as they were before it was turned.
    length: f64,
    length_squared: f64,
    /// The unit direction in the frame in which the ray was given.
    unit: P,
}

impl<P: PreciseVector> RayInFrame<P> {
    /// The ray in the frame of a shape placed at `frame` in the frame of the ray. No point of the shape may
    /// be farther from the origin of its frame than `bounding_radius`.
    #[inline(always)]
    #[must_use]
    pub fn new<V: Vector<Precise = P>>(
        ray: &Ray<V>,
        frame: &RelativePose<P>,
        bounding_radius: f64,
    ) -> Self {
        let away = ray.origin() - frame.translation;
        let direction = ray.direction().to_precise();
        // No square of a number of single precision overflows or vanishes in double precision.
        let length_squared = direction.length_squared();
        let length = length_squared.sqrt();
        let line = InFrame {
            origin: frame.inverse_transform_direction(away),
            ahead: frame.inverse_transform_direction(direction),
            length,
            length_squared,
            unit: direction / length,
        };
        Self::through(line, bounding_radius, away.length())
    }

    /// The ray in the frame of a part that is placed at `pose` in this frame. No point of the part may be
    /// farther from the origin of its frame than `bounding_radius`.
    pub(super) fn seen_from(&self, pose: &RelativePose<P>, bounding_radius: f64) -> Self {
        let away = self.origin.length() + pose.translation.length();
        let line = InFrame {
            origin: pose.inverse_transform_point(self.origin),
            ahead: pose.inverse_transform_direction(self.direction),
            length: 1.0,
            length_squared: 1.0,
            unit: self.unit,
        };
        Self::through(line, bounding_radius, away)
    }

    /// The same ray from a place a little before its start, and how far that is: more than the start may be wrong by rounding.
    pub(super) fn moved_before(&self) -> (Self, f64) {
        let before = 4.0 * self.rounding;
        let line = Self {
            origin: self.origin - self.direction * before,
            middle: self.middle + before,
            ..*self
        };
        (line, before)
    }

    /// The ray in the frame of a ball around `center`, which need not be turned.
    ///
    /// Small coordinates stay as they are, and `through` is only one radius ahead: both matter to triangles only.
    #[inline(always)]
    pub(super) fn toward_ball<V: Vector<Precise = P>>(
        ray: &Ray<V>,
        center: P,
        radius: f64,
    ) -> Self {
        let origin = ray.origin() - center;
        let unit = unit_direction(ray);
        let middle = -origin.dot(unit);
        let base = origin + unit * middle;
        let along = unit * radius;
        Self {
            base,
            through: base + along,
            along,
            along_sum: along.abs().dot(P::splat(1.0)),
            direction: unit,
            unit,
            origin,
            middle,
            bounding_radius: radius,
            rounding: tolerances::RAY_ROUNDING * (origin.length() + radius),
        }
    }

    /// The line of a ray whose start was computed from coordinates of up to `away`.
    #[inline(always)]
    fn through(line: InFrame<P>, bounding_radius: f64, away: f64) -> Self {
        let InFrame {
            origin,
            ahead,
            length,
            length_squared,
            unit,
        } = line;
        let advance = origin.dot(ahead);
        let direction = ahead / length;
        let middle = -(advance / length);
        // From the direction at any length, for which no square root must be waited for.
        let base = origin - ahead * (advance * (1.0 / length_squared));
        // Coordinates matter only of lines that come within this radius.
        let base = without_tiny_components(base, bounding_radius);
        let size = bounding_radius + base.abs().dot(P::splat(1.0));
        // Any distance will do for a line through the only point of a shape.
        let size = if size > 0.0 { size } else { 1.0 };
        let through = without_tiny_components(base + direction * size, size);
        let along = through - base;
        Self {
            base,
            through,
            along,
            along_sum: along.abs().dot(P::splat(1.0)),
            direction,
            unit,
            origin,
            middle,
            bounding_radius,
            rounding: tolerances::RAY_ROUNDING * (away + bounding_radius),
        }
    }

    /// The point of the line at place `at`.
    #[inline]
    pub(super) fn point(&self, at: f64) -> P {
        self.base + self.direction * at
    }

    /// The place at which the ray starts.
    #[inline]
    pub(super) fn start(&self) -> f64 {
        -self.middle
    }

    /// The place that a distance along the ray stands for, counted from the base, in single precision and rounded up, with
    /// a slack beyond it.
    #[inline(always)]
    pub(super) fn place(&self, distance: Real, slack: Real) -> Real {
        let place = f64::from(distance) - self.middle;
        let rounding = (f64::from(distance) + self.middle.abs()) * f64::from(PART_BOX_RAY_ROUNDING);
        (place + rounding) as Real + slack
    }

    /// Whether the whole line is proven to pass the shape, by the ball that contains it.
    #[inline]
    pub(super) fn passes(&self) -> bool {
        let radius = self.bounding_radius + self.rounding;
        self.base.length_squared() > radius * radius
    }

    /// The same line, run through backwards. Places change their sign.
    pub(super) fn reversed(&self) -> Self {
        Self {
            direction: -self.direction,
            along: -self.along,
            through: self.base - self.along,
            middle: -self.middle,
            ..*self
        }
    }
}

/// Whether the whole line of a ray is proven to pass the ball of `radius` around `center`, by more than the
/// rounding that a ray in its frame and closed forms allow for: no shape in the ball would be hit.
///
/// It asks before there is a frame, and takes no square root. With d the direction and c the vector from
/// the centre to the start, the square of the distance is (c^2 d^2 - (c . d)^2) / d^2. Three squares or
/// products each, and their sums and differences, take fewer than thirty roundings of half a unit in the
/// last place, relative to c^2 d^2. No square of a number of single precision overflows or vanishes.
#[must_use]
pub fn ray_surely_passes<V: Vector>(ray: &Ray<V>, center: V::Precise, radius: f64) -> bool {
    let direction = ray.direction().to_precise();
    let away = ray.origin() - center;
    let along = away.dot(direction);
    let squared = (away.length_squared(), direction.length_squared());
    let most = away.abs().dot(V::Precise::splat(1.0)) + radius;
    let reach = radius + 4.0 * tolerances::RAY_ROUNDING * most;
    let beside = (squared.0 - reach * reach) * squared.1 - along * along;
    beside > 32.0 * f64::EPSILON * (squared.0 + reach * reach) * squared.1
}

/// The direction of a ray at unit length, in the frame of the ray.
///
/// It is not zero, and no square of a number of single precision overflows or vanishes in double precision.
#[inline(always)]
fn unit_direction<V: Vector>(ray: &Ray<V>) -> V::Precise {
    let direction = ray.direction().to_precise();
    direction / direction.length()
}

/// The point with zeros instead of coordinates that are negligible beside `size`.
fn without_tiny_components<P: PreciseVector>(point: P, size: f64) -> P {
    (0..P::DIM).fold(point, |point, k| {
        if point.component(k).abs() < tolerances::RAY_LEAST_COORDINATE * size {
            point.with_component(k, 0.0)
        } else {
            point
        }
    })
}

#[cfg(test)]
mod tests {
    use clearance_math::{Pose, Vec3};

    use super::*;
    use crate::questions::ray::triangle::tests::number;

    /// Rays that pass a ball by little or much, at all scales: what is refused without a frame would be
    /// refused with one, and nearly everything that passes clearly is.
    #[test]
    fn what_surely_passes_passes_in_its_frame() {
        let (mut refused, mut clear) = (0, 0);
        for k in 0..40_000_u32 {
            let vector = |i: u32| Vec3::from_array([0, 1, 2].map(|j| number(20 * k + 3 * i + j)));
            let scale = 10.0_f32.powi((k % 41) as i32 - 20);
            let center = vector(0) * scale;
            let radius = scale * 10.0_f32.powi(-((k % 7) as i32)) * number(20 * k + 15).abs();
            let direction = vector(1) * 10.0_f32.powi((k % 23) as i32 - 11);
            let side = vector(1).cross(vector(2)).normalize_or(Vec3::X);
            // By the radius exactly, by a few steps of single precision, or by much.
            let beside = [1.0, 1.0 + 1e-7, 1.0 - 1e-7, 1.5, 0.5][k as usize % 5];
            let start = center + side * (radius * beside) - vector(1) * (4.0 * scale);
            let Ok(ray) = Ray::new(start, direction) else {
                continue;
            };
            let pose = Pose::<Vec3>::from_translation(center);
            let radius = f64::from(radius);
            let line = RayInFrame::new(&ray, &RelativePose::from_pose(&pose), radius);
            let surely = ray_surely_passes(&ray, center.as_dvec3(), radius);
            assert!(line.passes() || !surely, "{ray:?} {center} {radius}");
            let is_clear = line.base.length() > 1.01 * radius + 1e-6 * f64::from(scale);
            assert!(surely || !is_clear, "{ray:?} {center} {radius}");
            refused += u32::from(surely);
            clear += u32::from(is_clear);
        }
        assert!(refused >= clear && clear > 5_000, "{refused} {clear}");
    }
}
