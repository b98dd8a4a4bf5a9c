//! Where a body is swept, pairs that met on their ways are contacts, and nothing else changes. That this does not depend on
//! the history of the world, the fuzz target `world` sees, which makes worlds anew before steps.

use clearance_gjk::{
    Cast, CastHit, CastOptions, Leaving, Motion, Placed, Proximity, Separation, cast_shapes,
    proximity,
};
use clearance_math::{Pose, Real, Rotation, Vector};
use clearance_world::{Body, BodyRef, Options};

use crate::crowd::{Dimension, composite_crowd, with_swept, world_of};

crate::in_both_dimensions!(
    impacts_are_those_of_all_pairs_cast_alone,
    what_a_dense_sampling_finds_is_a_contact,
);

const DT: Real = 0.25;
const COUNT: usize = 120;

/// A body's way in a step, from what is known of it before and after.
struct Way<V: Vector> {
    start: Pose<V>,
    end: Pose<V>,
    motion: Motion<V>,
}

impl<V: Vector> Way<V> {
    fn new(before: &Body<V>, after: BodyRef<'_, V>) -> Self {
        let (start, end) = (before.pose, *after.pose());
        let is_moving = before.kind == clearance_world::BodyKind::Moving;
        let turn = V::Rotation::angular_in_space(before.velocity.angular) * DT;
        let way = end.position() - start.position();
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
        let (mut world, ids) = world_of(
            Options::default(),
            with_swept(composite_crowd::<V>(seed, COUNT), seed),
        );
        // What overlaps is told.
        world.step(0.0).unwrap();
        for frame in 0..3 {
            let before: Vec<_> = world.bodies().map(|body| body.to_body()).collect();
            world.step(DT).unwrap();
            let ways = before.iter().zip(world.bodies());
            let ways: Vec<_> = ways.map(|(body, after)| Way::new(body, after)).collect();
            for (i, a) in before.iter().enumerate() {
                for (j, b) in before.iter().enumerate().skip(i + 1) {
                    let both_fixed =
                        [a, b].map(|body| body.kind) == [clearance_world::BodyKind::Fixed; 2];
                    if both_fixed || !a.groups.pairs_with(b.groups) {
                        continue;
                    }
                    let (hit, contact) =
                        expected((a, b), [&ways[i], &ways[j]], world.options().margin);
                    let found = world
                        .impact_between(ids[j], ids[i])
                        .map(|impact| impact.hit);
                    assert_eq!(found, hit, "{seed} {frame}: {i} {j}");
                    let found = world
                        .contact_between(ids[i], ids[j])
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
        let bodies: Vec<_> = with_swept(composite_crowd::<V>(seed, COUNT), seed)
            .into_iter()
            .skip(1)
            .take(40)
            .collect();
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
                    *alone.body(id[0]).unwrap().pose()
                };
                (0..=SAMPLES).map(at).collect()
            })
            .collect();
        for (i, a) in before.iter().enumerate() {
            for (j, b) in before.iter().enumerate().skip(i + 1) {
                let both_fixed =
                    [a, b].map(|body| body.kind) == [clearance_world::BodyKind::Fixed; 2];
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
                let contact = world.contact_between(ids[i], ids[j]);
                assert!(
                    contact.is_some_and(|contact| contact.distance() <= 0.0),
                    "{seed}: {i} {j}"
                );
                assert!(
                    world.impact_between(ids[i], ids[j]).is_some(),
                    "{seed}: {i} {j}"
                );
            }
        }
    }
    assert!(met > 50, "{met}");
}
