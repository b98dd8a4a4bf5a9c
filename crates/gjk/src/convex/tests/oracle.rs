//! The exact signed distance of two polytopes by brute force, computed with integers of any size.

use core::cmp::Ordering;

use clearance_math::Real;
use num_bigint::{BigInt, Sign};

/// All coordinates that the tests generate are integer multiples of two to this power.
const UNIT: i32 = -80;

/// All bounds that the tests check are integer multiples of two to this power.
const BOUND_UNIT: i32 = -200;

type Point = [BigInt; 3];

/// Converts a number to an integer multiple of two to the power `unit`. Panics if it is none.
fn whole(value: f64, unit: i32) -> BigInt {
    let bits = value.abs().to_bits();
    let exponent = (bits >> 52) as i32;
    let (mantissa, exponent) = match exponent {
        0 => (bits, -1074),
        _ => (bits & ((1 << 52) - 1) | 1 << 52, exponent - 1075),
    };
    let shift = exponent - unit;
    let magnitude = if shift >= 0 {
        BigInt::from(mantissa) << shift
    } else {
        let whole = BigInt::from(mantissa) >> -shift;
        assert!(
            &whole << -shift == BigInt::from(mantissa),
            "{value:e} is not a multiple of the unit"
        );
        whole
    };
    if value < 0.0 { -magnitude } else { magnitude }
}

fn dot(u: &Point, v: &Point) -> BigInt {
    (0..3).map(|k| &u[k] * &v[k]).sum()
}

fn cross(u: &Point, v: &Point) -> Point {
    [(1, 2), (2, 0), (0, 1)].map(|(i, j)| &u[i] * &v[j] - &u[j] * &v[i])
}

fn minus(u: &Point, v: &Point) -> Point {
    core::array::from_fn(|k| &u[k] - &v[k])
}

fn scaled(u: &Point, factor: &BigInt) -> Point {
    core::array::from_fn(|k| &u[k] * factor)
}

/// A fraction of two integers, of which the denominator is positive.
#[derive(Clone, Debug)]
struct Fraction {
    numerator: BigInt,
    denominator: BigInt,
}

impl Fraction {
    fn least(self, other: Self) -> Self {
        if &other.numerator * &self.denominator < &self.numerator * &other.denominator {
            other
        } else {
            self
        }
    }
}

/// The corners of a convex body in world coordinates.
///
/// The rotation is computed without dividing by the squared length of the quaternion, so all coordinates
/// are too large by that factor.
pub(super) struct PlacedPolytope {
    corners: Vec<Point>,
    /// The squared length of the quaternion.
    scale: BigInt,
}

impl PlacedPolytope {
    /// Rotates corners by a quaternion of any length, and then translates them.
    pub(super) fn new(corners: &[[Real; 3]], rotation: [Real; 4], translation: [Real; 3]) -> Self {
        let unit = |value: Real| whole(f64::from(value), UNIT);
        let [x, y, z, w] = rotation.map(unit);
        let scale = &x * &x + &y * &y + &z * &z + &w * &w;
        let (axis, translation) = ([x, y, z], translation.map(unit));
        // The rotation of p by the quaternion (v, w) is
        // w^2 p + 2 w (v x p) + 2 (v . p) v - (v . v) p.
        let turned = |corner: &[Real; 3]| {
            let p = corner.map(unit);
            let across = cross(&axis, &p);
            let along = dot(&axis, &p);
            let rest = &w * &w - dot(&axis, &axis);
            core::array::from_fn(|k| {
                &rest * &p[k]
                    + BigInt::from(2) * (&w * &across[k] + &along * &axis[k])
                    + &scale * &translation[k]
            })
        };
        Self {
            corners: corners.iter().map(turned).collect(),
            scale: scale.clone(),
        }
    }
}

/// The exact signed distance of two polytopes: its square, and its sign.
pub(super) struct ExactDistance {
    /// The square of the distance or depth, with all lengths multiplied by `scale`.
    squared: Fraction,
    is_overlap: bool,
    /// The factor by which all lengths are too large, as a multiple of two to the power `4 * UNIT`.
    scale: BigInt,
}

