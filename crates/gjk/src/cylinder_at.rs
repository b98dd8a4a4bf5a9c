//! Cylinders as a cast sees them.

use clearance_math::DVec3;
use clearance_shapes::Cylinder;

/// A cylinder in the frame of a.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CylinderAt {
    pub(crate) axis: DVec3,
    pub(crate) center: DVec3,
    pub(crate) half_height: f64,
    pub(crate) radius: f64,
}

impl CylinderAt {
    pub(crate) fn new(cylinder: &Cylinder, axis: DVec3, center: DVec3) -> Self {
        Self {
            axis,
            center,
            half_height: f64::from(cylinder.half_height),
            radius: f64::from(cylinder.radius),
        }
    }

    /// How far a point is along the axis, and the way to it from the axis.
    pub(crate) fn seen(&self, point: DVec3) -> (f64, DVec3) {
        let from_center = point - self.center;
        let height = self.axis.dot(from_center);
        (height, from_center - self.axis * height)
    }
}

/// The cylinders of two cores. One of them may be a polytope instead.
pub(crate) type Cylinders = [Option<CylinderAt>; 2];
