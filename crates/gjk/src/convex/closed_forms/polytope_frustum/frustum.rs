//! Cylinder, cone and tapered cylinder as one solid.

use core::hint::select_unpredictable;

use clearance_math::internal::MapEach;
use clearance_math::{
    DVec2, DVec3, Matrix, PreciseVector, RelativePose, Vector, greater_of, lesser_of, tolerances,
};
use clearance_shapes::Core;

use super::polytope::Polytope;
use crate::convex::closed_forms::axes::{AxisGap, LeastHeight};

/// The convex hull of two discs across one axis, in the frame of another shape.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frustum {
    pub(super) center: DVec3,
    /// The unit vector along the axis, towards the top.
    pub(super) axis: DVec3,
    pub(super) top: Disc,
    pub(super) bottom: Disc,
    /// The component of normals of the side along the axis.
    pub(super) side_along: f64,
    /// The component of normals of the side across the axis.
    pub(super) side_across: f64,
    /// A ball inside, about as large as fits.
    pub(super) ball: InnerBall,
}

/// A ball inside of a frustum.
#[derive(Clone, Copy, Debug)]
pub(super) struct InnerBall {
    pub(super) center: DVec3,
    pub(super) radius: f64,
}

/// A disc of the frustum.
#[derive(Clone, Copy, Debug)]
pub(super) struct Disc {
    /// How far it is from the centre of the frustum, along the axis.
    pub(super) along: f64,
    pub(super) radius: f64,
}

/// A part of the boundary of a frustum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Part {
    Side,
    /// The inside of a disc of this radius.
    Disc(f64),
    Rim,
}

/// The nearest point of a frustum, in the half-plane of its axis and a point outside: the first coordinate is the distance
/// from the axis, the second is along it, from the centre.
#[derive(Clone, Copy, Debug)]
pub(super) struct NearestInHalfPlane {
    pub(super) point: DVec2,
    /// The unit vector from there to the point outside, which is the normal of the side or disc.
    pub(super) normal: DVec2,
    pub(super) part: Part,
}

impl Frustum {
    /// `None` for all other cores.
    pub(super) fn of<V: Vector>(core: &Core<V>, pose: &RelativePose<V::Precise>) -> Option<Self> {
        let (half_height, top, bottom) = match core {
            Core::Cylinder(cylinder) => (cylinder.half_height, cylinder.radius, cylinder.radius),
            Core::Cone(cone) => (cone.half_height, 0.0, cone.radius),
            Core::TaperedCylinder(tapered) => (
                tapered.half_height,
                tapered.radius_top,
                tapered.radius_bottom,
            ),
            _ => return None,
        };
        let [half, top, bottom] = [half_height, top, bottom].map_each(f64::from);
        let (narrowing, height) = (bottom - top, 2.0 * half);
        let slant = (narrowing * narrowing + height * height).sqrt();
        let (side_along, side_across) = (narrowing / slant, height / slant);
        // A ball that touches the side and the wider disc, if it is not too large for the other.
        let fits = side_across * top.max(bottom) / (1.0 + side_along.abs());
        let ball_radius = fits.min(half);
        let (center, axis) = (
            pose.translation.in_space(),
            pose.rotation.column(1).in_space(),
        );
        let ball_center = center - axis * (half - ball_radius).copysign(narrowing);
        Some(Self {
            center,
            axis,
            top: Disc {
                along: half,
                radius: top,
            },
            bottom: Disc {
                along: -half,
                radius: bottom,
            },
            side_along,
            side_across,
            ball: InnerBall {
                center: ball_center,
                radius: ball_radius,
            },
        })
    }

    /// The disc whose rim is farthest along a vector with these components along the axis and across it.
    #[inline(always)]
    pub(super) fn farthest_disc(&self, along: f64, across: f64) -> &Disc {
        let reach = |disc: &Disc| along * disc.along + across * disc.radius;
        if reach(&self.top) >= reach(&self.bottom) {
            &self.top
        } else {
            &self.bottom
        }
    }

    /// The part of a vector that is across the axis, and its component along the axis.
    #[inline(always)]
    pub(super) fn split(&self, vector: DVec3) -> (DVec3, f64) {
        let along = vector.dot(self.axis);
        (vector - self.axis * along, along)
    }

    /// The unit vector across the axis on the side of a unit vector, which is zero if that is along the axis up to rounding;
    /// and the components of that vector along the axis and across it.
    #[inline(always)]
    fn outward(&self, unit: DVec3) -> (DVec3, f64, f64) {
        let (across, along) = self.split(unit);
        // Rounding leaves something along the axis, too, which counts where little is left across.
        let (across, _) = self.split(across);
        let length = across.length();
        let is_along = length <= tolerances::ALONG_AXIS;
        let per_length = if is_along { 0.0 } else { length.recip() };
        (across * per_length, along, length)
    }

    /// The farthest point along a unit vector. If a whole disc is as far, its centre.
    #[inline(always)]
    pub(super) fn support(&self, direction: DVec3) -> DVec3 {
        let (outward, along, across) = self.outward(direction);
        let disc = self.farthest_disc(along, across);
        self.center + self.axis * disc.along + outward * disc.radius
    }