impl ExactDistance {
    pub(super) fn in_space(a: &PlacedPolytope, b: &PlacedPolytope) -> Self {
        Self::new(a, b, |edges_a, edges_b, faces| {
            let mut normals: Vec<Point> = faces.to_vec();
            for u in edges_a {
                normals.extend(edges_b.iter().map(|v| cross(u, v)));
            }
            normals
        })
    }

    pub(super) fn in_plane(a: &PlacedPolytope, b: &PlacedPolytope) -> Self {
        Self::new(a, b, |edges_a, edges_b, _| {
            let across = |edge: &Point| [-&edge[1], edge[0].clone(), BigInt::ZERO];
            edges_a.iter().chain(edges_b).map(across).collect()
        })
    }

    /// `normals` computes all normals that the faces of the Minkowski difference can have. Its arguments
    /// are the edges of a, the edges of b, and the normals of the faces of both.
    fn new(
        a: &PlacedPolytope,
        b: &PlacedPolytope,
        normals: impl Fn(&[Point], &[Point], &[Point]) -> Vec<Point>,
    ) -> Self {
        // Both are scaled by the same factor.
        let a_corners: Vec<Point> = a.corners.iter().map(|p| scaled(p, &b.scale)).collect();
        let b_corners: Vec<Point> = b.corners.iter().map(|p| scaled(p, &a.scale)).collect();
        let faces: Vec<Point> = faces(&a_corners)
            .into_iter()
            .chain(faces(&b_corners))
            .collect();
        let normals = normals(&edges(&a_corners), &edges(&b_corners), &faces);
        let depth = depth(&a_corners, &b_corners, &normals);
        let is_overlap = depth.is_some();
        Self {
            squared: depth.unwrap_or_else(|| squared_distance(&a_corners, &b_corners)),
            is_overlap,
            scale: &a.scale * &b.scale,
        }
    }

    /// Whether a bound is less than, equal to or greater than the signed distance of the rounded shapes,
    /// which is that of the polytopes minus the radii.
    pub(super) fn compare_bound(&self, bound: f64, radii: &[f64; 2]) -> Ordering {
        if bound.is_infinite() {
            return if bound > 0.0 {
                Ordering::Greater
            } else {
                Ordering::Less
            };
        }
        let of_cores = self.of_cores(bound, radii);
        // Compares (of_cores * 2^BOUND_UNIT * scale * 2^(4 UNIT))^2 with squared * 2^(2 * 5 UNIT).
        let square = &of_cores * &of_cores * &self.scale * &self.scale * &self.squared.denominator;
        let exact = &self.squared.numerator << (2 * (UNIT - BOUND_UNIT));
        match (of_cores.sign(), self.is_overlap) {
            (Sign::Minus, false) => Ordering::Less,
            (Sign::Plus, true) => Ordering::Greater,
            (_, false) => square.cmp(&exact),
            (_, true) => exact.cmp(&square),
        }
    }

    /// Converts a signed distance of the rounded shapes to that of the polytopes.
    fn of_cores(&self, distance: f64, radii: &[f64; 2]) -> BigInt {
        let radii = radii.map(|radius| whole(radius, BOUND_UNIT));
        whole(distance, BOUND_UNIT) + &radii[0] + &radii[1]
    }
}

/// The differences of all pairs of corners. The edges are among them.
fn edges(corners: &[Point]) -> Vec<Point> {
    pairs(corners).map(|(p, q)| minus(q, p)).collect()
}

fn pairs(corners: &[Point]) -> impl Iterator<Item = (&Point, &Point)> {
    (0..corners.len()).flat_map(move |i| (0..i).map(move |j| (&corners[j], &corners[i])))
}

fn triangles(corners: &[Point]) -> impl Iterator<Item = [&Point; 3]> {
    (0..corners.len()).flat_map(move |i| {
        (0..i).flat_map(move |j| (0..j).map(move |k| [&corners[k], &corners[j], &corners[i]]))
    })
}

/// The normals of all triangles of corners. Those of the faces are among them.
fn faces(corners: &[Point]) -> Vec<Point> {
    triangles(corners)
        .map(|[p, q, r]| cross(&minus(q, p), &minus(r, p)))
        .collect()
}

