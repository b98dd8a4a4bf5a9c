//! Move and slide: how a shape that somebody steers goes through the world.
//!
//! | file | what it does |
//! | --- | --- |
//! | `options.rs`, `rules.rs` | what is asked, checked, and in lengths and directions |
//! | `mover.rs` | the shape on its way: casts, what is around it, what of that is ground |
//! | `travel.rs` | goes a way, along everything that is met |
//! | `planes.rs` | the way nearest to the wanted one that does not cross some planes |
//! | `step_up.rs` | climbs steps |
//! | `ground.rs` | what the shape stands on, and how it gets down to it |
//! | `recover.rs` | gets out of what it starts in, and keeps the skin |
//! | `answer.rs` | what comes of it |
//! | `push_out.rs` | the least translation that frees a body of the world, without a motion |
//! | `choices.rs` | the shortest way past several bodies at once, on one side or another of each |
//!
//! The shape keeps a gap from everything, its skin. It is blocked a little before it has used up the gap, and ends
//! where the gap is whole again. Every way that it goes is proven free by a cast, so it passes through nothing, and
//! the edge of a neighbour in a flat floor, which is never nearer than the floor itself, never blocks it.

mod answer;
mod choices;
mod ground;
mod mover;
mod options;
mod planes;
mod push_out;
mod recover;
mod rules;
mod step_up;
mod travel;

use clearance_math::internal::heap_sort;
use clearance_math::{PreciseVector, Vector, compile_once};

pub use answer::{Slide, SlideContact, SlideGround};
use mover::Mover;
pub use options::{AtWalls, SlideError, SlideOptions, Sliding, SlidingBody};
pub use push_out::PushOut;
use rules::Rules;
use travel::Gait;

use crate::queries::Filter;
use crate::{Query, World, WorldError};

/// How many pieces a way has at most. A shape that walks is let down to the ground after each of them.
const MOST_PIECES: usize = 20;

/// The share of a long way that one piece has, at least.
const LEAST_PIECE: f64 = 0.125;

/// The length of a piece relative to the size of the shape, where the way is short.
const PIECE: f64 = 2.0;

/// How steeply a motion must lead up, at least, to be a jump.
const JUMP: f64 = 1e-4;

/// The share of a motion that is level only by rounding, where it leads straight down.
const LEVEL: f64 = 1e-6;

/// A shape stays where it was if it was blocked and would move by less than this share of its skin.
const AT_REST: f64 = 1.0 / 256.0;

