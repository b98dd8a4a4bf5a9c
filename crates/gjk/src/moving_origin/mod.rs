//! GJK against an origin in motion: when two cores that do not turn come as near as asked.
//!
//! While b moves along a line, the Minkowski difference keeps its shape, and the origin moves through it. The
//! search for the nearest point of the difference finds planes that separate the origin from it. As soon as
//! one of them leads far enough, the origin moves up to it, and the search goes on from there with the same
//! simplex. So the whole cast takes hardly more support points than one distance.
//!
//! Source: van den Bergen, "Ray Casting against General Convex Objects with Application to Continuous
//! Collision Detection" (2004). There the origin moves up to every plane in front of it. Here it moves only
//! if the plane is at least half as far away as the nearest point: early planes lead nowhere.
//!
//! In space, where it only matters when the cores touch, a search that does without nearest points is tried first:
//! [`portal`].

mod portal;

use clearance_math::lanes::{Simd, dispatch, level};
use clearance_math::{PreciseVector, tolerances};

use crate::difference::Minkowski;
use crate::simplex::witness_points_of;
use crate::simplex_in_lanes::{Added, SimplexInLanes};
use crate::trace::Recorder;
use crate::vertex::Vertex;

/// The greatest number of support points of one search.
const ITERATION_LIMIT: usize = 128;

/// The share of the distance to the nearest point that a plane must have for the origin to move up to it. With
/// shares from 0.1 to 0.9 a cast takes as long, up to 3 %.
const WORTH_MOVING: f64 = 0.5;

/// How b moves, as seen in a's frame, and what is asked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way<P> {
    /// How far b goes in one unit of time.
    pub(crate) velocity: P,
    /// The time at which b is where the difference has it.
    pub(crate) from: f64,
    /// Meetings after this time are of no interest.
    pub(crate) until: f64,
    /// The distance of the cores that counts as met.
    pub(crate) target: f64,
    /// How much more than that counts, too.
    pub(crate) near: f64,
    /// How much a distance may be wrong because poses and times are rounded.
    pub(crate) rounding: f64,
}

/// A time up to which the cores are proven to be farther apart than asked, and what is known of them there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<P> {
    pub(crate) time: f64,
    /// The unit normal of a plane between the cores, from a to b, in a's frame.
    pub(crate) normal: P,
    /// An upper bound of the distance of the cores.
    pub(crate) upper: f64,
    /// The points whose distance that is, in a's frame.
    pub(crate) witness_points: (P, P),
}

/// What the search finds.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Arrival<P> {
    /// The cores are proven not to come as near as asked before the end.
    Never {
        /// The normal of a plane that keeps them apart all the time, up to rounding, from a to b, in a's frame;
        /// but only from the time at which the search began, where the first plane that was found is enough.
        normal: P,
    },
    /// They do, and a plane has kept them apart until there.
    At(Place<P>),
    /// Until this time they do not. What comes then is not decided.
    Open {
        /// The time.
        time: f64,
    },
}

/// Finds when the cores come as near as asked.
///
/// The recorder sees from where the origin moves.
pub(crate) fn arrival<P: PreciseVector>(
    difference: &impl Minkowski<P>,
    way: &Way<P>,
    recorder: &mut impl Recorder<Place<P>>,
) -> Arrival<P> {
    dispatch!(level(), simd => arrival_in_lanes(simd, difference, way, recorder))
}

/// Where the origin is on its way.
struct Progress<P> {
    time: f64,
    /// How far b has moved.
    moved: P,
    /// The normal of the plane up to which the origin has moved.
    plane: Option<P>,
}

impl<P: PreciseVector> Progress<P> {
    fn start(way: &Way<P>) -> Self {
        Self {
            time: way.from,
            moved: P::ZERO,
            plane: None,
        }
    }

    /// Goes on to a time, at which the origin reaches a plane with this normal. Returns how far b moves.
    #[inline(always)]
    fn move_on(&mut self, way: &Way<P>, time: f64, normal: P) -> P {
        let moved = way.velocity * (time - way.from);
        let step = moved - self.moved;
        *self = Self {
            time,
            moved,
            plane: Some(normal),
        };
        step
    }
}

#[inline(always)]
fn arrival_in_lanes<S: Simd, P: PreciseVector>(
    simd: S,
    difference: &impl Minkowski<P>,
    way: &Way<P>,
    recorder: &mut impl Recorder<Place<P>>,
) -> Arrival<P> {
    match portal::through_portal(simd, difference, way, recorder) {
        Ok(arrival) => arrival,
        Err(progress) => by_nearest_points(simd, difference, (way, progress), recorder),
    }
}

