//! The lines of pair files: questions, and their answers.

mod answer;
mod line;
mod question;
mod read;
mod write;

use crate::MeshFiles;
use crate::question_line::{OF_PAIRS, QuestionLine};

pub use answer::{Answer, PairAnswer, PairOutcome};
pub use question::{AnyQuestion, Motions, Pair, Question};
pub use write::status_name;
pub(crate) use write::{write_cast_hit, write_distance, write_hit, write_met, write_point};

/// A line of a pair file: its id, and its question or what is wrong with it.
///
/// The question of a line that does not say is `distance`.
pub type PairLine = QuestionLine<AnyQuestion>;

impl PairLine {
    /// Reads one line, with or without its end. Meshes that are named by their paths are taken from
    /// `files`.
    #[must_use]
    pub fn read(line: &[u8], files: &MeshFiles) -> Self {
        Self::read_with(line, &OF_PAIRS, files, read::read_question)
    }

    /// Answers the question.
    #[must_use]
    pub fn answer(self) -> PairAnswer {
        let outcome = match self.question {
            Ok(AnyQuestion::Plane(question)) => question.answer().map(PairOutcome::Plane),
            Ok(AnyQuestion::Space(question)) => question.answer().map(PairOutcome::Space),
            Err(problems) => Err(problems.to_string()),
        };
        PairAnswer {
            id: self.id,
            line: None,
            outcome: outcome.unwrap_or_else(PairOutcome::Refused),
        }
    }
}

/// Answers one line of a pair file. No other file is read: a mesh that is named by its path is
/// refused.
///
/// ```
/// let line = r#"{"id": "t1", "dimension": 3, "a": {"shape": {"type": "ball"}}}"#;
/// let answer = clearance_scene::answer_line(line.as_bytes());
/// assert!(answer.is_refused());
/// assert_eq!(
///     answer.to_string(),
///     r#"{"id":"t1","error":"a.shape.radius: missing"}"#
/// );
/// ```
#[must_use]
pub fn answer_line(line: &[u8]) -> PairAnswer {
    PairLine::read(line, &MeshFiles::none()).answer()
}
