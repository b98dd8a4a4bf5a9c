//! Pairs at rest keep their part contacts and manifolds: no shape is looked at, and the bits stay.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use clearance_math::{Pose, PreciseVector, Real};
use clearance_shapes::{CompoundPart, CustomShape, Shape, Support};
use clearance_world::{Body, Options, World};

use crate::compare::part_bits;
use crate::crowd::{Dimension, Sure, rebuilt, with, world_of};

crate::in_both_dimensions!(
    a_pair_at_rest_keeps_its_part_contacts_without_measuring,
    memory_of_part_contacts_is_given_back,
    a_pair_is_measured_once_for_contact_and_manifold,
);

/// A ball that counts how often it is looked at.
#[derive(Debug)]
struct Counting {
    looks: Arc<AtomicUsize>,
}

const RADIUS: f64 = 0.25;

impl<P: PreciseVector> Support<P> for Counting {
    fn support(&self, direction: P) -> P {
        self.looks.fetch_add(1, Ordering::Relaxed);
        direction * (RADIUS / direction.length())
    }

    fn center(&self) -> P {
        P::ZERO
    }

    fn bounding_radius(&self) -> f64 {
        RADIUS
    }
}

impl<P: PreciseVector> CustomShape<P> for Counting {
    fn key(&self) -> [u32; 8] {
        [0; 8]
    }
}

/// A ball, with the number of looks at it.
fn counting<V: Dimension>() -> (Shape<V>, Arc<AtomicUsize>) {
    let looks = Arc::new(AtomicUsize::new(0));
    let ball = Shape::<V>::custom(Counting {
        looks: Arc::clone(&looks),
    });
    (ball.unwrap(), looks)
}

/// A row of ladders, each of `rungs` balls one above the other, each beside those of the next ladder.
fn ladders<V: Dimension>(count: usize, rungs: usize) -> (World<V>, Arc<AtomicUsize>) {
    let (ball, looks) = counting::<V>();
    let rung =
        |k: usize| CompoundPart::new(ball.clone(), Pose::from_translation(V::axis(1) * k as Real));
    let ladder = Shape::compound((0..rungs).map(rung).collect::<Vec<_>>()).unwrap();
    let bodies = (0..count).map(|k| {
        let place = V::axis(0) * (0.53 * k as Real);
        Body::moving(ladder.clone(), Pose::from_translation(place))
    });
    let (mut world, _) = world_of(wanting(), bodies);
    world.step(0.0).unwrap();
    assert_eq!(world.contacts().len(), count - 1);
    assert_eq!(world.part_contacts().len(), (count - 1) * rungs);
    (world, looks)
}

fn a_pair_at_rest_keeps_its_part_contacts_without_measuring<V: Dimension>() {
    const COUNT: usize = 12;
    const RUNGS: usize = 5;
    let (mut world, looks) = ladders::<V>(COUNT, RUNGS);
    let first = part_bits(&world);
    let looks_of_all = looks.swap(0, Ordering::Relaxed);
    world.step(1.0 / 60.0).unwrap();
    assert_eq!(looks.load(Ordering::Relaxed), 0);
    assert_eq!(
        (world.profile().selected, world.profile().part_contacts),
        (0, (COUNT - 1) * RUNGS)
    );
    assert!(part_bits(&world) == first);
    assert_eq!(world.manifolds().count(), (COUNT - 1) * RUNGS);
    let snapshot = world.snapshot();
    world.restore(&snapshot);
    world.step(1.0 / 60.0).unwrap();
    assert_eq!(looks.load(Ordering::Relaxed), 0);
    assert!(part_bits(&world) == first);

    // One ladder is lifted by a rung: of its pairs alone there is one part contact less each.
    let moved = world.bodies().ids().nth(4).unwrap();
    let pose = *world.body(moved).unwrap().pose();
    let lifted = Pose::from_translation(pose.translation() + V::axis(1));
    world.at(moved).set_pose(lifted).unwrap();
    world.step(0.0).unwrap();
    assert_eq!(world.profile().selected, 2);
    assert!(looks.load(Ordering::Relaxed) < looks_of_all / 2);
    assert_eq!(world.part_contacts().len(), (COUNT - 1) * RUNGS - 2);
    assert!(part_bits(&world) == part_bits(&rebuilt(&world, wanting())));
    let others = |(a, b, _): &&(usize, usize, Vec<u32>)| *a != 4 && *b != 4;
    let now = part_bits(&world);
    assert!(now.iter().filter(others).eq(first.iter().filter(others)));
    // And back: there are as many as before, and of the same bits.
    world.at(moved).set_pose(pose).unwrap();
    world.step(0.0).unwrap();
    assert!(part_bits(&world) == first);
}

fn wanting() -> Options {
    Options {
        part_contacts: true,
        manifolds: true,
        ..Options::default()
    }
}

fn memory_of_part_contacts_is_given_back<V: Dimension>() {
    let (mut world, _) = ladders::<V>(60, 100);
    let crowded = world.memory();
    let copy = world.snapshot();
    world.retain(|body| body.id().index() < 2);
    for _ in 0..600 {
        world.step(0.0).unwrap();
    }
    assert_eq!(world.part_contacts().len(), 100);
    let bytes = 59 * 100 * size_of::<clearance_world::Contact<V>>();
    assert!(
        world.memory() + bytes < crowded,
        "{} {crowded}",
        world.memory()
    );
    assert!(copy.memory() > bytes);
}

fn a_pair_is_measured_once_for_contact_and_manifold<V: Dimension>() {
    let (ball, looks) = counting::<V>();
    let bodies = (0..40).map(|k| {
        let place = V::axis(0) * (0.47 * k as Real) + V::axis(1) * (0.01 * (k % 7) as Real);
        Body::moving(ball.clone(), Pose::from_translation(place))
    });
    let [mut with, mut without] = [true, false].map(|manifolds| {
        let options = with(|options| options.manifolds = manifolds);
        world_of(options, bodies.clone()).0
    });
    let looks_of = |work: &mut dyn FnMut()| {
        looks.store(0, Ordering::Relaxed);
        work();
        looks.load(Ordering::Relaxed)
    };
    let contacts_only = looks_of(&mut || without.step(0.0).unwrap());
    let with_manifolds = looks_of(&mut || with.step(0.0).unwrap());
    let mut found = Vec::new();
    let on_request = looks_of(&mut || without.query().manifolds_into(&mut found));
    assert_eq!(with.manifolds().count(), found.len());
    assert!(found.len() >= 39 && with_manifolds <= contacts_only + 2 * found.len());
    assert!(
        on_request > contacts_only / 2,
        "{on_request} {contacts_only}"
    );
}