impl<V: Vector> Query<'_, V> {
    /// Moves a shape as somebody steers it, and lets it slide along what it meets: the heart of a character
    /// controller. Nothing in the world changes, and nothing is pushed: the shape goes where the answer says if the
    /// caller puts it there. The bodies rest at their current poses; leave out the body of the shape itself by
    /// [`Query::exclude`], or call [`Query::slide_body`].
    ///
    /// A shape that stands walks: it goes as far as the level part of `motion` says, up and down slopes and steps, and
    /// stays on the ground. A motion that leads up is a jump. A shape that does not stand falls and slides until it
    /// lands. There is no gravity but that in `motion`: add what a fall of one frame is, also while it stands.
    ///
    /// The shape keeps a gap from everything, [`SlideOptions::skin`]. If it starts inside of something, it first
    /// gets out, at most by about its own size in one call, and if that is not enough, the answer says that it is stuck.
    /// Otherwise it ends free of everything. It goes no farther than asked, but for as much as a step that it climbs needs
    /// to carry it, about 6 % of the radius of a round foot, and a few skins for its gap. Where there is no room for the skin, and no short way to where
    /// there is, it stays, and the answer says that it is squeezed.
    ///
    /// The answer is a function of the poses: it does not depend on earlier calls, on threads, or on the order of insertion.
    /// What it touched on its way is told by [`Query::slide_into`]; here that list is made and given away.
    ///
    /// ```
    /// use clearance::dim3::{Body, Options, Placed, Pose, Shape, SlideOptions, Sliding, Vec3, World};
    ///
    /// let mut world = World::new(Options::default())?;
    /// world.insert(Body::fixed(Shape::half_space(Vec3::Y)?, Pose::IDENTITY))?;
    /// let step = Pose::from_translation(Vec3::new(2.0, 0.0, 0.0));
    /// let step = world.insert(Body::fixed(Shape::cuboid(Vec3::new(1.0, 0.25, 5.0))?, step))?;
    ///
    /// let (hero, options) = (Shape::capsule(0.5, 0.4)?, SlideOptions::default());
    /// let (mut pose, mut ground) = (Pose::from_translation(Vec3::Y), None);
    /// // Walks to the right for a second, and falls where it does not stand.
    /// for frame in 0..60 {
    ///     let sliding = Sliding::new(Placed::new(&hero, &pose), Vec3::new(2.0, -6.0, 0.0) / 60.0);
    ///     let slide = world.query().slide(sliding, options)?;
    ///     (pose, ground) = (slide.pose, slide.ground);
    ///     assert!(ground.is_some() || frame == 0);
    /// }
    /// // It has climbed the step, which is 0.25 high. The skin of this shape is 0.008.
    /// assert_eq!(ground.map(|ground| ground.body), Some(step));
    /// assert!((pose.translation() - Vec3::new(2.0, 1.158, 0.0)).length() < 1e-3, "{pose}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`SlideError`] for a pose, a motion or an option that is not valid, and for a half-space.
    #[doc(alias(
        "move_and_slide",
        "move_shape",
        "character_controller",
        "grounded",
        "is_on_floor"
    ))]
    pub fn slide(
        &self,
        sliding: Sliding<'_, V>,
        options: SlideOptions<V>,
    ) -> Result<Slide<V>, SlideError> {
        self.slide_into(sliding, options, &mut Vec::new())
    }

    /// [`Query::slide`], with what the shape touched on its way: `contacts` is replaced by that, sorted by body and part.
    /// Nothing else is allocated.
    ///
    /// # Errors
    /// As [`Query::slide`]; then `contacts` is left as it is.
    pub fn slide_into(
        &self,
        sliding: Sliding<'_, V>,
        options: SlideOptions<V>,
        contacts: &mut Vec<SlideContact<V>>,
    ) -> Result<Slide<V>, SlideError> {
        let rules = options.checked(&sliding)?;
        let asked = CheckedMove { sliding, rules };
        Ok(slide(self.world, asked, &self.filter, contacts))
    }

    /// [`Query::slide`] for a body of the world: with its shape, from its pose, and past what it cannot make contacts with.
    ///
    /// It meets no body that its groups, ignored pairs or the filter of pairs exclude, and not itself; the query leaves out
    /// more. Nothing in the world changes: put the body where the answer says.
    ///
    /// ```
    /// use clearance::dim2::{Body, Options, Pose, Shape, SlideOptions, SlidingBody, Vec2, World};
    ///
    /// // A game that is seen from above has no up, and no ground.
    /// let options = SlideOptions { up: None, ..SlideOptions::default() };
    /// let mut world = World::new(Options::default())?;
    /// world.insert(Body::fixed(Shape::cuboid(Vec2::new(1.0, 9.0))?, Pose::from_translation(Vec2::new(3.0, 0.0))))?;
    /// let hero = world.insert(Body::moving(Shape::ball(0.5)?, Pose::IDENTITY))?;
    /// let slide = world.query().slide_body(SlidingBody::new(hero, Vec2::new(4.0, 1.0)), options)?;
    /// world.body_mut(hero)?.set_pose(slide.pose)?;
    /// // It came to the wall, up to its skin of 0.01, and went on along it.
    /// assert!((slide.pose.translation() - Vec2::new(1.49, 1.0)).length() < 1e-4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Query::slide`], and for a body that is not in this world.
    #[doc(alias(
        "move_and_slide",
        "move_shape",
        "character_controller",
        "grounded",
        "is_on_floor",
        "is_grounded"
    ))]
    pub fn slide_body(
        &self,
        sliding: SlidingBody<V>,
        options: SlideOptions<V>,
    ) -> Result<Slide<V>, SlideError> {
        self.slide_body_into(sliding, options, &mut Vec::new())
    }

    /// [`Query::slide_body`], with what the body touched on its way, as [`Query::slide_into`].
    ///
    /// # Errors
    /// As [`Query::slide_body`]; then `contacts` is left as it is.
    pub fn slide_body_into(
        &self,
        sliding: SlidingBody<V>,
        options: SlideOptions<V>,
        contacts: &mut Vec<SlideContact<V>>,
    ) -> Result<Slide<V>, SlideError> {
        let SlidingBody {
            body: id,
            motion,
            ground,
            seconds,
            start,
        } = sliding;
        let Query { world, filter } = self;
        let slot = world.bodies.slot_or_refuse(id)?;
        let not_in_world = WorldError::NotInWorld { id };
        let mut placed = world.bodies.placed(slot).ok_or(not_in_world.clone())?;
        placed.pose = start.as_ref().unwrap_or(placed.pose);
        let sliding = Sliding {
            placed,
            motion,
            ground,
            seconds,
        };
        let mut answer = Err(not_in_world.into());
        world.with_filter_of(slot, filter, &mut |&filter| {
            answer = Query { world, filter }.slide_into(sliding, options, contacts);
        });
        answer
    }
}

