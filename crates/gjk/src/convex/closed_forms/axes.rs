//! Separating axes, for the closed forms of overlapping boxes.

use clearance_math::PreciseVector;

use crate::answer::Measured;
use crate::search::penetration::Depth;

/// Two shapes are separated. Their distance is at least this, up to rounding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Apart(pub(crate) f64);

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

/// The axis with the least overlap so far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Best<P> {
    /// The overlap along `normal`, which is the depth after all axes were tested.
    pub(crate) depth: f64,
    /// The unit vector along which b must move to leave a.
    pub(crate) normal: P,
}

impl<P: PreciseVector> Best<P> {
    /// Starts without an axis.
    pub(crate) fn none() -> Self {
        Self {
            depth: f64::INFINITY,
            normal: P::axis(0),
        }
    }

    /// The depth along the axis that was found, with witness points if they are known.
    #[inline]
    pub(crate) fn with_witnesses(&self, witnesses: Option<(P, P)>) -> Depth<P> {
        Depth {
            height: self.depth,
            lower: self.depth,
            normal: self.normal,
            witnesses,
        }
    }

    /// Tests a unit axis. `apart` is the signed distance from the centre of a to that of b along it, and `reach` the sum
    /// of the projected radii of the two shapes. An error means that the axis separates them.
    #[inline]
    pub(crate) fn test(&mut self, axis: P, (apart, reach): (f64, f64)) -> Result<(), Apart> {
        let overlap = reach - apart.abs();
        if overlap < 0.0 {
            return Err(Apart(-overlap));
        }
        if overlap < self.depth {
            self.depth = overlap;
            self.normal = if apart < 0.0 { -axis } else { axis };
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
