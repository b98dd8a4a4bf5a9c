//! A restored world is the world that it was: contacts, events, ids, answers, and all that follows.

use clearance_math::{Aabb, Pose};
use clearance_shapes::Shape;
use clearance_world::{Backend, Body, BodyId, Options, Snapshot, World};

use crate::compare::{poses, told};
use crate::crowd::{
    Dimension, Sure, any_body, crowd, edit, heap, with, with_backend, with_swept, with_threads,
    world_of,
};
use crate::random::Random;
use crate::shapes_of_your_own_are_bodies::crowd_with_eggs;

crate::in_both_dimensions!(
    restored_worlds_go_on_as_they_did,
    any_world_can_take_over,
    ids_survive_and_are_given_out_again_in_the_same_order,
    slots_added_since_are_gone,
    margins_come_back,
    snapshots_are_equal_where_the_worlds_were,
    a_snapshot_is_poses_velocities_and_contacts,
    contacts_that_were_left_out_are_found_again,
    contacts_are_kept_where_they_do_not_follow_from_the_bodies,
);

const COUNT: usize = 150;

/// Everything that a user can see of a world.
#[derive(Debug, PartialEq)]
struct View {
    ids: Vec<BodyId>,
    poses: Vec<String>,
    told: [Vec<Vec<u32>>; 5],
    found: Vec<BodyId>,
    margin: u32,
    hash: u64,
}

impl View {
    fn of<V: Dimension>(world: &World<V>) -> Self {
        world.validate().unwrap();
        let mut found = Vec::new();
        let bounds = Aabb::new(V::splat(1.0), V::splat(4.0));
        world.query().in_box_into(&bounds, &mut found);
        Self {
            ids: world.bodies().ids().collect(),
            poses: poses(world),
            told: told(world),
            found,
            margin: world.options().margin.to_bits(),
            hash: world.contacts_hash(),
        }
    }
}

/// Edits that depend on `seed` alone, then a step.
fn frame<V: Dimension>(world: &mut World<V>, seed: u64) {
    let mut random = Random::new(seed);
    edits(world, &mut random);
    world.step(1.0 / 30.0).unwrap();
}

fn edits<V: Dimension>(world: &mut World<V>, random: &mut Random) {
    let mut ids: Vec<_> = world.bodies().ids().collect();
    for _ in 0..8 {
        edit(world, &mut ids, (random, COUNT));
    }
    if random.once_in(5) {
        world.change(|options| options.margin = random.between(0.0, 0.2));
    }
}

/// A world that has gone on for some frames.
fn gone_on<V: Dimension>(options: Options, bodies: Vec<Body<V>>) -> World<V> {
    let (mut world, _) = world_of(options, bodies);
    for seed in 0..10 {
        frame(&mut world, seed);
    }
    world
}

fn some_world<V: Dimension>(options: Options) -> World<V> {
    gone_on(options, crowd_with_eggs(30, COUNT))
}

/// A world with contacts of parts and of surfaces, and with impacts.
pub(crate) fn rich_world<V: Dimension>() -> World<V> {
    let options = with(|options| options.surface_contacts = true);
    gone_on(options, with_swept(heap(30, COUNT), 30))
}

fn views<V: Dimension>(world: &mut World<V>) -> Vec<View> {
    let mut views = vec![View::of(world)];
    for seed in 100..110 {
        frame(world, seed);
        views.push(View::of(world));
    }
    views
}

fn restored_worlds_go_on_as_they_did<V: Dimension>() {
    let mut world = rich_world::<V>();
    // Between a removal and the step that will tell of it; with edits that no step has seen.
    edits(&mut world, &mut Random::new(31));
    world.remove(world.contacts()[3].a).unwrap();
    let snapshot = world.snapshot();
    let expected = views(&mut world);
    for view in &expected {
        let [contacts, parts, surfaces, impacts, _] = view.told.each_ref().map(Vec::len);
        assert!(contacts > 20 && parts > 20 && surfaces > 5 && impacts < contacts);
    }
    assert!(expected.iter().any(|view| !view.told[3].is_empty()));
    for _ in 0..3 {
        world.restore(&snapshot);
        assert!(views(&mut world) == expected);
    }
}

