//! The plugin: what runs, and when.

use core::marker::PhantomData;

use bevy_app::{App, FixedPostUpdate, Plugin};
use bevy_ecs::intern::Interned;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleLabel;
use bevy_math::{Vec2, Vec3};
use bevy_transform::TransformSystems;
use bevy_transform::systems::{
    StaticTransformOptimizations, mark_dirty_trees, propagate_parent_transforms,
};
use clearance::Options;

use crate::changes::watch;
use crate::collect::collect;
use crate::events::report;
use crate::step::{step, write_back};
use crate::{
    BodyKind, BodyOrder, Collider, CollisionEnded, CollisionEvents, CollisionStarted,
    CollisionWorld, CompoundBody, InWorld, Layers, Margin, PartContacts, RangeEntered, RangeLeft,
    Sensor, Space, Swept, Velocity, WorldOrigin,
};

/// The stages of a step, in this order.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CollisionSystems {
    /// Transforms are propagated to children, as they are at the end of a frame, if any of them collide.
    Propagate,
    /// What changed is sent to the worlds.
    Collect,
    /// Worlds step, and the transforms of bodies with a [`Velocity`] are written.
    Step,
    /// Messages are written, and observers run. What reads contacts comes after this set.
    Report,
}

/// Finds the contacts of all entities with a [`Collider`] of one dimension.
///
/// It runs in `FixedPostUpdate`, or in the schedule that [`in_schedule`](Self::in_schedule) names, and steps by the time
/// of that schedule, in the sets of [`CollisionSystems`]. A game that moves entities in `FixedUpdate` reads the contacts of the step
/// before there, and those of the present one in `FixedLast`.
///
/// ```
/// use bevy_app::App;
/// use bevy_clearance::{CollisionPlugin, dim2};
/// use clearance::Options;
///
/// let mut app = App::new();
/// app.add_plugins(CollisionPlugin::<clearance::dim2::Vec2>::new(Options { margin: 0.1, ..Options::default() }));
/// assert_eq!(app.world().resource::<dim2::CollisionWorld>().world().options().margin, 0.1);
/// ```
///
/// # Panics
/// When it is added, if the options make no world: more threads than there can be, a margin that is negative.
#[derive(Debug)]
pub struct CollisionPlugin<V: Space> {
    options: Options,
    schedule: Interned<dyn ScheduleLabel>,
    space: PhantomData<V>,
}

impl<V: Space> CollisionPlugin<V> {
    /// With the options of its worlds: margin, threads, part and surface contacts.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self {
            options,
            schedule: FixedPostUpdate.intern(),
            space: PhantomData,
        }
    }

    /// Runs in another schedule, such as `PostUpdate` for a step in each frame.
    #[must_use]
    pub fn in_schedule(self, schedule: impl ScheduleLabel) -> Self {
        Self {
            schedule: schedule.intern(),
            ..self
        }
    }
}

impl<V: Space> Default for CollisionPlugin<V> {
    fn default() -> Self {
        Self::new(Options::default())
    }
}

impl<V: Space> Plugin for CollisionPlugin<V> {
    fn build(&self, app: &mut App) {
        V::install(self, app);
    }
}

impl<V: Space> CollisionPlugin<V> {
    /// Adds what the plugin is made of.
    pub(crate) fn add_to(&self, app: &mut App) {
        let world = CollisionWorld::<V>::new(self.options);
        app.insert_resource(world.unwrap_or_else(|error| panic!("CollisionPlugin: {error}")));
        app.init_resource::<WorldOrigin<V>>();
        app.add_message::<CollisionStarted<V>>()
            .add_message::<CollisionEnded<V>>();
        app.add_message::<RangeEntered<V>>()
            .add_message::<RangeLeft<V>>();
        register::<V>(app);
        watch::<V>(app);
        propagate_in(app, self.schedule);
        app.add_systems(
            self.schedule,
            (
                collect::<V>.in_set(CollisionSystems::Collect),
                (step::<V>, write_back::<V>)
                    .chain()
                    .in_set(CollisionSystems::Step),
                report::<V>.in_set(CollisionSystems::Report),
            ),
        );
    }
}

/// The schedules in which transforms are propagated.
#[derive(Resource, Default)]
struct PropagatingSchedules(Vec<Interned<dyn ScheduleLabel>>);

/// Bodies and colliders that have parents: all others are where their own transforms say.
type Children = (
    With<ChildOf>,
    Or<(With<Collider<Vec2>>, With<Collider<Vec3>>)>,
);

/// Orders the sets of a schedule, and propagates transforms there while there are children that collide; once for both
/// dimensions.
fn propagate_in(app: &mut App, schedule: Interned<dyn ScheduleLabel>) {
    use CollisionSystems::{Collect, Propagate, Report, Step};
    let mut schedules = app
        .world_mut()
        .get_resource_or_init::<PropagatingSchedules>();
    if schedules.0.contains(&schedule) {
        return;
    }
    schedules.0.push(schedule);
    app.init_resource::<StaticTransformOptimizations>();
    app.configure_sets(schedule, (Propagate, Collect, Step, Report).chain());
    // What the step wrote is drawn in the same frame, in whichever schedule it runs.
    app.configure_sets(schedule, Report.before(TransformSystems::Propagate));
    let systems = (mark_dirty_trees, propagate_parent_transforms).chain();
    let have_parents = |children: Query<(), Children>| !children.is_empty();
    app.add_systems(schedule, systems.in_set(Propagate).run_if(have_parents));
}

/// Tells reflection of all components.
fn register<V: Space>(app: &mut App) {
    app.register_type::<Collider<V>>()
        .register_type::<Velocity<V>>();
    app.register_type::<BodyKind>()
        .register_type::<Layers>()
        .register_type::<Margin>()
        .register_type::<InWorld>();
    app.register_type::<Swept>()
        .register_type::<PartContacts>()
        .register_type::<Sensor>();
    app.register_type::<CollisionEvents>()
        .register_type::<CompoundBody>()
        .register_type::<BodyOrder>();
    app.register_type::<WorldOrigin<V>>();
}
