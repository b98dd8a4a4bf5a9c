//! One side of a batch: shapes, which of them each question is about, and poses.

use clearance::gjk::Placed;
use clearance::math::Pose;
use clearance::shapes::Shape;
use pyo3::PyResult;

use crate::batch::expect_rows;
use crate::poses::Numbers;
use crate::problem::{RowProblem, refused};
use crate::space::Space;
use crate::workers::{Load, Workers};

/// One side as it was given.
pub(crate) struct GivenSide<'a, V: Space> {
    pub(crate) shapes: Vec<Shape<V>>,
    /// Which shape each question is about; `None` for the only one, or each in turn.
    pub(crate) index: Option<&'a [u32]>,
    pub(crate) poses: Numbers<'a>,
    /// How long questions may search.
    pub(crate) effort: u32,
}

/// How much there is to do for questions about some sides.
pub(crate) fn load<V: Space>(rows: usize, sides: &[&GivenSide<'_, V>]) -> Load {
    let is_composite = |shape: &Shape<V>| matches!(shape, Shape::Composite(_));
    let has_parts = |side: &&GivenSide<'_, V>| side.shapes.iter().any(is_composite);
    Load {
        rows,
        has_parts: sides.iter().any(has_parts),
    }
}

/// One side of each question.
pub(crate) struct Side<'a, V: Space> {
    shapes: Vec<Shape<V>>,
    index: Option<&'a [u32]>,
    poses: Vec<Pose<V>>,
    effort: u32,
}

impl<'a, V: Space> GivenSide<'a, V> {
    /// The side of `count` questions. One pose stands for all, and so does one shape.
    pub(crate) fn read(self, count: usize, workers: &Workers) -> PyResult<Side<'a, V>> {
        let Self {
            shapes,
            index,
            poses,
            effort,
        } = self;
        let argument = poses.argument;
        expect_rows(&poses, count)?;
        let shape_count = index.map_or(shapes.len(), <[u32]>::len);
        if shape_count != 1 && shape_count != count {
            return Err(refused(format!(
                "the shapes at {argument}: are {shape_count}, must be 1 or {count}"
            )));
        }
        let too_large = |&(_, number): &(usize, &u32)| *number as usize >= shapes.len();
        let problem = index.and_then(|index| index.iter().enumerate().find(too_large));
        if let Some((row, number)) = problem {
            let text = format!("is {number}, must be less than {}", shapes.len());
            return Err(RowProblem::new(row, text).of(&format!("the shapes at {argument}: index")));
        }
        let poses = poses.poses(workers)?;
        Ok(Side {
            shapes,
            index,
            poses,
            effort,
        })
    }
}

impl<V: Space> Side<'_, V> {
    /// What all questions are about, if it is one shape at one pose.
    pub(crate) fn only(&self) -> Option<Placed<'_, V>> {
        let lengths = [
            self.index.map_or(self.shapes.len(), <[u32]>::len),
            self.poses.len(),
        ];
        (lengths == [1; 2]).then(|| self.placed(0))
    }

    /// The side of question `row`.
    #[inline]
    pub(crate) fn placed(&self, row: usize) -> Placed<'_, V> {
        let shape = match self.index {
            Some(index) => index[row.min(index.len() - 1)] as usize,
            None => row.min(self.shapes.len() - 1),
        };
        let pose = row.min(self.poses.len() - 1);
        Placed::new(&self.shapes[shape], &self.poses[pose]).with_effort(self.effort)
    }
}
