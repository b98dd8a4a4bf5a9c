//! Questions that know where to begin.

use clearance_math::Vector;

use super::closed_forms::polytope_polytope::Hint;
use crate::pair::Question;

/// A question about a part of each of two placed shapes. A shape that is no composite is its own part, whatever the
/// number.
#[derive(Clone, Copy, Debug)]
pub struct PartQuestion<'a, V: Vector> {
    /// The shapes, and how far apart they may be.
    pub question: Question<'a, V>,
    /// The numbers of the parts.
    pub parts: [u32; 2],
    /// What was nearest of two convex shapes when they were last measured; it does not change the answer.
    pub hint: Option<Hint<'a>>,
}

impl<'a, V: Vector> PartQuestion<'a, V> {
    /// The question about whole shapes.
    #[inline]
    pub(crate) fn hinted(&self) -> Hinted<'a, V> {
        Hinted {
            question: self.question,
            hint: self.hint,
        }
    }
}

/// A question and where to begin.
#[derive(Clone, Copy, Debug)]
pub struct Hinted<'a, V: Vector> {
    /// What is asked.
    pub question: Question<'a, V>,
    /// What was nearest when the pair was last measured; it does not change the answer.
    pub hint: Option<Hint<'a>>,
}
