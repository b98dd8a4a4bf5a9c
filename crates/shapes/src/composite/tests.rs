//! Numbers of parts, errors, memory and encodings of composites.

use clearance_math::{IVec3, Pose, Quat, Real, Vec2, Vec3};

use super::*;
use crate::{Convex, Core, ShapeError};

pub(super) fn composite<V: Vector>(shape: &Shape<V>) -> &Composite<V> {
    match shape {
        Shape::Composite(composite) => composite,
        _ => panic!("not a composite: {shape:?}"),
    }
}

fn corners(part: &Part<'_, Vec3>) -> Vec<Vec3> {
    match part.shape.as_ref() {
        Shape::Convex(convex) => match convex.core() {
            Core::Triangle(triangle) => vec![triangle.a, triangle.b, triangle.c],
            Core::Segment(segment) => vec![segment.a, segment.b],
            Core::Point(point) => vec![*point],
            core => panic!("no triangle: {core:?}"),
        },
        shape => panic!("not convex: {shape:?}"),
    }
}

/// All numbers of the leaves below a node. Checks that boxes hold the boxes below them.
fn leaves<V: Vector>(composite: &Composite<V>, index: u32, found: &mut Vec<u32>) {
    let node = composite.node(index);
    for (lane, child) in node.children.iter().enumerate() {
        let bounds = node.lane::<V>(lane);
        if let Some(below) = child.index() {
            let inner = composite.node(below as u32).bounds::<V>();
            assert!(inner.is_empty() || bounds.contains(&inner));
            leaves(composite, below as u32, found);
        } else if let Some(number) = child.number() {
            if let Some(part) = composite.part(number) {
                // The boxes of parts are rounded outwards.
                let [min, max] = [bounds.min, bounds.max].map_each(|end| end.to_precise().abs());
                let around = bounds.grown(1e-5 * min.max(max).length() as Real);
                assert!(around.contains(&part.bounds()), "part {number}");
            }
            found.push(number);
        }
    }
}

pub(super) fn check_tree<V: Vector>(shape: &Shape<V>) {
    let composite = composite(shape);
    let mut found = Vec::new();
    leaves(composite, 0, &mut found);
    found.sort_unstable();
    let parts = (0..composite.part_count()).filter(|&number| composite.part(number).is_some());
    assert_eq!(found, parts.collect::<Vec<_>>());
}

fn grid(rows: usize, columns: usize, height: impl Fn(usize) -> Real) -> Shape<Vec3> {
    let heights: Vec<_> = (0..rows * columns).map(height).collect();
    let scale = Vec3::new((columns - 1) as Real, 2.0, (rows - 1) as Real);
    Shape::height_field(heights, columns, scale).expect("a valid field")
}

#[test]
fn triangles_of_a_height_field_have_the_numbers_of_the_file_format() {
    let field = grid(3, 4, |k| k as Real);
    let field = composite(&field);
    assert_eq!(field.part_count(), 12);
    // Row r, column c: x = c - 1.5, y = 2 (4 r + c), z = r - 1.
    let vertex =
        |r: usize, c: usize| Vec3::new(c as Real - 1.5, 2.0 * (4 * r + c) as Real, r as Real - 1.0);
    for (r, c) in (0..2).flat_map(|r| (0..3).map(move |c| (r, c))) {
        let first = 2 * (r * 3 + c) as u32;
        let lower = corners(&field.part(first).expect("a triangle"));
        assert_eq!(
            lower,
            [vertex(r, c), vertex(r + 1, c), vertex(r + 1, c + 1)]
        );
        let upper = corners(&field.part(first + 1).expect("a triangle"));
        assert_eq!(
            upper,
            [vertex(r, c), vertex(r + 1, c + 1), vertex(r, c + 1)]
        );
    }
    assert!(field.part(12).is_none());
}

