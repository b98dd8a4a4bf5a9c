//! Penetration depth in 3D by an expanding polytope.

use core::hint::select_unpredictable;

use arrayvec::ArrayVec;
use clearance_math::internal::MapEach;
use clearance_math::internal::lanes::{Simd, dispatch};
use clearance_math::{DVec3, PreciseVector, greater_of, tolerances};

use super::corner_search::CornerSearch;
use super::polytope::{ExpandingPolytope, Face};
use super::{Depth, Limits, flat};
use crate::search::{
    Expansion, Minkowski, Simplex, SupportMapping, Vertex, record, tetrahedron_surely_holds_origin,
};

/// The depth by the expanding polytope algorithm.
///
/// A polytope inside the difference grows until its face nearest to the origin lies on the boundary of
/// the difference. It starts from vertices of `simplex`, which is what GJK ended with.
///
/// Source: van den Bergen, "Proximity Queries and Penetration Depth Computation on 3D Game Objects"
/// (2001). There are three changes. The polytope starts from any tetrahedron inside the difference,
/// whether or not it contains the origin: a face with the origin in front of it has a negative
/// distance, so it is expanded first. The best direction so far gives an upper bound of the depth. And
/// each step gives a lower bound.
pub(super) fn expand<P: PreciseVector>(
    difference: &impl Minkowski<P>,
    simplex: &Simplex<P>,
    limits: Limits,
    steps: &mut Option<Vec<Expansion<P>>>,
) -> Depth<P> {
    let support = |direction: DVec3| in_space(&difference.support(P::from_space(direction)));
    let corners = match solid(simplex) {
        Some(corners) => Ok(corners),
        None => {
            let thin = tolerances::FLAT_DIFFERENCE * difference.size() + difference.rounding();
            let known: ArrayVec<_, 4> = simplex.vertices().iter().map(in_space).collect();
            tetrahedron(&support, &known, thin)
        }
    };
    let depth = match corners {
        Ok(corners) => {
            let depth = grow(difference, &corners, limits, steps);
            if depth.height.is_finite() {
                depth
            } else {
                // All faces were slivers, so the difference is a needle.
                let along = corners[1].point - corners[0].point;
                flat(&support, along.perpendicular())
            }
        }
        Err(normal) => flat(&support, normal),
    };
    depth.map(P::from_space)
}

#[inline(always)]
fn in_space<P: PreciseVector>(vertex: &Vertex<P>) -> Vertex<DVec3> {
    vertex.map(PreciseVector::in_space)
}

/// The vertices of a simplex, if they are the corners of a tetrahedron so far from flat that looking for a better one
/// is not worthwhile.
#[inline(always)]
fn solid<P: PreciseVector>(simplex: &Simplex<P>) -> Option<[Vertex<DVec3>; 4]> {
    let [a, b, c, d] = simplex.vertices() else {
        return None;
    };
    let corners = [in_space(a), in_space(b), in_space(c), in_space(d)];
    is_solid(&corners).then_some(corners)
}

/// A tetrahedron whose corners are vertices of the difference.
///
/// If the difference is not thicker than `thin`, so that it counts as flat, the error is the direction
/// perpendicular to it.
#[inline(never)]
fn tetrahedron(
    support: &dyn Fn(DVec3) -> Vertex<DVec3>,
    known: &[Vertex<DVec3>],
    thin: f64,
) -> Result<[Vertex<DVec3>; 4], DVec3> {
    let first = known[0];
    let corners = CornerSearch {
        support,
        known,
        enough: tolerances::FAR_FROM_FLAT * thin,
        thin,
    };
    let axes = [DVec3::X, DVec3::Y, DVec3::Z];
    let from_first = |v: &Vertex<DVec3>| (v.point - first.point).length();
    let Some(second) = corners.farthest(&axes, &from_first) else {
        return Err(DVec3::X);
    };
    let along = (second.point - first.point).normalize();
    let across = along.perpendicular();
    let sides = [across, along.cross(across)];
    let from_line = |v: &Vertex<DVec3>| (v.point - first.point).cross(along).length();
    let Some(third) = corners.farthest(&sides, &from_line) else {
        return Err(across);
    };
    let normal = along.cross(third.point - first.point).normalize();
    let from_plane = |v: &Vertex<DVec3>| (v.point - first.point).dot(normal).abs();
    match corners.farthest(&[normal], &from_plane) {
        Some(fourth) => Ok([first, second, third, fourth]),
        None => Err(normal),
    }
}

