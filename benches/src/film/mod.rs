//! Recorded motion: the poses of a scene's moving bodies, frame by frame.
//!
//! A film is played once from its first frame to its last, never backwards and never twice in the
//! same world, since bodies that return to where they were are easier for a broad phase than bodies
//! of a game.

mod crowd;
mod frame_times;
mod pile;
mod player;
mod push_apart;
mod shaken_box;

pub use frame_times::FrameTimes;
pub use player::Player;

use std::error::Error;

use clearance_math::{Pose, Real, Vec2, Vec3};
use clearance_scene::{
    AnyScene, BodyKind, BodyShape, FileVector, RunOptions, Scene, SceneBody, SceneKind,
    SceneRunner, generate,
};
use clearance_shapes::{Shape, ShapeError};

/// Seconds from frame to frame.
const STEP: Real = 1.0 / 60.0;

/// The most frames of a generated scene, and the most poses that they may hold in memory.
const MOST_FRAMES: usize = 300;
const MOST_POSES: usize = 4_000_000;

/// The fewest frames of a generated scene, however many bodies move.
const FEWEST_FRAMES: usize = 32;

/// What a film shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilmKind {
    /// So many bodies of a generated scene, which move at constant velocities and through each
    /// other.
    Generated(SceneKind, usize),
    /// Bodies of many shapes that fall into a bin and push each other apart until they come to
    /// rest; in space.
    SettlingPile,
    /// Bodies in a closed box that is shaken, with pauses; in space.
    ShakenBox,
    /// People who walk between columns to goals that change, and avoid each other; in the plane.
    Crowd,
}

impl FilmKind {
    /// The films that are measured: generated scenes, then those that are simulated.
    pub const ALL: [Self; 16] = [
        Self::Generated(SceneKind::Balls, 10_000),
        Self::Generated(SceneKind::Mixed, 10_000),
        Self::Generated(SceneKind::Hulls, 3000),
        Self::Generated(SceneKind::Pile, 8000),
        Self::Generated(SceneKind::Sizes, 10_000),
        Self::Generated(SceneKind::City, 50_000),
        Self::Generated(SceneKind::Sparse, 100_000),
        Self::Generated(SceneKind::Terrain, 2000),
        Self::Generated(SceneKind::Level, 5000),
        Self::Generated(SceneKind::Voxels, 2000),
        Self::Generated(SceneKind::Balls2, 10_000),
        Self::Generated(SceneKind::Mixed2, 10_000),
        Self::Generated(SceneKind::Pile2, 10_000),
        Self::SettlingPile,
        Self::ShakenBox,
        Self::Crowd,
    ];

    /// Whether the film is made by simulation: bodies meet, and where they go depends on it.
    #[must_use]
    pub fn is_simulated(self) -> bool {
        !matches!(self, Self::Generated(..))
    }

    /// The name of the film, with the number of its bodies.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Self::Generated(kind, count) => format!("{kind}-{count}"),
            Self::SettlingPile => format!("settling-pile-{}", pile::COUNT),
            Self::ShakenBox => format!("shaken-box-{}", shaken_box::COUNT),
            Self::Crowd => format!("crowd2-{}", crowd::COUNT),
        }
    }

    /// How many bodies there are, without walls and columns.
    #[must_use]
    pub fn body_count(self) -> usize {
        match self {
            Self::Generated(_, count) => count,
            Self::SettlingPile => pile::COUNT,
            Self::ShakenBox => shaken_box::COUNT,
            Self::Crowd => crowd::COUNT,
        }
    }

    /// Whether the film is one of the plane.
    #[must_use]
    pub fn is_in_the_plane(self) -> bool {
        match self {
            Self::Generated(kind, _) => {
                matches!(
                    kind,
                    SceneKind::Balls2 | SceneKind::Mixed2 | SceneKind::Pile2 | SceneKind::Tiles2
                )
            }
            Self::SettlingPile | Self::ShakenBox => false,
            Self::Crowd => true,
        }
    }

    /// Records the film. Every recording has the same bits.
    ///
    /// # Errors
    /// A scene that the world refuses.
    pub fn record(self) -> Result<AnyFilm, Box<dyn Error>> {
        Ok(match self {
            Self::Generated(kind, count) => match generate(kind, count, 1) {
                AnyScene::Plane(scene) => AnyFilm::Plane(Film::of_scene(scene)?),
                AnyScene::Space(scene) => AnyFilm::Space(Film::of_scene(scene)?),
            },
            Self::SettlingPile => AnyFilm::Space(pile::record()?),
            Self::ShakenBox => AnyFilm::Space(shaken_box::record()?),
            Self::Crowd => AnyFilm::Plane(crowd::record()?),
        })
    }
}