#[test]
fn a_missing_height_makes_holes_and_keeps_the_numbers() {
    let field = grid(3, 3, |k| if k == 0 { Real::NAN } else { 1.0 });
    let composite = composite(&field);
    let missing: Vec<u32> = (0..8).filter(|&n| composite.part(n).is_none()).collect();
    assert_eq!(missing, [0, 1]);
    check_tree(&field);
    let all = Shape::height_field(vec![Real::NAN; 4], 2, Vec3::ONE).unwrap_err();
    assert_eq!(
        all.to_string(),
        "height_field: heights leave no triangle: each has a corner that is NaN, a hole"
    );
    let alone = Shape::polyline(vec![Vec3::ONE]).unwrap_err();
    assert_eq!(
        alone.to_string(),
        "polyline: vertices has length 1, must be at least 2"
    );
}

#[test]
fn trees_hold_every_part_once() {
    for (rows, columns) in [(2, 2), (2, 9), (17, 3), (33, 40), (64, 65)] {
        check_tree(&grid(rows, columns, |k| {
            let height = ((k * 7919) % 101) as Real;
            if k % 37 == 5 { Real::NAN } else { height }
        }));
    }
    let vertices: Vec<Vec3> = (0..300)
        .map(|k| Vec3::new((k % 17) as Real, (k % 11) as Real, (k % 7) as Real))
        .collect();
    let triangles: Vec<_> = (0..298).map(|k| [k, k + 1, k + 2]).collect();
    let mesh = Shape::mesh(&vertices, triangles).expect("a valid mesh");
    check_tree(&mesh);
    check_tree(&Shape::polyline(vertices).expect("a valid polyline"));
    let part = |x: Real| CompoundPart::new(mesh.clone(), Pose::from_translation(Vec3::X * x));
    check_tree(&Shape::compound(vec![part(0.0), part(40.0)]).expect("a valid compound"));
}

fn filled(cells: impl IntoIterator<Item = [i32; 3]>) -> Shape<Vec3> {
    let mut set = Cells::new();
    for cell in cells {
        set.set(cell.into(), true).expect("few chunks");
    }
    Shape::voxels_of(Vec3::ONE, set).expect("some cells")
}

#[test]
fn trees_of_compounds_hold_what_is_there() {
    let mut listed = Shape::voxels(
        Vec3::ONE,
        [[9, 0, 0], [3, 0, 0], [5, 0, 0]].map(IVec3::from),
    )
    .expect("valid");
    listed
        .set_cells([IVec3::new(3, 0, 0)], false)
        .expect("others are left");
    listed
        .set_cells([IVec3::new(-7, 0, 0)], true)
        .expect("a cell more");
    let members = [
        filled([[4, 5, 6], [40, 0, 0], [-1, -2, -3]]),
        grid(9, 12, |k| if k % 5 == 2 { Real::NAN } else { k as Real }),
        Shape::ball(0.5).expect("valid"),
        listed,
    ];
    let part = |(k, shape): (usize, &Shape<Vec3>)| {
        CompoundPart::new(shape.clone(), Pose::from_translation(Vec3::X * (k as Real)))
    };
    let inner = Shape::compound(members.iter().enumerate().map(part).collect::<Vec<_>>());
    let inner = inner.expect("valid");
    let outer = [members[0].clone(), inner.clone(), inner.clone()];
    let outer = Shape::compound(outer.iter().enumerate().map(part).collect::<Vec<_>>());
    let outer = outer.expect("valid");
    for shape in [&members[0], &members[1], &members[3], &inner, &outer] {
        check_tree(shape);
        let composite = composite(shape);
        let numbers: Vec<u32> = composite.part_numbers().collect();
        let all = 0..composite.part_count();
        let there = all.filter(|&number| composite.part(number).is_some());
        assert_eq!(numbers, there.collect::<Vec<_>>());
    }
    assert_eq!(
        composite(&outer).part_count(),
        3 * 4096 + 2 * composite(&inner).part_count()
    );
}

