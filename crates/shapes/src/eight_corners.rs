//! Up to eight points, stored so that the farthest one along a direction is found with SIMD.

use clearance_math::internal::lanes::{Select, Simd, SimdBase, SimdMask, f64x4};
use clearance_math::{DVec3, Matrix, PreciseVector, Vector};

/// The most points.
pub(crate) const MAX_POINTS: usize = 8;

/// Half of the points. So many fit into one SIMD vector.
const HALF: usize = MAX_POINTS / 2;

/// The coordinates of eight points: first all x, then all y, then all z, which are zero in 2D.
///
/// If there are fewer points, the last one is repeated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EightCorners([[f64; MAX_POINTS]; 3]);

impl EightCorners {
    /// Stores one to eight points.
    pub(crate) fn new<V: Vector>(points: &[V]) -> Self {
        Self::of_each(|k| points[k.min(points.len() - 1)].to_precise().in_space())
    }

    /// The corners of a box with its centre at the origin.
    pub(crate) fn of_cuboid<V: Vector>(half_extents: V) -> Self {
        let half = half_extents.to_precise().in_space();
        Self::of_each(|k| {
            let sign = |axis: usize| if k >> axis & 1 == 0 { 1.0 } else { -1.0 };
            half * DVec3::new(sign(0), sign(1), sign(2))
        })
    }

    #[inline(always)]
    fn of_each(corner: impl Fn(usize) -> DVec3) -> Self {
        let [mut xs, mut ys, mut zs] = [[0.0; MAX_POINTS]; 3];
        for k in 0..MAX_POINTS {
            [xs[k], ys[k], zs[k]] = corner(k).to_array();
        }
        Self([xs, ys, zs])
    }

    /// The point `index`, counted from 0.
    #[inline(always)]
    #[must_use]
    pub fn corner<P: PreciseVector>(&self, index: usize) -> P {
        let [x, y, z] = &self.0;
        let index = index % MAX_POINTS;
        P::from_space(DVec3::new(x[index], y[index], z[index]))
    }

    /// The points rotated by a matrix.
    #[inline(always)]
    #[must_use]
    pub fn turned<S: Simd, P: PreciseVector>(&self, simd: S, rotation: &P::Matrix) -> Self {
        let mut turned = [[0.0; MAX_POINTS]; 3];
        for half in [0, HALF] {
            for (k, row) in turned.iter_mut().enumerate().take(P::DIM) {
                let factors = rotation.row(k).in_space();
                self.products(simd, factors, half)
                    .store_slice(&mut row[half..half + HALF]);
            }
        }
        Self(turned)
    }

    /// The index of the point farthest along `direction`. If several are equally far, it is the first.
    #[inline(always)]
    #[must_use]
    pub fn farthest<S: Simd, P: PreciseVector>(&self, simd: S, direction: P) -> usize {
        let direction = direction.in_space();
        let (low, high) = (
            self.products(simd, direction, 0),
            self.products(simd, direction, HALF),
        );
        let greater = |a: f64, b: f64| if a > b { a } else { b };
        // Not `max`, because processors differ in how it treats NaN.
        let [a, b, c, d] = low.simd_gt(high).select(low, high).to_array();
        let greatest = f64x4::splat(simd, greater(greater(a, c), greater(b, d)));
        let equal =
            low.simd_ge(greatest).to_bitmask() | high.simd_ge(greatest).to_bitmask() << HALF;
        // No bit is set if the direction contains NaN. Then the result is 0.
        equal.trailing_zeros() as usize % MAX_POINTS
    }

    /// The scalar products of half of the points, from index `start` on, with a direction.
    #[inline(always)]
    fn products<S: Simd>(&self, simd: S, direction: DVec3, start: usize) -> f64x4<S> {
        let [x, y, z] = &self.0;
        let four = |row: &[f64; MAX_POINTS]| f64x4::from_slice(simd, &row[start..start + HALF]);
        four(x) * direction.x + four(y) * direction.y + four(z) * direction.z
    }
}

#[cfg(test)]
mod tests {
    use clearance_math::internal::lanes::dispatch;
    use clearance_math::{DMat3, DVec2, Vec2, Vec3};
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use super::*;

    /// Small whole numbers, so that products are exact and many are equal.
    fn whole(rng: &mut Pcg64) -> f64 {
        f64::from(rng.random_range(-2i8..=2))
    }

    fn the_first_of_the_farthest_is_found<V: Vector>(rng: &mut Pcg64) {
        for round in 0..4000 {
            let vector = |rng: &mut Pcg64| V::Precise::from_fn(|_| whole(rng));
            let points: Vec<V> = (0..round % MAX_POINTS + 1)
                .map(|_| V::from_precise(vector(rng)))
                .collect();
            let corners = EightCorners::new(&points);
            let direction = vector(rng);
            let found = dispatch!(simd => corners.farthest(simd, direction));
            let height = |k: usize| points[k].to_precise().dot(direction);
            let first = (0..points.len()).fold(
                0,
                |best, k| {
                    if height(k) > height(best) { k } else { best }
                },
            );
            assert_eq!(found, first, "{points:?} along {direction:?}");
            assert_eq!(
                corners.corner::<V::Precise>(found),
                points[first].to_precise()
            );
        }
    }

    #[test]
    fn the_first_of_the_farthest_is_found_in_both_dimensions() {
        let mut rng = Pcg64::seed_from_u64(8);
        the_first_of_the_farthest_is_found::<Vec2>(&mut rng);
        the_first_of_the_farthest_is_found::<Vec3>(&mut rng);
    }

    #[test]
    fn corners_are_turned_as_the_matrix_turns_points() {
        let mut rng = Pcg64::seed_from_u64(9);
        let mut vector = || DVec3::from_array([(); 3].map(|()| rng.random_range(-1.0..1.0)));
        for _ in 0..1000 {
            let points: [Vec3; MAX_POINTS] = core::array::from_fn(|_| vector().as_vec3());
            // This is not a rotation, which makes no difference for the products.
            let matrix = DMat3::from_cols(vector(), vector(), vector());
            let corners = EightCorners::new(&points);
            let turned = dispatch!(simd => corners.turned::<_, DVec3>(simd, &matrix));
            for (k, point) in points.iter().enumerate() {
                assert_eq!(turned.corner::<DVec3>(k), matrix.apply(point.as_dvec3()));
            }
        }
    }

    #[test]
    fn a_cuboid_has_all_its_corners() {
        let corners = EightCorners::of_cuboid(Vec3::new(1.0, 2.0, 3.0));
        let mut all: Vec<[f64; 3]> = (0..MAX_POINTS)
            .map(|k| corners.corner::<DVec3>(k).to_array())
            .collect();
        all.sort_by(|a, b| a.partial_cmp(b).expect("numbers"));
        all.dedup();
        assert_eq!(all.len(), MAX_POINTS);
        assert!(
            all.iter()
                .all(|corner| corner.map(f64::abs) == [1.0, 2.0, 3.0])
        );
        let flat = EightCorners::of_cuboid(Vec2::new(1.0, 2.0));
        assert_eq!(flat.corner::<DVec2>(3), DVec2::new(-1.0, -2.0));
    }
}
