//! Tests of `clearance-world` from outside.
//!
//! * `contracts`: what the world promises, a module a promise.
//! * `no_allocation_in_a_steady_frame`: a program of its own, because it counts what is allocated.
