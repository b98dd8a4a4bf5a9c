//! Balls around two cores that go straight: before the balls meet, the cores do not.

use clearance_math::PreciseVector;

/// Two balls that go straight, as seen from the centre of the first.
pub(crate) struct BoundingBalls<P> {
    /// The centre of the second ball at time 0.
    pub(crate) way: P,
    /// Its velocity.
    pub(crate) velocity: P,
    /// The distance of the centres at which the balls have met: both radii, what is asked, and rounding.
    pub(crate) radius: f64,
}

impl<P: PreciseVector> BoundingBalls<P> {
    /// A time before which the balls have certainly not met; if they do not meet during the whole motion, the error is the
    /// way between their centres where that is shortest.
    #[inline(always)]
    pub(crate) fn meet(&self) -> Result<f64, P> {
        let Self { way, velocity, .. } = *self;
        let radius = self.radius * (1.0 + 1e-12);
        // The square of the way loses its last digits when it is subtracted.
        let far = way.length_squared();
        let excess = far * (1.0 - 32.0 * f64::EPSILON) - radius * radius;
        if !(excess > 0.0) {
            return Ok(0.0);
        }
        let approach = -way.dot(velocity);
        let discriminant = approach * approach - velocity.length_squared() * excess;
        if !(approach > 0.0) || discriminant < 0.0 {
            let nearest = if approach > 0.0 {
                (approach / velocity.length_squared()).min(1.0)
            } else {
                0.0
            };
            return Err(way + velocity * nearest);
        }
        let time = excess / (approach + discriminant.sqrt()) * (1.0 - 1e-12);
        if time <= 1.0 {
            Ok(time)
        } else {
            Err(way + velocity)
        }
    }
}
