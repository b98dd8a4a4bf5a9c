//! The contracts of a broad phase, one module for each, in one test program.

mod build_and_removal;
mod common;
mod contract;
mod filters;
mod many_rays;
mod pair_cache;
mod random_sequences;
mod threads;
