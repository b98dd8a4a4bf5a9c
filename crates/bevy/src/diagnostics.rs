//! What steps cost, among the diagnostics of Bevy.

use core::marker::PhantomData;

use bevy_app::{App, Plugin, Update};
use bevy_diagnostic::{Diagnostic, DiagnosticPath, Diagnostics, RegisterDiagnostic};
use bevy_ecs::prelude::*;
use clearance::Profile;

use crate::{CollisionWorld, Space};

/// Measures the stages of the steps of world 0, and what they had to do, under `collision_2d/` and `collision_3d/`.
///
/// Times are in milliseconds: `move`, `bound`, `pair`, `measure`, `report` and `step`, their sum. Counts are `bodies`,
/// `candidates` and `contacts`. Each frame with a step has a measurement, of its last step.
/// Add it after [`CollisionPlugin`](crate::CollisionPlugin).
#[derive(Clone, Copy, Debug, Default)]
pub struct CollisionDiagnosticsPlugin<V: Space>(PhantomData<V>);

impl<V: Space> CollisionDiagnosticsPlugin<V> {
    /// The path of a diagnostic, such as `collision_2d/step`.
    #[must_use]
    pub fn path(name: &str) -> DiagnosticPath {
        DiagnosticPath::new(format!("collision_{}d/{name}", V::DIM))
    }
}

impl<V: Space> Plugin for CollisionDiagnosticsPlugin<V> {
    fn build(&self, app: &mut App) {
        for (name, _) in values(&Profile::default(), 0) {
            let suffix = if COUNTS.contains(&name) { "" } else { " ms" };
            app.register_diagnostic(Diagnostic::new(Self::path(name)).with_suffix(suffix));
        }
        let mut world = app
            .world_mut()
            .get_resource_mut::<CollisionWorld<V>>()
            .expect("CollisionDiagnosticsPlugin is added after CollisionPlugin");
        world
            .world_mut()
            .set_profiling(Some(Profile::standard_clock));
        app.add_systems(Update, measure::<V>);
    }
}

/// What is no time.
const COUNTS: [&str; 3] = ["bodies", "candidates", "contacts"];

fn measure<V: Space>(
    world: Res<CollisionWorld<V>>,
    mut diagnostics: Diagnostics,
    mut measured: Local<u64>,
) {
    if core::mem::replace(&mut *measured, world.steps) == world.steps {
        return;
    }
    for (name, value) in values(&world.world().profile(), world.world().len()) {
        diagnostics.add_measurement(&CollisionDiagnosticsPlugin::<V>::path(name), || value);
    }
}

/// The names of all diagnostics, and their values.
fn values(profile: &Profile, bodies: usize) -> impl Iterator<Item = (&'static str, f64)> {
    let stages = profile
        .stages()
        .map(|stage| (stage.name, stage.time.as_secs_f64() * 1e3));
    let step = stages.iter().map(|stage| stage.1).sum::<f64>();
    let counts = [bodies, profile.candidates, profile.contacts].map(|count| count as f64);
    stages
        .into_iter()
        .chain([("step", step)])
        .chain(COUNTS.into_iter().zip(counts))
}
