//! Composites in motion: the first of all pairs of parts.
//!
//! The trees over the parts only decide which pairs are cast, and in which order: what is skipped is proven
//! not to be within range before the best time found. Where bodies turn far, the motion is looked at in stretches
//! of time, and a pair that is proven free in a stretch is left out of it. Every other pair is cast alone, from
//! time 0. So the answer is that of casting all pairs, but for passes that come only within the tolerance.
//!
//! Where the effort of the question is used up first, what was left may be met from the earliest of its times on: that is
//! the time of the answer, unless something was met before it, and its status says so.
//!
//! Each pair that is visited is cast by [`first_meeting`].
//!
//! Convex shapes that go straight at a mesh are what games ask for most; for them see [`in_mesh`].

mod first_meeting;
mod fronts;
mod in_mesh;
mod slabs;
mod solids;
mod swept_boxes;
mod swept_plane;
mod two_trees;

use clearance_math::internal::MapEach;
use clearance_math::{Pose, Real, Vector, round_down, tolerances};
use clearance_shapes::{Composite, CompositeKind, Core, Part, Shape};
use clearance_tree::Node;
use glam::Vec4;

use crate::answer::{Proximity, Separation};
use crate::pair::{Exchange, Placed};
use crate::parts::effort::Effort;
use crate::parts::{
    FourBoxes, PartPair, PlacedPart, Target, Visitor, are_counted, are_passed, compare_parts,
    has_inside, is_of_solid, measure as measure_at_rest, outward, part_of, part_rounding, reach_of,
    tree_with_one, tree_with_tree,
};
use crate::questions::cast::answer::{CastHit, CastOptions, Leaving};
use crate::questions::cast::hit_by_cast;
use crate::questions::cast::motion::Bodies;
use crate::questions::cast::pair::{Meeting, MovingPair, MovingPart};
use crate::questions::cast::sides::{Cast, compare};
use first_meeting::FirstMeeting;
use solids::Start;
pub(super) use solids::hit_of_hulls;
use swept_boxes::{FourWays, Range, SweptBoxes, stretches};
use swept_plane::SweptPlane;
use two_trees::InMotion;

/// The first meeting of a composite and another shape, which come as (a, b) of the answer.
pub(super) fn first<V: Vector>(
    a: Cast<V>,
    composite: &Composite<V>,
    b: Cast<V>,
    options: CastOptions,
    until: Real,
) -> Option<CastHit<V>> {
    if options.leaving == Leaving::Hit
        && let Proximity::Near(near) = measure_at_rest(a.placed, b.placed, options.within)
        && near.distance <= options.within
    {
        return Some(CastHit::at(0.0, near));
    }
    let mut sides = MovingSides::new(a, composite, b, options);
    if options.leaving == Leaving::Pass && sides.is_solid {
        sides.start = Start::new([&a, &b], until);
    }
    let until = match sides.start.deeper {
        Some(hit) if hit.time == 0.0 => return Some(hit),
        Some(hit) => hit.time,
        None => until,
    };
    let mut first = FirstMeeting::new(&sides, until, Effort::of(&a.placed, &b.placed));
    sides.descend(&mut first);
    if first.is_at_limit() {
        return first.answer_at_limit();
    }
    let Some(best) = first.best else {
        return sides.start.deeper;
    };
    if let Some(hit) = sides.balls(best.parts) {
        return Some(hit);
    }
    sides.with_pair(best.parts, |pair, exchange| {
        sides.answer(pair, exchange, best.parts, &best.meeting)
    })
}

/// A composite and another shape in motion.
struct MovingSides<'a, V: Vector> {
    a: Cast<'a, V>,
    composite: &'a Composite<V>,
    b: Cast<'a, V>,
    bodies: Bodies<V::Precise>,
    options: CastOptions,
    range: Range,
    part_rounding: f64,
    /// Whether some parts may not count.
    is_selective: bool,
    /// Whether there are solids that what starts in them leaves from within.
    is_solid: bool,
    start: Start<V>,
    /// Where both sides are at the start and at the end, if some parts may not count and nothing turns.
    ends: Option<[[Pose<V>; 2]; 2]>,
}

