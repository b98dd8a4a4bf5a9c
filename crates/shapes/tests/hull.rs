//! Hulls of clouds of every kind: checked exactly against the points that they were made of.

use clearance_math::{DVec2, DVec3, PreciseVector, Quat, Real, Vec2, Vec3, Vector, tolerances};
use clearance_shapes::hull::Hull;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use robust::{Coord, Coord3D, orient2d, orient3d};

/// A named set of points with the dimension of its hull where that is known.
type Cloud<V> = (String, Vec<V>, Option<usize>);

fn generator(seed: u64) -> Pcg64 {
    Pcg64::seed_from_u64(seed)
}

/// Components uniform between -1 and 1.
fn uniform<V: Vector>(rng: &mut Pcg64) -> V {
    (0..V::DIM).fold(V::ZERO, |v, k| {
        v.with_component(k, rng.random_range(-1.0..1.0))
    })
}

/// Components about normally distributed.
fn normal<V: Vector>(rng: &mut Pcg64) -> V {
    (0..8).fold(V::ZERO, |sum, _| sum + uniform(rng))
}

/// A direction of unit length, all alike.
fn unit<P: PreciseVector, V: Vector<Precise = P>>(rng: &mut Pcg64) -> P {
    let direction: Option<P> = normal::<V>(rng).to_precise().direction();
    direction.unwrap_or(P::axis(0))
}

fn many<V>(count: usize, mut make: impl FnMut(usize) -> V) -> Vec<V> {
    (0..count).map(&mut make).collect()
}

/// The points `factors * v`.
fn stretched<V: Vector>(points: &[V], factors: [Real; 3]) -> Vec<V> {
    let stretch =
        |v: &V| (0..V::DIM).fold(*v, |v, k| v.with_component(k, v.component(k) * factors[k]));
    points.iter().map(stretch).collect()
}

/// All points with integer coordinates from 0 to `side - 1`.
fn grid<V: Vector>(side: usize) -> Vec<V> {
    many(side.pow(V::DIM as u32), |index| {
        (0..V::DIM).fold(V::ZERO, |v, k| {
            v.with_component(k, (index / side.pow(k as u32) % side) as Real)
        })
    })
}

/// Clouds that exist in both dimensions.
fn clouds<V: Vector>(rng: &mut Pcg64) -> Vec<Cloud<V>> {
    let mut clouds: Vec<Cloud<V>> = Vec::new();
    let mut add = |name: &str, points: Vec<V>, dimension: Option<usize>| {
        clouds.push((
            format!("{name}, {} points", points.len()),
            points,
            dimension,
        ));
    };
    for count in [5, 20, 60, 150, 600] {
        let sphere = many(count, |_| V::from_precise(unit::<_, V>(rng)));
        add(
            "needle",
            stretched(&sphere, [1.0, 1e-3, 1e-3]),
            Some(V::DIM),
        );
        add("plate", stretched(&sphere, [1.0, 1e-3, 1.0]), Some(V::DIM));
        add("huge", stretched(&sphere, [3e38; 3]), Some(V::DIM));
        add("subnormal", stretched(&sphere, [1e-42; 3]), Some(V::DIM));
        add(
            "very uneven",
            stretched(&sphere, [1e-40, 1e38, 1.0]),
            Some(V::DIM),
        );
        let far = sphere.iter().map(|&v| v + V::splat(1e4)).collect();
        add("far from the origin", far, Some(V::DIM));
        let near = |v: &V| {
            [
                *v,
                *v + uniform::<V>(rng) * 1e-7,
                *v + uniform::<V>(rng) * 1e-7,
            ]
        };
        let near = sphere.iter().flat_map(near).collect();
        add("nearly duplicated", near, Some(V::DIM));
        add(
            "duplicated",
            [sphere.clone(), sphere.clone()].concat(),
            Some(V::DIM),
        );
        add("sphere", sphere, Some(V::DIM));
        add("box", many(count, |_| uniform(rng)), Some(V::DIM));
        add("gaussian", many(count, |_| normal(rng)), Some(V::DIM));
    }
    for side in [2, 3, 4, 8] {
        let points = grid(side);
        add("grid", points.clone(), Some(V::DIM));
        add(
            "grid off the lattice",
            stretched(&points, [0.1, 0.3, 0.7]),
            Some(V::DIM),
        );
    }
    add("point", vec![uniform(rng); 3], Some(0));
    add("zero of both signs", vec![V::ZERO, -V::ZERO], Some(0));
    clouds.extend(lines(rng));
    clouds
}

