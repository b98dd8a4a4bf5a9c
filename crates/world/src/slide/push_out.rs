//! The least translation that frees a body of what it overlaps.

use arrayvec::ArrayVec;
use clearance_gjk::internal::each_obstacle;
use clearance_gjk::{Placed, Separation};
use clearance_math::{Pose, PreciseVector, Real, Vector, compile_once};

use super::choices::{Choices, Key};
use super::planes::{Plane, Planes};
use crate::queries::Filter;
use crate::{BodyId, Query, World, WorldError};

/// How many times the body is moved on a way out, at most.
const MOST_ROUNDS: usize = 12;

/// How often a way out is made shorter, at most, and by which share it must get so.
const MOST_REFINEMENTS: usize = 4;
const SHORTER: f64 = 0.999;

/// How far a way out leads at most, relative to the greatest depth, with the size of the body added. Between surfaces that
/// nearly face each other it would lead ever farther.
const FARTHEST: f64 = 8.0;

/// By how many roundings of its coordinates a body is pushed farther than it must be, so that it ends free.
const ROUNDINGS: f64 = 4.0;

/// How steeply a direction must lead out of an overlap to be followed as far as the depth says.
const STEEP: f64 = 0.25;

/// How many overlaps of one place are noted, the deepest first.
const MOST_NOTED: usize = 24;

/// How often the room that is missing is halved.
const HALVINGS: usize = 24;

/// How a body gets out of what it overlaps: see [`Query::push_out`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PushOut<V> {
    /// How far the body must go, in units of length, in the frame of the world; zero if it overlaps nothing.
    pub translation: V,
    /// Whether it still overlaps something there: no place nearby is free. Then the translation leads to where the greatest
    /// depth is least.
    pub is_squeezed: bool,
    /// How often the world was asked what the body overlaps.
    pub rounds: u32,
}

impl<V: Vector> Query<'_, V> {
    /// The least translation that frees a body of all that it overlaps at once: what a game adds to the position of a body
    /// that ran into something. Also called depenetration, or the minimum translation vector. Nothing in the world changes.
    ///
    /// It counts whatever the body can make contacts with, at the current poses: groups, ignored pairs and the filter of
    /// pairs decide as in a step, and the query leaves out more; a fixed body meets fixed ones, too. Overlaps that push the
    /// same way count once, and those of a corner together; where the way out of one body leads into another, a way around
    /// is looked for. The body ends at a distance of about a rounding, so it makes contacts still. A solid counts as one body,
    /// which is left by the shortest way also from deep inside. Where several bodies can be passed on many sides, the shortest way
    /// is chosen among all sides that were seen, which may not be all.
    ///
    /// Cost: a search of the broad phase for each of its rounds, of which simple cases need two.
    ///
    /// ```
    /// use clearance::dim2::{Body, Options, Pose, Shape, Vec2, World};
    ///
    /// let mut world = World::new(Options::default())?;
    /// // A floor of two tiles, and a ball that is 0.1 deep in both.
    /// for x in [-0.5, 0.5] {
    ///     world.insert(Body::fixed(Shape::cuboid(Vec2::splat(0.5))?, Pose::from_translation(Vec2::new(x, -0.5))))?;
    /// }
    /// let ball = Body::moving(Shape::ball(1.0)?, Pose::from_translation(Vec2::new(0.0, 0.9)));
    /// let ball = world.insert(ball)?;
    /// let out = world.query().push_out(ball)?;
    /// assert!((out.translation - Vec2::new(0.0, 0.1)).length() < 1e-5 && !out.is_squeezed);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A body that is not in this world.
    #[doc(alias(
        "depenetration",
        "compute_penetration",
        "minimum_translation_vector",
        "mtv"
    ))]
    pub fn push_out(&self, id: BodyId) -> Result<PushOut<V>, WorldError> {
        let slot = self.world.bodies.slot_or_refuse(id)?;
        Ok(push_out(self.world, slot, &self.filter))
    }
}

compile_once! {
    fn push_out<'a, V>(
        world: &'a World<V>,
        slot: usize,
        filter: &'a Filter<'a, V>,
    ) -> PushOut<V> {
        let mut out = PushOut {
            translation: V::ZERO,
            is_squeezed: false,
            rounds: 0,
        };
        if let Some(placed) = world.bodies.placed(slot) {
            world.with_filter_of(slot, filter, &mut |filter| {
                out = Pusher::new(world, placed, filter).push_out();
            });
        }
        out
    }
}

/// A body that looks for a free place.
struct Pusher<'a, V: Vector> {
    world: &'a World<V>,
    placed: Placed<'a, V>,
    filter: &'a Filter<'a, V>,
    /// About half of its greatest width.
    radius: f64,
    /// How far it is pushed beyond the surface of anything.
    beyond: f64,
    rounds: u32,
    /// Planes of all that was seen.
    choices: Choices<V::Precise>,
}

