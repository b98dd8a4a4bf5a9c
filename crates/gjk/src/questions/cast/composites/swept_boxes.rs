//! When boxes of two bodies in motion may come within range, at the earliest.
//!
//! In a frame that does not turn, the origins go straight, and every other point nearly straight for a short time.
//! The boxes of a body that turns are mapped as they are at the beginning of that time, moved along the straight way
//! of their centres, and grown by what the bend of that way and the turning about the centre can add: nothing at the
//! beginning, and more with the time. So far from the origin of its body a box is hardly looser than near to it, and
//! parts that are in range at the beginning are found as if nothing turned. Without turning nothing is added, and one
//! stretch of time does.

use clearance_math::internal::MapEach;
use clearance_math::{Matrix, PreciseVector, Real, RelativePose, Vector, tolerances};
use glam::{BVec4A, Vec4};

use crate::parts::{BoxMap, FourBoxes, components, root};
use crate::questions::cast::motion::{Bodies, Moving};
use crate::questions::cast::turning::MOST_PATIENT_TURN;

/// The greatest angle by which bodies turn in one stretch of time, in radians.
const ANGLE: f64 = 0.5;

/// The greatest number of stretches of time.
pub(super) const MOST_STRETCHES: usize = 256;

/// In how many stretches of time two bodies are looked at.
///
/// Bodies that turn farther than [`MOST_PATIENT_TURN`] are looked at in one stretch. They would turn many
/// times in every stretch, which would hardly rule out more pairs of parts than all of the time together.
pub(super) fn stretches<P: PreciseVector>(bodies: &Bodies<P>) -> usize {
    let angle = bodies.a.turn.angle + bodies.b.turn.angle;
    if angle > MOST_PATIENT_TURN {
        return 1;
    }
    ((angle / ANGLE).ceil() as usize).clamp(1, MOST_STRETCHES)
}

/// Two bodies for a stretch of time, in the frame that a has at its beginning, which does not turn.
pub(super) struct SweptBoxes {
    /// The beginning and the duration.
    start: f64,
    duration: f64,
    /// Maps boxes of b to the frame at the beginning, up to the translation.
    map: BoxMap,
    /// The origin of b, seen from that of a, at the beginning, and how far it goes.
    pub(super) origin: [Real; 3],
    pub(super) way: [Real; 3],
    /// What all boxes are grown by.
    pub(super) slack: Real,
    /// What turning adds, for a and for b, if the body turns.
    turning: [Option<Turning>; 2],
}

/// How a body turns in a stretch of time. Numbers count for the whole stretch, as if it took one unit of time.
struct Turning {
    /// Maps boxes of the body to the frame at the end, up to the translation.
    map: BoxMap,
    /// How much the ways of points are bent, relative to how far they are from the origin: the second derivative, and
    /// the greatest distance from a straight way at constant speed.
    bend: Real,
    most: Real,
    /// How far points of a box turn about its centre, relative to its half diagonal: at first for each unit of
    /// time, and at most.
    angle: Real,
    chord: Real,
}

/// Four boxes of a body in motion, as if its origin stayed where it is.
pub(super) struct FourWays {
    /// The boxes at the beginning.
    boxes: FourBoxes,
    turned: Option<FourTurns>,
}

impl FourWays {
    /// Boxes that do not turn.
    pub(super) fn straight(boxes: FourBoxes) -> Self {
        Self {
            boxes,
            turned: None,
        }
    }
}

/// What turning adds to the ways of four boxes.
#[derive(Clone, Copy)]
struct FourTurns {
    /// How far the centres go.
    way: [Vec4; 3],
    /// How much the boxes grow on all sides for each unit of time.
    growth: Vec4,
    /// How much they grow at most.
    most: Vec4,
}

impl FourTurns {
    const NONE: Self = Self {
        way: [Vec4::ZERO; 3],
        growth: Vec4::ZERO,
        most: Vec4::ZERO,
    };

    /// What turning adds to the way of b as seen from a, if any of them turns.
    #[inline]
    fn between(a: &FourWays, b: &FourWays) -> Option<Self> {
        if a.turned.is_none() && b.turned.is_none() {
            return None;
        }
        let (a, b) = (
            a.turned.unwrap_or(Self::NONE),
            b.turned.unwrap_or(Self::NONE),
        );
        Some(Self {
            way: [0, 1, 2].map_each(|k| b.way[k] - a.way[k]),
            growth: a.growth + b.growth,
            most: a.most + b.most,
        })
    }
}

