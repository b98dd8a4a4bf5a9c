//! Measures the pairs of a category, compares them with the truth and keeps what is worst.

use std::fmt::Write as _;

use clearance_gjk::{Proximity, Status, intersects, proximity};

use super::body::Space;
use super::solid::Solid;
use super::table;
use super::truth::{Truth, truth};
use crate::common::{Body, Pcg, agreement, iterations, kept};

/// How many pairs a category takes where nothing else is said: 400 times as many make 100,000.
const PAIRS: usize = 250;

/// How far the bounds of a truth may be apart, relative to the scale: else it proves nothing.
const WIDEST_BRACKET: f64 = 1e-6;

/// The category whose truth is a closed form.
pub(crate) const HALF_SPACES: &str = "half-spaces";

/// The category whose truth is found along the line of a ray.
pub(crate) const RAYS: &str = "rays";

/// What the engine promises of a kind of pairs, relative to their scale.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Class {
    /// Both cores are hulls of finitely many points.
    #[default]
    Polytopes,
    /// At least one core is curved.
    Smooth,
}

impl Class {
    pub(crate) const BOTH: [Self; 2] = [Self::Polytopes, Self::Smooth];

    fn promise(self, is_apart: bool) -> f64 {
        match (self, is_apart) {
            (Self::Polytopes, true) => 2e-6,
            (Self::Polytopes, false) | (Self::Smooth, true) => 1e-5,
            (Self::Smooth, false) => 1e-4,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Polytopes => "polytopes",
            Self::Smooth => "smooth",
        }
    }
}

/// The worst pair by some measure.
#[derive(Default)]
pub(crate) struct Worst {
    pub(crate) value: f64,
    description: String,
}

impl Worst {
    fn offer(&mut self, value: f64, describe: impl FnOnce() -> String) {
        if value > self.value {
            self.value = value;
            self.description = describe();
        }
    }
}

/// All that is kept of the pairs of one category.
#[derive(Default)]
pub(crate) struct Record {
    pub(crate) name: &'static str,
    pub(crate) dimension: usize,
    pub(crate) class: Class,
    pub(crate) pairs: usize,
    pub(crate) apart: Worst,
    pub(crate) overlapping: Worst,
    /// How far a bound is on the wrong side of the truth, at most.
    pub(crate) wrong_bound: Worst,
    /// The width of the truth's own bracket, at most.
    pub(crate) bracket: Worst,
    pub(crate) tightness: Vec<f64>,
    /// Exact, converged, limited.
    pub(crate) statuses: [usize; 3],
    too_far_off: usize,
    wrong_bounds: usize,
}

impl Record {
    pub(crate) fn add<V: Space>(&mut self, a: &Body<V>, b: &Body<V>) {
        let answer = match proximity(a.placed(), b.placed(), f32::INFINITY) {
            Ok(Proximity::Near(answer)) => answer,
            other => panic!("{other:?} of {a:?} and {b:?}"),
        };
        let touch = intersects(a.placed(), b.placed()).expect("valid poses");
        kept(agreement(&answer, touch), || format!("{a:?} and {b:?}"));
        let truth = truth(a, b);
        let scale = scale_of(a, b, &truth);
        let numbers = [answer.lower, answer.distance, answer.upper];
        self.compare((numbers, answer.status), (truth, scale), &|| {
            format!("a: {a:?}\nb: {b:?}\nanswer: {answer:?}\ntruth: {truth:?}, scale {scale:e}")
        });
    }

    /// Notes how far an answer, between its bounds, is from the truth, relative to a scale.
    pub(crate) fn compare(
        &mut self,
        (numbers, status): ([f32; 3], Status),
        (truth, scale): (Truth, f64),
        describe: &dyn Fn() -> String,
    ) {
        let [lower, distance, upper] = numbers.map(f64::from);
        self.pairs += 1;
        let error = (distance - truth.low).max(truth.high - distance) / scale;
        let is_apart = truth.low > 0.0;
        self.too_far_off += usize::from(error > self.class.promise(is_apart));
        let worst = if is_apart {
            &mut self.apart
        } else {
            &mut self.overlapping
        };
        worst.offer(error, describe);
        let above = lower - truth.high;
        let below = truth.low - upper;
        let wrong = above.max(below) / scale;
        self.wrong_bounds += usize::from(wrong > 0.0);
        self.wrong_bound.offer(wrong, describe);
        let width = (truth.high - truth.low) / scale;
        self.bracket.offer(width, describe);
        self.statuses[match status {
            Status::Exact => 0,
            Status::Converged => 1,
            _ => 2,
        }] += 1;
        let gap = upper - lower;
        self.tightness.push(gap / scale);
    }

