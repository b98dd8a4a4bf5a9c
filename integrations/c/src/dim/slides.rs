//! Characters: a shape that moves, slides along what it meets and stands on what carries it; and bodies out of what they ran into.

use clearance::AtWalls;

use super::access::shape;
use super::only::{DIM, Precise, STAND_END, V, VECTOR_END, engine};
use super::questions::ask_about;
use super::{ConstShapeHandle, ConstWorldHandle, Pose};
use crate::border::{In, Out, Outcome, Problem, Status, calls, lists, rows, zero};
use crate::common::{Filter, SlideAtWalls, check_size, id_of, number_of, unknown};

/// The most bytes that what a slide remembers of its ground takes.
pub const GROUND_STATE: usize = 120;

rows! {
    /// How a shape moves and slides. Start from `clrN_slide_options_default`. NULL in its place stands for the defaults.
    struct SlideOptions {
        size: u32 = "The size of this struct in bytes.",
        up: [f32; DIM] = "Where up is: of any length but zero; along y at first. Zeros for games that have no up: everything is a wall then.",
        max_slope: f32 = "The greatest angle between `up` and the normal of a surface that can be walked on, in radians; 50 degrees at first.",
        step_height: f32 = "How high a step can be climbed, in units of length, >= 0; 0.3 at first.",
        step_depth: f32 = "How far the foremost point must get beyond the edge of a step, in units of length; negative, as at first, for a quarter \
            of the least half extent of the shape.",
        max_edge_slope: f32 = "How steep the contact of a round foot with an edge may be for the edge to carry it, in radians; 70 degrees at first.",
        snap_distance: f32 = "How far a shape that stands is drawn down to the ground, in units of length, >= 0; 0.3 at first.",
        skin: f32 = "The gap that is kept from everything, in units of length; negative, as at first, for a fiftieth of the least half extent.",
        at_walls: SlideAtWalls = "Whether it slides along walls or stops at them; it slides at first.",
    }

    /// The ground that a shape stands on: keep it for the next slide.
    struct SlideGround {
        body: u64 = "The body; 0 if the shape does not stand.",
        point: [f64; DIM] = "The point of the ground that is nearest to the shape.",
        normal: [f32; DIM] = "The unit normal of the surface, out of the ground.",
        velocity: [f32; DIM] = "The velocity of the ground below the shape, in units of length a second. A shape that jumps off keeps it.",
        part: u32 = "The part of the shape of the body.",
        state_size: u32 = "How many bytes of `state` count.",
        state: [u8; GROUND_STATE] = "What the library remembers.",
    }

    /// A shape that somebody steers.
    struct Sliding {
        shape: ConstShapeHandle = "The shape.",
        pose: Pose = "Where it is.",
        ground: SlideGround = "The ground of the answer before; of body 0 if it did not stand.",
        motion: [f32; DIM] = "Where it is to go, in units of length.",
        seconds: f32 = "How long the motion takes, in seconds; negative for as long as the last step.",
        reserved: [u8; STAND_END] = "Named so that there is no padding; zero.",
    }

    /// A body of the world that somebody steers.
    struct SlidingBody {
        body: u64 = "The body.",
        start: Pose = "Where it sets out, if `has_start` is 1; else it sets out where the world has it.",
        ground: SlideGround = "The ground of the answer before; of body 0 if it did not stand.",
        motion: [f32; DIM] = "Where it is to go, in units of length.",
        seconds: f32 = "How long the motion takes, in seconds; negative for as long as the last step.",
        has_start: u32 = "Whether `start` counts: 0 or 1.",
        reserved: [u8; VECTOR_END] = "Named so that there is no padding; zero.",
    }

    /// What a shape that slides touched.
    struct SlideContact {
        body: u64 = "The body.",
        point: [f64; DIM] = "The point of the body that is nearest to the shape.",
        normal: [f32; DIM] = "The unit normal from the body to the shape.",
        distance: f32 = "The signed distance, in units of length.",
        part: u32 = "The part of the shape of the body.",
        own_part: u32 = "The part of the shape that slides.",
        at_end: u32 = "Whether the shape touches it at the end: 1; else it met the body on its way.",
        reserved: [u8; VECTOR_END] = "Named so that there is no padding; zero.",
    }
}

