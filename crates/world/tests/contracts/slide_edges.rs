//! A slide that starts at an exact contact of edges or corners goes the way that it is asked to, where that is free.

use clearance_gjk::Placed;
use clearance_math::{Pose, PreciseVector, Real, Vec2, Vec3, Vector};
use clearance_shapes::Shape;
use clearance_world::{Body, Options, SlideOptions, Sliding, World};

use crate::random::Random;

/// A multiple of an eighth, so that sums are exact.
fn eighths(random: &mut Random, low: usize, high: usize) -> Real {
    (low + random.below(high - low)) as Real / 8.0
}

/// How far a box slides beside a fixed one, each given by its half extents.
fn slid_beside<V: Vector>([fixed, moving]: [V; 2], at: &Pose<V>, motion: V) -> V {
    let options = SlideOptions {
        up: None,
        ..SlideOptions::default()
    };
    let mut world = World::<V>::new(Options::default()).unwrap();
    let fixed = Body::fixed(Shape::cuboid(fixed).unwrap(), Pose::IDENTITY);
    world.insert(fixed).unwrap();
    let shape = Shape::cuboid(moving).unwrap();
    let sliding = Sliding::new(Placed::new(&shape, at), motion);
    let slide = world.query().slide(sliding, options);
    slide.unwrap().motion
}

/// Two boxes that touch at an edge or a corner, and a motion: along each axis on which their ends touch, the other box is on
/// the side that `sides` says. They overlap on the way only where the motion leads towards the other box along all of these.
fn edges_do_not_hold<V: Vector>(seed: u64) -> usize {
    let mut random = Random::new(seed);
    let mut free = 0;
    for _ in 0..400 {
        let [fixed, moving] = [(); 2].map(|()| {
            (0..V::DIM).fold(V::ZERO, |half, axis| {
                half.with_component(axis, eighths(&mut random, 16, 32))
            })
        });
        let mut sides = [0.0; 3];
        while sides.iter().filter(|&&side| side != 0.0).count() < 2 {
            sides = [0, 1, 2].map(|axis| {
                if axis < V::DIM {
                    random.below(3) as Real - 1.0
                } else {
                    0.0
                }
            });
        }
        let at = (0..V::DIM).fold(V::ZERO, |at, axis| {
            let touching = sides[axis] * (fixed.component(axis) + moving.component(axis));
            let beside = if sides[axis] == 0.0 {
                eighths(&mut random, 0, 4)
            } else {
                touching
            };
            at.with_component(axis, beside)
        });
        let motion: V = random.vector(-0.9, 0.9);
        // Towards the other box along every axis on which they touch: the axis along which least is missing holds.
        let towards = |axis: &usize| -sides[*axis] * motion.component(*axis);
        let touching = || (0..V::DIM).filter(|&axis| sides[axis] != 0.0);
        let least = touching()
            .map(|axis| towards(&axis))
            .fold(Real::INFINITY, Real::min);
        let is_near_least = |axis: &usize| towards(axis) < least + 0.05;
        let clear = touching().filter(is_near_least).count() == 1;
        if !clear || least.abs() < 0.05 {
            continue;
        }
        let expected = (0..V::DIM).fold(motion, |expected, axis| {
            let is_held = sides[axis] != 0.0 && towards(&axis) == least && least > 0.0;
            if is_held {
                expected.with_component(axis, 0.0)
            } else {
                expected
            }
        });
        let at = Pose::from_translation(at);
        let slid = slid_beside([fixed, moving], &at, motion);
        let off = (slid - expected).to_precise();
        // Two skins of a hundredth of at most four units.
        let longest = (0..V::DIM)
            .map(|axis| off.in_space()[axis].abs())
            .fold(0.0, f64::max);
        assert!(
            longest < 0.09,
            "{motion:?} from {at:?}, {sides:?}: {slid:?}"
        );
        free += usize::from(least < 0.0);
    }
    free
}

#[test]
fn edges_do_not_hold_what_moves_past_them() {
    assert!(edges_do_not_hold::<Vec2>(71) > 100);
    assert!(edges_do_not_hold::<Vec3>(72) > 100);
}
