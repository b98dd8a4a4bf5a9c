//! Shows a world of the game on the page of `clearance view`.

use core::marker::PhantomData;
use core::net::SocketAddr;
use std::sync::Mutex;

use bevy_app::{App, Plugin, PostUpdate};
use bevy_ecs::prelude::*;
use clearance_inspect::{Inspector, InspectorOptions};

use crate::{CollisionWorld, InWorld, Space};

/// Serves world 0 of one dimension to browsers: `clearance view --attach ADDRESS` opens the page.
///
/// The page shows bodies by the [`Name`]s of their entities. The address is logged, and is in [`CollisionInspector`]. While nobody looks, it costs a load of a number a frame.
///
/// ```
/// use bevy_app::App;
/// use bevy_clearance::{CollisionInspectorPlugin, dim2};
/// use clearance::dim2::Vec2;
///
/// let mut app = App::new();
/// app.add_plugins((dim2::CollisionPlugin::default(), CollisionInspectorPlugin::<Vec2>::at("127.0.0.1:0")));
/// let address = app.world().resource::<dim2::CollisionInspector>().address();
/// assert!(address.ip().is_loopback());
/// ```
#[derive(Clone, Debug)]
pub struct CollisionInspectorPlugin<V: Space> {
    address: String,
    options: InspectorOptions,
    space: PhantomData<V>,
}

/// The inspector of a game.
#[derive(Resource, Debug)]
pub struct CollisionInspector<V: Space> {
    /// A resource is shared between threads, which an inspector alone is not.
    inspector: Mutex<Inspector>,
    address: SocketAddr,
    space: PhantomData<V>,
}

impl<V: Space> CollisionInspectorPlugin<V> {
    /// Listens at an address, such as `127.0.0.1:7878`; with port 0 at one that is free.
    #[must_use]
    pub fn at(address: &str) -> Self {
        Self {
            address: address.to_owned(),
            options: InspectorOptions::default(),
            space: PhantomData,
        }
    }

    /// Replaces the options of the server.
    #[must_use]
    pub fn with_options(self, options: InspectorOptions) -> Self {
        Self { options, ..self }
    }
}

impl<V: Space> CollisionInspector<V> {
    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// How many pages look.
    #[must_use]
    pub fn viewers(&self) -> usize {
        self.inspector
            .lock()
            .map_or(0, |inspector| inspector.viewers())
    }
}

impl<V: Space> Plugin for CollisionInspectorPlugin<V> {
    fn build(&self, app: &mut App) {
        match Inspector::listen_with(&*self.address, self.options.clone()) {
            Ok(inspector) => {
                let address = inspector.address();
                log::info!("clearance view --attach {address}");
                let inspector = Mutex::new(inspector);
                app.insert_resource(CollisionInspector::<V> {
                    inspector,
                    address,
                    space: PhantomData,
                });
                app.add_systems(PostUpdate, show::<V>);
            }
            // The game goes on: it can be played without being looked at.
            Err(error) => log::error!("CollisionInspectorPlugin: {}: {error}", self.address),
        }
    }
}

fn show<V: Space>(
    mut inspector: ResMut<CollisionInspector<V>>,
    world: Res<CollisionWorld<V>>,
    named: Query<(Entity, &Name)>,
) {
    let Ok(inspector) = inspector.inspector.get_mut() else {
        return;
    };
    if inspector.viewers() > 0 {
        let bodies = named.iter().filter_map(|(entity, name)| {
            let record = world.records.get(entity)?;
            (record.world == InWorld::default()).then_some((record.body, name))
        });
        inspector.set_names(bodies);
    }
    if let Err(error) = inspector.frame(world.world()) {
        log::error!("CollisionInspectorPlugin: {error}");
    }
}