#[test]
fn compounds_take_memory_for_what_is_there() {
    // Each cell is the only one of 4,096 numbers.
    let cells = (0..4000).map(|k| CompoundPart {
        shape: filled([[k % 7, 0, 0]]),
        pose: Pose::from_translation(Vec3::new(k as Real, 2.0, 0.0)),
    });
    let cells: Vec<_> = cells.collect();
    let own: usize = cells.iter().map(|part| part.shape.shared_memory()).sum();
    let compound = Shape::compound(cells).expect("valid");
    assert_eq!(composite(&compound).part_count(), 4000 * 4096);
    let memory = compound.shared_memory() - own;
    assert!(memory < 4000 * 450, "{memory} bytes");
}

#[test]
fn errors_name_the_shape() {
    let text = |result: Result<Shape<Vec3>, ShapeError>| result.unwrap_err().to_string();
    let refused = [
        (
            Shape::ball(-1.0),
            "ball: radius is -1, must be finite and > 0",
        ),
        (
            Shape::capsule(-1.0, 1.0),
            "capsule: half_length is -1, must be finite and >= 0",
        ),
        (
            Shape::cone(1.0, 0.0),
            "cone: radius is 0, must be finite and > 0",
        ),
        (
            Shape::cuboid(Vec3::new(1.0, -2.0, 1.0)),
            "cuboid: half_extents[1] is -2, must be finite and > 0",
        ),
        (
            Shape::tapered_capsule(1.0, 1.0, 0.0),
            "tapered_capsule: radius_bottom is 0, must be finite and > 0",
        ),
        (
            Shape::tapered_capsule(Real::NAN, 1.0, 2.0),
            "tapered_capsule: half_length is NaN, must be finite and >= 0",
        ),
        (
            Shape::tapered_cylinder(0.0, 1.0, 0.0),
            "tapered_cylinder: half_height is 0, must be finite and > 0",
        ),
        (
            Shape::half_space(Vec3::X * 2.0),
            "half_space: normal has length 2, must be of unit length (within 1e-3)",
        ),
        (
            Shape::hull([]),
            "hull: points is empty, must hold at least one point",
        ),
        (
            Shape::polyline([Vec3::X * Real::NAN; 2]),
            "polyline: vertices[0][0] is NaN, must be finite (first used by segments[0])",
        ),
        (
            Shape::height_field([0.0; 4], 2, Vec3::X),
            "height_field: scale[1] is 0, must be finite and not 0",
        ),
        (
            Shape::compound([]),
            "compound: parts has 0 elements, must have from 1 to 2147483647",
        ),
        (
            Shape::mesh([Vec3::X * 3e38; 3], [[0; 3]]).and_then(|mesh| mesh.scaled(10.0)),
            "mesh: factors[0] is inf, must be finite",
        ),
    ];
    for (result, expected) in refused {
        assert_eq!(text(result), expected);
    }
}

#[test]
fn another_origin_keeps_the_parts_and_their_places() {
    let point = Vec3::new(1.0, 2.0, -3.0);
    let field = grid(3, 4, |k| if k == 0 { Real::NAN } else { k as Real });
    let ball = Shape::ball(0.5).expect("a positive radius");
    let moved = ball
        .translated(-point)
        .expect("finite")
        .bounds(&Pose::IDENTITY);
    let bounds = ball
        .with_origin_at(point)
        .expect("finite")
        .bounds(&Pose::IDENTITY);
    assert!((bounds.min - moved.min).length() + (bounds.max - moved.max).length() < 1e-5);
    let field_there = field.with_origin_at(point).expect("finite");
    let [here, there] = [&field, &field_there].map(composite);
    assert_eq!(here.part_count(), there.part_count());
    for number in 0..here.part_count() {
        let [here, there] = [here, there].map(|field| field.part(number).map(|part| part.shape));
        assert_eq!(here, there);
    }
    let ground = Shape::half_space(Vec3::Y).expect("a unit normal");
    assert!(ground.with_origin_at(point).is_err());
    let refused = ball
        .with_origin_at(Vec3::X * Real::NAN)
        .unwrap_err()
        .to_string();
    assert_eq!(refused, "ball: point[0] is NaN, must be finite");
}