/// Clouds on a line, exactly and up to rounding.
fn lines<V: Vector>(rng: &mut Pcg64) -> Vec<Cloud<V>> {
    let mut clouds: Vec<Cloud<V>> = Vec::new();
    let mut add = |name: &str, points: Vec<V>, dimension: Option<usize>| {
        clouds.push((
            format!("{name}, {} points", points.len()),
            points,
            dimension,
        ));
    };
    for count in [5, 20, 60, 150, 600] {
        let axis = count % V::DIM;
        let base: V = uniform(rng);
        let line = many(count, |_| base.with_component(axis, rng.random()));
        add("collinear", line, Some(1));
        let slope: V = normal(rng);
        let line = many(count, |_| slope * rng.random_range(-1.0..1.0));
        add("nearly collinear", line, None);
        let step = V::splat(3.0).with_component(axis, -1.0);
        let line = many(count, |_| {
            base * 0.0 + step * rng.random_range(-99_i16..99).into()
        });
        add("collinear and slanting", line, Some(1));
    }
    clouds
}

/// Clouds in space with flat parts.
fn clouds_in_space(rng: &mut Pcg64) -> Vec<Cloud<Vec3>> {
    let mut clouds = clouds::<Vec3>(rng);
    let mut add = |name: &str, points: Vec<Vec3>, dimension: Option<usize>| {
        clouds.push((
            format!("{name}, {} points", points.len()),
            points,
            dimension,
        ));
    };
    for count in [3, 4, 11, 50, 300] {
        let ring = many(count, |k| {
            let angle = core::f64::consts::TAU * k as f64 / count as f64;
            DVec2::from_angle(angle).as_vec2()
        });
        let at = |height: Real| ring.iter().map(move |v| v.extend(height));
        let prism: Vec<Vec3> = at(-1.0).chain(at(0.5)).collect();
        let turn = Quat::from_rotation_x(0.7);
        add(
            "turned prism",
            prism.iter().map(|&v| turn * v).collect(),
            Some(3),
        );
        add("prism", prism, Some(3));
        add("cone", at(0.0).chain([Vec3::Z]).collect(), Some(3));
        add(
            "double cone",
            at(0.0).chain([Vec3::Z, -Vec3::Z]).collect(),
            Some(3),
        );
        add("polygon", at(0.3).collect(), Some(2));
        add("nearly coplanar", at(0.3).map(|v| turn * v).collect(), None);
        let whole = |rng: &mut Pcg64| Real::from(rng.random_range(-9_i16..9));
        let lattice: Vec<Vec2> = many(count + 9, |_| Vec2::new(whole(rng), whole(rng)));
        let slanting = lattice
            .iter()
            .map(|v| v.extend(v.x * 3.0 - v.y * 2.0 + 1.0));
        add("coplanar and slanting", slanting.clone().collect(), Some(2));
        add(
            "pyramid on a lattice",
            slanting.chain([Vec3::Z * 99.0]).collect(),
            Some(3),
        );
        let helix = many(count + 1, |k| {
            let t = k as f64 / 9.0;
            DVec3::new(t.cos(), t.sin(), t).as_vec3()
        });
        add("helix", helix, Some(3));
        let moment = many(count + 1, |k| {
            let t = k as f64 / count as f64;
            DVec3::new(t, t * t, t * t * t).as_vec3()
        });
        add("moment curve", moment, Some(3));
        let crossing = ring.iter().map(|v| Vec3::new(0.0, v.x + 0.5, v.y));
        add("two circles", at(0.0).chain(crossing).collect(), Some(3));
    }
    clouds
}

fn turn(a: DVec2, b: DVec2, c: DVec2) -> f64 {
    let [a, b, c] = [a, b, c].map(|v| Coord { x: v.x, y: v.y });
    orient2d(a, b, c)
}

