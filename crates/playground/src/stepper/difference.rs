//! The Minkowski difference as triangles and edges.

use clearance_gjk::minkowski_difference;
use clearance_math::{PreciseVector, RelativePose, Vec3, Vector};
use clearance_render::{Tessellation, tessellate};
use clearance_shapes::{Convex, CustomShape, Shape, Support};

use super::parts::ConvexPair;
use crate::dimension::{Dimension, vector};

/// The difference of the cores in the axes of the world; none for a half-space, which has no end.
pub(super) fn difference<V: Dimension>(pair: &ConvexPair<V>) -> Option<Tessellation> {
    let (a, b) = (pair.a.convex()?, pair.b.convex()?);
    let b_in_a = RelativePose::between(&pair.a.pose, &pair.b.pose);
    let shape = match minkowski_difference(a, b, &b_in_a) {
        Some(hull) => Shape::hull(hull.vertices()).ok()?,
        None => Shape::custom(Curved::<V> {
            a: a.clone(),
            b: b.clone(),
            b_in_a,
        })
        .ok()?,
    };
    let mut drawing = tessellate(&shape);
    let to_world = RelativePose::from_pose(&pair.a.pose);
    for vertex in &mut drawing.vertices {
        let local: V = vector(vertex.to_array());
        *vertex = in_space(to_world.transform_direction(local.to_precise()));
    }
    Some(drawing)
}

/// The difference of two cores of which one is curved, in a's frame.
#[derive(Debug)]
struct Curved<V: Vector> {
    a: Convex<V>,
    b: Convex<V>,
    b_in_a: RelativePose<V::Precise>,
}

impl<V: Vector> Support<V::Precise> for Curved<V> {
    fn support(&self, direction: V::Precise) -> V::Precise {
        let into_b = self.b_in_a.inverse_transform_direction(-direction);
        let on_b = self.b_in_a.transform_point(self.b.core().support(into_b));
        self.a.core().support(direction) - on_b
    }

    fn center(&self) -> V::Precise {
        self.a.core_center() - self.b_in_a.transform_point(self.b.core_center())
    }

    fn bounding_radius(&self) -> f64 {
        self.center().length() + self.a.core_bounding_radius() + self.b.core_bounding_radius()
    }
}

/// Nothing compares this shape with another.
impl<V: Vector> CustomShape<V::Precise> for Curved<V> {
    fn key(&self) -> [u32; 8] {
        [0; 8]
    }
}

/// A point of the plane or space as a vertex that is drawn.
pub(super) fn in_space<P: PreciseVector>(point: P) -> Vec3 {
    point.in_space().as_vec3()
}