    /// The tightness that a share of the pairs does not exceed.
    pub(crate) fn quantile(&self, share: f64) -> f64 {
        let last = self.tightness.len() - 1;
        self.tightness[(share * last as f64).ceil() as usize]
    }

    /// How the truth is found: see the head of the table.
    pub(crate) fn truth_name(&self) -> &'static str {
        match self.class {
            _ if self.name == HALF_SPACES => "plane",
            _ if self.name == RAYS => "bisected",
            Class::Polytopes => "apart, axes",
            Class::Smooth => "apart, bounded",
        }
    }

    fn shortfalls(&self) -> String {
        let mut text = String::new();
        for (worst, is_apart, what) in [
            (&self.apart, true, "apart"),
            (&self.overlapping, false, "overlapping"),
        ] {
            let promise = self.class.promise(is_apart);
            if worst.value > promise {
                let _ = write!(
                    text,
                    "\n{what}: {:.3e}, promised {promise:e}; {} pairs in all\n{}",
                    worst.value, self.too_far_off, worst.description
                );
            }
        }
        if self.bracket.value > WIDEST_BRACKET {
            let _ = write!(
                text,
                "\ntruth: open by {:.3e}\n{}",
                self.bracket.value, self.bracket.description
            );
        }
        if self.wrong_bounds > 0 {
            let _ = write!(
                text,
                "\nbounds: wrong by {:.3e}; {} pairs in all\n{}",
                self.wrong_bound.value, self.wrong_bounds, self.wrong_bound.description
            );
        }
        text
    }
}

/// The greater reach of the two; where they are farther apart than that, their distance, of which
/// single precision keeps no more digits. A half-space has no reach.
fn scale_of<V: Space>(a: &Body<V>, b: &Body<V>, truth: &Truth) -> f64 {
    let bounded = [a, b]
        .into_iter()
        .filter(|body| body.plane_normal().is_none());
    let reaches = bounded.map(|body| Solid::new(body).reach);
    reaches.fold(truth.low.max(0.0), f64::max)
}

/// Runs a category for polytopes and for curved shapes.
pub(crate) fn check_classes<V: Space>(
    name: &'static str,
    make: impl Fn(&mut Pcg, Class) -> [Body<V>; 2],
) {
    for class in Class::BOTH {
        check::<V>(name, class, |random| make(random, class));
    }
}

/// Runs a category: pairs made by `make`, checked against the promises of their class.
pub(crate) fn check<V: Space>(
    name: &'static str,
    class: Class,
    make: impl Fn(&mut Pcg) -> [Body<V>; 2],
) {
    check_each::<V>(name, class, |random, record| {
        let [a, b] = make(random);
        record.add(&a, &b);
    });
}

/// Runs a category: `ask` adds an answer at a time.
pub(crate) fn check_each<V: Space>(
    name: &'static str,
    class: Class,
    ask: impl Fn(&mut Pcg, &mut Record),
) {
    let mut record = Record {
        name,
        class,
        dimension: V::DIM,
        ..Record::default()
    };
    let seed = name.bytes().fold(0, |seed: u64, byte| {
        seed.wrapping_mul(131).wrapping_add(u64::from(byte))
    });
    let mut random = Pcg::new(seed + V::DIM as u64);
    for _ in 0..iterations(PAIRS) {
        ask(&mut random, &mut record);
    }
    record.tightness.sort_by(f64::total_cmp);
    table::update(&record);
    let text = record.shortfalls();
    assert!(
        text.is_empty(),
        "{name}, {} in {}D:{text}",
        class.name(),
        V::DIM
    );
}

/// Checks a single pair against the promises of a class.
pub(crate) fn check_pair<V: Space>(class: Class, a: &Body<V>, b: &Body<V>) {
    let mut record = Record {
        class,
        ..Record::default()
    };
    record.add(a, b);
    let text = record.shortfalls();
    assert!(text.is_empty(), "{}:{text}", class.name());
}
