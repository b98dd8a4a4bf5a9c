//! Two solids, one in front of the other, and their Minkowski difference.

use clearance_math::DVec3;

use super::body::Space;
use super::solid::Solid;
use crate::common::{Body, Nearest, nearest};

/// The cores of two bodies, in world orientation about the origin of the first body.
pub(crate) struct Pair {
    pub(crate) a: Solid,
    pub(crate) b: Solid,
    /// From the origin of a to that of b. Subtracted in double precision: exact for bodies far off.
    pub(crate) apart: DVec3,
    pub(crate) dimension: usize,
}

/// A direction, the point of the difference a - b farthest along it, and its height.
#[derive(Clone, Copy)]
pub(crate) struct Sample {
    pub(crate) normal: DVec3,
    pub(crate) point: DVec3,
    pub(crate) height: f64,
}

impl Pair {
    pub(crate) fn new<V: Space>(a: &Body<V>, b: &Body<V>) -> Self {
        Self {
            a: Solid::new(a),
            b: Solid::new(b),
            apart: b.at() - a.at(),
            dimension: V::DIM,
        }
    }

    pub(crate) fn radii(&self) -> f64 {
        self.a.radius + self.b.radius
    }

    /// The greater of the two reaches.
    pub(crate) fn size(&self) -> f64 {
        self.a.reach.max(self.b.reach)
    }

    /// What the rounding of double precision can add up to.
    pub(crate) fn rounding(&self) -> f64 {
        16.0 * f64::EPSILON * (self.a.reach + self.b.reach + self.apart.length())
    }

    /// A vertex of the difference of the cores.
    pub(crate) fn vertex(&self, direction: DVec3) -> DVec3 {
        self.a.support(direction) - self.b.support(-direction) - self.apart
    }

    /// The distance of the cores, bracketed to about `gap`.
    pub(crate) fn nearest(&self, gap: f64) -> Nearest {
        nearest(
            |unit| self.vertex(-unit),
            -self.apart,
            [gap, self.rounding()],
        )
    }

    /// The height of the difference along a unit vector: minus it is a lower bound of the signed
    /// distance.
    pub(crate) fn sample(&self, normal: DVec3) -> Sample {
        let point = self.vertex(normal);
        Sample {
            normal,
            point,
            height: normal.dot(point),
        }
    }

    /// The common axis of two bodies of revolution, where they have one to the last bit.
    pub(crate) fn common_axis(&self) -> Option<DVec3> {
        let (a, b) = (self.a.axis_of_revolution()?, self.b.axis_of_revolution()?);
        let is_common = (a == b || a == -b) && a.cross(self.apart) == DVec3::ZERO;
        is_common.then_some(a)
    }
}
