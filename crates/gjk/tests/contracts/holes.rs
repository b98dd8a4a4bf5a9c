//! What is not there is nowhere in the way: holes of height fields and empty cells of voxels in compounds.

use clearance_gjk::{
    Cast, CastOptions, Completeness, Motion, Placed, Proximity, RayOptions, Separation, Status,
    cast_ray, cast_shapes, contacts_into, proximity,
};
use clearance_math::{Cell, Pose, PreciseVector, Ray, Real, Vec2, Vec3, Vector};
use clearance_shapes::{Cells, Composite, CompoundPart, OneWay, Shape, Tile};

use crate::common::{Pcg, in_both_dimensions, iterations};
use crate::composite_shapes::{Composites, cells, convex};

in_both_dimensions!(
    compounds_with_holes_answer_as_their_parts,
    holes_cost_nothing,
    tiles_that_do_not_count_hide_nothing,
);

/// A whole cell that counts from above only.
fn one_way<V: Composites>(size: f64, depth: Real) -> Tile<V> {
    let corner = |bits: usize| V::Precise::from_fn(|axis| (bits >> axis & 1) as f64 * size);
    let corners = (0..1 << V::DIM).map(|bits| V::from_precise(corner(bits)));
    let whole = Shape::hull(corners.collect::<Vec<_>>()).expect("a cuboid");
    let normal = V::axis(1);
    Tile {
        one_way: Some(OneWay { normal, depth }),
        ..Tile::new(whole)
    }
}

/// A few cells, each chunk of which has 4,096 numbers; some of them count from one side.
fn few_cells<V: Composites>(random: &mut Pcg) -> Shape<V> {
    let mut set = Cells::new();
    for cell in cells::<V>(random).into_iter().take(8) {
        let entry = u8::from(random.chance(0.3));
        set.set_tile(cell, entry).expect("few chunks");
    }
    Shape::tiles_of(V::splat(0.5), set, [one_way(0.5, 0.1)]).expect("some cells")
}

/// A compound most of whose numbers are no parts.
fn with_holes<V: Composites>(random: &mut Pcg, depth: usize) -> Shape<V> {
    let parts = (0..1 + random.below(4)).map(|_| {
        let shape = match random.below(4) {
            0 if depth > 0 => with_holes(random, depth - 1),
            1 => convex(random),
            2 => V::composite(random),
            _ => few_cells(random),
        };
        let turn = V::any_rotation(random);
        let pose = Pose::new(random.point::<V>(1.0), turn);
        CompoundPart::new(shape, pose)
    });
    Shape::compound(parts.collect::<Vec<_>>()).expect("a valid compound")
}

fn composite<V: Vector>(shape: &Shape<V>) -> &Composite<V> {
    match shape {
        Shape::Composite(composite) => composite,
        _ => panic!("no composite: {shape:?}"),
    }
}

fn pose<V: Composites>(random: &mut Pcg, far: f64) -> Pose<V> {
    let place: V = random.point(far);
    Pose::new(place, V::any_rotation(random))
}

fn listed<V: Vector>(
    a: Placed<V>,
    b: Placed<V>,
    within: Real,
) -> (Completeness, Vec<Separation<V>>) {
    let mut found = Vec::new();
    let completeness = contacts_into(a, b, within, &mut found).expect("valid poses");
    (completeness, found)
}

/// Each part that is there is asked about alone, and all together with as much effort as these need.
fn compounds_with_holes_answer_as_their_parts<V: Composites>() {
    let mut random = Pcg::new(0x401e);
    let (mut touching, mut apart, mut met, mut hit) = (0, 0, 0, 0);
    for case in 0..iterations(150) {
        let (holed, other) = (with_holes::<V>(&mut random, 2), convex::<V>(&mut random));
        let poses = [pose(&mut random, 1.0), pose(&mut random, 2.0)];
        let [a, b] = [
            Placed::new(&holed, &poses[0]),
            Placed::new(&other, &poses[1]),
        ];
        let way = random.point::<V>(3.0);
        let ray = Ray::new(poses[1].translation(), way).expect("a direction");
        let (mut all, mut time, mut entry) = (Vec::new(), Real::INFINITY, Real::INFINITY);
        let time_of = |a: Placed<V>| {
            let moving = Cast::new(b, Motion::from_linear(way));
            let hit = cast_shapes(Cast::resting(a), moving, CastOptions::default());
            hit.expect("valid").map_or(Real::INFINITY, |hit| hit.time)
        };
        let entry_of = |a: Placed<V>| {
            let hit = cast_ray(&ray, a, RayOptions::default()).expect("valid");
            hit.map_or(Real::INFINITY, |hit| hit.distance)
        };
        let shape = composite(&holed);
        for part in (0..shape.part_count()).filter(|&part| shape.part(part).is_some()) {
            let is_it = |number| number == part;
            let alone = a.with_parts(&is_it).with_effort(u32::MAX);
            all.extend(listed(alone, b, 0.2).1);
            (time, entry) = (time.min(time_of(alone)), entry.min(entry_of(alone)));
        }
        let context = || format!("case {case}: {:?} {b:?}", holed.to_encoding());
        assert_eq!(
            listed(a, b, 0.2),
            (Completeness::Complete, all.clone()),
            "{}",
            context()
        );
        let least = all.iter().map(|near| near.distance).reduce(Real::min);
        let near = proximity(a, b, 0.2).expect("valid").near();
        let near = near.filter(|near| near.distance <= 0.2);
        assert!(near.is_none_or(|near| near.status != Status::IterationLimit));
        assert_eq!(near.map(|near| near.distance), least, "{}", context());
        assert_eq!((time_of(a), entry_of(a)), (time, entry), "{}", context());
        touching += all.len();
        apart += usize::from(least.is_none());
        met += usize::from(time < 1.0);
        hit += usize::from(entry < 1.0);
    }
    assert!(
        touching > 50 && apart > 20 && met > 20 && hit > 8,
        "{touching} {apart} {met} {hit}"
    );
}

