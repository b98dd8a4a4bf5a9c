//! Clouds of points of every kind.

use clearance_math::{DVec2, DVec3, PreciseVector, Quat, Real, Vec2, Vec3, Vector};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// A named set of points with the dimension of its hull where that is known.
pub(crate) type Cloud<V> = (String, Vec<V>, Option<usize>);

pub(crate) fn generator(seed: u64) -> Pcg64 {
    Pcg64::seed_from_u64(seed)
}

/// Components uniform between -1 and 1.
pub(crate) fn uniform<V: Vector>(rng: &mut Pcg64) -> V {
    V::from_fn(|_| rng.random_range(-1.0..1.0))
}

/// Components about normally distributed.
fn normal<V: Vector>(rng: &mut Pcg64) -> V {
    (0..8).fold(V::ZERO, |sum, _| sum + uniform(rng))
}

/// A direction of unit length, all alike.
pub(crate) fn unit<P: PreciseVector, V: Vector<Precise = P>>(rng: &mut Pcg64) -> P {
    let direction: Option<P> = normal::<V>(rng).to_precise().direction();
    direction.unwrap_or(P::axis(0))
}

pub(crate) fn many<V>(count: usize, mut make: impl FnMut(usize) -> V) -> Vec<V> {
    (0..count).map(&mut make).collect()
}

/// The points `factors * v`.
pub(crate) fn stretched<V: Vector>(points: &[V], factors: [Real; 3]) -> Vec<V> {
    let stretch =
        |v: &V| (0..V::DIM).fold(*v, |v, k| v.with_component(k, v.component(k) * factors[k]));
    points.iter().map(stretch).collect()
}

/// All points with integer coordinates from 0 to `side - 1`.
fn grid<V: Vector>(side: usize) -> Vec<V> {
    many(side.pow(V::DIM as u32), |index| {
        V::from_fn(|k| (index / side.pow(k as u32) % side) as Real)
    })
}

/// Clouds that exist in both dimensions.
pub(crate) fn clouds<V: Vector>(rng: &mut Pcg64) -> Vec<Cloud<V>> {
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
pub(crate) fn clouds_in_space(rng: &mut Pcg64) -> Vec<Cloud<Vec3>> {
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
