//! Shapes, boxes, contacts and rays as gizmos.

use std::sync::Mutex;

use bevy_ecs::prelude::*;
use clearance::generic::Ray;

use crate::Space;

/// The rays that were asked since gizmos were drawn.
#[derive(Resource, Debug)]
pub(crate) struct AskedRays<V: Space>(Mutex<Vec<Ray<V>>>);

impl<V: Space> AskedRays<V> {
    pub(crate) fn push(&self, ray: Ray<V>) {
        if let Ok(mut rays) = self.0.lock() {
            rays.push(ray);
        }
    }
}
