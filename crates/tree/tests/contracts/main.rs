//! The contracts of the tree, one module for each, in one test program.

mod building;
mod common;
mod joins;
mod queries;
mod refitting;
mod steady_use;
mod workers;
