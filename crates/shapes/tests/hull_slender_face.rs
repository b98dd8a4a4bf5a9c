//! Found by fuzzing: a face with one very short edge had a normal tilted along that edge, by the
//! rounding of a cross product whose terms cancel, and with it a plane above its own vertices.

use clearance_math::Vec3;
use clearance_shapes::Hull;

#[test]
fn a_face_with_a_very_short_edge_lies_in_its_plane() {
    for far in [1e3, 1e6, 1e12, 1.6e32] {
        let points = [
            [-64.55327, 163.46875, 3759.7813],
            [-0.1875, -115.0, -2645.0],
            [7.0, -7.8750005, -181.12502],
            [7.0000005, -7.8750005, -181.12502],
            [70.61577, -162.40625, -3735.3438],
            [far, -121.8125, -2801.6875],
            [far, 19.65625, 452.09375],
        ];
        let hull = Hull::from_points(&points.map(Vec3::from)).unwrap();
        hull.validate().unwrap();
    }
}
