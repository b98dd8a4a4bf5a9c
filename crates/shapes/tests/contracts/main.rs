//! What shapes promise.

mod any_shapes;
mod attached;
mod bounds;
mod clouds;
mod encloses;
mod encoding;
mod heights;
mod hostile_sizes;
mod hull_topology;
mod hulls;
mod mass;
mod supports;
mod transform;
