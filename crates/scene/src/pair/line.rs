//! Writes questions as lines of pair files.

use serde::Serialize;

use super::question::Pair;
use crate::shape_in_file::PlacedInFile;
use crate::{FileVector, ShapeInFile};

impl<V: FileVector> Pair<V> {
    /// The line of a pair file, without its end, that asks for the distance of these shapes; `None` if one of
    /// them is a shape of your own.
    ///
    /// A rotation in the plane is written as an angle, so that it may come back with another last bit.
    ///
    /// ```
    /// use clearance_math::{Pose, Vec3};
    /// use clearance_scene::{Pair, Side, answer_line};
    /// use clearance_shapes::Shape;
    ///
    /// let ball = |x| -> Result<_, clearance_shapes::ShapeError> {
    ///     Ok(Side::<Vec3> { shape: Shape::ball(0.5)?, pose: Pose::from_translation(Vec3::X * x) })
    /// };
    /// let line = Pair { a: ball(0.0)?, b: ball(3.0)? }.to_line().unwrap();
    /// assert!(answer_line(line.as_bytes()).to_string().contains(r#""distance":2.0"#));
    /// # Ok::<(), clearance_shapes::ShapeError>(())
    /// ```
    #[must_use]
    pub fn to_line(&self) -> Option<String> {
        ShapeInFile::of(&self.a.shape).and(ShapeInFile::of(&self.b.shape))?;
        let line = Line {
            dimension: V::DIM,
            a: PlacedInFile::new(&self.a.shape, self.a.pose),
            b: PlacedInFile::new(&self.b.shape, self.b.pose),
        };
        serde_json::to_string(&line).ok()
    }
}

#[derive(Serialize)]
#[serde(bound = "")]
struct Line<'s, V: FileVector> {
    dimension: usize,
    a: PlacedInFile<'s, V>,
    b: PlacedInFile<'s, V>,
}