#[test]
fn errors_name_the_element() {
    let corners = vec![Vec3::ZERO, Vec3::X, Vec3::Y];
    let message = |result: Result<Shape<Vec3>, ShapeError>| result.unwrap_err().to_string();
    assert_eq!(
        message(Shape::mesh(&corners, vec![[0, 1, 2], [0, 3, 1]])),
        "mesh: triangles[1] names vertex 3, must be less than 3"
    );
    let broken = vec![Vec3::ZERO, Vec3::X, Vec3::new(0.0, Real::NAN, 0.0)];
    assert_eq!(
        message(Shape::mesh(broken, vec![[0, 1, 1], [0, 1, 2]])),
        "mesh: vertices[2][1] is NaN, must be finite (first used by triangles[1])"
    );
    assert_eq!(
        message(Shape::mesh(corners, Vec::new())),
        "mesh: triangles has 0 elements, must have from 1 to 2147483647"
    );
    assert_eq!(
        message(Shape::height_field(
            vec![0.0, 1.0, 0.0, Real::INFINITY],
            2,
            Vec3::ONE
        )),
        "height_field: heights[1][1] is inf, must be finite when scaled, or missing"
    );
    assert_eq!(
        message(Shape::height_field(vec![0.0; 5], 2, Vec3::ONE)),
        "height_field: 5 heights in rows of 2, must be at least 2 full rows of at least 2, and at most \
         268435456 in all"
    );
    let plane = CompoundPart {
        shape: Shape::half_space(Vec3::Y).expect("a unit normal"),
        pose: Pose::IDENTITY,
    };
    assert_eq!(
        message(Shape::compound(vec![plane])),
        "compound: parts[0]: a half_space cannot be a part of a compound, make it a body of its own"
    );
    assert_eq!(
        message(grid(2, 2, |_| 0.0).rounded(1.0)),
        "a height_field cannot be rounded, round its parts"
    );
    let far = CompoundPart {
        shape: Shape::cuboid(Vec3::splat(3e38)).expect("positive half extents"),
        pose: Pose::from_translation(Vec3::splat(3e38)),
    };
    assert_eq!(
        message(Shape::compound(vec![far])),
        "compound: part 0 extends beyond the range of numbers"
    );
}

#[test]
fn compounds_may_be_nested_sixteen_deep() {
    let mut shape: Shape<Vec2> = Shape::ball(1.0).expect("a radius above zero");
    let step = Pose::from_translation(Vec2::X);
    for _ in 0..MOST_NESTED {
        let pose = step;
        shape = Shape::compound(vec![CompoundPart { shape, pose }]).expect("not too deep");
    }
    // The translations add up.
    let part = composite(&shape).part(0).expect("a part");
    assert_eq!(
        part.pose.expect("a pose").translation.x,
        f64::from(MOST_NESTED)
    );
    assert_eq!(
        shape
            .to_encoding()
            .and_then(|encoding| Shape::from_encoding(&encoding)),
        Ok(shape.clone())
    );
    let pose = step;
    let error = Shape::compound(vec![CompoundPart { shape, pose }]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "compound: parts[0]: compounds are nested more than 16 deep"
    );
}

#[test]
fn memory_of_meshes_and_height_fields_is_small() {
    let side = 225;
    let vertices: Vec<Vec3> = (0..side * side)
        .map(|k| Vec3::new((k / side) as Real, 0.0, (k % side) as Real))
        .collect();
    let cells = (0..side - 1).flat_map(|r| (0..side - 1).map(move |c| (r * side + c) as u32));
    let n = side as u32;
    let triangles = cells.flat_map(|k| [[k, k + 1, k + n], [k + 1, k + n + 1, k + n]]);
    let triangles: Vec<[u32; 3]> = triangles.collect();
    let count = triangles.len();
    assert!(count > 100_000);
    let mesh = Shape::mesh(vertices, triangles).expect("a valid mesh");
    let bytes = mesh.shared_memory() as f64 / count as f64;
    assert!(bytes <= 96.0, "{bytes} bytes a triangle");
    let field = grid(256, 256, |k| k as Real);
    let bytes = field.shared_memory() as f64 / (256.0 * 256.0);
    assert!(bytes <= 6.0, "{bytes} bytes a height");
}

