//! A shape at a pose, with the definition that the engine's answers are compared with.

use core::fmt;

use clearance_gjk::Placed;
use clearance_math::{Matrix, Pose, Real, Rotation};
use clearance_shapes::Shape;

use crate::bytes::Bytes;
use crate::dimension::Dimension;
use crate::form::Form;

/// A shape at a pose.
#[derive(Clone)]
pub(crate) struct Body<V: Dimension> {
    pub(crate) form: Form<V>,
    pub(crate) shape: Shape<V>,
    pub(crate) pose: Pose<V>,
}

/// Shows what the body was made of, so that a message is enough to make it again.
impl<V: Dimension> fmt::Debug for Body<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} at {:?}", self.form, self.pose)
    }
}

impl<V: Dimension> Body<V> {
    /// A body of any shape at any rotation, or `None` if the shape is refused.
    pub(crate) fn decode(bytes: &mut Bytes, scale: Real) -> Option<Self> {
        let form = Form::decode(bytes, scale);
        let shape = form.build()?;
        let pose = Pose::new(V::ZERO, V::rotation(bytes));
        Some(Self { form, shape, pose })
    }

    pub(crate) fn placed(&self) -> Placed<'_, V> {
        Placed::new(&self.shape, &self.pose)
    }

    /// The point farthest along a unit direction of the world, seen from the origin of the body.
    pub(crate) fn support(&self, unit: V::Precise) -> V::Precise {
        let turn = self.pose.rotation.matrix();
        turn.apply(self.form.support(turn.apply_transposed(unit)))
    }

    /// The normal of a half-space in the world, and how far its boundary is from its origin.
    pub(crate) fn plane(&self) -> Option<(V::Precise, f64)> {
        let (normal, offset) = self.form.plane()?;
        Some((self.pose.rotation.matrix().apply(normal), offset))
    }

    /// The image of axis `index` in the world.
    pub(crate) fn axis(&self, index: usize) -> V::Precise {
        self.pose.rotation.matrix().column(index)
    }
}

/// How far b's origin is from a's.
pub(crate) fn apart<V: Dimension>(a: &Body<V>, b: &Body<V>) -> V::Precise {
    b.pose.position() - a.pose.position()
}
