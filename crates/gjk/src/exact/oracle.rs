//! The signed distance of two polytopes, in whole numbers.

use core::cmp::Ordering;

use clearance_math::Real;
use num_bigint::{BigInt, Sign};

/// Numbers of single precision are whole multiples of this power of two, as large as they are made here.
const UNIT: i32 = -80;

/// Bounds in double precision are whole multiples of this one.
const BOUND_UNIT: i32 = -200;

type Point = [BigInt; 3];

/// A number as a multiple of a power of two.
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
            "{value:e} is no multiple"
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

/// A quotient of whole numbers, the lower one positive.
#[derive(Clone, Debug)]
struct Quotient {
    over: BigInt,
    under: BigInt,
}

impl Quotient {
    fn least(self, other: Self) -> Self {
        if &other.over * &self.under < &self.over * &other.under {
            other
        } else {
            self
        }
    }
}

/// The corners of a convex body in the world, all by the squared length of its quaternion.
pub(super) struct Solid {
    corners: Vec<Point>,
    squared_length: BigInt,
}

impl Solid {
    /// Corners turned by a quaternion, of any length, and moved.
    pub(super) fn new(corners: &[[Real; 3]], rotation: [Real; 4], translation: [Real; 3]) -> Self {
        let unit = |value: Real| whole(f64::from(value), UNIT);
        let [x, y, z, w] = rotation.map(unit);
        let squared_length = &x * &x + &y * &y + &z * &z + &w * &w;
        let (axis, translation) = ([x, y, z], translation.map(unit));
        // w^2 p + 2 w (v x p) + 2 (v . p) v - (v . v) p, for q = (v, w).
        let turned = |corner: &[Real; 3]| {
            let p = corner.map(unit);
            let across = cross(&axis, &p);
            let along = dot(&axis, &p);
            let rest = &w * &w - dot(&axis, &axis);
            core::array::from_fn(|k| {
                &rest * &p[k]
                    + BigInt::from(2) * (&w * &across[k] + &along * &axis[k])
                    + &squared_length * &translation[k]
            })
        };
        Self {
            corners: corners.iter().map(turned).collect(),
            squared_length: squared_length.clone(),
        }
    }
}

/// How a number stands to the truth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Signed {
    Above,
    Equal,
    Below,
}

/// The signed distance of two polytopes: the square of its size, and whether they overlap.
pub(super) struct Truth {
    /// In units that `scale` says.
    squared: Quotient,
    is_overlap: bool,
    /// By how much all lengths were multiplied, in units of `UNIT` to the fourth power.
    scale: BigInt,
}

impl Truth {
    pub(super) fn in_space(a: &Solid, b: &Solid) -> Self {
        Self::new(a, b, |edges_a, edges_b, faces| {
            let mut normals: Vec<Point> = faces.to_vec();
            for u in edges_a {
                normals.extend(edges_b.iter().map(|v| cross(u, v)));
            }
            normals
        })
    }

    pub(super) fn in_plane(a: &Solid, b: &Solid) -> Self {
        Self::new(a, b, |edges_a, edges_b, _| {
            let across = |edge: &Point| [-&edge[1], edge[0].clone(), BigInt::ZERO];
            edges_a.iter().chain(edges_b).map(across).collect()
        })
    }

    /// `normals` makes the normals that faces of the difference can have from the edges of both and from
    /// the normals of their own faces.
    fn new(
        a: &Solid,
        b: &Solid,
        normals: impl Fn(&[Point], &[Point], &[Point]) -> Vec<Point>,
    ) -> Self {
        // One scale for both.
        let of_a: Vec<Point> = a
            .corners
            .iter()
            .map(|p| scaled(p, &b.squared_length))
            .collect();
        let of_b: Vec<Point> = b
            .corners
            .iter()
            .map(|p| scaled(p, &a.squared_length))
            .collect();
        let faces: Vec<Point> = faces(&of_a).into_iter().chain(faces(&of_b)).collect();
        let normals = normals(&edges(&of_a), &edges(&of_b), &faces);
        let depth = depth(&of_a, &of_b, &normals);
        let is_overlap = depth.is_some();
        Self {
            squared: depth.unwrap_or_else(|| squared_distance(&of_a, &of_b)),
            is_overlap,
            scale: &a.squared_length * &b.squared_length,
        }
    }

