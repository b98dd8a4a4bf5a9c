//! What overlaps a swept body when it first takes part is met, though both move apart: nothing is passed unnoticed. That is
//! told once, also by worlds that were restored or made anew.

use clearance_gjk::{Placed, Proximity, proximity};
use clearance_math::{Pose, Real};
use clearance_shapes::Shape;
use clearance_world::{Body, BodyId, EventKind, Groups, Options, Velocity, World};

use crate::compare::{kinds, told};
use crate::crowd::{Sure, rebuilt, world_of};
use crate::forms::{Forms, form};
use crate::random::{Random, iterations};

crate::in_both_dimensions!(
    a_point_blank_shot_is_an_impact_and_two_events,
    all_that_overlaps_is_met_once,
);

const DT: Real = 0.25;

/// How a bullet comes into an enemy.
#[derive(Clone, Copy, Debug)]
enum Arrival {
    Inserted,
    Teleported,
    /// Its groups let it meet nobody before.
    Let,
    /// The enemy grew around it.
    Grown,
}

/// A bullet, in the lower slot so that contacts are searched by both orders, and an enemy, before the bullet is in it.
fn before_arrival<V: Forms>(
    arrival: Arrival,
    enemy: Shape<V>,
    inside: Pose<V>,
) -> (World<V>, Vec<BodyId>) {
    let away = Pose::from_translation(V::axis(0) * -9.0);
    let bullet = Body::moving(Shape::ball(0.02).unwrap(), inside).with_swept();
    let nobody = Groups {
        memberships: 1,
        filter: 0,
    };
    let bullet = match arrival {
        Arrival::Teleported => Body {
            pose: away,
            ..bullet
        },
        Arrival::Let => bullet.with_groups(nobody),
        Arrival::Inserted | Arrival::Grown => bullet,
    };
    let enemy = match arrival {
        Arrival::Grown => Shape::ball(1e-3).unwrap(),
        _ => enemy,
    };
    let bodies = [bullet, Body::fixed(enemy, Pose::IDENTITY)];
    world_of(Options::default(), bodies)
}

fn a_point_blank_shot_is_an_impact_and_two_events<V: Forms>() {
    let mut random = Random::new(321);
    let enemy = form(V::splat(0.5), true, &mut random);
    let arrivals = [
        Arrival::Inserted,
        Arrival::Teleported,
        Arrival::Let,
        Arrival::Grown,
    ];
    for (name, shape) in enemy.shapes {
        for (arrival, depth) in arrivals
            .into_iter()
            .flat_map(|arrival| [(arrival, 0.05), (arrival, 0.3)])
        {
            let about = format!("{name}, {arrival:?}, {depth}");
            let inside = Pose::from_translation(V::axis(0) * (0.5 - depth) + V::axis(1) * 0.1);
            let velocity = Velocity::from_linear(V::axis(0) * 40.0);
            let (mut world, ids) = before_arrival(arrival, shape.clone(), inside);
            let [bullet, enemy]: [BodyId; 2] = ids.try_into().unwrap();
            if !matches!(arrival, Arrival::Inserted) {
                world.step(DT).unwrap();
                assert!(kinds(&world).is_empty(), "{about}");
            }
            match arrival {
                Arrival::Inserted => {}
                Arrival::Teleported => world.at(bullet).set_pose(inside).unwrap(),
                Arrival::Let => world.at(bullet).set_groups(Groups::ALL),
                Arrival::Grown => world.at(enemy).set_shape(shape.clone()),
            }
            world.at(bullet).set_velocity(velocity).unwrap();
            world.step(DT).unwrap();
            let impact = *world.impact_between(bullet, enemy).expect(&about);
            assert_eq!(impact.hit.time, 0.0, "{about}");
            assert!(impact.hit.separation.distance < -0.01, "{about}");
            let contact = world.contact_between(bullet, enemy).expect(&about);
            assert_eq!(contact.separation, impact.hit.separation, "{about}");
            assert_eq!(
                kinds(&world),
                [EventKind::Entered, EventKind::Began],
                "{about}"
            );
            world.step(DT).unwrap();
            assert_eq!(
                kinds(&world),
                [EventKind::Ended, EventKind::Left],
                "{about}"
            );
            assert_eq!(world.impacts().count(), 0, "{about}");
        }
    }
}

