//! The contacts are what the pair function says of every pair of bodies.

use clearance_gjk::proximity;
use clearance_math::{Pose, Real};
use clearance_shapes::Shape;
use clearance_world::{Body, BodyKind, BodyRef, Options, World};

use crate::compare::{Bits, bits, separation_bits};
use crate::crowd::{Dimension, Sure, crowd, with_margin, world_of};
use crate::random::Random;

crate::in_both_dimensions!(
    contacts_are_those_of_all_pairs,
    contacts_of_balls_are_those_of_all_pairs,
    margins_of_all_sizes,
);

fn contacts_are_those_of_all_pairs<V: Dimension>() {
    let (mut world, _) = world_of(Options::default(), crowd::<V>(8, 300));
    for frame in 0..10 {
        world.step(0.1).unwrap();
        let expected = contacts_of_all_pairs(&world);
        assert!(expected.len() > 75, "{} are too few", expected.len());
        assert!(bits(&world) == expected, "frame {frame}");
    }
}

/// Balls of all sizes that numbers have, many of them level with others or on top of each other.
fn contacts_of_balls_are_those_of_all_pairs<V: Dimension>() {
    let mut random = Random::new(71);
    for size in [1.0, 1e-3, 1e6, 1e-30, Real::MIN_POSITIVE / 1e3, 1e18] {
        let balls = (0..120).map(|_| {
            let radius = size * random.between(0.05, 0.5);
            let place = random.vector::<V>(-1.5, 1.5);
            let level = random.below(V::DIM + 1);
            let place = match level {
                0 => place,
                axes => (0..axes).fold(place, |place, axis| {
                    let on_grid = place.component(axis).round();
                    place.with_component(axis, on_grid)
                }),
            };
            let pose = Pose::<V>::from_translation(place * size);
            let extra = if random.once_in(4) { 0.1 * size } else { 0.0 };
            Body::moving(Shape::ball(radius).unwrap(), pose).with_extra_margin(extra)
        });
        let balls: Vec<_> = balls.collect();
        for margin in [0.0, 0.05 * size] {
            let options = with_margin(margin);
            let (mut world, _) = world_of(options, balls.clone());
            world.step(0.0).unwrap();
            let expected = contacts_of_all_pairs(&world);
            assert!(expected.len() > 100, "{} are too few", expected.len());
            assert!(bits(&world) == expected, "size {size}, margin {margin}");
        }
    }
}

fn margins_of_all_sizes<V: Dimension>() {
    let (mut world, _) = world_of(Options::default(), crowd::<V>(9, 100));
    let mut counts = Vec::new();
    for margin in [0.0, 1e-6, 0.3, 2.0, 1e3, Real::MAX] {
        world.change(|options| options.margin = margin);
        world.step(0.0).unwrap();
        assert!(bits(&world) == contacts_of_all_pairs(&world), "{margin}");
        counts.push(world.contacts().len());
    }
    assert!(counts.is_sorted() && counts[0] > 0 && counts[3] > 2 * counts[0]);
}

pub(crate) fn contacts_of_all_pairs<V: Dimension>(world: &World<V>) -> Vec<Bits> {
    let bodies: Vec<_> = world.bodies().collect();
    let mut expected = Vec::new();
    for (place_a, a) in bodies.iter().enumerate() {
        for (place_b, b) in bodies.iter().enumerate().skip(place_a + 1) {
            if let Some(separation) = contact_of_pair(world.options().margin, a, b) {
                expected.push((place_a, place_b, separation));
            }
        }
    }
    expected
}

fn contact_of_pair<V: Dimension>(
    margin: Real,
    a: &BodyRef<'_, V>,
    b: &BodyRef<'_, V>,
) -> Option<Vec<u32>> {
    let is_fixed = (a.kind(), b.kind()) == (BodyKind::Fixed, BodyKind::Fixed);
    if is_fixed || !a.groups().pairs_with(b.groups()) {
        return None;
    }
    let extra = f64::from(a.extra_margin()) + f64::from(b.extra_margin());
    let range = (f64::from(margin) + extra).min(f64::from(Real::MAX)) as Real;
    let separation = proximity(a.placed(), b.placed(), range).unwrap().near()?;
    (separation.distance <= range).then(|| separation_bits(&separation))
}
