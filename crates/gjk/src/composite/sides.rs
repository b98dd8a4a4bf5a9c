//! Two placed shapes, the first of which is a composite, and how far apart their boxes are.

use clearance_math::{
    Aabb, DVec3, Matrix, Pose, PreciseVector, Real, RelativePose, Vector, round_down,
    round_nearest, round_up, tolerances,
};
use clearance_shapes::{
    Composite, CompositeKind, Convex, Core, HalfSpace, Shape, Support, TriangleGroup,
};
use clearance_tree::{Node, lanes};
use glam::Vec4;

use super::axis::Axis;
use super::ball::Ball;
use super::four_triangles::distances_from_point;
use super::gap::{BoxMap, BoxMaps, FourBoxes, ROUNDING, bounding_radius, rounding};
use super::nearest_first::{PartPair, Target, Visitor, tree_with_one, tree_with_tree};
use super::part_pair::{self, PlacedPart};
use super::wide::{self, BallInMesh};
use crate::answer::{Proximity, Separation};
use crate::frames::KeptFrames;
use crate::placed::Placed;

/// A placed composite and another placed shape.
pub(super) struct Sides<'a, V: Vector> {
    a: Placed<'a, V>,
    composite: &'a Composite<V>,
    b: Placed<'a, V>,
    frames: KeptFrames<V::Precise>,
    /// The shape b, if it is a ball.
    ball: Option<Ball<V::Precise>>,
    /// How much the gaps of boxes may be wrong, in units of length.
    rounding: Real,
    /// The size of the smaller of both shapes, in units of length.
    size: f64,
    /// The sum of both sizes, in units of length.
    sizes: f64,
    /// Whether there may be curved parts on either side.
    is_curved: bool,
    /// How far the parts may be from those that the shapes stand for: see [`Composite::rounding`].
    part_rounding: f64,
}

impl<'a, V: Vector> Sides<'a, V> {
    /// `None` if the first shape is no composite.
    pub(super) fn new(a: Placed<'a, V>, b: Placed<'a, V>) -> Option<Self> {
        let Shape::Composite(composite) = a.shape else {
            return None;
        };
        let frames = KeptFrames::new(a.pose, b.pose);
        let of_a = composite.bounding_radius();
        let of_b = match b.shape {
            Shape::HalfSpace(half_space) => half_space.offset(),
            Shape::Composite(composite) => composite.bounding_radius(),
            shape => bounding_radius(&shape.bounds(&Pose::IDENTITY)),
        };
        let size = match b.shape {
            Shape::HalfSpace(_) => of_a,
            _ => of_a.min(of_b),
        };
        Some(Self {
            a,
            composite,
            b,
            frames,
            ball: Ball::new(a, b, &frames.a_in_world),
            rounding: rounding(of_a + of_b + frames.b_in_a.translation.length()),
            size,
            sizes: of_a + of_b,
            is_curved: [a.shape, b.shape].into_iter().any(may_be_curved),
            part_rounding: [a.shape, b.shape].map(part_rounding).iter().sum(),
        })
    }

    /// The greatest gap of boxes whose parts may be within a distance. It allows for the rounding
    /// of gaps, and for what measured distances may differ from the true ones.
    pub(super) fn limit(&self, within: Real) -> Real {
        // The depth of curved parts is not as precise as other distances.
        let depth = if within < 0.0 && self.is_curved {
            tolerances::SMOOTH_DEPTH_GAP * self.sizes
        } else {
            0.0
        };
        let slack = tolerances::CONVERGED_GAP * (f64::from(within.abs()) + self.size) + depth;
        within + (self.rounding + round_up(slack + self.part_rounding))
    }

    /// How much the gaps of boxes may be wrong, in units of length.
    pub(super) fn rounding(&self) -> Real {
        self.rounding
    }

    /// A distance that all parts behind a gap have at least.
    pub(super) fn proven(&self, gap: Real) -> Real {
        (gap - self.rounding - round_up(self.part_rounding)).next_down()
    }

