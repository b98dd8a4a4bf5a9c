//! What sort of clash a distance is.

use serde::{Deserialize, Serialize};

/// The sorts of clashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Both are the same thing at the same place: each lies in the other.
    Duplicate,
    /// One lies wholly in the other, and their surfaces do not cross.
    Inside,
    /// They overlap, deeper than the tolerance: also once each vertex is moved by less than that.
    Overlap,
    /// They touch: neither the overlap nor the gap is greater than the tolerance.
    Touch,
    /// They are nearer than the rule allows.
    Clearance,
}

impl Kind {
    /// All of them, in the order of summaries.
    pub const ALL: [Self; 5] = [
        Self::Duplicate,
        Self::Inside,
        Self::Overlap,
        Self::Touch,
        Self::Clearance,
    ];

    /// The name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Duplicate => "duplicate",
            Self::Inside => "inside",
            Self::Overlap => "overlap",
            Self::Touch => "touch",
            Self::Clearance => "clearance",
        }
    }
}

/// What is allowed between two parts, in the unit of their coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// How far apart they must be.
    pub clearance: f64,
    /// Up to which depth, and up to which gap, they count as touching.
    pub tolerance: f64,
}

/// A signed distance with its bounds: negative where parts overlap, by the depth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// The best estimate.
    pub distance: f64,
    /// The true distance is at least this.
    pub lower: f64,
    /// The true distance is at most this.
    pub upper: f64,
}

/// What a distance means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Classified {
    /// The sort of the clash: [`Kind::Overlap`], [`Kind::Touch`] or [`Kind::Clearance`].
    pub kind: Kind,
    /// Whether every distance between the bounds is of this kind.
    pub is_proven: bool,
    /// Whether some distance between the bounds is allowed: none is that is less than the clearance, or, where none is asked for, an overlap
    /// deeper than the tolerance.
    pub is_allowed: bool,
}

/// The sort of clash that a distance is, by its estimate; `None` if it is none.
///
/// What is none is proven to be at least as far apart as the clearance less the tolerance. Where that is not proven though the
/// estimate is no clash, the answer is [`Kind::Clearance`], not proven.
///
/// ```
/// use clearance_clash::{Kind, Limits, Range, classify};
///
/// let limits = Limits { clearance: 0.05, tolerance: 0.001 };
/// let at = |distance| classify(Range { distance, lower: distance, upper: distance }, limits).map(|found| found.kind);
/// assert_eq!(at(-0.002), Some(Kind::Overlap));
/// assert_eq!(at(-0.001), Some(Kind::Touch));
/// assert_eq!(at(0.049), Some(Kind::Clearance));
/// assert_eq!(at(0.05), None);
/// ```
#[must_use]
pub fn classify(range: Range, limits: Limits) -> Option<Classified> {
    let Range {
        distance,
        lower,
        upper,
    } = range;
    let Limits {
        clearance,
        tolerance,
    } = limits;
    let (kind, is_proven) = if distance < -tolerance {
        (Kind::Overlap, upper < -tolerance)
    } else if distance <= tolerance {
        (Kind::Touch, lower >= -tolerance && upper <= tolerance)
    } else if distance < clearance {
        (Kind::Clearance, lower > tolerance && upper < clearance)
    } else if lower >= clearance - tolerance {
        return None;
    } else {
        (Kind::Clearance, false)
    };
    let least = if clearance == 0.0 {
        -tolerance
    } else {
        clearance
    };
    Some(Classified {
        kind,
        is_proven,
        is_allowed: upper >= least,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits {
        clearance: 0.5,
        tolerance: 0.125,
    };

    fn of(lower: f64, distance: f64, upper: f64) -> Option<(Kind, bool)> {
        let range = Range {
            distance,
            lower,
            upper,
        };
        classify(range, LIMITS).map(|found| (found.kind, found.is_proven))
    }

    #[test]
    fn only_what_the_bounds_prove_is_not_allowed() {
        for (clearance, upper, is_allowed) in [
            (0.0, -0.126, false),
            (0.0, -0.125, true),
            (0.0, 0.0, true),
            (0.5, -0.125, false),
            (0.5, 0.49, false),
            (0.5, 0.5, true),
        ] {
            let range = Range {
                distance: -1.0,
                lower: -9.0,
                upper,
            };
            let limits = Limits {
                clearance,
                ..LIMITS
            };
            let found = classify(range, limits).expect("an overlap by its estimate");
            assert_eq!(found.is_allowed, is_allowed, "{clearance} {upper}");
        }
    }

    #[test]
    fn edges_belong_to_the_kind_that_their_definition_names() {
        let exactly = |distance| of(distance, distance, distance);
        assert_eq!(exactly(-0.126), Some((Kind::Overlap, true)));
        assert_eq!(exactly(-0.125), Some((Kind::Touch, true)));
        assert_eq!(exactly(0.0), Some((Kind::Touch, true)));
        assert_eq!(exactly(0.125), Some((Kind::Touch, true)));
        assert_eq!(exactly(0.126), Some((Kind::Clearance, true)));
        assert_eq!(exactly(0.499), Some((Kind::Clearance, true)));
        assert_eq!(exactly(0.5), None);
    }

    #[test]
    fn what_the_bounds_leave_open_is_not_proven() {
        assert_eq!(of(-9.0, -1.0, -0.125), Some((Kind::Overlap, false)));
        assert_eq!(of(-9.0, -1.0, -0.126), Some((Kind::Overlap, true)));
        assert_eq!(of(-0.126, 0.0, 0.0), Some((Kind::Touch, false)));
        assert_eq!(of(0.0, 0.0, 0.126), Some((Kind::Touch, false)));
        assert_eq!(of(0.125, 0.3, 0.3), Some((Kind::Clearance, false)));
        assert_eq!(of(0.3, 0.3, 0.5), Some((Kind::Clearance, false)));
        // What is no clash by its estimate is one unless that is proven up to the tolerance.
        assert_eq!(of(0.375, 0.5, 0.6), None);
        assert_eq!(of(0.374, 0.5, 0.6), Some((Kind::Clearance, false)));
        assert_eq!(
            of(f64::NEG_INFINITY, 3.0, 3.0),
            Some((Kind::Clearance, false))
        );
    }
}