/// The squared penetration depth, or `None` if the polytopes do not overlap. It is the least overlap
/// along any normal that a face of the Minkowski difference can have.
fn depth(a: &[Point], b: &[Point], normals: &[Point]) -> Option<Fraction> {
    let mut best: Option<Fraction> = None;
    for normal in normals {
        let length = dot(normal, normal);
        if length == BigInt::ZERO {
            continue;
        }
        let span = |points: &[Point]| {
            let heights: Vec<BigInt> = points.iter().map(|p| dot(normal, p)).collect();
            let least = heights.iter().min().cloned().expect("a corner");
            (least, heights.into_iter().max().expect("a corner"))
        };
        let ((low_a, high_a), (low_b, high_b)) = (span(a), span(b));
        for overlap in [high_a - low_b, high_b - low_a] {
            if overlap.sign() != Sign::Plus {
                return None;
            }
            let found = Fraction {
                numerator: &overlap * &overlap,
                denominator: length.clone(),
            };
            best = Some(match best {
                Some(best) => best.least(found),
                None => found,
            });
        }
    }
    best
}

/// The squared distance of polytopes that do not overlap.
///
/// It is the least distance over all segments and triangles between corners. These are parts of the
/// polytopes, and all edges and faces are among them.
fn squared_distance(a: &[Point], b: &[Point]) -> Fraction {
    let corners = a.iter().flat_map(|p| b.iter().map(move |q| (p, q)));
    let squared = |(p, q): (&Point, &Point)| {
        let apart = minus(p, q);
        Fraction {
            numerator: dot(&apart, &apart),
            denominator: BigInt::from(1),
        }
    };
    let mut best = corners
        .map(squared)
        .reduce(Fraction::least)
        .expect("corners");
    for (one, other) in [(a, b), (b, a)] {
        for p in one {
            let to_edges = pairs(other).filter_map(|(q, r)| point_line(p, q, r));
            let to_faces = triangles(other).filter_map(|corners| point_plane(p, corners));
            best = to_edges.chain(to_faces).fold(best, Fraction::least);
        }
    }
    for (p, q) in pairs(a) {
        best = pairs(b)
            .filter_map(|(r, s)| line_line([p, q], [r, s]))
            .fold(best, Fraction::least);
    }
    best
}

/// The squared distance of a point from a segment, if the nearest point is between the ends.
fn point_line(p: &Point, q: &Point, r: &Point) -> Option<Fraction> {
    let (along, from) = (minus(r, q), minus(p, q));
    let (at, length) = (dot(&along, &from), dot(&along, &along));
    let is_between = at.sign() == Sign::Plus && at < length;
    is_between.then(|| Fraction {
        numerator: dot(&from, &from) * &length - &at * &at,
        denominator: length,
    })
}

/// The squared distance of a point from a triangle, if the nearest point is in the interior.
fn point_plane(p: &Point, [q, r, s]: [&Point; 3]) -> Option<Fraction> {
    let normal = cross(&minus(r, q), &minus(s, q));
    let is_inside = [(q, r), (r, s), (s, q)].into_iter().all(|(from, to)| {
        dot(&cross(&minus(to, from), &minus(p, from)), &normal).sign() == Sign::Plus
    });
    is_inside.then(|| {
        let height = dot(&normal, &minus(p, q));
        Fraction {
            numerator: &height * &height,
            denominator: dot(&normal, &normal),
        }
    })
}

/// The squared distance of two segments, if both nearest points are between the ends.
fn line_line([p, q]: [&Point; 2], [r, s]: [&Point; 2]) -> Option<Fraction> {
    let (u, v, w) = (minus(q, p), minus(s, r), minus(p, r));
    let (uu, uv, vv) = (dot(&u, &u), dot(&u, &v), dot(&v, &v));
    let (uw, vw) = (dot(&u, &w), dot(&v, &w));
    let determinant = &uu * &vv - &uv * &uv;
    let at_a = &uv * &vw - &vv * &uw;
    let at_b = &uu * &vw - &uv * &uw;
    let is_between = |at: &BigInt| at.sign() == Sign::Plus && *at < determinant;
    (is_between(&at_a) && is_between(&at_b)).then(|| {
        let normal = cross(&u, &v);
        let height = dot(&normal, &w);
        Fraction {
            numerator: &height * &height,
            denominator: dot(&normal, &normal),
        }
    })
}
