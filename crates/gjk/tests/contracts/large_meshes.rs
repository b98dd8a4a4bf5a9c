//! Meshes with trees of several levels, of all sizes: an answer is that of all triangles, one by one.

use clearance_gjk::{
    Placed, Proximity, RayOptions, Separation, cast_ray, contacts_into, intersects,
    point_proximity, proximity, ray_hits,
};
use clearance_math::{Pose, Quat, Ray, Real, Vec3};
use clearance_shapes::Shape;

use crate::common::{Pcg, Space, iterations};
use crate::composite_shapes::squares;
use crate::composites::all_pairs;

/// Meshes are larger or smaller by these factors.
const SCALES: [Real; 9] = [1.0, 1e-3, 1e3, 1e-15, 1e-21, 1e-22, 1e-30, 1e15, 1e25];

/// A sheet of hills, about two units wide, whose triangles are in no order.
fn hills(random: &mut Pcg, scale: Real) -> Shape<Vec3> {
    let side = 2 + random.below(24);
    hills_of(random, side, scale)
}

/// The same, with a number of squares a side.
fn hills_of(random: &mut Pcg, side: usize, scale: Real) -> Shape<Vec3> {
    let at = |k: usize| k as Real / side as Real * 2.0 - 1.0;
    let mut vertices = Vec::new();
    for k in 0..(side + 1) * (side + 1) {
        let height: Vec3 = random.point(0.1);
        vertices.push(Vec3::new(at(k / (side + 1)), height.y, at(k % (side + 1))) * scale);
    }
    let mut triangles = squares(side as u32);
    for last in (1..triangles.len()).rev() {
        triangles.swap(last, random.below(last + 1));
    }
    Shape::mesh(vertices, triangles).expect("finite vertices")
}

/// The answers of all triangles, each measured as a shape of its own.
fn one_by_one(mesh: Placed<Vec3>, other: Placed<Vec3>, within: Real) -> Vec<Separation<Vec3>> {
    let mut all = all_pairs(mesh, other, within).expect("triangles have no poses");
    all.retain(|near| near.distance <= within);
    all
}

/// The least of them; of equal ones the first.
fn least(all: &[Separation<Vec3>]) -> Option<&Separation<Vec3>> {
    all.iter().min_by(|a, b| a.distance.total_cmp(&b.distance))
}

/// The closest point of a mesh is that of its nearest triangle.
fn the_closest_point_is_that_of_one_triangle(mesh: Placed<Vec3>, point: Vec3) {
    let nearest = point_proximity(point, mesh, Real::INFINITY).expect("valid poses");
    let at = Pose::from_translation(point);
    let dot = Shape::segment(Vec3::ZERO, Vec3::ZERO).expect("zero is finite");
    let dot = Placed::new(&dot, &at);
    let all = one_by_one(mesh, dot, Real::INFINITY);
    let expected = least(&all).map(|near| (near.distance, near.part_a));
    let nearest = nearest.near().map(|near| (near.distance, near.part_b));
    assert_eq!(nearest, expected, "{point} {:?}", mesh.pose);
}

/// More triangles than a search keeps at once.
#[test]
fn what_reaches_every_triangle_has_a_contact_with_each() {
    let mut random = Pcg::new(4712);
    for side in [15, 16, 17, 30] {
        let mesh = hills_of(&mut random, side, 1.0);
        let pose = Pose::new(random.point::<Vec3>(1.0), Vec3::any_rotation(&mut random));
        let at = Pose::new(random.point::<Vec3>(1.0), Vec3::any_rotation(&mut random));
        let mesh = Placed::new(&mesh, &pose);
        for shape in [Shape::ball(0.2), Shape::cuboid(Vec3::new(0.1, 0.2, 0.3))] {
            let shape = shape.expect("a valid size");
            let other = Placed::new(&shape, &at);
            let all = one_by_one(mesh, other, 8.0);
            assert_eq!(all.len(), 2 * side * side);
            let mut found = Vec::new();
            contacts_into(mesh, other, 8.0, &mut found).expect("valid poses");
            assert_eq!(format!("{found:?}"), format!("{all:?}"));
        }
    }
}

