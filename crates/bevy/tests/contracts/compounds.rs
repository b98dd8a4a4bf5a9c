//! Bodies made of the colliders of several entities.

use bevy_clearance::dim2::{BodyKind, Collider, CompoundBody};
use bevy_ecs::prelude::*;
use bevy_math::{Quat, Vec2};

use crate::common::{app2, ask, at, ball, between, insert, spawn, transform_of, world2};

#[test]
fn children_make_one_body_of_a_compound() {
    let mut app = app2();
    let car = spawn(&mut app, (CompoundBody, at(10.0, 0.0)));
    let tile = Collider::cuboid(Vec2::new(1.0, 0.25)).expect("it has a size");
    let hull = spawn(&mut app, (tile, ChildOf(car)));
    let axle = spawn(&mut app, (at(1.0, -0.5), ChildOf(car)));
    let wheel = spawn(&mut app, (ball(0.25), ChildOf(axle)));
    let ground = spawn(
        &mut app,
        (
            Collider::half_space(Vec2::Y).expect("it is a unit"),
            at(0.0, -0.76),
            BodyKind::Fixed,
        ),
    );
    app.update();
    assert_eq!(world2(&app).world().len(), 2);
    let contact = between(&mut app, car, ground).expect("the wheel is near");
    assert_eq!(
        (contact.entity, contact.collider, contact.other_collider),
        (car, wheel, ground)
    );
    assert!((contact.distance - 0.01).abs() < 1e-6, "{contact:?}");
    assert_eq!(
        ask(&mut app, move |contacts: bevy_clearance::dim2::Contacts| {
            contacts.of(hull).count()
        }),
        0
    );
    assert_eq!(
        ask(&mut app, move |contacts: bevy_clearance::dim2::Contacts| {
            contacts.of(wheel).count()
        }),
        1
    );
    // Drives on: one new pose. The axle goes up: another shape.
    transform_of(&mut app, car).translation.x += 1.0;
    app.update();
    assert!(between(&mut app, car, ground).is_some());
    transform_of(&mut app, axle).translation.y += 0.02;
    app.update();
    let contact = between(&mut app, car, ground).expect("the wheel is near");
    assert!((contact.distance - 0.03).abs() < 1e-6, "{contact:?}");
    // On its own, the wheel is a body.
    app.world_mut().entity_mut(wheel).remove::<ChildOf>();
    app.update();
    assert_eq!(world2(&app).world().len(), 3);
    insert(&mut app, wheel, ChildOf(axle));
    app.update();
    assert_eq!(world2(&app).world().len(), 2);
    // Without the mark, each is a body.
    app.world_mut().entity_mut(car).remove::<CompoundBody>();
    app.update();
    assert_eq!(world2(&app).world().len(), 3);
    insert(&mut app, car, CompoundBody);
    app.world_mut().despawn(axle);
    app.update();
    assert_eq!(world2(&app).world().len(), 2);
    assert!(between(&mut app, car, ground).is_none());
    assert!(world2(&app).body(wheel).is_none());
}

#[test]
fn a_part_that_moves_against_its_compound_stays_where_it_is() {
    let mut app = app2();
    let body = spawn(&mut app, (CompoundBody, at(0.0, 0.0)));
    spawn(&mut app, (ball(0.5), ChildOf(body)));
    let arm = spawn(&mut app, (at(0.0, 3.0), ChildOf(body)));
    let hand = spawn(&mut app, (ball(0.5), ChildOf(arm)));
    let wall = spawn(&mut app, (ball(0.5), at(0.0, 4.0), BodyKind::Fixed));
    app.update();
    assert!(between(&mut app, hand, wall).is_some());
    // The hand has the same global transform as before, and another one in the body.
    transform_of(&mut app, body).translation.y -= 2.0;
    transform_of(&mut app, arm).translation.y += 2.0;
    app.update();
    let contact = between(&mut app, hand, wall).expect("the hand is where it was");
    assert!(contact.distance.abs() < 1e-6, "{contact:?}");
}

#[test]
fn a_compound_comes_back_when_the_part_that_cannot_be_is_gone() {
    for reparents in [false, true] {
        let mut app = app2();
        let body = spawn(&mut app, (CompoundBody, BodyKind::Fixed));
        spawn(&mut app, (ball(0.5), ChildOf(body)));
        let turned = at(2.0, 0.0).with_rotation(Quat::from_rotation_x(1.0));
        let tilted = spawn(&mut app, (ball(0.5), turned, ChildOf(body)));
        app.update();
        assert_eq!(world2(&app).problems().count(), 1);
        assert!(world2(&app).body(body).is_none());
        match reparents {
            true => _ = app.world_mut().entity_mut(tilted).remove::<ChildOf>(),
            false => _ = app.world_mut().despawn(tilted),
        }
        app.update();
        assert!(world2(&app).body(body).is_some());
        assert_eq!(world2(&app).problems().count(), usize::from(reparents));
    }
}

#[test]
fn a_collider_of_a_compound_has_the_contacts_of_its_own_parts() {
    let mut app = app2();
    let body = spawn(&mut app, CompoundBody);
    let high = spawn(&mut app, (ball(0.5), at(0.0, 2.0), ChildOf(body)));
    let low = spawn(&mut app, (ball(0.5), ChildOf(body)));
    let floor = Collider::half_space(Vec2::Y).expect("it is a unit");
    let floor = spawn(&mut app, (floor, at(0.0, -0.25), BodyKind::Fixed));
    app.update();
    for (collider, touches) in [(body, true), (low, true), (high, false)] {
        assert_eq!(between(&mut app, collider, floor).is_some(), touches);
        assert_eq!(between(&mut app, floor, collider).is_some(), touches);
    }
}
