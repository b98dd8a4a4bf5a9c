//! Numbers on the command line, refused in one wording.

use core::ops::RangeInclusive;

use clearance_math::Real;

/// A whole number, which `range` must contain.
pub(crate) fn whole(word: &str, range: RangeInclusive<u64>) -> Result<u64, String> {
    match word.parse() {
        Ok(value) if range.contains(&value) => Ok(value),
        _ => {
            let (least, greatest) = range.into_inner();
            let meant = written_out(word).filter(|value| (least..=greatest).contains(value));
            let hint = meant.map_or_else(String::new, |value| format!(", in digits: {value}"));
            Err(format!(
                "must be a whole number from {least} to {greatest}{hint}"
            ))
        }
    }
}

/// The whole number that is meant by a word such as 1e4 or 10_000.
fn written_out(word: &str) -> Option<u64> {
    let value: f64 = word.replace(['_', ',', '\''], "").parse().ok()?;
    let is_whole = value.fract() == 0.0 && (0.0..1e15).contains(&value);
    is_whole.then_some(value as u64)
}

pub(crate) fn any_whole(word: &str) -> Result<u64, String> {
    whole(word, 0..=u64::MAX)
}

pub(crate) fn seconds(word: &str) -> Result<Real, String> {
    match word.parse::<Real>() {
        Ok(value) if value.is_finite() && value >= 0.0 => Ok(value),
        _ => Err("must be a number of seconds, zero or more, such as 0.01".to_owned()),
    }
}
