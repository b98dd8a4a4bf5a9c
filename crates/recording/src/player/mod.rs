//! From blocks to a world.

pub(crate) mod index;
mod live;
mod moments;
mod seek;
mod source;

use clearance_math::{Real, Vector};
use clearance_world::{Backend, BodyId, Clock, Options, World};

use crate::apply::{self, Shapes};
use crate::bytes::Unreadable;
use crate::contacts;
use crate::difference::{self, Difference};
use crate::edits::Read;
use crate::error::{Damage, OpenError};
use crate::frame::OpenFrame;
use crate::pairs::Pair;
use crate::reader::File;
use crate::row::Space;
use crate::rows::Rows;
use crate::state::State;

use moments::Moments;
use source::Source;

/// How a recording is played. No contact depends on it.
///
/// Write `..PlayerOptions::default()`: fields may be added in later versions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayerOptions {
    /// The structure that finds overlapping bounding boxes.
    pub backend: Backend,
    /// The number of threads that a step uses, at least 1.
    pub threads: usize,
    /// How many bytes the player of a whole recording may take for frames that it keeps, by which it goes back without playing
    /// all frames from a keyframe; 64 MiB by default, 0 for none.
    pub kept_bytes: usize,
}

impl Default for PlayerOptions {
    fn default() -> Self {
        Self {
            backend: Backend::default(),
            threads: 1,
            kept_bytes: 64 << 20,
        }
    }
}

/// A world that follows a recording: a whole one ([`Player::open`]), in which it goes to any frame, or a live one, which
/// comes block by block ([`Player::live`], [`Player::push`]).
///
/// It gives the world what the recorded one was given, and steps it: the contacts, events and impacts are computed
/// again, but for those events and impacts of the first two frames that tell of what was before. Every frame has the same
/// bits, however it is reached. Bodies have the ids that they had; those of the recorded world are to be made anew by
/// [`BodyId::from_parts`].
#[derive(Debug)]
pub struct Player<V: Vector> {
    /// What worlds are made of: without bodies, but with threads.
    template: World<V>,
    world: World<V>,
    state: State,
    shapes: Shapes<V>,
    /// Memory for the contacts of the next frame.
    memory: Vec<Pair>,
    source: Source,
    moments: Moments<V>,
    drift: Option<Drift>,
}

/// A body that is not where a keyframe has it: the engine that plays moves bodies differently than the one that recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drift {
    /// The frame of the keyframe.
    pub frame: u64,
    /// The first body that differs, if it is a body.
    pub body: Option<BodyId>,
}

impl<V: Vector> Player<V> {
    /// One that has played nothing.
    fn new(source: Source, options: PlayerOptions) -> Result<Self, OpenError> {
        let template = World::new(Options {
            backend: options.backend,
            threads: options.threads,
            ..Options::default()
        })?;
        Ok(Self {
            world: template.clone(),
            template,
            state: State::new(Space::of::<V>()),
            shapes: Shapes::new(),
            memory: Vec::new(),
            source,
            moments: Moments::new(options.kept_bytes),
            drift: None,
        })
    }

    /// The world, as it is at the end of the present frame.
    #[must_use]
    pub fn world(&self) -> &World<V> {
        &self.world
    }

    /// Has the steps of the world profiled by a clock: see [`World::set_profiling`].
    pub fn set_profiling(&mut self, clock: Option<Clock>) {
        self.template.set_profiling(clock);
        self.world.set_profiling(clock);
    }

    /// The number of the present frame. A recording begins with frame 0, the world before its first step, unless its reader
    /// joined later.
    #[must_use]
    pub fn frame(&self) -> u64 {
        self.state.frame
    }

    /// The first frame that [`Player::seek`] can go to: of a live recording the present one.
    #[must_use]
    pub fn first(&self) -> u64 {
        match &self.source {
            Source::File { index, .. } => index.first,
            Source::Stream(_) => self.state.frame,
        }
    }

    /// The last frame that [`Player::seek`] can go to: of a live recording the present one.
    #[must_use]
    pub fn last(&self) -> u64 {
        match &self.source {
            Source::File { index, .. } => index.last(),
            Source::Stream(_) => self.state.frame,
        }
    }

    /// Where the recording cannot be read any further, and why; none if it is whole, as far as it was looked at: damage that the
    /// checksums do not show is found when the frame is played.
    #[must_use]
    pub fn damage(&self) -> Option<&Damage> {
        match &self.source {
            Source::File { index, .. } => index.damage.as_ref(),
            Source::Stream(stream) => stream.damage.as_ref(),
        }
    }

    /// The hash of the contacts ([`World::contacts_hash`]) that was recorded of the present frame; none of the first frame, if the
    /// recording begins there, and none of frames with bodies whose shapes could not be recorded.
    #[must_use]
    pub fn recorded_hash(&self) -> Option<u64> {
        self.state.hash.filter(|_| !self.has_stand_ins())
    }

    /// The length of the step of the present frame, in seconds.
    #[must_use]
    pub fn time_step(&self) -> Real {
        Real::from_bits(self.state.dt)
    }

    /// Whether a function of the recorded program decided which pairs exist. Then they are those that were recorded.
    #[must_use]
    pub fn has_pair_filter(&self) -> bool {
        self.state.has_filter
    }

