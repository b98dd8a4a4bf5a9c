//! Decimals against exact arithmetic in integers of any length.

use core::cmp::Ordering;
use std::collections::BTreeMap;

use num_bigint::BigInt;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64;

use serde_json::value::RawValue;

use super::*;
use crate::{
    Answer, ContactLine, PairOutcome, RunOptions, SceneKind, SceneRunner, answer_line, generate,
};

type Fields = BTreeMap<String, Box<RawValue>>;

/// A rational number; the denominator is positive.
struct Exact {
    numerator: BigInt,
    denominator: BigInt,
}

impl Exact {
    fn of_decimal(text: &str) -> Self {
        let (digits, exponent) = text.split_once('e').unwrap_or((text, "0"));
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let exponent: i32 = exponent.parse().unwrap();
        Self::scaled(
            format!("{whole}{fraction}").parse().unwrap(),
            10,
            exponent - fraction.len() as i32,
        )
    }

    fn of_single(value: f32) -> Self {
        // An f64 holds every f32 as a normal number.
        let bits = f64::from(value).to_bits();
        let exponent = (bits >> 52 & 0x7ff) as i32;
        let mantissa = (bits & ((1 << 52) - 1)) | u64::from(exponent > 0) << 52;
        let sign = if value < 0.0 { -1 } else { 1 };
        Self::scaled(BigInt::from(mantissa) * sign, 2, exponent - 1075)
    }

    fn scaled(number: BigInt, base: u32, exponent: i32) -> Self {
        let power = BigInt::from(base).pow(exponent.unsigned_abs());
        let (numerator, denominator) = if exponent < 0 {
            (number, power)
        } else {
            (number * power, BigInt::from(1))
        };
        Self {
            numerator,
            denominator,
        }
    }

    fn compare(&self, other: &Self) -> Ordering {
        let [left, right] = [
            &self.numerator * &other.denominator,
            &other.numerator * &self.denominator,
        ];
        left.cmp(&right)
    }
}

fn written(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap()
}

fn check(value: f32) {
    let lower = written(&Bound::Lower(value));
    let upper = written(&Bound::Upper(value));
    let nearest = written(&value);
    for text in [&lower, &upper, &nearest] {
        assert_eq!(text.parse::<f32>().unwrap().to_bits(), value.to_bits());
    }
    let [low, high, near] = [&lower, &upper, &nearest].map(|text| Exact::of_decimal(text));
    let exact = Exact::of_single(value);
    assert!(low.compare(&exact).is_le(), "{lower} above {value:e}");
    assert!(high.compare(&exact).is_ge(), "{upper} below {value:e}");
    assert!(low.compare(&near).is_le(), "{lower} above {nearest}");
    assert!(high.compare(&near).is_ge(), "{upper} below {nearest}");
    // What is read in double precision is on the same side.
    assert!(lower.parse::<f64>().unwrap() <= f64::from(value), "{lower}");
    assert!(upper.parse::<f64>().unwrap() >= f64::from(value), "{upper}");
    // One of them is the shortest decimal of all that read back, where that is unique.
    let shortest = significant_digits(&lower).min(significant_digits(&upper));
    assert!(shortest <= significant_digits(&nearest), "{lower} {upper}");
}

fn significant_digits(text: &str) -> usize {
    let mantissa = text.split('e').next().unwrap();
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    digits.trim_matches('0').len()
}

fn check_both_signs(value: f32) {
    check(value);
    check(-value);
}

#[test]
fn bounds_hold_as_decimals_for_numbers_of_every_size() {
    let mut random = Pcg64::seed_from_u64(1);
    for _ in 0..6_000 {
        let value = f32::from_bits(random.next_u32());
        if value.is_finite() {
            check(value);
        }
    }
    for _ in 0..6_000 {
        let size = 10.0_f64.powf((random.next_u32() % 13) as f64 - 6.0);
        check_both_signs((f64::from(random.next_u32()) * 2.0_f64.powi(-32) * size) as f32);
    }
}