    /// The axis along a normal from a to b, in the frame of the world.
    pub(super) fn axis(&self, normal: V) -> Axis {
        Axis::new(normal, &self.frames)
    }

    /// Visits pairs of parts, the nearest boxes first.
    pub(super) fn descend(&self, visitor: &mut impl Visitor) {
        match self.b.shape {
            Shape::Composite(b) => {
                let maps = BoxMaps::new::<V>(&self.frames.b_in_a);
                tree_with_tree(self.composite, b, &maps, visitor);
            }
            Shape::Convex(convex) => {
                if let Some(ball) = self.ball_in_mesh(convex)
                    && wide::descend(&ball, visitor)
                {
                    return;
                }
                let target = ConvexTarget::new(convex, &self.frames);
                tree_with_one(self.composite, &target, visitor);
            }
            Shape::HalfSpace(half_space) => {
                let target = Below::new(half_space, &self.frames.b_in_a);
                tree_with_one(self.composite, &target, visitor);
            }
        }
    }

    /// The shape b, if it is a ball and the other one a mesh in space.
    fn ball_in_mesh(&self, convex: &Convex<V>) -> Option<BallInMesh<'a, V>> {
        match (self.composite.kind(), &self.ball) {
            (CompositeKind::Mesh(mesh), Some(ball)) if V::DIM == 3 => Some(BallInMesh {
                mesh,
                center: ball.center().in_space(),
                radius: convex.radius(),
                size: self.rounding / ROUNDING,
            }),
            _ => None,
        }
    }

    /// Measures a pair of parts; `None` if one of them is a hole.
    pub(super) fn measure(&self, parts: PartPair, within: Real) -> Option<Proximity<V>> {
        let wider = self.wider(within);
        let by_ball = self
            .ball_beside_triangles()
            .and_then(|ball| match self.composite.kind() {
                CompositeKind::Mesh(mesh) => ball.measure(mesh.corners(parts.a), wider),
                CompositeKind::HeightField(field) => ball.measure(field.corners(parts.a)?, wider),
                _ => None,
            });
        let proximity = match by_ball {
            Some(proximity) => proximity,
            None => self.measure_parts(parts, wider)?,
        };
        Some(self.named(self.loosened(proximity, within), parts))
    }

    /// [`Self::measure`] for the triangle in a lane, and b, which is no composite.
    #[inline]
    pub(super) fn measure_lane(
        &self,
        group: &TriangleGroup,
        lane: usize,
        within: Real,
    ) -> Option<Proximity<V>> {
        let number = group.parts[lane].known_number();
        self.measure_triangle(number, group.corners_of::<V>(lane), within)
    }

    /// [`Self::measure`] for a triangle with these corners, and b, which is no composite.
    pub(super) fn measure_triangle(
        &self,
        number: u32,
        corners: [V; 3],
        within: Real,
    ) -> Option<Proximity<V>> {
        let parts = PartPair { a: number, b: 0 };
        let by_ball = self
            .ball_beside_triangles()
            .and_then(|ball| ball.measure(corners, self.wider(within)));
        match by_ball {
            Some(proximity) => Some(self.named(self.loosened(proximity, within), parts)),
            None => self.measure(parts, within),
        }
    }

    /// The range within which parts must be measured, since they may be beside those that they stand for.
    fn wider(&self, within: Real) -> Real {
        round_up(f64::from(within) + self.part_rounding)
    }

    fn ball_beside_triangles(&self) -> Option<&Ball<V::Precise>> {
        self.ball.as_ref().filter(|_| V::DIM == 3)
    }

    /// The answer with the numbers of the parts.
    #[inline]
    fn named(&self, proximity: Proximity<V>, parts: PartPair) -> Proximity<V> {
        match proximity {
            Proximity::Near(mut near) => {
                (near.part_a, near.part_b) = (parts.a, parts.b);
                Proximity::Near(near)
            }
            other => other,
        }
    }

    /// Measures any two parts; `None` if one of them is a hole.
    fn measure_parts(&self, parts: PartPair, within: Real) -> Option<Proximity<V>> {
        let part_a = self.composite.part(parts.a)?;
        let a = PlacedPart::new(&part_a, self.a);
        Some(if let Shape::Composite(b) = self.b.shape {
            let part_b = b.part(parts.b)?;
            part_pair::measure(a, PlacedPart::new(&part_b, self.b), &self.frames, within)
        } else {
            part_pair::measure(a, PlacedPart::whole(self.b), &self.frames, within)
        })
    }
}

