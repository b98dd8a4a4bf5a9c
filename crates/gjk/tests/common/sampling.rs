//! Directions all around.

use clearance_math::{DVec3, PreciseVector};

/// Directions all around, evenly: a circle, or the spiral of Vogel, "A better way to construct the
/// sunflower head" (1979), on the sphere.
pub(crate) fn directions<P: PreciseVector>(count: usize) -> impl Iterator<Item = P> {
    let golden = core::f64::consts::PI * (3.0 - 5f64.sqrt());
    (0..count).map(move |k| {
        let share = (k as f64 + 0.5) / count as f64;
        let vector = if P::DIM == 2 {
            let (sin, cos) = (share * core::f64::consts::TAU).sin_cos();
            DVec3::new(cos, sin, 0.0)
        } else {
            let (sin, cos) = (golden * k as f64).sin_cos();
            let y = 1.0 - 2.0 * share;
            let across = (1.0 - y * y).sqrt();
            DVec3::new(cos * across, y, sin * across)
        };
        P::from_space(vector)
    })
}