/// Follows the nearest point of the difference, from where the origin is.
#[inline(always)]
fn by_nearest_points<S: Simd, P: PreciseVector>(
    simd: S,
    difference: &impl Minkowski<P>,
    (way, mut progress): (&Way<P>, Progress<P>),
    recorder: &mut impl Recorder<Place<P>>,
) -> Arrival<P> {
    let rounding = way.rounding + difference.rounding();
    let start = difference.start() - progress.moved;
    let first = difference.support_in_lanes(simd, -start);
    let first = after_motion(&first, progress.moved);
    let mut simplex = SimplexInLanes::from_vertex(simd, &first, difference.size());
    for _ in 0..ITERATION_LIMIT {
        let toward = *simplex.toward();
        let excess = toward.distance - way.target;
        if !(toward.distance > rounding && excess > 0.0) {
            return way.touching(&progress, witness_points_of(simplex.vertices()));
        }
        let vertex = difference.support_in_lanes(simd, -toward.direction);
        let vertex = after_motion(&vertex, progress.moved);
        let height = toward.direction.dot(vertex.point) / toward.length;
        let margin = height - way.target - rounding;
        // How fast the plane comes nearer.
        let rate = toward.direction.dot(way.velocity) / toward.length;
        let place = || way.place(&simplex, progress.time);
        if margin > 0.0 && !(rate > 0.0) {
            recorder.record(place);
            let normal = way.combined(&progress, -toward.direction / toward.length);
            return Arrival::Never { normal };
        }
        let is_near = excess <= way.near;
        if is_near && toward.distance - height <= way.open(toward.distance) + 2.0 * rounding {
            let place = place();
            if way.has_met(&place) {
                return Arrival::At(place);
            }
        }
        if margin >= WORTH_MOVING * excess && !is_near {
            recorder.record(place);
            let normal = -toward.direction / toward.length;
            let next = progress.time + margin / rate * (1.0 - 4.0 * f64::EPSILON);
            if next >= 1.0 || next > way.until {
                return Arrival::Never { normal };
            }
            let step = progress.move_on(way, next, normal);
            let newest = after_motion(&vertex, step);
            if let Added::Holds(held) = simplex.move_b_and_add(step, &newest) {
                let touching = way.touching(&progress, held.witness_points_on_surface());
                if let Arrival::At(_) = touching {
                    return touching;
                }
                simplex = SimplexInLanes::from_vertex(simd, &newest, difference.size());
            }
            continue;
        }
        match simplex.add(&vertex, 0.0) {
            Added::Nearer if simplex.toward().distance < toward.distance => {}
            Added::Holds(held) => return way.touching(&progress, held.witness_points_on_surface()),
            // Rounding ends the search. So near the direction means nothing.
            _ => return way.touching(&progress, witness_points_of(simplex.vertices())),
        }
    }
    Arrival::Open {
        time: progress.time,
    }
}

/// The vertex after b has moved on. The point of b stays that of the time at which the search began.
#[inline(always)]
fn after_motion<P: PreciseVector>(vertex: &Vertex<P>, offset: P) -> Vertex<P> {
    Vertex {
        point: vertex.point - offset,
        ..*vertex
    }
}

impl<P: PreciseVector> Way<P> {
    /// How far apart the bounds of a distance may be where the search ends.
    ///
    /// Where curved shapes are nearer than the tolerance of the cast, that tolerance would leave their normal
    /// open, so a share of the distance decides.
    #[inline(always)]
    fn open(&self, distance: f64) -> f64 {
        (tolerances::CAST_SEARCH_GAP * distance).min(0.5 * self.near)
    }

    /// Whether the points of a place are as near as asked. The nearest point of a thin simplex may seem nearer
    /// than they are.
    #[inline(always)]
    fn has_met(&self, place: &Place<P>) -> bool {
        place.upper <= self.target + self.near
    }

    /// The normal of a plane that keeps the cores apart all the time: one does so up to a time, and b does not
    /// approach the one with this normal from there on.
    ///
    /// It is the mean of both along which b neither comes nearer nor leaves. At that time the gap along it is that
    /// mean of both gaps, or more, and so it is at all times.
    fn combined(&self, progress: &Progress<P>, normal: P) -> P {
        let Some(before) = progress.plane else {
            return normal;
        };
        let (approach, leave) = (-before.dot(self.velocity), normal.dot(self.velocity));
        (before * leave + normal * approach)
            .direction()
            .unwrap_or(normal)
    }

    /// What is known at the nearest point of the simplex.
    #[inline(always)]
    fn place<S: Simd>(&self, simplex: &SimplexInLanes<S, P>, time: f64) -> Place<P> {
        let toward = simplex.toward();
        let normal = -toward.direction / toward.length;
        self.between(witness_points_of(simplex.vertices()), normal, time)
    }

    /// Points of a and of b, which is given as it was when the search began, at a time.
    #[inline(always)]
    fn between(&self, (on_a, on_b): (P, P), normal: P, time: f64) -> Place<P> {
        let on_b = on_b + self.velocity * (time - self.from);
        Place {
            time,
            normal,
            upper: (on_a - on_b).length() + self.rounding,
            witness_points: (on_a, on_b),
        }
    }

    /// Cores that touch up to rounding, or are nearer than asked by no more than that: the plane up to which
    /// the origin has moved is the one between them.
    #[inline(never)]
    fn touching(&self, progress: &Progress<P>, points: (P, P)) -> Arrival<P> {
        let time = progress.time;
        match progress.plane {
            Some(normal) => {
                let place = self.between(points, normal, time);
                if self.has_met(&place) {
                    Arrival::At(place)
                } else {
                    Arrival::Open { time }
                }
            }
            None => Arrival::Open { time },
        }
    }
}

