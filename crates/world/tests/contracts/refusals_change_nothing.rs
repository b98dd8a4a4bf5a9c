//! Whatever is not valid is refused by an error that names it, and leaves no trace.

use clearance_math::{Pose, Real};
use clearance_shapes::Shape;
use clearance_world::{Body, BodyId, BodyKind, MAX_THREADS, Options, Velocity, World, WorldError};

use crate::crowd::{Dimension, Sure, crowd, with, with_margin, world_of};

crate::in_both_dimensions!(
    bad_numbers_are_refused,
    bad_bodies_are_refused,
    strangers_are_refused,
    steps_out_of_range_are_refused,
    bad_options_are_refused,
);

const BAD: [Real; 4] = [Real::NAN, Real::INFINITY, Real::NEG_INFINITY, -1.0];

fn some_world<V: Dimension>() -> (World<V>, Vec<BodyId>) {
    let (mut world, ids) = world_of(Options::default(), crowd::<V>(14, 50));
    world.step(0.1).unwrap();
    assert!(!world.contacts().is_empty());
    // An edit that is still pending must survive a refusal, too.
    world.at(ids[7]).set_kind(BodyKind::Fixed);
    (world, ids)
}

/// Calls what must be refused; checks the message and that nothing in the world has changed.
fn refuse<V: Dimension, T: core::fmt::Debug>(
    world: &mut World<V>,
    parts: &[&str],
    call: impl FnOnce(&mut World<V>) -> Result<T, WorldError>,
) {
    let before = format!("{:?}", world.snapshot());
    let text = call(world).unwrap_err().to_string();
    for part in parts {
        assert!(text.contains(part), "{text:?} does not say {part:?}");
    }
    let after = format!("{:?}", world.snapshot());
    assert!(after == before, "{text}: something changed");
    world.validate().unwrap();
}

fn bad_numbers_are_refused<V: Dimension>() {
    let (mut world, ids) = some_world::<V>();
    let id = ids[12];
    let name = format!("body {id}: ");
    for bad in BAD {
        let value = bad.to_string();
        refuse(&mut world, &["dt is", &value, ">= 0"], |w| w.step(bad));
        refuse(&mut world, &["margin is", &value], |w| {
            w.set_options(Options {
                margin: bad,
                ..w.options()
            })
        });
        let parts = [name.as_str(), "extra_margin is", &value];
        refuse(&mut world, &parts, |w| {
            w.body_mut(id)?.set_extra_margin(bad)
        });
    }
    for bad in [Real::NAN, Real::INFINITY] {
        let vector = V::ZERO.with_component(1, bad);
        let value = format!("{bad}, must be finite");
        let parts = [name.as_str(), "pose.translation[1] is", &value];
        let pose = Pose::from_translation(vector);
        refuse(&mut world, &parts, |w| w.body_mut(id)?.set_pose(pose));
        let parts = [name.as_str(), "velocity.linear[1] is", &value];
        let velocity = Velocity::from_linear(vector);
        refuse(&mut world, &parts, |w| {
            w.body_mut(id)?.set_velocity(velocity)
        });
    }
    let velocity = Velocity::new(V::ZERO, V::bad_angular());
    let text = format!("{name}{}", V::REFUSED_ANGULAR);
    refuse(&mut world, &[&text], |w| {
        w.body_mut(id)?.set_velocity(velocity)
    });
    let pose = Pose::new(V::ZERO, V::bad_rotation());
    let parts = [name.as_str(), "pose.rotation"];
    refuse(&mut world, &parts, |w| w.body_mut(id)?.set_pose(pose));
}

fn bad_bodies_are_refused<V: Dimension>() {
    let (mut world, _) = some_world::<V>();
    let good = Body::moving(Shape::<V>::ball(1.0).unwrap(), Pose::IDENTITY);
    let nowhere = Pose::from_translation(V::splat(Real::NAN));
    let bad = Body {
        pose: nowhere,
        ..good.clone()
    };
    refuse(&mut world, &["new body: pose.translation[0] is NaN"], |w| {
        w.insert(bad)
    });
    let fast = Velocity::from_linear(V::splat(Real::INFINITY));
    let bad = good.clone().with_velocity(fast);
    refuse(&mut world, &["new body: velocity.linear[0] is inf"], |w| {
        w.insert(bad)
    });
    let bad = good.with_extra_margin(-0.5);
    refuse(&mut world, &["new body: extra_margin is -0.5"], |w| {
        w.insert(bad)
    });
}

fn strangers_are_refused<V: Dimension>() {
    let (mut world, ids) = some_world::<V>();
    let gone = ids[3];
    world.remove(gone).unwrap();
    let beyond = BodyId::from_parts(1000, 0);
    let future = BodyId::from_parts(ids[4].index(), 1);
    for id in [gone, beyond, future] {
        let text = format!("body {id} is not in this world");
        let parts = [text.as_str()];
        refuse(&mut world, &parts, |w| w.remove(id));
        refuse(&mut world, &parts, |w| w.remove_many(&[ids[5], id]));
        // All edits go through this.
        refuse(&mut world, &parts, |w| w.body_mut(id).map(drop));
    }
}

fn steps_out_of_range_are_refused<V: Dimension>() {
    let (mut world, ids) = some_world::<V>();
    let far = Pose::from_translation(V::axis(1) * Real::MAX);
    let fast = Velocity::from_linear(V::axis(1) * Real::MAX);
    for id in [ids[30], ids[20]] {
        world.at(id).set_kind(BodyKind::Moving);
        world.at(id).set_pose(far).unwrap();
        world.at(id).set_velocity(fast).unwrap();
    }
    // The one with the least id is named, and no other body has moved.
    let name = format!("body {}: ", ids[20]);
    let parts = [name.as_str(), "pose.translation[1]", "finite"];
    refuse(&mut world, &parts, |w| w.step(1.0));
    world.at(ids[20]).set_velocity(Velocity::default()).unwrap();
    world.at(ids[30]).set_velocity(Velocity::default()).unwrap();
    world.step(1.0).unwrap();
    world.validate().unwrap();
}

fn bad_options_are_refused<V: Dimension>() {
    let refused = |options| World::<V>::new(options).unwrap_err();
    for margin in BAD {
        let error = refused(with_margin(margin));
        assert!(error.to_string().starts_with("margin is"), "{error}");
    }
    let with_threads = |threads| with(|options| options.threads = threads);
    assert_eq!(refused(with_threads(0)), WorldError::NoThreads);
    // Before any is started.
    for threads in [MAX_THREADS + 1, 1_000_000, usize::MAX] {
        let error = refused(with_threads(threads));
        assert_eq!(error, WorldError::TooManyThreads { threads });
        let text = format!("threads is {threads}, must be from 1 to 1024");
        assert_eq!(error.to_string(), text);
    }
    if cfg!(not(feature = "parallel")) {
        let error = refused(with_threads(2));
        assert_eq!(error, WorldError::NotParallel { threads: 2 });
        assert!(error.to_string().contains("feature `parallel`"), "{error}");
    }
}
