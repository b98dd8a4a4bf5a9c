//! Polytopes against the separating axis theorem, by brute force in double precision.
//!
//! Two convex polytopes are apart exactly if a normal of a face of one, or the product of an edge
//! of each, separates them; if they overlap the least overlap over those axes is the depth
//! (Gottschalk, Lin, Manocha, "OBBTree: A Hierarchical Structure for Rapid Interference
//! Detection", 1996). More axes do no harm, so all planes through three corners and all lines
//! through two are taken.

use clearance_gjk::{core_corners, intersects, measure};
use clearance_math::{DVec3, PreciseVector, Real, RelativePose, Vector};
use clearance_shapes::{Core, Shape};

use crate::common::{Body, Kind, Pcg, Space, body, in_both_dimensions, iterations, size_of};

in_both_dimensions!(
    cuboids_agree_with_the_separating_axis_theorem,
    polytopes_agree_with_the_separating_axis_theorem,
);

/// Signed distances nearer to zero than this, relative to the size, are not judged.
const TOUCHING: f64 = 1e-7;

/// Points whose hull is meant, and the directions that are normals of its faces or edges.
struct Polytope<P> {
    corners: Vec<P>,
    normals: Vec<P>,
    edges: Vec<DVec3>,
}

impl<P: PreciseVector> Polytope<P> {
    /// The shape at `pose`.
    fn new<V: Vector<Precise = P>>(shape: &Shape<V>, pose: &RelativePose<P>) -> Self {
        let Shape::Convex(convex) = shape else {
            panic!("a half-space has no corners")
        };
        let corners: Vec<P> = core_corners(convex.core())
            .expect("a polytope")
            .into_iter()
            .map(|corner| pose.transform_point(corner.to_precise()))
            .collect();
        if matches!(convex.core(), Core::Cuboid(_)) {
            let axes = || (0..P::DIM).map(|k| pose.transform_direction(P::axis(k)));
            return Self {
                normals: axes().collect(),
                edges: axes().map(PreciseVector::in_space).collect(),
                corners,
            };
        }
        let edges = edges(&corners);
        Self {
            normals: normals(&edges),
            edges: edges.into_iter().map(PreciseVector::in_space).collect(),
            corners,
        }
    }

    fn extent(&self, axis: P) -> [f64; 2] {
        let heights = self.corners.iter().map(|corner| corner.dot(axis));
        heights.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], height| {
            [low.min(height), high.max(height)]
        })
    }
}

/// The vectors from every point to every later one.
fn edges<P: PreciseVector>(points: &[P]) -> Vec<P> {
    let later = |k: usize| points[k + 1..].iter().map(move |p| *p - points[k]);
    (0..points.len()).flat_map(later).collect()
}

fn normals<P: PreciseVector>(edges: &[P]) -> Vec<P> {
    let unit = |vector: DVec3| P::from_space(vector).direction();
    if P::DIM == 2 {
        let across = |edge: &P| edge.in_space().cross(DVec3::Z);
        return edges.iter().filter_map(|edge| unit(across(edge))).collect();
    }
    let pairs = edges.iter().enumerate().flat_map(|(k, u)| {
        edges[k + 1..]
            .iter()
            .map(|v| u.in_space().cross(v.in_space()))
    });
    pairs.filter_map(unit).collect()
}

/// The greatest gap along any of the axes; negative, the least overlap.
fn separation<P: PreciseVector>(a: &Polytope<P>, b: &Polytope<P>) -> f64 {
    let gap = |axis: P| {
        let ([low_a, high_a], [low_b, high_b]) = (a.extent(axis), b.extent(axis));
        (low_b - high_a).max(low_a - high_b)
    };
    let of_faces = a
        .normals
        .iter()
        .chain(&b.normals)
        .map(|normal| gap(*normal));
    let mut most = of_faces.fold(f64::NEG_INFINITY, f64::max);
    if P::DIM == 3 {
        for u in &a.edges {
            for v in &b.edges {
                let across = u.cross(*v);
                // The product of parallel edges says nothing.
                if across.length() > 1e-9 * u.length() * v.length() {
                    most = most.max(gap(P::from_space(across / across.length())));
                }
            }
        }
    }
    most
}

/// Asks about one pair; returns whether it overlaps.
fn check<V: Vector>(a: &Body<V>, b: &Body<V>) -> bool {
    let b_in_a = RelativePose::between(&a.pose, &b.pose);
    let here = RelativePose::from_pose(&clearance_math::Pose::<V>::IDENTITY);
    let expected = separation(
        &Polytope::new(&a.shape, &here),
        &Polytope::new(&b.shape, &b_in_a),
    );
    let size = size_of(a, b);
    let answer = measure(a.placed(), b.placed(), Real::INFINITY)
        .near()
        .expect("bounded");
    let context = format!("{expected:e} {answer:?} {a:?} {b:?}");
    let slack = 1e-12 * size;
    assert!(f64::from(answer.upper) >= expected - slack, "{context}");
    if expected < -TOUCHING * size {
        assert!(intersects(a.placed(), b.placed()).unwrap(), "{context}");
        assert!(f64::from(answer.lower) <= expected + slack, "{context}");
        let error = (f64::from(answer.distance) - expected).abs();
        assert!(error <= 1e-6 * size, "{error:e} {context}");
    } else if expected > TOUCHING * size {
        assert!(!intersects(a.placed(), b.placed()).unwrap(), "{context}");
        assert!(answer.lower > 0.0, "{context}");
    }
    expected < 0.0
}

/// Pairs of the kinds at random poses, so near each other that about half of them overlap.
fn check_pairs<V: Space>(seed: u64, count: usize, nearness: f64, kinds: &[Kind]) {
    let mut random = Pcg::new(seed);
    let mut overlapping = 0;
    for _ in 0..count {
        let (kind_a, kind_b) = (random.pick(kinds), random.pick(kinds));
        let size = random.log_between(0.3, 3.0);
        let a = body::<V>(kind_a, &mut random, size);
        let b = body::<V>(kind_b, &mut random, 1.0);
        let apart = random.vector::<V::Precise>() * (nearness * (1.0 + size));
        overlapping += usize::from(check(&a, &b.moved_to(apart)));
    }
    let share = overlapping as f64 / count as f64;
    assert!((0.3..=0.7).contains(&share), "{share} of the pairs overlap");
}

fn cuboids_agree_with_the_separating_axis_theorem<V: Space>() {
    check_pairs::<V>(61, iterations(20_000), 1.0, &[Kind::Cuboid]);
}

fn polytopes_agree_with_the_separating_axis_theorem<V: Space>() {
    let kinds = [Kind::Triangle, Kind::Triangle, Kind::Cuboid, Kind::Hull];
    let nearness = if V::DIM == 2 { 0.6 } else { 0.4 };
    check_pairs::<V>(62, iterations(20_000 / 10), nearness, &kinds);
}
