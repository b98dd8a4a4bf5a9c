//! Shapes are written and read again.

use clearance_math::{Cell, Quat, Vec2, Vec3};
use clearance_shapes::internal::bits_of;
use clearance_shapes::{CompoundPart, OneWay, Tile};
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64;

use super::*;
use crate::{MeshFiles, read_shape_text};

fn assert_describes<V: FileVector>(shapes: &[Shape<V>]) {
    for shape in shapes {
        let text = ShapeInFile::of(shape).unwrap().to_string();
        let built: Shape<V> = read_shape_text(&text, &MeshFiles::none()).expect(&text);
        if built == *shape {
            continue;
        }
        let (mut built, mut given) = (bits_of(&built), bits_of(shape));
        let difference = built.radius.abs_diff(given.radius);
        assert!(difference <= 1, "{text}");
        (built.radius, given.radius) = (0, 0);
        assert_eq!(built, given, "{text}");
    }
}

fn shapes_of_both<V: FileVector>() -> Vec<Shape<V>> {
    let [x, y] = [V::axis(0), V::axis(1)];
    let hull = [x, y, -x, -y, x * 0.75 + y * 0.75, V::axis(V::DIM - 1)];
    let (point, end) = (x * 0.3 + y, y * -2.5 + x);
    let plain = [
        Shape::ball(0.5),
        Shape::cuboid(x * 0.5 + y * 2.0 + (V::axis(V::DIM - 1)) * 0.25),
        Shape::capsule(1.0, 0.25),
        Shape::capsule_from_endpoints(point, end, 0.5),
        Shape::capsule_from_endpoints(x, -x, 0.5),
        Shape::segment(point, end),
        Shape::segment(-y, y),
        Shape::segment(point, point),
        Shape::triangle(point, end, x * 5.0),
        Shape::hull(hull),
        Shape::ellipsoid(x * 0.5 + y * 2.0 + (V::axis(V::DIM - 1)) * 0.25),
        Shape::tapered_capsule(1.0, 0.25, 0.5),
        Shape::half_space(y),
        Shape::polyline(vec![x, y, -x]),
        Shape::points([x, y, -x], 0.25),
        Shape::voxels(
            x + y * 0.5 + V::axis(V::DIM - 1),
            [[7, -1, 20], [0, 0, 0]].map(Cell::from_components),
        ),
        Shape::capsule_from_endpoints(y, -y, 0.5),
    ];
    let mut shapes = plain.map(Result::unwrap).to_vec();
    shapes.push(tiles());
    let place = |shape: &Shape<V>, pose| CompoundPart::new(shape.clone(), pose);
    let up = OneWay {
        normal: y,
        depth: 0.25,
    };
    let inner = [
        place(&shapes[1], Pose::IDENTITY),
        place(&shapes[8], Pose::from_translation(x)),
    ];
    let inner = Shape::compound(inner).and_then(|shape| shape.with_part_user_data([u64::MAX, 3]));
    let line = shapes[13]
        .clone()
        .with_part_user_data([5, 1 << 53])
        .unwrap();
    let outer = [inner.unwrap().one_way(up).unwrap(), line.clone()];
    shapes.push(Shape::compound(outer.map(|shape| place(&shape, Pose::IDENTITY))).unwrap());
    shapes.push(line);
    shapes
}

fn tiles<V: FileVector>() -> Shape<V> {
    let [x, y] = [V::axis(0), V::axis(1)];
    let shapes = [
        Shape::hull([V::ZERO, x, x + y, V::axis(V::DIM - 1)]),
        Shape::capsule_from_endpoints(V::splat(0.5), V::splat(0.5) + x * 0.25, 0.125),
    ];
    let palette = shapes.map(|shape| Tile {
        shape: shape.unwrap(),
        user: u64::MAX,
        one_way: Some(OneWay {
            normal: y,
            depth: 0.25,
        }),
    });
    let cells = [[7, -1, 20], [0, 0, 0], [1, 0, 0]].map(Cell::from_components);
    let mut shape = Shape::tiles(V::splat(1.0), cells, palette).unwrap();
    shape.set_tiles(&cells[..1], 2).unwrap();
    shape.set_tiles(&cells[2..], 1).unwrap();
    shape
}

#[test]
fn every_shape_is_described_so_that_an_equal_one_is_built() {
    let mut plane = shapes_of_both::<Vec2>();
    plane.push(plane[13].clone().one_sided(0.25).unwrap());
    let outline = [[0.0, 0.0], [0.0, 3.0], [3.0, 3.0], [3.0, 0.0], [2.0, 2.0]].map(Vec2::from);
    let hole = [[0.5, 2.0], [1.0, 2.0], [1.0, 2.5]]
        .map(Vec2::from)
        .to_vec();
    plane.push(Shape::polygon(outline, &[]).unwrap());
    plane.push(Shape::polygon(outline, &[hole]).unwrap());
    let mut space = shapes_of_both::<Vec3>();
    let upright = [
        Shape::cylinder(1.0, 0.5),
        Shape::cone(1.0, 0.5),
        Shape::tapered_cylinder(1.0, 0.5, 0.25),
        Shape::mesh(
            vec![Vec3::X, Vec3::Y, Vec3::Z, -Vec3::X],
            vec![[0, 1, 2], [1, 2, 3]],
        ),
        Shape::height_field(vec![0.0, 1.0, 2.0, Real::NAN, 0.5, 0.25], 3, Vec3::ONE),
    ];
    space.extend(upright.map(Result::unwrap));
    let one_sided = space[space.len() - 2..].to_vec();
    space.extend(
        one_sided
            .into_iter()
            .map(|shape| shape.one_sided(0.0).unwrap()),
    );
    let faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    space.push(Shape::solid_mesh([Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z], faces).unwrap());
    let turned = Pose::new(Vec3::Y, Quat::from_xyzw(0.0, 0.6, 0.0, 0.8));
    let part = |shape: &Shape<Vec3>| CompoundPart::new(shape.clone(), turned);
    let inner = Shape::compound(vec![part(&space[0]), part(&space[2])]).unwrap();
    let parts = vec![part(&space[9]), part(&inner), part(&space[space.len() - 1])];
    space.push(Shape::compound(parts).unwrap());
    assert_describes(&plane);
    assert_describes(&space);

    let thick = |shape: &Shape<Vec3>| shape.rounded(0.1).and_then(|s| s.rounded(1e-3));
    let thick: Vec<_> = space.iter().filter_map(|shape| thick(shape).ok()).collect();
    assert_eq!(thick.len(), 17);
    assert_describes(&thick);
}

#[test]
fn capsules_are_described_whatever_their_ends() {
    assert_describes(&capsules_of_few_ends::<Vec2>());
    assert_describes(&capsules_of_few_ends::<Vec3>());
}

/// So few that many lie on the axis and opposite each other, in either order.
fn capsules_of_few_ends<V: FileVector>() -> Vec<Shape<V>> {
    let mut random = Pcg64::seed_from_u64(1);
    let mut number = || (random.next_u32() % 3) as Real - 1.0;
    let mut end = || V::from_fn(|_| number());
    let capsules = (0..500).map(|_| Shape::capsule_from_endpoints(end(), end(), 0.5));
    capsules.collect::<Result<_, _>>().unwrap()
}
