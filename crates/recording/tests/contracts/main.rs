//! What recordings promise, a module a promise.

mod game;
mod random;

mod playing_gives_the_same_bits;
