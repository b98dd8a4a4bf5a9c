//! Measuring one pair of parts.

use core::cmp::Ordering;

use clearance_math::internal::MapEach;
use clearance_math::{PreciseVector, Real, RelativePose, Vector, round_down, tolerances};
use clearance_shapes::{Composite, Core, Part, Shape};

use crate::answer::{Measured, Outcome, Proximity, Separation};
use crate::convex::closed_forms::point_convex;
use crate::convex::method;
use crate::manifold::{Manifold, OrderedShapes, fill_segments};
use crate::pair::{BodyFrames, Exchange, KeptFrames, Placed, canonical};

/// A part of a placed shape; a shape that is no composite is its own part.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlacedPart<'a, V: Vector> {
    pub(crate) body: Placed<'a, V>,
    /// The pose in the frame of the body; `None` if it is the identity.
    pub(crate) pose: Option<&'a RelativePose<V::Precise>>,
}

impl<'a, V: Vector> PlacedPart<'a, V> {
    pub(crate) fn new(part: &'a Part<'_, V>, body: Placed<'a, V>) -> Self {
        Self {
            body: Placed::new(&part.shape, body.pose),
            pose: part.pose.as_ref(),
        }
    }

    pub(crate) fn whole(body: Placed<'a, V>) -> Self {
        Self { body, pose: None }
    }

    /// The part, or the whole shape if it is no composite; `None` if the composite has no such part.
    pub(crate) fn of(body: Placed<'a, V>, part: Option<&'a Part<'_, V>>) -> Option<Self> {
        match (composite_of(body.shape), part) {
            (None, _) => Some(Self::whole(body)),
            (Some(_), Some(part)) => Some(Self::new(part, body)),
            (Some(_), None) => None,
        }
    }

    /// The pose in the world, if that of the body is this.
    fn in_world(&self, body: &RelativePose<V::Precise>) -> RelativePose<V::Precise> {
        self.pose.map_or(*body, |pose| body.after(pose))
    }

    fn in_body(&self) -> RelativePose<V::Precise> {
        self.pose.copied().unwrap_or(RelativePose::identity())
    }
}

pub(super) fn composite_of<V: Vector>(shape: &Shape<V>) -> Option<&Composite<V>> {
    match shape {
        Shape::Composite(composite) => Some(composite),
        Shape::Convex(_) | Shape::HalfSpace(_) => None,
    }
}

pub(crate) fn part_of<V: Vector>(shape: &Shape<V>, number: u32) -> Option<Part<'_, V>> {
    composite_of(shape).and_then(|composite| composite.part(number))
}

/// Two parts that were measured.
pub(super) struct MeasuredParts<V: Vector> {
    pub(super) near: Separation<V>,
    /// The same in the frame of the part that comes first in the order of [`compare_parts`], if it was found there.
    pub(super) precise: Option<Measured<V::Precise>>,
    /// The range of the question.
    pub(super) within: Real,
}

/// Measures two parts. Where both lie in the frames of their bodies the answer is that of measuring
/// the bare parts, bit for bit. Exchanging a and b mirrors the answer. `kept` gets [`MeasuredParts::precise`].
pub(super) fn measure<V: Vector>(
    a: PlacedPart<V>,
    b: PlacedPart<V>,
    bodies: &KeptFrames<V::Precise>,
    within: Real,
    kept: &mut Option<Measured<V::Precise>>,
) -> Proximity<V> {
    if are_bare(&a, &b) {
        let keep = |measured: &Measured<V::Precise>| *kept = Some(*measured);
        return method::measure_in_frames(a.body, b.body, bodies, within, keep);
    }
    let exchange = Exchange::by(compare_parts(&a, &b));
    let bodies = bodies.in_order(exchange);
    exchange.answer(measure_ordered(
        exchange.sides([&a, &b]),
        bodies,
        within,
        kept,
    ))
}

/// Compares by the kinds and the poses of the bodies first, then by the poses within the bodies.
pub(crate) fn compare_parts<V: Vector>(a: &PlacedPart<V>, b: &PlacedPart<V>) -> Ordering {
    let poses = || canonical::compare_relative(&a.in_body(), &b.in_body());
    canonical::compare(&a.body, &b.body).then_with(poses)
}

