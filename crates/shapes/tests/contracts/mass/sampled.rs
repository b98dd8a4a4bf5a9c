//! Random bodies: their surface as triangles, and points thrown into their boxes.

use clearance::generic::{Placed, point_proximity};
use clearance_math::{DVec2, DVec3, Pose, PreciseVector, Vec2, Vector};
use clearance_shapes::{MassProperties, Shape};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use std::f64::consts::PI;

use super::{assert_near, farthest, shapes, shapes_of_space};

fn assert_as_surface<V: Vector>(shape: &Shape<V>, surface: MassProperties<V>, slack: f64) {
    let of = shape.mass_properties(1.5).unwrap();
    assert_near(&surface, &of, slack, &format!("{shape}"));
}

#[test]
fn surfaces_of_support_points_in_the_plane() {
    let random = &mut Pcg64::seed_from_u64(51);
    for shape in (0..4)
        .flat_map(|_| shapes::<Vec2>(random))
        .collect::<Vec<_>>()
    {
        let count = 20_000;
        let at = |k: u32| {
            let (sin, cos) = (2.0 * PI * f64::from(k) / f64::from(count)).sin_cos();
            farthest(&shape, DVec2::new(cos, sin))
        };
        let outline: Vec<Vec2> = (0..count).chain([0]).map(at).collect();
        assert_as_surface(&shape, MassProperties::of_surface([&outline], 1.5), 1e-6);
    }
}

#[test]
fn surfaces_of_support_points_in_space() {
    let random = &mut Pcg64::seed_from_u64(52);
    for shape in shapes_of_space(random) {
        let (rows, columns) = (200, 400);
        let at = |[row, column]: [usize; 2]| {
            let (sin, cos) = (PI * row as f64 / rows as f64).sin_cos();
            // All columns have one point in common at each pole, also where zeros have signs.
            let sin = if row == rows { 0.0 } else { sin };
            let (east, north) = (2.0 * PI * (column as f64 + 0.1) / columns as f64).sin_cos();
            farthest(
                &shape,
                DVec3::new(sin * east, cos, sin * north) + DVec3::ZERO,
            )
        };
        let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        let faces = cells.map(|(row, column)| {
            let next = (column + 1) % columns;
            [
                [row, column],
                [row + 1, column],
                [row + 1, next],
                [row, next],
            ]
            .map(at)
        });
        assert_as_surface(&shape, MassProperties::of_surface(faces, 1.5), 1e-3);
    }
}

/// Throws points into the box of the shape; also five standard deviations.
fn thrown<V: Vector>(shape: &Shape<V>, random: &mut Pcg64) -> (MassProperties<V>, f64) {
    let bounds = shape.bounds(&Pose::IDENTITY);
    let (low, size) = (
        bounds.min.to_precise(),
        (bounds.max - bounds.min).to_precise(),
    );
    let all = (0..V::DIM).fold(1.0, |volume, k| volume * size.component(k));
    let count = 40_000;
    let mut sum = MassProperties::of_point(V::Precise::ZERO, 0.0);
    for _ in 0..count {
        let place = (0..V::DIM).fold(low, |place, k| {
            let part = random.random_range(0.0..1.0);
            place.with_component(k, low.component(k) + part * size.component(k))
        });
        let at = V::from_precise(place);
        let near = point_proximity(at, Placed::new(shape, &Pose::IDENTITY), f32::INFINITY);
        if near.unwrap().near().unwrap().distance <= 0.0 {
            sum = sum + MassProperties::of_point(place, all / f64::from(count));
        }
    }
    sum.volume = sum.mass;
    (
        sum,
        5.0 * (f64::from(count) * sum.volume / all).sqrt().recip(),
    )
}

#[test]
fn points_thrown_at_random() {
    fn check<V: Vector>(shapes: Vec<Shape<V>>, random: &mut Pcg64) {
        for shape in shapes {
            let (found, slack) = thrown(&shape, random);
            let expected = shape.mass_properties(1.0).unwrap();
            assert_near(&found, &expected, slack, &format!("{shape}"));
        }
    }
    let random = &mut Pcg64::seed_from_u64(53);
    check(shapes_of_space(random), random);
    check(shapes::<Vec2>(random), random);
}
