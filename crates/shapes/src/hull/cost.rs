//! Counts the steps of building a hull, to test that the cost grows as n log n.

use core::cell::Cell;

thread_local! {
    static STEPS: Cell<u64> = const { Cell::new(0) };
}

/// Counts one step: a predicate, a visited node of the vertex tree, or an examined block of edges.
pub(super) fn count_step() {
    STEPS.set(STEPS.get() + 1);
}

/// The number of steps that `work` takes on this thread.
fn steps_of(work: impl FnOnce()) -> u64 {
    let before = STEPS.get();
    work();
    STEPS.get() - before
}

mod tests {
    use core::f64::consts::TAU;

    use clearance_math::{DVec3, Vec3};
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use super::steps_of;
    use crate::Hull;

    /// The most steps allowed, divided by n log2 n for n points. It is twice the greatest number that was
    /// measured, which is 14.
    const STEP_LIMIT: f64 = 28.0;

    /// `count` points on a curve with a parameter from 0 to 1.
    fn on_curve(count: usize, curve: impl Fn(f64) -> [f64; 3]) -> Vec<Vec3> {
        let point = |k| DVec3::from(curve(k as f64 / count as f64)).as_vec3();
        (0..count).map(point).collect()
    }

    /// Point sets by name, some of them hard for other algorithms.
    fn point_sets(count: usize) -> Vec<(&'static str, Vec<Vec3>)> {
        let circle = |t: f64| ((TAU * t).cos(), (TAU * t).sin());
        let helix = |turns: f64| {
            on_curve(count, |t| {
                let (x, y) = circle(turns * t);
                [x, y, t]
            })
        };
        let circles = on_curve(count, |t| {
            let (x, y) = circle(2.0 * t);
            if t < 0.5 { [x, y, 0.0] } else { [x, y, 1.0] }
        });
        let crossing = on_curve(count, |t| {
            let (x, y) = circle(2.0 * t);
            if t < 0.5 {
                [x, y, 0.0]
            } else {
                [0.0, x + 0.5, y]
            }
        });
        let mut cone = on_curve(count, |t| {
            let (x, y) = circle(t);
            [x, y, 0.0]
        });
        cone[0] = Vec3::Z;
        // Forty flat cones on a sphere. When a tip is inserted late, all faces of its cone are visible
        // from it.
        let cones = on_curve(count, |t| {
            let cone = (40.0 * t).floor();
            let z = 1.0 - (2.0 * cone + 1.0) / 40.0;
            let (x, y) = circle(0.38 * cone);
            let axis = DVec3::new(x, y, 0.0) * (1.0 - z * z).sqrt() + DVec3::Z * z;
            let (across, other) = axis.any_orthonormal_pair();
            let (u, v) = circle(40.0 * t);
            let is_tip = t * 40.0 - cone < 40.0 / count as f64;
            let flat = if is_tip {
                DVec3::ZERO
            } else {
                (across * u + other * v) * 0.2
            };
            (axis * if is_tip { 1.01 } else { 1.0 } + flat).to_array()
        });
        let mut random = Pcg64::seed_from_u64(3);
        let sphere = (0..count).map(|_| {
            let z = random.random_range(-1.0_f64..1.0);
            let (x, y) = circle(random.random());
            (DVec3::new(x, y, 0.0) * (1.0 - z * z).sqrt() + DVec3::Z * z).as_vec3()
        });
        vec![
            ("sphere", sphere.collect()),
            ("helix of one turn", helix(1.0)),
            ("helix of ten turns", helix(10.0)),
            ("helix of many turns", helix(count as f64 / 63.0)),
            ("moment curve", on_curve(count, |t| [t, t * t, t * t * t])),
            ("two circles", circles),
            ("two crossing circles", crossing),
            ("cone", cone),
            ("forty cones", cones),
        ]
    }

    #[test]
    fn cost_grows_as_n_log_n() {
        for count in [2_000, 20_000] {
            for (name, points) in point_sets(count) {
                let steps = steps_of(|| drop(Hull::from_points(&points)));
                let unit = count as f64 * (count as f64).log2();
                let found = steps as f64 / unit;
                assert!(found < STEP_LIMIT, "{name}, {count} points: {found}");
            }
        }
    }
}
