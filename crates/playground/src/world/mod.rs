//! The room "World": a world that is stepped, shown, searched and changed.

mod details;
mod driver;
mod frame;
mod history;
mod layout;
mod room;
mod save;
mod simulation;

use clearance_recording::{AnyPlayer, PlayerOptions};
use clearance_scene::{AnyScene, SceneKind, generate as generate_scene, read_scene};
use clearance_world::Clock;
use serde::Serialize;

use crate::binary::Binary;
use crate::failure::Failure;
use crate::request::{Aim, BoxesOf};

pub(crate) use details::{BodyDetails, ContactDetails, ContactOf, Picked, SeparationDetails};
pub(crate) use frame::{Boxes, Frame};
pub(crate) use layout::{Drawn, Shapes};
pub(crate) use room::{Loaded, Room};
pub(crate) use save::Saved;

/// The most bodies of a generated scene: what a page can hold.
const MOST_BODIES: usize = 1_000_000;

/// A world of either dimension.
pub(crate) trait WorldRoom {
    fn loaded(&self) -> Loaded;
    fn step(&mut self, dt: f32, count: u32) -> Result<(), Failure>;
    fn push(&mut self, blocks: &[u8]) -> Result<(), Failure>;
    fn seek(&mut self, frame: u64) -> Result<(), Failure>;
    fn fork(&mut self) -> Result<(), Failure>;
    fn move_body(
        &mut self,
        index: usize,
        translation: [f32; 3],
        rotation: Option<[f32; 4]>,
    ) -> Result<(), Failure>;
    fn frame(&mut self, contacts: bool, binary: &mut Binary) -> Frame;
    fn shapes(&mut self, binary: &mut Binary) -> Shapes;
    fn boxes(&self, of: BoxesOf, level: usize, binary: &mut Binary) -> Boxes;
    fn body(&self, index: usize) -> Result<BodyDetails, Failure>;
    fn contact(&self, number: usize) -> Result<ContactDetails, Failure>;
    fn pick(&self, aim: &Aim) -> Result<Picked, Failure>;
    fn hashes(&self) -> Hashes;
    fn contacts(&self) -> Vec<ContactOf>;
    fn save(&self) -> Result<Saved, Failure>;
}

/// The hashes of the contacts of a frame.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Hashes {
    /// Of the contacts that this engine found.
    pub(crate) computed: u64,
    /// Of those that the recording knows.
    pub(crate) recorded: Option<u64>,
}

/// The scenes that can be generated.
#[derive(Serialize)]
pub(crate) struct Kinds {
    kinds: Vec<Kind>,
}

#[derive(Serialize)]
struct Kind {
    name: &'static str,
    summary: &'static str,
    dimension: usize,
}

impl Kinds {
    pub(crate) fn all() -> Self {
        let kind = |kind: SceneKind| Kind {
            name: kind.name(),
            summary: kind.summary(),
            dimension: dimension_of(&generate_scene(kind, 1, 1)),
        };
        Self {
            kinds: SceneKind::ALL.into_iter().map(kind).collect(),
        }
    }
}

fn dimension_of(scene: &AnyScene) -> usize {
    match scene {
        AnyScene::Plane(_) => 2,
        AnyScene::Space(_) => 3,
    }
}

pub(crate) fn generate(
    kind: &str,
    count: usize,
    seed: u64,
    clock: Clock,
) -> Result<Box<dyn WorldRoom>, Failure> {
    let kind: SceneKind = kind.parse().map_err(Failure::of)?;
    if count > MOST_BODIES {
        return Err(Failure::new(format!(
            "count is {count}, must be at most {MOST_BODIES}"
        )));
    }
    open(&generate_scene(kind, count, seed), clock)
}

pub(crate) fn load(text: &str, clock: Clock) -> Result<Box<dyn WorldRoom>, Failure> {
    open(&read_scene(text).map_err(Failure::of)?, clock)
}

/// A recording, opened at its first frame.
pub(crate) fn play(bytes: &[u8], clock: Clock) -> Result<Box<dyn WorldRoom>, Failure> {
    let player = AnyPlayer::open(bytes, PlayerOptions::default()).map_err(Failure::of)?;
    Ok(match player {
        AnyPlayer::Plane(player) => Box::new(Room::of_recording(player, clock)),
        AnyPlayer::Space(player) => Box::new(Room::of_recording(player, clock)),
    })
}

/// A world that runs elsewhere, from the first blocks that came of it.
pub(crate) fn follow(blocks: &[u8], clock: Clock) -> Result<Box<dyn WorldRoom>, Failure> {
    let player = AnyPlayer::live(blocks, PlayerOptions::default()).map_err(Failure::of)?;
    Ok(match player {
        AnyPlayer::Plane(player) => Box::new(Room::of_live(player, clock)),
        AnyPlayer::Space(player) => Box::new(Room::of_live(player, clock)),
    })
}

fn open(scene: &AnyScene, clock: Clock) -> Result<Box<dyn WorldRoom>, Failure> {
    Ok(match scene {
        AnyScene::Plane(scene) => Box::new(Room::of_scene(scene, clock)?),
        AnyScene::Space(scene) => Box::new(Room::of_scene(scene, clock)?),
    })
}
