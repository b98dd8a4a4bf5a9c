//! From a world to blocks.

use clearance_math::{Real, Vector, compile_once};
use clearance_world::World;
use clearance_world::internal::{has_pair_filter, last_step, slots};

use crate::contacts;
use crate::edits::Edits;
use crate::error::EncodeError;
use crate::frame::{self, Head};
use crate::header;
use crate::observe::{ArrivedBy, Observed};
use crate::pairs::Pair;
use crate::row::{Row, Space};
use crate::rows::Change;
use crate::settings::Settings;
use crate::shapes::ShapeTable;
use crate::state::State;

/// A keyframe comes after this many times as many frames as it does at the earliest, even if little was written since.
const PATIENCE: u64 = 10;

/// How a world is recorded.
///
/// Write `..EncoderOptions::default()`: fields may be added in later versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EncoderOptions {
    /// How many frames there are at least between two keyframes, from which a player can start; 60 by default.
    ///
    /// The next one is written as soon as the frames since the last one take as many bytes as it did, or ten times as many
    /// frames later: so keyframes at most double a recording.
    pub frames_between_keyframes: u32,
}

impl Default for EncoderOptions {
    fn default() -> Self {
        Self {
            frames_between_keyframes: 60,
        }
    }
}

/// Writes a world as blocks of bytes, frame by frame: the bytes of all calls, joined, are a recording.
///
/// It remembers what it wrote, and writes what became different. Bodies that move by their velocities take no bytes.
/// In a steady frame it allocates nothing, if `out` has room.
///
/// ```
/// use clearance_math::{Pose, Vec2};
/// use clearance_recording::{Encoder, EncoderOptions, Player};
/// use clearance_shapes::Shape;
/// use clearance_world::{Body, Velocity, World};
///
/// let mut world = World::<Vec2>::default();
/// let falling = Velocity::from_linear(-Vec2::Y);
/// let ball = Body::moving(Shape::ball(0.5)?, Pose::IDENTITY).with_velocity(falling);
/// let ball = world.insert(ball)?;
///
/// let mut encoder = Encoder::new(EncoderOptions::default());
/// let mut recording = Vec::new();
/// for _ in 0..60 {
///     world.step(1.0 / 60.0)?;
///     encoder.frame(&world, &mut recording)?;
/// }
///
/// let mut player = Player::<Vec2>::open(recording)?;
/// player.seek(60)?;
/// assert_eq!(player.world().bodies().next().map(|body| *body.pose()), Some(*world.body(ball)?.pose()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Encoder<V: Vector> {
    options: EncoderOptions,
    shapes: ShapeTable<V>,
    state: State,
    /// The steps that the world had made by the last frame; none before the first one.
    steps: Option<u64>,
    schedule: Schedule,
    observed: Observed,
    keyframe: Vec<Change>,
    pairs: Vec<Pair>,
    ignored: Vec<[u32; 2]>,
    /// Numbers of shapes.
    used: Vec<u32>,
}

/// When the next keyframe is due.
#[derive(Debug, Default)]
struct Schedule {
    frames: u64,
    bytes: usize,
    keyframe_bytes: usize,
    /// Whether a reader may have begun with a keyframe after the last frame.
    has_new_reader: bool,
}

impl Schedule {
    fn is_due(&self, options: &EncoderOptions) -> bool {
        let least = u64::from(options.frames_between_keyframes.max(1));
        let is_worth = self.bytes >= self.keyframe_bytes || self.frames >= PATIENCE * least;
        self.frames >= least && is_worth
    }
}

impl<V: Vector> Encoder<V> {
    /// One that has written nothing.
    #[must_use]
    pub fn new(options: EncoderOptions) -> Self {
        let space = if V::DIM == 2 {
            Space::Plane
        } else {
            Space::Space
        };
        Self {
            options,
            shapes: ShapeTable::new(),
            state: State::new(space),
            steps: None,
            schedule: Schedule::default(),
            observed: Observed::default(),
            keyframe: Vec::new(),
            pairs: Vec::new(),
            ignored: Vec::new(),
            used: Vec::new(),
        }
    }

    /// Appends the blocks of a frame: of the last step of the world, and of what was changed since the call before.
    ///
    /// The first call begins the recording: it writes the world before that step, too. Call it after each step, best at
    /// once: a player shows the same if bodies came, went or changed between the step and the call, as long
    /// as they did not before the step, too. A recording is of one world.
    ///
    /// # Errors
    /// What does not fit into a block. Then nothing is appended, and the next call begins anew.
    pub fn frame(&mut self, world: &World<V>, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        frame(self, world, out)
    }

