//! Two convex parts in motion: their poses, a plane between them, and their distance at a time.

use clearance_math::{Matrix, PreciseVector, RelativePose, Vector, tolerances};
use clearance_shapes::{Convex, Core, HalfSpace, Shape, Support};

use super::asked::Apart;
use super::bounding_balls::BoundingBalls;
use super::motion::{Bodies, Moving};
use super::part::{Farthest, MovingPart, PartAt};
use super::precision::{Precision, common_size};
use crate::answer::{Measured, Outcome};
use crate::convex::closed_forms::point_convex;
use crate::convex::method::{measure_cores, search_cores};
use crate::parts::measure_parts;
use crate::search::{Goal, KeptSimplex, SearchResult};

/// The first of two parts.
#[derive(Clone, Copy, Debug)]
pub(super) enum First<'a, V: Vector> {
    Part(MovingPart<'a, V>),
    HalfSpace(&'a HalfSpace<V>, Moving<V::Precise>),
}

/// A convex shape, its pose in its body, and the body.
#[derive(Clone, Copy, Debug)]
pub(super) struct BodyPart<'a, 'b, V: Vector> {
    pub(super) shape: &'a Shape<V>,
    pub(super) in_body: Option<&'a RelativePose<V::Precise>>,
    pub(super) body: &'b Moving<V::Precise>,
}

impl<V: Vector> BodyPart<'_, '_, V> {
    /// Whether the part turns.
    #[inline(always)]
    pub(super) fn turns(&self) -> bool {
        let is_alike = self.in_body.is_none() && is_centred_ball(self.shape);
        !(self.body.turn.is_none() || is_alike)
    }

    /// The motion of the body, without its turn if that makes no difference to the part.
    fn motion(&self) -> Moving<V::Precise> {
        if self.turns() {
            *self.body
        } else {
            self.body.without_turn()
        }
    }
}

/// Two convex parts in motion, in canonical order. The second is not a half-space.
pub(super) struct MovingPair<'a, V: Vector> {
    pub(super) a: First<'a, V>,
    pub(super) b: MovingPart<'a, V>,
    pub(super) bodies: Bodies<V::Precise>,
    shapes: [&'a Shape<V>; 2],
    /// How well places are known, and the sizes that tolerances follow from.
    pub(super) precision: Precision,
}

/// Both parts at a time.
#[derive(Clone, Copy, Debug)]
pub(super) struct PairAt<P: PreciseVector> {
    pub(super) time: f64,
    pub(super) a: PartAt<P>,
    pub(super) b: PartAt<P>,
    pub(super) apart: P,
}

impl<P: PreciseVector> PairAt<P> {
    /// The pose of b in the frame of a.
    #[inline]
    pub(super) fn b_in_a(&self) -> RelativePose<P> {
        let to_a = self.a.rotation.transposed();
        RelativePose {
            rotation: to_a.after(&self.b.rotation),
            translation: to_a.apply(self.apart + self.b.offset - self.a.offset),
        }
    }
}

/// The points of two cores that face each other along a normal.
#[derive(Clone, Copy, Debug)]
pub(super) struct FacingPoints<P> {
    /// The farthest point of a, from the origin of its body; of a half-space, of which all points of the plane are as
    /// far, one that no turn about the normal moves.
    pub(super) on_a: Farthest<P>,
    /// The farthest point of b against the normal, from the origin of its body.
    pub(super) on_b: Farthest<P>,
    /// The gap between them along the normal.
    pub(super) gap: f64,
}

/// What is known of two parts at a time.
pub(super) enum Between<P> {
    /// A plane between the cores, and points of them.
    Apart(Apart<P>),
    /// The cores overlap, or touch up to rounding.
    Overlapping,
}

impl<'a, V: Vector> MovingPair<'a, V> {
    /// `None` if the second is no convex shape.
    pub(super) fn new([a, b]: [&BodyPart<'a, '_, V>; 2], extra_rounding: f64) -> Option<Self> {
        let Shape::Convex(convex_b) = b.shape else {
            return None;
        };
        let bodies = Bodies::new(a.motion(), b.motion());
        let part_b = MovingPart::new(convex_b, b.in_body, bodies.b);
        let of_b = part_b.core_radius() + convex_b.radius() + part_b.turned();
        let (first, size_a, radius_a, of_a) = match a.shape {
            Shape::Convex(convex) => {
                let part = MovingPart::new(convex, a.in_body, bodies.a);
                let reach = part.core_radius() + convex.radius() + part.turned();
                (First::Part(part), part.size(), convex.radius(), reach)
            }
            Shape::HalfSpace(plane) => {
                let first = First::HalfSpace(plane, *a.body);
                let turned = a.body.turn.angle.min(1.0 / f64::EPSILON);
                let reach = plane.offset() + (bodies.reach() + of_b) * turned;
                (first, 0.0, 0.0, reach)
            }
            Shape::Composite(_) => return None,
        };
        let rounding = tolerances::CAST_ROUNDING * (bodies.reach() + of_a + of_b) + extra_rounding;
        Some(Self {
            a: first,
            b: part_b,
            bodies,
            shapes: [a.shape, b.shape],
            precision: Precision {
                rounding,
                size: common_size(size_a, part_b.size()),
                radii: radius_a + convex_b.radius(),
            },
        })
    }

    #[inline]
    pub(super) fn at(&self, time: f64) -> PairAt<V::Precise> {
        let a = match &self.a {
            First::Part(part) => part.at(time),
            First::HalfSpace(_, body) => PartAt {
                rotation: body.rotation(time),
                offset: V::Precise::ZERO,
            },
        };
        let b = self.b.at(time);
        let apart = self.bodies.apart(time);
        PairAt { time, a, b, apart }
    }

    /// A plane between the cores. `gap` is how far apart the bounds may be where the plane is searched.
    pub(super) fn between(
        &self,
        at: &PairAt<V::Precise>,
        gap: f64,
        kept: &mut KeptSimplex<V::Precise>,
    ) -> Between<V::Precise> {
        match &self.a {
            First::HalfSpace(plane, _) => {
                let normal = at.a.rotation.apply(plane.normal());
                let gap = self.gap_along(at, normal);
                let down = at.b.rotation.apply_transposed(-normal);
                let lowest = self.b.convex.core().support(down);
                let on_b = at.b_in_a().transform_point(lowest);
                Between::Apart(Apart {
                    normal,
                    upper: gap + self.precision.rounding,
                    witness_points: (on_b - plane.normal() * gap, on_b),
                })
            }
            First::Part(part) => self.between_cores((part, at), gap, kept),
        }
    }

    fn between_cores(
        &self,
        (part, at): (&MovingPart<'a, V>, &PairAt<V::Precise>),
        gap: f64,
        kept: &mut KeptSimplex<V::Precise>,
    ) -> Between<V::Precise> {
        let (a, b, b_in_a) = (part.convex, self.b.convex, at.b_in_a());
        match by_closed_form(a, b, &b_in_a) {
            Some(measured) if measured.lower > 0.0 => {
                return apart(at, measured.normal, &measured);
            }
            Some(_) => return Between::Overlapping,
            None => {}
        }
        let goal = Goal {
            gap,
            ..Goal::closest_point()
        };
        match search_cores(a, b, &b_in_a, goal, Some(kept)) {
            SearchResult::Separated(found) => Between::Apart(Apart {
                normal: at.a.rotation.apply(found.normal),
                upper: found.upper,
                witness_points: found.witness_points,
            }),
            SearchResult::Overlapping(overlap) if overlap.upper() <= self.precision.rounding => {
                Between::Overlapping
            }
            // Neither a plane nor a point in common was found: the cores almost touch. The whole
            // ladder of methods may know better.
            SearchResult::Overlapping(_) | SearchResult::Farther { .. } => {
                match measure_cores([a, b], &b_in_a, f64::INFINITY, None) {
                    Outcome::Near(measured) if measured.upper > self.precision.rounding => {
                        apart(at, measured.normal, &measured)
                    }
                    _ => Between::Overlapping,
                }
            }
        }
    }

    /// The gap of the cores along a normal: no less than this apart.
    #[inline]
    pub(super) fn gap_along(&self, at: &PairAt<V::Precise>, normal: V::Precise) -> f64 {
        self.facing(at, normal).gap
    }

    /// The points of the cores that face each other along a normal.
    #[inline]
    pub(super) fn facing(
        &self,
        at: &PairAt<V::Precise>,
        normal: V::Precise,
    ) -> FacingPoints<V::Precise> {
        let on_a = match &self.a {
            First::Part(part) => part.farthest(&at.a, normal),
            First::HalfSpace(plane, _) => Farthest {
                point: normal * plane.offset(),
                height: plane.offset(),
            },
        };
        let on_b = self.b.farthest(&at.b, -normal);
        FacingPoints {
            gap: normal.dot(at.apart) - on_b.height - on_a.height,
            on_a,
            on_b,
        }
    }

    /// The signed distance at a time, in a's frame, with bounds that allow for rounded poses.
    pub(super) fn measure(&self, at: &PairAt<V::Precise>) -> Outcome<V::Precise> {
        let outcome = measure_parts(self.shapes[0], self.shapes[1], &at.b_in_a(), f64::INFINITY);
        match outcome {
            Outcome::Near(measured) => Outcome::Near(Measured {
                lower: measured.lower - self.precision.rounding,
                upper: measured.upper + self.precision.rounding,
                ..measured
            }),
            other => other,
        }
    }

    /// The signed distance of two parts whose cores are known to be apart by at least `lower`.
    pub(super) fn measured(
        &self,
        at: &PairAt<V::Precise>,
        apart: &Apart<V::Precise>,
        lower: f64,
    ) -> Measured<V::Precise> {
        let normal = at.a.rotation.apply_transposed(apart.normal);
        let core = apart.measured(normal, lower, &self.precision);
        let radius_a = match &self.a {
            First::Part(part) => part.convex.radius(),
            First::HalfSpace(..) => 0.0,
        };
        core.with_radii(radius_a, self.b.convex.radius())
    }

    /// A time before which the parts are certainly farther apart than asked, by balls around them; `None`
    /// if they are during the whole motion. `target` is what their cores may be apart.
    pub(super) fn balls_meet(&self, target: f64) -> Option<f64> {
        let First::Part(a) = &self.a else {
            return Some(0.0);
        };
        let (center_a, radius_a) = a.ball();
        let (center_b, radius_b) = self.b.ball();
        let balls = BoundingBalls {
            way: self.bodies.apart(0.0) + center_b - center_a,
            velocity: self.bodies.velocity,
            radius: radius_a + radius_b + target + self.precision.rounding,
        };
        balls.meet().ok()
    }

    /// The pose of part a in the world.
    pub(super) fn a_in_world(&self, at: &PairAt<V::Precise>) -> RelativePose<V::Precise> {
        RelativePose {
            rotation: at.a.rotation,
            translation: self.bodies.a.translation(at.time) + at.a.offset,
        }
    }
}

/// Two cores that were measured, along a normal in the frame of a.
fn apart<P: PreciseVector>(at: &PairAt<P>, normal: P, measured: &Measured<P>) -> Between<P> {
    Between::Apart(Apart {
        normal: at.a.rotation.apply(normal),
        upper: measured.upper,
        witness_points: (measured.on_a, measured.on_b),
    })
}

/// Measures two cores that have a closed form, without their radii.
fn by_closed_form<V: Vector>(
    a: &Convex<V>,
    b: &Convex<V>,
    b_in_a: &RelativePose<V::Precise>,
) -> Option<Measured<V::Precise>> {
    match (a.core(), b.core()) {
        (Core::Point(of_a), Core::Point(of_b)) => {
            let (of_a, of_b) = (of_a.to_precise(), b_in_a.transform_point(of_b.to_precise()));
            let apart = of_b - of_a;
            let length = apart.length();
            let scale = length + of_a.length() + of_b.length();
            let normal = apart.direction().unwrap_or(V::Precise::axis(0));
            let rounding = tolerances::DIFFERENCE_ROUNDING * scale;
            Some(Measured::exact(length, normal, (of_a, of_b), rounding))
        }
        (Core::Point(center), core) if !matches!(core, Core::Custom(_)) => {
            let in_b = b_in_a.inverse_transform_point(center.to_precise());
            let measured = point_convex::measure(b, in_b, 0.0)?;
            // The answer is that of b against a, in b's frame, with b's radius.
            let radius = b.radius();
            let on_core = measured.on_a - measured.normal * radius;
            Some(Measured {
                on_a: center.to_precise(),
                on_b: b_in_a.transform_point(on_core),
                distance: measured.distance + radius,
                lower: measured.lower + radius,
                upper: measured.upper + radius,
                normal: -b_in_a.transform_direction(measured.normal),
                ..measured
            })
        }
        (Core::Segment(_), Core::Segment(_)) | (Core::Cuboid(_), Core::Cuboid(_)) => {
            match measure_cores([a, b], b_in_a, f64::INFINITY, None) {
                Outcome::Near(measured) => Some(measured),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Whether a shape is the same however it is turned about the origin.
#[inline(always)]
pub(super) fn is_centred_ball<V: Vector>(shape: &Shape<V>) -> bool {
    match shape {
        Shape::Convex(convex) => match convex.core() {
            Core::Point(center) => *center == V::ZERO,
            _ => false,
        },
        _ => false,
    }
}
