//! Components in scenes and inspectors, and colliders from primitives.

use crate::common::{app2, world2};
use bevy_clearance::{dim2, dim3};
use bevy_ecs::prelude::*;
use bevy_ecs::reflect::{AppTypeRegistry, ReflectComponent};
use bevy_math::{Vec2, Vec3};
use bevy_reflect::FromReflect;
use bevy_reflect::serde::{ReflectDeserializer, ReflectSerializer};
use bevy_shape as shape;
use serde::de::DeserializeSeed;

/// A component written as text and read again, by its type alone.
fn stored_and_read<T: Component + FromReflect>(app: &bevy_app::App, component: &T) -> T {
    let registry = app.world().resource::<AppTypeRegistry>().read();
    let text = serde_json::to_string(&ReflectSerializer::new(
        component.as_partial_reflect(),
        &registry,
    ));
    let text = text.expect("it can be written");
    let mut reader = serde_json::Deserializer::from_str(&text);
    let read = ReflectDeserializer::new(&registry)
        .deserialize(&mut reader)
        .expect("it can be read");
    T::from_reflect(&*read).expect("it is of the type")
}

#[test]
fn components_are_stored_by_reflection() {
    let app = app2();
    let collider = dim2::Collider::capsule(0.5, 0.25).expect("it has a size");
    assert_eq!(stored_and_read(&app, &collider), collider);
    let velocity = dim2::Velocity {
        linear: Vec2::new(1.0, 2.0),
        angular: 3.0,
    };
    assert_eq!(stored_and_read(&app, &velocity), velocity);
    let layers = dim2::Layers::member_of(3).meeting(5);
    assert_eq!(stored_and_read(&app, &layers), layers);
    assert_eq!(
        stored_and_read(&app, &dim2::BodyKind::Fixed),
        dim2::BodyKind::Fixed
    );
    assert_eq!(stored_and_read(&app, &dim2::Margin(0.5)), dim2::Margin(0.5));
    let order = dim2::BodyOrder(u64::MAX);
    assert_eq!(stored_and_read(&app, &order), order);
}

#[test]
fn a_component_inserted_by_reflection_collides() {
    let mut app = app2();
    let entity = app.world_mut().spawn_empty().id();
    let registry = app.world().resource::<AppTypeRegistry>().clone();
    let registry = registry.read();
    let insert =
        registry.get_type_data::<ReflectComponent>(core::any::TypeId::of::<dim2::Collider>());
    let collider = dim2::Collider::default();
    insert.expect("it is registered").insert(
        &mut app.world_mut().entity_mut(entity),
        &collider,
        &registry,
    );
    app.update();
    assert!(world2(&app).body(entity).is_some());
}

#[test]
fn primitives_become_the_shapes_of_their_names() {
    let of2 = |collider: Result<dim2::Collider, _>| {
        collider
            .expect("it is valid")
            .shape()
            .bounds(&clearance::dim2::Pose::IDENTITY)
            .max
    };
    assert!(of2(shape::Circle::new(2.0).try_into()).abs_diff_eq(Vec2::splat(2.0), 1e-5));
    assert!(of2(shape::Rectangle::new(2.0, 4.0).try_into()).abs_diff_eq(Vec2::new(1.0, 2.0), 1e-5));
    assert!(of2(shape::Capsule2d::new(0.5, 2.0).try_into()).abs_diff_eq(Vec2::new(0.5, 1.5), 1e-5));
    assert!(of2(shape::Ellipse::new(1.0, 2.0).try_into()).abs_diff_eq(Vec2::new(1.0, 2.0), 1e-5));
    assert!(of2(shape::Rhombus::new(2.0, 4.0).try_into()).abs_diff_eq(Vec2::new(1.0, 2.0), 1e-5));
    assert!(
        of2(shape::RegularPolygon::new(1.0, 6).try_into())
            .abs_diff_eq(Vec2::new(0.75_f32.sqrt(), 1.0), 1e-5)
    );
    let of3 = |collider: Result<dim3::Collider, _>| {
        collider
            .expect("it is valid")
            .shape()
            .bounds(&clearance::dim3::Pose::IDENTITY)
            .max
    };
    assert!(of3(shape::Sphere::new(2.0).try_into()).abs_diff_eq(Vec3::splat(2.0), 1e-5));
    assert!(
        of3(shape::Cuboid::new(2.0, 4.0, 6.0).try_into())
            .abs_diff_eq(Vec3::new(1.0, 2.0, 3.0), 1e-5)
    );
    assert!(
        of3(shape::Cylinder::new(1.0, 4.0).try_into()).abs_diff_eq(Vec3::new(1.0, 2.0, 1.0), 1e-5)
    );
    assert!(
        of3(shape::Capsule3d::new(0.5, 2.0).try_into()).abs_diff_eq(Vec3::new(0.5, 1.5, 0.5), 1e-5)
    );
    assert!(
        of3(shape::Cone {
            radius: 1.0,
            height: 4.0
        }
        .try_into())
        .abs_diff_eq(Vec3::new(1.0, 2.0, 1.0), 1e-5)
    );
    assert!(dim3::Collider::try_from(shape::Sphere::new(-1.0)).is_err());
}
