//! The penetration depth of two polyhedra in space of which at least one is a hull of at most 64 vertices.
//!
//! The depth is the least height of the Minkowski difference along any direction. Where a vertex of a and a vertex of b
//! stay the farthest ones, the height is the component of one point along the direction, which is least at the border of
//! that region of directions. So the least height of all is found along one of finitely many directions:
//!
//! 1. the normal of a face of a, or the opposite of the normal of a face of b;
//! 2. a direction perpendicular to an edge of each, along which both ends of both edges are farthest: the crossing of
//!    the arcs that stand for the two edges on the sphere of directions (the Gauss map).
//!
//! Source of these cases: Gregorius, "The Separating Axis Test between Convex Polyhedra" (2013). Here most directions are
//! never looked at: any point p of the difference proves that the height along n is at least p . n. Sixteen faces, or
//! edges, are compared with such a bound at a time, in single precision and with an allowance for its rounding errors
//! (`face_bounds.rs`). What may be the least is looked at in double precision: first the faces, always that of the least
//! bound, whose support point improves the bounds of the others; then the arcs that are left (`arcs.rs`). A bound along an
//! arc is the lesser of those at its two ends, since each direction between them is a positive combination of both.
//!
//! The bounds are valid for normals with rounding errors, too. The regions of directions that they bound still cover the
//! sphere, and a vertex is a bound of the height for any direction.

mod answer;
mod arcs;
mod face_bounds;
mod side;
#[cfg(test)]
mod tests;

use core::ops::Range;

use arrayvec::ArrayVec;
use clearance_math::lanes::{Simd, dispatch, level};
use clearance_math::{PreciseVector, RelativePose, Vector, lesser_of, tolerances};
use clearance_shapes::{Convex, Core};

use self::face_bounds::FaceBounds;
use self::side::{FaceStorage, Side};
use super::{Limits, finish};
use crate::cores::Cores;
use crate::difference::Minkowski;
use crate::measured::Outcome;

/// The most points of the difference that are looked at before the search is left to the expanding polytope. One
/// in a thousand needs more than half as many.
const MOST_POINTS: usize = 48;

/// The sizes of differences for which numbers in single precision neither overflow nor lose digits by underflow.
const SIZES: Range<f64> = 1e-12..1e12;

/// The height along the first direction, relative to the size of the difference, from which on most pairs overlap.
pub(crate) const DEEP: f64 = 0.1;

/// The number of points that are known before the first face is looked at.
const FIRST_POINTS: usize = 5;

/// How far the first directions lean away from that of the origin, as a tangent.
const LEAN: f64 = 0.8;

/// One over the length of a leaning direction, which is the root of 1 + LEAN^2.
const PER_LEAN: f64 = 0.780_868_809_443_030_4;

/// Half the root of three.
const ROOT_OF_THREE_HALVES: f64 = 0.866_025_403_784_438_6;

/// Whether [`measure`] knows cores of these kinds, which are in canonical order: a hull comes after all other kinds with flat
/// faces. GJK and the polytope are faster for segments.
#[inline]
pub(crate) fn is_covered<V: Vector>(a: &Convex<V>, b: &Convex<V>) -> bool {
    V::DIM == 3
        && matches!(b.core(), Core::Hull(_))
        && matches!(
            a.core(),
            Core::Triangle(_) | Core::Cuboid(_) | Core::Hull(_)
        )
}

/// Two cores and the pose of the second in the frame of the first.
pub(crate) type CorePair<'a, V> = (
    &'a Convex<V>,
    &'a Convex<V>,
    &'a RelativePose<<V as Vector>::Precise>,
);

/// Measures two cores that overlap. `None` for cores that do not surely overlap, for large hulls, and where too many
/// directions are nearly as good as the best.
///
/// The search stops when the signed distance is proven to be more than `within`. `gap` is how far apart the bounds may
/// be, relative to the size of the difference.
#[inline(never)]
pub(crate) fn measure<V: Vector>(
    (a, b, b_in_a): CorePair<V>,
    within: f64,
    gap: f64,
) -> Option<Outcome<V::Precise>> {
    let difference = Cores::new(a, b, b_in_a);
    if !SIZES.contains(&difference.size()) {
        return None;
    }
    let (mut of_a, mut of_b) = (FaceStorage::default(), FaceStorage::default());
    let sides = [Side::new(a, &mut of_a)?, Side::new(b, &mut of_b)?];
    let limits = Limits::new(&difference, within, gap);
    let search = Search {
        sides,
        b_in_a,
        limits,
        allowance: tolerances::F32_HEIGHT_ROUNDING * difference.size(),
        points: ArrayVec::new(),
        points_in_b: ArrayVec::new(),
        height: f64::INFINITY,
        least: Candidate {
            height: f64::INFINITY,
            normal: V::Precise::axis(0),
            feature: Feature::Face { side: 0, face: 0 },
            point: Point::default(),
        },
    };
    match dispatch!(level(), simd => search.run(simd, difference.start()))? {
        Found::Farther { height } => Some(Outcome::Farther {
            lower: -height - limits.rounding,
        }),
        Found::Least(depth) => Some(Outcome::Near(finish(&difference, depth, limits.gap, None))),
    }
}

