//! Ray and triangle in space, watertight.
//!
//! No ray passes between two triangles that share an edge or a vertex. The argument:
//!
//! 1. All triangles of a mesh are tested against one and the same line, in the frame of the mesh. It runs
//!    through two points with coordinates in `f64`, `base` and `through`, which are computed once for each
//!    ray. Rounding may place them beside the ray that was asked for, by some 1e-15 of the size, but all
//!    triangles see the same line.
//! 2. Whether that line meets a triangle is decided exactly, as if with real numbers, and the boundary
//!    counts as part of the triangle. The vertices are `f32` numbers, so they are exact, too. For vertices
//!    u and v the sign of w(u, v) = (through - base) . ((u - base) x (v - base)) tells on which side of the
//!    line the edge passes. The line meets the triangle if no two of its three signs are opposite. If all
//!    three are zero, the line lies in the plane of the triangle, and exact signs in that plane decide.
//! 3. Each sign is that of the exact determinant: where the rounded value is not certainly farther from zero
//!    than its rounding error, Shewchuk's exact arithmetic decides. Signs of neighbours therefore never
//!    contradict each other, whatever the order of the vertices.
//! 4. So the set of triangles that a line hits is that of exact geometry. If the line meets the surface in a
//!    point, that point belongs to a triangle, and this triangle is hit. There is nothing to pass through.
//! 5. The distance is a mean of the distances of the three vertices, weighted by the three determinants,
//!    none of which is negative. It lies between those of the vertices however flat the ray arrives. It is
//!    only compared with the start and the end of the ray allowing for its error, so a ray that starts on a
//!    shared edge is not lost either.
//!
//! Sources: Woop, Benthin and Wald, "Watertight Ray/Triangle Intersection" (2013), for testing edges by
//! signs that neighbours share; Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust
//! Geometric Predicates" (1997), for the exact signs.

use clearance_math::internal::MapEach;
use clearance_math::{DVec3, PreciseVector, Vector, tolerances};
use robust::{Coord3D, orient3d};

use super::chord::{Chord, ChordCrossing};
use super::in_frame::RayInFrame;

/// The three determinants of a triangle that the line meets, none with a sign opposite to another's.
struct Weights {
    /// For each vertex, from the edge opposite to it.
    of_vertices: [f64; 3],
    /// How far each may be from exact.
    error: f64,
}

/// What the line sees of the triangle.
struct SeenTriangle {
    /// The vertices relative to the base of the line.
    corners: [DVec3; 3],
    /// `None` if the line lies in the plane of the triangle.
    weights: Option<Weights>,
}

/// `None` if the line misses.
#[inline(always)]
fn seen<P: PreciseVector>(ray: &RayInFrame<P>, vertices: [DVec3; 3]) -> Option<SeenTriangle> {
    let base = ray.base.in_space();
    let along = ray.along.in_space();
    let corners = vertices.map_each(|vertex| vertex - base);
    let [a, b, c] = corners;
    let greatest = a.abs().max(b.abs()).max(c.abs()).max_element();
    let error = tolerances::RAY_PREDICATE_ROUNDING * ray.along_sum * greatest * greatest;
    let (from_b, from_c) = (along.cross(b), along.cross(c));
    let of_vertices = [from_b.dot(c), from_c.dot(a), -from_b.dot(a)];
    let [u, v, w] = of_vertices;
    let (least, greatest) = (u.min(v).min(w), u.max(v).max(w));
    if least < -error && greatest > error {
        return None;
    }
    if least > error || greatest < -error {
        let weights = Some(Weights { of_vertices, error });
        return Some(SeenTriangle { corners, weights });
    }
    seen_exactly(ray, vertices, Weights { of_vertices, error })
}

/// [`seen`] where rounding leaves a sign open.
#[cold]
#[inline(never)]
fn seen_exactly<P: PreciseVector>(
    ray: &RayInFrame<P>,
    vertices: [DVec3; 3],
    mut weights: Weights,
) -> Option<SeenTriangle> {
    let [base, through] = [ray.base, ray.through].map_each(PreciseVector::in_space);
    for k in 0..3 {
        let weight = &mut weights.of_vertices[k];
        if weight.abs() <= weights.error {
            *weight = determinant(
                base,
                [through, vertices[(k + 1) % 3], vertices[(k + 2) % 3]],
            );
        }
    }
    let signs = weights.of_vertices;
    if signs.iter().any(|&w| w > 0.0) && signs.iter().any(|&w| w < 0.0) {
        return None;
    }
    let is_in_plane = signs == [0.0; 3];
    Some(SeenTriangle {
        corners: vertices.map_each(|vertex| vertex - base),
        weights: (!is_in_plane).then_some(weights),
    })
}

