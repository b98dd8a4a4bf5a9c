//! What recordings promise, a module a promise.

mod game;
#[path = "../../../world/tests/contracts/random.rs"]
#[allow(dead_code, reason = "the tests of the world need more of it")]
mod random;

mod a_steady_frame_allocates_nothing;
mod damage_is_told;
mod live_recordings_are_followed;
mod playing_gives_the_same_bits;
mod recordings_are_compact;
mod recordings_can_be_compared;
mod seeking_gives_the_same_bits;
mod what_cannot_be_recorded_is_told;