lists! {
    /// Room of the caller for what a shape that slides touched.
    struct SlideContactList of SlideContact;
}

rows! {
    /// Where a shape that slides went.
    struct Slide {
        pose: Pose = "Where it is now; it has not turned.",
        ground: SlideGround = "The ground that it stands on; of body 0 if it does not stand.",
        motion: [f32; DIM] = "How far it went, in units of length.",
        is_stuck: u8 = "Whether it still overlaps something: 0 or 1.",
        is_squeezed: u8 = "Whether there is no room for the gap that it keeps: 0 or 1.",
        reserved: [u8; 2] = "Named so that there is no padding; zero.",
        reserved_end: [u8; STAND_END] = "Named so that there is no padding; zero.",
    }

    /// How a body gets out of what it overlaps.
    struct PushOut {
        translation: [f32; DIM] = "How far it must go, in units of length; zeros if it overlaps nothing.",
        is_squeezed: u32 = "Whether it still overlaps something there, since no place nearby is free: 0 or 1.",
        rounds: u32 = "How often the world was asked what it overlaps.",
    }
}

impl SlideOptions {
    fn read(options: In<Self>) -> Outcome<engine::SlideOptions> {
        let Some(options) = options.optional("options")? else {
            return Ok(engine::SlideOptions::default());
        };
        check_size::<Self>(options.size, "options")?;
        // Not `< 0`, so that NaN is refused by the engine.
        let unless_negative = |number: f32| (!(number < 0.0)).then_some(number);
        Ok(engine::SlideOptions {
            up: (options.up != [0.0; DIM]).then(|| V::from_array(options.up)),
            max_slope: options.max_slope,
            step_height: options.step_height,
            step_depth: unless_negative(options.step_depth),
            max_edge_slope: options.max_edge_slope,
            snap_distance: options.snap_distance,
            skin: unless_negative(options.skin),
            at_walls: match options.at_walls {
                SlideAtWalls::SLIDE => AtWalls::Slide,
                SlideAtWalls::STOP => AtWalls::Stop,
                SlideAtWalls(other) => return Err(unknown("options.at_walls", other, 1)),
            },
        })
    }
}

impl SlideGround {
    fn of(ground: Option<&engine::SlideGround>) -> Outcome<Self> {
        let Some(ground) = ground else {
            return Ok(zero());
        };
        let mut state = [0; GROUND_STATE];
        let used = postcard::to_slice(ground, &mut state);
        let state_size = used
            .map_err(|error| Problem::new(Status::STORED, error))?
            .len() as u32;
        Ok(Self {
            body: number_of(ground.body),
            point: ground.position.to_array(),
            normal: ground.normal.to_array(),
            velocity: ground.velocity.to_array(),
            part: ground.part,
            state_size,
            state,
        })
    }

    fn read(&self) -> Outcome<Option<engine::SlideGround>> {
        if self.body == 0 {
            return Ok(None);
        }
        let state = self.state.get(..self.state_size as usize);
        let ground =
            state.and_then(|state| postcard::from_bytes::<engine::SlideGround>(state).ok());
        let other = || Problem::argument("ground: is not one that a slide of this version gave");
        let mut ground = ground.ok_or_else(other)?;
        ground.body = id_of(self.body);
        Ok(Some(ground))
    }
}

impl Slide {
    fn of(slide: &engine::Slide) -> Outcome<Self> {
        Ok(Self {
            pose: Pose::of(&slide.pose),
            ground: SlideGround::of(slide.ground.as_ref())?,
            motion: slide.motion.to_array(),
            is_stuck: slide.is_stuck.into(),
            is_squeezed: slide.is_squeezed.into(),
            ..zero()
        })
    }
}

impl SlideContact {
    fn of(contact: &engine::SlideContact) -> Self {
        Self {
            body: number_of(contact.body),
            point: contact.position.to_array(),
            normal: contact.normal.to_array(),
            distance: contact.distance,
            part: contact.part,
            own_part: contact.own_part,
            at_end: contact.at_end.into(),
            ..zero()
        }
    }
}