/// The determinant of three points relative to `base`, with an exact sign.
fn determinant(base: DVec3, points: [DVec3; 3]) -> f64 {
    let coord = |p: DVec3| Coord3D {
        x: p.x,
        y: p.y,
        z: p.z,
    };
    let [a, b, c] = points.map_each(coord);
    orient3d(a, b, c, coord(base))
}

/// On which side of the line each vertex lies, within a plane that contains both; all zero if all vertices
/// lie on the line. The signs are exact.
///
/// A plane through the line and a point beside it divides the plane of the triangle. Of the three points
/// next to the base along the axes, at least one lies off the plane of the triangle, unless that has no
/// plane.
fn sides_in_plane<P: PreciseVector>(ray: &RayInFrame<P>, vertices: [DVec3; 3]) -> [f64; 3] {
    let [base, through] = [ray.base, ray.through].map_each(PreciseVector::in_space);
    for k in 0..3 {
        let mut beside = base;
        beside[k] += ray.along_sum;
        let sides = vertices.map_each(|vertex| determinant(base, [through, beside, vertex]));
        if sides != [0.0; 3] {
            return sides;
        }
    }
    [0.0; 3]
}

/// The places where the line enters and leaves a triangle in whose plane it lies; `None` if it misses.
#[cold]
#[inline(never)]
fn places_in_plane<P: PreciseVector>(
    ray: &RayInFrame<P>,
    vertices: [DVec3; 3],
) -> Option<[f64; 2]> {
    let sides = sides_in_plane(ray, vertices);
    let (base, direction) = (ray.base.in_space(), ray.direction.in_space());
    let places = vertices.map_each(|vertex| (vertex - base).dot(direction));
    let (mut enter, mut leave) = (f64::INFINITY, f64::NEG_INFINITY);
    for (from, to) in [(0, 1), (1, 2), (2, 0)] {
        let (one, other) = (sides[from], sides[to]);
        if (one > 0.0 && other > 0.0) || (one < 0.0 && other < 0.0) {
            continue;
        }
        let sum = one.abs() + other.abs();
        let meets = if sum > 0.0 {
            let at = (places[from] * other.abs() + places[to] * one.abs()) / sum;
            [at, at]
        } else {
            [places[from], places[to]]
        };
        enter = enter.min(meets[0]).min(meets[1]);
        leave = leave.max(meets[0]).max(meets[1]);
    }
    (enter <= leave).then_some([enter, leave])
}

/// The mean of the places of the vertices.
#[inline(always)]
fn mean(weights: &Weights, places: [f64; 3]) -> f64 {
    let [u, v, w] = weights.of_vertices;
    (u * places[0] + v * places[1] + w * places[2]) / (u + v + w)
}

/// How far the place computed for a triangle may be from the true one.
///
/// The weights have errors, and the line itself may lie beside the ray by the rounding, which counts more the
/// flatter the ray arrives. Neither moves the place out of the span of the vertices.
fn error<P: PreciseVector>(
    ray: &RayInFrame<P>,
    seen: &SeenTriangle,
    places: [f64; 3],
    weights: &Weights,
) -> f64 {
    let [a, b, c] = seen.corners;
    let sum = weights.of_vertices.iter().sum::<f64>().abs();
    let span = places[0].max(places[1]).max(places[2]) - places[0].min(places[1]).min(places[2]);
    let of_weights = 3.0 * weights.error * span / sum;
    let of_line = ray.rounding * (b - a).cross(c - a).length() * ray.along.length() / sum;
    (of_weights + 2.0 * of_line).min(span) + ray.rounding
}

/// Where the line meets a triangle, with a normal of its plane.
#[inline(always)]
pub(super) fn touch<V: Vector>(
    ray: &RayInFrame<V::Precise>,
    vertices: [V; 3],
) -> Option<Chord<V::Precise>> {
    let vertices = vertices.map_each(|vertex| vertex.to_precise().in_space());
    let seen = seen(ray, vertices)?;
    let across = V::Precise::from_space(normal(vertices));
    let direction = ray.direction.in_space();
    let places = seen.corners.map_each(|corner| corner.dot(direction));
    let Some(weights) = &seen.weights else {
        let [enter, leave] = places_in_plane(ray, vertices)?;
        // The true line may lie beside the plane by the rounding, and meet the triangle anywhere between.
        let bounds = [enter - ray.rounding, leave + ray.rounding];
        let between = |at: f64| ChordCrossing::between(at, bounds, across);
        return Some(Chord::new(between(enter), between(leave)));
    };
    let at = mean(weights, places);
    let error = error(ray, &seen, places, weights);
    // The sum of the weights is the product of the line's direction and the normal, and its sign is exact.
    let is_from_behind = weights.of_vertices.iter().sum::<f64>() > 0.0;
    Some(Chord::of_point(ChordCrossing {
        is_from_behind,
        ..ChordCrossing::new(at, error, across)
    }))
}

