//! No ray passes between triangles that share an edge or a vertex, in meshes and height fields, also where
//! they are parts of a turned compound.

use clearance_gjk::{Placed, RayOptions, cast_ray, ray_hits};
use clearance_math::{Pose, Ray, Real, Vec3, Vector};
use clearance_shapes::{CompoundPart, Shape};

use crate::common::{Pcg, Space, iterations};
use crate::composite_shapes::squares;

/// Triangles of very different sizes that cover the unit square of the xz plane, at random heights.
fn sheet(random: &mut Pcg) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let side = 6;
    let mut places: Vec<f64> = (0..side - 2).map(|_| random.unit()).collect();
    places.extend([0.0, 1.0]);
    places.sort_by(f64::total_cmp);
    let mut vertices = Vec::new();
    for (row, z) in places.iter().enumerate() {
        for (column, x) in places.iter().enumerate() {
            let is_rim = [row, column].iter().any(|&k| k == 0 || k == side - 1);
            let y = if is_rim {
                0.0
            } else {
                random.between(-0.3, 0.3)
            };
            vertices.push(Vec3::new(*x as Real, y as Real, *z as Real));
        }
    }
    (vertices, squares(side as u32 - 1))
}

/// A height field with the heights of a sheet of equal cells.
fn terrain(random: &mut Pcg) -> (Shape<Vec3>, Vec<Vec3>) {
    let side = 7;
    let heights: Vec<Real> = (0..side * side)
        .map(|_| random.between(-0.3, 0.3) as Real)
        .collect();
    let shape =
        Shape::height_field(heights, side, Vec3::new(1.7, 0.9, 1.3)).expect("a valid field");
    let Shape::Composite(field) = &shape else {
        panic!("a height field is a composite");
    };
    let parts = (0..field.part_count()).filter_map(|number| field.part(number));
    let corners = parts.map(|part| match &*part.shape {
        Shape::Convex(convex) => Vec3::from_precise(convex.core_center()),
        _ => panic!("parts are convex"),
    });
    let inner = corners.collect();
    (shape, inner)
}

/// Rays at points of edges and at vertices that are not on the rim: every one has to hit.
#[test]
fn no_ray_passes_between_triangles_of_composites() {
    let mut random = Pcg::new(1509);
    let mut count = 0;
    for round in 0..iterations(400) {
        let (vertices, triangles) = sheet(&mut random);
        let mesh = Shape::mesh(&vertices, &triangles).expect("a valid mesh");
        let inner = if round % 2 == 0 {
            Pose::IDENTITY
        } else {
            Pose::new(random.point::<Vec3>(3.0), Vec3::any_rotation(&mut random))
        };
        let shape = if round % 2 == 0 {
            mesh
        } else {
            Shape::compound(vec![CompoundPart::new(mesh, inner)]).expect("one part")
        };
        let body = Pose::new(random.point::<Vec3>(2.0), Vec3::any_rotation(&mut random));
        let placed = Placed::new(&shape, &body);
        let in_world = |point: Vec3| body.transform_point(inner.transform_point(point));
        for _ in 0..60 {
            let [a, b, c] = random
                .pick(&triangles)
                .map(|index| vertices[index as usize]);
            let anywhere = random.unit();
            let along = random.pick(&[0.0, 0.5, 1.0, anywhere]) as Real;
            let (start, end) = random.pick(&[(a, b), (b, c), (c, a)]);
            let target = start + (end - start) * along;
            let is_inner = |x: Real| (0.01..=0.99).contains(&x);
            if !is_inner(target.x) || !is_inner(target.z) {
                continue;
            }
            // Straight down in the frame of the mesh, so that rounding cannot lead past a fold.
            let (origin, aim) = (in_world(target + Vec3::Y * 2.0), in_world(target - Vec3::Y));
            let ray = Ray::new(origin, aim - origin).expect("a direction");
            let hit = cast_ray(&ray, placed, RayOptions::default()).expect("a valid question");
            assert!(hit.is_some(), "{ray:?} passes {shape:?} at {body:?}");
            assert_eq!(ray_hits(&ray, placed, RayOptions::default()), Ok(true));
            count += 1;
        }
    }
    assert!(count > 5000, "{count}");
}

#[test]
fn no_ray_from_above_passes_a_height_field() {
    let mut random = Pcg::new(1510);
    for _ in 0..iterations(300) {
        let (shape, inner) = terrain(&mut random);
        let body = Pose::new(random.point::<Vec3>(2.0), Vec3::any_rotation(&mut random));
        let placed = Placed::new(&shape, &body);
        for _ in 0..30 {
            // Through a vertex or an edge of the grid, or anywhere, straight down in its frame.
            let near = random.pick(&inner);
            let snap = |x: Real, cells: Real, size: Real| {
                ((x / size + 0.5) * cells).round() / cells * size - 0.5 * size
            };
            let x = snap(near.x, 6.0, 1.7).clamp(-0.8, 0.8);
            let z = if random.chance(0.5) {
                near.z
            } else {
                snap(near.z, 6.0, 1.3)
            };
            let z = z.clamp(-0.6, 0.6);
            let from = body.transform_point(Vec3::new(x, 2.0, z));
            let to = body.transform_point(Vec3::new(x, -2.0, z));
            let ray = Ray::new(from, to - from).expect("a direction");
            assert_eq!(
                ray_hits(&ray, placed, RayOptions::default()),
                Ok(true),
                "{ray:?} passes {shape:?} at {body:?}"
            );
        }
    }
}
