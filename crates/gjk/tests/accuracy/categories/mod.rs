//! The categories of pairs, a contract each.

mod aligned;
mod degenerate;
mod found;
mod general;
mod points;
mod rays;
mod round;
