//! Numbers, words, lists, places and poses.

use clearance_math::{Pose, PreciseVector, Real, Rotation, Vector};
use clearance_shapes::Requirement;
use clearance_world::Groups;

use super::{Cursor, Read};
use crate::FileVector;
use crate::file_vector::Numbers;

/// The digits of a number.
fn digits<'c>(cursor: &Cursor<'c>, kind: &str) -> Read<&'c str> {
    match cursor.text().as_bytes() {
        [b'-' | b'0'..=b'9', ..] => Ok(cursor.text()),
        _ => Err(cursor.expected(kind)),
    }
}

pub(crate) fn number(cursor: &Cursor) -> Read<Real> {
    // Straight from the digits: going through f64 would round twice.
    match digits(cursor, "a finite number")?.parse::<Real>() {
        Ok(number) if number.is_finite() => Ok(number),
        _ => Err(cursor.expected("a number of single precision (up to 3.4e38)")),
    }
}

/// A number in double precision, within the range of single precision.
fn precise_number(cursor: &Cursor) -> Read<f64> {
    match digits(cursor, "a finite number")?.parse::<f64>() {
        Ok(number) if number.abs() <= Real::MAX.into() => Ok(number),
        _ => Err(cursor.expected("a number up to 3.4e38")),
    }
}

fn number_that_is(requirement: Requirement, cursor: &Cursor) -> Read<Real> {
    let number = number(cursor)?;
    let is_met = match requirement {
        Requirement::Finite => true,
        Requirement::Positive => number > 0.0,
        Requirement::NotNegative => number >= 0.0,
        Requirement::NotZero => number != 0.0,
    };
    if is_met {
        return Ok(number);
    }
    Err(cursor.expected(&requirement.to_string()))
}

pub(crate) fn positive(cursor: &Cursor) -> Read<Real> {
    number_that_is(Requirement::Positive, cursor)
}

pub(crate) fn not_negative(cursor: &Cursor) -> Read<Real> {
    number_that_is(Requirement::NotNegative, cursor)
}

/// A number, or NaN for null.
pub(super) fn number_or_null(cursor: &Cursor) -> Read<Real> {
    match cursor.text() {
        "null" => Ok(Real::NAN),
        _ => number(cursor),
    }
}

/// A whole number that is not above `most`: a set of bits, or an index.
pub(crate) fn whole(cursor: &Cursor, most: u32) -> Read<u32> {
    whole_within(cursor, [0.0, most.into()]).map(|number| number as u32)
}

/// A whole number of 64 bits: a number of the user.
pub(super) fn whole_of_64_bits(cursor: &Cursor) -> Read<u64> {
    let kind = format!("a whole number from 0 to {}", u64::MAX);
    let number = digits(cursor, &kind)?.parse();
    number.map_err(|_| cursor.expected(&kind))
}

/// A whole number that may be negative: a coordinate of a cell.
pub(super) fn whole_of_either_sign(cursor: &Cursor) -> Read<i32> {
    whole_within(cursor, [i32::MIN, i32::MAX].map(f64::from)).map(|number| number as i32)
}

fn whole_within(cursor: &Cursor, [least, most]: [f64; 2]) -> Read<f64> {
    let kind = || format!("a whole number from {least} to {most}");
    // Every whole number of 32 bits is an f64.
    match cursor.text().parse::<f64>() {
        Ok(number) if (least..=most).contains(&number) && number.fract() == 0.0 => Ok(number),
        _ => Err(cursor.expected(&kind())),
    }
}

pub(crate) fn boolean(cursor: &Cursor) -> Read<bool> {
    let word = cursor.text().parse();
    word.map_err(|_| cursor.expected("true or false"))
}

pub(super) fn string(cursor: &Cursor) -> Read<String> {
    Ok(cursor.string()?.into_owned())
}

/// One of several words.
pub(super) fn word<T: Copy>(cursor: &Cursor, known: &[(&str, T)], kind: &str) -> Read<T> {
    let word = cursor.string()?;
    let found = known.iter().find(|(name, _)| *name == word);
    found
        .map(|(_, meant)| *meant)
        .ok_or_else(|| cursor.expected(kind))
}

pub(crate) fn list<T>(cursor: &Cursor, read: impl Fn(&Cursor) -> Read<T>) -> Read<Vec<T>> {
    cursor.read_each(&cursor.elements()?, read)
}

/// A list of at least one `kind`.
pub(super) fn filled_list<T>(
    cursor: &Cursor,
    kind: &str,
    read: impl Fn(&Cursor) -> Read<T>,
) -> Read<Vec<T>> {
    let texts = cursor.elements()?;
    if texts.is_empty() {
        return Err(cursor.refused(format!("is empty, must have at least one {kind}")));
    }
    cursor.read_each(&texts, read)
}

