//! Where a body is swept, pairs that met on their ways are contacts, and nothing else changes.

use clearance_gjk::{
    Cast, CastHit, CastOptions, Leaving, Motion, Placed, Proximity, Separation, cast_shapes,
    proximity,
};
use clearance_math::{Pose, Real, Rotation, Vector};
use clearance_world::{Backend, Body, BodyId, BodyRef, Impact, Options, Velocity, World};

use crate::compare::{event_bits, separation_bits};
use crate::crowd::{Dimension, composite_crowd, edit, world_of};
use crate::random::Random;

crate::in_both_dimensions!(
    impacts_are_those_of_all_pairs_cast_alone,
    what_a_dense_sampling_finds_is_a_contact,
    impacts_do_not_depend_on_thread_count,
    impacts_do_not_depend_on_backend,
    impacts_do_not_depend_on_history,
    impacts_survive_restore,
);

const DT: Real = 0.25;
const COUNT: usize = 120;

/// A crowd with composites, of which a few are swept and fast.
fn fast_crowd<V: Dimension>(seed: u64) -> Vec<Body<V>> {
    let mut random = Random::new(seed);
    let mut bodies = composite_crowd::<V>(seed, COUNT);
    for body in &mut bodies {
        body.swept = random.once_in(6);
        if body.swept || random.once_in(8) {
            body.velocity.linear = random.vector(-40.0, 40.0);
        }
        if random.once_in(4) {
            let turn = V::Rotation::angular_in_space(body.velocity.angular);
            body.velocity.angular = V::Rotation::angular_from_space(turn * 30.0);
        }
    }
    bodies
}

/// Every bit of the contacts and the impacts.
fn listed<V: Vector>(world: &World<V>) -> Vec<Vec<u32>> {
    let of_ids = |a: BodyId, b: BodyId| [a.index(), a.generation(), b.index(), b.generation()];
    let contacts = world.contacts().iter().map(|contact| {
        let mut bits = of_ids(contact.a, contact.b).to_vec();
        bits.extend(separation_bits(&contact.separation));
        bits
    });
    contacts.chain(world.impacts().map(impact_bits)).collect()
}

fn impact_bits<V: Vector>(impact: &Impact<V>) -> Vec<u32> {
    let Impact { a, b, hit, .. } = impact;
    let mut bits = vec![a.index(), a.generation(), b.index(), b.generation()];
    bits.extend([hit.time, hit.time_lower, hit.time_upper].map(Real::to_bits));
    bits.push(hit.status as u32);
    bits.extend(separation_bits(&hit.separation));
    bits
}

/// A body's way in a step, from what is known of it before and after.
struct Way<V: Vector> {
    start: Pose<V>,
    end: Pose<V>,
    motion: Motion<V>,
}

impl<V: Vector> Way<V> {
    fn new(before: &Body<V>, after: BodyRef<'_, V>) -> Self {
        let (start, end) = (before.pose, *after.pose());
        let is_moving = before.kind == clearance_world::Kind::Moving;
        let turn = V::Rotation::angular_in_space(before.velocity.angular) * DT;
        let way = end.translation.to_precise() - start.translation.to_precise();
        let motion = Motion {
            linear: V::from_precise(way),
            angular: V::Rotation::angular_from_space(turn),
        };
        let motion = if is_moving { motion } else { Motion::rest() };
        Self { start, end, motion }
    }
}

/// What the world must say of a pair: its impact, and the separation of its contact.
fn expected<V: Vector>(
    (a, b): (&Body<V>, &Body<V>),
    ways: [&Way<V>; 2],
    margin: Real,
) -> (Option<CastHit<V>>, Option<Separation<V>>) {
    let [placed_a, placed_b] =
        [(a, ways[0]), (b, ways[1])].map(|(body, way)| Placed::new(&body.shape, &way.end));
    let range = margin + a.extra_margin + b.extra_margin;
    let at_end = match proximity(placed_a, placed_b, range).unwrap() {
        Proximity::Near(separation) if separation.distance <= range => Some(separation),
        Proximity::Unbounded => unreachable!("one half-space"),
        _ => None,
    };
    let is_moved = |way: &Way<V>| way.motion != Motion::rest();
    if !(a.swept || b.swept) || !ways.iter().any(|way| is_moved(way)) {
        return (None, at_end);
    }
    let touch = at_end.is_some_and(|separation| separation.distance <= 0.0);
    let [cast_a, cast_b] = [(a, ways[0]), (b, ways[1])]
        .map(|(body, way)| Cast::new(Placed::new(&body.shape, &way.start), way.motion));
    let cast = |leaving| {
        let options = CastOptions {
            within: 0.0,
            leaving,
        };
        cast_shapes(cast_a, cast_b, options).unwrap()
    };
    // Those of parts that were apart come first.
    let others = cast(Leaving::Ignore);
    let hit = others.or_else(|| (!touch).then(|| cast(Leaving::Pass)).flatten());
    let contact = match hit {
        Some(hit) if !touch && hit.separation.distance > 0.0 => Some(Separation {
            distance: 0.0,
            lower: hit.separation.lower.min(0.0),
            ..hit.separation
        }),
        Some(hit) if !touch => Some(hit.separation),
        _ => at_end,
    };
    (hit, contact)
}