fn any_world_can_take_over<V: Dimension>() {
    let mut world = rich_world::<V>();
    let snapshot = world.snapshot();
    let expected = views(&mut world);
    for mut other in other_worlds::<V>() {
        let way = other.options();
        other.restore(&snapshot);
        assert_eq!(
            (other.options().backend, other.options().threads),
            (way.backend, way.threads)
        );
        assert!(views(&mut other) == expected, "{way:?}");
    }
}

fn ids_survive_and_are_given_out_again_in_the_same_order<V: Dimension>() {
    let mut random = Random::new(32);
    let mut world = some_world::<V>(Options::default());
    let before: Vec<_> = world.bodies().ids().collect();
    let snapshot = world.snapshot();
    let mut insert = |world: &mut World<V>| {
        let bodies = (0..20).map(|_| any_body::<V>(&mut random, COUNT));
        bodies
            .map(|body| world.insert(body).unwrap())
            .collect::<Vec<_>>()
    };
    for id in before.iter().step_by(3) {
        world.remove(*id).unwrap();
    }
    let since = insert(&mut world);
    world.step(0.1).unwrap();
    world.restore(&snapshot);
    assert!(world.bodies().ids().eq(before.iter().copied()));
    // An id may have come back only if it was in use at the time.
    assert!(
        since
            .iter()
            .all(|id| !world.contains(*id) || before.contains(id))
    );
    for id in before.iter().step_by(3) {
        world.remove(*id).unwrap();
    }
    assert_eq!(insert(&mut world), since);
    assert!(since.iter().all(|id| !before.contains(id)));
}

fn slots_added_since_are_gone<V: Dimension>() {
    let mut random = Random::new(33);
    let mut world = some_world::<V>(Options::default());
    let snapshot = world.snapshot();
    let before = View::of(&world);
    for stepped in [false, true] {
        for _ in 0..2 * COUNT {
            world.insert(any_body(&mut random, COUNT)).unwrap();
        }
        if stepped {
            world.step(0.1).unwrap();
        }
        world.restore(&snapshot);
        assert!(View::of(&world) == before);
    }
    world.restore(&World::new(Options::default()).unwrap().snapshot());
    assert!(world.is_empty() && world.contacts().is_empty());
    world.step(0.1).unwrap();
    world.validate().unwrap();
}

fn snapshots_are_equal_where_the_worlds_were<V: Dimension>() {
    let mut world = some_world::<V>(Options::default());
    let first = world.snapshot();
    let mut other = some_world::<V>(with_backend(Backend::RTree));
    assert_eq!(first, other.snapshot());
    frame(&mut world, 7);
    assert_ne!(first, world.snapshot());
    let mut kept: Snapshot<V> = world.snapshot();
    other.snapshot_into(&mut kept);
    assert_eq!(first, kept);
    other.restore(&world.snapshot());
    assert_eq!(other.snapshot(), world.snapshot());
    assert_eq!(first, first.clone());
}

/// Contacts that reach as far as the margins of the snapshot are found again, also when the other body is
/// the only one that changes after the world is restored.
fn margins_come_back<V: Dimension>() {
    let ball = Shape::ball(0.5).unwrap();
    let at = |x: f32| Pose::from_translation(V::axis(0) * x);
    type Change<V> = fn(&mut World<V>, BodyId, f32);
    let of_world: Change<V> = |world, _, margin| world.change(|options| options.margin = margin);
    let of_body: Change<V> = |world, id, margin| world.at(id).set_extra_margin(margin).unwrap();
    for set in [of_world, of_body] {
        let bodies = [at(0.0), at(1.25)].map(|pose| Body::moving(ball.clone(), pose));
        let (mut world, ids) = world_of(Options::default(), bodies);
        set(&mut world, ids[0], 0.5);
        world.step(0.0).unwrap();
        assert_eq!(world.contacts().len(), 1);
        let snapshot = world.snapshot();
        set(&mut world, ids[0], 0.0);
        world.step(0.0).unwrap();
        assert_eq!(world.contacts().len(), 0);
        world.restore(&snapshot);
        // A pair that does not change keeps its contact, so the other body has to move for its box to count.
        world.at(ids[1]).set_pose(at(1.3)).unwrap();
        world.step(0.0).unwrap();
        assert_eq!(world.contacts().len(), 1);
    }
}