/// What a place lacks most.
struct Worst<P> {
    /// The ways from the start that lack nothing of it.
    plane: Plane<P>,
    missing: f64,
    /// By what it is told apart where several lack the same.
    key: Key,
}

impl<'a, V: Vector> Pusher<'a, V> {
    fn new(world: &'a World<V>, placed: Placed<'a, V>, filter: &'a Filter<'a, V>) -> Self {
        let bounds = placed
            .shape
            .bounds(&Pose::from_rotation(placed.pose.rotation));
        let radius = bounds.half_extents().to_precise().length();
        let radius = if radius.is_finite() { radius } else { 0.0 };
        let rounding =
            f64::from(Real::EPSILON) * radius + f64::EPSILON * placed.pose.position().length();
        Self {
            world,
            placed,
            filter,
            radius,
            beyond: ROUNDINGS * rounding,
            rounds: 0,
            choices: Choices::none(),
        }
    }

    fn push_out(mut self) -> PushOut<V> {
        let (way, is_squeezed) = self.way_out();
        PushOut {
            translation: V::from_precise(way),
            is_squeezed,
            rounds: self.rounds,
        }
    }

    /// The way out, and whether it leads to a place that is not free.
    fn way_out(&mut self) -> (V::Precise, bool) {
        let start = V::Precise::ZERO;
        let Some(first) = self.worst(start, start, 0.0) else {
            return (start, false);
        };
        let longest = FARTHEST * first.missing + 2.0 * self.radius;
        let mut planes = Planes::none();
        let found = self.out_by_planes(first.plane, longest, &mut planes);
        // No way out is shorter than the greatest depth.
        if let Some(way) = found
            && way.length() <= first.missing / SHORTER
        {
            return (way, false);
        }
        let mut best = found.map(|way| self.refined(way));
        for number in 0..=directions::<V>() {
            let most = best.map_or(longest, |best| best.length());
            let direction = direction::<V>(number);
            match (self.out_along(direction, &first, most), direction) {
                (Some(way), _) => best = Some(self.refined(way)),
                // What is there has sides that cannot be seen from here.
                (None, Some(direction)) => _ = self.worst(direction * most, start, most),
                (None, None) => {}
            }
        }
        match self.shortened(best, longest) {
            Some(way) => (way, false),
            None => (self.roomiest(&planes, longest), true),
        }
    }

    /// The way that all overlaps demand together. That which is deepest is taken into account next.
    fn out_by_planes(
        &mut self,
        first: Plane<V::Precise>,
        longest: f64,
        planes: &mut Planes<V::Precise>,
    ) -> Option<V::Precise> {
        let mut plane = first;
        for _ in 0..MOST_ROUNDS {
            planes.add(plane);
            let way = planes.nearest(V::Precise::ZERO)?;
            if !(way.length() <= longest) {
                return None;
            }
            match self.worst(way, way, 0.0) {
                None => return Some(way),
                Some(next) => plane = next.plane,
            }
        }
        None
    }

    /// The first free place along a direction, or of what is deepest at each place in turn, if it is nearer than `most`.
    fn out_along(
        &mut self,
        direction: Option<V::Precise>,
        first: &Worst<V::Precise>,
        most: f64,
    ) -> Option<V::Precise> {
        let mut way = V::Precise::ZERO;
        let (mut normal, mut missing) = (first.plane.normal, first.missing);
        for _ in 0..MOST_ROUNDS {
            let direction = direction.unwrap_or(normal);
            let steepness = normal.dot(direction);
            let on = if steepness > STEEP {
                missing / steepness
            } else {
                missing.max(0.5 * self.radius)
            };
            way += direction * on;
            if !(way.length() < most) {
                return None;
            }
            match self.worst(way, way, 0.0) {
                None => return Some(way),
                Some(next) => (normal, missing) = (next.plane.normal, next.missing),
            }
        }
        None
    }

    /// A free place that is nearer than the one that a way leads to, if there is any beside it.
    ///
    /// What is around the free place is separated from the body by planes. Whatever place keeps to them is free, too.
    fn refined(&mut self, way: V::Precise) -> V::Precise {
        let mut best = way;
        for _ in 0..MOST_REFINEMENTS {
            let (mut planes, mut nearer) = (Planes::none(), V::Precise::ZERO);
            while let Some(next) = self.worst(best, nearer, best.length()) {
                if planes.is_full() {
                    return best;
                }
                planes.add(next.plane);
                match planes.nearest(V::Precise::ZERO) {
                    Some(way) => nearer = way,
                    None => return best,
                }
            }
            if nearer.length() > SHORTER * best.length()
                || self.worst(nearer, nearer, 0.0).is_some()
            {
                return best;
            }
            best = nearer;
        }
        best
    }

