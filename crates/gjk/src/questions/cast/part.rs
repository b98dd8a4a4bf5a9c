//! A convex part of a body in motion: where it is at a time, and how far its turning can carry it along a
//! direction.

use clearance_math::internal::MapEach;
use clearance_math::{DVec3, Matrix, PreciseVector, RelativePose, Vector};
use clearance_shapes::{Convex, Core, Support};

use super::motion::{Moving, Turn, rate_of_turning};

/// Of hulls with more vertices the reach is taken from a box.
const MOST_VERTICES: usize = 64;

/// A convex part of a body in motion.
#[derive(Clone, Copy, Debug)]
pub(super) struct MovingPart<'a, V: Vector> {
    pub(super) convex: &'a Convex<V>,
    /// The pose in the frame of the body; `None` if it is the identity.
    pub(super) in_body: Option<&'a RelativePose<V::Precise>>,
    pub(super) body: Moving<V::Precise>,
    reach: Reach,
}

/// How far the core is from the axis through the body's origin about which it turns.
#[derive(Clone, Copy, Debug, Default)]
struct Reach {
    /// The greatest distance from the axis.
    across: f64,
    /// The least and the greatest coordinate along the axis, counted from the body's origin.
    along: [f64; 2],
}

/// A part at a time.
#[derive(Clone, Copy, Debug)]
pub(super) struct PartAt<P: PreciseVector> {
    pub(super) rotation: P::Matrix,
    /// From the body's origin to that of the part, along the axes of the world.
    pub(super) offset: P,
}

/// The farthest point of a core along a direction, from the body's origin, and how far it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Farthest<P> {
    pub(super) point: P,
    pub(super) height: f64,
}

impl<'a, V: Vector> MovingPart<'a, V> {
    pub(super) fn new(
        convex: &'a Convex<V>,
        in_body: Option<&'a RelativePose<V::Precise>>,
        body: Moving<V::Precise>,
    ) -> Self {
        let mut part = Self {
            convex,
            in_body,
            body,
            reach: Reach::default(),
        };
        if !body.turn.is_none() {
            part.reach = part.find_reach();
        }
        part
    }

    pub(super) fn at(&self, time: f64) -> PartAt<V::Precise> {
        let body = self.body.rotation(time);
        match self.in_body {
            None => PartAt {
                rotation: body,
                offset: V::Precise::ZERO,
            },
            Some(pose) => PartAt {
                rotation: body.after(&pose.rotation),
                offset: body.apply(pose.translation),
            },
        }
    }

    /// A ball that holds the core at any time: its centre at time 0 from the body's origin, which does not
    /// move from there unless the body does, and its radius.
    pub(super) fn ball(&self) -> (V::Precise, f64) {
        if self.body.turn.is_none() {
            let at = self.at(0.0);
            let (center, radius) = self.convex.core_ball();
            (at.rotation.apply(center) + at.offset, radius)
        } else {
            (V::Precise::ZERO, self.core_radius())
        }
    }

    /// The size of the part with its radius.
    pub(super) fn size(&self) -> f64 {
        self.convex.core_size() + self.convex.radius()
    }

    /// An upper bound of the distance of the core's points from the body's origin.
    pub(super) fn core_radius(&self) -> f64 {
        let offset = self.in_body.map_or(0.0, |pose| pose.translation.length());
        self.convex.core_bounding_radius() + offset
    }

    /// How much the computed places may be wrong because the angle is rounded.
    pub(super) fn turned(&self) -> f64 {
        // Whatever the angle is, no point is farther off than across the circle on which it goes.
        self.reach.across * self.body.turn.angle.min(1.0 / f64::EPSILON)
    }

    /// The farthest point of the core along a unit normal of the world.
    #[inline]
    pub(super) fn farthest(
        &self,
        at: &PartAt<V::Precise>,
        normal: V::Precise,
    ) -> Farthest<V::Precise> {
        let local = at.rotation.apply_transposed(normal);
        let point = at.rotation.apply(self.convex.core().support(local)) + at.offset;
        Farthest {
            point,
            height: point.dot(normal),
        }
    }

    /// The greatest second derivative by time of the height of a point of the core along a normal.
    ///
    /// The points move on circles, which the normal sees from the side.
    pub(super) fn bend(&self, normal: V::Precise) -> f64 {
        let turn = &self.body.turn;
        if turn.is_none() {
            return 0.0;
        }
        turn.angle * turn.angle * tilt(turn, normal) * self.reach.across
    }

