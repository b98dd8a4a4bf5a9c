//! A part of a body in motion: where it is at a time, and how far its turning can carry it along a direction.

use clearance_math::internal::MapEach;
use clearance_math::{DVec3, Matrix, PreciseVector, RelativePose, Vector};
use clearance_shapes::{Convex, Core, HalfSpace, Shape, Support};

use crate::questions::cast::motion::{Moving, Turn, rate_of_turning};
use crate::questions::cast::sides::is_centred_ball;

/// Of hulls with more vertices the reach is taken from a box.
const MOST_VERTICES: usize = 64;

/// A convex shape or a half-space of a body in motion.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MovingPart<'a, V: Vector> {
    pub(crate) shape: &'a Shape<V>,
    pub(crate) kind: PartKind<'a, V>,
    /// The pose in the frame of the body; `None` if it is the identity.
    in_body: Option<&'a RelativePose<V::Precise>>,
    pub(crate) body: &'a Moving<V::Precise>,
    /// How the body turns, unless that makes no difference to the part.
    pub(crate) turn: &'a Turn,
    reach: ReachFromAxis,
}

/// What a part is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PartKind<'a, V: Vector> {
    Convex(&'a Convex<V>),
    HalfSpace(&'a HalfSpace<V>),
}

/// How far the core is from the axis through the body's origin about which it turns.
#[derive(Clone, Copy, Debug, Default)]
struct ReachFromAxis {
    /// The greatest distance from the axis.
    across: f64,
    /// The least and the greatest coordinate along the axis, counted from the body's origin.
    along: [f64; 2],
}

/// A part at a time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PartAt<P: PreciseVector> {
    pub(crate) rotation: P::Matrix,
    /// From the body's origin to that of the part, along the axes of the world.
    pub(crate) offset: P,
}

/// The farthest point of a core along a direction, from the body's origin, and how far it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Farthest<P> {
    pub(crate) point: P,
    pub(crate) height: f64,
}

impl<'a, V: Vector> MovingPart<'a, V> {
    /// `None` if the shape is a composite.
    #[inline(always)]
    pub(crate) fn new(
        shape: &'a Shape<V>,
        in_body: Option<&'a RelativePose<V::Precise>>,
        body: &'a Moving<V::Precise>,
    ) -> Option<Self> {
        let kind = match shape {
            Shape::Convex(convex) => PartKind::Convex(convex),
            Shape::HalfSpace(plane) => PartKind::HalfSpace(plane),
            Shape::Composite(_) => return None,
        };
        let is_alike = in_body.is_none() && is_centred_ball(shape);
        let turn = if is_alike { &Turn::NONE } else { &body.turn };
        let part = Self {
            shape,
            kind,
            in_body,
            body,
            turn,
            reach: ReachFromAxis::default(),
        };
        match kind {
            PartKind::Convex(convex) if !turn.is_none() => Some(part.with_reach(convex)),
            _ => Some(part),
        }
    }