    /// A free place that is nearer still, if the planes of all that was seen lead to any: past one of each body.
    fn shortened(&mut self, mut best: Option<V::Precise>, longest: f64) -> Option<V::Precise> {
        for _ in 0..MOST_REFINEMENTS {
            let most = best.map_or(longest, |best| SHORTER * best.length());
            if let Some(best) = best {
                self.worst(best, V::Precise::ZERO, best.length());
            }
            let Some(way) = self.choices.shortest(most) else {
                break;
            };
            if self.worst(way, way, 0.0).is_none() {
                best = Some(way);
            }
        }
        best
    }

    /// Where the greatest depth is least, as far as planes say; zero if that is nowhere less.
    fn roomiest(&mut self, planes: &Planes<V::Precise>, longest: f64) -> V::Precise {
        let start = V::Precise::ZERO;
        let depth = |worst: Option<Worst<V::Precise>>| worst.map_or(0.0, |worst| worst.missing);
        let here = depth(self.worst(start, start, 0.0));
        let (mut few, mut enough, mut best) = (0.0, 2.0 * here, start);
        for _ in 0..HALVINGS {
            let missing = 0.5 * (few + enough);
            match planes.relaxed(missing).nearest(start) {
                Some(way) if way.length() <= longest => (enough, best) = (missing, way),
                _ => few = missing,
            }
        }
        let there = depth(self.worst(best, best, 0.0));
        if there < here { best } else { start }
    }

    /// What the place that `wanted` leads to lacks most, by planes of what is within a distance of the place that `way`
    /// leads to.
    fn worst(
        &mut self,
        way: V::Precise,
        wanted: V::Precise,
        within: f64,
    ) -> Option<Worst<V::Precise>> {
        self.rounds += 1;
        // As the answer is rounded, so that it leads to where it was found to be free.
        let way = V::from_precise(way);
        let pose = self.placed.pose.moved_by(way);
        if pose.checked().is_err() {
            return None;
        }
        let (shape, beyond) = (self.placed.shape, self.beyond);
        let at = way.to_precise();
        // All that overlaps, however long that takes.
        let a = Placed::new(shape, &pose).with_effort(u32::MAX);
        let range = Real::max(within as Real, 0.0);
        let mut noted = ArrayVec::<Worst<V::Precise>, MOST_NOTED>::new();
        let (world, filter) = (self.world, self.filter);
        world.for_each_within(shape.limits_within(&pose, within), &mut |slot, b| {
            let id = world.bodies.id(slot);
            let look = &mut |[own, other]: [u32; 2], seen: Separation<V>| {
                let next = lack((id, own, other), &seen, at, beyond);
                let missing = next.plane.bound - next.plane.normal.dot(wanted);
                // A place that touches lacks nothing.
                if missing > beyond {
                    note(&mut noted, Worst { missing, ..next });
                }
            };
            filter.ask((world, slot), b.with_effort(u32::MAX), |b| {
                each_obstacle(a, b, range, look)
            });
        });
        for next in &noted {
            self.choices.add(next.key, next.plane);
        }
        noted.into_iter().next()
    }
}

/// Puts what a place lacks among the most that it does, whatever the order in which they come.
fn note<P: PreciseVector>(noted: &mut ArrayVec<Worst<P>, MOST_NOTED>, next: Worst<P>) {
    let place = noted.iter().position(|other| next.is_before(other));
    let place = place.unwrap_or(noted.len());
    if place < MOST_NOTED {
        if noted.is_full() {
            noted.pop();
        }
        noted.insert(place, next);
    }
}

impl<P: PreciseVector> Worst<P> {
    fn is_before(&self, other: &Self) -> bool {
        let more = other.missing.total_cmp(&self.missing);
        more.then(self.key.cmp(&other.key)).is_lt()
    }
}

/// In how many directions a free place is looked for: those of the axes, and those between them.
fn directions<V: Vector>() -> usize {
    2 * V::DIM + (1 << V::DIM)
}

/// One of these directions; `None` for the last number.
fn direction<V: Vector>(number: usize) -> Option<V::Precise> {
    let sign = |bits: usize, axis: usize| [1.0, -1.0][(bits >> axis) & 1];
    let along = |axis: usize, sign: f64| V::axis(axis).to_precise() * sign;
    let way = match number.checked_sub(2 * V::DIM) {
        None => along(number / 2, sign(number, 0)),
        Some(bits) => (0..V::DIM).fold(V::Precise::ZERO, |sum, axis| {
            sum + along(axis, sign(bits, axis))
        }),
    };
    way.direction().filter(|_| number < directions::<V>())
}

/// What is between a body that went some way and something near it.
fn lack<V: Vector>(
    key: Key,
    seen: &Separation<V>,
    at: V::Precise,
    beyond: f64,
) -> Worst<V::Precise> {
    let normal = -seen.normal.to_precise();
    let normal = normal.direction().unwrap_or(normal);
    let bound = normal.dot(at) - f64::from(seen.distance) + beyond;
    Worst {
        plane: Plane::new(normal, bound),
        missing: 0.0,
        key,
    }
}
