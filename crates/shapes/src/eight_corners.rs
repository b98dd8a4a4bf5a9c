//! Up to eight points, and which of them is farthest.

use clearance_math::lanes::{Select, Simd, SimdBase, SimdMask, f64x4};
use clearance_math::{DVec3, Matrix, PreciseVector, Vector};

/// The most corners.
pub(crate) const MOST: usize = 8;

/// Half of them: as many as are looked at in one go.
const HALF: usize = MOST / 2;

/// The coordinates of eight points axis by axis; in the plane all z are nought.
///
/// Fewer points are filled up with copies of the last.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EightCorners([[f64; MOST]; 3]);

impl EightCorners {
    /// One to eight points.
    pub(crate) fn new<V: Vector>(points: &[V]) -> Self {
        let corner = |k: usize| points[k.min(points.len() - 1)].to_precise().in_space();
        let corners: [DVec3; MOST] = core::array::from_fn(corner);
        Self(core::array::from_fn(|axis| {
            corners.map(|corner| corner[axis])
        }))
    }

    /// The corners of a box about the origin.
    pub(crate) fn of_cuboid<V: Vector>(half_extents: V) -> Self {
        let half = half_extents.to_precise().in_space();
        Self(core::array::from_fn(|axis| {
            core::array::from_fn(|k| {
                if k >> axis & 1 == 0 {
                    half[axis]
                } else {
                    -half[axis]
                }
            })
        }))
    }

    /// One of the points.
    #[inline(always)]
    #[must_use]
    pub fn corner<P: PreciseVector>(&self, index: usize) -> P {
        let [x, y, z] = &self.0;
        let index = index % MOST;
        P::from_space(DVec3::new(x[index], y[index], z[index]))
    }

    /// The points turned, each as the matrix alone would.
    #[inline(always)]
    #[must_use]
    pub fn turned<S: Simd, P: PreciseVector>(&self, simd: S, rotation: &P::Matrix) -> Self {
        let mut turned = [[0.0; MOST]; 3];
        for half in [0, HALF] {
            for (k, row) in turned.iter_mut().enumerate().take(P::DIM) {
                let factors = rotation.row(k).in_space();
                self.heights(simd, factors, half)
                    .store_slice(&mut row[half..half + HALF]);
            }
        }
        Self(turned)
    }

    /// Which point is farthest along `direction`: the first of equals.
    #[inline(always)]
    #[must_use]
    pub fn farthest<S: Simd, P: PreciseVector>(&self, simd: S, direction: P) -> usize {
        let direction = direction.in_space();
        let (low, high) = (
            self.heights(simd, direction, 0),
            self.heights(simd, direction, HALF),
        );
        let greater = |a: f64, b: f64| if a > b { a } else { b };
        // Not `max`, which treats NaN differently on other processors.
        let [a, b, c, d] = low.simd_gt(high).select(low, high).to_array();
        let greatest = f64x4::splat(simd, greater(greater(a, c), greater(b, d)));
        let equal =
            low.simd_ge(greatest).to_bitmask() | high.simd_ge(greatest).to_bitmask() << HALF;
        // Of a direction that is not a number, none.
        equal.trailing_zeros() as usize % MOST
    }

    /// The scalar products of half of the points with a vector.
    #[inline(always)]
    fn heights<S: Simd>(&self, simd: S, direction: DVec3, start: usize) -> f64x4<S> {
        let [x, y, z] = &self.0;
        let four = |row: &[f64; MOST]| f64x4::from_slice(simd, &row[start..start + HALF]);
        four(x) * direction.x + four(y) * direction.y + four(z) * direction.z
    }
}
