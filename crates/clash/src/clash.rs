//! Clashes: what a check finds.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::kind::Kind;

/// One of the two parts of a clash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The first part.
    A,
    /// The second part.
    B,
}

/// Two parts that a rule does not allow to be as they are, or that touch.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Clash {
    /// The number of the first part in its assembly.
    pub a: u32,
    /// The number of the second part in its assembly.
    pub b: u32,
    /// The number of the rule that decides about the pair; `None` where there are no rules.
    pub rule: Option<u32>,
    /// What sort of clash it is.
    pub kind: Kind,
    /// The part that lies in the other one, of [`Kind::Inside`].
    pub inner: Option<Side>,
    /// Whether it is of this kind for every distance between the bounds, and however vertices were rounded.
    pub is_proven: bool,
    /// Whether it is no fault: a touch where no clearance is asked for, or not proven to be less than what the rule asks for.
    pub is_allowed: bool,
    /// The signed distance in the unit of the assembly: a gap, or minus the depth of an overlap. Of two surfaces that cross, minus the
    /// depth of their deepest pair of triangles.
    pub distance: f32,
    /// The lower bound: the true distance is at least this. Minus infinity if nothing is known.
    #[serde(serialize_with = "bound", deserialize_with = "lower_bound")]
    pub lower: f32,
    /// The upper bound: the true distance is at most this. Infinity if nothing is known.
    #[serde(serialize_with = "bound", deserialize_with = "upper_bound")]
    pub upper: f32,
    /// The point of a that is nearest to b, or deepest in it, in the frame of the assembly.
    pub point_a: [f64; 3],
    /// The point of b that is nearest to a, or deepest in it.
    pub point_b: [f64; 3],
    /// The unit vector from a to b along which b leaves a on the shortest way.
    pub normal: [f32; 3],
}

/// JSON knows no infinity: `null` stands for it.
fn bound<S: Serializer>(bound: &f32, serializer: S) -> Result<S::Ok, S::Error> {
    bound.is_finite().then_some(*bound).serialize(serializer)
}

fn lower_bound<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f32, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or(f32::NEG_INFINITY))
}

fn upper_bound<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f32, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or(f32::INFINITY))
}