#[test]
fn bounds_hold_as_decimals_for_subnormal_and_extreme_numbers() {
    check_both_signs(0.0);
    for exponent in -149..=127 {
        let power = 2.0_f64.powi(exponent) as f32;
        for value in [power.next_down(), power, power.next_up()] {
            check_both_signs(value);
        }
    }
    for exponent in -45..=38 {
        let power: f32 = format!("1e{exponent}").parse().unwrap();
        for value in [power.next_down(), power, power.next_up()] {
            check_both_signs(value);
        }
    }
    let mut random = Pcg64::seed_from_u64(2);
    for _ in 0..2_000 {
        check_both_signs(f32::from_bits(random.next_u32() >> 9));
    }
    for value in [f32::MAX, f32::MIN_POSITIVE, f32::EPSILON, 16_777_216.0] {
        check_both_signs(value);
    }
}

#[test]
fn decimals_are_short_where_they_can_be() {
    let cases = [
        (1.0, "1.0", "1.0"),
        (0.1, "0.1", "0.100000002"),
        (0.3, "0.3", "0.30000002"),
        (-0.1, "-0.100000002", "-0.1"),
        (-0.0, "-0.0", "-0.0"),
        (0.0078125, "0.0078125", "0.0078125"),
        (1e-8, "9.9999999e-9", "1e-8"),
        (f32::MAX, "3.4028234e+38", "3.4028235e+38"),
        (f32::from_bits(1), "1e-45", "2e-45"),
    ];
    for (value, lower, upper) in cases {
        assert_eq!(written(&Bound::Lower(value)), lower);
        assert_eq!(written(&Bound::Upper(value)), upper);
    }
    assert_eq!(written(&Bound::Upper(f32::INFINITY)), "null");
}

fn is_below(one: &str, other: &Exact) -> bool {
    Exact::of_decimal(one).compare(other).is_le()
}

fn is_above(one: &str, other: &Exact) -> bool {
    Exact::of_decimal(one).compare(other).is_ge()
}

/// Checks that the bounds that were written are bounds of the single precision numbers as decimals.
fn check_bounds(written: &Fields, [lower, upper]: [Real; 2]) {
    let is_lower = is_below(written["lower"].get(), &Exact::of_single(lower));
    let is_upper = is_above(written["upper"].get(), &Exact::of_single(upper));
    assert!(is_lower && is_upper, "{written:?}");
}

#[test]
fn bounds_of_answers_hold_as_decimals() {
    for k in 1..400 {
        let at = f64::from(k) * 0.01;
        let ellipsoid = r#""b": {"shape": {"type": "ellipsoid", "radii": [3, 2, 1]}}"#;
        let ball = format!(
            r#""a": {{"shape": {{"type": "ball", "radius": 0.3}}, "pose": {{"translation": [{at}, 0.1, 1.2]}}}}"#
        );
        let ray = format!(
            r#""ask": "ray", "origin": [{}, 0.1, 9], "direction": [0.01, 0.02, -1]"#,
            0.5 * at
        );
        for question in [ball, ray] {
            let line = format!(r#"{{"dimension": 3, {question}, {ellipsoid}}}"#);
            let answer = answer_line(line.as_bytes());
            let PairOutcome::Space(outcome) = &answer.outcome else {
                panic!("{answer}");
            };
            let bounds = match outcome {
                Answer::Distance { separation, .. } => [separation.lower, separation.upper],
                Answer::Ray(Some(hit)) => [hit.lower, hit.upper],
                answer => panic!("{answer:?}"),
            };
            let fields: Fields = serde_json::from_str(&answer.to_string()).unwrap();
            check_bounds(&fields, bounds);
            let distance = Exact::of_decimal(fields["distance"].get());
            assert!(is_below(fields["lower"].get(), &distance), "{answer}");
            assert!(is_above(fields["upper"].get(), &distance), "{answer}");
        }
    }
}

#[test]
fn bounds_of_contacts_hold_as_decimals() {
    let scene = generate(SceneKind::Pile, 60, 1).into_space().unwrap();
    let mut runner = SceneRunner::new(&scene, RunOptions::default()).unwrap();
    runner.step(0.01).unwrap();
    let world = runner.world();
    let text = serde_json::to_string(&ContactLine { frame: 1, world }).unwrap();
    let line: Fields = serde_json::from_str(&text).unwrap();
    let contacts: Vec<Fields> = serde_json::from_str(line["contacts"].get()).unwrap();
    assert!(contacts.len() > 60 && contacts.len() == world.contacts().len());
    for (written, contact) in contacts.iter().zip(world.contacts()) {
        let found = contact.separation;
        check_bounds(written, [found.lower, found.upper]);
    }
}
