//! Files of the Clearance collision engine: shapes, pairs and scenes, read strictly; and
//! generators of scenes, shared by examples, benchmarks and tests.

mod contact_line;
mod decimal;
mod file_vector;
mod generate;
mod json;
mod pair;
mod percentiles;
mod problem;
mod read;
mod report;
mod runner;
mod scene;
mod shape_record;
mod write;

pub use contact_line::ContactLine;
pub use file_vector::{FileVector, Numbers};
pub use generate::{SceneKind, UnknownSceneKind, generate};
pub use pair::{AnyPair, Pair, PairAnswer, PairLine, PairOutcome, answer_line, status_name};
pub use percentiles::Percentiles;
pub use problem::{Problem, Problems};
pub use read::read_scene;
pub use report::{Recorder, Report};
pub use runner::{RunError, RunOptions, SceneRunner};
pub use scene::{AnyScene, BodyKind, BodyShape, Scene, SceneBody, SceneVelocity};
pub use shape_record::{SceneShape, ShapeRecord};