impl<'a, V: Vector> MovingSides<'a, V> {
    fn new(
        a: Cast<'a, V>,
        composite: &'a Composite<V>,
        b: Cast<'a, V>,
        options: CastOptions,
    ) -> Self {
        let bodies = Bodies::new(a.moving(), b.moving());
        let sizes = composite.bounding_radius() + reach_of(b.placed.shape);
        let part_rounding = composite.rounding() + part_rounding(b.placed.shape);
        let turned = bodies.a.turn.angle + bodies.b.turn.angle;
        let rounding = tolerances::CAST_ROUNDING
            * (bodies.way.reach() + sizes * (1.0 + turned.min(1.0 / f64::EPSILON)));
        // More than the tolerance of any pair of parts.
        let within = f64::from(options.within);
        let near = 4.0 * tolerances::CAST_GAP * sizes
            + 2.0 * tolerances::CAST_OPEN * within
            + 16.0 * (rounding + part_rounding);
        let is_solid =
            options.leaving != Leaving::Hit && [a, b].iter().any(|cast| has_inside(&cast.placed));
        let is_selective = is_solid || [a, b].iter().any(|cast| cast.placed.is_selective());
        let at = |time| [&a, &b].map_each(|cast| cast.pose_at(time));
        Self {
            ends: (is_selective && turned == 0.0).then(|| [at(0.0), at(1.0)]),
            a,
            composite,
            b,
            bodies,
            options,
            range: Range {
                within: within + near,
                sizes,
            },
            part_rounding,
            is_selective,
            is_solid,
            start: Start::default(),
        }
    }

    /// What is asked of the sides at the start and at the end of a straight way; `None` if they turn, or all parts count.
    fn at_ends<T>(&self, ask: impl Fn([&Placed<V>; 2]) -> T) -> Option<[T; 2]> {
        let ends = self.ends.as_ref()?;
        Some(
            ends.each_ref().map(|[pose_a, pose_b]| {
                ask([&self.a.placed.at(pose_a), &self.b.placed.at(pose_b)])
            }),
        )
    }

    /// Whether two parts do not count on the whole way, since one is behind the other or beside it.
    fn are_passed(&self, parts: PartPair) -> bool {
        let at_ends = self.at_ends(|sides| are_passed(sides, parts));
        at_ends.is_some_and(|[start, end]| (start[0] && end[0]) || (start[1] && end[1]))
    }

    /// Visits pairs of parts, those that may meet first as far as their boxes tell.
    fn descend(&self, first: &mut FirstMeeting<'_, 'a, V>) {
        if let Shape::HalfSpace(plane) = self.b.placed.shape {
            let plane = SweptPlane::new::<V>(plane, &self.bodies, self.range);
            tree_with_one(self.composite, &plane as &dyn Target<V>, first);
            return;
        }
        if let (CompositeKind::Mesh(mesh), Shape::Convex(convex)) =
            (self.composite.kind(), self.b.placed.shape)
            && in_mesh::descend(mesh, convex, first)
        {
            return;
        }
        let count = stretches(&self.bodies);
        for stretch in 0..count {
            let [start, end] = [stretch, stretch + 1].map_each(|k| k as f64 / count as f64);
            if round_down(start) > first.limit() {
                first.skip(round_down(start));
                return;
            }
            first.stretch = (count > 1).then_some([start, end]);
            let boxes = SweptBoxes::new::<V>(&self.bodies, [start, end], self.range);
            match self.b.placed.shape {
                Shape::Composite(b) => {
                    let in_motion = InMotion {
                        sides: [self.composite, b],
                        boxes: &boxes,
                    };
                    tree_with_tree(&in_motion, first);
                }
                shape => {
                    let bounds = FourBoxes::of_box(&shape.bounds(&Pose::IDENTITY));
                    let target = SweptTarget {
                        bounds: boxes.of_b(&bounds),
                        boxes,
                    };
                    tree_with_one(self.composite, &target as &dyn Target<V>, first);
                }
            }
        }
    }