fn is_solid([a, b, c, d]: &[Vertex<DVec3>; 4]) -> bool {
    let [u, v, w] = [b, c, d].map_each(|vertex| vertex.point - a.point);
    let volume = u.dot(v.cross(w));
    let edges = u.length_squared() * v.length_squared() * w.length_squared();
    volume * volume > tolerances::SOLID * tolerances::SOLID * edges
}

/// Enough vertices for nearly every overlap: most need about ten.
const FEW: usize = 64;

/// How many vertices a polytope has at most. If round shapes have almost the same centre, whole circles of directions are almost
/// equally deep. A few hundred faces
/// around such a circle bring the bounds within [`tolerances::SMOOTH_DEPTH_GAP`].
const MANY: usize = 512;

/// Expands a polytope from a tetrahedron. Where [`FEW`] vertices do not suffice it starts anew with room for [`MANY`].
fn grow<P: PreciseVector>(
    difference: &impl Minkowski<P>,
    corners: &[Vertex<DVec3>; 4],
    limits: Limits,
    steps: &mut Option<Vec<Expansion<P>>>,
) -> Depth<DVec3> {
    let before = steps.as_ref().map_or(0, Vec::len);
    let few = grow_within::<_, FEW, { FEW / 2 }>(difference, corners, limits, steps);
    few.unwrap_or_else(|_| {
        if let Some(steps) = steps {
            steps.truncate(before);
        }
        let by_call = ByCall(&|direction| difference.support(direction));
        let many = grow_within::<_, MANY, { MANY / 2 }>(&by_call, corners, limits, steps);
        many.unwrap_or_else(|depth| depth)
    })
}

/// Expands a polytope from a tetrahedron, with room for some vertices. Where there are not enough, the depth so far is
/// the error.
#[inline(never)]
fn grow_within<P: PreciseVector, const VERTICES: usize, const BLOCKS: usize>(
    difference: &impl SupportMapping<P>,
    corners: &[Vertex<DVec3>; 4],
    limits: Limits,
    steps: &mut Option<Vec<Expansion<P>>>,
) -> Result<Depth<DVec3>, Depth<DVec3>> {
    let mut polytope = ExpandingPolytope::<VERTICES, BLOCKS>::new();
    polytope.start(corners);
    let mut depth = dispatch!(simd => expand_fully(simd, difference, &mut polytope, limits, steps));
    if !surely_holds_origin(&polytope, limits.rounding) {
        depth.lower = depth.lower.min(0.0);
    }
    if polytope.is_full() {
        Err(depth)
    } else {
        Ok(depth)
    }
}

/// The farthest points of a difference by calls: what asks for them is compiled once for all differences.
struct ByCall<'a, P>(&'a dyn Fn(P) -> Vertex<P>);

impl<P: PreciseVector> SupportMapping<P> for ByCall<'_, P> {
    fn support(&self, direction: P) -> Vertex<P> {
        (self.0)(direction)
    }

    fn support_in_lanes<S: Simd>(&self, _simd: S, direction: P) -> Vertex<P> {
        (self.0)(direction)
    }
}

/// Whether the origin is behind all faces if it is behind those whose planes are known.
///
/// Faces whose planes are unknown may have the origin in front of them, unless the tetrahedron from which the polytope
/// started contained it.
fn surely_holds_origin<const VERTICES: usize, const BLOCKS: usize>(
    polytope: &ExpandingPolytope<VERTICES, BLOCKS>,
    rounding: f64,
) -> bool {
    polytope.sliver_width() <= rounding
        || tetrahedron_surely_holds_origin(polytope.start_corners(), rounding)
}

/// Adds support points to the polytope until its nearest face lies on the boundary of the difference,
/// or until it is full.
#[inline(always)]
fn expand_fully<S: Simd, P: PreciseVector, const VERTICES: usize, const BLOCKS: usize>(
    simd: S,
    difference: &impl SupportMapping<P>,
    polytope: &mut ExpandingPolytope<VERTICES, BLOCKS>,
    limits: Limits,
    steps: &mut Option<Vec<Expansion<P>>>,
) -> Depth<DVec3> {
    let Limits { gap, rounding, .. } = limits;
    let mut best = Depth::along(DVec3::X, [0.0, f64::INFINITY]);
    let scale = rounding / tolerances::DIFFERENCE_ROUNDING;
    loop {
        let face = polytope.nearest_face();
        if face.distance == f64::INFINITY {
            return best; // only slivers are left
        }
        best.lower = greater_of(best.lower, face.distance - polytope.slack(scale));
        let vertex = difference.support_in_lanes(simd, P::from_space(face.normal));
        let vertex = in_space(&vertex);
        let height = vertex.point.dot(face.normal);
        let is_lower = height < best.height;
        best.height = select_unpredictable(is_lower, height, best.height);
        best.normal = select_unpredictable(is_lower, face.normal, best.normal);
        record(steps, || step(polytope, &face, &vertex, &best, rounding));
        if best.height < limits.of_interest {
            return best;
        }
        // The face lies on the boundary of the difference, or so close to it that no other face can
        // be much nearer to the origin.
        let below = height - face.distance;
        if below <= 2.0 * rounding || (below <= gap && best.height - best.lower <= gap) {
            if height - best.height <= gap {
                // The witness points belong to this face, so its normal and depth are used, even if
                // another normal was slightly better.
                best.height = height;
                best.normal = face.normal;
                best.witnesses = polytope.witness_points(&face, gap);
            }
            return best;
        }
        let is_known = below <= gap && polytope.contains(&vertex);
        if is_known || polytope.is_full() || !polytope.add(simd, &face, &vertex, rounding) {
            return best;
        }
    }
}

