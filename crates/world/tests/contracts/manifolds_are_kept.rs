//! The manifolds that steps find are those of the contacts, bit for bit, whatever came before, and tell which points go on.

use clearance_math::{Pose, PreciseVector, Quat, Real, Vec3, round_up};
use clearance_shapes::Shape;
use clearance_world::{Body, BodyManifold, Contact, Options, Snapshot, Velocity, World};

use crate::compare::separation_bits;
use crate::crowd::{Dimension, Sure, edit_or_ask, heap, with_swept, with_threads, world_of};
use crate::random::Random;

crate::in_both_dimensions!(
    any_history_keeps_the_manifolds_of_the_contacts,
    wishes_that_end_leave_no_manifolds_behind,
    what_is_read_shows_the_same_manifolds,
);

const COUNT: usize = 50;

/// Every bit of a manifold, and where its points come from.
fn bits<V: Dimension>(found: &BodyManifold<V>) -> Vec<u64> {
    let separation = separation_bits(&found.manifold.separation);
    let mut bits: Vec<u64> = separation.into_iter().map(u64::from).collect();
    for id in [found.a, found.b] {
        bits.extend([id.index(), id.generation()].map(u64::from));
    }
    let mut precise = |place: V::Precise| {
        bits.extend((0..V::DIM).map(|axis| place.component(axis).to_bits()));
    };
    precise(found.pose_a.position());
    precise(found.pose_b.position());
    for point in found.manifold.points() {
        precise(point.position_a);
        precise(point.position_b);
    }
    for point in found.manifold.points() {
        let features = [point.feature_a, point.feature_b].map(|feature| u64::from(feature.id()));
        bits.extend(features);
        bits.push(point.distance.to_bits().into());
    }
    bits
}

type Found<V> = Vec<BodyManifold<V>>;

fn found_by<V: Dimension>(world: &World<V>) -> Found<V> {
    world.manifolds().cloned().collect()
}

/// The manifolds of the contacts that want them, one after the other.
fn expected<V: Dimension>(world: &World<V>) -> Vec<(Contact<V>, clearance_gjk::Manifold<V>)> {
    let contacts: Vec<Contact<V>> = if world.options().surface_contacts {
        world.surface_contacts().copied().collect()
    } else {
        let of_pair = |contact: &Contact<V>| match world.part_contacts_between(contact.a, contact.b)
        {
            [] => vec![*contact],
            parts => parts.to_vec(),
        };
        world.contacts().iter().flat_map(of_pair).collect()
    };
    let is_wanted = |contact: &Contact<V>| {
        let wants = |id| world.body(id).unwrap().wants_manifolds();
        world.options().manifolds || wants(contact.a) || wants(contact.b)
    };
    let wanted = contacts.into_iter().filter(is_wanted);
    wanted
        .filter_map(|contact| Some((contact, world.query().manifold_of(&contact)?)))
        .collect()
}

/// How often points went on, and how many manifolds were there.
#[derive(Debug, Default)]
struct Seen {
    manifolds: usize,
    matched: usize,
    others: usize,
}

/// Compares right after a step with what is measured on request, and with the list of the step before.
fn check<V: Dimension>(world: &World<V>, before: &Found<V>, seen: &mut Seen) {
    world.validate().unwrap();
    let now = found_by(world);
    let expected = expected(world);
    assert_eq!(now.len(), expected.len());
    for (found, (contact, manifold)) in now.iter().zip(&expected) {
        let [pose_a, pose_b] = [contact.a, contact.b].map(|id| *world.body(id).unwrap().pose());
        let mut alone = found.clone();
        (alone.a, alone.b, alone.pose_a, alone.pose_b) = (contact.a, contact.b, pose_a, pose_b);
        alone.manifold = manifold.clone();
        assert_eq!(bits(found), bits(&alone));
        let is_solid = |id| matches!(world.body(id).unwrap().shape(), Shape::Composite(composite) if composite.has_inside());
        let (mut measured, told) = (manifold.separation, contact.separation);
        assert_eq!(measured.normal, told.normal);
        // A depth in a solid does not follow from two parts; the lower bound of composites is that of all parts.
        if !is_solid(found.a) && !is_solid(found.b) {
            assert!(told.lower <= measured.lower);
            measured.lower = told.lower;
            assert_eq!(measured, told);
        }
        let radius = |id| round_up(world.body(id).unwrap().shape().bounding_radius());
        let within = 0.01 * Real::min(radius(found.a), radius(found.b));
        let place = before.binary_search_by_key(&found.key(), BodyManifold::key);
        let from = place.map_or([None; 4], |place| {
            found.points_before(&before[place], within)
        });
        let told = found.points_before.map(|from| from.map(usize::from));
        assert_eq!(told, from);
        seen.matched += from.iter().flatten().count();
    }
    seen.manifolds += now.len();
    let mut listed = Vec::new();
    world.query().manifolds_into(&mut listed);
    if world.options().manifolds {
        assert_eq!(listed, now);
    } else {
        seen.others += listed.len() - now.len();
    }
}

