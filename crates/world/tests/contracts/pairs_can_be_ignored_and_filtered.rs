//! Ignored pairs and pairs that the filter refuses make no contact; all others are as without. The fuzz target `world`
//! sees it in random histories, with filters of user data.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use clearance_math::Pose;
use clearance_shapes::Shape;
use clearance_world::{
    Body, BodyId, BodyKind, BodyPair, EventKind, Groups, Options, Velocity, World, WorldError,
};

use crate::compare::kinds;
use crate::crowd::{Dimension, Sure, world_of};

crate::in_both_dimensions!(
    ignored_pairs_make_no_contact_until_they_are_allowed_again,
    pairs_that_cannot_be_ignored_are_refused,
    a_filter_that_changes_its_mind_is_followed,
    filters_see_user_data_and_velocities,
    a_restored_world_follows_its_own_filter_at_once,
    the_filter_is_asked_about_pairs_that_changed_and_no_others,
    few_changed_pairs_among_many_ignored_ones,
    ignored_pairs_that_are_far_apart_do_not_hide_others,
);

fn balls<V: Dimension>(count: usize) -> (World<V>, Vec<BodyId>) {
    let ball = Body::moving(Shape::<V>::ball(0.5).unwrap(), Pose::IDENTITY);
    let bodies = (0..count).map(|k| ball.clone().with_user_data(k as u64));
    world_of(Options::default(), bodies)
}

fn pairs<V: Dimension>(world: &World<V>) -> BTreeSet<BodyPair> {
    world
        .contacts()
        .iter()
        .map(|contact| contact.pair())
        .collect()
}

fn ignored_pairs_make_no_contact_until_they_are_allowed_again<V: Dimension>() {
    use EventKind::{Began, Ended, Entered, Left, Stayed};
    let (mut world, ids) = balls::<V>(2);
    let [a, b] = [ids[0], ids[1]];
    world.step(0.0).unwrap();
    assert_eq!(kinds(&world), [Entered, Began]);
    world.ignore_pair(b, a).unwrap();
    assert!(world.is_ignored(a, b) && world.is_ignored(b, a));
    assert!(world.ignored_pairs().eq([BodyPair { a, b }]));
    // It shows after the next step, as all changes do.
    assert_eq!(world.contacts().len(), 1);
    for expected in [vec![Ended, Left], vec![], vec![]] {
        world.step(0.0).unwrap();
        assert_eq!(kinds(&world), expected);
        assert!(world.contacts().is_empty());
    }
    // The bodies have not moved since.
    world.unignore_pair(a, b).unwrap();
    assert!(!world.is_ignored(a, b));
    for expected in [vec![Entered, Began], vec![Stayed]] {
        world.step(0.0).unwrap();
        assert_eq!(kinds(&world), expected);
    }
    world.ignore_pair(a, b).unwrap();
    world.unignore_pair(b, a).unwrap();
    world.step(0.0).unwrap();
    assert_eq!(kinds(&world), [Stayed]);
}

fn pairs_that_cannot_be_ignored_are_refused<V: Dimension>() {
    let (mut world, ids) = balls::<V>(2);
    let (_, strangers) = balls::<V>(2);
    let before = world.snapshot();
    let (id, stranger, gone) = (ids[0], strangers[1], BodyId::from_parts(1, 4));
    let same = WorldError::SameBody { id };
    let other = WorldError::OtherWorld { id: stranger };
    for (bad, error) in [
        (id, same),
        (stranger, other),
        (gone, WorldError::NotInWorld { id: gone }),
    ] {
        assert_eq!(world.ignore_pair(id, bad), Err(error.clone()));
        assert_eq!(world.ignore_pair(bad, id), Err(error.clone()));
        assert_eq!(world.unignore_pair(id, bad), Err(error));
        assert!(!world.is_ignored(id, bad));
    }
    assert_eq!(world.snapshot(), before);
}