/// Positive above the triangle.
fn height(corners: [DVec3; 3], point: DVec3) -> f64 {
    let [a, b, c, d] = [corners[0], corners[1], corners[2], point].map(|v| Coord3D {
        x: v.x,
        y: v.y,
        z: v.z,
    });
    -orient3d(a, b, c, d)
}

/// Whether each point is in the hull, decided exactly.
fn assert_encloses<V: Vector>(name: &str, hull: &Hull<V>, points: &[V]) {
    let vertex = |v: u32| hull.vertices()[v as usize].to_precise().in_space();
    for point in points.iter().map(|v| v.to_precise().in_space()) {
        for face in hull.faces() {
            let list = face.vertices;
            if V::DIM == 2 {
                let [a, b] = [list[0], list[1]].map(|v| vertex(v).truncate());
                assert!(
                    turn(a, b, point.truncate()) >= 0.0,
                    "{name}: {point} outside"
                );
                continue;
            }
            let plane = [list[0], list[1], list[2]].map(vertex);
            assert!(height(plane, point) <= 0.0, "{name}: {point} outside");
            if hull.dimension() == 2 {
                // Seen along the axis that the normal leans to, the polygon keeps its sense.
                let n = face.normal.in_space();
                let axis = n.abs().max_position();
                let flat = |v: DVec3| DVec2::new(v[(axis + 1) % 3], v[(axis + 2) % 3]);
                for (k, &a) in list.iter().enumerate() {
                    let b = vertex(list[(k + 1) % list.len()]);
                    let side = turn(flat(vertex(a)), flat(b), flat(point)) * n[axis].signum();
                    assert!(side >= 0.0, "{name}: {point} outside in its plane");
                }
            }
        }
        if hull.dimension() < 2 {
            let (a, b) = (vertex(0), vertex(hull.dimension() as u32));
            for axis in 0..3 {
                let flat = |v: DVec3| DVec2::new(v[axis], v[(axis + 1) % 3]);
                assert_eq!(
                    turn(flat(a), flat(b), flat(point)),
                    0.0,
                    "{name}: {point} beside"
                );
            }
            assert!(
                a.min(b).cmple(point).all() && point.cmple(a.max(b)).all(),
                "{name}"
            );
        }
    }
}

/// Directions at random and where ties and near ties are.
fn directions<V: Vector>(rng: &mut Pcg64, hull: &Hull<V>) -> Vec<V::Precise> {
    let mut directions = many(200, |_| unit::<_, V>(rng));
    for k in 0..V::DIM {
        directions.extend([V::Precise::axis(k), -V::Precise::axis(k)]);
    }
    for face in hull.faces().step_by(1 + hull.faces().len() / 200) {
        directions.extend([face.normal, -face.normal]);
        directions.push(face.normal + unit::<_, V>(rng) * 1e-9);
    }
    for a in 0..hull.vertices().len() as u32 {
        let list = hull.neighbours(a);
        let position = |v: u32| hull.vertices()[v as usize].to_precise();
        let Some(along) = list
            .first()
            .and_then(|&b| (position(b) - position(a)).direction())
        else {
            continue;
        };
        let any = unit::<_, V>(rng);
        directions.push(any - along * any.dot(along));
    }
    directions
}

/// Whether the support of the hull is that of the points, up to the rounding of the products.
fn assert_supports<V: Vector>(name: &str, rng: &mut Pcg64, hull: &Hull<V>, points: &[V]) {
    // Of any length: single precision does not do for all.
    const LENGTHS: [f64; 6] = [1.0, 1e-30, 1.0, 1e30, 1e-12, 1e12];
    for (direction, length) in directions(rng, hull)
        .into_iter()
        .zip(LENGTHS.into_iter().cycle())
    {
        let direction = direction * length;
        let product = |v: V::Precise| v.dot(direction);
        let best = points
            .iter()
            .map(|v| product(v.to_precise()))
            .fold(f64::MIN, f64::max);
        let terms = |v: &V| v.to_precise().abs().dot(direction.abs());
        let slack = 4.0 * f64::EPSILON * points.iter().map(terms).fold(0.0, f64::max);
        let found = product(hull.support(direction));
        assert!(
            (found - best).abs() <= slack,
            "{name}: {found} for {best} along {direction:?}"
        );
    }
}

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
