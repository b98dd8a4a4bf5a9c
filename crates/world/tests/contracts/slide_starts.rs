//! Whatever a shape starts in or beside, and whatever its skin: it gets out or says that it is stuck, and goes no farther than
//! it must.

use clearance_gjk::Placed;
use clearance_math::{Real, Vec3};
use clearance_shapes::Shape;

use crate::crowd::Dimension;
use crate::random::{Random, iterations};
use crate::slide_levels::{block, levels_in_space, walls};
use crate::slide_walk::{FALL, SKIN, Walker, assert_none, floor, gap, length, walkers, world_of};

crate::in_both_dimensions!(starts_are_left_if_they_must_be);

fn starts_are_left_if_they_must_be<V: Dimension>() {
    let mut random = Random::new(112);
    let (mut inside, mut stuck, mut failed) = (0, 0, Vec::new());
    let count = iterations(400);
    for case in 0..count {
        // A room of half-spaces, of blocks or of plates as thin as paper.
        let thickness = [None, Some(2.0), Some(1e-4)][random.below(3)];
        let low = random.vector::<V>(-2.5, 2.0);
        let block = block(low, low + V::splat(0.4));
        let world = world_of(walls(3.0, thickness).into_iter().chain([block]));
        let shape = match random.below(3) {
            0 => Shape::ball(0.3),
            1 => Shape::cuboid(V::splat(0.25)),
            _ => Shape::capsule(0.2, 0.2),
        };
        let mut walker = Walker::new(&world, shape.unwrap(), random.vector::<V>(-2.9, 2.9));
        let gap = |walker: &Walker<'_, V>| {
            gap(&world, Placed::new(&walker.shape, &walker.pose), |_| true)
        };
        let free = gap(&walker);
        let skin = (10.0 as Real).powf(random.between(-2.0, 1.0));
        walker.options.skin = Some(skin);
        let mut gone = V::ZERO;
        for call in 0..4 {
            let slide = walker.go(V::ZERO);
            gone = gone + slide.motion;
            let (now, missing) = (gap(&walker), Real::max(skin - free, 0.0));
            // What stands on the ground within a quarter of the skin is drawn down to it.
            let drawn = 0.25 * skin + 1e-3;
            let is_wrong = slide.is_stuck != (now <= 0.0)
                || !slide.is_squeezed && now < 0.9 * skin
                || free > 0.0 && (slide.is_stuck || length(gone) > 2.0 * missing + drawn);
            if is_wrong {
                failed.push(format!(
                    "{case} {call}: skin {skin}, free {free}, now {now}: {slide:?}"
                ));
            }
        }
        inside += usize::from(free <= 0.0);
        stuck += usize::from(gap(&walker) <= 0.0);
    }
    assert_none(&failed, count);
    assert!(
        inside > count / 10 && 4 * stuck < inside,
        "{stuck} {inside}"
    );
}

#[test]
fn who_has_no_room_is_stuck_and_says_so() {
    // Between two walls that are nearer than the shape is wide.
    let wall = |x: Real| block(Vec3::new(x, -9.0, -9.0), Vec3::new(x + 1.0, 9.0, 9.0));
    let world = world_of([wall(-1.3), wall(0.3), floor()]);
    for shape in walkers() {
        let mut walker = Walker::new(&world, shape, Vec3::Y);
        for _ in 0..20 {
            let slide = walker.go(Vec3::new(0.1, FALL, 0.0));
            let x = slide.pose.translation().x;
            assert!(slide.is_stuck && x.abs() < 0.4, "{}", slide.pose);
        }
    }
    // Deep inside of a body that contains it, one gets out in some calls.
    let block = world_of([block(Vec3::splat(-5.0), Vec3::splat(5.0))]);
    let mut walker = Walker::new(&block, walkers()[0].clone(), Vec3::Y);
    let calls = (0..20)
        .take_while(|_| walker.go(Vec3::ZERO).is_stuck)
        .count();
    assert!(calls > 0 && calls < 20, "{calls}");
    // Inside of a mesh there is room.
    let levels = levels_in_space();
    let room = levels.iter().find(|level| level.name == "mesh").unwrap();
    let mut walker = Walker::new(&room.world, walkers()[0].clone(), Vec3::ZERO);
    assert!(!walker.go(Vec3::ZERO).is_stuck);
}

#[test]
fn corridors_narrower_than_two_skins_are_walked_through() {
    for room in [0.1, 0.7, 1.3, 1.99, 2.5] {
        let half = 0.4 + 0.5 * room * SKIN;
        let walls = [1.0, -1.0].map(|side| {
            let low = Vec3::new(-20.0, -1.0, side * (half + 0.5) - 0.5);
            block(low, low + Vec3::new(40.0, 4.0, 1.0))
        });
        let world = world_of(walls.into_iter().chain([floor()]));
        for shape in walkers() {
            let mut walker = Walker::new(&world, shape, Vec3::Y).land();
            for frame in 0..100 {
                let aside = 0.02 * (frame as Real).sin();
                assert!(!walker.walk(Vec3::new(0.1, 0.0, aside)).is_stuck);
            }
            let x = walker.pose.translation().x;
            assert!(x > 9.0, "{room}: {x} {:?}", walker.shape);
        }
    }
}