/// A question about a compound takes no more effort than the parts that are there explain.
fn holes_cost_nothing<V: Composites>() {
    let mut random = Pcg::new(0x401f);
    for case in 0..iterations(150) {
        let holed = with_holes::<V>(&mut random, 1);
        let other = if random.chance(0.5) {
            with_holes::<V>(&mut random, 0)
        } else {
            convex(&mut random)
        };
        let count = |shape: &Shape<V>| match shape {
            Shape::Composite(composite) => composite.part_numbers().count(),
            _ => 1,
        };
        // As if every pair of parts were measured by iteration, with all boxes above.
        let pairs = (count(&holed) * count(&other)) as u32;
        let poses = [pose(&mut random, 0.5), pose(&mut random, 0.5)];
        let sides = [(&holed, &poses[0]), (&other, &poses[1])];
        let [a, b] =
            sides.map(|(shape, pose)| Placed::new(shape, pose).with_effort(64 + 140 * pairs));
        let completeness = listed(a, b, 0.1).0;
        assert_eq!(completeness, Completeness::Complete, "case {case}: {pairs}");
        let answer = proximity(a, b, Real::INFINITY).expect("valid");
        let ended =
            matches!(answer, Proximity::Near(near) if near.status == Status::IterationLimit);
        assert!(!ended, "case {case}: {answer:?} {pairs}");
    }
}

/// A whole cell below a ball and a one-way tile beside it.
fn tiles_that_do_not_count_hide_nothing<V: Composites>() {
    let mut set = Cells::new();
    for (entry, x) in [(0, 0), (1, 1)] {
        set.set_tile(V::Cell::from_components([x, 0, 0]), entry)
            .expect("one chunk");
    }
    let tiles = Shape::tiles_of(V::splat(1.0), set, [one_way(1.0, 0.0)]).expect("two cells");
    let level = tiles.with_origin_at(V::ZERO).expect("valid");
    let ball = Shape::ball(0.4).expect("valid");
    let at = V::splat(0.5).with_component(1, 1.35);
    let (origin, above) = (Pose::IDENTITY, Pose::from_translation(at));
    let [a, b] = [Placed::new(&level, &origin), Placed::new(&ball, &above)];
    let (completeness, found) = listed(a, b, 0.02);
    assert_eq!((completeness, found.len()), (Completeness::Complete, 1));
    assert!((found[0].distance + 0.05).abs() < 1e-6, "{found:?}");
    let near = proximity(a, b, 0.02).expect("valid").near();
    assert_eq!(
        near.map(|near| (near.distance, near.part_a)),
        Some((found[0].distance, found[0].part_a))
    );
}

/// One cell in a body of its own origin, beside a mesh of 64 triangles that it cuts.
#[test]
fn a_cell_beside_a_mesh_is_measured_to_the_end() {
    let mut random = Pcg::new(0x4020);
    for _ in 0..iterations(20) {
        let vertices: Vec<Vec3> = (0..66).map(|_| random.point(2.0)).collect();
        let mesh = Shape::mesh(
            &vertices,
            (0..64).map(|k| [k, k + 1, k + 2]).collect::<Vec<_>>(),
        );
        let mesh = mesh.expect("valid");
        let mut set = Cells::new();
        set.set([0; 3].into(), true).expect("one chunk");
        let cells = Shape::voxels_of(Vec3::splat(0.25), set).expect("a cell");
        let cell = cells.with_origin_at(Vec3::splat(0.125)).expect("valid");
        let cuboid = Shape::cuboid(Vec3::splat(0.125)).expect("valid");
        let poses = [pose(&mut random, 0.2), pose(&mut random, 2.0)];
        let mesh = Placed::new(&mesh, &poses[0]);
        let near = |shape: &Shape<Vec3>| {
            let shape = Placed::new(shape, &poses[1]);
            proximity(shape, mesh, Real::INFINITY)
                .expect("valid")
                .near()
                .expect("a distance")
        };
        let (own, expected) = (near(&cell), near(&cuboid));
        assert_ne!(own.status, Status::IterationLimit);
        assert!(
            (own.distance - expected.distance).abs() < 1e-5,
            "{own:?} {expected:?}"
        );
    }
}

/// The order of the sides does not depend on what is missing in both.
#[test]
fn equal_compounds_at_one_place_are_told_apart_by_their_parts() {
    let level = |cells: &[[i32; 2]]| {
        let mut set = Cells::new();
        for &cell in cells {
            set.set(cell.into(), true).expect("one chunk");
        }
        let cells = Shape::voxels_of(Vec2::ONE, set).expect("some cells");
        cells.with_origin_at(Vec2::X).expect("valid")
    };
    let corners = [[0, 0], [3, 3]];
    let both = [[1, 2], [2, 1]].map(|cell| level(&[corners[0], cell, corners[1]]));
    let origin = Pose::IDENTITY;
    let [a, b] = both.each_ref().map(|shape| Placed::new(shape, &origin));
    let (one, other) = (listed(a, b, 0.0).1, listed(b, a, 0.0).1);
    let mut other: Vec<_> = other.into_iter().map(Separation::flipped).collect();
    other.sort_by_key(|near| (near.part_a, near.part_b));
    assert_eq!(one, other);
    assert!(one.len() > 2, "{one:?}");
}