#[cfg(test)]
mod tests {
    use clearance_math::{Matrix, RelativePose, Vec2, Vec3, Vector};
    use clearance_shapes::{Convex, Shape};

    use super::*;
    use crate::cores::Cores;

    fn convex<V: Vector>(shape: &Shape<V>) -> &Convex<V> {
        match shape {
            Shape::Convex(convex) => convex,
            _ => panic!("a convex shape was made"),
        }
    }

    fn at<P: PreciseVector>(translation: P) -> RelativePose<P> {
        RelativePose {
            rotation: P::Matrix::IDENTITY,
            translation,
        }
    }

    fn way<P: PreciseVector>(velocity: P, target: f64) -> Way<P> {
        Way {
            velocity,
            from: 0.0,
            until: 1.0,
            target,
            near: 1e-8,
            rounding: 1e-14,
        }
    }

    /// A point at `from` moves toward a box of half extent one about the origin, or past it.
    fn point_at_box<V: Vector>(from: V::Precise, way: &Way<V::Precise>) -> Arrival<V::Precise> {
        let cube = Shape::cuboid(V::splat(1.0)).expect("positive half extents");
        let point = Shape::ball(1.0).expect("a positive radius");
        let cores = Cores::new(convex(&cube), convex(&point), &at(from));
        arrival(&cores, way, &mut ())
    }

    fn a_point_meets_a_box<V: Vector>() {
        let x = V::Precise::axis(0);
        let beside = V::Precise::axis(1);
        let arrives = |arrival: Arrival<V::Precise>, time: f64| match arrival {
            Arrival::At(place) => {
                assert!((place.time - time).abs() < 1e-8, "{place:?}");
                assert!((place.normal - x).length() < 1e-9, "{place:?}");
                let (on_a, on_b) = place.witness_points;
                assert!((on_a - on_b).length() <= place.upper, "{place:?}");
            }
            other => panic!("{other:?}"),
        };
        let toward = x * -4.0;
        let start = x * 3.0 + beside * 0.25;
        arrives(point_at_box::<V>(start, &way(toward, 0.0)), 0.5);
        arrives(point_at_box::<V>(start, &way(toward, 0.5)), 0.375);
        let until = |until: f64| Way {
            until,
            ..way(toward, 0.0)
        };
        arrives(point_at_box::<V>(start, &until(0.500_001)), 0.5);
        let never = [
            point_at_box::<V>(start, &until(0.499_999)),
            point_at_box::<V>(start, &way(-toward, 0.0)),
            point_at_box::<V>(start, &way(V::Precise::ZERO, 0.0)),
            point_at_box::<V>(start + beside * 1.5, &way(toward, 0.0)),
            point_at_box::<V>(start, &way(toward * 0.49, 0.0)),
        ];
        for arrival in never {
            assert!(matches!(arrival, Arrival::Never { .. }), "{arrival:?}");
        }
        let inside = [x, x * 0.5];
        for start in inside {
            let arrival = point_at_box::<V>(start, &way(toward, 0.0));
            assert!(
                matches!(arrival, Arrival::Open { time: 0.0 }),
                "{arrival:?}"
            );
        }
    }

    #[test]
    fn a_point_meets_a_box_where_it_should() {
        a_point_meets_a_box::<Vec2>();
        a_point_meets_a_box::<Vec3>();
    }

    /// Next to no cast is left to the slower method.
    fn casts_are_decided<V: Vector>() {
        let mut state = 1_u64;
        let mut number = move || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f32 / (1_u64 << 23) as f32 - 1.0
        };
        let mut vector = || (0..V::DIM).fold(V::ZERO, |v, k| v.with_component(k, number()));
        let (mut met, mut missed) = (0, 0);
        for round in 0..1000 {
            let corners: [V; 12] = core::array::from_fn(|_| vector());
            let Ok(hull) = Shape::hull(&corners) else {
                continue;
            };
            let cube = Shape::cuboid(V::splat(0.5)).expect("positive half extents");
            let away = vector() + V::axis(0) * 6.0;
            let velocity = (vector() * 2.0 - away).to_precise() * 2.0;
            let cores = Cores::new(convex(&hull), convex(&cube), &at(away.to_precise()));
            let way = way(velocity, [0.0, 0.25][round % 2]);
            match arrival(&cores, &way, &mut ()) {
                Arrival::Never { .. } => missed += 1,
                Arrival::At(place) => {
                    met += 1;
                    assert!(way.has_met(&place), "{place:?}");
                }
                Arrival::Open { .. } => {}
            }
        }
        assert!(met > 400 && missed > 100, "{met} met, {missed} missed");
        assert!(met + missed > 990, "{met} met, {missed} missed");
    }

    #[test]
    fn casts_are_decided_in_both_dimensions() {
        casts_are_decided::<Vec2>();
        casts_are_decided::<Vec3>();
    }
}