    fn try_frame(&mut self, world: &World<V>, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        let way = ArrivedBy::new(last_step(world), self.steps);
        if self.steps.is_none() {
            self.begin(world, out)?;
        } else if self.schedule.is_due(&self.options) {
            self.keyframe(out)?;
        }
        let start = out.len();
        let is_first = self.steps.is_none();
        self.steps = Some(last_step(world).count);
        let rows = &mut self.state.rows;
        self.observed
            .compare(world, way, rows, (&mut self.shapes, out))?;
        contacts::list(world, &mut self.pairs);
        let has_late = self.observed.is_late || !self.observed.late.is_empty();
        let is_comparable = !(is_first && has_late);
        let head = Head {
            number: self.state.frame + 1,
            dt: way.dt().map(Real::to_bits),
            hash: is_comparable.then(|| world.contacts_hash()),
            has_filter: has_pair_filter(world),
            is_fresh: core::mem::take(&mut self.schedule.has_new_reader),
        };
        self.put_frame(&head, world, out)?;
        self.schedule.frames += 1;
        self.schedule.bytes += out.len() - start;
        Ok(())
    }

    fn put_frame(
        &mut self,
        head: &Head,
        world: &World<V>,
        out: &mut Vec<u8>,
    ) -> Result<(), EncodeError> {
        let slots = |pair: clearance_world::BodyPair| [pair.a.index(), pair.b.index()];
        self.ignored.clear();
        self.ignored.extend(world.ignored_pairs().map(slots));
        let settings = settings(world);
        let globals = Edits {
            settings: (settings != self.state.settings).then_some(settings),
            changes: &[],
            ignored: (self.ignored != self.state.ignored).then_some(&self.ignored),
        };
        // They mark bodies as changed, unless a step came after.
        let is_late = self.observed.is_late || head.dt.is_none();
        let nothing = Edits {
            settings: None,
            changes: &[],
            ignored: None,
        };
        let [early, late] = if is_late {
            [nothing, globals]
        } else {
            [globals, nothing]
        };
        let early = Edits {
            changes: &self.observed.early,
            ..early
        };
        let late = Edits {
            changes: &self.observed.late,
            ..late
        };
        frame::put(head, &mut self.pairs, [early, late], &mut self.state, out)?;
        self.state.settings = settings;
        core::mem::swap(&mut self.state.ignored, &mut self.ignored);
        Ok(())
    }

    /// Appends what a reader needs that comes after the frames so far: a header, all shapes and a keyframe. It goes on
    /// with the blocks of the next frame. Before the first frame nothing is appended: that brings it all.
    ///
    /// # Errors
    /// What does not fit into a block. Then nothing is appended.
    pub fn join(&mut self, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        join(self, out)
    }

    /// The number of the last frame that was written; 0 before the first one.
    #[must_use]
    pub fn last_frame(&self) -> u64 {
        self.state.frame
    }

    /// Writes the header, and the world as it was before its last step, as far as it was there.
    fn begin(&mut self, world: &World<V>, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        header::put(self.state.rows.space, out)?;
        let rows = &mut self.state.rows;
        let way = ArrivedBy::new(last_step(world), None);
        self.observed
            .compare(world, way, rows, (&mut self.shapes, out))?;
        let space = rows.space;
        rows.clear();
        for slot in slots(world) {
            let _ = rows.set(slot.index(), Row::vacant(slot.generation(), space));
        }
        for change in &self.observed.early {
            let _ = rows.set(change.slot, change.to);
        }
        self.state.settings = settings(world);
        self.keyframe(out)
    }

    fn keyframe(&mut self, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        let start = out.len();
        self.state.put_keyframe(&mut self.keyframe, out)?;
        self.state.rows.list_shapes(&mut self.used);
        self.shapes
            .retain(|number| self.used.binary_search(&number).is_ok());
        self.schedule = Schedule {
            frames: 0,
            bytes: 0,
            keyframe_bytes: out.len() - start,
            has_new_reader: true,
        };
        Ok(())
    }
}

fn settings<V: Vector>(world: &World<V>) -> Settings {
    Settings {
        margin: world.options().margin.to_bits(),
        part_contacts: world.options().part_contacts,
        surface_contacts: world.options().surface_contacts,
        manifolds: world.options().manifolds,
    }
}

compile_once! {
    fn frame<'a, V>(
        encoder: &'a mut Encoder<V>,
        world: &'a World<V>,
        out: &'a mut Vec<u8>,
    ) -> Result<(), EncodeError> {
        let length = out.len();
        let done = encoder.try_frame(world, out);
        if done.is_err() {
            out.truncate(length);
            encoder.steps = None;
            encoder.state = State::new(encoder.state.rows.space);
            encoder.shapes = ShapeTable::new();
        }
        done
    }
}

compile_once! {
    fn join<'a, V>(encoder: &'a mut Encoder<V>, out: &'a mut Vec<u8>) -> Result<(), EncodeError> {
        if encoder.steps.is_none() {
            return Ok(());
        }
        let length = out.len();
        encoder.schedule.has_new_reader = true;
        let done = header::put(encoder.state.rows.space, out)
            .and_then(|()| encoder.shapes.put_all(out))
            .and_then(|()| encoder.state.put_keyframe(&mut encoder.keyframe, out));
        if done.is_err() {
            out.truncate(length);
        }
        done
    }
}
