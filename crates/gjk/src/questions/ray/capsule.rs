//! Ray and capsule, and the sides of cylinders.

use clearance_math::internal::MapEach;
use clearance_math::{PreciseVector, Vector};
use clearance_shapes::{Cylinder, Segment};

use super::ball::Round;
use super::chord::{Chord, ChordSide};
use super::in_frame::RayInFrame;

/// All points within `radius` of the line through `point` along the unit vector `axis`.
struct Barrel<P> {
    point: P,
    axis: P,
    radius: f64,
}

/// What a line and a barrel have in common.
enum Common<P> {
    /// The part of the line between two places.
    Part(Chord<P>),
    /// The whole line, which runs along the inside.
    Line,
    /// The whole line, a part of it, or nothing: as far as rounding can tell, it runs along the surface.
    Open,
}

impl<P: PreciseVector> Barrel<P> {
    /// The vector from the nearest point of the axis to a point.
    fn offset_of(&self, point: P) -> P {
        let from = point - self.point;
        from - self.axis * from.dot(self.axis)
    }

    /// `None` if the line is proven to miss.
    #[inline]
    fn common(&self, ray: &RayInFrame<P>) -> Option<Common<P>> {
        let from_axis = self.offset_of(ray.base);
        let across = ray.direction - self.axis * ray.direction.dot(self.axis);
        let speed = across.length();
        if speed * ray.bounding_radius <= ray.rounding {
            let room = self.radius - from_axis.length();
            let doubt = 2.0 * ray.rounding;
            return match room {
                _ if room < -doubt => None,
                _ if room <= doubt && speed > 0.0 => Some(Common::Open),
                _ => Some(Common::Line),
            };
        }
        let round = Round {
            from_center: from_axis,
            direction: across / speed,
            radius: self.radius,
            rounding: ray.rounding,
        };
        round.chord(speed).map(Common::Part)
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
    let common = barrel.common(ray)?;
    let (from, rate) = ((ray.base - a).dot(axis), ray.direction.dot(axis));
    let is_between = |at: f64| {
        let along = from + at * rate;
        ray.rounding <= along && along <= length - ray.rounding
    };
    if let Common::Part(side) = common
        && is_between(side.enter.lower)
        && is_between(side.enter.upper)
        && is_between(side.leave.lower)
        && is_between(side.leave.upper)
    {
        return side.if_any();
    }
    let ball = |center: V::Precise| Round::ball(ray, center, radius).chord(1.0);
    let ends =
        [(axis, b), (-axis, a)].map_each(|(out, end)| ChordSide::new(ray, out, out.dot(end)));
    let between_ends = |mut side: Chord<V::Precise>| {
        let is_any = ends.into_iter().all(|end| side.clip(ray, end));
        if is_any { side.if_any() } else { None }
    };
    let side = match common {
        Common::Part(side) => between_ends(side),
        Common::Open => between_ends(Chord::line().left_open(ray)),
        // It runs through both balls.
        Common::Line => None,
    };
    // Where the line grazes the seam between the cylinder and a ball, rounding may let it enter by a flat
    // end. The surface has no such normal.
    let side = side.map(|mut side| {
        for end in [&mut side.enter, &mut side.leave] {
            end.normal = barrel.offset_of(ray.point(end.at));
        }
        side
    });
    let pieces = [ball(a), ball(b), side];
    // A line that runs along crosses both balls, or none.
    let union = match common {
        Common::Line => Chord::or,
        _ => Chord::or_perhaps,
    };
    pieces.into_iter().flatten().reduce(union)
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
    let mut chord = match barrel.common(ray)? {
        Common::Part(chord) => chord,
        Common::Line => Chord::line(),
        Common::Open => Chord::line().left_open(ray),
    };
    let half = f64::from(cylinder.half_height);
    let clipped = [P::axis(1), -P::axis(1)]
        .into_iter()
        .all(|normal| chord.clip(ray, ChordSide::new(ray, normal, half)));
    if clipped { chord.if_any() } else { None }
}