/// A crowd of which about one body in `share` moves and some want manifolds.
fn crowd_world<V: Dimension>(options: Options, seed: u64, share: usize) -> World<V> {
    let mut random = Random::new(seed);
    let mut bodies = heap::<V>(seed, COUNT);
    if seed % 4 < 2 {
        bodies = with_swept(bodies, seed);
    }
    let bodies = bodies.into_iter().map(|mut body| {
        if share == 0 || !random.once_in(share) {
            body.velocity = Velocity::default();
        }
        body.manifolds = random.once_in(3);
        body
    });
    world_of(options, bodies).0
}

fn any_history_keeps_the_manifolds_of_the_contacts<V: Dimension>() {
    let mut seen = Seen::default();
    for seed in 0..8 {
        let options = Options {
            manifolds: seed % 4 != 1,
            part_contacts: seed % 4 == 2,
            surface_contacts: seed % 4 == 3,
            ..Options::default()
        };
        let share = [0, 30, 8, 2][seed as usize / 2];
        let mut worlds = [1, 2].map(|threads| {
            let threads = with_threads(threads).threads;
            crowd_world::<V>(Options { threads, ..options }, seed, share)
        });
        history(&mut worlds, seed, &mut seen);
    }
    let Seen {
        manifolds,
        matched,
        others,
    } = seen;
    assert!(
        manifolds > 2000 && matched > manifolds / 2 && others > 100,
        "{seen:?}"
    );
}

/// Two worlds of one and of two threads that go through the same.
fn history<V: Dimension>(worlds: &mut [World<V>; 2], seed: u64, seen: &mut Seen) {
    let mut saved: Option<([Snapshot<V>; 2], Found<V>)> = None;
    for frame in 0..12 {
        let choices = 1000 * seed + frame;
        let mut is_restored = false;
        for world in worlds.iter_mut() {
            let mut random = Random::new(choices);
            let mut ids: Vec<_> = world.bodies().ids().collect();
            for _ in 0..[0, 0, 1, 5][random.below(4)] {
                edit_or_ask(world, &mut ids, (&mut random, COUNT));
            }
            if random.once_in(3) {
                let id = ids[random.below(ids.len())];
                world.at(id).set_manifolds(random.once_in(2));
            }
            if random.once_in(12) {
                world.change(|options| options.manifolds = random.once_in(2));
            }
            if random.once_in(9) {
                *world = world.clone();
            }
        }
        let mut random = Random::new(choices + 500);
        let before = found_by(&worlds[0]);
        if random.once_in(4) {
            let whole = worlds[0].snapshot();
            let lean = worlds[0].snapshot().without_contacts();
            saved = Some(([whole, lean], before));
        } else if random.once_in(4)
            && let Some(([whole, lean], then)) = &saved
        {
            // The one by a copy, the other by measuring all again where that does.
            worlds[0].restore(whole);
            worlds[1].restore(lean);
            assert_eq!(&found_by(&worlds[0]), then);
            assert_eq!(&found_by(&worlds[1]), then);
            is_restored = true;
        }
        let before = found_by(&worlds[0]);
        let dt = [0.0, 1.0 / 60.0][random.below(2)];
        for world in worlds.iter_mut() {
            world.step(dt).unwrap();
        }
        check(&worlds[0], &before, seen);
        assert_eq!(found_by(&worlds[0]), found_by(&worlds[1]), "{is_restored}");
        let hashes = worlds.each_ref().map(World::contacts_hash);
        assert_eq!(hashes[0], hashes[1]);
    }
}

