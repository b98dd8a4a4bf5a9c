//! The hash of the state: equal for equal states, however they came about, and another one for each difference that later
//! steps may depend on, also of bodies that touch nobody.

use clearance_math::{Pose, Real, Vector};
use clearance_shapes::Shape;
use clearance_world::{Body, BodyId, BodyKind, BodyMut, Groups, Options, Velocity, World};

use crate::crowd::{Dimension, Sure, crowd, edit, with_threads, world_of};
use crate::random::Random;

crate::in_both_dimensions!(
    each_edit_of_a_lone_body_shows,
    it_comes_back_and_does_not_depend_on_threads,
);

fn lone<V: Vector>() -> (World<V>, [BodyId; 2]) {
    let mut world = World::<V>::new(Options::default()).unwrap();
    let body = |x: Real| {
        let pose = Pose::from_translation(V::axis(0) * x);
        Body::moving(Shape::ball(0.5).unwrap(), pose)
    };
    let ids = [0.0, 9.0].map(|x| world.insert(body(x)).unwrap());
    (world, ids)
}

type Edit<V> = fn(&mut World<V>, BodyId);

/// A change of one body.
type Change<V> = fn(&mut BodyMut<'_, V>);

fn changes<V: Dimension>() -> [(&'static str, Change<V>); 10] {
    [
        ("pose", |body| {
            let pose = Pose::from_translation(V::axis(1) * 1e-30);
            body.set_pose(pose).unwrap();
        }),
        ("velocity", |body| {
            let velocity = Velocity::from_linear(V::axis(0));
            body.set_velocity(velocity).unwrap();
        }),
        ("no far digits", |body| {
            let pose = Pose::from_translation(V::axis(0));
            body.set_pose(pose).unwrap();
        }),
        ("kind", |body| body.set_kind(BodyKind::Fixed)),
        ("groups", |body| body.set_groups(Groups::member_of(1))),
        ("extra margin", |body| body.set_extra_margin(0.25).unwrap()),
        ("part contacts", |body| body.set_part_contacts(true)),
        ("manifolds", |body| body.set_manifolds(true)),
        ("swept", |body| body.set_swept(true)),
        ("user data", |body| body.set_user_data(1)),
    ]
}

fn edits<V: Dimension>() -> [(&'static str, Edit<V>); 4] {
    [
        ("far digits", |world, id| {
            // Less than single precision can tell.
            let mut body = world.at(id);
            body.set_pose(Pose::from_translation(V::axis(0))).unwrap();
            let slow = Velocity::from_linear(V::axis(0) * 1e-12);
            body.set_velocity(slow).unwrap();
            world.step(1.0).unwrap();
            let mut body = world.at(id);
            body.set_velocity(Velocity::default()).unwrap();
        }),
        ("shape", |world, id| {
            let mut body = world.at(id);
            body.set_shape(Shape::ball(0.25).unwrap());
        }),
        ("kind of shape", |world, id| {
            let mut body = world.at(id);
            body.set_shape(Shape::cuboid(V::splat(0.5)).unwrap());
        }),
        ("id", |world, id| {
            let body = world.remove(id).unwrap();
            world.insert(body).unwrap();
        }),
    ]
}

fn each_edit_of_a_lone_body_shows<V: Dimension>() {
    let plain = lone::<V>().0.state_hash();
    let mut seen = vec![("none", plain)];
    let mut see = |name, edit: &dyn Fn(&mut World<V>, [BodyId; 2])| {
        let (mut world, ids) = lone();
        edit(&mut world, ids);
        assert!(world.contacts().is_empty());
        seen.push((name, world.state_hash()));
    };
    for (name, edit) in edits::<V>() {
        see(name, &|world, ids| edit(world, ids[0]));
    }
    for (name, change) in changes::<V>() {
        see(name, &|world, ids| change(&mut world.at(ids[0])));
    }
    see("ignored pair", &|world, [a, b]| {
        world.ignore_pair(a, b).unwrap();
    });
    see("margin", &|world, _| {
        world.change(|options| options.margin = 0.125)
    });
    see("removed", &|world, ids| {
        world.remove(ids[1]).unwrap();
    });
    for (place, (name, hash)) in seen.iter().enumerate() {
        let same = seen[..place].iter().find(|(_, other)| other == hash);
        assert_eq!(same, None, "{name}");
    }
    assert_eq!(lone::<V>().0.state_hash(), plain);
}

fn it_comes_back_and_does_not_depend_on_threads<V: Dimension>() {
    let mut random = Random::new(77);
    let options = Options::default();
    let (mut world, mut ids) = world_of(options, crowd::<V>(77, 200));
    let mut twin = World::new(with_threads(3)).unwrap();
    for _ in 0..20 {
        edit(&mut world, &mut ids, (&mut random, 5));
        world.step(0.05).unwrap();
        twin.restore(&world.snapshot());
        assert_eq!(twin.state_hash(), world.state_hash());
        for each in [&mut world, &mut twin] {
            each.step(0.05).unwrap();
        }
        assert_eq!(twin.state_hash(), world.state_hash());
    }
}