/// How long a motion takes, unless that is negative. NaN is refused by the engine.
fn seconds(seconds: f32) -> Option<f32> {
    (!(seconds < 0.0)).then_some(seconds)
}

calls! {
    /// The options that a slide has unless others are wanted.
    call slide_options_default() -> SlideOptions {
        let options = engine::SlideOptions::default();
        SlideOptions {
            size: size_of::<SlideOptions>() as u32,
            up: options.up.unwrap_or(V::ZERO).to_array(),
            max_slope: options.max_slope,
            step_height: options.step_height,
            step_depth: -1.0,
            max_edge_slope: options.max_edge_slope,
            snap_distance: options.snap_distance,
            skin: -1.0,
            at_walls: SlideAtWalls::SLIDE,
        }
    }

    /// A shape that is to go `motion`, that does not stand, and that takes as long as the last step.
    call sliding_default(shape: ConstShapeHandle, pose: Pose) -> Sliding { Sliding { shape, pose, seconds: -1.0, ..zero() } }

    /// A body that is to go `motion` from where it is, that does not stand, and that takes as long as the last step.
    call sliding_body_default(body: u64) -> SlidingBody { SlidingBody { body, start: Pose::IDENTITY, seconds: -1.0, ..zero() } }

    /// Moves a shape and lets it slide along what it meets, climb steps, and stand on ground that moves. Nothing in the world changes. What it
    /// touched goes to `contacts`, which may be NULL.
    about world_slide(sliding: In<Sliding>, options: In<SlideOptions>, filter: In<Filter>, slide: Out<Slide>, contacts: Out<SlideContactList>) |query, filter| {
        let sliding = sliding.one("sliding")?;
        let (own, pose) = (shape(sliding.shape)?, sliding.pose.read()?);
        let placed = engine::Placed::new(&own, &pose);
        let mut asked = engine::Sliding::new(placed, V::from_array(sliding.motion));
        (asked.ground, asked.seconds) = (sliding.ground.read()?, seconds(sliding.seconds));
        let (options, mut found) = (SlideOptions::read(options)?, Vec::new());
        let answer = query.slide_into(asked, options, &mut found)?;
        tell(&answer, &found, slide, contacts)
    }

    /// As `clrN_world_slide`, of a body of the world: past what it cannot make contacts with, and past itself. Put the body where the answer says.
    about world_slide_body(sliding: In<SlidingBody>, options: In<SlideOptions>, filter: In<Filter>, slide: Out<Slide>, contacts: Out<SlideContactList>) |query, filter| {
        let sliding = sliding.one("sliding")?;
        let motion = V::from_array(sliding.motion);
        let mut asked = engine::SlidingBody::new(id_of(sliding.body), motion);
        (asked.ground, asked.seconds) = (sliding.ground.read()?, seconds(sliding.seconds));
        if sliding.has_start != 0 {
            asked.start = Some(sliding.start.read()?);
        }
        let (options, mut found) = (SlideOptions::read(options)?, Vec::new());
        let answer = query.slide_body_into(asked, options, &mut found)?;
        tell(&answer, &found, slide, contacts)
    }
}

fn tell(
    answer: &engine::Slide,
    found: &[engine::SlideContact],
    slide: Out<Slide>,
    contacts: Out<SlideContactList>,
) -> Outcome {
    slide.set(Slide::of(answer)?, "slide")?;
    match contacts.is_null() {
        true => Ok(()),
        false => SlideContactList::fill(contacts, found.iter().map(SlideContact::of)),
    }
}

calls! {
    /// The least translation that frees a body of all that it overlaps at once. Nothing in the world changes.
    about world_push_out(body: u64, filter: In<Filter>, push_out: Out<PushOut>) |query, filter| {
        let found = query.push_out(id_of(body))?;
        let row =
            PushOut { translation: found.translation.to_array(), is_squeezed: found.is_squeezed.into(), rounds: found.rounds };
        push_out.set(row, "push_out")
    }
}

const _: () = assert!(size_of::<Precise>() == 8 * DIM);