/// A list of exactly `count` values.
pub(super) fn exactly<T>(
    cursor: &Cursor,
    count: usize,
    kind: &str,
    read: impl Fn(&Cursor) -> Read<T>,
) -> Read<Vec<T>> {
    if !cursor.text().starts_with('[') {
        return Err(cursor.expected(&format!("a list of {count} {kind}")));
    }
    let texts = cursor.elements()?;
    if texts.len() != count {
        let text = format!("has {} {kind}, must have {count}", texts.len());
        return Err(cursor.refused(text));
    }
    cursor.read_each(&texts, read)
}

/// A list of exactly `count` numbers, or a bare number where `count` is one.
pub(crate) fn numbers(cursor: &Cursor, count: usize) -> Read<Numbers> {
    numbers_by(cursor, count, number)
}

fn numbers_by<T: Copy + Default>(
    cursor: &Cursor,
    count: usize,
    read: impl Fn(&Cursor) -> Read<T>,
) -> Read<Numbers<T>> {
    if count == 1 {
        return Ok(Numbers::new(&[read(cursor)?]));
    }
    Ok(Numbers::new(&exactly(cursor, count, "numbers", read)?))
}

/// A place, in double precision.
pub(crate) fn position<V: Vector>(cursor: &Cursor) -> Read<V::Precise> {
    let numbers = numbers_by(cursor, V::DIM, precise_number)?;
    Ok(V::Precise::from_fn(|axis| numbers.as_slice()[axis]))
}

pub(crate) fn vector<V: Vector>(cursor: &Cursor) -> Read<V> {
    vector_that_is(Requirement::Finite, cursor)
}

pub(super) fn positive_vector<V: Vector>(cursor: &Cursor) -> Read<V> {
    vector_that_is(Requirement::Positive, cursor)
}

pub(super) fn vector_that_is<V: Vector>(requirement: Requirement, cursor: &Cursor) -> Read<V> {
    let read = |number: &Cursor| number_that_is(requirement, number);
    let numbers = numbers_by(cursor, V::DIM, read)?;
    Ok(V::from_fn(|axis| numbers.as_slice()[axis]))
}

fn angular<V: FileVector>(cursor: &Cursor) -> Read<V::Angular> {
    let numbers = numbers(cursor, V::ANGULAR_NUMBERS)?;
    Ok(V::angular_from_numbers(numbers.as_slice()))
}

/// A linear and an angular velocity, either of which may be left out.
pub(crate) fn motion<V: FileVector, T>(cursor: &Cursor, new: fn(V, V::Angular) -> T) -> Read<T> {
    let fields = cursor.fields()?;
    let linear = fields.get_or("linear", V::ZERO, vector)?;
    let angular = fields.get_or("angular", V::Angular::default(), angular::<V>)?;
    fields.no_others()?;
    Ok(new(linear, angular))
}

/// A translation and a rotation, either of which may be left out.
pub(crate) fn pose<V: FileVector>(cursor: &Cursor) -> Read<Pose<V>> {
    let fields = cursor.fields()?;
    let translation = fields.get_or("translation", V::Precise::ZERO, position::<V>)?;
    let rotation = fields.get_or("rotation", V::Rotation::IDENTITY, rotation::<V>)?;
    fields.no_others()?;
    Ok(Pose::new(translation, rotation))
}

fn rotation<V: FileVector>(cursor: &Cursor) -> Read<V::Rotation> {
    let numbers = numbers(cursor, V::ROTATION_NUMBERS)?;
    V::rotation_from_numbers(numbers.as_slice()).map_err(|error| cursor.refused(error.to_string()))
}

pub(crate) fn groups(cursor: &Cursor) -> Read<Groups> {
    let fields = cursor.fields()?;
    let bits = |field: &Cursor| whole(field, u32::MAX);
    let groups = Groups {
        memberships: fields.get_or("memberships", Groups::ALL.memberships, bits)?,
        filter: fields.get_or("filter", Groups::ALL.filter, bits)?,
    };
    fields.no_others()?;
    Ok(groups)
}

/// 2 or 3.
pub(crate) enum Dimension {
    Plane,
    Space,
}

impl Dimension {
    pub(crate) fn read(cursor: &Cursor) -> Read<Self> {
        match cursor.text().parse::<Real>() {
            Ok(2.0) => Ok(Self::Plane),
            Ok(3.0) => Ok(Self::Space),
            _ => Err(cursor.expected("2 or 3")),
        }
    }
}
