//! Questions to a scene, and their answers.

mod answer;
mod question;
mod read;

use clearance_world::World;

use crate::question_line::{OF_SCENES, QuestionLine};
use crate::{FileVector, MeshFiles};

pub use answer::{SceneAnswer, SceneHits};
pub use question::{AskedBodies, Hits, Looker, SceneAsk, SceneQuestion};

/// A line with a question to a scene: its id, and its question or what is wrong with it.
///
/// ```
/// use clearance_scene::{MeshFiles, RunOptions, SceneKind, SceneLine, SceneRunner, generate};
///
/// let scene = generate(SceneKind::Balls2, 50, 1).into_plane().unwrap();
/// let runner = SceneRunner::new(&scene, RunOptions::default())?;
/// let text = br#"{"id": "near", "ask": "nearest", "point": [0, 0], "count": 3}"#;
/// let line = SceneLine::read(text, &MeshFiles::none(), runner.world().len());
/// let answer = line.answer(runner.world());
/// assert!(answer.to_string().starts_with(r#"{"id":"near","hits":[{"body":"#));
/// # Ok::<(), clearance_scene::RunError>(())
/// ```
pub type SceneLine<V> = QuestionLine<SceneQuestion<V>>;

impl<V: FileVector> SceneLine<V> {
    /// Reads one line, with or without its end, that asks a scene of `bodies` bodies. Meshes that are
    /// named by their paths are taken from `files`.
    #[must_use]
    pub fn read(line: &[u8], files: &MeshFiles, bodies: usize) -> Self {
        Self::read_with(line, &OF_SCENES, files, |ask, fields| {
            read::read_question(ask, fields, bodies)
        })
    }

    /// Answers the question for the bodies of a world, which are numbered by their places in the scene.
    #[must_use]
    pub fn answer(self, world: &World<V>) -> SceneAnswer<V> {
        let outcome = match self.question {
            Ok(question) => question.answer(world).map_err(|error| error.to_string()),
            Err(problems) => Err(problems.to_string()),
        };
        SceneAnswer {
            id: self.id,
            line: None,
            outcome,
        }
    }
}