fn a_filter_that_changes_its_mind_is_followed<V: Dimension>() {
    let (mut world, ids) = balls::<V>(3);
    let team = Arc::new(AtomicU64::new(u64::MAX));
    let seen = Arc::clone(&team);
    world.set_pair_filter(move |a, b| {
        let hidden = seen.load(Ordering::Relaxed);
        a.user_data() != hidden && b.user_data() != hidden
    });
    let [both, last] = [0, 1].map(|k| BodyPair {
        a: ids[k],
        b: ids[k + 1],
    });
    for hidden in [u64::MAX, 0, 2, u64::MAX] {
        team.store(hidden, Ordering::Relaxed);
        world.pair_filter_changed();
        for _ in 0..2 {
            world.step(0.0).unwrap();
            let pairs = pairs(&world);
            assert_eq!(pairs.contains(&both), hidden != 0);
            assert_eq!(pairs.contains(&last), hidden != 2);
        }
    }
    world.set_pair_filter(|_, _| false);
    world.step(0.0).unwrap();
    assert!(world.contacts().is_empty());
    let mut clone = world.clone();
    clone.step(0.0).unwrap();
    assert!(clone.contacts().is_empty());
    world.clear_pair_filter();
    world.step(0.0).unwrap();
    assert_eq!(world.contacts().len(), 3);
}

fn filters_see_user_data_and_velocities<V: Dimension>() {
    let (mut world, ids) = balls::<V>(2);
    world.set_pair_filter(|a, b| {
        let is_fast = a.velocity().linear.dot(V::axis(0)) > 1.0;
        a.user_data() != b.user_data() && !is_fast
    });
    let fast = Velocity::from_linear(V::axis(0) * 2.0);
    let mut count = |change: &dyn Fn(&mut World<V>)| {
        change(&mut world);
        world.step(0.0).unwrap();
        world.contacts().len()
    };
    assert_eq!(count(&|_| ()), 1);
    assert_eq!(count(&|world| world.at(ids[0]).set_user_data(1)), 0);
    assert_eq!(count(&|world| world.at(ids[1]).set_user_data(5)), 1);
    assert_eq!(
        count(&|world| world.at(ids[0]).set_velocity(fast).unwrap()),
        0
    );
    assert_eq!(
        count(&|world| world.at(ids[0]).set_velocity(Default::default()).unwrap()),
        1
    );
}

/// The filter is not in snapshots.
fn a_restored_world_follows_its_own_filter_at_once<V: Dimension>() {
    let (mut world, _) = balls::<V>(3);
    world.step(0.0).unwrap();
    let without = world.snapshot();
    world.set_pair_filter(|_, _| false);
    world.step(0.0).unwrap();
    let under_filter = world.snapshot();
    world.restore(&without);
    world.step(0.0).unwrap();
    assert!(world.contacts().is_empty());
    world.clear_pair_filter();
    world.step(0.0).unwrap();
    world.restore(&under_filter);
    assert!(world.contacts().is_empty());
    world.step(0.0).unwrap();
    assert_eq!(world.contacts().len(), 3);
}

/// The number of calls of the filter in a step, and the number of contacts after it.
type Counts = (usize, usize);

