//! A pair is a contact up to and including the margin plus both extra margins.

use clearance_gjk::{Placed, proximity};
use clearance_math::{Pose, PreciseVector, Real};
use clearance_shapes::Shape;
use clearance_world::Body;

use crate::crowd::{Dimension, with_margin, world_of};
use crate::random::Random;

crate::in_both_dimensions!(
    the_range_is_closed,
    extra_margins_add_up,
    balls_at_every_distance_about_the_range,
    tips_at_every_distance_about_the_range,
    tips_that_touch_in_any_direction,
    a_distance_that_rounds_into_the_range_is_within,
);

/// Whether two balls of radius 1/2 with this gap make a contact.
fn is_contact<V: Dimension>(gap: Real, margin: Real, extra: [Real; 2]) -> bool {
    let ball = || Shape::<V>::ball(0.5).unwrap();
    let at = Pose::from_translation(V::axis(0) * (1.0 + gap));
    let a = Body::fixed(ball(), Pose::IDENTITY).with_extra_margin(extra[0]);
    let b = Body::moving(ball(), at).with_extra_margin(extra[1]);
    let options = with_margin(margin);
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
            let options = with_margin(margin);
            let (mut world, _) = world_of(options, bodies);
            world.step(0.0).unwrap();
            let found = world.contacts().len() == 1;
            assert_eq!(found, apart - 1.0 <= margin, "{apart} {margin}");
            contacts += usize::from(found);
        }
    }
    assert!((400..1600).contains(&contacts), "{contacts}");
}

/// Capsules in line along any direction, tip to tip: rounding decides whether they touch, and must decide alike.
fn tips_that_touch_in_any_direction<V: Dimension>() {
    let mut random = Random::new(72);
    let mut contacts = 0;
    for _ in 0..2000 {
        let half = random.vector::<V>(-1.0, 1.0);
        let radius = random.between(0.1, 1.0);
        let capsule = Shape::capsule_from_endpoints(-half, half, radius).unwrap();
        let length = half.to_precise().length();
        let apart = half.to_precise() * (2.0 * (1.0 + f64::from(radius) / length));
        let [a, b] = [V::ZERO, V::from_precise(apart)].map(Pose::from_translation);
        let placed = |pose| Placed::new(&capsule, pose);
        let near = proximity(placed(&a), placed(&b), 0.0).unwrap().near();
        let bodies = [
            Body::fixed(capsule.clone(), a),
            Body::moving(capsule.clone(), b),
        ];
        let options = with_margin(0.0);
        let (mut world, _) = world_of(options, bodies);
        world.step(0.0).unwrap();
        let is_contact = near.is_some_and(|near| near.distance <= 0.0);
        assert_eq!(
            world.contacts().len(),
            usize::from(is_contact),
            "{half} {radius}"
        );
        contacts += usize::from(is_contact);
    }
    assert!((300..1700).contains(&contacts), "{contacts}");
}

/// The gap of 3.00000004 is 3 in single precision.
fn a_distance_that_rounds_into_the_range_is_within<V: Dimension>() {
    let options = with_margin(3.0);
    let bodies = [0.0, 3.2].map(|x| {
        let ball = Shape::<V>::ball(0.1).unwrap();
        Body::moving(ball, Pose::from_translation(V::axis(0) * x))
    });
    let (mut world, _) = world_of(options, bodies);
    world.step(0.0).unwrap();
    assert_eq!(world.contacts().len(), 1);
    assert_eq!(world.contacts()[0].distance(), 3.0);
}
