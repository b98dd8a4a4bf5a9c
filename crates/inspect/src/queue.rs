//! The frames that wait for one viewer.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;

/// How much may wait, and for how many.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QueueLimits {
    pub(crate) viewers: usize,
    pub(crate) frames: usize,
    pub(crate) bytes: usize,
}

/// A viewer that lost frames gets a fresh start after as many more at the earliest: a start costs the game
/// more than a frame.
const FRAMES_BETWEEN_STARTS: u32 = 20;

/// The frames that wait for one viewer. The game puts them in, the thread that sends takes them out.
pub(crate) struct Queue {
    state: Mutex<State>,
    /// Tells the thread that sends.
    wake: Box<dyn Fn() + Send + Sync>,
}

struct State {
    /// Names that were not taken yet, of which only the newest count.
    names: Option<Arc<str>>,
    waiting: VecDeque<Bytes>,
    bytes: usize,
    mode: Mode,
}

/// What the next frame means to a viewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// It has all frames before; a change is enough.
    Follows,
    /// It needs the whole state, after some more frames.
    NeedsStart { after: u32 },
}

/// What a viewer needs of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    Change,
    Start,
    Nothing,
}

impl Queue {
    pub(crate) fn new(wake: impl Fn() + Send + Sync + 'static) -> Self {
        Self {
            state: Mutex::new(State {
                names: None,
                waiting: VecDeque::new(),
                bytes: 0,
                mode: Mode::NeedsStart { after: 0 },
            }),
            wake: Box::new(wake),
        }
    }

    /// What this viewer needs of the frame that begins; to be asked once a frame.
    pub(crate) fn need(&self) -> Need {
        let mut state = self.lock();
        match state.mode {
            Mode::Follows => Need::Change,
            // What waits is sent first, so that a viewer that stays slow sees what it can.
            Mode::NeedsStart { after: 0 } if state.waiting.is_empty() => Need::Start,
            Mode::NeedsStart { after } => {
                let after = after.saturating_sub(1);
                state.mode = Mode::NeedsStart { after };
                Need::Nothing
            }
        }
    }

    /// Puts a frame in. Where too much waits already, it is dropped, and so are all until the next start.
    pub(crate) fn put(&self, frame: &Bytes, limits: QueueLimits) {
        let mut state = self.lock();
        let bytes = state.bytes + frame.len();
        let fits = state.waiting.len() < limits.frames && bytes <= limits.bytes;
        if fits || state.waiting.is_empty() {
            state.waiting.push_back(frame.clone());
            state.bytes = bytes;
            state.mode = Mode::Follows;
            drop(state);
            (self.wake)();
        } else {
            state.mode = Mode::NeedsStart {
                after: FRAMES_BETWEEN_STARTS,
            };
        }
    }

    /// Puts the names of bodies in, in place of those that wait.
    pub(crate) fn put_names(&self, names: &Arc<str>) {
        self.lock().names = Some(Arc::clone(names));
        (self.wake)();
    }

    pub(crate) fn take_names(&self) -> Option<Arc<str>> {
        self.lock().names.take()
    }

    pub(crate) fn take(&self) -> Option<Bytes> {
        let mut state = self.lock();
        let frame = state.waiting.pop_front()?;
        state.bytes -= frame.len();
        Some(frame)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: QueueLimits = QueueLimits {
        viewers: 1,
        frames: 2,
        bytes: 10,
    };

    fn frame(length: usize) -> Bytes {
        Bytes::from(vec![0; length])
    }

    #[test]
    fn a_slow_viewer_loses_frames_and_gets_a_fresh_start_later() {
        let queue = Queue::new(|| {});
        assert_eq!(queue.need(), Need::Start);
        queue.put(&frame(1), LIMITS);
        assert_eq!(queue.need(), Need::Change);
        queue.put(&frame(2), LIMITS);
        queue.put(&frame(3), LIMITS);
        assert_eq!(queue.need(), Need::Nothing);
        let lengths: Vec<_> = core::iter::from_fn(|| queue.take())
            .map(|taken| taken.len())
            .collect();
        assert_eq!(
            lengths,
            [1, 2],
            "what waited is kept, what did not fit is dropped"
        );
        for _ in 1..FRAMES_BETWEEN_STARTS {
            assert_eq!(queue.need(), Need::Nothing);
        }
        assert_eq!(queue.need(), Need::Start);
    }

    #[test]
    fn bytes_are_limited_but_a_single_frame_always_fits() {
        let queue = Queue::new(|| {});
        queue.put(&frame(1000), LIMITS);
        assert_eq!(queue.need(), Need::Change);
        queue.put(&frame(1), LIMITS);
        assert_eq!(queue.need(), Need::Nothing);
        assert_eq!(queue.take().map(|taken| taken.len()), Some(1000));
        assert_eq!(queue.take(), None);
        queue.put(&frame(4), LIMITS);
        queue.put(&frame(7), LIMITS);
        assert_eq!(queue.need(), Need::Nothing, "11 bytes are more than 10");
    }
}
