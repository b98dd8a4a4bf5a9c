//! The room "World": a world that is stepped, shown, searched and changed.

mod details;
mod driver;
mod frame;
mod history;
mod layout;
mod room;
mod save;
mod simulation;
mod world_room;

use clearance_recording::{AnyPlayer, PlayerOptions};
use clearance_scene::{AnyScene, SceneKind, generate as generate_scene, read_scene};
use clearance_world::Clock;
use serde::Serialize;

use crate::failure::Failure;

pub(crate) use details::{ContactOf, SeparationDetails};
pub(crate) use frame::Frame;
pub(crate) use layout::{Drawn, Shapes};
pub(crate) use room::{Loaded, Room};
pub(crate) use world_room::{Hashes, WorldRoom};

/// The most bodies of a generated scene: what a page can hold.
const MOST_BODIES: usize = 1_000_000;

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
