//! The id of one world is refused by every call of another, though both ids have the same numbers.

use clearance_math::Pose;
use clearance_shapes::Shape;
use clearance_world::{Body, BodyId, Options, Snapshot, World, WorldError};

use crate::crowd::{Dimension, crowd, world_of};

crate::in_both_dimensions!(
    every_call_refuses_the_id_of_another_world,
    filters_exclude_no_body_by_the_id_of_another_world,
    equal_worlds_have_equal_ids,
    clones_accept_each_others_ids,
    a_restored_world_accepts_the_ids_of_the_world_that_the_snapshot_is_of,
    a_stored_snapshot_leaves_the_ids_of_the_restored_world_valid,
    contacts_and_events_name_bodies_of_their_own_world,
);

/// Two worlds with the same history: all ids are equal.
fn equal_worlds<V: Dimension>() -> [(World<V>, Vec<BodyId>); 2] {
    [(); 2].map(|()| {
        let (mut world, ids) = world_of(Options::default(), crowd::<V>(50, 30));
        world.step(0.1).unwrap();
        assert!(!world.contacts().is_empty());
        (world, ids)
    })
}

fn every_call_refuses_the_id_of_another_world<V: Dimension>() {
    let [(_, strangers), (mut world, ids)] = equal_worlds::<V>();
    let id = strangers[7];
    assert_eq!(id, ids[7]);
    let before = format!("{:?}", world.snapshot());
    let refusals = [
        world.remove(id).map(drop),
        world.remove_many(&[ids[3], id]),
        // All edits go through this.
        world.body_mut(id).map(drop),
    ];
    for refusal in refusals {
        let error = refusal.unwrap_err();
        assert_eq!(error, WorldError::OtherWorld { id });
        let text = format!("body {id} is of another world: use the id that this world gave out");
        assert_eq!(error.to_string(), text);
    }
    assert!(!world.contains(id) && world.body(id).is_err());
    assert_eq!(format!("{:?}", world.snapshot()), before);
    // Removed bodies of other worlds are of other worlds all the same.
    world.remove(ids[7]).unwrap();
    assert_eq!(world.remove(id), Err(WorldError::OtherWorld { id }));
    let gone = Err(WorldError::NotInWorld { id: ids[7] });
    assert_eq!(world.remove(ids[7]), gone);
}

/// A body was passed over whose id has the same numbers.
fn filters_exclude_no_body_by_the_id_of_another_world<V: Dimension>() {
    let [(_, strangers), (world, ids)] = equal_worlds::<V>();
    let at = world.body(ids[7]).unwrap().pose().translation();
    let found_without = |exclude: &[BodyId]| {
        let filter = world.query().exclude(exclude);
        let mut found = Vec::new();
        filter.near_point_into(at, 1.0, &mut found).unwrap();
        found.iter().any(|near| near.body == ids[7])
    };
    assert!(found_without(&[]) && found_without(&strangers));
    assert!(!found_without(&ids));
}

fn equal_worlds_have_equal_ids<V: Dimension>() {
    let [(one, ones), (other, others)] = equal_worlds::<V>();
    assert_eq!(ones, others);
    assert_eq!(one.contacts(), other.contacts());
    assert_eq!(one.contacts_hash(), other.contacts_hash());
    assert_eq!(one.snapshot(), other.snapshot());
    let [one, other] = [one, other].map(|world| serde_json::to_string(&world.snapshot()).unwrap());
    assert!(one == other);
    let found: std::collections::HashSet<_> = ones.into_iter().collect();
    assert!(others.iter().all(|id| found.contains(id)));
}

fn clones_accept_each_others_ids<V: Dimension>() {
    let [(mut world, ids), _] = equal_worlds::<V>();
    let mut clone = world.clone();
    world.remove(ids[3]).unwrap();
    clone.remove(ids[3]).unwrap();
    let added = clone.insert(Body::fixed(Shape::ball(1.0).unwrap(), Pose::IDENTITY));
    assert!(!world.contains(added.unwrap()));
    assert!(
        ids[4..]
            .iter()
            .all(|&id| world.contains(id) && clone.contains(id))
    );
}

fn a_restored_world_accepts_the_ids_of_the_world_that_the_snapshot_is_of<V: Dimension>() {
    let [(world, ids), (mut other, others)] = equal_worlds::<V>();
    let own = other.snapshot();
    other.restore(&world.snapshot());
    assert!(ids.iter().all(|&id| other.contains(id)));
    assert!(others.iter().all(|&id| !other.contains(id)));
    let added = other.insert(Body::fixed(Shape::ball(1.0).unwrap(), Pose::IDENTITY));
    assert!(other.contains(added.unwrap()));
    other.restore(&own);
    assert!(others.iter().all(|&id| other.contains(id)));
    assert!(ids.iter().all(|&id| !other.contains(id)));
}

fn a_stored_snapshot_leaves_the_ids_of_the_restored_world_valid<V: Dimension>() {
    let [(mut world, ids), (mut other, others)] = equal_worlds::<V>();
    let text = serde_json::to_string(&(world.snapshot(), ids[5])).unwrap();
    let (snapshot, id): (Snapshot<V>, BodyId) = serde_json::from_str(&text).unwrap();
    world.remove(ids[5]).unwrap();
    for (world, own, foreign) in [(&mut world, &ids, &others), (&mut other, &others, &ids)] {
        world.restore(&snapshot);
        assert!(own.iter().all(|&id| world.contains(id)));
        assert!(foreign.iter().all(|&id| !world.contains(id)));
        assert!(world.contains(id) && id == own[5]);
    }
}

fn contacts_and_events_name_bodies_of_their_own_world<V: Dimension>() {
    let [(mut world, _), (mut other, _)] = equal_worlds::<V>();
    let text = serde_json::to_string(&world.snapshot()).unwrap();
    for _ in 0..2 {
        let ids = world
            .contacts()
            .iter()
            .flat_map(|contact| [contact.a, contact.b]);
        let told = world
            .events()
            .flat_map(|event| [event.contact.a, event.contact.b]);
        let ids: Vec<_> = ids.chain(told).chain(world.bodies().ids()).collect();
        assert!(
            ids.iter()
                .all(|&id| world.contains(id) && !other.contains(id))
        );
        // Also where the contacts were read from storage.
        let snapshot: Snapshot<V> = serde_json::from_str(&text).unwrap();
        world.restore(&snapshot);
        other.restore(&snapshot);
    }
}
