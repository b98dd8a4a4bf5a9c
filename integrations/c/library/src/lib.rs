//! The libraries that programs in C link: all calls are those of `clearance_c`, which is a crate of its own so that tests can link it.

pub use clearance_c::common::clr_version;