    /// How fast a point of the core can go along a direction by turning, times the length of that direction.
    pub(super) fn sway(&self, direction: V::Precise) -> f64 {
        let turn = &self.body.turn;
        if turn.is_none() {
            return 0.0;
        }
        let across = turn.axis.cross(direction.in_space()).length();
        turn.angle * self.reach.across * (across + 4.0 * f64::EPSILON * direction.length())
    }

    /// How much higher than now any point of the core can get along a normal by turning, however long.
    pub(super) fn rise(&self, normal: V::Precise, now: &Farthest<V::Precise>) -> f64 {
        let turn = &self.body.turn;
        if turn.is_none() {
            return 0.0;
        }
        let along = turn.axis.dot(normal.in_space());
        let [low, high] = self.reach.along.map_each(|end| end * along);
        let highest = low.max(high) + tilt(turn, normal) * self.reach.across;
        (highest - now.height).max(0.0)
    }

    /// How fast the height of a point along a normal grows.
    pub(super) fn rate(&self, point: V::Precise, normal: V::Precise) -> f64 {
        rate_of_turning(&self.body.turn, point, normal)
    }

    fn find_reach(&self) -> Reach {
        let at = self.at(0.0);
        let place = |point: V::Precise| (at.rotation.apply(point) + at.offset).in_space();
        let axis = self.body.turn.axis;
        let corners = |corners: &[V]| {
            let places = corners.iter().map(|corner| place(corner.to_precise()));
            around(axis, places.map(|place| (place, 0.0)))
        };
        let discs = |half_height: f32, radius: [f32; 2]| {
            let center = V::Precise::axis(1) * f64::from(half_height);
            let discs = [(center, radius[0]), (-center, radius[1])];
            around(
                axis,
                discs.map_each(|(center, radius)| (place(center), f64::from(radius))),
            )
        };
        let mut reach = match self.convex.core() {
            Core::Point(point) => corners(&[*point]),
            Core::Segment(segment) => corners(&[segment.a, segment.b]),
            Core::Triangle(triangle) => corners(&[triangle.a, triangle.b, triangle.c]),
            Core::Hull(hull) if hull.vertices().len() <= MOST_VERTICES => corners(hull.vertices()),
            Core::Cylinder(cylinder) => discs(cylinder.half_height, [cylinder.radius; 2]),
            Core::Cone(cone) => discs(cone.half_height, [0.0, cone.radius]),
            Core::TaperedCylinder(cylinder) => discs(
                cylinder.half_height,
                [cylinder.radius_top, cylinder.radius_bottom],
            ),
            _ => self.boxed_reach(&at),
        };
        reach.across = reach.across.min(self.core_radius());
        // A few roundings.
        let rounding = 16.0 * f64::EPSILON * self.core_radius();
        reach.across += rounding;
        reach.along[0] -= rounding;
        reach.along[1] += rounding;
        reach
    }

    /// The reach of the box around the core that has sides along the axis.
    fn boxed_reach(&self, at: &PartAt<V::Precise>) -> Reach {
        let axis = self.body.turn.axis;
        let span = |direction: DVec3| {
            let direction = V::Precise::from_space(direction);
            [
                -self.farthest(at, -direction).height,
                self.farthest(at, direction).height,
            ]
        };
        let first = axis.any_orthonormal_vector();
        let beside = [first, axis.cross(first)].map_each(|direction| {
            let [low, high] = span(direction);
            low.abs().max(high.abs())
        });
        Reach {
            across: DVec3::new(beside[0], beside[1], 0.0).length(),
            along: span(axis),
        }
    }
}

/// The sine of the angle between the axis of a turn and a normal.
fn tilt<P: PreciseVector>(turn: &Turn, normal: P) -> f64 {
    let sine = turn.axis.cross(normal.in_space()).length();
    // Of two parallel vectors rounding leaves this much.
    sine + 4.0 * f64::EPSILON
}

/// The reach of discs or balls around centres.
fn around(axis: DVec3, rounds: impl IntoIterator<Item = (DVec3, f64)>) -> Reach {
    let mut reach = Reach {
        across: 0.0,
        along: [f64::INFINITY, f64::NEG_INFINITY],
    };
    for (center, radius) in rounds {
        let along = center.dot(axis);
        let across = (center - axis * along).length() + radius;
        reach.across = reach.across.max(across);
        reach.along[0] = reach.along[0].min(along - radius);
        reach.along[1] = reach.along[1].max(along + radius);
    }
    reach
}
