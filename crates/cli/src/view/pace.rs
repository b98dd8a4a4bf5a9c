//! When the steps of a scene happen.

use core::time::Duration;
use std::time::Instant;

use serde_json::Value;

/// The steps of a second at the usual speed.
const STEPS_PER_SECOND: f64 = 60.0;
const LEAST_SPEED: f64 = 0.01;
const GREATEST_SPEED: f64 = 16.0;
/// A scene that cannot keep up becomes slower instead of making up for more than so much time.
const MOST_BEHIND: Duration = Duration::from_millis(100);

/// What a page asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Order {
    /// A page came, and needs a first frame.
    Come,
    Run,
    Pause,
    /// Pause, after one more step.
    Step,
    Speed {
        factor: f64,
    },
}

impl Order {
    /// The order that a message of a page is, or what is wrong with it.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let message: Value =
            serde_json::from_str(text).map_err(|error| format!("not JSON: {error}"))?;
        match message["do"].as_str() {
            Some("run") => Ok(Self::Run),
            Some("pause") => Ok(Self::Pause),
            Some("step") => Ok(Self::Step),
            Some("speed") => match message["factor"].as_f64() {
                Some(factor) if (LEAST_SPEED..=GREATEST_SPEED).contains(&factor) => {
                    Ok(Self::Speed { factor })
                }
                _ => Err(format!(
                    "factor: is {}, must be a number from {LEAST_SPEED} to {GREATEST_SPEED}",
                    message["factor"]
                )),
            },
            _ => Err(format!(
                "do: is {}, must be \"run\", \"pause\", \"step\" or \"speed\"",
                message["do"]
            )),
        }
    }
}

/// When the next step is due.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    runs: bool,
    factor: f64,
    next: Instant,
}

impl Pace {
    /// Running at the usual speed.
    pub(super) fn new(now: Instant) -> Self {
        Self {
            runs: true,
            factor: 1.0,
            next: now,
        }
    }

    /// When the next step is due, unless the scene is paused.
    pub(super) fn next(&self) -> Option<Instant> {
        self.runs.then_some(self.next)
    }

    pub(super) fn run(&mut self, now: Instant) {
        self.runs = true;
        self.next = now;
    }

    pub(super) fn pause(&mut self) {
        self.runs = false;
    }

    pub(super) fn set_speed(&mut self, factor: f64, now: Instant) {
        self.factor = factor;
        self.next = now;
    }

    /// The step that was due is done.
    pub(super) fn advance(&mut self, now: Instant) {
        self.next += Duration::from_secs_f64(1.0 / (STEPS_PER_SECOND * self.factor));
        if self.next + MOST_BEHIND < now {
            self.next = now;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_read_or_refused_by_field() {
        let read = |text: &str| Order::read(text);
        assert_eq!(read(r#"{"do":"run"}"#), Ok(Order::Run));
        assert_eq!(read(r#"{"do":"pause"}"#), Ok(Order::Pause));
        assert_eq!(read(r#"{"do":"step"}"#), Ok(Order::Step));
        let half = Order::Speed { factor: 0.5 };
        assert_eq!(read(r#"{"do":"speed","factor":0.5}"#), Ok(half));
        for text in ["", "[]", "1", "{}", r#"{"do":1}"#, r#"{"do":"fly"}"#] {
            assert!(read(text).is_err(), "{text}");
        }
        for factor in ["0", "-1", "17", "1e400", "null", "\"1\""] {
            let refused = read(&format!(r#"{{"do":"speed","factor":{factor}}}"#));
            assert!(refused.is_err(), "{factor}");
        }
        assert!(read(r#"{"do":"speed"}"#).is_err_and(|why| why.starts_with("factor: ")));
    }

    #[test]
    fn steps_are_due_at_the_speed_and_lost_time_is_not_made_up() {
        let start = Instant::now();
        let mut pace = Pace::new(start);
        assert_eq!(pace.next(), Some(start));
        pace.set_speed(2.0, start);
        for _ in 0..120 {
            pace.advance(start);
        }
        let next = pace.next().expect("running") - start;
        assert!((next.as_secs_f64() - 1.0).abs() < 1e-6, "{next:?}");
        let late = start + Duration::from_secs(9);
        pace.advance(late);
        assert_eq!(pace.next(), Some(late));
        pace.pause();
        assert_eq!(pace.next(), None);
        pace.run(late);
        assert_eq!(pace.next(), Some(late));
    }
}