    /// Whether a body has, instead of its own shape, the bounding box of a shape of the recorded program
    /// ([`clearance_shapes::Shape::custom`]).
    #[must_use]
    pub fn is_stand_in(&self, id: BodyId) -> bool {
        self.world.contains(id) && self.is_stand_in_slot(id.index())
    }

    /// In what the contacts of the present frame differ from those that were recorded; none if they do not. Pairs of
    /// which a body is a stand-in ([`Player::is_stand_in`]) are not compared.
    #[must_use]
    pub fn difference(&self) -> Option<Difference> {
        let recorded = self.state.hash?;
        let computed = self.world.contacts_hash();
        let has_stand_ins = self.has_stand_ins();
        if computed == recorded && !has_stand_ins {
            return None;
        }
        let mut found = Vec::new();
        contacts::list(&self.world, &mut found);
        let id = |slot| BodyId::from_parts(slot, self.state.rows.row(slot).generation);
        let mut pairs = difference::of_pairs(&self.state.pairs, &found, id);
        pairs.retain(|pair| {
            ![pair.a, pair.b]
                .iter()
                .any(|id| self.is_stand_in_slot(id.index()))
        });
        if has_stand_ins && pairs.is_empty() {
            return None;
        }
        Some(Difference {
            frame: self.state.frame,
            hashes: [recorded, computed],
            pairs,
        })
    }

    /// Bytes that the player holds, about, without the recording itself and without shapes.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.world.memory() + self.state.memory() + self.moments.memory()
    }

    /// The first keyframe that did not have the bodies where playing had brought them, if there was one. The player
    /// went on from the keyframe.
    #[must_use]
    pub fn drift(&self) -> Option<Drift> {
        self.drift
    }

    /// The blocks, if they have all come.
    pub(crate) fn file(&self) -> Option<File<'_>> {
        match &self.source {
            Source::File { bytes, index } => Some(File { bytes, index }),
            Source::Stream(_) => None,
        }
    }

    fn has_stand_ins(&self) -> bool {
        self.shapes.values().any(|shape| shape.is_stand_in)
            && (0..self.state.rows.len() as u32).any(|slot| self.is_stand_in_slot(slot))
    }

    fn is_stand_in_slot(&self, slot: u32) -> bool {
        let row = self.state.rows.get(slot).filter(|row| row.is_taken);
        let shape = row.and_then(|row| self.shapes.get(&row.properties.shape));
        shape.is_some_and(|shape| shape.is_stand_in)
    }

    /// Makes the world that of a keyframe.
    fn load(&mut self, state: State) -> Result<(), Unreadable> {
        let mut world = self.template.clone();
        let slots = 0..state.rows.len() as u32;
        self.source
            .read_shapes(slots, &state.rows, &mut self.shapes)?;
        apply::fill(&mut world, &state, &self.shapes)?;
        filter(&mut world, &state);
        world.step(0.0)?;
        (self.world, self.state) = (world, state);
        Ok(())
    }

    /// Compares the world with a keyframe of the same frame, and goes on from that if they differ.
    fn check(&mut self, keyframe: State) -> Result<(), Unreadable> {
        let (mine, its) = (&self.state.rows, &keyframe.rows);
        if mine.all() == its.all() {
            if self.state.has_the_rest_of(&keyframe) {
                self.state.rows.forget_trends();
                return Ok(());
            }
            // No encoder writes this, but every way to a frame must lead to the same state.
            return self.load(keyframe);
        }
        let slots = 0..mine.len().max(its.len()) as u32;
        let differs = |slot: &u32| mine.row(*slot) != its.row(*slot);
        let slot = slots.into_iter().find(differs);
        let body = slot.map(|slot| BodyId::from_parts(slot, its.row(slot).generation));
        let frame = keyframe.frame;
        self.drift.get_or_insert(Drift { frame, body });
        self.load(keyframe)
    }

    /// Plays the block of the next frame. If it fails, neither world nor state are of any frame.
    fn play(&mut self, payload: &[u8]) -> Result<(), Unreadable> {
        let state = &mut self.state;
        let mut frame = OpenFrame::read(payload, state, &mut self.memory)?;
        let mut edit = |world: &mut World<V>, read: Option<Read>, rows: &Rows| {
            let Some(read) = read else {
                return Ok(());
            };
            let slots = read.touched.iter().map(|touched| touched.slot);
            self.source.read_shapes(slots, rows, &mut self.shapes)?;
            apply::edit(world, &read, rows, &self.shapes)
        };
        let early = frame.early(state)?;
        edit(&mut self.world, early, &state.rows)?;
        filter(&mut self.world, state);
        if let Some(dt) = frame.head.dt {
            self.world.step(Real::from_bits(dt))?;
            apply::follow(&self.world, &mut state.rows);
        }
        let late = frame.late(state)?;
        edit(&mut self.world, late, &state.rows)
    }
}

/// Lets those pairs exist that were recorded, if a function of the recorded program decided which do.
fn filter<V: Vector>(world: &mut World<V>, state: &State) {
    if !state.has_filter {
        world.clear_pair_filter();
        return;
    }
    let exist: Vec<[u32; 2]> = state.pairs.iter().map(|pair| pair.slots).collect();
    world.set_pair_filter(move |a, b| {
        let pair = [a.id().index(), b.id().index()];
        exist.binary_search(&pair).is_ok()
    });
}
