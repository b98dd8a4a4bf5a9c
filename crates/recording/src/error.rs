//! Why something cannot be recorded or played.

use clearance_shapes::ShapeError;
use clearance_world::WorldError;

/// Why a world cannot be recorded.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EncodeError {
    /// A shape or the state of the world does not fit into a block.
    #[error("a block would have {bytes} bytes, must have at most 2^30")]
    TooLong {
        /// How many bytes it would have.
        bytes: usize,
    },
    /// The shape of your own of a body has no bounding box that could be shown for it.
    #[error("a shape of your own has no box that could stand for it: {0}")]
    NoBox(#[from] ShapeError),
}

/// Why bytes are not a recording that can be opened.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The bytes do not begin as recordings do.
    #[error("this is not a recording: it does not begin with a header block ({reason})")]
    NotARecording {
        /// What is wrong with the beginning.
        reason: String,
    },
    /// The recording is of another version of the format.
    #[error("the recording has version {found}, this program reads version {expected}")]
    Version {
        /// The version of the recording.
        found: u64,
        /// The version that can be read.
        expected: u64,
    },
    /// The recording is of worlds of the other dimension.
    #[error("the recording has dimension {found}, must be {expected}")]
    Dimension {
        /// The dimension of the recording.
        found: usize,
        /// The dimension of the player.
        expected: usize,
    },
    /// A world refused the options of the player.
    #[error(transparent)]
    Options(#[from] WorldError),
    /// There is no frame to begin with.
    #[error("the recording has no frame to begin with: {0}")]
    NoFrame(Damage),
}

/// Where a recording cannot be read any further, and why. The frames before it play.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("byte {byte}, frame {frame}: {what}")]
pub struct Damage {
    /// Where the block begins that cannot be read.
    pub byte: u64,
    /// The first frame that does not play.
    pub frame: u64,
    /// What is wrong.
    pub what: String,
}

/// Why a player cannot go to a frame.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SeekError {
    /// The recording has no such frame.
    #[error("frame is {frame}, must be from {first} to {last}")]
    NoSuchFrame {
        /// The frame that was asked for.
        frame: u64,
        /// The first one.
        first: u64,
        /// The last one that plays.
        last: u64,
    },
    /// The recording is damaged on the way there.
    #[error("{0}")]
    Damaged(#[from] Damage),
}
