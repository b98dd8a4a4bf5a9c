//! What an inspector lets happen.

use core::time::Duration;

use crate::InspectError;
use crate::queue::QueueLimits;

/// What an [`Inspector`](crate::Inspector) lets happen.
///
/// ```
/// use clearance_inspect::{Inspector, InspectorOptions};
///
/// let options = InspectorOptions {
///     origins: vec!["https://tools.example.com".to_owned()],
///     viewers: 2,
///     ..InspectorOptions::default()
/// };
/// let inspector = Inspector::listen_with("127.0.0.1:0", options)?;
/// # Ok::<(), clearance_inspect::InspectError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InspectorOptions {
    /// Whether it may listen where other machines reach it. Everybody who does can see the world. Off at first.
    pub beyond_loopback: bool,
    /// Web sites whose pages may look, such as `https://tools.example.com`, besides those that this machine
    /// serves on loopback. Browsers tell from which site a page came; other programs need not say.
    pub origins: Vec<String>,
    /// How many viewers may look at once, from 1 to 1024, each with a thread of its own; 8 at first.
    pub viewers: usize,
    /// How many frames may wait for a viewer before frames are dropped, at least 1; 8 at first.
    pub frames_waiting: usize,
    /// How many bytes may wait for a viewer before frames are dropped; 64 MiB at first. A single frame always may.
    pub bytes_waiting: usize,
    /// How long a viewer may take for its first request, and how long it may be silent afterwards; 10 seconds
    /// at first. Whoever is there answers the questions of the inspector in between, browsers by themselves.
    pub patience: Duration,
    /// How many bytes a message of a viewer may have; 4096 at first. An inspector reads none of them.
    pub message_bytes: usize,
}

impl Default for InspectorOptions {
    fn default() -> Self {
        Self {
            beyond_loopback: false,
            origins: Vec::new(),
            viewers: 8,
            frames_waiting: 8,
            bytes_waiting: 64 << 20,
            patience: Duration::from_secs(10),
            message_bytes: 4096,
        }
    }
}

const MOST_VIEWERS: usize = 1024;
/// A millisecond to a day.
const PATIENCE: core::ops::RangeInclusive<Duration> =
    Duration::from_millis(1)..=Duration::from_secs(24 * 60 * 60);

impl InspectorOptions {
    pub(crate) fn check(&self) -> Result<(), InspectError> {
        if !(1..=MOST_VIEWERS).contains(&self.viewers) {
            return refuse("viewers", self.viewers, "from 1 to 1024");
        }
        if self.frames_waiting == 0 {
            return refuse("frames_waiting", self.frames_waiting, "at least 1");
        }
        if !PATIENCE.contains(&self.patience) {
            let value = format!("{:?}", self.patience);
            return refuse("patience", value, "from a millisecond to a day");
        }
        Ok(())
    }

    pub(crate) fn queue_limits(&self) -> QueueLimits {
        QueueLimits {
            viewers: self.viewers,
            frames: self.frames_waiting,
            bytes: self.bytes_waiting,
        }
    }
}

fn refuse(
    field: &'static str,
    value: impl ToString,
    requirement: &'static str,
) -> Result<(), InspectError> {
    Err(InspectError::Option {
        field,
        value: value.to_string(),
        requirement,
    })
}
