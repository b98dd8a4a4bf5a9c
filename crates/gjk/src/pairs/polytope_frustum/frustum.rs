//! Cylinder, cone and tapered cylinder as one solid.

use clearance_math::{DVec3, Matrix, PreciseVector, RelativePose, Vector};
use clearance_shapes::Core;

/// The convex hull of two discs across one axis, in the frame of another shape.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frustum {
    pub(super) center: DVec3,
    /// The unit vector along the axis, towards the top.
    pub(super) axis: DVec3,
    pub(super) top: Disc,
    pub(super) bottom: Disc,
    /// The component of normals of the side along the axis.
    pub(super) side_along: f64,
    /// The component of normals of the side across the axis.
    pub(super) side_across: f64,
}

/// The sine of the angle to the axis below which rounding of a direction shows in its part across the axis.
const NEARLY_ALONG: f64 = 1e-4;

/// A disc of the frustum.
#[derive(Clone, Copy, Debug)]
pub(super) struct Disc {
    /// How far it is from the centre of the frustum, along the axis.
    pub(super) along: f64,
    pub(super) radius: f64,
}

/// A corner of the polytope, as it lies beside the frustum.
pub(super) struct Beside {
    /// From the axis to the corner.
    radial: DVec3,
    distance: f64,
    /// The least of all corners is the only one that may be the farthest one along a normal of the side that points away
    /// from it.
    pub(super) reach: f64,
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
        let [half, top, bottom] = [half_height, top, bottom].map(f64::from);
        let (narrowing, height) = (bottom - top, 2.0 * half);
        let slant = (narrowing * narrowing + height * height).sqrt();
        Some(Self {
            center: pose.translation.in_space(),
            axis: pose.rotation.column(1).in_space(),
            top: Disc {
                along: half,
                radius: top,
            },
            bottom: Disc {
                along: -half,
                radius: bottom,
            },
            side_along: narrowing / slant,
            side_across: height / slant,
        })
    }

    /// The outward normals of both discs, and the greatest scalar product of the frustum with each.
    pub(super) fn discs(&self) -> [(DVec3, f64); 2] {
        let center = self.center.dot(self.axis);
        [
            (self.axis, center + self.top.along),
            (-self.axis, -center - self.bottom.along),
        ]
    }

    /// The disc whose rim is farthest along a unit vector with this component along the axis.
    #[inline(always)]
    pub(super) fn farthest_disc(&self, along: f64) -> &Disc {
        if along >= self.side_along {
            &self.top
        } else {
            &self.bottom
        }
    }

    /// The part of a unit vector across the axis, which has the component `along` along it.
    #[inline(always)]
    fn across(&self, direction: DVec3, along: f64) -> DVec3 {
        let across = direction - self.axis * along;
        if across.length_squared() > NEARLY_ALONG * NEARLY_ALONG {
            across
        } else {
            // Most of what is left is rounding, along the axis, too.
            across - self.axis * across.dot(self.axis)
        }
    }

    /// The farthest point along a unit vector. If a whole disc is as far, its centre.
    #[inline(always)]
    pub(super) fn support(&self, direction: DVec3) -> DVec3 {
        let along = direction.dot(self.axis);
        let disc = self.farthest_disc(along);
        let across = self.across(direction, along);
        let length = across.length().max(f64::MIN_POSITIVE);
        self.center + self.axis * disc.along + across * (disc.radius / length)
    }

    /// The greatest scalar product with a unit vector.
    #[inline(always)]
    pub(super) fn height(&self, direction: DVec3) -> f64 {
        let along = direction.dot(self.axis);
        let disc = self.farthest_disc(along);
        let across = (direction - self.axis * along).length();
        direction.dot(self.center) + along * disc.along + across * disc.radius
    }

    /// The line along the side that faces a direction: the points of both rims.
    pub(super) fn side_facing(&self, direction: DVec3) -> [DVec3; 2] {
        let across = self.across(direction, direction.dot(self.axis));
        let outward = across / across.length().max(f64::MIN_POSITIVE);
        [&self.top, &self.bottom]
            .map(|disc| self.center + self.axis * disc.along + outward * disc.radius)
    }

    #[inline(always)]
    pub(super) fn beside(&self, corner: DVec3) -> Beside {
        let from_center = corner - self.center;
        let along = from_center.dot(self.axis);
        let radial = from_center - self.axis * along;
        let distance = radial.length();
        Beside {
            radial,
            distance,
            reach: self.side_across * distance + self.side_along * along,
        }
    }

    /// The normal of the side that points away from the corner.
    pub(super) fn away_from(&self, corner: &Beside) -> DVec3 {
        // Of a corner near the axis rounding leaves something along the axis, too.
        let radial = corner.radial - self.axis * corner.radial.dot(self.axis);
        // For a corner on the axis any will do: either all normals of the side are as good, or the edges at the corner have
        // the best.
        let outward = radial.direction().unwrap_or(self.axis.perpendicular());
        -self.axis * self.side_along - outward * self.side_across
    }

    /// Whether it contains a point up to `slack`.
    pub(super) fn holds(&self, point: DVec3, slack: f64) -> bool {
        let from_center = point - self.center;
        let along = from_center.dot(self.axis);
        let distance = (from_center - self.axis * along).length();
        let beyond_side = self.side_across * (distance - self.bottom.radius)
            + self.side_along * (along - self.bottom.along);
        along.abs() <= self.top.along + slack && beyond_side <= slack
    }
}
