//! Separating axes, for the closed forms of overlapping boxes.

use clearance_math::{Matrix, PreciseVector, RelativePose, Vector};
use clearance_shapes::Cuboid;

use crate::penetration::Depth;

/// Two shapes are separated. Their distance is at least this, up to rounding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Apart(pub(crate) f64);

/// The half axes of a placed cuboid: its axes times its half extents.
pub(crate) struct Axes<P: PreciseVector> {
    half: P,
    rotation: P::Matrix,
}

impl<P: PreciseVector> Axes<P> {
    pub(crate) fn of<V: Vector<Precise = P>>(cuboid: &Cuboid<V>, pose: &RelativePose<P>) -> Self {
        Self {
            half: cuboid.half_extents.to_precise(),
            rotation: pose.rotation,
        }
    }

    /// The unit vector along axis k.
    pub(crate) fn unit(&self, k: usize) -> P {
        self.rotation.column(k)
    }

    /// Half the width along the unit vector n.
    #[inline]
    pub(crate) fn radius(&self, n: P) -> f64 {
        self.rotation.apply_transposed(n).abs().dot(self.half)
    }
}

/// The cross product of 3D vectors.
pub(crate) fn cross<P: PreciseVector>(u: P, v: P) -> P {
    P::from_space(u.in_space().cross(v.in_space()))
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
