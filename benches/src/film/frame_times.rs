//! What single frames cost: the usual ones and the slow ones.

use core::time::Duration;

/// How long frames took.
#[derive(Clone, Debug, Default)]
pub struct FrameTimes(Vec<Duration>);

impl FrameTimes {
    /// Adds a frame.
    pub fn push(&mut self, time: Duration) {
        self.0.push(time);
    }

    /// How many frames there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Takes for each frame the smaller time of two plays of one film: what others on the machine
    /// took away is not counted.
    pub fn take_smaller(&mut self, other: &Self) {
        if self.0.is_empty() {
            self.0.clone_from(&other.0);
        }
        for (time, &other) in self.0.iter_mut().zip(&other.0) {
            *time = other.min(*time);
        }
    }

    /// Some of the frames.
    #[must_use]
    pub fn part(&self, frames: core::ops::Range<usize>) -> Self {
        let end = frames.end.min(self.0.len());
        Self(self.0[frames.start.min(end)..end].to_vec())
    }

    /// All frames together.
    #[must_use]
    pub fn total(&self) -> Duration {
        self.0.iter().sum()
    }

    /// The time that this share of the frames does not exceed; zero without frames.
    #[must_use]
    pub fn quantile(&self, share: f64) -> Duration {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        let place = (share * sorted.len() as f64).ceil() as usize;
        let place = place.clamp(1, sorted.len().max(1)) - 1;
        sorted.get(place).copied().unwrap_or_default()
    }

    /// The time that half of the frames do not exceed.
    #[must_use]
    pub fn median(&self) -> Duration {
        self.quantile(0.5)
    }

    /// How many frames took longer than three times the median.
    #[must_use]
    pub fn slow_count(&self) -> usize {
        let limit = 3 * self.median();
        self.0.iter().filter(|&&time| time > limit).count()
    }
}

/// How many frames, their median, the 99th percentile and how many are slow, on one line.
impl core::fmt::Display for FrameTimes {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let milliseconds = |time: Duration| 1e3 * time.as_secs_f64();
        write!(
            f,
            "{} frames: median {:.3} ms, 99th percentile {:.3} ms, {} above three medians",
            self.count(),
            milliseconds(self.median()),
            milliseconds(self.quantile(0.99)),
            self.slow_count(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_and_slow_frames_are_counted() {
        let mut times = FrameTimes::default();
        assert_eq!((times.median(), times.slow_count()), (Duration::ZERO, 0));
        for millis in (1..=100).rev() {
            times.push(Duration::from_millis(millis));
        }
        assert_eq!(times.median(), Duration::from_millis(50));
        assert_eq!(times.quantile(0.99), Duration::from_millis(99));
        assert_eq!(times.slow_count(), 0);
        assert_eq!(times.part(90..200).median(), Duration::from_millis(5));
        times.push(Duration::from_millis(154));
        assert_eq!(times.slow_count(), 1);
        assert_eq!(times.count(), 101);
    }
}
