//! What the plugin promises, in one program: each would link all of Bevy.

mod bodies;
mod cells;
mod common;
mod compounds;
mod events;
mod families;
mod globs;
mod meshes;
mod peers;
mod problems;
mod queries;
mod random;
mod reflection;
mod rollback;
mod teleports;
mod tools;
mod velocities;