/// What is asked of the boxes of two bodies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    /// The distance within which parts are of interest, all tolerances included.
    pub(super) within: f64,
    /// The sum of the sizes of the bodies, counted from their origins.
    pub(super) sizes: f64,
}

impl SweptBoxes {
    /// The bodies from one time to another.
    pub(super) fn new<V: Vector>(
        bodies: &Bodies<V::Precise>,
        [start, end]: [f64; 2],
        range: Range,
    ) -> Self {
        let duration = end - start;
        let to_frame = bodies.a.rotation(start).transposed();
        let map_at = |body: &Moving<V::Precise>, time: f64| {
            BoxMap::new::<V>(&RelativePose {
                rotation: to_frame.after(&body.rotation(time)),
                translation: V::Precise::ZERO,
            })
        };
        let [first, last] = [start, end].map_each(|time| to_frame.apply(bodies.way.at(time)));
        let coordinates = first.length() + last.length() + range.sizes + range.within;
        let rounding = if coordinates < 1e30 {
            coordinates as Real * tolerances::SWEPT_BOX_ROUNDING
        } else {
            Real::INFINITY
        };
        Self {
            start,
            duration,
            map: map_at(&bodies.b, start),
            origin: components(first),
            way: components(last - first),
            slack: rounding + (range.within as Real).next_up(),
            turning: [&bodies.a, &bodies.b].map(|body| {
                let angle = body.turn.angle * duration;
                (angle > 0.0).then(|| Turning::new(angle, map_at(body, end)))
            }),
        }
    }

    /// Boxes of a, as if its origin stayed.
    #[inline]
    pub(super) fn of_a(&self, boxes: &FourBoxes) -> FourWays {
        self.ways(0, boxes, *boxes)
    }

    /// Boxes of b, as if its origin stayed at that of a.
    #[inline]
    pub(super) fn of_b(&self, boxes: &FourBoxes) -> FourWays {
        self.ways(1, boxes, self.map.map(boxes))
    }

    #[inline]
    fn ways(&self, side: usize, boxes: &FourBoxes, at_start: FourBoxes) -> FourWays {
        let turning = self.turning[side].as_ref();
        FourWays {
            turned: turning.map(|turning| turning.of_boxes(boxes, &at_start)),
            boxes: at_start,
        }
    }

    /// The earliest times at which the boxes of equal lanes may be within range; infinity if they are not
    /// during this stretch of time.
    pub(super) fn times<V: Vector>(&self, a: &FourWays, b: &FourWays) -> Vec4 {
        let mut span = Span::new();
        let turned = FourTurns::between(a, b);
        for k in 0..V::DIM {
            let slack = Vec4::splat(self.slack);
            let origin = Vec4::splat(self.origin[k]);
            let low = a.boxes.low[k] - b.boxes.high[k] - slack - origin;
            let high = a.boxes.high[k] - b.boxes.low[k] + slack - origin;
            match &turned {
                None => span.between(self.way[k], low, high),
                Some(turned) => {
                    let way = Vec4::splat(self.way[k]) + turned.way[k];
                    span.reach(way + turned.growth, low);
                    span.reach(turned.growth - way, -high);
                    span.reach(way, low - turned.most);
                    span.reach(-way, -high - turned.most);
                }
            }
        }
        span.times(|enter| self.start + enter * self.duration)
    }
}

impl Turning {
    fn new(angle: f64, map: BoxMap) -> Self {
        // A point whose second derivative is bounded is beside its chord by an eighth of that at most. Neither does it
        // leave the ball that its way lies in.
        let up = |number: f64| number as Real * (1.0 + tolerances::SWEPT_BOX_ROUNDING);
        Self {
            map,
            bend: up(angle * angle),
            most: up((0.125 * angle * angle).min(2.0)),
            angle: up(angle),
            chord: up(2.0 * libm_sin(0.5 * angle.min(core::f64::consts::PI))),
        }
    }

