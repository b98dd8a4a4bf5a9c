//! Percentiles of any number of values, in bounded memory.

use core::time::Duration;
use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

/// Binary digits behind the first one to which values are told apart: exactly up to 32,768, beyond to less than a ten-thousandth.
const DIGITS: u32 = 14;

/// A quantity over the frames of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Percentiles<T> {
    /// Half of the frames have no more.
    pub median: T,
    /// 95 of 100 frames have no more.
    pub p95: T,
}

/// How often each value occurred, values that agree in their first digits counted together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Distribution(BTreeMap<u64, Class>);

/// Values that agree in their first digits.
#[derive(Clone, Copy, Debug, Default)]
struct Class {
    count: u64,
    greatest: u64,
}

impl Distribution {
    pub(crate) fn record_count(&mut self, count: usize) {
        self.record(count as u64);
    }

    pub(crate) fn record_time(&mut self, time: Duration) {
        self.record(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX));
    }

    fn record(&mut self, value: u64) {
        // The bits of a float begin with its exponent and its first digits.
        let first = (value as f64).to_bits() >> (f64::MANTISSA_DIGITS - 1 - DIGITS);
        let class = self.0.entry(first).or_default();
        class.count += 1;
        class.greatest = class.greatest.max(value);
    }

    /// How many values have been recorded.
    pub(crate) fn recorded(&self) -> u64 {
        self.0.values().map(|class| class.count).sum()
    }

    pub(crate) fn counts(&self) -> Percentiles<usize> {
        let [median, p95] = self.percentiles().map(|count| count as usize);
        Percentiles { median, p95 }
    }

    pub(crate) fn times(&self) -> Percentiles<Duration> {
        let [median, p95] = self.percentiles().map(Duration::from_nanos);
        Percentiles { median, p95 }
    }

    /// The median and the 95th percentile by nearest rank; zeros if nothing has been recorded.
    fn percentiles(&self) -> [u64; 2] {
        [50, 95].map(|percent| {
            let mut rank = (u128::from(self.recorded()) * percent).div_ceil(100);
            let found = self.0.values().find(|class| {
                let is_in = rank <= class.count.into();
                rank = rank.saturating_sub(class.count.into());
                is_in
            });
            found.map_or(0, |class| class.greatest)
        })
    }
}

pub(crate) fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

#[derive(Serialize)]
struct PercentilesInFile<T> {
    median: T,
    p95: T,
}

impl Serialize for Percentiles<usize> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { median, p95 } = *self;
        PercentilesInFile { median, p95 }.serialize(serializer)
    }
}

impl Serialize for Percentiles<Duration> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let [median, p95] = [self.median, self.p95].map(milliseconds);
        PercentilesInFile { median, p95 }.serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, SeedableRng};
    use rand_pcg::Pcg64;

    #[test]
    fn percentiles_are_taken_by_nearest_rank() {
        let mut counts = Distribution::default();
        for count in (1..=100).rev() {
            counts.record_count(count);
        }
        let expected = Percentiles {
            median: 50,
            p95: 95,
        };
        assert_eq!(counts.counts(), expected);
        assert_eq!(Distribution::default().counts(), Percentiles::default());
    }

    #[test]
    fn a_quantity_that_never_changes_is_exact() {
        let mut counts = Distribution::default();
        for _ in 0..10 {
            counts.record_count(123_456_789);
        }
        assert_eq!(
            (counts.counts().median, counts.counts().p95),
            (123_456_789, 123_456_789)
        );
    }

    #[test]
    fn percentiles_of_a_long_stream_are_right_in_bounded_memory() {
        let mut random = Pcg64::seed_from_u64(3);
        let mut times = Distribution::default();
        let mut sorted = Vec::new();
        for _ in 0..400_000 {
            // From ten microseconds to one second, most of them short.
            let nanoseconds =
                10_f64.powf(4.0 + 5.0 * (f64::from(random.next_u32()) / 4.3e9).powi(2));
            times.record_time(Duration::from_nanos(nanoseconds as u64));
            sorted.push(nanoseconds as u64);
        }
        sorted.sort_unstable();
        let found = times.times();
        for (time, rank) in [(found.median, 200_000), (found.p95, 380_000)] {
            let exact = sorted[rank - 1] as f64;
            let error = (time.as_nanos() as f64 - exact).abs();
            assert!(error <= exact * 1e-4, "{time:?} for {exact} ns");
        }
        assert_eq!(times.recorded(), 400_000);
        // 17 powers of two with 16,384 classes each, however many frames there are.
        assert!(times.0.len() <= 17 << 14);
    }
}