fn impacts_are_those_of_all_pairs_cast_alone<V: Dimension>() {
    let (mut impacts, mut through, mut turned) = (0, 0, 0);
    for seed in [61, 62, 63] {
        let (mut world, ids) = world_of(Options::default(), fast_crowd::<V>(seed));
        for frame in 0..3 {
            let before: Vec<_> = world.bodies().map(|body| body.to_body()).collect();
            world.step(DT).unwrap();
            let ways = before.iter().zip(world.bodies());
            let ways: Vec<_> = ways.map(|(body, after)| Way::new(body, after)).collect();
            for (i, a) in before.iter().enumerate() {
                for (j, b) in before.iter().enumerate().skip(i + 1) {
                    let both_fixed =
                        [a, b].map(|body| body.kind) == [clearance_world::Kind::Fixed; 2];
                    if both_fixed || !a.groups.pairs_with(b.groups) {
                        continue;
                    }
                    let (hit, contact) = expected((a, b), [&ways[i], &ways[j]], world.margin());
                    let found = world.impact(ids[j], ids[i]).map(|impact| impact.hit);
                    assert_eq!(found, hit, "{seed} {frame}: {i} {j}");
                    let found = world
                        .contact(ids[i], ids[j])
                        .map(|contact| contact.separation);
                    assert_eq!(found, contact, "{seed} {frame}: {i} {j}");
                    impacts += usize::from(hit.is_some());
                    through += usize::from(contact.is_some_and(|contact| contact.distance == 0.0));
                    let turn = V::Rotation::angular_in_space(ways[i].motion.angular);
                    turned += usize::from(hit.is_some() && turn.length() > 3.0);
                }
            }
            world.validate().unwrap();
        }
    }
    assert!(
        impacts > 200 && through > 100 && turned > 20,
        "{impacts} {through} {turned}"
    );
}

/// Two hundred poses on the way of a pair: where one of them is an overlap, the pair is a contact.
fn what_a_dense_sampling_finds_is_a_contact<V: Dimension>() {
    const SAMPLES: usize = 200;
    let mut met = 0;
    for seed in 64..80 {
        let bodies: Vec<_> = fast_crowd::<V>(seed).into_iter().skip(1).take(40).collect();
        let (mut world, ids) = world_of(Options::default(), bodies);
        let before: Vec<_> = world.bodies().map(|body| body.to_body()).collect();
        world.step(DT).unwrap();
        let poses: Vec<Vec<Pose<V>>> = before
            .iter()
            .map(|body| {
                let at = |k: usize| {
                    let part = DT * k as Real / SAMPLES as Real;
                    let mut body = body.clone();
                    body.swept = false;
                    let (mut alone, id) = world_of(Options::default(), [body]);
                    alone.step(part).unwrap();
                    *alone.get(id[0]).unwrap().pose()
                };
                (0..=SAMPLES).map(at).collect()
            })
            .collect();
        for (i, a) in before.iter().enumerate() {
            for (j, b) in before.iter().enumerate().skip(i + 1) {
                let both_fixed = [a, b].map(|body| body.kind) == [clearance_world::Kind::Fixed; 2];
                if both_fixed || !(a.swept || b.swept) || !a.groups.pairs_with(b.groups) {
                    continue;
                }
                let is_overlap = |k: usize| {
                    let [a, b] = [(a, &poses[i][k]), (b, &poses[j][k])]
                        .map(|(body, pose)| Placed::new(&body.shape, pose));
                    clearance_gjk::intersects(a, b).unwrap()
                };
                // Who touches at the beginning may leave.
                if is_overlap(0) || !(1..=SAMPLES).any(is_overlap) {
                    continue;
                }
                met += 1;
                let contact = world.contact(ids[i], ids[j]);
                assert!(
                    contact.is_some_and(|contact| contact.distance() <= 0.0),
                    "{seed}: {i} {j}"
                );
                assert!(world.impact(ids[i], ids[j]).is_some(), "{seed}: {i} {j}");
            }
        }
    }
    assert!(met > 50, "{met}");
}

