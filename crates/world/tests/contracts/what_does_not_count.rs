//! Parts that do not count, or are not there, make no contacts, no events, and use up no effort that others need.

use clearance_math::{Cell, Pose, PreciseVector, Real, Vec2, Vec3, Vector};
use clearance_shapes::{Cells, CompoundPart, OneWay, Shape, Tile};
use clearance_world::{Body, Options, SlideOptions, SlidingBody, World};

use crate::random::Random;

/// A whole cell, or the upper part of one, that counts from above.
fn one_way<V: Vector>(thickness: f64) -> Tile<V> {
    let corner = |bits: usize| {
        V::Precise::from_fn(|axis| {
            let far = f64::from((bits >> axis & 1) as u32);
            if axis == 1 {
                1.0 - thickness * (1.0 - far)
            } else {
                far
            }
        })
    };
    let corners = (0..1 << V::DIM).map(|bits| V::from_precise(corner(bits)));
    Tile {
        one_way: Some(OneWay {
            normal: V::axis(1),
            depth: 0.01,
        }),
        ..Tile::new(Shape::hull(corners.collect::<Vec<_>>()).unwrap())
    }
}

fn world_with<V: Vector>(effort: u32) -> World<V> {
    World::new(Options {
        margin: 0.05,
        part_contacts: true,
        effort,
        ..Options::default()
    })
    .unwrap()
}

/// So many boards a side, all of them inside of a box, and a whole cell below it.
fn boards(count: i32) -> Shape<Vec3> {
    let mut cells = Cells::new();
    for x in 0..count {
        for z in 0..count {
            cells.set_tile([x, 0, z].into(), 1).unwrap();
        }
    }
    cells.set([count / 2, -3, count / 2].into(), true).unwrap();
    Shape::tiles_of(Vec3::ONE, cells, [one_way(0.25)]).unwrap()
}

/// A box over all boards, whose lower side is so far above the whole cell.
fn box_over(count: i32, gap: Real) -> Body<Vec3> {
    let half = count as Real / 2.0;
    let shape = Shape::cuboid(Vec3::new(half, half, half)).unwrap();
    let at = Vec3::new(half, -2.0 + gap + half, half);
    Body::moving(shape, Pose::from_translation(at))
}

#[test]
fn boards_that_do_not_count_are_no_contact() {
    for (gap, is_met) in [(0.4, false), (0.02, true)] {
        let mut world = world_with::<Vec3>(Options::default().effort);
        world
            .insert(Body::fixed(boards(46), Pose::IDENTITY))
            .unwrap();
        world.insert(box_over(46, gap)).unwrap();
        world.step(0.0).unwrap();
        let distances: Vec<Real> = world
            .contacts()
            .iter()
            .map(|near| near.separation.distance)
            .collect();
        assert_eq!(
            world.events().count(),
            usize::from(is_met),
            "{gap}: {distances:?}"
        );
        assert!(
            distances
                .iter()
                .all(|distance| (distance - gap).abs() < 1e-5),
            "{distances:?}"
        );
        assert_eq!(world.profile().undecided, 0);
        world.validate().unwrap();
    }
}

/// A shape that is deep in a field of one-sided faces.
fn world_of_faces(shape: &Shape<Vec3>, effort: u32) -> World<Vec3> {
    let heights = vec![0.0; 98 * 98];
    let field = Shape::height_field(heights, 98, Vec3::new(97.0, 1.0, 97.0)).unwrap();
    let field = Body::fixed(field.one_sided(0.1).unwrap(), Pose::IDENTITY);
    let deep = Body::moving(shape.clone(), Pose::from_translation(Vec3::Y * 0.3));
    let mut world = world_with::<Vec3>(effort);
    world.insert(field).unwrap();
    world.insert(deep).unwrap();
    world.step(0.0).unwrap();
    assert!(world.contacts().is_empty(), "{:?}", world.contacts());
    assert_eq!(world.events().count(), 0);
    world.validate().unwrap();
    world
}

