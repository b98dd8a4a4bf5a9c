//! The planes through vertices, which prove when the cores meet.

use clearance_math::{DVec3, PreciseVector};

use super::way::StraightMotion;
use crate::search::Vertex;

/// Why a search ends without a portal.
pub(super) enum NoPortal<P> {
    /// The origin does not come up to the plane through this vertex in time, which the difference is behind.
    Missed { outward: DVec3, vertex: Vertex<P> },
    /// Rounding, or the shape of the difference, leaves it open.
    Open,
}

/// A plane that the difference is behind, and when the origin comes up to it.
#[derive(Clone, Copy)]
pub(super) struct LastPlane {
    pub(super) time: f64,
    /// The normal, of any length.
    pub(super) outward: DVec3,
}

impl LastPlane {
    #[inline(always)]
    pub(super) fn normal<P: PreciseVector>(&self) -> P {
        P::from_space(self.outward / self.outward.length())
    }
}

/// The planes through the vertices so far.
#[derive(Clone, Copy)]
pub(super) struct Planes<'a, P> {
    pub(super) way: &'a StraightMotion<P>,
    pub(super) velocity: DVec3,
    pub(super) rounding: f64,
    /// The plane that the origin comes up to last. `None` if none is ahead.
    pub(super) last: Option<LastPlane>,
}

impl<P: PreciseVector> Planes<'_, P> {
    /// Takes note of the plane through the farthest vertex along a direction of any length.
    #[inline(always)]
    pub(super) fn note(&mut self, outward: DVec3, vertex: &Vertex<P>) -> Result<(), NoPortal<P>> {
        let point = vertex.point.in_space();
        let margin = -outward.dot(point) - self.rounding * outward.length();
        let rate = -outward.dot(self.velocity);
        if margin > 0.0 {
            let ahead = margin / rate * (1.0 - 4.0 * f64::EPSILON);
            let time = self.way.from + ahead;
            if !(rate > 0.0) || time >= 1.0 || time > self.way.until {
                let vertex = *vertex;
                return Err(NoPortal::Missed { outward, vertex });
            }
            if self.last.is_none_or(|last| time > last.time) {
                self.last = Some(LastPlane { time, outward });
            }
        }
        Ok(())
    }
}

/// Two unit vectors that make a right-handed frame with a unit vector, which comes last.
///
/// Source: Duff et al., "Building an Orthonormal Basis, Revisited" (2017).
#[inline(always)]
pub(super) fn across(along: DVec3) -> [DVec3; 2] {
    let DVec3 { x, y, z } = along;
    let sign = 1.0_f64.copysign(z);
    let scale = -1.0 / (sign + z);
    let product = x * y * scale;
    [
        DVec3::new(1.0 + sign * x * x * scale, sign * product, -sign * x),
        DVec3::new(product, sign + y * y * scale, -y),
    ]
}