/// How many swept bodies overlapped others that nobody knew of, each of which must have an impact at time 0, and how many
/// others, of which was known.
fn check_overlaps<V: Forms>(
    world: &World<V>,
    before: &[Body<V>],
    touching: &[(BodyId, BodyId)],
) -> [usize; 2] {
    let (mut news, mut known) = (0, 0);
    let ids: Vec<BodyId> = world.bodies().ids().collect();
    for (i, a) in before.iter().enumerate() {
        let others = before.iter().enumerate().skip(i + 1);
        for (j, b) in others.filter(|(_, b)| b.swept) {
            let [of_a, of_b] = [a, b].map(|body| Placed::new(&body.shape, &body.pose));
            let overlaps = match proximity(of_a, of_b, 0.0).unwrap() {
                Proximity::Near(near) => near.upper < 0.0,
                _ => false,
            };
            let is_known = touching.contains(&(ids[i], ids[j]));
            if overlaps && !is_known {
                let impact = world
                    .impact_between(ids[i], ids[j])
                    .expect("what overlaps is met");
                assert_eq!(impact.hit.time, 0.0);
            }
            news += usize::from(overlaps && !is_known);
            known += usize::from(overlaps && is_known);
        }
    }
    [news, known]
}

/// Bullets come and go at random. Whatever overlaps is met in the step in which nobody knew of it, and worlds that were
/// restored, or made anew after a step, go on with the same answers.
fn all_that_overlaps_is_met_once<V: Forms>() {
    let mut random = Random::new(322);
    let (mut news, mut known) = (0, 0);
    for _ in 0..iterations(4) {
        let mut enemies = Vec::new();
        for _ in 0..12 {
            let half = random.vector(0.2, 0.8);
            let shapes = form::<V>(half, true, &mut random).shapes;
            let shape = shapes[random.below(shapes.len())].1.clone();
            let pose = Pose::new(random.vector::<V>(-2.0, 2.0), V::rotation(&mut random));
            enemies.push(Body::fixed(shape, pose));
        }
        let (mut world, _) = world_of(Options::default(), enemies);
        world.step(0.0).unwrap();
        let mut shots: Vec<BodyId> = Vec::new();
        for _ in 0..12 {
            let mut twin = rebuilt(&world, Options::default());
            for place in 0..6 {
                let pose = Pose::new(random.vector::<V>(-2.0, 2.0), V::rotation(&mut random));
                let shape = Shape::cuboid(random.vector::<V>(0.02, 0.2)).unwrap();
                let velocity = Velocity::from_linear(random.vector::<V>(-8.0, 8.0));
                let shot = Body::moving(shape, pose)
                    .with_velocity(velocity)
                    .with_swept();
                if shots.len() < 6 {
                    shots.push(world.insert(shot.clone()).unwrap());
                    twin.insert(shot).unwrap();
                    // Of what was met and passed in the step before, only that world was told.
                } else if random.once_in(2) && world.impacts_of(shots[place]).next().is_none() {
                    let ids: Vec<BodyId> = twin.bodies().ids().collect();
                    let number = world
                        .bodies()
                        .ids()
                        .position(|id| id == shots[place])
                        .unwrap();
                    world.at(shots[place]).set_pose(pose).unwrap();
                    twin.at(ids[number]).set_pose(pose).unwrap();
                }
            }
            let mut restored = World::new(Options::default()).unwrap();
            restored.restore(&world.snapshot());
            let before: Vec<Body<V>> = world.bodies().map(|body| body.to_body()).collect();
            let touching: Vec<(BodyId, BodyId)> = (world.contacts().iter())
                .filter(|contact| contact.distance() <= 0.0)
                .map(|contact| (contact.a, contact.b))
                .collect();
            world.step(DT).unwrap();
            restored.step(DT).unwrap();
            twin.step(DT).unwrap();
            assert_eq!(told(&world), told(&restored));
            // A new world does not know what was passed in the step before.
            assert_eq!(told(&world)[..4], told(&twin)[..4]);
            let [of_news, of_known] = check_overlaps(&world, &before, &touching);
            news += of_news;
            known += of_known;
        }
    }
    assert!(news > 20 && known > 2, "{news} {known}");
}
