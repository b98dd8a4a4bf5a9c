//! Bodies of the world slide past what they cannot meet, compounds as what they are made up to be, and without an up
//! every direction is alike.

use clearance_math::{Pose, Real, Rotation, Vector};
use clearance_shapes::{CompoundPart, Shape};
use clearance_world::{Body, Groups, Query, Slide, SlideOptions, Sliding, SlidingBody, World};

use crate::crowd::{Dimension, Sure};
use crate::random::Random;
use crate::slide_levels::{block, fixed};
use crate::slide_walk::{FALL, Walker, length, world_of};

crate::in_both_dimensions!(
    a_body_slides_past_what_it_cannot_meet,
    a_compound_slides_as_the_shape_that_it_makes,
    without_an_up_all_directions_are_alike,
);

fn rotated<V: Vector>(turn: V::Rotation, way: V) -> V {
    Pose::new(V::ZERO, turn).transform_point(way)
}

fn a_body_slides_past_what_it_cannot_meet<V: Dimension>() {
    let x = V::axis(0);
    let hero = Body::moving(Shape::ball(0.5).unwrap(), Pose::IDENTITY);
    let wall = fixed(Shape::half_space(-x).unwrap(), x * 2.0);
    let mut world = world_of([hero, wall]);
    let ids: Vec<_> = world.bodies().map(|body| body.id()).collect();
    let (hero, wall) = (ids[0], ids[1]);
    let options = SlideOptions::default();
    let slide = |asked: Query<'_, V>| {
        let slide = asked.slide_body(SlidingBody::new(hero, x * 9.0), options);
        slide.map(|slide| slide.motion.component(0))
    };
    let is_stopped = |world: &World<V>| (slide(world.query()).unwrap() - 1.49).abs() < 1e-4;
    let is_free = |world: &World<V>| slide(world.query()) == Ok(9.0);
    assert!(is_stopped(&world));
    // As the shape alone, without itself.
    let own = [hero];
    let filter = world.query().exclude(&own);
    let alone = Sliding::new(world.body(hero).unwrap().placed(), x * 9.0);
    let alone = filter.slide(alone, options);
    assert_eq!(slide(world.query()), Ok(alone.unwrap().motion.component(0)));
    // What the caller leaves out.
    assert_eq!(slide(world.query().exclude(&[wall])), Ok(9.0));
    world.ignore_pair(hero, wall).unwrap();
    assert!(is_free(&world));
    world.unignore_pair(hero, wall).unwrap();
    world.set_pair_filter(|a, b| a.user_data() == b.user_data());
    assert!(is_stopped(&world));
    world.at(wall).set_user_data(1);
    assert!(is_free(&world));
    world.clear_pair_filter();
    let one = Groups {
        memberships: 1,
        filter: 1,
    };
    world.at(hero).set_groups(one);
    assert!(is_stopped(&world));
    let two = Groups {
        memberships: 2,
        filter: 2,
    };
    world.at(wall).set_groups(two);
    assert!(is_free(&world));
    world.remove(hero).unwrap();
    let refused = slide(world.query()).unwrap_err().to_string();
    assert!(refused.contains("is not in this world"), "{refused}");
}

/// A box, and the same box of two parts.
fn whole_and_halves<V: Dimension>() -> [Shape<V>; 2] {
    let half = V::splat(0.4).with_component(1, 0.9);
    let part = |side: Real| {
        CompoundPart::new(
            Shape::cuboid(half.with_component(0, 0.2)).unwrap(),
            Pose::from_translation(V::axis(0) * (0.2 * side)),
        )
    };
    [
        Shape::cuboid(half).unwrap(),
        Shape::compound(vec![part(-1.0), part(1.0)]).unwrap(),
    ]
}

fn a_compound_slides_as_the_shape_that_it_makes<V: Dimension>() {
    let mut random = Random::new(131);
    let mut bodies = vec![fixed(Shape::half_space(V::axis(1)).unwrap(), V::ZERO)];
    // Stairs up and down, and a wall at each end.
    let mut add = |from: Real, to: Real, height: Real| {
        let low = V::splat(-9.0).with_component(0, from);
        let high = V::splat(9.0).with_component(0, to);
        bodies.push(block(low, high.with_component(1, height)));
    };
    for k in 0..4 {
        let k = k as Real;
        add(1.0 + 0.5 * k, 6.0 - 0.5 * k, 0.2 + 0.2 * k);
    }
    add(8.0, 9.0, 5.0);
    add(-3.0, -2.0, 5.0);
    let world = world_of(bodies);
    let [whole, halves] = whole_and_halves::<V>();
    let start = V::axis(1) * 0.95;
    let mut walkers = [whole, halves].map(|shape| Walker::new(&world, shape, start).land());
    let mut highest: Real = 0.0;
    for frame in 0..600 {
        let speed = if frame % 400 < 200 { 0.05 } else { -0.06 };
        let jump = if random.once_in(50) { 0.3 } else { FALL };
        let motion = V::axis(0) * speed + V::axis(1) * jump;
        let [whole, halves] = &mut walkers;
        // From one place, so that a difference does not add up.
        halves.pose = whole.pose;
        let (one, two) = (whole.go(motion), halves.go(motion));
        let apart = length(one.pose.translation() - two.pose.translation());
        assert!(apart < 2e-3, "{frame}: {apart} {one:?} {two:?}");
        assert_eq!(one.ground.is_some(), two.ground.is_some(), "{frame}");
        highest = highest.max(whole.height());
    }
    assert!(highest > 1.7, "{highest}");
}

fn without_an_up_all_directions_are_alike<V: Dimension>() {
    let mut random = Random::new(132);
    let options = SlideOptions {
        up: None,
        skin: Some(0.01),
        ..SlideOptions::default()
    };
    let (mut blocked, mut other_ways) = (0, 0);
    for _ in 0..60 {
        let bodies: Vec<Body<V>> = (0..6)
            .map(|_| {
                let half = random.vector::<V>(0.2, 1.0);
                let pose = Pose::new(random.vector::<V>(-3.0, 3.0), V::rotation(&mut random));
                Body::fixed(Shape::cuboid(half).unwrap(), pose)
            })
            .collect();
        let turn = V::rotation(&mut random);
        let turned = bodies.iter().map(|body| {
            let place = rotated(turn, body.pose.translation());
            let pose = Pose::new(place, turn.after(body.pose.rotation));
            Body::fixed(body.shape.clone(), pose)
        });
        let turned = world_of(turned.collect::<Vec<_>>());
        let world = world_of(bodies);
        let ball = Shape::ball(0.3).unwrap();
        let go = |world: &World<V>, place: V, motion: V| -> Slide<V> {
            let mut walker = Walker::new(world, ball.clone(), place);
            walker.options = options;
            walker.go(motion)
        };
        let mut place = V::splat(4.5);
        for _ in 0..20 {
            let motion = random.vector::<V>(-1.0, 1.0) - place * 0.1;
            let slide = go(&world, place, motion);
            let other = go(&turned, rotated(turn, place), rotated(turn, motion));
            let apart = length(rotated(turn, slide.pose.translation()) - other.pose.translation());
            other_ways += usize::from(apart > 5e-3);
            assert!(slide.ground.is_none() && !slide.is_stuck, "{slide:?}");
            assert!(length(slide.motion) < length(motion) + 0.05);
            blocked += usize::from(length(slide.motion) < 0.9 * length(motion));
            place = slide.pose.translation();
        }
    }
    assert!(blocked > 20, "{blocked}");
    // Rounding chooses the side on which a corner is passed that is met head on.
    assert!(other_ways < 24, "{other_ways} of 1200");
}
