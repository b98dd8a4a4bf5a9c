//! Unit vectors spread over the circle or the sphere.

use core::f64::consts::{FRAC_PI_2, TAU};

use clearance_math::{DVec3, PreciseVector};

/// Facets of a quarter of a circle in 3D: 18 degrees each, and a ball of 200 triangles.
const QUARTER_IN_SPACE: u32 = 5;

/// Facets of a quarter of a circle in 2D.
const QUARTER_IN_PLANE: u32 = 8;

/// How many facets a quarter of a circle has.
pub(crate) fn quarter<P: PreciseVector>() -> u32 {
    if P::DIM == 2 {
        QUARTER_IN_PLANE
    } else {
        QUARTER_IN_SPACE
    }
}

/// The angle of a facet in radians.
pub(crate) fn facet<P: PreciseVector>() -> f64 {
    FRAC_PI_2 / f64::from(quarter::<P>())
}

/// Directions closer together than this part of a facet are taken as one.
const TOO_CLOSE: f64 = 0.4;

/// The same where one direction is along an axis: the box around the points must be that of the shape.
const TOO_CLOSE_TO_AXIS: f64 = 1e-3;

/// The angle to other directions, in radians, at which a direction is left out.
pub(crate) fn too_close<P: PreciseVector>(is_axis: bool) -> f64 {
    let part = if is_axis {
        TOO_CLOSE_TO_AXIS
    } else {
        TOO_CLOSE
    };
    part * facet::<P>()
}

/// An axis with two directions across it; all three are unit vectors and right-handed in this order:
/// start, quarter, axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Frame {
    pub(crate) axis: DVec3,
    pub(crate) start: DVec3,
    pub(crate) quarter: DVec3,
}

impl Frame {
    /// About the y axis.
    pub(crate) const UPRIGHT: Self = Self {
        axis: DVec3::Y,
        start: DVec3::X,
        quarter: DVec3::NEG_Z,
    };

    /// About the unit vector `axis`.
    pub(crate) fn about(axis: DVec3) -> Self {
        if axis == DVec3::Y {
            return Self::UPRIGHT;
        }
        let start = axis.perpendicular();
        Self {
            axis,
            start,
            quarter: axis.cross(start),
        }
    }
}

/// Directions with the same angle to an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ring {
    /// The angle above the equator, in radians, from minus to plus a right angle.
    pub(crate) latitude: f64,
    /// The number of directions in a quarter of the ring; zero at a pole, which is one direction.
    pub(crate) per_quarter: u32,
}

impl Ring {
    /// The number of directions.
    pub(crate) fn count(self) -> u32 {
        (4 * self.per_quarter).max(1)
    }

    /// The directions, starting above `start`.
    pub(crate) fn directions(self, frame: Frame) -> impl Iterator<Item = DVec3> {
        let (across, along) = if self.per_quarter == 0 {
            (0.0, self.latitude.signum())
        } else {
            (libm::cos(self.latitude), libm::sin(self.latitude))
        };
        let around = circle(frame.start, frame.quarter, self.count());
        around.map(move |outward| outward * across + frame.axis * along)
    }
}

/// Rings from pole to pole, whose directions are spread over the sphere evenly, with `quarter` steps from
/// the equator to a pole.
pub(crate) fn rings(quarter: u32) -> impl Iterator<Item = Ring> {
    let steps = quarter as i32;
    (-steps..=steps).map(move |step| Ring {
        latitude: FRAC_PI_2 * f64::from(step) / f64::from(steps),
        per_quarter: quarter - step.unsigned_abs(),
    })
}

/// Unit vectors spread evenly over all directions, those along the axes among them, with `quarter`
/// steps from one axis to the next.
pub(crate) fn all_around<P: PreciseVector>(quarter: u32) -> Vec<P> {
    if P::DIM == 2 {
        let circle = circle(DVec3::X, DVec3::Y, 4 * quarter);
        circle.map(P::from_space).collect()
    } else {
        let directions = rings(quarter).flat_map(|ring| ring.directions(Frame::UPRIGHT));
        directions.map(P::from_space).collect()
    }
}

/// `count` unit vectors in the plane of two perpendicular ones, starting with the first. Those at right
/// angles to the start are exact.
pub(crate) fn circle(start: DVec3, quarter: DVec3, count: u32) -> impl Iterator<Item = DVec3> {
    (0..count).map(move |step| match (4 * step / count, 4 * step % count) {
        (0, 0) => start,
        (1, 0) => quarter,
        (2, 0) => -start,
        (3, 0) => -quarter,
        _ => {
            let angle = TAU * f64::from(step) / f64::from(count);
            start * libm::cos(angle) + quarter * libm::sin(angle)
        }
    })
}

/// The unit vectors between two others that turn by way of `middle`, in steps of `step` radians at
/// most, without the ends.
pub(crate) fn arc(from: DVec3, to: DVec3, middle: DVec3, step: f64) -> Vec<DVec3> {
    let Some(across) = (middle - from * middle.dot(from)).direction() else {
        return Vec::new();
    };
    let angle = libm::atan2(to.dot(across), to.dot(from)).abs();
    let count = libm::ceil(angle / step - 1e-9).max(1.0) as u32;
    let turned = |index: u32| {
        let angle = angle * f64::from(index) / f64::from(count);
        from * libm::cos(angle) + across * libm::sin(angle)
    };
    (1..count).map(turned).collect()
}
