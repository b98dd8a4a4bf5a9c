//! The difference of two polytopes, in the frames of both.

use clearance_math::internal::MapEach;
use clearance_math::{DVec3, Matrix, PreciseVector, RelativePose, Vector, lesser_of};
use clearance_shapes::internal::BoundaryEdge;

use super::polytope::{BoundaryPolytope, CuboidRoom};
use crate::convex::CorePair;
use crate::search::Minkowski;

/// Two polytopes at their places. What is said of one of them, by its number, is in its frame, and directions lead from it
/// to the other.
pub(super) struct PolytopeDifference<'a, V: Vector> {
    pub(super) polytopes: [BoundaryPolytope<'a, V>; 2],
    /// The pose of the other one in the frame of each.
    pub(super) other_in: [RelativePose<DVec3>; 2],
    /// The sum of the sizes of both.
    pub(super) size: f64,
    /// How far rounding may move a point.
    pub(super) rounding: f64,
}

/// Which corners, edges and faces are nearest to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Features {
    FaceCorner(FeatureCorner),
    Edges([u16; 2]),
    EdgeCorner(FeatureCorner),
    Corners([u16; 2]),
}

/// A face or an edge of a polytope, and a corner of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FeatureCorner {
    /// The polytope of the face or the edge: 0 is a, 1 is b.
    pub(super) of: usize,
    /// The number of the face or the edge.
    pub(super) feature: u16,
    /// The corner of the other.
    pub(super) corner: u16,
}

impl FeatureCorner {
    #[inline(always)]
    pub(super) fn new(of: usize, feature: u16, corner: u16) -> Self {
        Self {
            of,
            feature,
            corner,
        }
    }
}

impl<'a, V: Vector> PolytopeDifference<'a, V> {
    /// `None` if one of them is no polytope of few corners.
    #[inline(always)]
    pub(super) fn of(pair: &CorePair<'a, V>, room: &'a mut CuboidRoom) -> Option<Self> {
        let &CorePair { a, b, b_in_a, .. } = pair;
        let polytopes = [
            BoundaryPolytope::of(a.core(), Some(room))?,
            BoundaryPolytope::of(b.core(), None)?,
        ];
        let cores = pair.difference();
        let columns = [0, 1, 2].map_each(|k| b_in_a.rotation.column(k).in_space());
        let b_in_a = RelativePose {
            rotation: Matrix::from_columns(columns),
            translation: b_in_a.translation.in_space(),
        };
        Some(Self {
            polytopes,
            other_in: [b_in_a, b_in_a.inverse()],
            size: cores.size(),
            rounding: cores.rounding(),
        })
    }

    /// A direction that leads from one polytope to the other, in the frame of the other, from there to this one.
    #[inline(always)]
    pub(super) fn seen_from_other(&self, of: usize, direction: DVec3) -> DVec3 {
        -self.other_in[of].inverse_transform_direction(direction)
    }

    /// A corner of the other polytope.
    #[inline(always)]
    pub(super) fn corner_of_other(&self, of: usize, corner: u16) -> DVec3 {
        self.other_in[of].transform_point(self.polytopes[1 - of].corner(corner))
    }

    /// The height of the difference along a unit vector, found by looking at all corners.
    #[inline(always)]
    pub(super) fn height(&self, of: usize, normal: DVec3) -> f64 {
        let (own, other) = (&self.polytopes[of], &self.polytopes[1 - of]);
        let own_corner = own.corner(own.support(normal));
        let other_corner = other.support(self.seen_from_other(of, normal));
        normal.dot(own_corner - self.corner_of_other(of, other_corner))
    }

    /// How far a corner of a polytope is farther along a unit direction than those beside it.
    #[inline(always)]
    pub(super) fn corner_isolation(&self, of: usize, corner: u16, normal: DVec3) -> f64 {
        let polytope = &self.polytopes[of];
        let here = polytope.corner(corner);
        let drops = polytope.spokes(corner).iter();
        let drops = drops.map(|spoke| normal.dot(here - polytope.corner(spoke.corner)));
        drops.fold(f64::INFINITY, lesser_of)
    }

    /// How far an edge of a polytope is farther along a unit direction than the next corners of its faces.
    #[inline(always)]
    pub(super) fn edge_isolation(&self, of: usize, edge: &BoundaryEdge, normal: DVec3) -> f64 {
        let drop = |place: usize| {
            let side = self.polytopes[of].side(edge, place);
            -normal.dot(side.inward) * side.width
        };
        lesser_of(drop(0), drop(1))
    }

    /// A direction from one polytope to the other and a point of each, from a to b, in the frame of a.
    #[inline(always)]
    pub(super) fn in_frame_of_a(
        &self,
        of: usize,
        normal: DVec3,
        [own, other]: [DVec3; 2],
    ) -> (DVec3, [DVec3; 2]) {
        if of == 0 {
            return (normal, [own, other]);
        }
        let b_in_a = &self.other_in[0];
        let points = [other, own].map_each(|point| b_in_a.transform_point(point));
        (-b_in_a.transform_direction(normal), points)
    }
}