    /// How a bound stands to the signed distance of the shapes, that is of the polytopes less the radii.
    pub(super) fn compare(&self, bound: f64, radii: &[f64; 2]) -> Signed {
        if bound.is_infinite() {
            return if bound > 0.0 {
                Signed::Above
            } else {
                Signed::Below
            };
        }
        let of_cores = self.of_cores(bound, radii);
        // (of_cores * 2^BOUND_UNIT * scale * 2^(4 UNIT))^2 against squared * 2^(2 * 5 UNIT).
        let square = &of_cores * &of_cores * &self.scale * &self.scale * &self.squared.under;
        let truth = &self.squared.over << (2 * (UNIT - BOUND_UNIT));
        let order = match (of_cores.sign(), self.is_overlap) {
            (Sign::Minus, false) => Ordering::Less,
            (Sign::Plus, true) => Ordering::Greater,
            (_, false) => square.cmp(&truth),
            (_, true) => truth.cmp(&square),
        };
        match order {
            Ordering::Less => Signed::Below,
            Ordering::Equal => Signed::Equal,
            Ordering::Greater => Signed::Above,
        }
    }

    fn of_cores(&self, distance: f64, radii: &[f64; 2]) -> BigInt {
        let radii = radii.map(|radius| whole(radius, BOUND_UNIT));
        whole(distance, BOUND_UNIT) + &radii[0] + &radii[1]
    }
}

/// Differences of all pairs of corners: the edges are among them.
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

/// Normals of all triangles of corners: those of the faces are among them.
fn faces(corners: &[Point]) -> Vec<Point> {
    triangles(corners)
        .map(|[p, q, r]| cross(&minus(q, p), &minus(r, p)))
        .collect()
}

/// The squared depth, if the difference of the polytopes has the origin in its interior: the least over
/// both sides of all normals that its faces can have.
fn depth(a: &[Point], b: &[Point], normals: &[Point]) -> Option<Quotient> {
    let mut best: Option<Quotient> = None;
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
            let found = Quotient {
                over: &overlap * &overlap,
                under: length.clone(),
            };
            best = Some(match best {
                Some(best) => best.least(found),
                None => found,
            });
        }
    }
    best
}

/// The squared distance of polytopes that share no inner point.
///
/// All edges and triangles that corners can make are parts of the polytopes, and the nearest ones are among
/// them.
fn squared_distance(a: &[Point], b: &[Point]) -> Quotient {
    let corners = a.iter().flat_map(|p| b.iter().map(move |q| (p, q)));
    let squared = |(p, q): (&Point, &Point)| {
        let apart = minus(p, q);
        Quotient {
            over: dot(&apart, &apart),
            under: BigInt::from(1),
        }
    };
    let mut best = corners
        .map(squared)
        .reduce(Quotient::least)
        .expect("corners");
    for (one, other) in [(a, b), (b, a)] {
        for p in one {
            let to_edges = pairs(other).filter_map(|(q, r)| point_line(p, q, r));
            let to_faces = triangles(other).filter_map(|corners| point_plane(p, corners));
            best = to_edges.chain(to_faces).fold(best, Quotient::least);
        }
    }
    for (p, q) in pairs(a) {
        best = pairs(b)
            .filter_map(|(r, s)| line_line([p, q], [r, s]))
            .fold(best, Quotient::least);
    }
    best
}

/// The squared distance of a point from a segment, where its foot lies between the ends.
fn point_line(p: &Point, q: &Point, r: &Point) -> Option<Quotient> {
    let (along, from) = (minus(r, q), minus(p, q));
    let (at, length) = (dot(&along, &from), dot(&along, &along));
    let is_between = at.sign() == Sign::Plus && at < length;
    is_between.then(|| Quotient {
        over: dot(&from, &from) * &length - &at * &at,
        under: length,
    })
}

/// The squared distance of a point from a triangle, where its foot lies inside.
fn point_plane(p: &Point, [q, r, s]: [&Point; 3]) -> Option<Quotient> {
    let normal = cross(&minus(r, q), &minus(s, q));
    let is_inside = [(q, r), (r, s), (s, q)].into_iter().all(|(from, to)| {
        dot(&cross(&minus(to, from), &minus(p, from)), &normal).sign() == Sign::Plus
    });
    is_inside.then(|| {
        let height = dot(&normal, &minus(p, q));
        Quotient {
            over: &height * &height,
            under: dot(&normal, &normal),
        }
    })
}

/// The squared distance of two segments, where their common perpendicular meets both between their ends.
fn line_line([p, q]: [&Point; 2], [r, s]: [&Point; 2]) -> Option<Quotient> {
    let (u, v, w) = (minus(q, p), minus(s, r), minus(p, r));
    let (uu, uv, vv) = (dot(&u, &u), dot(&u, &v), dot(&v, &v));
    let (uw, vw) = (dot(&u, &w), dot(&v, &w));
    let all = &uu * &vv - &uv * &uv;
    let at_a = &uv * &vw - &vv * &uw;
    let at_b = &uu * &vw - &uv * &uw;
    let is_between = |at: &BigInt| at.sign() == Sign::Plus && *at < all;
    (is_between(&at_a) && is_between(&at_b)).then(|| {
        let normal = cross(&u, &v);
        let height = dot(&normal, &w);
        Quotient {
            over: &height * &height,
            under: dot(&normal, &normal),
        }
    })
}
