//! Worlds can be made by default, indexed, iterated and printed; many poses are set at once or not at all.

use clearance_math::{Pose, Real};
use clearance_shapes::Shape;
use clearance_world::{Body, BodyId, BodyPose, EventKind, Groups, Kind, Options, World};

use crate::crowd::{Dimension, crowd, world_of};

crate::in_both_dimensions!(
    a_default_world_has_default_options,
    iteration_knows_how_many_bodies_are_left,
    indexing_gives_poses,
    many_poses_are_set_or_none,
    worlds_print_on_a_screen,
    contacts_and_events_print_on_a_line,
);

fn a_default_world_has_default_options<V: Dimension>() {
    let (world, options) = (World::<V>::default(), Options::default());
    assert!(world.is_empty());
    assert_eq!(world.margin(), options.margin);
    assert_eq!(
        (world.backend(), world.threads()),
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
    assert!(world.ids().eq(iterated));
}

fn indexing_gives_poses<V: Dimension>() {
    let (mut world, ids) = world_of(Options::default(), crowd::<V>(81, 10));
    for &id in &ids {
        assert_eq!(&world[id], world.get(id).unwrap().pose());
    }
    world.remove(ids[2]).unwrap();
    let gone = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| world[ids[2]]));
    let message = *gone.unwrap_err().downcast::<String>().unwrap();
    assert_eq!(message, format!("body {} is not in this world", ids[2]));
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
    assert_eq!([world[ids[1]], world[ids[2]]], [at(7.0), at(6.0)]);
    let mut one_by_one = World::default();
    one_by_one.restore(&before);
    for (id, pose) in [(ids[1], at(7.0)), (ids[2], at(6.0))] {
        one_by_one.set_pose(id, pose).unwrap();
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
        [Kind::Fixed, Kind::Moving].map(|kind| kind.to_string()),
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
