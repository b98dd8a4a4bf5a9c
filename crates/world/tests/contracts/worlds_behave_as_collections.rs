//! Worlds can be made by default, iterated and printed; many bodies, poses and velocities are taken at once or not at all.

use clearance_math::{Pose, Real};
use clearance_shapes::Shape;
use clearance_world::{
    Body, BodyId, BodyKind, BodyPose, BodyVelocity, EventKind, Groups, Options, Velocity, World,
};

use crate::crowd::{Dimension, Sure, crowd, world_of};

crate::in_both_dimensions!(
    a_default_world_has_default_options,
    iteration_knows_how_many_bodies_are_left,
    bodies_are_found_by_their_ids,
    many_bodies_are_inserted_or_none,
    many_velocities_are_set_or_none,
    a_body_is_set_as_a_whole_or_not,
    many_poses_are_set_or_none,
    worlds_print_on_a_screen,
    contacts_and_events_print_on_a_line,
);

fn a_default_world_has_default_options<V: Dimension>() {
    let (world, options) = (World::<V>::default(), Options::default());
    assert!(world.is_empty());
    assert_eq!(world.options().margin, options.margin);
    assert_eq!(
        (world.options().backend, world.options().threads),
        (options.backend, options.threads)
    );
    // Two default worlds are two worlds.
    let [mut one, other] = [world, World::<V>::default()];
    let ball = Body::moving(Shape::ball(1.0).unwrap(), Pose::IDENTITY);
    let id = one.insert(ball).unwrap();
    assert!(one.contains(id) && !other.contains(id));
}

fn iteration_knows_how_many_bodies_are_left<V: Dimension>() {
    let (mut world, ids) = world_of(Options::default(), crowd::<V>(80, 20));
    for &id in ids.iter().skip(1).step_by(3) {
        world.remove(id).unwrap();
    }
    let mut bodies = (&world).into_iter();
    for left in (0..world.len()).rev() {
        assert_eq!(bodies.len(), left + 1);
        assert!(bodies.next().is_some());
    }
    assert!(bodies.next().is_none() && bodies.next().is_none());
    let mut iterated = Vec::new();
    for body in &world {
        iterated.push(body.id());
    }
    assert!(world.bodies().ids().eq(iterated));
}

fn bodies_are_found_by_their_ids<V: Dimension>() {
    let (mut world, ids) = world_of(Options::default(), crowd::<V>(81, 10));
    for (&id, body) in ids.iter().zip(&world) {
        assert_eq!(world.body(id).unwrap().to_body(), body.to_body());
    }
    world.remove(ids[2]).unwrap();
    let gone = world.body(ids[2]).unwrap_err().to_string();
    assert_eq!(gone, format!("body {} is not in this world", ids[2]));
}

fn many_bodies_are_inserted_or_none<V: Dimension>() {
    let (mut world, ids) = world_of(Options::default(), crowd::<V>(83, 10));
    world.remove(ids[4]).unwrap();
    let before = world.snapshot();
    let mut bodies = crowd::<V>(84, 5);
    let good = bodies.clone();
    bodies[3].extra_margin = -1.0;
    let refused = world.insert_many(bodies).unwrap_err().to_string();
    assert!(
        refused.starts_with("new body 3: extra_margin is -1"),
        "{refused}"
    );
    assert_eq!(world.snapshot(), before);
    let mut one_by_one = world.clone();
    let alone: Vec<_> = good
        .iter()
        .map(|body| one_by_one.insert(body.clone()).unwrap())
        .collect();
    assert_eq!(world.insert_many(good).unwrap(), alone);
    assert_eq!(world.snapshot(), one_by_one.snapshot());
}

fn many_velocities_are_set_or_none<V: Dimension>() {
    let ball = Shape::ball(0.5).unwrap();
    let at = |x: Real| Pose::from_translation(V::splat(x));
    let moving = Body::moving(ball.clone(), at(0.0));
    let bodies = vec![moving.clone(), Body::fixed(ball, at(3.0)), moving];
    let (mut world, ids) = world_of(Options::default(), bodies);
    let fast = |x: Real| Velocity::from_linear(V::splat(x));
    let before = world.snapshot();
    for (body, velocity, reason) in [
        (ids[1], fast(1.0), "is fixed and would not move by velocity"),
        (ids[2], fast(Real::NAN), "velocity.linear[0] is NaN"),
        (
            BodyId::from_parts(3, 9),
            fast(1.0),
            "body 3v9 is not in this world",
        ),
    ] {
        let bad = BodyVelocity { body, velocity };
        let good = BodyVelocity {
            body: ids[0],
            velocity: fast(2.0),
        };
        let error = world.set_velocities(&[good, bad]).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
        assert_eq!(world.snapshot(), before);
    }
    let named = |(body, velocity)| BodyVelocity { body, velocity };
    let velocities = [
        (ids[0], fast(2.0)),
        (ids[1], fast(0.0)),
        (ids[0], fast(5.0)),
    ]
    .map(named);
    world.set_velocities(&velocities).unwrap();
    assert_eq!(world.body(ids[0]).unwrap().velocity(), fast(5.0));
    // What a body has can be set, also where it does not move by it.
    world.at(ids[0]).set_kind(BodyKind::Fixed);
    let mut fixed = world.at(ids[0]);
    fixed.set_velocity(fast(5.0)).unwrap();
    assert!(fixed.set_velocity(fast(4.0)).is_err());
}

