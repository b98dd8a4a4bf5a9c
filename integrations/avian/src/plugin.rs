//! The plugin that makes Avian see the collider.

use core::marker::PhantomData;

use avian3d::dynamics::rigid_body::body_size_metrics::BodySizeMetricsPlugin;
use avian3d::prelude::*;
use bevy::ecs::intern::Interned;
use bevy::ecs::schedule::ScheduleLabel;
use bevy::ecs::system::SystemParamItem;
use bevy::prelude::*;

use crate::Collider;

/// Makes Avian see [`Collider`]: boxes, broad phase, narrow phase, masses and scale.
///
/// Add it after `PhysicsPlugins`; it is for the same schedule, `FixedPostUpdate` unless [`new`](Self::new) says otherwise. With
/// collision hooks `H`, give these to `PhysicsPlugins::with_collision_hooks` and write `ClearanceColliderPlugin::<H>::new(FixedPostUpdate)`.
///
/// # Panics
/// When it is added before `PhysicsPlugins`.
pub struct ClearanceColliderPlugin<H: CollisionHooks = ()> {
    schedule: Interned<dyn ScheduleLabel>,
    hooks: PhantomData<H>,
}

impl<H: CollisionHooks> ClearanceColliderPlugin<H> {
    /// For the schedule that `PhysicsPlugins` are in.
    #[must_use]
    pub fn new(schedule: impl ScheduleLabel) -> Self {
        Self {
            schedule: schedule.intern(),
            hooks: PhantomData,
        }
    }
}

impl Default for ClearanceColliderPlugin {
    fn default() -> Self {
        Self::new(FixedPostUpdate)
    }
}

impl<H: CollisionHooks + 'static> Plugin for ClearanceColliderPlugin<H>
where
    for<'w, 's> SystemParamItem<'w, 's, H>: CollisionHooks,
{
    fn build(&self, app: &mut App) {
        app.add_plugins((
            ColliderBackendPlugin::<Collider>::new(self.schedule),
            ColliderTreePlugin::<Collider>::default(),
            NarrowPhasePlugin::<Collider, H>::default(),
            BodySizeMetricsPlugin::<Collider>::default(),
        ));
    }
}