/// A film of either dimension.
#[derive(Clone, Debug)]
pub enum AnyFilm {
    /// One of the plane.
    Plane(Film<Vec2>),
    /// One of space.
    Space(Film<Vec3>),
}

/// A scene and the poses of its moving bodies, frame by frame.
#[derive(Clone, Debug)]
pub struct Film<V: FileVector> {
    scene: Scene<V>,
    movers: Vec<u32>,
    frames: Vec<Vec<Pose<V>>>,
}

impl<V: FileVector> Film<V> {
    /// A film without frames.
    fn new(scene: Scene<V>) -> Self {
        let numbered = (0..).zip(&scene.bodies);
        let moving = numbered.filter(|(_, body)| body.kind == BodyKind::Moving);
        Self {
            movers: moving.map(|(number, _)| number).collect(),
            scene,
            frames: Vec::new(),
        }
    }

    /// A film that was made elsewhere: for each frame the poses of the moving bodies, in their order in the scene.
    #[must_use]
    pub fn of_frames(scene: Scene<V>, frames: Vec<Vec<Pose<V>>>) -> Self {
        Self {
            frames,
            ..Self::new(scene)
        }
    }

    /// Records a generated scene.
    fn of_scene(scene: Scene<V>) -> Result<Self, Box<dyn Error>> {
        let mut film = Self::new(scene);
        let mut runner = SceneRunner::new(&film.scene, RunOptions::default())?;
        let most = MOST_POSES / film.movers.len().max(1);
        for _ in 0..most.clamp(FEWEST_FRAMES, MOST_FRAMES) {
            runner.step(STEP)?;
            let bodies = runner.world().bodies();
            let poses: Vec<_> = bodies.map(|body| *body.pose()).collect();
            film.add_frame(&poses);
        }
        Ok(film)
    }

    /// Adds a frame, given the poses of all bodies.
    fn add_frame(&mut self, poses: &[Pose<V>]) {
        let moving = self.movers.iter().map(|&number| poses[number as usize]);
        self.frames.push(moving.collect());
    }

    /// The scene as it was before the first frame.
    #[must_use]
    pub fn scene(&self) -> &Scene<V> {
        &self.scene
    }

    /// The numbers of the bodies that move, ascending.
    #[must_use]
    pub fn movers(&self) -> &[u32] {
        &self.movers
    }

    /// The poses of the moving bodies, frame by frame.
    #[must_use]
    pub fn frames(&self) -> &[Vec<Pose<V>>] {
        &self.frames
    }
}

/// A scene without bodies that reflects nothing.
#[must_use]
pub fn empty_scene<V: FileVector>(margin: Real) -> Scene<V> {
    Scene {
        margin,
        bounds: None,
        shapes: std::collections::BTreeMap::new(),
        bodies: Vec::new(),
        ignored_pairs: Vec::new(),
    }
}

/// A shape, or why there is none.
type Built<V> = Result<Shape<V>, ShapeError>;

/// A body with a shape of its own.
fn body<V: FileVector>(
    shape: Built<V>,
    pose: Pose<V>,
    kind: BodyKind,
) -> Result<SceneBody<V>, Box<dyn Error>> {
    let mut body = SceneBody::new(BodyShape::Own(Box::new(shape?)), pose);
    body.kind = kind;
    Ok(body)
}
