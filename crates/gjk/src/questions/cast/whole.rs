//! Two whole convex shapes that do not turn.
//!
//! It is the method of [`super::straight`], without what a cast prepares for parts of composites and for shapes that
//! turn, which takes longer than the search. The numbers are the same to the last bit. What the search leaves open, such
//! as shapes that overlap at the start, goes on from there with that preparation.

use clearance_math::{Matrix, PreciseVector, RelativePose, Rotation, Vector, tolerances};
use clearance_shapes::{Convex, Shape};

use super::answer::CastOutcome;
use super::asked::{Apart, Asked};
use super::bounding_balls::BoundingBalls;
use super::precision::{Precision, common_size};
use super::sides::Cast;
use super::straight::search;
use crate::search::moving_origin::{Arrival, Place, Way};

/// What is found of two whole shapes.
pub(super) enum Searched<P> {
    /// Whether they meet, and when.
    Decided(CastOutcome<P>),
    /// They do not meet before this time, and what comes then is left to other methods.
    Open { time: f64 },
}

/// One of two shapes: a convex one that does not turn.
struct Whole<'a, V: Vector> {
    convex: &'a Convex<V>,
    rotation: <V::Precise as PreciseVector>::Matrix,
    origin: V::Precise,
    velocity: V::Precise,
}

impl<'a, V: Vector> Whole<'a, V> {
    /// `None` for other shapes, and for one that turns.
    #[inline(always)]
    fn new(cast: &Cast<'a, V>) -> Option<Self> {
        let Shape::Convex(convex) = cast.placed.shape else {
            return None;
        };
        (!cast.turns()).then(|| Self {
            convex,
            rotation: cast.placed.pose.rotation.matrix(),
            origin: cast.placed.pose.position(),
            velocity: cast.motion.linear.to_precise(),
        })
    }

    /// The centre of a ball around the core, from the origin, in the axes of the world, and its radius.
    #[inline(always)]
    fn ball(&self) -> (V::Precise, f64) {
        let (center, radius) = self.convex.core_ball();
        (self.rotation.apply(center), radius)
    }

    /// How far the shape reaches from its origin.
    #[inline(always)]
    fn reach(&self) -> f64 {
        self.convex.core_bounding_radius() + self.convex.radius()
    }

    /// The size of the shape with its radius.
    #[inline(always)]
    fn size(&self) -> f64 {
        self.convex.core_size() + self.convex.radius()
    }
}

/// Two shapes in canonical order.
struct WholePair<'a, V: Vector> {
    a: Whole<'a, V>,
    b: Whole<'a, V>,
    /// The way from the origin of a to that of b at time 0.
    apart: V::Precise,
    /// The velocity of b as seen from a.
    velocity: V::Precise,
    precision: Precision,
}

/// Casts two shapes in canonical order. `None` for other shapes, and where their places are not known well enough for
/// the answer to say so.
#[inline(always)]
pub(super) fn meet<V: Vector>(
    a: &Cast<V>,
    b: &Cast<V>,
    asked: &Asked,
) -> Option<Searched<V::Precise>> {
    let pair = WholePair::new(Whole::new(a)?, Whole::new(b)?);
    let near = pair.precision.near(asked.within);
    let way = Way {
        velocity: pair.a.rotation.apply_transposed(pair.velocity),
        from: match pair
            .balls(asked.within + pair.precision.radii + near)
            .meet()
        {
            Ok(time) if time <= asked.until => time,
            _ => return Some(Searched::Decided(CastOutcome::Missed)),
        },
        until: asked.until,
        target: asked.within + pair.precision.radii,
        near,
        rounding: pair.precision.rounding_of(asked.within),
    };
    if !pair.precision.is_precise(asked.within) {
        return None;
    }
    let b_in_a = pair.b_in_a(way.from);
    let arrival = search(pair.a.convex, pair.b.convex, &b_in_a, &way, &mut None);
    Some(match arrival {
        Arrival::Never { .. } => Searched::Decided(CastOutcome::Missed),
        Arrival::At(place) if place.time > 0.0 => Searched::Decided(pair.met(&place, asked.within)),
        // What they are at the start is measured as at rest.
        Arrival::At(Place { time, .. }) | Arrival::Open { time } => Searched::Open { time },
    })
}

impl<'a, V: Vector> WholePair<'a, V> {
    #[inline(always)]
    fn new(a: Whole<'a, V>, b: Whole<'a, V>) -> Self {
        let (apart, velocity) = (b.origin - a.origin, b.velocity - a.velocity);
        let reach = apart.length() + velocity.length() + a.reach() + b.reach();
        Self {
            precision: Precision {
                rounding: tolerances::CAST_ROUNDING * reach,
                size: common_size(a.size(), b.size()),
                radii: a.convex.radius() + b.convex.radius(),
            },
            a,
            b,
            apart,
            velocity,
        }
    }

    /// Balls around the cores, which have met where the cores may be as near as the target.
    #[inline(always)]
    fn balls(&self, target: f64) -> BoundingBalls<V::Precise> {
        let (center_a, radius_a) = self.a.ball();
        let (center_b, radius_b) = self.b.ball();
        BoundingBalls {
            way: self.apart + center_b - center_a,
            velocity: self.velocity,
            radius: radius_a + radius_b + target + self.precision.rounding,
        }
    }

    /// The pose of b in the frame of a at a time.
    #[inline(always)]
    fn b_in_a(&self, time: f64) -> RelativePose<V::Precise> {
        let to_a = self.a.rotation.transposed();
        RelativePose {
            rotation: to_a.after(&self.b.rotation),
            translation: to_a.apply(self.apart + self.velocity * time),
        }
    }

    /// What is known where the shapes have met.
    #[inline(always)]
    fn met(&self, place: &Place<V::Precise>, within: f64) -> CastOutcome<V::Precise> {
        let lower = within - 2.0 * self.precision.rounding + self.precision.radii;
        let apart = Apart {
            normal: place.normal,
            upper: place.upper,
            witness_points: place.witness_points,
        };
        // Turned as parts of composites turn it, so that they have the same bits.
        let rotation = &self.a.rotation;
        let normal = rotation.apply_transposed(rotation.apply(place.normal));
        let cores = apart.measured(normal, lower, &self.precision);
        let a_in_world = RelativePose {
            rotation: self.a.rotation,
            translation: self.a.origin + self.a.velocity * place.time,
        };
        let measured = cores.with_radii(self.a.convex.radius(), self.b.convex.radius());
        CastOutcome::Met {
            time: place.time,
            measured: measured.moved_to_world(&a_in_world),
        }
    }
}

#[cfg(test)]
mod tests;