fn impacts_do_not_depend_on_thread_count<V: Dimension>() {
    let mut bodies = Vec::new();
    for seed in 80..100 {
        let far = V::axis(0) * (1000.0 * (seed - 79) as Real);
        bodies.extend(fast_crowd::<V>(seed).into_iter().skip(1).map(|mut body| {
            body.pose.translation = body.pose.translation + far;
            body
        }));
    }
    let threads = |threads| Options {
        threads,
        ..Options::default()
    };
    let (mut one, _) = world_of(threads(1), bodies.clone());
    let (mut two, _) = world_of(threads(2), bodies.clone());
    let (mut five, _) = world_of(threads(5), bodies);
    for frame in 0..3 {
        for world in [&mut one, &mut two, &mut five] {
            world.step(DT).unwrap();
        }
        assert!(frame > 0 || one.impacts().count() > 100);
        assert!(listed(&one) == listed(&two));
        assert!(listed(&one) == listed(&five));
    }
}

fn impacts_do_not_depend_on_backend<V: Dimension>() {
    let with = |backend| Options {
        backend,
        ..Options::default()
    };
    let worlds = [Backend::default(), Backend::BruteForce];
    let mut worlds = worlds.map(|backend| world_of(with(backend), fast_crowd::<V>(101)).0);
    for frame in 0..5 {
        for world in &mut worlds {
            world.step(DT).unwrap();
        }
        assert!(frame > 0 || worlds[0].impacts().count() > 5);
        assert!(listed(&worlds[0]) == listed(&worlds[1]));
    }
}

/// A world that was edited and stepped has the impacts of one that was made just before the step.
fn impacts_do_not_depend_on_history<V: Dimension>() {
    let mut impacts = 0;
    for seed in [102, 103] {
        let mut random = Random::new(seed);
        let (mut world, mut ids) = world_of(Options::default(), fast_crowd::<V>(seed));
        for frame in 0..30 {
            for _ in 0..5 {
                edit(&mut world, &mut ids, (&mut random, COUNT));
                let id = ids[random.below(ids.len())];
                world.set_swept(id, random.once_in(2)).unwrap();
                let velocity = Velocity::new(random.vector(-20.0, 20.0), V::angular(&mut random));
                world.set_velocity(id, velocity).unwrap();
            }
            let ids: Vec<_> = world.ids().collect();
            let bodies = world.bodies().map(|body| body.to_body());
            let (mut fresh, others) = world_of(Options::default(), bodies);
            world.step(DT / 10.0).unwrap();
            fresh.step(DT / 10.0).unwrap();
            let of = |world: &World<V>, ids: &[BodyId]| -> Vec<_> {
                let place = |id| ids.iter().position(|&other| other == id).unwrap();
                let contacts = world.contacts().iter();
                let contacts =
                    contacts.map(|c| (place(c.a), place(c.b), separation_bits(&c.separation)));
                let impacts = world
                    .impacts()
                    .map(|i| (place(i.a), place(i.b), impact_bits(i)[4..].to_vec()));
                contacts.chain(impacts).collect()
            };
            assert!(of(&world, &ids) == of(&fresh, &others), "{seed} {frame}");
            impacts += world.impacts().count();
            world.validate().unwrap();
        }
    }
    assert!(impacts > 100, "{impacts}");
}

fn impacts_survive_restore<V: Dimension>() {
    let (mut world, ids) = world_of(Options::default(), fast_crowd::<V>(104));
    world.step(DT).unwrap();
    assert!(world.impacts().count() > 5);
    let (snapshot, then) = (world.snapshot(), listed(&world));
    let bytes = postcard::to_allocvec(&snapshot).unwrap();
    let text = serde_json::to_string(&snapshot).unwrap();
    let follow = |world: &mut World<V>| -> Vec<_> {
        // The first step moves nothing: what met in the step before is over.
        let frames = [0.0, DT, DT].map(|dt| {
            world.step(dt).unwrap();
            (listed(world), event_bits(world), world.contacts_hash())
        });
        frames.to_vec()
    };
    let future = follow(&mut world);
    world.remove_many(&ids[20..40]).unwrap();
    world.step(0.0).unwrap();
    let read = [
        snapshot.clone(),
        postcard::from_bytes(&bytes).unwrap(),
        serde_json::from_str(&text).unwrap(),
    ];
    for snapshot in read {
        let other = World::new(Options::default()).unwrap();
        for mut world in [world.clone(), other] {
            world.restore(&snapshot);
            assert!(
                listed(&world)
                    .iter()
                    .map(|bits| &bits[4..])
                    .eq(then.iter().map(|bits| &bits[4..]))
            );
            assert!(world.snapshot() == snapshot);
            let followed = follow(&mut world);
            for (now, then) in followed.iter().zip(&future) {
                assert_eq!((now.0.len(), now.2), (then.0.len(), then.2));
                assert_eq!(now.1.len(), then.1.len());
            }
        }
    }
}
