//! Whatever slides passes through nothing and ends free of everything, in ten levels, however it is moved.

use clearance_gjk::{Placed, RayOptions, cast_ray};
use clearance_math::{Pose, Ray, Real, Vector};
use clearance_shapes::{CompoundPart, Shape};
use clearance_world::{BodyId, SlideOptions};

use crate::random::{Random, iterations};
use crate::slide_levels::{Level, ROOM, any_shape, levels_in_plane, levels_in_space};
use crate::slide_walk::{Walker, Walks, gap};

/// How many moves a shape makes before another one takes over.
const MOVES: usize = 50;

/// How far a shape is from everything.
fn clearance<V: Vector>(level: &Level<V>, shape: &Shape<V>, pose: &Pose<V>) -> Real {
    gap(&level.world, Placed::new(shape, pose), |_| true)
}

/// Whether a place is in the room, above its terrain, and in its cave.
fn is_inside<V: Vector>(level: &Level<V>, place: V) -> bool {
    let meets = |body: BodyId, ray: Ray<V>, max_distance: Real| {
        let body = level.world.body(body).unwrap();
        let options = RayOptions {
            max_distance,
            ..RayOptions::default()
        };
        cast_ray(&ray, Placed::new(body.shape(), body.pose()), options)
            .unwrap()
            .is_some()
    };
    let in_room = (0..V::DIM).all(|axis| place.component(axis).abs() < ROOM);
    let is_below = level.terrain.is_some_and(|terrain| {
        let up = Ray::new(place, V::axis(1)).unwrap();
        meets(terrain, up, Real::INFINITY)
    });
    let is_beyond = level.cave.is_some_and(|cave| {
        let outwards = Ray::new(V::ZERO, place).unwrap();
        meets(cave, outwards, place.dot(place).sqrt())
    });
    in_room && !is_below && !is_beyond
}

/// A direction, and a length from a thousandth to a hundred, or now and then as far as numbers go.
fn any_motion<V: Vector>(random: &mut Random) -> V {
    let motion = random.vector::<V>(-1.0, 1.0);
    // Many fall at the same time, and some go exactly along an axis.
    let motion = match random.below(6) {
        0 => V::axis(random.below(V::DIM)) * [1.0, -1.0][random.below(2)],
        1 | 2 => motion - V::axis(1),
        3 => motion.with_component(1, -0.05),
        _ => motion,
    };
    let most = if random.once_in(10) { 37.9 } else { 2.0 };
    motion * (10.0 as Real).powf(random.between(-3.0, most))
}

fn any_options<V: Vector>(random: &mut Random) -> SlideOptions<V> {
    SlideOptions {
        max_slope: random.between(0.3, 1.2),
        step_height: [0.0, 0.2, 0.4][random.below(3)],
        snap_distance: [0.0, 0.3, 0.6][random.below(3)],
        step_depth: [None, Some(0.0), Some(0.3)][random.below(3)],
        max_edge_slope: random.between(0.3, 1.5),
        skin: [None, None, Some(1e-3), Some(0.05)][random.below(4)],
        ..SlideOptions::default()
    }
}

/// A free place for a shape in the room.
fn any_place<V: Vector>(
    level: &Level<V>,
    shape: &Shape<V>,
    rotation: V::Rotation,
    random: &mut Random,
) -> Option<Pose<V>> {
    let places = (0..40).map(|_| Pose::new(random.vector::<V>(-ROOM, ROOM), rotation));
    let mut free = places
        .filter(|pose| is_inside(level, pose.translation()) && clearance(level, shape, pose) > 0.0);
    free.next()
}

/// One shape, or now and then two that are one.
fn one_or_two<V: Walks>(random: &mut Random) -> Shape<V> {
    let first = any_shape(random);
    if !random.once_in(6) {
        return first;
    }
    let part = |shape, place| CompoundPart::new(shape, Pose::from_translation(place));
    let second = part(any_shape(random), random.vector(-0.3, 0.3));
    Shape::compound(vec![part(first, V::ZERO), second]).unwrap()
}

fn moves_in<V: Walks>(level: &Level<V>, count: usize) {
    let mut random = Random::new(level.name.len() as u64);
    let (mut moved, mut stood, mut done) = (0, 0, 0);
    while done < count {
        let shape = one_or_two(&mut random);
        let rotation = V::rotation(&mut random);
        let Some(pose) = any_place(level, &shape, rotation, &mut random) else {
            continue;
        };
        let mut walker = Walker::new(&level.world, shape, V::ZERO);
        (walker.pose, walker.options) = (pose, any_options(&mut random));
        for _ in 0..MOVES.min(count - done) {
            let (pose, motion) = (walker.pose, any_motion::<V>(&mut random));
            let slide = walker.go(motion);
            let Walker { shape, options, .. } = &walker;
            let gap = clearance(level, shape, &slide.pose);
            let case = || {
                let name = level.name;
                format!("{name}: {shape:?} at {pose:?} by {motion:?}, {options:?}: {slide:?}")
            };
            assert!(gap > 0.0 && !slide.is_stuck, "gap {gap}: {}", case());
            assert!(is_inside(level, slide.pose.translation()), "{}", case());
            moved += usize::from(slide.motion != V::ZERO);
            stood += usize::from(slide.ground.is_some());
            done += 1;
        }
    }
    assert!(10 * moved > 6 * count, "{}: {moved} of {count}", level.name);
    assert!(
        10 * stood > count && 10 * stood < 9 * count,
        "{}: {stood} of {count}",
        level.name
    );
}

#[test]
fn through_nothing_in_space() {
    for level in levels_in_space() {
        moves_in(&level, iterations(2500));
    }
}

#[test]
fn through_nothing_in_the_plane() {
    for level in levels_in_plane() {
        moves_in(&level, iterations(2500));
    }
}
