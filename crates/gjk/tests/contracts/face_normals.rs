//! The face that a cast ran into: one of those of the hull that the contact's point lies on and that look against the motion.

use clearance_gjk::{Cast, CastOptions, Motion, Placed, cast_shapes, face_normal};
use clearance_math::{Pose, PreciseVector};
use clearance_shapes::{Hull, Shape};

use crate::common::{Pcg, Space, in_both_dimensions, iterations, turned};

in_both_dimensions!(it_is_a_face_at_the_point_that_looks_against_the_motion);

fn it_is_a_face_at_the_point_that_looks_against_the_motion<V: Space>() {
    let mut random = Pcg::new(907);
    let (mut at_edges, mut asked) = (0, 0);
    let ball = Shape::ball(0.4).expect("valid");
    for _ in 0..iterations(2000) {
        let points: Vec<V> = (0..7).map(|_| random.point(1.0)).collect();
        let hull = Hull::from_points(&points).expect("valid");
        let shape = Shape::hull(&points).expect("valid");
        let pose = Pose::new(random.point::<V>(3.0), turned::<V>(&mut random));
        let b = Placed::new(&shape, &pose);
        let direction: V = random.point(1.0);
        let target = pose.transform_point(random.point(0.8));
        let start = Pose::from_translation(target - direction * 8.0);
        let way = direction * 16.0;
        let a = Cast::new(Placed::new(&ball, &start), Motion::from_linear(way));
        let rest = Cast::new(b, Motion::rest());
        let Some(hit) = cast_shapes(a, rest, CastOptions::default()).expect("valid") else {
            continue;
        };
        if !(hit.time > 0.0) {
            continue;
        }
        let local = |vector: V| pose.inverse_transform_direction(vector).to_precise();
        let point = pose
            .inverse_transform_point(hit.separation.point_b())
            .to_precise();
        let against = local(-direction).direction().expect("it has a length");
        // The face is that just beside the point.
        let faces: Vec<V::Precise> = hull
            .faces()
            .filter(|face| (face.normal.dot(point) - face.offset).abs() < 0.02)
            .map(|face| face.normal)
            .collect();
        // Where a face is grazed, the ray beside the point may meet another one.
        if faces.is_empty() || faces.iter().any(|normal| normal.dot(against).abs() < 0.2) {
            continue;
        }
        asked += 1;
        at_edges += usize::from(faces.len() > 1);
        let found = local(face_normal(b, &hit.separation, way));
        let is_such = |normal: &V::Precise| (*normal - found).length() < 1e-4;
        let such = faces
            .iter()
            .filter(|normal| normal.dot(against) > 0.0)
            .any(is_such);
        assert!(such, "{found:?} {faces:?} {hit:?} {shape:?}");
    }
    assert!(asked > 400 && at_edges > 100, "{asked} {at_edges}");
}