    /// The greatest scalar product with a unit vector.
    #[inline(always)]
    pub(super) fn height(&self, direction: DVec3) -> f64 {
        let (across, along) = self.split(direction);
        let across = across.length();
        let disc = self.farthest_disc(along, across);
        direction.dot(self.center) + along * disc.along + across * disc.radius
    }

    /// The nearest point of the trapezoid that the frustum is in the half-plane of its axis and a point. `None` for a point
    /// inside or on a rim.
    #[inline(always)]
    pub(super) fn nearest_in_half_plane(&self, point: DVec2) -> Option<NearestInHalfPlane> {
        let is_between = point.y.abs() <= self.top.along;
        let is_below_side = self.below_side(point.y, point.x) >= 0.0;
        // The rim of the other disc is the other end of the side.
        let disc = select_unpredictable(point.y > 0.0, self.top, self.bottom);
        if is_between && is_below_side {
            return None;
        }
        let rim = |disc: &Disc| DVec2::new(disc.radius, disc.along);
        // On the side, from the rim of the bottom to that of the top.
        let upward = DVec2::new(-self.side_along, self.side_across);
        let length = upward.dot(rim(&self.top) - rim(&self.bottom));
        let along = upward.dot(point - rim(&self.bottom));
        let on_side = rim(&self.bottom) + upward * along.clamp(0.0, length);
        let on_disc = DVec2::new(lesser_of(point.x, disc.radius), disc.along);
        let is_disc_nearer = point.distance_squared(on_disc) < point.distance_squared(on_side);
        if is_disc_nearer && point.x < disc.radius {
            return Some(NearestInHalfPlane {
                point: on_disc,
                normal: DVec2::new(0.0, 1.0_f64.copysign(point.y)),
                part: Part::Disc(disc.radius),
            });
        }
        if !is_disc_nearer && along > 0.0 && along < length {
            return Some(NearestInHalfPlane {
                point: on_side,
                normal: DVec2::new(self.side_across, self.side_along),
                part: Part::Side,
            });
        }
        let nearest = select_unpredictable(is_disc_nearer, on_disc, on_side);
        Some(NearestInHalfPlane {
            point: nearest,
            normal: (point - nearest).try_normalize()?,
            part: Part::Rim,
        })
    }

    /// The line along the side that faces a direction: the points of both rims.
    pub(super) fn side_facing(&self, direction: DVec3) -> [DVec3; 2] {
        let (outward, ..) = self.outward(direction);
        [&self.top, &self.bottom]
            .map_each(|disc| self.center + self.axis * disc.along + outward * disc.radius)
    }

    /// Whether it is no farther than `slack` from a point.
    pub(super) fn holds(&self, point: DVec3, slack: f64) -> bool {
        let (radial, along) = self.split(point - self.center);
        let point = DVec2::new(radial.length(), along);
        let nearest = self.nearest_in_half_plane(point);
        nearest.is_none_or(|nearest| nearest.point.distance(point) <= slack)
    }

    /// Tests the directions along which a corner of the polytope may meet a disc or the side.
    ///
    /// # Errors
    /// A direction that separates the shapes.
    #[inline(always)]
    pub(super) fn test_corners(
        &self,
        polytope: &(impl Polytope + ?Sized),
        least: &mut LeastHeight,
    ) -> Result<(), AxisGap> {
        let center = self.center.dot(self.axis);
        let top = center + self.top.along;
        least.test(-self.axis, polytope.height(-self.axis) + top)?;
        let bottom = -center - self.bottom.along;
        least.test(self.axis, polytope.height(self.axis) + bottom)?;
        let normal = self.side_at_deepest_corner(polytope);
        least.test(normal, polytope.height(normal) + self.height(-normal))
    }

    /// How deep a point at a height along the axis and a distance from it is below the side.
    #[inline(always)]
    fn below_side(&self, along: f64, distance: f64) -> f64 {
        self.side_across * (self.bottom.radius - distance)
            + self.side_along * (self.bottom.along - along)
    }

    /// The direction against the normal of the side over the corner that is deepest below the side.
    ///
    /// No other corner can be the farthest along the direction that belongs to it: along it, a corner that is deeper below
    /// the side is farther.
    #[inline(always)]
    fn side_at_deepest_corner(&self, polytope: &(impl Polytope + ?Sized)) -> DVec3 {
        let mut deepest = (f64::NEG_INFINITY, DVec3::ZERO);
        for number in 0..polytope.corners() {
            let from_center = polytope.corner(number) - self.center;
            let (radial, along) = self.split(from_center);
            let depth = self.below_side(along, radial.length());
            let is_deeper = depth > deepest.0;
            deepest.1.x = select_unpredictable(is_deeper, from_center.x, deepest.1.x);
            deepest.1.y = select_unpredictable(is_deeper, from_center.y, deepest.1.y);
            deepest.1.z = select_unpredictable(is_deeper, from_center.z, deepest.1.z);
            deepest.0 = greater_of(depth, deepest.0);
        }
        let (outward, ..) = self.outward(deepest.1.normalize_or_zero());
        // For a corner on the axis any will do: either all normals of the side are as good, or the edges at the corner have
        // the best.
        let outward = if outward == DVec3::ZERO {
            self.axis.perpendicular().normalize()
        } else {
            outward
        };
        -self.axis * self.side_along - outward * self.side_across
    }
}
