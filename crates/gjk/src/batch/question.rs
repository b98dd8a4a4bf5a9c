//! What is asked about one of many pairs.

use clearance_math::{Real, Vector};

use crate::pairs::polytope_polytope::Hint;
use crate::placed::Placed;

/// Two placed shapes and the range in which their distance is wanted.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a, V: Vector> {
    /// The first shape.
    pub a: Placed<'a, V>,
    /// The second shape.
    pub b: Placed<'a, V>,
    /// The range in units of length, as for [`measure`](crate::measure).
    pub within: Real,
}

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
