//! The queries of `bevy_clearance` about Avian's bodies.

use avian3d::prelude::*;
use bevy::prelude::*;
use bevy_clearance::{BodyKind, CollisionSystems, Layers, dim3};

use crate::Collider;

/// Lets the questions of `bevy_clearance` see all entities with a [`Collider`]: rays, casts, what is near, characters.
///
/// In `FixedPostUpdate`, after Avian has written its transforms, every such entity gets the `Collider`, `BodyKind`, `Layers` and
/// `Sensor` of `bevy_clearance`, which follow those of Avian. Its systems then know the places that Avian's step ended with.
/// The plugin of `bevy_clearance` is added if it was not before.
pub struct ClearanceQueriesPlugin;

impl Plugin for ClearanceQueriesPlugin {
    fn build(&self, app: &mut App) {
        if !app.is_plugin_added::<dim3::CollisionPlugin>() {
            app.add_plugins(dim3::CollisionPlugin::default());
        }
        app.configure_sets(
            FixedPostUpdate,
            CollisionSystems::Propagate.after(PhysicsSystems::Writeback),
        );
        app.add_systems(
            FixedPostUpdate,
            (follow_colliders, follow_bodies)
                .chain()
                .after(PhysicsSystems::Writeback)
                .before(CollisionSystems::Propagate),
        );
        app.add_observer(|removed: On<Remove<Collider>>, mut commands: Commands| {
            commands
                .entity(removed.entity)
                .try_remove::<dim3::Collider>();
        });
        app.add_observer(|added: On<Add<Sensor>>, mut commands: Commands| {
            commands.entity(added.entity).insert(dim3::Sensor);
        });
        app.add_observer(|removed: On<Remove<Sensor>>, mut commands: Commands| {
            commands.entity(removed.entity).try_remove::<dim3::Sensor>();
        });
    }
}

type Shaped = (Entity, &'static Collider, &'static CollisionLayers);
type ChangedShaped = Or<(Changed<Collider>, Changed<CollisionLayers>)>;
type Body = (&'static RigidBody, &'static RigidBodyColliders);
type ChangedBody = Or<(Changed<RigidBody>, Changed<RigidBodyColliders>)>;

fn follow_colliders(colliders: Query<Shaped, ChangedShaped>, mut commands: Commands) {
    for (entity, collider, layers) in &colliders {
        let layers = Layers::member_of(layers.memberships.0).meeting(layers.filters.0);
        // Its own plugin looks at the scale of the transform.
        let shape = dim3::Collider::from(collider.unscaled_shape().clone());
        commands.entity(entity).insert((shape, layers));
    }
}

fn follow_bodies(bodies: Query<Body, ChangedBody>, mut commands: Commands) {
    for (body, colliders) in &bodies {
        let kind = match body {
            RigidBody::Static => BodyKind::Fixed,
            RigidBody::Dynamic | RigidBody::Kinematic => BodyKind::Moving,
        };
        for collider in colliders.iter() {
            commands.entity(collider).insert(kind);
        }
    }
}