/// A vector in single precision.
#[inline(always)]
fn single(vector: impl PreciseVector) -> [f32; 3] {
    let vector = vector.in_space();
    [vector.x as f32, vector.y as f32, vector.z as f32]
}

/// A point of the difference as the sum of what the two sides contribute: a point of a, and the opposite of a point of
/// b, both in a's frame.
#[derive(Clone, Copy, Debug, Default)]
struct Point<P> {
    of: [P; 2],
}

impl<P: PreciseVector> Point<P> {
    #[inline(always)]
    fn sum(&self) -> P {
        self.of[0] + self.of[1]
    }
}

/// Where a direction comes from.
#[derive(Clone, Copy, Debug)]
enum Feature {
    /// The normal of a face.
    Face { side: usize, face: usize },
    /// The direction perpendicular to two edges: one of the side with arcs, and that between two vertices of the
    /// other side, given by the numbers of points that they belong to.
    Edges { edge: usize, points: [usize; 2] },
}

/// A direction that may be that of the depth.
#[derive(Clone, Copy, Debug)]
struct Candidate<P> {
    height: f64,
    normal: P,
    feature: Feature,
    /// The support point along the normal.
    point: Point<P>,
}

/// What a search has found.
enum Found<P> {
    /// The height along some direction is so small that the pair is of no interest.
    Farther { height: f64 },
    /// The depth.
    Least(super::Depth<P>),
}

/// The state of a search.
struct Search<'a, V: Vector> {
    sides: [Side<'a, V>; 2],
    b_in_a: &'a RelativePose<V::Precise>,
    limits: Limits,
    /// By how much a height that was computed in single precision may be wrong.
    allowance: f64,
    points: ArrayVec<Point<V::Precise>, MOST_POINTS>,
    /// The points as directions of b, in single precision.
    points_in_b: ArrayVec<[f32; 3], MOST_POINTS>,
    /// The least height of all directions that were looked at.
    height: f64,
    /// The least of the directions of faces and edges.
    least: Candidate<V::Precise>,
}

