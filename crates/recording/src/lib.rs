//! Records worlds, as files or as a live stream, and plays them.
//!
//! Contacts are a pure function of the poses, on every platform. So a recording holds what the world was given:
//! shapes once, bodies as they come, go and change, poses and velocities where they do not follow from the frame
//! before, the length of each step; and a hash of the contacts, never the contacts themselves. A [`Player`] computes
//! them again, with all that the engine answers, and tells if they are not those that were recorded. User data that a body got
//! in the frame in which it was removed is not recorded: its last events carry what it had before.
//!
//! An [`Encoder`] writes the frames of a world as blocks of bytes. Joined, they are a file, for which
//! [`Player::open`] goes to any frame; sent, they are a live stream, which [`Player::push`] follows. Each block has a
//! checksum, and all that is read is checked: damage is told, and the frames before it play.
//! `docs/file-formats.md` in the source code describes the blocks.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod any_player;
mod apply;
mod block;
mod bytes;
mod comparison;
mod contacts;
mod difference;
mod edits;
mod encoder;
mod error;
mod frame;
mod gaps;
mod header;
mod observe;
mod pairs;
mod player;
mod reader;
mod row;
mod rows;
mod settings;
mod shapes;
mod state;

pub use any_player::AnyPlayer;
pub use comparison::first_difference;
pub use difference::{Difference, FoundIn, PairDifference};
pub use encoder::{Encoder, EncoderOptions};
pub use error::{Damage, EncodeError, OpenError, SeekError};
pub use player::{Drift, Player, PlayerOptions};
