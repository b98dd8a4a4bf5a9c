//! What a broad phase promises, a file a promise, in one program.

mod build_and_removal;
mod common;
mod contract;
mod filters;
mod pair_cache;
mod random_sequences;
mod threads;