impl<V: Vector> MeasuredParts<V> {
    /// Fills their manifold.
    pub(super) fn fill(
        mut self,
        [a, b]: [PlacedPart<V>; 2],
        bodies: &KeptFrames<V::Precise>,
        manifold: &mut Manifold<V>,
    ) {
        let exchange = Exchange::by(compare_parts(&a, &b));
        self.near = exchange.answer(self.near);
        let Self { near, within, .. } = self;
        let [a, b] = exchange.sides([&a, &b]);
        if !(are_bare(a, b) && fill_segments([a.body, b.body], near, within, manifold)) {
            with_sides([a, b], bodies.in_order(exchange), |sides| {
                sides.fill_measured(near, self.precise.as_ref(), within, manifold);
            });
        }
        exchange.answer(manifold);
    }
}

/// The manifold of two parts along a normal from a to b.
pub(super) fn manifold_along<V: Vector>(
    a: PlacedPart<V>,
    b: PlacedPart<V>,
    normal: V,
    within: Real,
) -> Option<Manifold<V>> {
    let bodies = KeptFrames::new(a.body.pose, b.body.pose);
    let exchange = Exchange::by(compare_parts(&a, &b));
    let normal = exchange.normal(normal);
    let sides = exchange.sides([&a, &b]);
    let found = with_sides(sides, bodies.in_order(exchange), |sides| {
        sides.manifold_along(normal, within)
    });
    exchange.answer(found)
}

fn are_bare<V: Vector>(a: &PlacedPart<V>, b: &PlacedPart<V>) -> bool {
    a.pose.is_none() && b.pose.is_none()
}

fn with_sides<V: Vector, T>(
    [a, b]: [&PlacedPart<V>; 2],
    bodies: BodyFrames<V::Precise>,
    find: impl FnOnce(&OrderedShapes<'_, V>) -> T,
) -> T {
    let b_in_a = if are_bare(a, b) {
        *bodies.b_in_a
    } else {
        let a_to_part = a.in_body().inverse();
        a_to_part.after(bodies.b_in_a).after(&b.in_body())
    };
    find(&OrderedShapes {
        shapes: [a.body.shape, b.body.shape],
        a_in_world: &a.in_world(bodies.a_in_world),
        b_in_a: &b_in_a,
        exchange: Exchange::NONE,
    })
}

fn measure_ordered<V: Vector>(
    [a, b]: [&PlacedPart<V>; 2],
    bodies: BodyFrames<V::Precise>,
    within: Real,
    kept: &mut Option<Measured<V::Precise>>,
) -> Proximity<V> {
    let (part_a, part_b) = (a.in_body(), b.in_body());
    let b_in_a = part_a.inverse().after(bodies.b_in_a).after(&part_b);
    // Composing the poses takes a few roundings of coordinates that may be larger than those of the
    // relative pose.
    let lengths = [bodies.b_in_a, &part_a, &part_b].map_each(|pose| pose.translation.length());
    let sizes = [a, b].map_each(|part| match part.body.shape {
        Shape::Convex(convex) => convex.core_bounding_radius() + convex.radius(),
        _ => 0.0,
    });
    let coordinates = lengths.iter().chain(&sizes).sum::<f64>();
    let rounding = tolerances::DIFFERENCE_ROUNDING * coordinates;
    let beyond = method::just_beyond(within) + rounding;
    match measure_parts(a.body.shape, b.body.shape, &b_in_a, beyond) {
        Outcome::Near(measured) => {
            *kept = Some(measured);
            let measured = Measured {
                lower: measured.lower - rounding,
                upper: measured.upper + rounding,
                ..measured
            };
            let in_world = a.in_world(bodies.a_in_world);
            method::near_within(&measured, within, |measured| measured.in_world(&in_world))
        }
        Outcome::Farther { lower } => Proximity::Farther {
            lower: round_down(lower - rounding),
        },
        Outcome::Unbounded => Proximity::Unbounded,
    }
}

/// Measures two convex parts, in a's frame. They must be in canonical order.
pub(crate) fn measure_parts<V: Vector>(
    a: &Shape<V>,
    b: &Shape<V>,
    b_in_a: &RelativePose<V::Precise>,
    within: f64,
) -> Outcome<V::Precise> {
    if let (Shape::Convex(ball), Shape::Convex(other)) = (a, b)
        && let Core::Point(center) = ball.core()
    {
        let a_in_b = b_in_a.inverse();
        let in_b = a_in_b.transform_point(center.to_precise());
        if let Some(measured) = point_convex::measure(other, in_b, ball.radius()) {
            // The answer is that of b against a, in b's frame.
            return Outcome::Near(measured.flipped(&a_in_b));
        }
    }
    method::measure_shapes([a, b], b_in_a, within, None)
}