/// Worlds that have seen other bodies, and work in other ways.
fn other_worlds<V: Dimension>() -> Vec<World<V>> {
    let ways = [
        (Backend::Bvh, 2),
        (Backend::RTree, 1),
        (Backend::BruteForce, 4),
    ];
    let worlds = ways.map(|(backend, threads)| {
        let options = Options {
            backend,
            margin: 0.7,
            ..with_threads(threads)
        };
        let (mut other, _) = world_of(options, crowd::<V>(99, 2 * COUNT));
        other.step(0.1).unwrap();
        [World::new(options).unwrap(), other]
    });
    worlds.into_iter().flatten().collect()
}

fn contacts_that_were_left_out_are_found_again<V: Dimension>() {
    let mut world = some_world::<V>(Options {
        part_contacts: true,
        surface_contacts: true,
        ..Options::default()
    });
    let mut others = other_worlds::<V>();
    let mut kept = world.snapshot().without_contacts();
    let mut left_out = 0;
    for seed in 40..50 {
        frame(&mut world, seed);
        let whole = world.snapshot();
        world.snapshot_into(&mut kept);
        assert_eq!(kept, world.snapshot().without_contacts());
        left_out += usize::from(kept != whole);
        let view = View::of(&world);
        for other in &mut others {
            other.restore(&kept);
            assert!(View::of(other) == view);
            assert!(other.snapshot() == whole);
        }
    }
    assert!(left_out >= 5, "only {left_out} do without contacts");
    // A filter that a world has for other bodies decides from the next step on.
    let last = others.len() - 1;
    others[last].set_pair_filter(|_, _| false);
    let expected = views(&mut world);
    for other in &mut others[..last] {
        assert!(views(other) == expected);
    }
    others[last].restore(&kept);
    assert!(View::of(&others[last]) == expected[0]);
    others[last].step(0.0).unwrap();
    assert!(others[last].contacts().is_empty());
}

fn contacts_are_kept_where_they_do_not_follow_from_the_bodies<V: Dimension>() {
    type Change<V> = fn(&mut World<V>);
    let changes: [Change<V>; 6] = [
        |world| edits(world, &mut Random::new(31)),
        |world| world.remove(world.contacts()[3].a).map(drop).unwrap(),
        |world| world.change(|options| options.margin += 1.0),
        |world| world.change(|options| options.part_contacts = true),
        |world| world.change(|options| options.manifolds = true),
        |world| {
            world.set_pair_filter(|_, _| false);
            world.step(0.0).unwrap();
        },
    ];
    for change in changes {
        let mut world = some_world::<V>(Options::default());
        change(&mut world);
        let snapshot = world.snapshot().without_contacts();
        assert!(snapshot == world.snapshot());
        let expected = View::of(&world);
        world.restore(&snapshot);
        assert!(View::of(&world) == expected);
    }
}

fn a_snapshot_is_poses_velocities_and_contacts<V: Dimension>() {
    let (mut world, ids) = world_of(Options::default(), crowd::<V>(34, 1000));
    let bare = world.snapshot().memory();
    // In the first step all contacts are new; then few are.
    world.step(0.0).unwrap();
    world.step(0.0).unwrap();
    let memory = world.snapshot().memory();
    let a_body = bare / ids.len();
    let a_contact = (memory - bare) / world.contacts().len();
    assert!(world.snapshot().without_contacts().memory() <= bare);
    // Pose, velocity and residual are 80 bytes of them in space.
    assert!(a_body <= 112, "{a_body} bytes a body");
    assert!(a_contact <= 104, "{a_contact} bytes a contact");
}