#[test]
fn what_is_near_a_large_mesh_is_near_one_of_its_triangles() {
    let mut random = Pcg::new(4711);
    let (mut near, mut far) = (0, 0);
    for k in 0..iterations(140) {
        let scale = SCALES[k % SCALES.len()];
        let mesh = hills(&mut random, scale);
        let place = |random: &mut Pcg, reach: f64| {
            Pose::new(
                random.point::<Vec3>(reach) * scale,
                Vec3::any_rotation(random),
            )
        };
        let pose = place(&mut random, 1.0);
        let at = place(&mut random, 1.5);
        let size = random.pick(&[1e-3, 0.1, 1.0]) * scale;
        let shape = match random.below(3) {
            0 => Shape::ball(size),
            1 => Shape::cuboid(Vec3::new(size, 0.5 * size, 2.0 * size)),
            _ => Shape::segment(Vec3::ZERO, Vec3::ZERO),
        };
        let shape = shape.expect("a valid size");
        let other = Placed::new(&shape, &at);
        let within = random.pick(&[0.0, 0.1 * scale, Real::INFINITY]);
        let placed = Placed::new(&mesh, &pose);
        let all = one_by_one(placed, other, within);
        let answer = proximity(placed, other, within)
            .expect("valid poses")
            .near();
        let answer = answer.filter(|near| near.distance <= within);
        let first = least(&all);
        let context = format!("{answer:?} {first:?} {shape:?} {at:?} {pose:?} {scale} {within}");
        match (answer, first) {
            (Some(answer), Some(first)) => {
                near += 1;
                let lowest = all
                    .iter()
                    .map(|near| near.lower)
                    .fold(Real::INFINITY, Real::min);
                assert!(answer.lower <= lowest, "{context}");
                let expected = Separation {
                    lower: answer.lower,
                    ..*first
                };
                assert_eq!(format!("{answer:?}"), format!("{expected:?}"), "{context}");
            }
            (None, None) => far += 1,
            _ => panic!("{context}"),
        }
        if within < Real::INFINITY {
            let mut found = Vec::new();
            contacts_into(placed, other, within, &mut found).expect("valid poses");
            assert_eq!(format!("{found:?}"), format!("{all:?}"), "{context}");
            let touches = all.iter().any(|near| near.distance <= 0.0);
            assert_eq!(intersects(placed, other), Ok(touches), "{context}");
        }
        the_closest_point_is_that_of_one_triangle(placed, random.point::<Vec3>(3.0) * scale);
    }
    assert!(near > 60 && far > 20, "{near} near and {far} far");
}

/// A sliver that lies on a line with the point has no plane to speak of. Rounding made its distance from that
/// plane nearly zero, and the triangle beside it was passed over.
#[test]
fn slivers_in_line_with_a_point_hide_nothing() {
    let mut random = Pcg::new(4713);
    let half = core::f32::consts::FRAC_1_SQRT_2;
    let turns = [
        [0.0, 0.0, half, half],
        [half, 0.0, 0.0, half],
        [0.0, half, 0.0, half],
        [half, half, 0.0, 0.0],
    ];
    for round in 0..iterations(4000) {
        let eighths = |random: &mut Pcg| (random.point::<Vec3>(1.0) * 8.0).round() / 8.0;
        let (start, along) = (eighths(&mut random), eighths(&mut random));
        if along == Vec3::ZERO {
            continue;
        }
        let on_line = |share: Real| start + along * share;
        let point = on_line(-5.0);
        let across = along.any_orthogonal_vector().normalize() * 0.5;
        let beside = [
            point + across,
            point + across * 2.0,
            point + across * 2.0 + along,
        ];
        let mut vertices = [on_line(0.0), on_line(1.0), on_line(0.25)].to_vec();
        vertices.extend(beside);
        // Enough triangles for a tree with nodes; all but one are slivers.
        let mut triangles = vec![[0, 1, 2]; 40];
        triangles[round % 40] = [3, 4, 5];
        let mesh = Shape::mesh(vertices, triangles).expect("finite vertices");
        let [x, y, z, w] = turns[round % turns.len()];
        let pose = Pose::new(Vec3::ZERO, Quat::from_xyzw(x, y, z, w));
        let mesh = Placed::new(&mesh, &pose);
        the_closest_point_is_that_of_one_triangle(mesh, pose.transform_point(point));
    }
}

