//! A body is pushed out of all that it overlaps at once, by the least translation that frees it.

use clearance_gjk::Placed;
use clearance_math::{Pose, Real, Vector};
use clearance_shapes::{CompoundPart, Shape};
use clearance_world::{Body, BodyId, Groups, PushOut, World};

use crate::crowd::{Dimension, Sure};
use crate::random::{Random, iterations};
use crate::slide_levels::{block, fixed};
use crate::slide_walk::{gap, length, world_of};

crate::in_both_dimensions!(
    tiles_push_once,
    corners_and_wedges_push_as_far_as_their_planes,
    what_cannot_meet_does_not_push,
    between_walls_it_goes_to_the_middle_and_says_so,
    a_way_around_is_found,
    compounds_are_pushed_as_one,
    random_heaps_push_as_little_as_brute_force_finds,
);

/// A world of fixed bodies, and one that moves.
fn world_with<V: Vector>(shape: Shape<V>, place: V, others: Vec<Body<V>>) -> (World<V>, BodyId) {
    let body = Body::moving(shape, Pose::from_translation(place));
    let world = world_of(others.into_iter().chain([body]));
    let last = world.bodies().ids().last().unwrap();
    (world, last)
}

/// The least distance to another body of a body that went some way.
fn gap_after<V: Vector>(world: &World<V>, id: BodyId, way: V) -> Real {
    let body = world.body(id).unwrap();
    let pose = Pose::new(body.pose().translation() + way, body.pose().rotation);
    gap(world, Placed::new(body.shape(), &pose), |other| other != id)
}

fn pushed<V: Vector>(world: &World<V>, id: BodyId) -> PushOut<V> {
    let out = world.query().push_out(id).unwrap();
    assert!(out.rounds < 120, "{out:?}");
    out
}

#[track_caller]
fn assert_near<V: Vector>(found: PushOut<V>, expected: V) {
    let error = length(found.translation - expected);
    assert!(
        error < 2e-5 && !found.is_squeezed,
        "{found:?}, not {expected}"
    );
}

fn heroes<V: Dimension>() -> [Shape<V>; 3] {
    [
        Shape::ball(1.0).unwrap(),
        Shape::cuboid(V::splat(1.0)).unwrap(),
        Shape::capsule(0.5, 0.5).unwrap(),
    ]
}

fn tiles_push_once<V: Dimension>() {
    // A floor of tiles, deep enough that their sides are no way out.
    let tiles = |count: i32| {
        let range = -count..count;
        let places = range
            .clone()
            .flat_map(|i| range.clone().map(move |k| (i, k)));
        let tiles = places
            .filter(|(_, k)| V::DIM == 3 || *k == 0)
            .map(|(i, k)| {
                let low = V::splat(k as Real).with_component(0, i as Real);
                let low = low.with_component(1, -3.0);
                block(low, low + V::splat(1.0).with_component(1, 3.0))
            });
        tiles.collect::<Vec<_>>()
    };
    for shape in heroes::<V>() {
        for x in [0.0, 0.2, 0.5, 0.93] {
            for depth in [1e-3, 0.1, 0.3] {
                let place = V::splat(0.3).with_component(0, x);
                let place = place.with_component(1, 1.0 - depth);
                let (world, id) = world_with(shape.clone(), place, tiles(5));
                assert_near(pushed(&world, id), V::axis(1) * depth);
            }
        }
    }
}