    /// The answer for two parts that are balls in the frames of their bodies: what they would answer as bodies, which is
    /// a closed form. `None` for other parts.
    fn balls(&self, parts: PartPair) -> Option<CastHit<V>> {
        let is_bare_ball = |part: &Part<V>| {
            let Shape::Convex(convex) = &*part.shape else {
                return false;
            };
            part.pose.is_none() && matches!(convex.core(), Core::Point(_))
        };
        let part_a = self.composite.part(parts.a).filter(is_bare_ball)?;
        let part_b = match self.b.placed.shape {
            Shape::Composite(b) => Some(b.part(parts.b).filter(is_bare_ball)?),
            _ => None,
        };
        let shape_b = part_b
            .as_ref()
            .map_or(self.b.placed.shape, |part| &*part.shape);
        let a = Cast::new(
            Placed::new(&part_a.shape, self.a.placed.pose),
            self.a.motion,
        );
        let b = Cast::new(Placed::new(shape_b, self.b.placed.pose), self.b.motion);
        let mut hit = hit_by_cast(a, b, self.options, 1.0)?;
        (hit.separation.part_a, hit.separation.part_b) = (parts.a, parts.b);
        Some(hit)
    }

    /// The answer for a meeting of two parts.
    fn answer(
        &self,
        pair: &MovingPair<V>,
        exchange: Exchange,
        parts: PartPair,
        meeting: &Meeting<V::Precise>,
    ) -> Option<CastHit<V>> {
        let mut hit = exchange.answer(pair.answer(meeting, self.options.within)?);
        (hit.separation.part_a, hit.separation.part_b) = (parts.a, parts.b);
        Some(hit)
    }

    /// Whether a meeting of two parts counts, where it happens.
    fn counts(
        &self,
        pair: &MovingPair<V>,
        exchange: Exchange,
        parts: PartPair,
        meeting: &Meeting<V::Precise>,
    ) -> bool {
        if !self.is_selective {
            return true;
        }
        let hit = self.answer(pair, exchange, parts, meeting);
        hit.is_some_and(|hit| {
            let [pose_a, pose_b] = self.poses_at(meeting.time);
            let (a, b) = (self.a.placed.at(&pose_a), self.b.placed.at(&pose_b));
            // What starts inside of a solid leaves it through its surface, whatever it crosses at the start.
            let is_left = |near: &Separation<V>| {
                let is_crossed = self.start.overlaps && meeting.time == 0.0 && near.distance <= 0.0;
                is_crossed && is_of_solid([&a, &b], near) || outward([&a, &b], near).is_some()
            };
            are_counted([&a, &b], &hit.separation) && !(self.is_solid && is_left(&hit.separation))
        })
    }

    fn poses_at(&self, time: f64) -> [Pose<V>; 2] {
        [&self.a, &self.b].map_each(|cast| cast.pose_at(time))
    }

    /// Calls a function with a pair of parts in canonical order, and the way back from it; `None` if a part is a hole, or
    /// left out.
    #[inline(always)]
    fn with_pair<T>(
        &self,
        parts: PartPair,
        call: impl FnOnce(&MovingPair<V>, Exchange) -> Option<T>,
    ) -> Option<T> {
        if !(self.a.placed.has_part(parts.a) && self.b.placed.has_part(parts.b)) {
            return None;
        }
        let part_a = self.composite.part(parts.a)?;
        let placed_a = PlacedPart::new(&part_a, self.a.placed);
        let part_b = part_of(self.b.placed.shape, parts.b);
        let placed_b = PlacedPart::of(self.b.placed, part_b.as_ref())?;
        let motions = || compare(&self.a, &self.b);
        let order = compare_parts(&placed_a, &placed_b).then_with(motions);
        let exchange = Exchange::by(order);
        let of_a = MovingPart::new(placed_a.body.shape, placed_a.pose, &self.bodies.a)?;
        let of_b = MovingPart::new(placed_b.body.shape, placed_b.pose, &self.bodies.b)?;
        let pair = MovingPair::new(exchange.sides([&of_a, &of_b]), self.part_rounding)?;
        call(&pair, exchange)
    }
}

/// A convex shape in motion, as the tree of a composite sees it.
struct SweptTarget {
    boxes: SweptBoxes,
    bounds: FourWays,
}

impl<V: Vector> Target<V> for SweptTarget {
    #[inline]
    fn gaps(&self, node: &Node) -> Vec4 {
        let of_node = self.boxes.of_a(&FourBoxes::of_node(node));
        self.boxes.times::<V>(&of_node, &self.bounds)
    }
}
