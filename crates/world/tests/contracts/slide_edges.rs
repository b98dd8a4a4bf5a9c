//! A slide that starts at an exact contact of edges or corners goes the way that it is asked to, where that is free.

use clearance_math::{Pose, Real, Vec2, Vec3, Vector};
use clearance_shapes::Shape;
use clearance_world::Body;

use crate::random::Random;
use crate::slide_walk::{Walker, world_of};

/// A multiple of an eighth, so that sums are exact.
fn eighths(random: &mut Random, low: usize, high: usize) -> Real {
    (low + random.below(high - low)) as Real / 8.0
}

/// Two boxes that touch at an edge or a corner, and a motion: along each axis on which their ends touch, the other box is on
/// the side that `sides` says. They overlap on the way only where the motion leads towards the other box along all of these.
fn edges_do_not_hold<V: Vector>(seed: u64) -> usize {
    let mut random = Random::new(seed);
    let mut free = 0;
    for _ in 0..400 {
        let mut half = || V::from_fn(|_| eighths(&mut random, 16, 32));
        let (fixed, moving) = (half(), half());
        let mut sides = V::ZERO;
        while (0..V::DIM)
            .filter(|&axis| sides.component(axis) != 0.0)
            .count()
            < 2
        {
            sides = V::from_fn(|_| random.below(3) as Real - 1.0);
        }
        let at = V::from_fn(|axis| match sides.component(axis) {
            0.0 => eighths(&mut random, 0, 4),
            side => side * (fixed + moving).component(axis),
        });
        let motion: V = random.vector(-0.9, 0.9);
        // Towards the other box along every axis on which they touch: the axis along which least is missing holds.
        let touching = (0..V::DIM).filter(|&axis| sides.component(axis) != 0.0);
        let towards = |axis: usize| (-sides.component(axis) * motion.component(axis), axis);
        let mut towards: Vec<_> = touching.map(towards).collect();
        towards.sort_by(|one, other| one.0.total_cmp(&other.0));
        let (least, held) = towards[0];
        if towards[1].0 < least + 0.05 || least.abs() < 0.05 {
            continue;
        }
        let expected = if least > 0.0 {
            motion.with_component(held, 0.0)
        } else {
            motion
        };
        let world = world_of([Body::fixed(Shape::cuboid(fixed).unwrap(), Pose::IDENTITY)]);
        let mut walker = Walker::new(&world, Shape::cuboid(moving).unwrap(), at);
        walker.options.up = None;
        let slid = walker.go(motion).motion;
        // Two skins of a hundredth of at most four units.
        let off = slid - expected;
        let is_near = (0..V::DIM).all(|axis| off.component(axis).abs() < 0.09);
        assert!(is_near, "{motion:?} from {at:?}, {sides:?}: {slid:?}");
        free += usize::from(least < 0.0);
    }
    free
}

#[test]
fn edges_do_not_hold_what_moves_past_them() {
    assert!(edges_do_not_hold::<Vec2>(71) > 100);
    assert!(edges_do_not_hold::<Vec3>(72) > 100);
}
