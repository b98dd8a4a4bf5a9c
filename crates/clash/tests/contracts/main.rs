//! The promises of clash checks, by their names.

mod common;
mod files;
mod kinds;
mod outputs;
mod pairs;
mod reports;
mod rules;
mod shards;
mod touching;