/// Numbers that look random.
fn scattered<V: Vector>(count: usize) -> Vec<V> {
    let mut state = 1_u32;
    let mut number = || {
        state = state
            .wrapping_mul(0x9e37_79b9)
            .wrapping_add(0x85eb_ca6b)
            .rotate_left(13);
        state as Real * 2.0_f32.powi(-32) - 0.5
    };
    let mut point = || V::from_fn(|_| number());
    (0..count).map(|_| point()).collect()
}

#[test]
fn clouds_of_any_number_have_a_tree_of_their_points() {
    for count in (1..70).chain([255, 256, 257, 1000, 4096, 5000]) {
        check_tree(&Shape::points(scattered::<Vec3>(count), 0.01).expect("valid"));
        check_tree(&Shape::points(scattered::<Vec2>(count), 0.0).expect("valid"));
    }
    check_tree(&Shape::points(vec![Vec3::ONE; 300], 0.01).expect("valid"));
}

#[test]
fn a_point_takes_less_than_sixteen_bytes() {
    let bytes = |shape: usize| shape as f64 / 200_000.0;
    let space = Shape::points(scattered::<Vec3>(200_000), 0.01).expect("valid");
    let plane = Shape::points(scattered::<Vec2>(200_000), 0.01).expect("valid");
    let found = [space.shared_memory(), plane.shared_memory()].map(bytes);
    assert!(found[0] < 16.0 && found[1] < 11.8, "{found:?}");
}

#[test]
fn clouds_scale_with_their_radius() {
    let points = [Vec3::ZERO, Vec3::X];
    let cloud = Shape::points(points, 0.5).expect("valid");
    let twice = cloud.scaled_by(Vec3::new(2.0, -2.0, 2.0)).expect("even");
    assert_eq!(
        twice,
        Shape::points([Vec3::new(0.0, -0.0, 0.0), Vec3::X * 2.0], 1.0).expect("valid")
    );
    let refused = cloud.scaled_by(Vec3::new(2.0, 1.0, 1.0)).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "factors do not fit a cloud of points with a radius, must be equal but for their signs"
    );
    let bare = Shape::points(points, 0.0).expect("valid");
    let wide = bare
        .scaled_by(Vec3::new(2.0, 1.0, 1.0))
        .expect("points stay points");
    assert_eq!(
        wide,
        Shape::points([Vec3::ZERO, Vec3::X * 2.0], 0.0).expect("valid")
    );
    assert_eq!(
        cloud.translated(Vec3::X),
        Shape::points([Vec3::X, Vec3::X * 2.0], 0.5)
    );
}

#[test]
fn errors_of_clouds_name_the_point() {
    let refused = |points: &[Vec3], radius| Shape::points(points, radius).unwrap_err().to_string();
    assert_eq!(
        refused(&[], 1.0),
        "points: points has 0 elements, must have from 1 to 16777216"
    );
    assert_eq!(
        refused(&[Vec3::X], -1.0),
        "points: radius is -1, must be finite and >= 0"
    );
    let bad = [Vec3::X, Vec3::new(0.0, Real::NAN, 0.0)];
    assert_eq!(
        refused(&bad, 1.0),
        "points: points[1][1] is NaN, must be finite"
    );
    let far = [Vec3::X, Vec3::X * Real::MAX];
    assert_eq!(
        refused(&far, 1e32),
        "points: part 1 extends beyond the range of numbers"
    );
    let cloud = Shape::points([Vec3::X], 1.0).expect("valid");
    assert!(cloud.rounded(1.0).is_err() && cloud.one_sided(1.0).is_err());
}

