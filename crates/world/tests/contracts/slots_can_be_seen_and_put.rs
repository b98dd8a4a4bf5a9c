//! What recorders and players of worlds need: slots with their generations, where the last step started from, and bodies
//! under given ids.

use clearance_math::{Pose, PoseResidual, Real, Vec2};
use clearance_shapes::Shape;
use clearance_world::internal::{SlotContent, SlotRef, last_step, put_slots, slots};
use clearance_world::{Body, BodyId, Options, Velocity, World};

use crate::crowd::{Dimension, crowd, world_of};
use crate::random::Random;

crate::in_both_dimensions!(
    a_world_can_be_copied_slot_by_slot,
    starts_of_the_last_step_are_known_until_something_else_happens,
);

fn some_world<V: Dimension>(seed: u64) -> World<V> {
    world_of(Options::default(), crowd::<V>(seed, 40)).0
}

fn contents<V: Dimension>(world: &World<V>) -> Vec<SlotContent<V>> {
    let content = |slot: SlotRef<'_, V>| SlotContent {
        index: slot.index(),
        generation: slot.generation(),
        body: slot.body().map(|body| body.to_body()),
    };
    slots(world).map(content).collect()
}

fn a_world_can_be_copied_slot_by_slot<V: Dimension>() {
    let mut random = Random::new(1);
    let mut world = some_world::<V>(3);
    let mut copy = some_world::<V>(4);
    for _ in 0..30 {
        let ids: Vec<_> = world.bodies().ids().collect();
        for _ in 0..random.below(6) {
            let _ = world.remove(ids[random.below(ids.len())]);
        }
        for body in crowd::<V>(random.below(99) as u64, random.below(8)) {
            world.insert(body).unwrap();
        }
        world.step(1.0 / 60.0).unwrap();
        put_slots(&mut copy, contents(&world)).unwrap();
        copy.validate().unwrap();
        copy.step(0.0).unwrap();
        copy.validate().unwrap();
        let bodies = |world: &World<V>| -> Vec<_> {
            world
                .bodies()
                .map(|body| (body.id(), body.to_body()))
                .collect()
        };
        assert_eq!(bodies(&copy), bodies(&world));
        assert_eq!(copy.contacts(), world.contacts());
        // The next ids are the same, too.
        let ball = Body::moving(Shape::ball(0.5).unwrap(), Pose::IDENTITY);
        assert_eq!(copy.insert(ball.clone()), world.insert(ball));
    }
}

fn starts_of_the_last_step_are_known_until_something_else_happens<V: Dimension>() {
    let mut world = some_world::<V>(5);
    let moving = |world: &World<V>| -> Vec<(BodyId, Pose<V>, PoseResidual<V>)> {
        let bodies = world
            .bodies()
            .filter(|body| body.kind() == clearance_world::BodyKind::Moving);
        bodies
            .map(|body| (body.id(), *body.pose(), *body.residual()))
            .collect()
    };
    for frame in 0..20 {
        let before = moving(&world);
        world.step(0.01).unwrap();
        // Removals after the step do not hide where the others came from.
        let ids: Vec<_> = world.bodies().ids().collect();
        world.remove(ids[frame]).unwrap();
        for (id, pose, residual) in before {
            let slot = slots(&world).nth(id.index() as usize).unwrap();
            let start = slot.start().unwrap();
            assert_eq!((start.pose, start.residual), (pose, residual));
            assert_eq!(slot.has_changed(), id == ids[frame]);
        }
        let snapshot = world.snapshot();
        world.restore(&snapshot);
        assert!(last_step(&world).is_restored);
        assert!(slots(&world).all(|slot| slot.start().is_none()));
    }
}

#[test]
fn slots_that_cannot_be_are_refused() {
    let mut world = World::<Vec2>::default();
    let content = |index, generation, radius: Option<Real>| SlotContent {
        index,
        generation,
        body: radius.map(|x| {
            let ball = Shape::ball(0.5).unwrap();
            let velocity = Velocity::from_linear(Vec2::new(x, 0.0));
            Body::moving(ball, Pose::IDENTITY).with_velocity(velocity)
        }),
    };
    let last = (1 << 22) - 2;
    for refused in [
        content(1, 0, Some(0.0)),
        content(u32::MAX, 0, None),
        content(0, last + 1, Some(0.0)),
        content(0, last + 2, None),
        content(0, 0, Some(Real::NAN)),
    ] {
        assert!(
            put_slots(&mut world, vec![refused.clone()]).is_err(),
            "{refused:?}"
        );
        world.validate().unwrap();
        assert!(world.is_empty());
    }
    // A slot whose generations are used up stays empty.
    put_slots(&mut world, vec![content(0, last + 1, None)]).unwrap();
    let ball = Body::moving(Shape::ball(0.5).unwrap(), Pose::IDENTITY);
    assert_eq!(world.insert(ball).unwrap().index(), 1);
    let generations: Vec<_> = slots(&world).map(|slot| slot.generation()).collect();
    assert_eq!(generations, [last + 1, 0]);
    world.validate().unwrap();
}