#[test]
fn faces_that_do_not_count_are_no_contact() {
    let shapes = [
        Shape::cuboid(Vec3::new(60.0, 8.0, 60.0)).unwrap(),
        Shape::cylinder(8.0, 80.0).unwrap(),
    ];
    for shape in shapes {
        let world = world_of_faces(&shape, Options::default().effort);
        assert_eq!(world.profile().undecided, 0);
        // A search that ends before it knows names nothing, and is counted.
        let world = world_of_faces(&shape, 100);
        assert_eq!(world.profile().undecided, 1);
    }
}

/// Cells in compounds, each alone among 4,096 numbers, some of which count from above only.
fn scattered<V: Vector>(random: &mut Random) -> Shape<V> {
    let part = |random: &mut Random| {
        let mut cells = Cells::new();
        for _ in 0..3 {
            let place = [(); 3].map(|()| random.below(3) as i32);
            let entry = random.below(2) as u8;
            cells
                .set_tile(V::Cell::from_components(place), entry)
                .unwrap();
        }
        let tiles = Shape::tiles_of(V::splat(1.0), cells, [one_way(1.0)]).unwrap();
        let at: V = random.vector(-4.0, 4.0);
        CompoundPart::new(tiles, Pose::from_translation(at))
    };
    let parts: Vec<_> = (0..4).map(|_| part(random)).collect();
    Shape::compound(parts).unwrap()
}

fn worlds_with_compounds_of_cells_are_valid<V: Vector>(seed: u64) -> usize {
    let mut random = Random::new(seed);
    let mut contacts = 0;
    for _ in 0..40 {
        let mut world = world_with::<V>(Options::default().effort);
        world
            .insert(Body::fixed(scattered(&mut random), Pose::IDENTITY))
            .unwrap();
        for _ in 0..12 {
            let at: V = random.vector(-4.0, 6.0);
            let ball = Shape::ball(random.between(0.2, 0.8)).unwrap();
            world
                .insert(Body::moving(ball, Pose::from_translation(at)))
                .unwrap();
        }
        world.step(0.0).unwrap();
        world.validate().unwrap();
        assert_eq!(world.profile().incomplete_parts, 0);
        contacts += world.contacts().len();
    }
    contacts
}

#[test]
fn cells_of_compounds_are_met() {
    assert!(worlds_with_compounds_of_cells_are_valid::<Vec2>(91) > 100);
    assert!(worlds_with_compounds_of_cells_are_valid::<Vec3>(92) > 10);
}

/// A hero within one-way tiles goes as if they were not there.
#[test]
fn slides_pass_what_does_not_count() {
    let mut cells = Cells::new();
    for x in 0..50 {
        for y in 0..50 {
            cells.set_tile([x, y].into(), 1).unwrap();
        }
    }
    let tiles = Shape::tiles_of(Vec2::ONE, cells, [one_way(1.0)]).unwrap();
    let mut random = Random::new(93);
    let options = SlideOptions {
        up: None,
        ..SlideOptions::default()
    };
    for _ in 0..20 {
        let mut world = world_with::<Vec2>(Options::default().effort);
        world
            .insert(Body::fixed(tiles.clone(), Pose::IDENTITY))
            .unwrap();
        let at: Vec2 = random.vector(5.0, 20.0);
        let radius = random.between(0.3, 4.0);
        let hero = Body::moving(Shape::ball(radius).unwrap(), Pose::from_translation(at));
        let hero = world.insert(hero).unwrap();
        let way = random.vector::<Vec2>(0.0, 25.0);
        let slide = world
            .query()
            .slide_body(SlidingBody::new(hero, way), options);
        let end = slide.unwrap().pose.translation();
        // Where a tile just begins to count, it gives the skin and its depth.
        let most = 0.03 * (1.0 + radius);
        assert!((end - at - way).length() < most, "{at} {way} {end}");
    }
}
