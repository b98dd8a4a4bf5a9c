//! Two parts in motion: their poses, a plane between them, and their distance at a time.

mod asked;
mod bounding_balls;
mod part;
mod precision;
mod stop;

use clearance_math::{Matrix, PreciseVector, RelativePose, Vector, tolerances};
use clearance_shapes::{Convex, Core, Support};

use crate::answer::{Measured, Outcome};
use crate::convex::closed_forms::point_convex;
use crate::convex::method::{measure_cores, search_cores};
use crate::parts::measure_parts;
use crate::questions::cast::motion::{Moving, StraightWay};
use crate::questions::cast::sides::Cast;
use crate::search::{Goal, KeptSimplex, SearchResult};
pub(super) use asked::{Apart, Asked, Meeting};
use bounding_balls::BoundingBalls;
use part::{Farthest, PartAt};
pub(super) use part::{MovingPart, PartKind};
pub(super) use precision::{Precision, common_size};
pub(super) use stop::Stop;

/// Two parts in motion, in canonical order. The second is not a half-space.
pub(super) struct MovingPair<'a, V: Vector> {
    pub(super) a: &'a MovingPart<'a, V>,
    pub(super) b: &'a MovingPart<'a, V>,
    /// The shape of b.
    pub(super) convex_b: &'a Convex<V>,
    /// The way between the origins of the bodies.
    pub(super) way: StraightWay<V::Precise>,
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
    #[inline(always)]
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
    /// The farthest point of a, from the origin of its body.
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
    /// `None` if the second is a half-space.
    #[inline(always)]
    pub(super) fn new([a, b]: [&'a MovingPart<'a, V>; 2], extra_rounding: f64) -> Option<Self> {
        let convex_b = b.convex()?;
        let way = StraightWay::new([a.body, b.body]);
        let of_b = b.reach(|| 0.0);
        let reach = way.reach();
        let of_a = a.reach(|| reach + of_b);
        Some(Self {
            a,
            b,
            convex_b,
            way,
            precision: Precision {
                rounding: tolerances::CAST_ROUNDING * (reach + of_a + of_b) + extra_rounding,
                size: common_size(a.size(), b.size()),
                radii: a.radius() + b.radius(),
            },
        })
    }

    /// How far both turn until time 1.
    pub(super) fn angle(&self) -> f64 {
        self.a.turn.angle + self.b.turn.angle
    }

    /// Whether neither turns.
    #[inline(always)]
    pub(super) fn only_translates(&self) -> bool {
        self.a.turn.is_none() && self.b.turn.is_none()
    }

    #[inline]
    pub(super) fn at(&self, time: f64) -> PairAt<V::Precise> {
        PairAt {
            time,
            a: self.a.at(time),
            b: self.b.at(time),
            apart: self.way.at(time),
        }
    }

    /// A plane between the cores. `gap` is how far apart the bounds may be where the plane is searched.
    pub(super) fn between(
        &self,
        at: &PairAt<V::Precise>,
        gap: f64,
        kept: &mut KeptSimplex<V::Precise>,
    ) -> Between<V::Precise> {
        match self.a.kind {
            PartKind::HalfSpace(plane) => {
                let normal = at.a.rotation.apply(plane.normal());
                let gap = self.gap_along(at, normal);
                let down = at.b.rotation.apply_transposed(-normal);
                let lowest = self.convex_b.core().support(down);
                let on_b = at.b_in_a().transform_point(lowest);
                Between::Apart(Apart {
                    normal,
                    upper: gap + self.precision.rounding,
                    witness_points: (on_b - plane.normal() * gap, on_b),
                })
            }
            PartKind::Convex(convex) => self.between_cores(convex, at, gap, kept),
        }
    }

    fn between_cores(
        &self,
        a: &Convex<V>,
        at: &PairAt<V::Precise>,
        gap: f64,
        kept: &mut KeptSimplex<V::Precise>,
    ) -> Between<V::Precise> {
        let (b, b_in_a) = (self.convex_b, at.b_in_a());
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
        let on_a = self.a.farthest(&at.a, normal);
        let on_b = self.b.farthest(&at.b, -normal);
        FacingPoints {
            gap: normal.dot(at.apart) - on_b.height - on_a.height,
            on_a,
            on_b,
        }
    }

    /// The signed distance at a time, in a's frame, with bounds that allow for rounded poses.
    pub(super) fn measure(&self, at: &PairAt<V::Precise>) -> Outcome<V::Precise> {
        let outcome = measure_parts(self.a.shape, self.b.shape, &at.b_in_a(), f64::INFINITY);
        match outcome {
            Outcome::Near(measured) => Outcome::Near(Measured {
                lower: measured.lower - self.precision.rounding,
                upper: measured.upper + self.precision.rounding,
                ..measured
            }),
            other => other,
        }
    }

    /// The signed distance of two parts that have met, and before were proven to be farther apart than `within`, in a's
    /// frame.
    #[inline(always)]
    pub(super) fn measured(
        &self,
        rotation_a: &<V::Precise as PreciseVector>::Matrix,
        apart: &Apart<V::Precise>,
        within: f64,
    ) -> Measured<V::Precise> {
        let lower = within - 2.0 * self.precision.rounding + self.precision.radii;
        let normal = rotation_a.apply_transposed(apart.normal);
        let cores = apart.measured(normal, lower, &self.precision);
        cores.with_radii(self.a.radius(), self.b.radius())
    }

    /// Balls around the cores, which have met where the cores may be as near as the target. The parts come as they are at
    /// time 0.
    #[inline(always)]
    pub(super) fn balls(
        &self,
        [a, b]: [&PartAt<V::Precise>; 2],
        target: f64,
    ) -> BoundingBalls<V::Precise> {
        let (center_a, radius_a) = self.a.ball(a);
        let (center_b, radius_b) = self.b.ball(b);
        BoundingBalls {
            way: self.way.start + center_b - center_a,
            velocity: self.way.velocity,
            radius: radius_a + radius_b + target + self.precision.rounding,
        }
    }

    /// The pose of part a in the world.
    pub(super) fn a_in_world(&self, at: &PairAt<V::Precise>) -> RelativePose<V::Precise> {
        RelativePose {
            rotation: at.a.rotation,
            translation: self.a.body.translation(at.time) + at.a.offset,
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

/// Calls a function with two whole shapes in canonical order; `None` if one is a composite, or both are half-spaces.
#[inline(always)]
pub(super) fn with_pair<V: Vector, T>(
    casts: [&Cast<V>; 2],
    call: impl FnOnce(&MovingPair<V>) -> Option<T>,
) -> Option<T> {
    let [a, b] = casts;
    let body_a = Moving::new(a.placed.pose, &a.motion);
    let body_b = Moving::new(b.placed.pose, &b.motion);
    let part_a = MovingPart::new(a.placed.shape, None, &body_a)?;
    let part_b = MovingPart::new(b.placed.shape, None, &body_b)?;
    call(&MovingPair::new([&part_a, &part_b], 0.0)?)
}