/// A small triangle, and a cuboid so far away that products overflow in single precision.
#[test]
fn cuboids_at_the_end_of_the_world_have_distances() {
    let corners = [
        Vec3::new(0.0, -1e7, -1e7),
        Vec3::new(0.0, 1e7, -1e7),
        Vec3::new(0.0, -1e7, 1e7),
    ];
    let mesh = Shape::mesh(corners, vec![[0, 1, 2]]).expect("finite vertices");
    let cuboid = Shape::cuboid(Vec3::ONE).expect("positive half extents");
    let far = Pose::from_translation(Vec3::X * 1e24);
    let answer = proximity(
        Placed::new(&mesh, &Pose::IDENTITY),
        Placed::new(&cuboid, &far),
        2e24,
    );
    let near = answer.expect("valid poses").near().expect("within range");
    assert!((near.distance - 1e24).abs() < 1e18, "{near:?}");
}

#[test]
fn rays_at_a_large_mesh_hit_the_first_of_its_triangles() {
    let mut random = Pcg::new(4712);
    let (mut hits, mut asked) = (0, 0);
    for k in 0..iterations(70) {
        let scale = SCALES[k % SCALES.len()];
        let mesh = hills(&mut random, scale);
        let pose = Pose::new(
            random.point::<Vec3>(1.0) * scale,
            Vec3::any_rotation(&mut random),
        );
        for _ in 0..10 {
            let far = random.pick(&[0.5, 3.0, 100.0]);
            let origin = random.point::<Vec3>(far) * scale;
            let target =
                pose.transform_point(random.point::<Vec3>(0.9) * Vec3::new(1.0, 0.1, 1.0) * scale);
            let along = match random.below(4) {
                0 => pose.transform_point(Vec3::X * scale) - pose.transform_point(Vec3::ZERO),
                1 => Vec3::NEG_Y,
                _ => target - origin,
            };
            let Ok(ray) = Ray::new(origin, along) else {
                continue;
            };
            let max_distance = random.pick(&[scale, Real::INFINITY]);
            let options = RayOptions {
                max_distance,
                ..RayOptions::default()
            };
            let hit = cast_ray(&ray, Placed::new(&mesh, &pose), options).expect("valid");
            let any = ray_hits(&ray, Placed::new(&mesh, &pose), options);
            assert_eq!(any, Ok(hit.is_some()));
            let Shape::Composite(composite) = &mesh else {
                unreachable!("a mesh is a composite");
            };
            let alone = (0..composite.part_count()).filter_map(|number| {
                let part = composite.part(number)?;
                cast_ray(&ray, Placed::new(&part.shape, &pose), options).expect("valid")
            });
            let first = alone.map(|hit| hit.distance).reduce(Real::min);
            let context = format!("{hit:?} {first:?} {ray:?} {pose:?} {scale} {options:?}");
            asked += 1;
            match (hit, first) {
                (Some(hit), Some(first)) => {
                    hits += 1;
                    let error = (hit.distance - first).abs();
                    assert!(error <= 1e-6 * (scale + first), "{context}");
                }
                // A ray that grazes an edge may hit or miss by rounding; random rays do not.
                (None, None) => {}
                _ => panic!("{context}"),
            }
        }
    }
    assert!(hits * 4 > asked && asked > 500, "{hits} of {asked}");
}