#[test]
fn encodings_restore_equal_shapes() {
    let turned = Pose::new(
        Vec3::new(1.0, -0.0, 2.0),
        Quat::from_xyzw(0.0, 0.6, 0.0, 0.8),
    );
    let mesh = Shape::mesh(
        vec![Vec3::ZERO, Vec3::X, Vec3::Y],
        vec![[0, 1, 2], [1, 1, 0]],
    );
    let line = Shape::polyline(vec![Vec3::ZERO, Vec3::X, Vec3::X]);
    let field = grid(3, 2, |k| if k == 3 { Real::NAN } else { k as Real });
    let cloud = Shape::points([Vec3::X, -Vec3::Y], 0.5);
    let [mesh, line, cloud] = [mesh, line, cloud].map(|shape| shape.expect("valid"));
    let shapes = [mesh, line, field, cloud];
    let parts = shapes.clone().map(|shape| CompoundPart::new(shape, turned));
    let compound = Shape::compound(parts).expect("valid");
    for shape in shapes.iter().chain([&compound]) {
        let encoding = shape.to_encoding().unwrap();
        assert_eq!(Shape::from_encoding(&encoding).as_ref(), Ok(shape));
        for length in 0..encoding.numbers.len() {
            let mut cut = encoding.clone();
            cut.numbers.truncate(length);
            // Never a panic, and never the same shape.
            assert_ne!(Shape::from_encoding(&cut).as_ref(), Ok(shape));
        }
    }
    assert!(Shape::<Vec2>::from_encoding(&shapes[0].to_encoding().unwrap()).is_err());
}

#[test]
fn scaled_and_moved_composites_have_scaled_and_moved_parts() {
    let mesh = Shape::mesh(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]]).expect("valid");
    let wide = mesh
        .scaled_by(Vec3::new(3.0, 2.0, 1.0))
        .expect("a mesh can be stretched");
    assert_eq!(
        corners(&composite(&wide).part(0).expect("one")),
        [Vec3::ZERO, Vec3::X * 3.0, Vec3::Y * 2.0]
    );
    let moved = mesh.translated(Vec3::Z).expect("a mesh can be moved");
    assert_eq!(
        corners(&composite(&moved).part(0).expect("one"))[0],
        Vec3::Z
    );
    let part = CompoundPart {
        shape: Shape::capsule(1.0, 0.5).expect("valid"),
        pose: Pose::from_translation(Vec3::X),
    };
    let compound = Shape::compound(vec![part]).expect("valid");
    let twice = compound.scaled(2.0).expect("uniform");
    let convex = |shape: &Shape<Vec3>| -> (Convex<Vec3>, f64) {
        let part = composite(shape).part(0).expect("one");
        let place = part.pose.map_or(0.0, |pose| pose.translation.x);
        match part.shape.into_owned() {
            Shape::Convex(convex) => (convex, place),
            shape => panic!("not convex: {shape:?}"),
        }
    };
    let (capsule, x) = convex(&twice);
    assert_eq!((capsule.radius(), x), (1.0, 2.0));
    assert_eq!(
        convex(&compound.translated(Vec3::X).expect("it can")).1,
        2.0
    );
    assert_eq!(
        compound
            .scaled_by(Vec3::new(1.0, 2.0, 1.0))
            .unwrap_err()
            .to_string(),
        "compound: parts[0]: factors do not fit a capsule, must be equal but for their signs; or make it anew, of other numbers"
    );
    let field = grid(2, 2, |_| 0.0);
    assert!(field.translated(Vec3::X).is_err());
    assert!(field.scaled_by(Vec3::new(1.0, 2.0, 3.0)).is_ok());
}

#[test]
fn rows_and_columns_of_a_height_field_round_alike() {
    let rounding = |columns| {
        let field = Shape::<Vec3>::height_field(vec![0.0; 24], columns, Vec3::ONE);
        composite(&field.expect("a valid field")).rounding()
    };
    assert!(rounding(12) > 0.0);
    assert_eq!(rounding(2), rounding(12));
}
