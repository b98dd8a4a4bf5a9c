//! The poses of two shapes, as the methods need them.

use clearance_math::{Pose, PreciseVector, RelativePose, Vector};

use super::exchange::Exchange;

/// The poses of a and b in the world and in each other's frame.
pub(crate) trait Frames<P: PreciseVector> {
    /// The pose of a in the world, and that of b in a's frame.
    fn of_a(&self) -> (RelativePose<P>, RelativePose<P>);

    /// The pose of a in the world.
    fn a_in_world(&self) -> RelativePose<P>;

    /// The pose of b in the world.
    fn b_in_world(&self) -> RelativePose<P>;
}

/// Frames that are computed when they are asked for: for a single pair.
pub(crate) struct FramesOf<'a, V: Vector> {
    pub(crate) a: &'a Pose<V>,
    pub(crate) b: &'a Pose<V>,
}

impl<V: Vector> Frames<V::Precise> for FramesOf<'_, V> {
    #[inline]
    fn of_a(&self) -> (RelativePose<V::Precise>, RelativePose<V::Precise>) {
        let a_in_world = RelativePose::from_pose(self.a);
        let b_in_a = a_in_world.of(self.b);
        (a_in_world, b_in_a)
    }

    #[inline]
    fn a_in_world(&self) -> RelativePose<V::Precise> {
        RelativePose::from_pose(self.a)
    }

    #[inline]
    fn b_in_world(&self) -> RelativePose<V::Precise> {
        RelativePose::from_pose(self.b)
    }
}

/// Frames that are computed once: for many pairs of parts of the same two bodies. They have the bits of
/// those of [`FramesOf`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct KeptFrames<P: PreciseVector> {
    pub(crate) a_in_world: RelativePose<P>,
    pub(crate) b_in_world: RelativePose<P>,
    pub(crate) b_in_a: RelativePose<P>,
    pub(crate) a_in_b: RelativePose<P>,
}

/// Frames that are kept elsewhere, of two bodies of which either may be a.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyFrames<'f, P: PreciseVector> {
    pub(crate) a_in_world: &'f RelativePose<P>,
    pub(crate) b_in_world: &'f RelativePose<P>,
    pub(crate) b_in_a: &'f RelativePose<P>,
}

impl<P: PreciseVector> KeptFrames<P> {
    pub(crate) fn new<V: Vector<Precise = P>>(a: &Pose<V>, b: &Pose<V>) -> Self {
        let (a_in_world, b_in_a) = FramesOf { a, b }.of_a();
        let (b_in_world, a_in_b) = FramesOf { a: b, b: a }.of_a();
        Self {
            a_in_world,
            b_in_world,
            b_in_a,
            a_in_b,
        }
    }

    /// The frames of the bodies in canonical order.
    #[inline]
    pub(crate) fn in_order(&self, exchange: Exchange) -> BodyFrames<'_, P> {
        let [a_in_world, b_in_world] = exchange.sides([&self.a_in_world, &self.b_in_world]);
        let [b_in_a, _] = exchange.sides([&self.b_in_a, &self.a_in_b]);
        BodyFrames {
            a_in_world,
            b_in_world,
            b_in_a,
        }
    }
}

impl<P: PreciseVector> Frames<P> for BodyFrames<'_, P> {
    #[inline]
    fn of_a(&self) -> (RelativePose<P>, RelativePose<P>) {
        (*self.a_in_world, *self.b_in_a)
    }

    #[inline]
    fn a_in_world(&self) -> RelativePose<P> {
        *self.a_in_world
    }

    #[inline]
    fn b_in_world(&self) -> RelativePose<P> {
        *self.b_in_world
    }
}