impl<V: Vector> Search<'_, V> {
    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S, middle: V::Precise) -> Option<Found<V::Precise>> {
        if let Some(far) = self.start(simd, middle)? {
            return Some(far);
        }
        if let Some(far) = self.faces(simd)? {
            return Some(far);
        }
        self.arcs(simd)?;
        if let Some(far) = self.is_of_no_interest() {
            return Some(far);
        }
        self.answer()
    }

    /// Finds the first points: the middle of the difference, the support point along the direction of the origin as seen
    /// from there, and along three directions around it. `None` if one of these directions separates the cores.
    #[inline(always)]
    fn start<S: Simd>(&mut self, simd: S, middle: V::Precise) -> Option<Option<Found<V::Precise>>> {
        let ahead = -middle / middle.length();
        let first = self.support(simd, ahead);
        let height = first.sum().dot(ahead);
        if height < self.limits.of_interest {
            return Some(Some(Found::Farther { height }));
        }
        if height <= 0.0 {
            return None;
        }
        self.points.push(Point {
            of: [self.middle_of(0), self.middle_of(1)],
        });
        self.points.push(first);
        self.height = height;
        let (across, other) = ahead.in_space().any_orthonormal_pair();
        let across = V::Precise::from_space(across * LEAN);
        let beside = V::Precise::from_space(other * (LEAN * ROOT_OF_THREE_HALVES));
        // A third of a turn apart.
        let overlap = self.lean(simd, ahead + across)
            & self.lean(simd, ahead + beside - across * 0.5)
            & self.lean(simd, ahead - beside - across * 0.5);
        overlap.then_some(None)
    }

    /// Adds the support point along a direction. Returns whether the origin is behind its plane.
    #[inline(always)]
    fn lean<S: Simd>(&mut self, simd: S, direction: V::Precise) -> bool {
        let point = self.support(simd, direction);
        self.points.push(point);
        let height = point.sum().dot(direction) * PER_LEAN;
        self.height = lesser_of(self.height, height);
        height > 0.0
    }

    /// Looks at the faces of both sides, that of the least bound first, until the bounds of all others exceed the least
    /// height.
    #[inline(always)]
    fn faces<S: Simd>(&mut self, simd: S) -> Option<Option<Found<V::Precise>>> {
        let (mut of_a, mut of_b) = (FaceBounds::default(), FaceBounds::default());
        let (faces_of_a, faces_of_b) = (self.sides[0].faces(), self.sides[1].faces());
        let mut known = [V::Precise::ZERO; FIRST_POINTS];
        let mut known_in_b = [V::Precise::ZERO; FIRST_POINTS];
        for k in 0..FIRST_POINTS {
            known[k] = self.points[k].sum();
            known_in_b[k] = self.in_side(1, known[k]);
            self.points_in_b.push(single(known_in_b[k]));
        }
        let limit = self.limit();
        let mut least_of_a = of_a.start(simd, faces_of_a, &known, limit);
        let mut least_of_b = of_b.start(simd, faces_of_b, &known_in_b, limit);
        loop {
            let limit = self.limit();
            let (is_a_open, is_b_open) = (least_of_a.bound < limit, least_of_b.bound < limit);
            if !is_a_open && !is_b_open {
                return Some(None);
            }
            // One of each side at a time, so that neither waits for the other.
            let first = self.points.len();
            if is_a_open {
                self.look_at_face::<S, 0>(simd, least_of_a.place)?;
                of_a.close(simd, least_of_a.place);
            }
            if is_b_open {
                self.look_at_face::<S, 1>(simd, least_of_b.place)?;
                of_b.close(simd, least_of_b.place);
            }
            if let Some(far) = self.is_of_no_interest() {
                return Some(Some(far));
            }
            if self.least.height <= 0.0 {
                return None;
            }
            let limit = self.limit();
            let known = [
                self.points[first].sum(),
                self.points[self.points.len() - 1].sum(),
            ];
            let known_in_b = [self.in_side(1, known[0]), self.in_side(1, known[1])];
            self.points_in_b.try_push(single(known_in_b[0])).ok()?;
            if is_a_open && is_b_open {
                self.points_in_b.try_push(single(known_in_b[1])).ok()?;
            }
            least_of_a = of_a.raise(simd, faces_of_a, &known, limit);
            least_of_b = of_b.raise(simd, faces_of_b, &known_in_b, limit);
        }
    }

    /// Directions with bounds from here on need not be looked at.
    #[inline(always)]
    fn limit(&self) -> f32 {
        (self.height + self.allowance) as f32
    }

    /// The height along the normal of a face, and the support point there. `None` if there are too many points.
    #[inline(always)]
    fn look_at_face<S: Simd, const SIDE: usize>(&mut self, simd: S, place: usize) -> Option<()> {
        let face = self.sides[SIDE].faces().numbers[place] as usize;
        let (own_normal, own_corner) = self.sides[SIDE].face(face);
        let normal = self.direction_from(SIDE, own_normal);
        let on_face = self.contribution(SIDE, own_corner);
        let beyond = self.support_of(simd, 1 - SIDE, normal);
        let of = if SIDE == 0 {
            [on_face, beyond]
        } else {
            [beyond, on_face]
        };
        let point = Point { of };
        let height = point.sum().dot(normal);
        if height < self.least.height {
            self.height = lesser_of(self.height, height);
            self.least = Candidate {
                height,
                normal,
                feature: Feature::Face { side: SIDE, face },
                point,
            };
        }
        self.points.try_push(point).ok()
    }

    #[inline(always)]
    fn is_of_no_interest(&self) -> Option<Found<V::Precise>> {
        let height = self.least.height;
        (height < self.limits.of_interest).then_some(Found::Farther { height })
    }

    /// The support point of the difference.
    #[inline(always)]
    fn support<S: Simd>(&self, simd: S, direction: V::Precise) -> Point<V::Precise> {
        Point {
            of: [
                self.support_of(simd, 0, direction),
                self.support_of(simd, 1, direction),
            ],
        }
    }

    /// What one side contributes to the support point of the difference.
    #[inline(always)]
    fn support_of<S: Simd>(&self, simd: S, side: usize, direction: V::Precise) -> V::Precise {
        let own = self.in_side(side, direction);
        self.contribution(side, self.sides[side].core.support_in_lanes(simd, own))
    }

    /// What the middle of one side contributes to the middle of the difference, which is one of its points.
    #[inline(always)]
    fn middle_of(&self, side: usize) -> V::Precise {
        self.contribution(side, self.sides[side].middle)
    }

    /// What a point of a side contributes to points of the difference.
    #[inline(always)]
    fn contribution(&self, side: usize, own: V::Precise) -> V::Precise {
        if side == 0 {
            own
        } else {
            -self.b_in_a.transform_point(own)
        }
    }

    /// A direction of the difference, as a side sees it in its own frame. What is outward for b is inward for the
    /// difference.
    #[inline(always)]
    fn in_side(&self, side: usize, direction: V::Precise) -> V::Precise {
        if side == 0 {
            direction
        } else {
            self.b_in_a.inverse_transform_direction(-direction)
        }
    }

    /// The inverse of [`Self::in_side`].
    #[inline(always)]
    fn direction_from(&self, side: usize, own: V::Precise) -> V::Precise {
        if side == 0 {
            own
        } else {
            -self.b_in_a.transform_direction(own)
        }
    }
}
