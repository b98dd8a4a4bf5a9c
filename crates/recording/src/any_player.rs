//! A player of either dimension.

use std::sync::Arc;

use clearance_math::{Real, Vec2, Vec3};
use clearance_world::BodyId;

use crate::difference::Difference;
use crate::error::{Damage, OpenError, SeekError};
use crate::header::Header;
use crate::player::{Drift, Player, PlayerOptions};
use crate::reader::File;
use crate::row::Space;

/// A player of a recording of which the dimension is not known before.
#[derive(Debug)]
pub enum AnyPlayer {
    /// 2D.
    Plane(Player<Vec2>),
    /// 3D.
    Space(Player<Vec3>),
}

/// Calls a method of the player.
macro_rules! either {
    ($any:expr, $player:ident => $call:expr) => {
        match $any {
            AnyPlayer::Plane($player) => $call,
            AnyPlayer::Space($player) => $call,
        }
    };
}

impl AnyPlayer {
    /// Opens a whole recording: see [`Player::open`].
    ///
    /// # Errors
    /// Those of [`Player::open_with`].
    pub fn open(bytes: impl Into<Arc<[u8]>>, options: PlayerOptions) -> Result<Self, OpenError> {
        let bytes = bytes.into();
        let (header, _) = Header::first_of(&bytes)?;
        Ok(match header.space {
            Space::Plane => Self::Plane(Player::open_with(bytes, options)?),
            Space::Space => Self::Space(Player::open_with(bytes, options)?),
        })
    }

    /// Follows a live recording of which the first bytes have come, with the whole header: they are taken as by
    /// [`Player::push`].
    ///
    /// # Errors
    /// Bytes that do not begin with the header of a recording of this version; damage in those that came.
    pub fn live(bytes: &[u8], options: PlayerOptions) -> Result<Self, OpenError> {
        let (header, _) = Header::first_of(bytes)?;
        let mut player = match header.space {
            Space::Plane => Self::Plane(Player::live(options)?),
            Space::Space => Self::Space(Player::live(options)?),
        };
        player.push(bytes).map_err(OpenError::NoFrame)?;
        Ok(player)
    }

    /// See [`Player::push`].
    ///
    /// # Errors
    /// See [`Player::push`].
    pub fn push(&mut self, bytes: &[u8]) -> Result<u64, Damage> {
        either!(self, player => player.push(bytes))
    }

    /// See [`Player::seek`].
    ///
    /// # Errors
    /// See [`Player::seek`].
    pub fn seek(&mut self, frame: u64) -> Result<(), SeekError> {
        either!(self, player => player.seek(frame))
    }

    /// See [`Player::advance`].
    ///
    /// # Errors
    /// See [`Player::advance`].
    pub fn advance(&mut self) -> Result<bool, Damage> {
        either!(self, player => player.advance())
    }

    /// 2 or 3.
    #[must_use]
    pub fn dimension(&self) -> usize {
        match self {
            Self::Plane(_) => 2,
            Self::Space(_) => 3,
        }
    }

    /// See [`Player::frame`].
    #[must_use]
    pub fn frame(&self) -> u64 {
        either!(self, player => player.frame())
    }

    /// See [`Player::first`].
    #[must_use]
    pub fn first(&self) -> u64 {
        either!(self, player => player.first())
    }

    /// See [`Player::last`].
    #[must_use]
    pub fn last(&self) -> u64 {
        either!(self, player => player.last())
    }

    /// See [`Player::damage`].
    #[must_use]
    pub fn damage(&self) -> Option<&Damage> {
        either!(self, player => player.damage())
    }

    /// See [`Player::recorded_hash`].
    #[must_use]
    pub fn recorded_hash(&self) -> Option<u64> {
        either!(self, player => player.recorded_hash())
    }

    /// See [`Player::time_step`].
    #[must_use]
    pub fn time_step(&self) -> Real {
        either!(self, player => player.time_step())
    }

    /// See [`Player::is_stand_in`].
    #[must_use]
    pub fn is_stand_in(&self, id: BodyId) -> bool {
        either!(self, player => player.is_stand_in(id))
    }

    /// See [`Player::difference`].
    #[must_use]
    pub fn difference(&self) -> Option<Difference> {
        either!(self, player => player.difference())
    }

    /// The blocks, if they have all come.
    pub(crate) fn file(&self) -> Option<File<'_>> {
        either!(self, player => player.file())
    }

    /// See [`Player::drift`].
    #[must_use]
    pub fn drift(&self) -> Option<Drift> {
        either!(self, player => player.drift())
    }
}