fn corners_and_wedges_push_as_far_as_their_planes<V: Dimension>() {
    let mut random = Random::new(121);
    for _ in 0..200 {
        // A ball in a wedge between two half-spaces, in the plane of two axes.
        let direction = |angle: Real| V::axis(0) * angle.cos() + V::axis(1) * angle.sin();
        let first = random.between(-3.0, 3.0);
        let opening = random.between(0.5, 2.9);
        let angles = [first, first + opening];
        let depths = [random.between(0.01, 0.5), random.between(0.01, 0.5)];
        let place = random.vector::<V>(-2.0, 2.0);
        let sides = angles.iter().zip(depths).map(|(angle, depth)| {
            let normal = direction(*angle);
            fixed(
                Shape::half_space(normal).unwrap(),
                place + normal * (depth - 0.5),
            )
        });
        let ball = Shape::ball(0.5).unwrap();
        let (world, id) = world_with(ball, place, sides.collect());
        let cos = opening.cos();
        let sum = |a: Real, b: Real| direction(angles[0]) * a + direction(angles[1]) * b;
        let [a, b] = depths;
        let expected = if b <= a * cos {
            sum(a, 0.0)
        } else if a <= b * cos {
            sum(0.0, b)
        } else {
            let square = 1.0 - cos * cos;
            sum((a - b * cos) / square, (b - a * cos) / square)
        };
        let out = pushed(&world, id);
        let error = length(out.translation - expected);
        assert!(
            error < 1e-4 && !out.is_squeezed,
            "{out:?}, not {expected}, {opening}"
        );
        assert!(gap_after(&world, id, out.translation) > -1e-6);
    }
}

fn what_cannot_meet_does_not_push<V: Dimension>() {
    let floor = || fixed(Shape::half_space(V::axis(1)).unwrap(), V::ZERO);
    let ball = Shape::ball(1.0).unwrap();
    let place = V::axis(1) * 0.5;
    let (mut world, id) = world_with(ball, place, vec![floor()]);
    let other = world.bodies().find(|body| body.id() != id).unwrap().id();
    assert_near(pushed(&world, id), V::axis(1) * 0.5);
    let exclude = [other];
    let filter = world.query().exclude(&exclude);
    assert_near(filter.push_out(id).unwrap(), V::ZERO);
    world.ignore_pair(id, other).unwrap();
    assert_near(pushed(&world, id), V::ZERO);
    world.unignore_pair(id, other).unwrap();
    world.set_pair_filter(|a, b| a.user_data() == b.user_data());
    assert_near(pushed(&world, id), V::axis(1) * 0.5);
    world.at(id).set_user_data(7);
    assert_near(pushed(&world, id), V::ZERO);
    world.clear_pair_filter();
    let groups = Groups {
        memberships: 2,
        filter: 2,
    };
    world.at(id).set_groups(groups);
    assert_near(pushed(&world, id), V::axis(1) * 0.5);
    let groups = Groups {
        memberships: 1,
        filter: 1,
    };
    world.at(other).set_groups(groups);
    assert_near(pushed(&world, id), V::ZERO);
    world.remove(id).unwrap();
    assert!(world.query().push_out(id).is_err());
}

fn between_walls_it_goes_to_the_middle_and_says_so<V: Dimension>() {
    for shift in [0.0, 0.1, 0.25] {
        let wall = |side: Real| {
            let normal = V::axis(0) * -side;
            fixed(Shape::half_space(normal).unwrap(), V::axis(0) * side * 0.7)
        };
        let ball = Shape::ball(1.0).unwrap();
        let place = V::axis(0) * shift;
        let (world, id) = world_with(ball, place, vec![wall(1.0), wall(-1.0)]);
        let out = pushed(&world, id);
        let error = length(out.translation + place);
        assert!(out.is_squeezed && error < 1e-4, "{shift}: {out:?}");
    }
}

fn a_way_around_is_found<V: Dimension>() {
    // The shortest way out of the table leads into the floor, and there is a ceiling.
    let floor = fixed(Shape::half_space(V::axis(1)).unwrap(), V::ZERO);
    let ceiling = fixed(Shape::half_space(-V::axis(1)).unwrap(), V::axis(1) * 2.5);
    let low = V::splat(-4.0).with_component(1, 0.9);
    let high = V::splat(4.0).with_component(1, 2.2).with_component(0, 0.3);
    let (world, id) = world_with(
        Shape::ball(0.5).unwrap(),
        V::axis(1) * 0.6,
        vec![floor, ceiling, block(low, high)],
    );
    let out = pushed(&world, id);
    assert!(!out.is_squeezed, "{out:?}");
    assert!(gap_after(&world, id, out.translation) > -1e-6);
    // Past the edge of the table, and up or down where it is round.
    assert!(length(out.translation) < 0.81, "{out:?}");
}

