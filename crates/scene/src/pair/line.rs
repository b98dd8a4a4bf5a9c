//! Writes questions as lines of pair files.

use serde::{Serialize, Serializer, ser::SerializeMap};

use super::question::Pair;
use crate::question_line::Side;
use crate::write::PoseInFile;
use crate::{FileVector, ShapeRecord};

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
        let line = Line {
            dimension: V::DIM,
            a: SideInFile::of(&self.a)?,
            b: SideInFile::of(&self.b)?,
        };
        serde_json::to_string(&line).ok()
    }
}

#[derive(Serialize)]
#[serde(bound = "")]
struct Line<V: FileVector> {
    dimension: usize,
    a: SideInFile<V>,
    b: SideInFile<V>,
}

struct SideInFile<V: FileVector> {
    shape: ShapeRecord<V>,
    pose: PoseInFile<V>,
}

impl<V: FileVector> SideInFile<V> {
    fn of(side: &Side<V>) -> Option<Self> {
        Some(Self {
            shape: ShapeRecord::of(&side.shape)?,
            pose: PoseInFile(side.pose),
        })
    }
}

impl<V: FileVector> Serialize for SideInFile<V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("shape", &self.shape)?;
        map.serialize_entry("pose", &self.pose)?;
        map.end()
    }
}