    /// What turning adds to the ways of boxes that are `at_start` at the beginning.
    fn of_boxes(&self, boxes: &FourBoxes, at_start: &FourBoxes) -> FourTurns {
        let at_end = self.map.map(boxes);
        let mut way = [Vec4::ZERO; 3];
        let (mut from_origin, mut half_diagonal) = (Vec4::ZERO, Vec4::ZERO);
        for (k, way) in way.iter_mut().enumerate() {
            // Boxes that are turned keep their centres.
            *way = (at_end.low[k] + at_end.high[k] - at_start.low[k] - at_start.high[k]) * 0.5;
            let (center, half) = (boxes.low[k] + boxes.high[k], boxes.high[k] - boxes.low[k]);
            from_origin += center * center;
            half_diagonal += half * half;
        }
        // Squares of tiny numbers vanish: never less than the true length.
        let half_root = |squared: Vec4| root(squared + Vec4::splat(Real::MIN_POSITIVE)) * 0.5;
        let (from_origin, half_diagonal) = (half_root(from_origin), half_root(half_diagonal));
        FourTurns {
            way,
            // The distance from the chord after a time t is at most t (1 - t) / 2 of the second derivative.
            growth: from_origin * (0.5 * self.bend) + half_diagonal * self.angle,
            most: from_origin * self.most + half_diagonal * self.chord,
        }
    }
}

/// The times at which four boxes may be within range, of a stretch from 0 to 1.
struct Span {
    enter: Vec4,
    leave: Vec4,
    is_missed: BVec4A,
}

impl Span {
    fn new() -> Self {
        Self {
            enter: Vec4::ZERO,
            leave: Vec4::ONE,
            is_missed: BVec4A::FALSE,
        }
    }

    /// Only the times at which what goes `way` is between two places.
    #[inline]
    fn between(&mut self, way: Real, low: Vec4, high: Vec4) {
        if way == 0.0 {
            self.is_missed |= low.cmpgt(Vec4::ZERO) | high.cmplt(Vec4::ZERO);
            return;
        }
        let (first, second) = if way > 0.0 { (low, high) } else { (high, low) };
        let (first, second) = (first / way, second / way);
        // NaN, from boxes that are infinitely large, says nothing: the other number counts.
        self.enter = Vec4::select(first.cmpgt(self.enter), first, self.enter);
        self.leave = Vec4::select(second.cmplt(self.leave), second, self.leave);
    }

    /// Only the times at which what goes `way` is not before a place.
    #[inline]
    fn reach(&mut self, way: Vec4, place: Vec4) {
        let time = place / way;
        let is_later = way.cmpgt(Vec4::ZERO) & time.cmpgt(self.enter);
        let is_earlier = way.cmplt(Vec4::ZERO) & time.cmplt(self.leave);
        self.enter = Vec4::select(is_later, time, self.enter);
        self.leave = Vec4::select(is_earlier, time, self.leave);
        self.is_missed |= way.cmpeq(Vec4::ZERO) & place.cmpgt(Vec4::ZERO);
    }

    /// The earliest times, infinity where there are none.
    #[inline]
    fn times(self, time: impl Fn(f64) -> f64) -> Vec4 {
        // Rounding of the two quotients.
        let later = self.leave * (1.0 + 4.0 * Real::EPSILON);
        let is_missed = self.is_missed | (self.enter * (1.0 - 4.0 * Real::EPSILON)).cmpgt(later);
        let times = self.enter.to_array().map_each(|enter| {
            (time(f64::from(enter)) * (1.0 - 8.0 * f64::from(Real::EPSILON))) as Real
        });
        Vec4::select(is_missed, Vec4::INFINITY, Vec4::from_array(times))
    }
}

/// The sine of an angle, with the same bits on every platform.
fn libm_sin(angle: f64) -> f64 {
    clearance_math::DMat2::of_turn(clearance_math::DVec3::Z * angle)
        .row(1)
        .x
}

#[cfg(test)]
mod tests {
    use clearance_math::{DVec3, Pose, Vec3};
    use clearance_shapes::Shape;

    use super::*;
    use crate::pair::Placed;
    use crate::parts::{PartPair, Visitor, tree_with_tree};
    use crate::questions::cast::composites::two_trees::InMotion;
    use crate::questions::cast::{Cast, Motion};

    #[test]
    fn who_turns_far_is_looked_at_in_stretches_unless_that_takes_too_long() {
        let (cuboid, pose) = (Shape::cuboid(Vec3::ONE).expect("a size"), Pose::IDENTITY);
        let count = |angle: Real| {
            let placed = Placed::new(&cuboid, &pose);
            let motion = Motion::new(Vec3::ZERO, Vec3::Y * angle);
            let (a, b) = (Cast::new(placed, motion), Cast::resting(placed));
            stretches::<DVec3>(&Bodies::new(a.moving(), b.moving()))
        };
        assert_eq!(count(0.0), 1);
        assert_eq!(count(2.0), 4);
        assert_eq!(count(1e4), MOST_STRETCHES);
        assert_eq!([1e5, 1e30].map(count), [1, 1]);
    }

