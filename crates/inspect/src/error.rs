//! Why a world cannot be shown.

use std::io;
use std::net::SocketAddr;

use clearance_recording::EncodeError;

/// Why a world cannot be shown.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InspectError {
    /// An option has a value that it cannot have.
    #[error("InspectorOptions::{field}: is {value}, must be {requirement}")]
    Option {
        /// The name of the field.
        field: &'static str,
        /// What it is.
        value: String,
        /// What it may be.
        requirement: &'static str,
    },
    /// The address can be reached from other machines, and the options do not allow that.
    #[error(
        "address: {address} can be reached from other machines; listen on 127.0.0.1 or [::1], or set \
         InspectorOptions::beyond_loopback"
    )]
    BeyondLoopback {
        /// The address.
        address: SocketAddr,
    },
    /// The operating system does not let the inspector listen at this address.
    #[error(
        "address: cannot listen at it: {error}; a port that is in use cannot be used twice, port 0 takes a free one"
    )]
    Listen {
        /// What the operating system says.
        #[source]
        error: io::Error,
    },
    /// The thread of the inspector cannot be started.
    #[error("cannot start the thread of the inspector: {error}")]
    Thread {
        /// What the operating system says.
        #[source]
        error: io::Error,
    },
    /// The frame cannot be written; viewers get a fresh start with the next one.
    #[error(transparent)]
    Encode(#[from] EncodeError),
}
