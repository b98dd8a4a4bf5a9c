//! Ray and capsule, and the sides of cylinders.

use clearance_math::{PreciseVector, Vector};
use clearance_shapes::{Cylinder, Segment};

use super::ball::Round;
use super::chord::{Chord, Side};
use super::in_frame::RayInFrame;

/// All points within `radius` of the line through `point` along the unit vector `axis`.
struct Barrel<P> {
    point: P,
    axis: P,
    radius: f64,
}

impl<P: PreciseVector> Barrel<P> {
    /// The vector from the nearest point of the axis to a point.
    fn offset_of(&self, point: P) -> P {
        let from = point - self.point;
        from - self.axis * from.dot(self.axis)
    }

    /// The chord; the whole line if it runs along the inside. `None` if the line is proven to miss.
    #[inline]
    fn chord(&self, ray: &RayInFrame<P>) -> Option<Chord<P>> {
        let from_axis = self.offset_of(ray.base);
        let across = ray.direction - self.axis * ray.direction.dot(self.axis);
        let speed = across.length();
        if speed * ray.bounding_radius <= ray.rounding {
            let is_inside = from_axis.length() <= self.radius + 2.0 * ray.rounding;
            return is_inside.then(Chord::line);
        }
        let round = Round {
            from_center: from_axis,
            direction: across / speed,
            radius: self.radius,
            rounding: ray.rounding,
        };
        round.chord(speed)
    }
}

/// The chord of all points within `radius` of a segment of positive length.
///
/// Where the line enters the infinite cylinder about the segment between the ends, it enters the capsule.
/// Otherwise it enters by one of the balls about the ends. The same holds for leaving.
pub(super) fn chord<V: Vector>(
    ray: &RayInFrame<V::Precise>,
    segment: &Segment<V>,
    radius: f64,
) -> Option<Chord<V::Precise>> {
    let (a, b) = (segment.a.to_precise(), segment.b.to_precise());
    let length = (b - a).length();
    let axis = (b - a) / length;
    let barrel = Barrel {
        point: a,
        axis,
        radius,
    };
    let mut side = barrel.chord(ray)?;
    let (from, rate) = ((ray.base - a).dot(axis), ray.direction.dot(axis));
    let is_between = |at: f64| {
        let along = from + at * rate;
        ray.rounding <= along && along <= length - ray.rounding
    };
    if is_between(side.enter.lower)
        && is_between(side.enter.upper)
        && is_between(side.leave.lower)
        && is_between(side.leave.upper)
    {
        return side.if_any();
    }
    let ball = |center: V::Precise| {
        let round = Round {
            from_center: ray.base - center,
            direction: ray.direction,
            radius,
            rounding: ray.rounding,
        };
        round.chord(1.0)
    };
    let ends = [(axis, b), (-axis, a)].map(|(out, end)| Side::new(ray, out, out.dot(end)));
    // A line along the axis runs through both balls.
    let is_along = side == Chord::line();
    let is_beside = !is_along && ends.into_iter().all(|end| side.clip(ray, end));
    let side = if is_beside { side.if_any() } else { None };
    // Where the line grazes the seam between the cylinder and a ball, rounding may let it enter by a flat
    // end. The surface has no such normal.
    let side = side.map(|mut side| {
        for end in [&mut side.enter, &mut side.leave] {
            end.normal = barrel.offset_of(ray.point(end.at));
        }
        side
    });
    let pieces = [ball(a), ball(b), side];
    pieces.into_iter().flatten().reduce(Chord::or)
}

/// The chord of a cylinder about the y axis: that of the infinite cylinder, clipped by the planes of both
/// discs.
pub(super) fn cylinder<P: PreciseVector>(
    ray: &RayInFrame<P>,
    cylinder: &Cylinder,
) -> Option<Chord<P>> {
    let barrel = Barrel {
        point: P::ZERO,
        axis: P::axis(1),
        radius: f64::from(cylinder.radius),
    };
    let mut chord = barrel.chord(ray)?;
    let half = f64::from(cylinder.half_height);
    let clipped = [P::axis(1), -P::axis(1)]
        .into_iter()
        .all(|normal| chord.clip(ray, Side::new(ray, normal, half)));
    if clipped { chord.if_any() } else { None }
}
