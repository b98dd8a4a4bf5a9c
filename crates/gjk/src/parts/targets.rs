//! Shapes that are no composites, beside the boxes and triangles of one.

use clearance_math::internal::MapEach;
use clearance_math::{
    Aabb, DVec3, Matrix, PreciseVector, Real, RelativePose, Vector, round_nearest, round_up,
};
use clearance_shapes::{Convex, Core, HalfSpace, Support, TriangleGroup};
use clearance_tree::{Node, lanes};
use glam::{BVec4A, Vec4};

use super::four_triangles::distances_from_point;
use super::gap::{BoxMap, FourBoxes, components, root};
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
    cuboid: Option<CuboidInSpace>,
}

/// A cuboid in space in a's frame, in single precision.
#[derive(Clone, Copy, Debug)]
struct CuboidInSpace {
    center: [Real; 3],
    /// From the centre to the middles of three sides.
    half_axes: [[Real; 3]; 3],
    radius: Real,
}

/// Lower bounds for some of four triangles.
#[derive(Clone, Copy, Debug)]
struct GapsOfSome {
    gaps: Vec4,
    known: BVec4A,
}

impl CuboidInSpace {
    fn new<V: Vector>(convex: &Convex<V>, b_in_a: &RelativePose<V::Precise>) -> Option<Self> {
        let Core::Cuboid(cuboid) = convex.core() else {
            return None;
        };
        if const { V::DIM != 3 } {
            return None;
        }
        let half_axis = |k: usize| {
            let half = f64::from(cuboid.half_extents.component(k));
            components(b_in_a.transform_direction(V::Precise::axis(k) * half))
        };
        Some(Self {
            center: components(b_in_a.translation),
            half_axes: [half_axis(0), half_axis(1), half_axis(2)],
            radius: round_up(convex.radius()),
        })
    }

    /// How far the cuboid lies on one side of each triangle: [`ConvexTarget::gap_beside_plane`] in single
    /// precision.
    ///
    /// The extents of both along any direction prove a gap. So it does not matter how precise the normals are;
    /// they only must not be so short or long that their squares are not, nor the cuboid so far away that heights
    /// are not.
    #[inline]
    fn gaps_beside_planes(&self, group: &TriangleGroup) -> GapsOfSome {
        let [mut a, mut b, mut c] = group.corners;
        for k in 0..3 {
            let center = Vec4::splat(self.center[k]);
            (a[k], b[k], c[k]) = (a[k] - center, b[k] - center, c[k] - center);
        }
        let (ab, ac) = (difference(&b, &a), difference(&c, &a));
        let normal = [
            ab[1] * ac[2] - ab[2] * ac[1],
            ab[2] * ac[0] - ab[0] * ac[2],
            ab[0] * ac[1] - ab[1] * ac[0],
        ];
        let heights = [dot(&a, &normal), dot(&b, &normal), dot(&c, &normal)];
        let least = heights[0].min(heights[1]).min(heights[2]);
        let greatest = heights[0].max(heights[1]).max(heights[2]);
        let mut reach = Vec4::ZERO;
        for axis in &self.half_axes {
            let along = normal[0] * axis[0] + normal[1] * axis[1] + normal[2] * axis[2];
            reach += along.abs();
        }
        let squared = dot(&normal, &normal);
        let wider = (least - reach).max(-greatest - reach);
        GapsOfSome {
            gaps: wider / root(squared) - Vec4::splat(self.radius),
            known: squared.cmpgt(Vec4::splat(1e-30))
                & squared.cmplt(Vec4::splat(1e30))
                & wider.abs().cmplt(Vec4::splat(Real::MAX)),
        }
    }
}

#[inline(always)]
fn difference(a: &[Vec4; 3], b: &[Vec4; 3]) -> [Vec4; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
fn dot(a: &[Vec4; 3], b: &[Vec4; 3]) -> Vec4 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
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
            cuboid: CuboidInSpace::new(convex, b_in_a),
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
        let mut near = gaps.cmple(Vec4::splat(limit)).bitmask() & group.occupied_lanes();
        if near == 0 {
            return gaps;
        }
        if let Some(cuboid) = &self.cuboid {
            let beside = cuboid.gaps_beside_planes(group);
            gaps = Vec4::select(beside.known, gaps.max(beside.gaps), gaps);
            near &= !beside.known.bitmask();
        }
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
