//! Separating axes: the least overlap along them, and what they tell about two cores.

use clearance_math::{DVec3, PreciseVector, lesser_of};

use crate::answer::Measured;
use crate::search::penetration::Depth;

/// Two shapes are separated. Their distance is at least this, up to rounding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct AxisGap(pub(crate) f64);

impl AxisGap {
    /// Out of range if that is certain, else undecided.
    pub(crate) fn beyond<P>(self, within: f64, rounding: f64) -> ByAxes<P> {
        let lower = self.0 - rounding;
        if lower > within {
            ByAxes::Farther(lower)
        } else {
            ByAxes::Undecided
        }
    }
}

/// What separating axes, and what is found from them, tell about two cores.
pub(crate) enum ByAxes<P> {
    /// The distance.
    Near(Measured<P>),
    /// They are separated by at least this, which exceeds the range.
    Farther(f64),
    /// They overlap. This is the least overlap, with witness points where they are known.
    Overlapping(Depth<P>),
    /// Iteration must find the distance.
    Undecided,
}

impl<P> ByAxes<P> {
    /// The same with each vector converted.
    pub(crate) fn map<Q>(self, convert: impl Fn(P) -> Q) -> ByAxes<Q>
    where
        P: PreciseVector,
    {
        match self {
            Self::Near(measured) => ByAxes::Near(measured.map(convert)),
            Self::Farther(lower) => ByAxes::Farther(lower),
            Self::Overlapping(depth) => ByAxes::Overlapping(depth.map(convert)),
            Self::Undecided => ByAxes::Undecided,
        }
    }
}

/// The least height of the difference so far: the least overlap, which is the depth after all axes were tested.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LeastHeight {
    pub(crate) height: f64,
    /// The unit direction along which b has to be moved.
    pub(crate) normal: DVec3,
    /// What no height is below, as far as the directions were looked at.
    pub(crate) lower: f64,
    /// An edge of a polytope and a line along the side of a frustum, if these meet along the normal.
    pub(crate) crossing: Option<[[DVec3; 2]; 2]>,
}

impl LeastHeight {
    pub(crate) const NONE: Self = Self {
        height: f64::INFINITY,
        normal: DVec3::X,
        lower: f64::INFINITY,
        crossing: None,
    };

    /// Takes a direction and the height along it. An error means that it separates the shapes.
    #[inline(always)]
    pub(crate) fn test(&mut self, normal: DVec3, height: f64) -> Result<(), AxisGap> {
        if height < 0.0 {
            return Err(AxisGap(-height));
        }
        if height < self.height {
            *self = Self {
                height,
                normal,
                lower: lesser_of(self.lower, height),
                crossing: None,
            };
        }
        Ok(())
    }
}

/// The greatest component and its axis; the first of equal ones.
pub(crate) fn greatest<P: PreciseVector>(vector: P) -> (usize, f64) {
    let (mut axis, mut most) = (0, vector.component(0));
    for k in 1..P::DIM {
        if vector.component(k) > most {
            (axis, most) = (k, vector.component(k));
        }
    }
    (axis, most)
}