/// A step overwrites what the step before found, or has to forget it: here no body has wishes of its own, and all move.
fn wishes_that_end_leave_no_manifolds_behind<V: Dimension>() {
    let mut seen = Seen::default();
    for (seed, threads) in [(1, 1), (2, 2)] {
        let bodies = heap::<V>(seed, COUNT).into_iter().map(|mut body| {
            (body.part_contacts, body.manifolds) = (false, false);
            body
        });
        let mut world = world_of(with_threads(threads), bodies).0;
        let wishes = ["pm", "m", "pm", "p", "m", "pm", "", "m", "p", "pm", "m"];
        for wished in wishes {
            world.change(|options| {
                options.part_contacts = wished.contains('p');
                options.manifolds = wished.contains('m');
            });
            let before = found_by(&world);
            world.step(1.0 / 60.0).unwrap();
            check(&world, &before, &mut seen);
        }
    }
    assert!(seen.manifolds > 1000 && seen.matched > 300, "{seen:?}");
}

fn what_is_read_shows_the_same_manifolds<V: Dimension>() {
    for surface_contacts in [false, true] {
        let options = Options {
            manifolds: true,
            surface_contacts,
            ..Options::default()
        };
        let mut world = crowd_world::<V>(options, 9, 2);
        for _ in 0..2 {
            world.step(1.0 / 60.0).unwrap();
        }
        let mut saved = vec![world.snapshot(), world.snapshot().without_contacts()];
        let id = world.bodies().ids().nth(7).unwrap();
        let moved = world.body(id).unwrap().pose().moved_by(V::axis(0) * 0.01);
        world.at(id).set_pose(moved).unwrap();
        saved.push(world.snapshot());
        for snapshot in saved {
            let text = serde_json::to_string(&snapshot).unwrap();
            let read: Snapshot<V> = serde_json::from_str(&text).unwrap();
            world.restore(&snapshot);
            let shown = found_by(&world);
            assert!(shown.iter().any(|found| found.points_before[0].is_some()));
            world.step(0.0).unwrap();
            let after = found_by(&world);
            world.restore(&read);
            let renamed = |list: &Found<V>| list.iter().map(bits).collect::<Vec<_>>();
            assert_eq!(renamed(&found_by(&world)), renamed(&shown));
            world.step(0.0).unwrap();
            assert_eq!(renamed(&found_by(&world)), renamed(&after));
            let points = |list: &Found<V>| {
                let points = list.iter().map(|found| found.points_before);
                points.collect::<Vec<_>>()
            };
            assert_eq!(points(&found_by(&world)), points(&after));
        }
    }
}

/// A plate on bumps, over few triangles or over many.
#[test]
fn manifolds_of_many_parts_are_in_the_order_of_their_contacts() {
    let heights: Vec<Real> = (0..400).map(|k| 0.01 * (k * 7 % 5) as Real).collect();
    let floor = Shape::height_field(heights, 20, Vec3::new(19.0, 1.0, 19.0)).unwrap();
    for (half, most) in [(0.8, 64), (6.0, 800)] {
        let mut world = World::new(Options {
            manifolds: true,
            part_contacts: true,
            ..Options::default()
        })
        .unwrap();
        let floor = Body::fixed(floor.clone(), Pose::IDENTITY);
        world.insert(floor).unwrap();
        let plate = Shape::cuboid(Vec3::new(half, 0.5, half)).unwrap();
        let turned = Pose::new(Vec3::Y * 0.52, Quat::from_rotation_y(0.3));
        world.insert(Body::moving(plate, turned)).unwrap();
        world.step(0.0).unwrap();
        let found: Vec<_> = (world.manifolds())
            .map(|of| of.manifold.separation)
            .collect();
        let contacts = world.part_contacts().iter();
        assert_eq!(found, contacts.map(|of| of.separation).collect::<Vec<_>>());
        assert!(found.is_sorted_by_key(|of| (of.part_a, of.part_b)));
        assert!(
            found.len() > most / 8 && found.len() <= most,
            "{}",
            found.len()
        );
    }
}
