//! Slides among very many bodies at one place: equal ones count once, and no time grows with the square of their number.

use clearance_math::{Pose, Real, Vec3};
use clearance_shapes::Shape;
use clearance_world::{Body, Slide};

use crate::crowd::Dimension;
use crate::random::Random;
use crate::slide_walk::{Walker, world_of};

crate::in_both_dimensions!(equal_bodies_count_once);

/// So many that a time which grows with their square is noticed.
const MANY: usize = 5_000;

/// One body and many at its place lead a shape the same way.
fn equal_bodies_count_once<V: Dimension>() {
    let mut random = Random::new(131);
    let cuboid = Shape::cuboid(V::splat(0.5)).unwrap();
    for case in 0..40 {
        let shape = match case % 3 {
            0 => Shape::ball(0.5).unwrap(),
            1 => cuboid.clone(),
            _ => V::terrain(4.0),
        };
        let body = Body::fixed(shape, Pose::new(V::ZERO, V::rotation(&mut random)));
        let count = if case < 3 { MANY } else { 20 };
        let [one, many] = [1, count].map(|count| world_of((0..count).map(|_| body.clone())));
        let hero = [cuboid.clone(), Shape::ball(0.4).unwrap()][random.below(2)].clone();
        let (at, motion) = (random.vector::<V>(-1.2, 1.2), random.vector(-0.5, 0.5));
        let [one, many] =
            [&one, &many].map(|world| Walker::new(world, hero.clone(), at).go(motion));
        assert_eq!(many.pose, one.pose, "{case}");
        assert_eq!(
            (many.is_stuck, many.is_squeezed),
            (one.is_stuck, one.is_squeezed)
        );
        let normal = |slide: &Slide<V>| slide.ground.map(|ground| ground.normal);
        assert_eq!(normal(&many), normal(&one));
    }
}

/// Bodies that all differ, in a heap at the start of a shape, and all around it.
#[test]
fn heaps_are_left_and_crowds_are_slid_in() {
    let mut random = Random::new(132);
    let hero = Shape::ball(0.5).unwrap();
    let balls = |radius: Real, places: &mut dyn FnMut() -> Vec3| {
        let ball = Shape::ball(radius).unwrap();
        let at = |place| Body::fixed(ball.clone(), Pose::from_translation(place));
        world_of((0..MANY).map(|_| at(places())).collect::<Vec<_>>())
    };
    let heap = balls(0.5, &mut || random.vector(-0.05, 0.05));
    for at in [Vec3::new(0.2, 0.1, 0.0), Vec3::new(0.8, 0.75, 0.0)] {
        let mut walker = Walker::new(&heap, hero.clone(), at);
        for _ in 0..6 {
            walker.go(Vec3::X * 0.1);
        }
        let end = walker.go(Vec3::ZERO);
        assert!(
            !end.is_stuck && end.pose.translation().length() > 1.0,
            "{}",
            end.pose
        );
    }
    let around = balls(0.01, &mut || {
        let way: Vec3 = random.vector(-1.0, 1.0);
        way.normalize_or(Vec3::X) * 0.515
    });
    let end = Walker::new(&around, hero, Vec3::ZERO).go(Vec3::X);
    assert!(
        !end.is_stuck && end.pose.translation().length() < 0.01,
        "{}",
        end.pose
    );
}

/// Many triangles at one place are one.
#[test]
fn equal_triangles_count_once() {
    let corners = [[-1.0, 0.0, -1.0], [0.0, 0.0, 1.0], [1.0, 0.0, -1.0]].map(Vec3::from);
    let hero = Shape::ball(0.5).unwrap();
    for height in [0.3, 0.51] {
        let [one, many] = [1, 4 * MANY].map(|count| {
            let mesh = Shape::mesh(corners, vec![[0, 1, 2]; count]).unwrap();
            let world = world_of([Body::fixed(mesh, Pose::IDENTITY)]);
            Walker::new(&world, hero.clone(), Vec3::Y * height).go(Vec3::new(0.3, -0.2, 0.0))
        });
        // One triangle and groups of four are measured by other formulas.
        let apart = many.pose.translation() - one.pose.translation();
        assert!(
            apart.length() < 1e-6 && many.is_stuck == one.is_stuck,
            "{apart}"
        );
        let [one, many] = [one, many].map(|slide| slide.ground.unwrap());
        assert!((many.normal - one.normal).length() < 1e-6);
        assert_eq!((many.body, many.part), (one.body, one.part));
    }
}