/// A mesh about two units wide: a sheet of hills, a flat one, a closed surface with bumps, or triangles without any order,
/// some of which are points. Some triangles face the other way.
fn any_mesh(random: &mut Pcg, scale: Real) -> Shape<Vec3> {
    let side = 3 + random.below(6);
    let (kind, bumps) = (random.below(4), random.pick(&[0.0, 0.05, 0.5]));
    let mut vertices = Vec::new();
    for k in 0..(side + 1) * (side + 1) {
        let [i, j] = [k / (side + 1), k % (side + 1)].map(|k| k as Real / side as Real * 2.0 - 1.0);
        let random_point: Vec3 = random.point(1.0);
        let turn = core::f32::consts::PI * j;
        let width = (1.0 - i * i).max(0.0).sqrt();
        vertices.push(
            match kind {
                0 => Vec3::new(i, bumps * random_point.y, j),
                1 => Vec3::new(i, 0.0, j),
                2 => {
                    Vec3::new(turn.cos() * width, i, turn.sin() * width)
                        * (1.0 + bumps * random_point.x)
                }
                _ => random_point,
            } * scale,
        );
    }
    let mut triangles = squares(side as u32);
    for triangle in &mut triangles {
        match random.below(12) {
            0 => triangle.swap(0, 1),
            1 if kind == 3 => *triangle = [triangle[0]; 3],
            _ => {}
        }
    }
    Shape::mesh(vertices, triangles).expect("finite vertices")
}

#[test]
fn two_meshes_are_as_near_as_their_nearest_triangles() {
    let mut random = Pcg::new(4714);
    let (mut apart, mut overlapping, mut far) = (0, 0, 0);
    for k in 0..iterations(120) {
        let scale = SCALES[k % SCALES.len()];
        let meshes =
            [scale, scale * random.pick(&[1.0, 1.0, 0.1])].map(|size| any_mesh(&mut random, size));
        let reach = random.pick(&[0.5, 1.5, 4.0]);
        let poses = [0, 1].map(|_| {
            let place = random.point::<Vec3>(reach) * scale;
            Pose::new(place, Vec3::any_rotation(&mut random))
        });
        let [a, b] = [0, 1].map(|side| Placed::new(&meshes[side], &poses[side]));
        let within = random.pick(&[0.0, 0.1, Real::INFINITY]) * scale;
        let all = one_by_one(a, b, within);
        let context = format!("case {k}: {poses:?} {scale} {within}");
        match (proximity(a, b, within).expect("valid poses"), least(&all)) {
            (Proximity::Near(near), Some(least)) => {
                let is_it = |other: &&Separation<Vec3>| {
                    (other.part_a, other.part_b) == (near.part_a, near.part_b)
                };
                let alone = all.iter().find(is_it).expect("a pair of parts");
                assert_eq!(near.distance, least.distance, "{context}");
                let expected = Separation {
                    lower: near.lower,
                    ..*alone
                };
                assert_eq!(format!("{near:?}"), format!("{expected:?}"), "{context}");
                assert!(
                    all.iter().all(|other| near.lower <= other.lower),
                    "{context}"
                );
                (apart, overlapping) = if near.distance > 0.0 {
                    (apart + 1, overlapping)
                } else {
                    (apart, overlapping + 1)
                };
            }
            (Proximity::Farther { lower }, None) => {
                let truth = one_by_one(a, b, Real::INFINITY);
                assert!(
                    truth.iter().all(|other| lower <= other.distance),
                    "{context}"
                );
                far += 1;
            }
            (answer, least) => panic!("{answer:?} {least:?} {context}"),
        }
        if within < Real::INFINITY {
            let mut found = Vec::new();
            contacts_into(a, b, within, &mut found).expect("valid poses");
            assert_eq!(format!("{found:?}"), format!("{all:?}"), "{context}");
        }
    }
    let counts = [apart, overlapping, far];
    assert!(counts.iter().all(|&count| count > 12), "{counts:?}");
}
