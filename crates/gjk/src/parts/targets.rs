//! Shapes that are no composites, beside the boxes and triangles of one.

use clearance_math::internal::MapEach;
use clearance_math::{
    Aabb, DVec3, Matrix, PreciseVector, Real, RelativePose, Vector, round_nearest, round_up,
};
use clearance_shapes::{Convex, Core, HalfSpace, Support, TriangleGroup};
use clearance_tree::{Node, lanes};
use glam::Vec4;

use super::four_triangles::distances_from_point;
use super::gap::{BoxMap, FourBoxes, components};
use super::nearest_first::Target;
use crate::pair::KeptFrames;

/// A convex shape in a's frame.
pub(super) struct ConvexTarget<'a, V: Vector> {
    convex: &'a Convex<V>,
    b_in_a: &'a RelativePose<V::Precise>,
    /// The box of the shape, or of its centre if it is a ball.
    boxes: FourBoxes,
    /// What the shape extends beyond that box: the radius of a ball.
    radius: Real,
    /// The box of the shape in its own frame, which is tighter if the shape is a turned box.
    own_boxes: FourBoxes,
    a_in_b: BoxMap,
    /// The centre, in space, and the radius, if the shape is a ball.
    ball: Option<(DVec3, f64)>,
    /// Whether the triangles that are near by their boxes are measured four at a time, which takes hardly longer than a look at
    /// their planes.
    is_cuboid: bool,
}

impl<'a, V: Vector> ConvexTarget<'a, V> {
    pub(super) fn new(convex: &'a Convex<V>, frames: &'a KeptFrames<V::Precise>) -> Self {
        let b_in_a = &frames.b_in_a;
        let ball = match convex.core() {
            Core::Point(center) => {
                let center = b_in_a.transform_point(center.to_precise()).in_space();
                Some((center, convex.radius()))
            }
            _ => None,
        };
        // The distance from a centre says more than that from the box of a ball.
        let boxes = match ball {
            Some((center, _)) => {
                let center = V::from_precise(V::Precise::from_space(center));
                FourBoxes::of_box(&Aabb::new(center, center))
            }
            None => FourBoxes::of_box(&convex.bounds_at(b_in_a, 0.0)),
        };
        Self {
            convex,
            b_in_a,
            boxes,
            radius: ball.map_or(0.0, |(_, radius)| round_up(radius)),
            own_boxes: FourBoxes::of_box(&convex.bounds_at(&RelativePose::identity(), 0.0)),
            a_in_b: BoxMap::new::<V>(&frames.a_in_b),
            ball,
            is_cuboid: matches!(convex.core(), Core::Cuboid(_)),
        }
    }

    /// How far the shape lies on one side of a triangle: the gap along the normal of the triangle, to the
    /// side where it is wider; up to rounding.
    fn gap_beside_plane(&self, corners: [DVec3; 3]) -> f64 {
        let [a, b, c] = corners;
        let Some(normal) = (b - a).cross(c - a).try_normalize() else {
            return f64::NEG_INFINITY;
        };
        let heights = corners.map_each(|corner| corner.dot(normal));
        let least = heights[0].min(heights[1]).min(heights[2]);
        let greatest = heights[0].max(heights[1]).max(heights[2]);
        let reach = |direction: DVec3| {
            let direction = V::Precise::from_space(direction);
            let in_b = self.b_in_a.inverse_transform_direction(direction);
            let farthest = self.convex.core().support(in_b);
            self.b_in_a.transform_point(farthest).dot(direction) + self.convex.radius()
        };
        let in_front = -reach(-normal) - greatest;
        let behind = least - reach(normal);
        in_front.max(behind)
    }
}

impl<V: Vector> Target<V> for ConvexTarget<'_, V> {
    #[inline]
    fn gaps(&self, node: &Node) -> Vec4 {
        FourBoxes::of_node(node).gaps::<V>(&self.boxes) - Vec4::splat(self.radius)
    }

    fn corners(&self) -> Option<[[Real; 3]; 2]> {
        let [low, high] =
            [self.boxes.low, self.boxes.high].map_each(|corner| corner.map_each(|axis| axis.x));
        let radius = self.radius;
        Some([
            low.map_each(|low| low - radius),
            high.map_each(|high| high + radius),
        ])
    }

    #[inline]
    fn gaps_of_triangles(&self, group: &TriangleGroup, limit: Real) -> Vec4 {
        if let Some((center, radius)) = self.ball {
            return distances_from_point(group, center) - Vec4::splat(round_nearest(radius));
        }
        let in_b = self.a_in_b.map_triangles(group);
        let mut gaps = self
            .gaps(&group.node())
            .max(in_b.gaps::<V>(&self.own_boxes));
        if self.is_cuboid {
            return gaps;
        }
        let near = gaps.cmple(Vec4::splat(limit)).bitmask() & group.occupied_lanes();
        for lane in lanes(near) {
            let corners = group.corners_of::<V>(lane);
            let beside =
                self.gap_beside_plane(corners.map_each(|corner| corner.to_precise().in_space()));
            gaps[lane] = gaps[lane].max(round_nearest(beside));
        }
        gaps
    }
}

/// Below a plane of a's frame.
pub(crate) struct Below {
    normal: [Real; 3],
    offset: Real,
}

impl Below {
    pub(crate) fn new<V: Vector>(
        half_space: &HalfSpace<V>,
        b_in_a: &RelativePose<V::Precise>,
    ) -> Self {
        let along = b_in_a.rotation.apply(half_space.normal());
        let offset = half_space.offset() + along.dot(b_in_a.translation);
        Self {
            normal: components(along),
            offset: offset as Real,
        }
    }
}

impl<V: Vector> Target<V> for Below {
    /// The signed distance of the lowest corner of each box from the plane.
    fn gaps(&self, node: &Node) -> Vec4 {
        let mut height = Vec4::splat(-self.offset);
        for k in 0..V::DIM {
            let toward = if self.normal[k] > 0.0 {
                node.low[k]
            } else {
                node.high[k]
            };
            // Empty lanes are infinite, which a normal without this component must not see.
            if self.normal[k] != 0.0 {
                height += toward * self.normal[k];
            }
        }
        height
    }
}
