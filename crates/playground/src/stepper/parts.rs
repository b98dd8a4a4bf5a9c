//! The convex parts that GJK looks at.

use clearance_gjk::{Placed, proximity};
use clearance_math::{Pose, Real};
use clearance_scene::{Pair, Side};
use clearance_shapes::{Composite, Convex, Shape};

use crate::dimension::Dimension;

/// Two convex shapes with their poses.
pub(crate) struct ConvexPair<V: Dimension> {
    pub(crate) a: ConvexSide<V>,
    pub(crate) b: ConvexSide<V>,
}

/// A convex shape with its pose.
pub(crate) struct ConvexSide<V: Dimension> {
    shape: Shape<V>,
    pub(crate) pose: Pose<V>,
}

impl<V: Dimension> ConvexSide<V> {
    pub(crate) fn placed(&self) -> Placed<'_, V> {
        Placed::new(&self.shape, &self.pose)
    }

    /// The shape itself; none for a half-space.
    pub(crate) fn convex(&self) -> Option<&Convex<V>> {
        match &self.shape {
            Shape::Convex(convex) => Some(convex),
            _ => None,
        }
    }
}

impl<V: Dimension> ConvexPair<V> {
    /// The sum of the rounding radii.
    pub(crate) fn radius(&self) -> f64 {
        let radius = |side: &ConvexSide<V>| side.convex().map_or(0.0, Convex::radius);
        radius(&self.a) + radius(&self.b)
    }
}

/// The shapes of a pair, or of composites the parts that are closest; `None` if there is no answer.
pub(crate) fn convex_parts<V: Dimension>(pair: &Pair<V>) -> Option<ConvexPair<V>> {
    let is_composite = |side: &Side<V>| matches!(side.shape, Shape::Composite(_));
    let (mut part_a, mut part_b) = (0, 0);
    if is_composite(&pair.a) || is_composite(&pair.b) {
        let [a, b] = [&pair.a, &pair.b].map(|side| Placed::new(&side.shape, &side.pose));
        let near = proximity(a, b, Real::INFINITY).ok()?.near()?;
        (part_a, part_b) = (near.part_a, near.part_b);
    }
    Some(ConvexPair {
        a: part_of(&pair.a, part_a)?,
        b: part_of(&pair.b, part_b)?,
    })
}

fn part_of<V: Dimension>(side: &Side<V>, number: u32) -> Option<ConvexSide<V>> {
    match &side.shape {
        Shape::Composite(composite) => part_of_composite(composite, number, side.pose),
        shape => Some(ConvexSide {
            shape: shape.clone(),
            pose: side.pose,
        }),
    }
}

/// The part with its pose in the world, rounded to single precision: what is shown of it may differ from what
/// was measured in the last bits.
fn part_of_composite<V: Dimension>(
    composite: &Composite<V>,
    number: u32,
    pose: Pose<V>,
) -> Option<ConvexSide<V>> {
    let part = composite.part(number)?;
    let pose = match part.pose {
        Some(in_composite) => {
            let rotation = V::rotation_of_matrix(&in_composite.rotation)?;
            pose * Pose::new(V::from_precise(in_composite.translation), rotation)
        }
        None => pose,
    };
    Some(ConvexSide {
        shape: part.shape.into_owned(),
        pose,
    })
}
