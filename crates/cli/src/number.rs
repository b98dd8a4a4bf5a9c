//! Numbers on the command line, refused in one wording.

use core::ops::RangeInclusive;

use clearance_math::Real;

/// A whole number, which `range` must contain.
pub(crate) fn whole(word: &str, range: RangeInclusive<u64>) -> Result<u64, String> {
    match word.parse() {
        Ok(value) if range.contains(&value) => Ok(value),
        _ => {
            let (least, greatest) = range.into_inner();
            Err(format!("must be a whole number from {least} to {greatest}"))
        }
    }
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