/// A step of the polytope as a trace shows it.
#[cold]
fn step<P: PreciseVector, const VERTICES: usize, const BLOCKS: usize>(
    polytope: &ExpandingPolytope<VERTICES, BLOCKS>,
    face: &Face,
    support: &Vertex<DVec3>,
    best: &Depth<DVec3>,
    rounding: f64,
) -> Expansion<P> {
    let [lower, upper] = best.bounds(rounding);
    let from_space = |vertex: Vertex<DVec3>| vertex.map(P::from_space);
    Expansion {
        vertices: polytope.vertices().map(from_space).collect(),
        corners: polytope.corners(),
        nearest: face.index(),
        point: P::from_space(face.normal * face.distance),
        normal: P::from_space(face.normal),
        support: from_space(*support),
        lower: if surely_holds_origin(polytope, rounding) {
            lower
        } else {
            0.0
        },
        upper,
    }
}

#[cfg(test)]
mod tests {
    use clearance_math::{Pose, Quat, RelativePose, Vec3};
    use clearance_shapes::Shape;

    use super::*;
    use crate::search::Cores;
    use crate::test_numbers::{number, vector};

    /// The depth of two cores by a polytope that grows into a large one, and by one that is large from the beginning, with the
    /// numbers of their steps.
    fn depths(difference: &Cores<'_, Vec3>) -> [(String, usize); 2] {
        let support = |direction: DVec3| difference.support(direction);
        let thin = tolerances::FLAT_DIFFERENCE * difference.size() + difference.rounding();
        let known = [support(DVec3::X)];
        let corners = tetrahedron(&support, &known, thin).expect("the difference is not flat");
        let limits = Limits::new(difference, f64::INFINITY, 1e-9);
        let mut steps = [Some(Vec::new()), Some(Vec::new())];
        let by_call = ByCall(&support);
        let many = grow_within::<_, MANY, { MANY / 2 }>(&by_call, &corners, limits, &mut steps[1]);
        let found = [
            grow(difference, &corners, limits, &mut steps[0]),
            many.unwrap_or_else(|depth| depth),
        ];
        let [one, other] = steps.map(|steps| steps.expect("it was asked for"));
        assert!(one == other, "the steps differ");
        [
            (format!("{:?}", found[0]), one.len()),
            (format!("{:?}", found[1]), other.len()),
        ]
    }

    #[test]
    fn a_polytope_that_has_to_become_large_ends_as_one_that_was_large_from_the_beginning() {
        let mut large = 0;
        for k in 0..60 {
            let radii = (vector(k, 0).abs() + Vec3::splat(0.1)) * 2.0;
            let round = Shape::ellipsoid(radii.with_z(radii.x)).expect("an ellipsoid");
            let flat = Shape::cylinder(0.2 + number(k, 3).abs(), 0.3).expect("a cylinder");
            // Where they are centred on each other, whole circles of directions are nearly as deep.
            let scale = if k % 2 == 0 { 1.0 } else { 1e-3 };
            let turn = Quat::from_axis_angle(vector(k, 4).normalize(), scale * number(k, 7));
            let pose = Pose::<Vec3>::new(vector(k, 8) * (0.3 * scale), turn);
            let pose = RelativePose::from_pose(&pose);
            let (Shape::Convex(a), Shape::Convex(b)) = (&round, &flat) else {
                panic!("both are convex");
            };
            let [one, other] = depths(&Cores::new(a, b, &pose));
            assert_eq!(one, other, "{k}");
            large += usize::from(one.1 > FEW);
        }
        assert!((10..50).contains(&large), "{large} of 60 are large");
    }
}