/// A move whose numbers are valid.
struct CheckedMove<'a, V: Vector> {
    sliding: Sliding<'a, V>,
    rules: Rules<V::Precise>,
}

compile_once! {
    fn slide<'a, V>(
        world: &'a World<V>,
        asked: CheckedMove<'a, V>,
        filter: &'a Filter<'a, V>,
        contacts: &'a mut Vec<SlideContact<V>>,
    ) -> Slide<V> {
        contacts.clear();
        let CheckedMove { sliding, rules } = asked;
        let mut mover = Mover {
            query: Query { world, filter: *filter },
            shape: sliding.placed.shape,
            rotation: sliding.placed.pose.rotation,
            rules,
            at: sliding.placed.pose.position(),
            wanted: sliding.motion.to_precise(),
            depth_of_feet: 0.0,
            within: rules.blocked(),
            contacts,
            met: 0,
            real: 0,
            looked_from: None,
            lost: V::Precise::ZERO,
        };
        mover.depth_of_feet = mover.extent(-rules.up);
        mover.slide(&sliding)
    }
}

impl<V: Vector> Mover<'_, V> {
    fn slide(&mut self, asked: &Sliding<'_, V>) -> Slide<V> {
        let carried = asked.ground.as_ref().map(|ground| self.ride(ground));
        let was_stuck = self.recover();
        let start = self.at;
        let stands = self.ground().is_some() || asked.ground.is_some();
        let has_up = self.rules.up != V::Precise::ZERO;
        let walks = has_up && stands && self.rules.rise(self.wanted) <= JUMP * self.wanted.length();
        self.go(self.wanted, walks);
        self.settle();
        self.rest_if_blocked(start, walks);
        self.look_around();
        // The way ended in an overlap: by rounding, where there is no room for the skin, or because a platform that counts from
        // one side begins to count. Where nothing leads out of it, the start is free.
        if self.least_gap() <= 0.0 && !was_stuck && self.recover() {
            self.at = start;
            self.look_around();
        }
        let ground = self.ground().map(|ground| {
            let ground = self.describe(&ground);
            let way = carried.unwrap_or(V::Precise::ZERO);
            ground.carried_by(asked, way, self.query.world.last_step.dt)
        });
        let is_stuck = self.least_gap() <= 0.0;
        let is_squeezed = self.is_squeezed();
        self.list_contacts();
        let from = asked.placed.pose.position();
        Slide {
            pose: self.pose(),
            motion: V::from_precise(self.at - from),
            ground,
            is_stuck,
            is_squeezed,
        }
    }

    /// Goes the whole way, a piece at a time.
    fn go(&mut self, motion: V::Precise, mut walks: bool) {
        let mut rest = motion;
        let piece = (PIECE * self.rules.size).max(LEAST_PIECE * motion.length());
        for _ in 0..MOST_PIECES {
            if walks {
                let level = self.rules.level(rest);
                let share = (piece / level.length()).min(1.0);
                let before = self.at;
                self.travel(level * share, Gait::Walk);
                rest = rest * (1.0 - share);
                let gone = self.rules.level(self.at - before).length();
                // As far as the greatest slope leads down.
                let fall = (gone * self.rules.tan).min(PIECE * gone + self.rules.size);
                walks = self.snap(self.rules.snap_distance + fall) || self.stands();
                if share == 1.0 {
                    return;
                }
            } else {
                let Some(left) = self.travel(rest, Gait::Fly) else {
                    return;
                };
                rest = self.rules.level(left);
                walks = true;
            }
        }
    }

    /// Undoes a motion that only rounding makes, so that what is blocked or stands does not creep.
    fn rest_if_blocked(&mut self, start: V::Precise, walks: bool) {
        let moved = (self.at - start).length();
        let mut wanted = self.wanted.length();
        if walks {
            let level = self.rules.level(self.wanted).length();
            wanted = if level > LEVEL * wanted { level } else { 0.0 };
        }
        if moved <= AT_REST * self.rules.skin && (4.0 * moved <= wanted || wanted == 0.0) {
            self.at = start;
        }
    }

    /// Leaves each part once in the list, as it is at the end if it is near.
    fn list_contacts(&mut self) {
        for contact in &mut self.contacts[self.met..] {
            contact.at_end = true;
        }
        let key = |contact: &SlideContact<V>| (contact.body, contact.part, contact.own_part);
        heap_sort(self.contacts, |a, b| {
            (key(a), !a.at_end) < (key(b), !b.at_end)
        });
        self.contacts.dedup_by_key(|contact| key(contact));
    }
}
