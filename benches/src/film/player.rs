//! Plays films for criterion.

use core::time::Duration;
use std::error::Error;
use std::time::Instant;

use super::FrameTimes;

/// Plays the frames of a film over and over, each time in a new engine. Only frames after the first
/// are timed.
#[derive(Debug)]
pub struct Player<E> {
    engine: Option<E>,
    next: usize,
    times: FrameTimes,
    error: Option<Box<dyn Error>>,
}

impl<E> Default for Player<E> {
    fn default() -> Self {
        Self {
            engine: None,
            next: 0,
            times: FrameTimes::default(),
            error: None,
        }
    }
}

impl<E> Player<E> {
    /// Plays so many frames, going on where the last call stopped, and returns the time that they
    /// took. `start` makes an engine, `show` shows it a frame. After an error nothing is played.
    pub fn play<F>(
        &mut self,
        frames: &[F],
        iterations: u64,
        start: impl Fn() -> Result<E, Box<dyn Error>>,
        show: impl Fn(&mut E, &F) -> Result<(), Box<dyn Error>>,
    ) -> Duration {
        let mut total = Duration::ZERO;
        for _ in 0..iterations {
            if self.error.is_none() {
                match self.frame(frames, &start, &show) {
                    Ok(time) => total += time,
                    Err(error) => self.error = Some(error),
                }
            }
        }
        // Criterion divides by the time.
        total.max(Duration::from_nanos(1))
    }

    fn frame<F>(
        &mut self,
        frames: &[F],
        start: impl Fn() -> Result<E, Box<dyn Error>>,
        show: impl Fn(&mut E, &F) -> Result<(), Box<dyn Error>>,
    ) -> Result<Duration, Box<dyn Error>> {
        let mut engine = match self.engine.take() {
            Some(engine) if self.next < frames.len() => engine,
            _ => {
                let mut engine = start()?;
                show(&mut engine, frames.first().ok_or("a film without frames")?)?;
                self.next = 1;
                engine
            }
        };
        let frame = frames.get(self.next).ok_or("a film of one frame")?;
        let before = Instant::now();
        show(&mut engine, frame)?;
        let time = before.elapsed();
        self.times.push(time);
        self.next += 1;
        self.engine = Some(engine);
        Ok(time)
    }

    /// The times of all frames that were played, those of warming up included.
    #[must_use]
    pub fn times(&self) -> &FrameTimes {
        &self.times
    }

    /// What went wrong, if anything did.
    ///
    /// # Errors
    /// The error of an engine.
    pub fn outcome(self) -> Result<(), Box<dyn Error>> {
        self.error.map_or(Ok(()), Err)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_film_is_played_forwards_in_a_new_engine_each_time() {
        let mut player = Player::default();
        let shown = std::cell::RefCell::new(Vec::new());
        let start = || Ok(());
        let show = |(): &mut (), frame: &i32| {
            shown.borrow_mut().push(*frame);
            Ok(())
        };
        player.play(&[1, 2, 3], 3, start, show);
        player.play(&[1, 2, 3], 2, start, show);
        assert_eq!(shown.into_inner(), [1, 2, 3, 1, 2, 3, 1, 2]);
        assert_eq!(player.times().count(), 5);
        player.play(&[1], 1, start, |(), _| Ok(()));
        assert!(player.outcome().is_err());
    }
}
