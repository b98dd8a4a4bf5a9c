//! Hulls of clouds of every kind: checked exactly against the points that they were made of.

use clearance_math::{Quat, Real, Vec2, Vec3, Vector, tolerances};
use clearance_shapes::hull::Hull;
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64;

use crate::clouds::{Cloud, clouds, clouds_in_space, generator, many, stretched, uniform, unit};
use crate::encloses::assert_encloses;
use crate::supports::assert_supports;

fn check<V: Vector>((name, points, dimension): Cloud<V>, rng: &mut Pcg64) {
    let hull = Hull::from_points(&points).unwrap();
    hull.validate()
        .unwrap_or_else(|complaint| panic!("{name}: {complaint}"));
    if let Some(dimension) = dimension {
        assert_eq!(hull.dimension(), dimension, "{name}");
    }
    let given = |vertex: &V| points.contains(vertex);
    assert!(
        hull.vertices().iter().all(given),
        "{name}: a vertex is no point"
    );
    assert_encloses(&name, &hull, &points);
    assert_supports(&name, rng, &hull, &points);
    assert!(hull.memory() > size_of_val(hull.vertices()), "{name}");
    let mut shuffled = points;
    shuffled.extend_from_within(..1);
    shuffled.shuffle(rng);
    let again = Hull::from_points(&shuffled).unwrap();
    assert!(again == hull, "{name}: depends on the order");
    let again = Hull::from_points(hull.vertices()).unwrap();
    assert!(again == hull, "{name}: not the hull of itself");
}

#[test]
fn clouds_in_the_plane_have_exact_hulls() {
    let rng = &mut generator(1);
    for cloud in clouds::<Vec2>(rng) {
        check(cloud, rng);
    }
}

#[test]
fn clouds_in_space_have_exact_hulls() {
    let rng = &mut generator(2);
    for cloud in clouds_in_space(rng) {
        check(cloud, rng);
    }
}

#[test]
fn few_points_on_a_lattice_have_exact_hulls() {
    let rng = &mut generator(3);
    for round in 0..3000 {
        let count = rng.random_range(1..14);
        let side = rng.random_range(1..4_i16);
        // The sign comes extra for the sake of minus zero.
        let sign = |rng: &mut Pcg64| if rng.random() { 1.0 } else { -1.0 };
        let whole = |rng: &mut Pcg64| sign(rng) * Real::from(rng.random_range(-side..=side));
        let points = many(count, |_| Vec3::new(whole(rng), whole(rng), whole(rng)));
        let name = format!("lattice {round}");
        let flat = points.iter().map(|v| v.truncate()).collect();
        check((name.clone(), flat, None), rng);
        check((name, points, None), rng);
    }
}

#[test]
fn large_hulls_are_valid_and_walked_to_the_farthest_vertex() {
    let rng = &mut generator(4);
    let sphere: Vec<Vec3> = many(3000, |_| unit::<_, Vec3>(rng).as_vec3());
    for factors in [[1.0; 3], [1.0, 1e-3, 1e-3], [1.0, 1.0, 1e-3]] {
        let points = stretched(&sphere, factors);
        let hull = Hull::from_points(&points).unwrap();
        hull.validate().unwrap();
        assert_supports("large", rng, &hull, &points);
    }
}

/// How far below a face the highest vertex is that does not belong to it.
fn gap_below(hull: &Hull<Vec3>, face: usize) -> f64 {
    let face = hull.face(face);
    let others = (0..hull.vertices().len() as u32).filter(|vertex| !face.vertices.contains(vertex));
    let heights = others.map(|vertex| {
        let vertex = hull.vertices()[vertex as usize].to_precise();
        face.offset - vertex.dot(face.normal)
    });
    heights.fold(f64::INFINITY, f64::min)
}

/// Contacts rely on it: beside a face that is alone no vertex is looked for.
#[test]
fn no_other_vertex_is_level_with_a_face_that_is_alone() {
    let mut rng = generator(58);
    let (mut alone, mut level) = (0, 0);
    for k in 0..400 {
        // Boxes whose corners are rounded, so that their faces are two triangles each, and clouds that are flat or not.
        let flat = [1.0, 1e-2, 1e-5][k % 3];
        let points: Vec<Vec3> = if k % 2 == 0 {
            let turn = Quat::from_axis_angle(uniform::<Vec3>(&mut rng).normalize(), 1.0);
            let corner = |c: usize| Vec3::from_array([0, 1, 2].map(|j| (c >> j & 1) as Real));
            many(8, |c| turn * corner(c))
        } else {
            many(40, |_| {
                uniform::<Vec3>(&mut rng) * Vec3::new(1.0, flat, 1.0)
            })
        };
        let hull = Hull::from_points(&points).expect("finite points");
        let extent = hull
            .vertices()
            .iter()
            .fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), &v| {
                (low.min(v), high.max(v))
            });
        let slack = tolerances::MANIFOLD_SLACK * f64::from((extent.1 - extent.0).length());
        for face in 0..hull.faces().len() {
            let is_clear = gap_below(&hull, face) > slack;
            assert!(
                is_clear || !hull.is_face_alone(face),
                "hull {k}, face {face}"
            );
            alone += usize::from(hull.is_face_alone(face));
            level += usize::from(!is_clear);
        }
    }
    assert!(alone > 2000 && level > 500, "{alone} alone, {level} level");
}