impl<V: Vector> Sides<'_, V> {
    /// The answer with bounds that hold for the shapes that the parts stand for.
    fn loosened(&self, proximity: Proximity<V>, within: Real) -> Proximity<V> {
        if self.part_rounding == 0.0 {
            return proximity;
        }
        let lowered = |lower: Real| round_down(f64::from(lower) - self.part_rounding);
        match proximity {
            Proximity::Near(near) if lowered(near.lower) > within => Proximity::Farther {
                lower: lowered(near.lower),
            },
            Proximity::Near(near) => Proximity::Near(Separation {
                lower: lowered(near.lower),
                upper: round_up(f64::from(near.upper) + self.part_rounding),
                ..near
            }),
            Proximity::Farther { lower } => Proximity::Farther {
                lower: lowered(lower),
            },
            Proximity::Unbounded => Proximity::Unbounded,
        }
    }
}

/// Whether a shape has, or may have, curved parts.
fn may_be_curved<V: Vector>(shape: &Shape<V>) -> bool {
    match shape {
        Shape::Convex(convex) => !convex.core().is_polytope(),
        Shape::HalfSpace(_) => false,
        Shape::Composite(composite) => matches!(composite.kind(), CompositeKind::Compound(_)),
    }
}

fn part_rounding<V: Vector>(shape: &Shape<V>) -> f64 {
    match shape {
        Shape::Composite(composite) => composite.rounding(),
        _ => 0.0,
    }
}

/// A convex shape in a's frame.
struct ConvexTarget<'a, V: Vector> {
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
}

impl<'a, V: Vector> ConvexTarget<'a, V> {
    fn new(convex: &'a Convex<V>, frames: &'a KeptFrames<V::Precise>) -> Self {
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
        }
    }

    /// How far the shape lies on one side of a triangle: the gap along the normal of the triangle, to the
    /// side where it is wider; up to rounding.
    fn gap_beside_plane(&self, corners: [DVec3; 3]) -> f64 {
        let [a, b, c] = corners;
        let Some(normal) = (b - a).cross(c - a).try_normalize() else {
            return f64::NEG_INFINITY;
        };
        let heights = corners.map(|corner| corner.dot(normal));
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

    #[inline]
    fn gaps_of_triangles(&self, group: &TriangleGroup, limit: Real) -> Vec4 {
        if let Some((center, radius)) = self.ball {
            return distances_from_point(group, center) - Vec4::splat(round_nearest(radius));
        }
        let in_b = self.a_in_b.map_triangles(group);
        let mut gaps = self
            .gaps(&group.node())
            .max(in_b.gaps::<V>(&self.own_boxes));
        for lane in lanes(gaps.cmple(Vec4::splat(limit)).bitmask() & group.occupied_lanes()) {
            let corners = group.corners_of::<V>(lane);
            let beside =
                self.gap_beside_plane(corners.map(|corner| corner.to_precise().in_space()));
            gaps[lane] = gaps[lane].max(round_nearest(beside));
        }
        gaps
    }
}

/// Below a plane of a's frame.
struct Below {
    normal: [Real; 3],
    offset: Real,
}

impl Below {
    fn new<V: Vector>(half_space: &HalfSpace<V>, b_in_a: &RelativePose<V::Precise>) -> Self {
        let along = b_in_a.rotation.apply(half_space.normal());
        let offset = half_space.offset() + along.dot(b_in_a.translation);
        let mut normal = [0.0; 3];
        for (k, component) in normal.iter_mut().enumerate().take(V::DIM) {
            *component = along.component(k) as Real;
        }
        Self {
            normal,
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
