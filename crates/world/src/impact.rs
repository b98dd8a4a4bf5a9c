//! Where a swept body met another within a step.

use clearance_gjk::CastHit;
use clearance_math::Vector;

use crate::BodyId;

/// Two bodies that met within the last step, of which one is swept; `a < b`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Impact<V: Vector> {
    /// The body with the smaller id.
    pub a: BodyId,
    /// The body with the larger id.
    pub b: BodyId,
    /// When they met, from 0 for the beginning of the step to 1 for its end; and the points and the normal
    /// from a to b at that time, in the frame of the world.
    pub hit: CastHit<V>,
}

impl<V: Vector> Impact<V> {
    /// The other body of the impact, or `None` if `body` is not one of the two.
    #[must_use]
    pub fn other(&self, body: BodyId) -> Option<BodyId> {
        match body {
            _ if body == self.a => Some(self.b),
            _ if body == self.b => Some(self.a),
            _ => None,
        }
    }

    /// Whether it comes after another one in order of time.
    pub(crate) fn is_later(&self, other: &Self) -> bool {
        let times = self.hit.time.total_cmp(&other.hit.time);
        times
            .then((self.a, self.b).cmp(&(other.a, other.b)))
            .is_gt()
    }
}