fn compounds_are_pushed_as_one<V: Dimension>() {
    // An L stands on the floor with one arm, and in a wall with the other.
    let arm = |half: V, place: V| {
        CompoundPart::new(Shape::cuboid(half).unwrap(), Pose::from_translation(place))
    };
    let arms = vec![
        arm(V::splat(0.2).with_component(1, 1.0), V::ZERO),
        arm(
            V::splat(0.2).with_component(0, 1.0),
            V::axis(0) * 1.0 + V::axis(1) * 0.8,
        ),
    ];
    let shape = Shape::compound(arms).unwrap();
    let floor = fixed(Shape::half_space(V::axis(1)).unwrap(), V::axis(1) * -0.9);
    let wall = fixed(Shape::half_space(-V::axis(0)).unwrap(), V::axis(0) * 1.7);
    let (world, id) = world_with(shape, V::ZERO, vec![floor, wall]);
    assert_near(pushed(&world, id), V::axis(1) * 0.1 - V::axis(0) * 0.3);
}

/// Directions all around.
fn directions<V: Dimension>(count: usize) -> Vec<V> {
    let mut random = Random::new(122);
    let directions = (0..count).map(|k| {
        if V::DIM == 2 {
            let angle = core::f32::consts::TAU * k as Real / count as Real;
            return V::axis(0) * angle.cos() + V::axis(1) * angle.sin();
        }
        loop {
            let way = random.vector::<V>(-1.0, 1.0);
            if (0.1..1.0).contains(&length(way)) {
                return way * (1.0 / length(way));
            }
        }
    });
    directions.collect()
}

/// The first free place along any of some directions: no way out is shorter than a depth.
fn brute_force<V: Dimension>(world: &World<V>, id: BodyId, directions: &[V]) -> Real {
    let mut least = 10.0;
    for direction in directions {
        let mut way = 0.0;
        while way < least {
            let gap = gap_after(world, id, *direction * way);
            if gap >= 0.0 {
                least = way;
                break;
            }
            way += Real::max(-gap, 1e-3);
        }
    }
    least
}

fn random_heaps_push_as_little_as_brute_force_finds<V: Dimension>() {
    let mut random = Random::new(123);
    let (count, mut worse, mut ratios) = (iterations(60), Vec::new(), Vec::new());
    let directions = directions::<V>(if V::DIM == 2 { 360 } else { 600 });
    while ratios.len() < count {
        let others = (0..2 + random.below(4)).map(|_| {
            let half = random.vector::<V>(0.1, 0.6);
            let shape = match random.below(3) {
                0 => Shape::ball(half.component(0)).unwrap(),
                1 => Shape::capsule(half.component(0), half.component(1)).unwrap(),
                _ => Shape::cuboid(half).unwrap(),
            };
            let pose = Pose::new(random.vector::<V>(-0.9, 0.9), V::rotation(&mut random));
            Body::fixed(shape, pose)
        });
        let others: Vec<_> = others.collect();
        let shape = match random.below(3) {
            0 => Shape::ball(0.4).unwrap(),
            1 => Shape::cuboid(V::splat(0.35)).unwrap(),
            _ => Shape::capsule(0.3, 0.25).unwrap(),
        };
        let (world, id) = world_with(shape, V::ZERO, others);
        let out = pushed(&world, id);
        if gap_after(&world, id, V::ZERO) >= 0.0 {
            assert_near(out, V::ZERO);
            continue;
        }
        let least = brute_force(&world, id, &directions);
        let (found, free) = (
            length(out.translation),
            gap_after(&world, id, out.translation),
        );
        assert!(!out.is_squeezed && free > -1e-5, "{out:?}, {free}, {least}");
        ratios.push(found / least);
        if found > 1.02 * least + 1e-3 {
            worse.push((found, least, out.rounds));
        }
    }
    ratios.sort_by(Real::total_cmp);
    let at = |share: f64| ratios[((count - 1) as f64 * share) as usize];
    assert!(
        worse.len() * 10 < count && at(1.0) < 2.0,
        "{} of {count} worse: median {}, 0.9 {}, 0.99 {}, worst {}: {worse:?}",
        worse.len(),
        at(0.5),
        at(0.9),
        at(0.99),
        at(1.0)
    );
}
