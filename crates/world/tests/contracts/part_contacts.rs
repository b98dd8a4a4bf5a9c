//! Contacts of parts: those of asking each pair alone, for every pair that wants them.

use clearance_gjk::{Placed, Separation, contacts_into};
use clearance_math::Real;
use clearance_shapes::Shape;
use clearance_world::{BodyId, BodyRef, Contact, Options, World};

use crate::compare::separation_bits;
use crate::crowd::{Dimension, Sure, composite_crowd, with, world_of};

crate::in_both_dimensions!(
    part_contacts_equal_asking_the_pair_alone,
    a_wish_for_parts_or_manifolds_changes_no_contact,
    lists_that_the_effort_cut_short_are_valid,
);

const COUNT: usize = 160;

fn wanting(part_contacts: bool) -> Options {
    with(|options| options.part_contacts = part_contacts)
}

/// What the world must list, by asking each pair of bodies that makes a contact.
fn expected<V: Dimension>(world: &World<V>) -> Vec<(BodyId, BodyId, Vec<u32>)> {
    let mut expected = Vec::new();
    let mut found = Vec::<Separation<V>>::new();
    for contact in world.contacts() {
        let [a, b] = [contact.a, contact.b].map(|id| world.body(id).unwrap());
        let is_wanted = |body: BodyRef<'_, V>| body.wants_part_contacts();
        if !world.options().part_contacts && !is_wanted(a) && !is_wanted(b) {
            continue;
        }
        let extra = f64::from(a.extra_margin()) + f64::from(b.extra_margin());
        let within = (f64::from(world.options().margin) + extra) as Real;
        let [placed_a, placed_b] = [a, b].map(|body| Placed::new(body.shape(), body.pose()));
        contacts_into(placed_a, placed_b, within, &mut found).unwrap();
        if found.is_empty() {
            // One body is wholly inside of the other.
            found.push(contact.separation);
        }
        let texts = found.iter().map(separation_bits);
        expected.extend(texts.map(|bits| (contact.a, contact.b, bits)));
    }
    expected
}

fn listed<V: Dimension>(world: &World<V>) -> Vec<(BodyId, BodyId, Vec<u32>)> {
    let bits = |contact: &Contact<V>| (contact.a, contact.b, separation_bits(&contact.separation));
    world.part_contacts().iter().map(bits).collect()
}

/// Of how many pairs of bodies with several part contacts the first, the second or both are composites;
/// and how many pairs have no composite.
fn kinds<V: Dimension>(world: &World<V>) -> [usize; 4] {
    let mut kinds = [0; 4];
    let is_composite = |id| matches!(world.body(id).unwrap().shape(), Shape::Composite(_));
    for contact in world.contacts() {
        let parts = world.part_contacts_between(contact.b, contact.a);
        assert_eq!(parts, world.part_contacts_between(contact.a, contact.b));
        let kind = match [contact.a, contact.b].map(is_composite) {
            [true, false] => 0,
            [false, true] => 1,
            [true, true] => 2,
            [false, false] => 3,
        };
        let several = if kind == 3 { 1 } else { 2 };
        kinds[kind] += usize::from(parts.len() >= several);
    }
    kinds
}

fn part_contacts_equal_asking_the_pair_alone<V: Dimension>() {
    let mut seen = [0; 4];
    for part_contacts in [false, true] {
        let (mut world, _) = world_of(wanting(part_contacts), composite_crowd::<V>(50, COUNT));
        for (frame, margin) in [0.05, 0.05, 0.4, 0.0].into_iter().enumerate() {
            world.change(|options| options.margin = margin);
            world.step(0.05).unwrap();
            world.validate().unwrap();
            assert!(listed(&world) == expected(&world), "frame {frame}");
            assert_eq!(world.profile().part_contacts, world.part_contacts().len());
            for (seen, kind) in seen.iter_mut().zip(kinds(&world)) {
                *seen += kind;
            }
        }
    }
    assert!(seen.iter().all(|&count| count > 20), "{seen:?}");
}

/// The contact of a pair may be found among its parts, and their manifolds on the way.
fn a_wish_for_parts_or_manifolds_changes_no_contact<V: Dimension>() {
    for effort in [Options::default().effort, 300] {
        let [mut plain, mut parts, mut manifolds] = [0, 1, 2].map(|wishes| {
            let options = Options {
                part_contacts: wishes > 0,
                manifolds: wishes > 1,
                effort,
                ..Options::default()
            };
            let mut bodies = composite_crowd::<V>(51, COUNT);
            bodies
                .iter_mut()
                .for_each(|body| body.part_contacts = false);
            world_of(options, bodies).0
        });
        for (frame, margin) in [0.05, 0.4, 0.0, 0.0].into_iter().enumerate() {
            let steps = [&mut plain, &mut parts, &mut manifolds].map(|world| {
                world.change(|options| options.margin = margin);
                world.step(0.05).unwrap();
                world.validate().unwrap();
                let bits = |contact: &Contact<V>| separation_bits(&contact.separation);
                let contacts: Vec<_> = world.contacts().iter().map(bits).collect();
                (world.contacts().len(), contacts, listed(world))
            });
            let [plain, parts, manifolds] = &steps;
            assert!(plain.0 > 20, "{} contacts in frame {frame}", plain.0);
            assert!(plain.1 == parts.1, "frame {frame}");
            assert!(parts == manifolds, "frame {frame}");
        }
    }
}

/// The nearest of the parts may be among those that were not found.
fn lists_that_the_effort_cut_short_are_valid<V: Dimension>() {
    let mut incomplete = 0;
    for effort in [5, 20, 60, 200] {
        let options = Options {
            effort,
            margin: 0.4,
            ..wanting(true)
        };
        let (mut world, _) = world_of(options, composite_crowd::<V>(52, COUNT));
        for _ in 0..3 {
            world.step(0.05).unwrap();
            world.validate().unwrap();
            incomplete += world.profile().incomplete_parts;
        }
    }
    assert!(incomplete > 20, "{incomplete}");
}
