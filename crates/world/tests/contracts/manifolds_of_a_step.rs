//! The manifolds of a step are those of its contacts, one by one.

use clearance_shapes::Shape;
use clearance_world::{BodyManifold, Contact, Options, World};

use crate::crowd::{Dimension, composite_crowd, world_of};

crate::in_both_dimensions!(manifolds_of_a_step_are_those_of_its_contacts);

fn manifolds_of_a_step_are_those_of_its_contacts<V: Dimension>() {
    let wishes = [(false, false), (true, false), (false, true)];
    for (part_contacts, surface_contacts) in wishes {
        let options = Options {
            part_contacts,
            surface_contacts,
            ..Options::default()
        };
        let mut bodies = composite_crowd::<V>(76, 90);
        if !part_contacts {
            // Some of the bodies want their parts in any case.
            assert!(bodies.iter().any(|body| body.part_contacts));
        } else {
            bodies.truncate(60);
        }
        let (mut world, _) = world_of(options, bodies);
        world.step(1.0 / 60.0).unwrap();
        let contacts: Vec<Contact<V>> = if surface_contacts {
            world.surface_contacts().copied().collect()
        } else {
            let parts = |contact: &Contact<V>| world.part_contacts_between(contact.a, contact.b);
            let of_pair = |contact: &Contact<V>| match parts(contact) {
                [] => vec![*contact],
                parts => parts.to_vec(),
            };
            world.contacts().iter().flat_map(of_pair).collect()
        };
        let mut found = Vec::new();
        world.find_manifolds_into(&mut found);
        assert!(found.len() > 50, "{}", found.len());
        check(&world, &contacts, &found);
    }
}

fn check<V: Dimension>(world: &World<V>, contacts: &[Contact<V>], found: &[BodyManifold<V>]) {
    assert_eq!(contacts.len(), found.len());
    for (contact, found) in contacts.iter().zip(found) {
        assert_eq!((found.a, found.b), (contact.a, contact.b));
        // The lower bound of a contact of composites is that of all parts.
        let lower = contact.separation.lower;
        let mut separation = found.manifold.separation;
        let is_solid = |id| matches!(world.body(id).unwrap().shape(), Shape::Composite(composite) if composite.has_inside());
        if is_solid(found.a) || is_solid(found.b) {
            // Of a depth that does not follow from two parts.
            assert_eq!(separation.normal, contact.separation.normal);
            assert_eq!(Some(&found.manifold), world.manifold_of(contact).as_ref());
            continue;
        }
        assert!(lower <= separation.lower);
        separation.lower = lower;
        assert_eq!(separation, contact.separation);
        assert_eq!(Some(&found.manifold), world.manifold_of(contact).as_ref());
    }
}