/// A normal of the triangle, which points to the side from which the vertices run counter-clockwise.
fn normal([a, b, c]: [DVec3; 3]) -> DVec3 {
    // Of the three corners, the one between the shorter sides rounds least.
    let sides = [b - a, c - b, a - c];
    let lengths = sides.map_each(DVec3::length_squared);
    if lengths[0] >= lengths[1] && lengths[0] >= lengths[2] {
        sides[1].cross(sides[2])
    } else if lengths[1] >= lengths[2] {
        sides[2].cross(sides[0])
    } else {
        sides[0].cross(sides[1])
    }
}

#[cfg(test)]
pub(in crate::questions::ray) mod tests {
    use clearance_math::{Pose, Ray, RelativePose, Vec3};
    use num_bigint::BigInt;

    use super::*;

    /// A number from -1 to 1 that depends on `k` in no simple way.
    pub(in crate::questions::ray) fn number(k: u32) -> f32 {
        let mixed = k
            .wrapping_mul(0x9e37_79b9)
            .rotate_left(13)
            .wrapping_mul(0x85eb_ca6b);
        mixed as i32 as f32 / 2.0_f32.powi(31)
    }

    /// The number times 2^300, which is whole for every coordinate of this test.
    fn whole(x: f64) -> BigInt {
        let bits = x.to_bits();
        let exponent = (bits >> 52 & 0x7ff) as i32;
        let mantissa = (bits & ((1 << 52) - 1)) | u64::from(exponent > 0) << 52;
        let shift = exponent.max(1) - 1075 + 300;
        let size = if mantissa == 0 {
            BigInt::from(0)
        } else {
            BigInt::from(mantissa) << shift
        };
        if x < 0.0 { -size } else { size }
    }

    /// The sign of a determinant, computed with whole numbers.
    fn sign(base: DVec3, points: [DVec3; 3]) -> i32 {
        let [a, b, c] = points.map(|p| [0, 1, 2].map(|k| whole(p[k]) - whole(base[k])));
        let minor = |i: usize, j: usize| &b[i] * &c[j] - &b[j] * &c[i];
        let value = &a[0] * minor(1, 2) + &a[1] * minor(2, 0) + &a[2] * minor(0, 1);
        value.cmp(&BigInt::from(0)) as i32
    }

    /// Rays at corners and edges of triangles: the quick test and whole numbers find the same ones.
    #[test]
    fn a_triangle_is_hit_if_exact_signs_say_so() {
        let (mut hits, mut zeros) = (0, 0);
        for k in 0..20_000_u32 {
            let vector = |i: u32| Vec3::from_array([0, 1, 2].map(|j| number(40 * k + 3 * i + j)));
            let corners = [vector(0), vector(1), vector(2)];
            let share = [0.0, 0.5, number(40 * k + 30).abs()][k as usize % 3];
            let target = corners[0] + (corners[1] - corners[0]) * share;
            let away = if k % 2 == 0 {
                vector(3)
            } else {
                (vector(3) * 4.0).round()
            };
            let Ok(ray) = Ray::new(target - away, away) else {
                continue;
            };
            let line =
                RayInFrame::new(&ray, &RelativePose::from_pose(&Pose::<Vec3>::IDENTITY), 2.0);
            let exact = corners.map(Vec3::as_dvec3);
            let [a, b, c] = exact;
            let signs =
                [[b, c], [c, a], [a, b]].map(|[u, v]| sign(line.base, [line.through, u, v]));
            let is_hit = !(signs.contains(&1) && signs.contains(&-1));
            zeros += usize::from(signs.contains(&0));
            if signs == [0; 3] {
                continue;
            }
            hits += usize::from(is_hit);
            assert_eq!(
                seen(&line, exact).is_some(),
                is_hit,
                "{signs:?} {ray:?} {corners:?}"
            );
        }
        assert!(hits > 5_000 && zeros > 100, "{hits} hits, {zeros} zeros");
    }
}
