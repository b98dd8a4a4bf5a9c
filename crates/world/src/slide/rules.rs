//! What the options mean in lengths and directions, in double precision.

use clearance_math::PreciseVector;

use super::options::AtWalls;

/// Up to which share of the skin a shape comes near while it goes: it then rests at the whole skin, where rounding
/// and flat seams do not block it.
const BLOCKED: f64 = 15.0 / 16.0;

/// Up to how many skins away the ground is stood on.
const STANDING: f64 = 1.25;

/// The options of a move, checked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules<P> {
    /// The unit vector up; zero where there is none.
    pub(super) up: P,
    /// The cosine of the greatest slope that can be walked on.
    pub(super) cos: f64,
    /// Its tangent.
    pub(super) tan: f64,
    /// The cosine of the steepest contact with an edge that carries.
    pub(super) edge_cos: f64,
    pub(super) step_height: f64,
    pub(super) step_depth: f64,
    pub(super) snap_distance: f64,
    pub(super) at_walls: AtWalls,
    /// The gap that the shape keeps.
    pub(super) skin: f64,
    /// About half of the least width of the shape.
    pub(super) size: f64,
    /// Half of the diagonal of its bounding box.
    pub(super) radius: f64,
}

impl<P: PreciseVector> Rules<P> {
    /// The distance at which the shape is blocked.
    pub(super) fn blocked(&self) -> f64 {
        BLOCKED * self.skin
    }

    /// The distance within which the shape touches and stands.
    pub(super) fn reach(&self) -> f64 {
        STANDING * self.skin
    }

    /// How high above the feet a step may be, and an edge that carries.
    pub(super) fn highest_step(&self) -> f64 {
        self.step_height + self.skin / 16.0
    }

    /// A way that is not worth going.
    pub(super) fn still(&self) -> f64 {
        self.skin / 1024.0
    }

    /// How far up a way leads.
    pub(super) fn rise(&self, way: P) -> f64 {
        self.up.dot(way)
    }

    /// The level part of a way.
    pub(super) fn level(&self, way: P) -> P {
        way - self.up * self.rise(way)
    }
}
