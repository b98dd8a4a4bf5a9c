//! One-way tiles, bodies and compounds are jumped through from below, passed from the side and stood on, by slides without
//! any filter.

use clearance_math::{IVec2, Pose, Real, Rotation2, Vec2};
use clearance_shapes::{Cells, CompoundPart, OneWay, Shape, Tile};
use clearance_world::{Body, BodyId, Options, SlideOptions, SlidingBody, Velocity, World};

use crate::crowd::Sure;
use crate::flat_floors_have_no_seams::wanting;
use crate::random::Random;

const FRAME: Real = 1.0 / 60.0;
const FALL: Real = 20.0 * FRAME;
const RADIUS: Real = 0.3;
/// So deep in a platform one still stands on it.
const DEPTH: Real = 0.02;
/// The height of the middle of the hero on the floor, and on the platforms.
const HEIGHTS: [Real; 2] = [RADIUS, 2.0 + RADIUS];

/// A floor at y = 0, and platforms with their tops at y = 2: some whole cells, some slabs, all of which count from above only.
/// As tiles of one body, as bodies of their own, and as a compound that stands on its head.
fn levels() -> [Vec<Body<Vec2>>; 3] {
    let up = OneWay {
        normal: Vec2::Y,
        depth: DEPTH,
    };
    let cuboid = |half, at| {
        let shape = Shape::cuboid(half).unwrap();
        (shape, Pose::from_translation(at))
    };
    let floor = cuboid(Vec2::new(20.5, 1.0), Vec2::new(0.5, -1.0));
    let platforms = (-5..5).map(|x| {
        let half = if x % 2 == 0 { 0.5 } else { 0.125 };
        let at = Vec2::new(x as Real + 0.5, 2.0 - half);
        cuboid(Vec2::new(0.5, half), at)
    });
    let mut bodies = vec![Body::fixed(floor.0.clone(), floor.1)];
    let body = |(shape, at): (Shape<Vec2>, _)| Body::fixed(shape.one_way(up).unwrap(), at);
    bodies.extend(platforms.clone().map(body));
    let turn = Pose::from_rotation(Rotation2::from_angle(core::f32::consts::PI));
    let part = |(shape, at)| CompoundPart::new(shape, turn.inverse() * at);
    let compound = Shape::compound(platforms.map(part).collect::<Vec<_>>()).unwrap();
    let down = OneWay {
        normal: -Vec2::Y,
        ..up
    };
    let compound = Body::fixed(compound.one_way(down).unwrap(), turn);
    let tiles = Body::fixed(tiles(), Pose::IDENTITY);
    [
        vec![tiles],
        bodies,
        vec![Body::fixed(floor.0, floor.1), compound],
    ]
}

fn tiles() -> Shape<Vec2> {
    let slab = [Vec2::new(0.0, 0.75), Vec2::new(1.0, 1.0)];
    let [low, high] = slab;
    let corners = [
        low,
        high,
        Vec2::new(low.x, high.y),
        Vec2::new(high.x, low.y),
    ];
    let whole = [Vec2::ZERO, Vec2::ONE, Vec2::X, Vec2::Y];
    let palette = [corners, whole].map(|corners| Tile {
        one_way: Some(OneWay {
            normal: Vec2::Y,
            depth: DEPTH,
        }),
        ..Tile::new(Shape::hull(corners).unwrap())
    });
    let mut cells = Cells::new();
    cells
        .set_box(IVec2::new(-20, -2), IVec2::new(20, -1), true)
        .unwrap();
    for x in -5..5 {
        cells
            .set_tile(IVec2::new(x, 1), 1 + (x % 2 == 0) as u8)
            .unwrap();
    }
    Shape::tiles_of(Vec2::ONE, cells, palette).unwrap()
}

struct Hero {
    world: World<Vec2>,
    id: BodyId,
    speed: Vec2,
    stands: bool,
}

impl Hero {
    fn new(level: &[Body<Vec2>], start: Vec2) -> Self {
        let mut world = World::new(Options {
            margin: 0.02,
            ..wanting()
        })
        .unwrap();
        for body in level {
            world.insert(body.clone()).unwrap();
        }
        let start = Pose::from_translation(start);
        let ball = Body::moving(Shape::ball(RADIUS).unwrap(), start);
        let id = world.insert(ball).unwrap();
        Self {
            world,
            id,
            speed: Vec2::ZERO,
            stands: false,
        }
    }

