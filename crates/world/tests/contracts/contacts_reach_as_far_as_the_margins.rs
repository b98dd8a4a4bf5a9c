//! A pair is a contact up to and including the margin plus both extra margins.

use clearance_math::{Pose, Real};
use clearance_shapes::Shape;
use clearance_world::{Body, Options};

use crate::crowd::{Dimension, world_of};

crate::in_both_dimensions!(
    the_range_is_closed,
    extra_margins_add_up,
    balls_at_every_distance_about_the_range,
    tips_at_every_distance_about_the_range,
);

/// Whether two balls of radius 1/2 with this gap make a contact.
fn is_contact<V: Dimension>(gap: Real, margin: Real, extra: [Real; 2]) -> bool {
    let ball = || Shape::<V>::ball(0.5).unwrap();
    let at = Pose::from_translation(V::axis(0) * (1.0 + gap));
    let a = Body::fixed(ball(), Pose::IDENTITY).with_extra_margin(extra[0]);
    let b = Body::moving(ball(), at).with_extra_margin(extra[1]);
    let options = Options {
        margin,
        ..Options::default()
    };
    let (mut world, _) = world_of(options, [a, b]);
    world.step(0.0).unwrap();
    world.contacts().len() == 1
}

fn the_range_is_closed<V: Dimension>() {
    assert!(is_contact::<V>(0.0625, 0.0625, [0.0, 0.0]));
    assert!(!is_contact::<V>(0.0625 + Real::EPSILON, 0.0625, [0.0, 0.0]));
    assert!(is_contact::<V>(0.0, 0.0, [0.0, 0.0]));
    assert!(!is_contact::<V>(Real::EPSILON, 0.0, [0.0, 0.0]));
}

fn extra_margins_add_up<V: Dimension>() {
    assert!(is_contact::<V>(0.875, 0.125, [0.25, 0.5]));
    assert!(is_contact::<V>(0.875, 0.125, [0.75, 0.0]));
    assert!(!is_contact::<V>(0.875, 0.125, [0.25, 0.25]));
    assert!(!is_contact::<V>(0.875 + Real::EPSILON, 0.125, [0.75, 0.0]));
}

fn balls_at_every_distance_about_the_range<V: Dimension>() {
    let mut contacts = 0;
    // Sums that no single precision number hits, where boxes rounded inwards would lose a pair.
    for step in 0..400 {
        let margin = 0.1 + step as Real * 0.003;
        for offset in [-2, -1, 0, 1, 2] {
            let gap = margin + offset as Real * Real::EPSILON;
            let found = is_contact::<V>(gap, margin, [0.0, 0.0]);
            // The gap that the poses really leave; its subtraction is exact.
            let real_gap = (1.0 + gap) - 1.0;
            assert_eq!(found, real_gap <= margin, "{gap} {margin}");
            contacts += usize::from(found);
        }
    }
    assert!((400..1600).contains(&contacts), "{contacts}");
}

/// Capsules in line: what touches are the points at which their bounding spheres touch.
fn tips_at_every_distance_about_the_range<V: Dimension>() {
    let mut contacts = 0;
    let capsule = || Shape::<V>::capsule(0.25, 0.25).unwrap();
    for step in 0..400 {
        let margin = 0.1 + step as Real * 0.003;
        for offset in [-2, -1, 0, 1, 2] {
            let apart = 1.0 + margin + offset as Real * Real::EPSILON;
            let at = Pose::from_translation(V::axis(1) * apart);
            let bodies = [
                Body::fixed(capsule(), Pose::IDENTITY),
                Body::moving(capsule(), at),
            ];
            let options = Options {
                margin,
                ..Options::default()
            };
            let (mut world, _) = world_of(options, bodies);
            world.step(0.0).unwrap();
            let found = world.contacts().len() == 1;
            assert_eq!(found, apart - 1.0 <= margin, "{apart} {margin}");
            contacts += usize::from(found);
        }
    }
    assert!((400..1600).contains(&contacts), "{contacts}");
}
