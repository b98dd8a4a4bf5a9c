//! 500 mixed bodies fall into a bowl of 3,200 triangles and come to rest, simulated by Avian with the shapes of Clearance.
//!
//! It runs without a window. To see it, a game adds `DefaultPlugins` of Bevy in place of `MinimalPlugins` and `TransformPlugin`, a
//! camera, a light, and a mesh to each entity.

mod scene;

use avian_clearance::{ClearanceColliderPlugin, Collider};
use bevy::prelude::*;
use clearance::ShapeError;
use clearance::dim3::Shape;
use scene::Solid;

fn collider(solid: &Solid) -> Result<Collider, ShapeError> {
    let shape = match *solid {
        Solid::Ball { radius } => Shape::ball(radius),
        Solid::Cuboid { half_extents } => Shape::cuboid(half_extents),
        Solid::Capsule {
            half_length,
            radius,
        } => Shape::capsule(half_length, radius),
        Solid::Cylinder {
            half_height,
            radius,
        } => Shape::cylinder(half_height, radius),
        Solid::Cone {
            half_height,
            radius,
        } => Shape::cone(half_height, radius),
        Solid::Hull { ref points } => Shape::hull(points),
    };
    shape.map(Collider::from)
}

fn pile(count: u16) -> Result<App, ShapeError> {
    let mut app = scene::app(ClearanceColliderPlugin::default());
    let surface = scene::bowl();
    let bowl = Shape::mesh(&surface.vertices, &surface.triangles)?;
    let bodies = (0..count).map(|number| collider(&scene::solid(number)));
    let bodies = bodies.collect::<Result<Vec<_>, _>>()?;
    scene::spawn(app.world_mut(), bowl.into(), bodies);
    Ok(app)
}

fn main() -> Result<(), ShapeError> {
    scene::fall_and_settle(&mut pile(500)?);
    Ok(())
}

#[test]
fn a_hundred_bodies_come_to_rest_in_the_same_way_in_every_run() {
    let run = || {
        let mut app = pile(100).expect("the shapes are shapes");
        scene::steps(&mut app, 900);
        scene::state(&mut app)
    };
    let state = run();
    assert_eq!((state.bodies, state.lost), (100, 0));
    assert!(state.fastest < 0.15, "at rest: {state:?}");
    assert_eq!(run(), state);
}