fn a_body_is_set_as_a_whole_or_not<V: Dimension>() {
    let (mut world, ids) = world_of(Options::default(), crowd::<V>(85, 20));
    for (place, mut body) in crowd::<V>(86, 20).into_iter().enumerate() {
        body.user_data = 7 + place as u64;
        body.swept = place % 2 == 0;
        body.manifolds = place % 3 == 0;
        body.part_contacts = place % 5 == 0;
        let id = ids[place];
        world.at(id).set_all(body.clone()).unwrap();
        assert_eq!(world.body(id).unwrap().to_body(), body);
        // Nothing of a body is set if any of it is refused.
        let before = world.snapshot();
        let other = Body {
            pose: Pose::from_translation(V::splat(0.25)),
            shape: Shape::ball(0.125).unwrap(),
            user_data: 0,
            ..body
        };
        let nowhere = Pose::from_translation(V::splat(Real::NAN));
        let still = Velocity::from_linear(V::splat(Real::INFINITY));
        for bad in [
            other.clone().with_extra_margin(-1.0),
            other.clone().with_velocity(still),
            Body {
                pose: nowhere,
                ..other
            },
        ] {
            assert!(world.at(id).set_all(bad).is_err());
            assert_eq!(world.snapshot(), before);
        }
    }
}

fn many_poses_are_set_or_none<V: Dimension>() {
    let (mut world, ids) = world_of(Options::default(), crowd::<V>(82, 10));
    let at = |x: Real| Pose::from_translation(V::splat(x));
    let named = |(body, pose)| BodyPose { body, pose };
    let before = world.snapshot();
    let stale = BodyId::from_parts(3, 9);
    for (bad, reason) in [
        ((ids[3], at(Real::NAN)), "pose.translation[0] is NaN"),
        ((stale, at(1.0)), "body 3v9 is not in this world"),
    ] {
        let poses = [(ids[1], at(5.0)), bad, (ids[2], at(6.0))].map(named);
        let error = world.set_poses(&poses).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
        assert_eq!(world.snapshot(), before);
    }
    let poses = [(ids[1], at(5.0)), (ids[2], at(6.0)), (ids[1], at(7.0))].map(named);
    world.set_poses(&poses).unwrap();
    assert_eq!(
        [ids[1], ids[2]].map(|id| *world.body(id).unwrap().pose()),
        [at(7.0), at(6.0)]
    );
    let mut one_by_one = World::default();
    one_by_one.restore(&before);
    for (id, pose) in [(ids[1], at(7.0)), (ids[2], at(6.0))] {
        one_by_one.at(id).set_pose(pose).unwrap();
    }
    for world in [&mut world, &mut one_by_one] {
        world.step(0.1).unwrap();
    }
    assert_eq!(world.contacts_hash(), one_by_one.contacts_hash());
}

fn worlds_print_on_a_screen<V: Dimension>() {
    let (mut world, _) = world_of(Options::default(), crowd::<V>(83, 500));
    world.step(0.1).unwrap();
    let text = format!("{world:#?}");
    assert!(text.lines().count() < 24 && text.len() < 1000, "{text}");
    assert!(
        text.contains("bodies: 501") && text.contains("margin: 0.05"),
        "{text}"
    );
    assert!(format!("{:?}", world.bodies()).len() < 100);
}

fn contacts_and_events_print_on_a_line<V: Dimension>() {
    let ball = Body::moving(Shape::<V>::ball(0.5).unwrap(), Pose::IDENTITY);
    let near = Body {
        pose: Pose::from_translation(V::axis(0) * 0.75),
        ..ball.clone()
    };
    let (mut world, _) = world_of(Options::default(), [ball, near]);
    world.step(0.0).unwrap();
    let contact = world.contacts()[0].to_string();
    assert!(
        contact.starts_with("0v0 and 1v0: distance -0.25 (from -0.25"),
        "{contact}"
    );
    assert!(
        contact.contains(&format!("normal {}", V::axis(0))),
        "{contact}"
    );
    let events: Vec<_> = world.events().map(|event| event.to_string()).collect();
    assert_eq!(
        events,
        ["0v0 and 1v0 came into range", "0v0 and 1v0 began to touch"]
    );
    assert_eq!(EventKind::Ended.to_string(), "no longer touch");
    assert_eq!(
        [BodyKind::Fixed, BodyKind::Moving].map(|kind| kind.to_string()),
        ["fixed", "moving"]
    );
    assert!(
        world
            .profile()
            .to_string()
            .ends_with("1 candidates, 1 contacts")
    );
    let pose = Pose::<V>::from_translation(V::axis(0) * 2.0).to_string();
    assert!(
        pose.starts_with(&format!("{} turned by ", V::axis(0) * 2.0)),
        "{pose}"
    );
}

#[test]
fn groups_can_be_said_in_words() {
    let (player, wall, ghost) = (1, 2, 4);
    let players = Groups::member_of(player);
    let walls = Groups::member_of(wall).not_meeting(ghost);
    let ghosts = Groups::member_of(ghost).meeting(player);
    let meets = |a: Groups, b: Groups| {
        assert_eq!(a.pairs_with(b), b.pairs_with(a));
        a.pairs_with(b)
    };
    assert!(meets(players, walls) && meets(players, ghosts) && meets(walls, walls));
    assert!(!meets(walls, ghosts) && !meets(ghosts, ghosts));
}
