//! Reads and writes the shape, pair and scene files of the Clearance collision engine, and
//! generates scenes for examples, benchmarks and tests.
//!
//! [`read_scene`] and [`answer_line`] refuse files with anything unknown or invalid in them and name
//! the field. [`generate`] makes scenes, [`SceneRunner`] steps them, [`Recorder`] measures what the
//! frames cost. [`SceneLine`] reads questions to a scene and answers them. [`MeshFiles`] reads the OBJ
//! and STL files that shapes name. `docs/file-formats.md` in the source code describes the formats.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod ask;
mod contact_line;
mod decimal;
mod file_vector;
mod generate;
mod json;
mod mesh_files;
mod pair;
mod percentiles;
mod problem;
mod question_line;
mod read;
mod report;
mod runner;
mod scene;
mod shape_error;
mod shape_in_file;
mod write;

pub use ask::{
    AskedBodies, Hits, Looker, SceneAnswer, SceneAsk, SceneHits, SceneLine, SceneQuestion,
};
pub use clearance_world::BodyKind;
pub use contact_line::ContactLine;
pub use file_vector::{FileVector, Numbers};
pub use generate::{SceneKind, UnknownSceneKind, generate};
pub use mesh_files::{MOST_MESH_BYTES, MeshFile, MeshFiles, MeshPart, MeshParts, Welding};
pub use pair::{
    Answer, AnyQuestion, Motions, Pair, PairAnswer, PairLine, PairOutcome, Question, answer_line,
    status_name,
};
pub use percentiles::Percentiles;
pub use problem::{Problem, Problems};
pub use question_line::{AimedRay, QuestionLine, Side};
pub use read::{read_scene, read_scene_with_files, read_shape_text};
pub use report::{Recorder, Report};
pub use runner::{RunError, RunOptions, SceneRunner};
pub use scene::{AnyScene, BodyShape, Scene, SceneBody, SceneBounds};
pub use shape_in_file::ShapeInFile;