    /// The shape if it is convex.
    #[inline(always)]
    pub(crate) fn convex(&self) -> Option<&'a Convex<V>> {
        match self.kind {
            PartKind::Convex(convex) => Some(convex),
            PartKind::HalfSpace(_) => None,
        }
    }

    #[inline(always)]
    pub(crate) fn is_half_space(&self) -> bool {
        self.convex().is_none()
    }

    pub(crate) fn at(&self, time: f64) -> PartAt<V::Precise> {
        self.in_turned_body(&self.body.turned(self.turn, time))
    }

    /// The part at time 0.
    #[inline(always)]
    pub(crate) fn at_start(&self) -> PartAt<V::Precise> {
        self.in_turned_body(self.body.rotation_at_start())
    }

    #[inline(always)]
    fn in_turned_body(&self, body: &<V::Precise as PreciseVector>::Matrix) -> PartAt<V::Precise> {
        match self.in_body {
            None => PartAt {
                rotation: *body,
                offset: V::Precise::ZERO,
            },
            Some(pose) => PartAt {
                rotation: body.after(&pose.rotation),
                offset: body.apply(pose.translation),
            },
        }
    }

    /// A ball that holds the core at any time: its centre at time 0 from the body's origin, which does not
    /// move from there unless the body does, and its radius. `start` is the part at time 0.
    #[inline(always)]
    pub(crate) fn ball(&self, start: &PartAt<V::Precise>) -> (V::Precise, f64) {
        match self.kind {
            PartKind::Convex(convex) if self.turn.is_none() => {
                let (center, radius) = convex.core_ball();
                (start.rotation.apply(center) + start.offset, radius)
            }
            _ => (V::Precise::ZERO, self.core_radius()),
        }
    }

    /// The radius by which the core is grown.
    #[inline(always)]
    pub(crate) fn radius(&self) -> f64 {
        self.convex().map_or(0.0, Convex::radius)
    }

    /// The size of the part with its radius; a half-space has none.
    #[inline(always)]
    pub(crate) fn size(&self) -> f64 {
        let size = |convex: &Convex<V>| convex.core_size() + convex.radius();
        self.convex().map_or(0.0, size)
    }

    /// An upper bound of the distance of the core's points from the body's origin.
    #[inline(always)]
    pub(crate) fn core_radius(&self) -> f64 {
        let offset = self.in_body.map_or(0.0, |pose| pose.translation.length());
        let radius = self.convex().map(Convex::core_bounding_radius);
        radius.unwrap_or(f64::INFINITY) + offset
    }

    /// The greatest coordinate that places of the part are computed from, and how much the computed places may be wrong
    /// because the angle is rounded. Nothing of a half-space matters that is farther from the other body's origin than
    /// `beyond`.
    #[inline(always)]
    pub(crate) fn reach(&self, beyond: impl FnOnce() -> f64) -> f64 {
        // Whatever the angle is, no point is farther off than across the circle on which it goes.
        let angle = self.turn.angle.min(1.0 / f64::EPSILON);
        match self.kind {
            PartKind::Convex(convex) => {
                self.core_radius() + convex.radius() + self.reach.across * angle
            }
            PartKind::HalfSpace(plane) => plane.offset() + beyond() * angle,
        }
    }

    /// The farthest point of the core along a unit normal of the world; of a half-space, of which all points of the plane are
    /// as far along its own normal, one that no turn about the normal moves.
    #[inline]
    pub(crate) fn farthest(
        &self,
        at: &PartAt<V::Precise>,
        normal: V::Precise,
    ) -> Farthest<V::Precise> {
        match self.kind {
            PartKind::Convex(convex) => {
                let local = at.rotation.apply_transposed(normal);
                let point = at.rotation.apply(convex.core().support(local)) + at.offset;
                Farthest {
                    point,
                    height: point.dot(normal),
                }
            }
            PartKind::HalfSpace(plane) => Farthest {
                point: normal * plane.offset(),
                height: plane.offset(),
            },
        }
    }

    /// The greatest second derivative by time of the height of a point of the core along a normal.
    ///
    /// The points move on circles, which the normal sees from the side.
    pub(crate) fn bend(&self, normal: V::Precise) -> f64 {
        let turn = self.turn;
        if turn.is_none() {
            return 0.0;
        }
        turn.angle * turn.angle * tilt(turn, normal) * self.reach.across
    }

    /// How fast a point of the core can go along a direction by turning, times the length of that direction.
    pub(crate) fn sway(&self, direction: V::Precise) -> f64 {
        let turn = self.turn;
        if turn.is_none() {
            return 0.0;
        }
        let across = turn.axis.cross(direction.in_space()).length();
        turn.angle * self.reach.across * (across + 4.0 * f64::EPSILON * direction.length())
    }

    /// How much higher than now any point of the core can get along a normal by turning, however long.
    pub(crate) fn rise(&self, normal: V::Precise, now: &Farthest<V::Precise>) -> f64 {
        let turn = self.turn;
        if turn.is_none() {
            return 0.0;
        }
        let along = turn.axis.dot(normal.in_space());
        let [low, high] = self.reach.along.map_each(|end| end * along);
        let highest = low.max(high) + tilt(turn, normal) * self.reach.across;
        (highest - now.height).max(0.0)
    }

    /// How fast the height of a point along a normal grows.
    pub(crate) fn rate(&self, point: V::Precise, normal: V::Precise) -> f64 {
        rate_of_turning(self.turn, point, normal)
    }

    #[inline(never)]
    fn with_reach(self, convex: &Convex<V>) -> Self {
        let at = self.at(0.0);
        let place = |point: V::Precise| (at.rotation.apply(point) + at.offset).in_space();
        let axis = self.turn.axis;
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
        let mut reach = match convex.core() {
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
        Self { reach, ..self }
    }

    /// The reach of the box around the core that has sides along the axis.
    fn boxed_reach(&self, at: &PartAt<V::Precise>) -> ReachFromAxis {
        let axis = self.turn.axis;
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
        ReachFromAxis {
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
fn around(axis: DVec3, rounds: impl IntoIterator<Item = (DVec3, f64)>) -> ReachFromAxis {
    let mut reach = ReachFromAxis {
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
