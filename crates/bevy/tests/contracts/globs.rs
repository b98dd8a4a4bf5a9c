//! A game that imports all of Bevy's names and all of one dimension can use each of them.

use bevy_app::prelude::*;
use bevy_clearance::clearance::dim3::Aabb;
use bevy_clearance::dim3::*;
use bevy_ecs::prelude::*;
use bevy_math::prelude::*;
use bevy_transform::prelude::*;

/// Names that the engine has, too, are those of Bevy, and `BodyKind` is the component.
fn system(
    bodies: Query<(&BodyKind, &Velocity)>,
    space: SpatialQuery,
    _contacts: Contacts,
) -> usize {
    let filter = SpatialFilter::default().with_sensors(Sensors::Skipped);
    let bounds = Aabb::new(Vec3::ZERO, Vec3::ONE);
    bodies.iter().count() + space.in_box(&bounds, &filter).len()
}

#[test]
fn names_of_a_dimension_meet_none_of_bevy() {
    let mut app = App::new();
    app.add_plugins((
        bevy_time::TimePlugin,
        TransformPlugin,
        CollisionPlugin::default(),
    ));
    let world: &mut World = app.world_mut();
    let body = (BodyKind::Moving, Velocity::default(), Transform::default());
    world.spawn((
        Collider::ball(0.5).expect("a radius"),
        body,
        Layers::default(),
    ));
    assert_eq!(world.run_system_cached(system).expect("it runs"), 1);
}