    /// Numbers from -1 to 1, always the same ones.
    fn numbers() -> impl FnMut() -> Real {
        let mut state = 1_u32;
        move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as Real / (1 << 23) as Real - 1.0
        }
    }

    #[test]
    fn boxes_are_in_range_when_points_of_them_meet() {
        let mut number = numbers();
        let mut vector = move |size: Real| Vec3::new(number(), number(), number()) * size;
        for case in 0..4_000 {
            let turn = [0.0, 0.1, 1.0, 30.0][case % 4];
            let motion_a = Motion::new(vector(8.0), vector(turn));
            let motion_b = Motion::new(vector(8.0), vector(turn * 0.5));
            let [center_a, center_b] = [vector(16.0), vector(16.0)];
            let [half_a, half_b] = [vector(2.0).abs(), vector(2.0).abs()];
            let [in_a, in_b] = [
                center_a + half_a * vector(1.0),
                center_b + half_b * vector(1.0),
            ];
            // Where b must start for both points to be at one place at a time.
            let time = f64::from(vector(0.5).x) + 0.5;
            let a = Moving::new(&Pose::IDENTITY, &motion_a);
            let b = Moving::new(&Pose::IDENTITY, &motion_b);
            let at = |body: &Moving<DVec3>, point: Vec3| {
                body.translation(time) + body.rotation(time) * point.to_precise()
            };
            let start = Vec3::from_precise(at(&a, in_a) - at(&b, in_b));
            let b = Moving::new(&Pose::from_translation(start), &motion_b);
            let bodies = Bodies::new(a, b);
            let range = Range {
                within: 1e-3,
                sizes: 64.0,
            };
            let around = |center: Vec3, half: Vec3| {
                FourBoxes::of_box(&clearance_math::Aabb::new(center - half, center + half))
            };
            for stretch in [[0.0, 1.0], [(time - 0.01).max(0.0), (time + 0.25).min(1.0)]] {
                let boxes = SweptBoxes::new::<Vec3>(&bodies, stretch, range);
                let (of_a, of_b) = (around(center_a, half_a), around(center_b, half_b));
                let met = boxes.times::<Vec3>(&boxes.of_a(&of_a), &boxes.of_b(&of_b));
                assert!(
                    f64::from(met.x) <= time,
                    "case {case}: {} after {time}",
                    met.x
                );
            }
        }
    }

    #[test]
    fn turning_about_a_normal_brings_no_parts_of_two_floors_near() {
        struct Counter(usize);
        impl Visitor for Counter {
            fn limit(&self) -> Real {
                1.0
            }
            fn open(&mut self) {}
            fn visit(&mut self, _: PartPair) {
                self.0 += 1;
            }
            fn skip(&mut self, _: Real) {}
        }
        let floor = |side: usize| {
            let extents = Vec3::new(side as Real, 1.0, side as Real);
            Shape::height_field(vec![0.0; (side + 1) * (side + 1)], side + 1, extents)
        };
        for side in [8, 16, 32] {
            let floor = floor(side).expect("a valid field");
            let Shape::Composite(composite) = &floor else {
                unreachable!("a height field");
            };
            let above = Pose::from_translation(Vec3::Y * 2.0);
            let turn = Motion::new(Vec3::ZERO, Vec3::Y);
            let bodies = Bodies::new(
                Moving::new(&Pose::IDENTITY, &Motion::<Vec3>::rest()),
                Moving::new(&above, &turn),
            );
            let range = Range {
                within: 1e-3,
                sizes: 2.0 * composite.bounding_radius(),
            };
            let mut counter = Counter(0);
            for stretch in [[0.0, 0.5], [0.5, 1.0]] {
                let boxes = SweptBoxes::new::<Vec3>(&bodies, stretch, range);
                let in_motion = InMotion {
                    sides: [composite; 2],
                    boxes: &boxes,
                };
                tree_with_tree(&in_motion, &mut counter);
            }
            assert_eq!(counter.0, 0, "pairs of parts of floors of {side} cells");
        }
    }
}