fn the_filter_is_asked_about_pairs_that_changed_and_no_others<V: Dimension>() {
    // A chain of balls, each touching the next.
    let ball = Shape::<V>::ball(0.5).unwrap();
    let bodies = (0..40).map(|k| {
        let pose = Pose::from_translation(V::axis(0) * (k as f32 * 0.99));
        Body::moving(ball.clone(), pose).with_user_data(k)
    });
    let (mut world, ids) = world_of(Options::default(), bodies);
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = |refused: u64| {
        let calls = Arc::clone(&calls);
        move |a: clearance_world::BodyRef<'_, V>, b: clearance_world::BodyRef<'_, V>| {
            calls.fetch_add(1, Ordering::Relaxed);
            a.user_data() != refused && b.user_data() != refused
        }
    };
    let mut step = |change: &dyn Fn(&mut World<V>)| -> Counts {
        change(&mut world);
        calls.store(0, Ordering::Relaxed);
        world.step(0.0).unwrap();
        (calls.load(Ordering::Relaxed), world.contacts().len())
    };
    let at_rest: &dyn Fn(&mut World<V>) = &|_| ();
    assert_eq!(step(at_rest), (0, 39));
    assert_eq!(step(&|world| world.set_pair_filter(counted(20))), (39, 37));
    assert_eq!(step(at_rest), (0, 37));
    // What is set to what it is does not count.
    let equal = |world: &mut World<V>| {
        let as_it_is = world.body(ids[19]).unwrap().to_body();
        let mut body = world.at(ids[19]);
        body.set_user_data(19);
        body.set_velocity(Velocity::default()).unwrap();
        body.set_groups(Groups::ALL);
        body.set_kind(BodyKind::Moving);
        body.set_extra_margin(0.0).unwrap();
        body.set_pose(as_it_is.pose).unwrap();
        body.set_shape(as_it_is.shape.clone());
        body.set_all(as_it_is).unwrap();
    };
    assert_eq!(step(&equal), (0, 37));
    // The user data that the filter refuses moves from one ball to another.
    let moved = |world: &mut World<V>| {
        world.at(ids[20]).set_user_data(0);
        world.at(ids[30]).set_user_data(20);
    };
    assert_eq!(step(&moved), (4, 37));
    assert_eq!(step(at_rest), (0, 37));
    assert_eq!(step(&|world| world.set_pair_filter(counted(0))), (39, 36));
    // An ignored pair is not asked about.
    let ignore = |world: &mut World<V>| world.ignore_pair(ids[5], ids[6]).unwrap();
    assert_eq!(step(&ignore), (1, 35));
    assert_eq!(step(at_rest), (0, 35));
    let unignore = |world: &mut World<V>| world.unignore_pair(ids[5], ids[6]).unwrap();
    assert_eq!(step(&unignore), (2, 36));
    assert_eq!(step(&|world| world.pair_filter_changed()), (39, 36));
    assert_eq!(step(&|world| world.clear_pair_filter()), (0, 39));
}

/// Where few pairs are to be measured, each is looked up among those that are ignored.
fn few_changed_pairs_among_many_ignored_ones<V: Dimension>() {
    let (mut world, ids) = balls::<V>(30);
    for k in 0..30 {
        for j in 0..k {
            if (j + k) % 4 != 0 {
                world.ignore_pair(ids[j], ids[k]).unwrap();
            }
        }
    }
    world.step(0.0).unwrap();
    let before = pairs(&world);
    assert_eq!(before.len() + world.ignored_pairs().count(), 30 * 29 / 2);
    let pose = Pose::from_translation(V::axis(0) * 0.125);
    world.at(ids[7]).set_pose(pose).unwrap();
    world.step(0.0).unwrap();
    assert!(world.profile().selected < 10);
    assert_eq!(pairs(&world), before);
    let distance = world.contact_between(ids[1], ids[7]).unwrap().distance();
    assert_eq!(distance, -0.875);
}

/// Pairs are left out in one walk through both lists, in which many ignored pairs may come between two that are near.
fn ignored_pairs_that_are_far_apart_do_not_hide_others<V: Dimension>() {
    let (mut world, ids) = balls::<V>(6);
    for (k, &id) in ids.iter().enumerate() {
        let at = V::axis(0) * (100.0 * (k / 2) as f32);
        world.at(id).set_pose(Pose::from_translation(at)).unwrap();
    }
    for a in 0..4 {
        for b in a + 1..6 {
            if (a, b) != (0, 1) {
                world.ignore_pair(ids[a], ids[b]).unwrap();
            }
        }
    }
    world.step(0.0).unwrap();
    let pair = |a: usize, b: usize| BodyPair {
        a: ids[a],
        b: ids[b],
    };
    assert_eq!(pairs(&world), BTreeSet::from([pair(0, 1), pair(4, 5)]));
}