    fn at(&self) -> Vec2 {
        self.world.body(self.id).unwrap().pose().translation()
    }

    fn frame(&mut self) -> Vec2 {
        self.speed.y -= FALL;
        if self.stands && self.speed.y < 0.0 {
            self.speed.y = -FALL;
        }
        let sliding = SlidingBody::new(self.id, self.speed * FRAME);
        let options = SlideOptions::default();
        let slide = self.world.query().slide_body(sliding, options);
        let slide = slide.unwrap();
        self.stands = slide.ground.is_some();
        self.world.at(self.id).set_pose(slide.pose).unwrap();
        self.at()
    }
}

#[test]
fn a_jump_from_below_ends_on_the_platform() {
    let mut random = Random::new(81);
    let levels = levels();
    for round in 0..120 {
        let start = Vec2::new(random.between(-4.5, 4.5), HEIGHTS[0] + 0.02);
        let mut hero = Hero::new(&levels[round % 3], start);
        hero.speed = Vec2::new(random.between(-0.2, 0.2), random.between(10.5, 14.0));
        let mut highest = start.y;
        let (mut free, mut expected, mut rising) = (hero.at().y, hero.at().y, hero.speed.y);
        for _ in 0..120 {
            let at = hero.frame();
            rising -= FALL;
            free += rising * FRAME;
            expected += rising * FRAME;
            if rising > 0.0 {
                // What is so deep in the platform is already pushed out of it.
                assert!(at.y > free - 1e-3, "{at} is held back at {free}");
                free = free.max(at.y);
                // And gets its skin.
                assert!(free - expected < DEPTH + 0.011, "{at} at {expected}");
            }
            highest = highest.max(at.y);
        }
        assert!(highest > HEIGHTS[1], "{highest}");
        assert!((hero.at().y - HEIGHTS[1]).abs() < 0.02, "{}", hero.at());
    }
}

#[test]
fn what_comes_from_the_side_passes() {
    let levels = levels();
    for round in 0..12 {
        let height = [0.9, 1.2, 1.5, 1.8][round / 3];
        let mut hero = Hero::new(&levels[round % 3], Vec2::new(-8.0, height));
        hero.speed.x = 6.0;
        for k in 1..160 {
            hero.speed.y = FALL;
            let at = hero.frame();
            let free = -8.0 + 6.0 * FRAME * k as Real;
            assert!(
                (at - Vec2::new(free, height)).length() < 1e-3,
                "{at} at {height}"
            );
        }
    }
}

#[test]
fn walking_over_platforms_meets_no_seams() {
    let mut random = Random::new(82);
    let levels = levels();
    for round in 0..24 {
        let mut hero = Hero::new(&levels[round % 3], Vec2::new(-4.5, HEIGHTS[1] + 0.02));
        hero.frame();
        let speed = random.between(0.5, 12.0);
        hero.speed.x = speed;
        while hero.at().x < 4.0 {
            let before = hero.at();
            let at = hero.frame();
            assert!(
                (at.x - before.x - speed * FRAME).abs() < 1e-4,
                "{before} {at}"
            );
            assert!((at.y - HEIGHTS[1]).abs() < 0.02, "{at}");
        }
    }
}

#[test]
fn surface_contacts_of_platforms_point_up() {
    let mut random = Random::new(83);
    let mut heroes = levels().map(|level| Hero::new(&level, Vec2::new(0.0, HEIGHTS[1])));
    let mut count = 0;
    for round in 0..3000 {
        let hero = &mut heroes[round % 3];
        let depth = random.between(-0.01, 0.06);
        let at = Vec2::new(random.between(-4.0, 4.0), HEIGHTS[1] - depth);
        hero.world
            .at(hero.id)
            .set_pose(Pose::from_translation(at))
            .unwrap();
        let velocity = Velocity::from_linear(Vec2::X * random.between(-3.0, 3.0));
        hero.world.at(hero.id).set_velocity(velocity).unwrap();
        hero.world.step(0.0).unwrap();
        let normals = hero
            .world
            .surface_contacts()
            .map(|near| near.separation.normal.y.abs());
        let normals: Vec<_> = normals.collect();
        assert!(
            normals.iter().all(|up| (up - 1.0).abs() < 1e-3),
            "{normals:?} at {at}"
        );
        if (depth - DEPTH).abs() > 1e-3 {
            assert_eq!(normals.is_empty(), depth > DEPTH, "{at}");
        }
        count += normals.len();
    }
    assert!(count > 500);
}
