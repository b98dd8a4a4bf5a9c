//! The production simplex solvers, the one in lanes and the careful one, against the algorithm of Wolfe.

use clearance_gjk::{
    Difference, Goal, Iteration, Placed, SearchResult, Simplex, Vertex, measure, search, trace,
};
use clearance_math::{Matrix, Pose, PreciseVector, Real, RelativePose};
use clearance_shapes::{Shape, Support};

use crate::common::{Pcg, Space, in_both_dimensions, iterations, length_to_hull, turned};

in_both_dimensions!(
    simplex_and_reference_agree_on_random_points,
    simplex_and_reference_agree_on_a_grid,
    simplex_and_reference_agree_on_flat_points,
    simplex_and_reference_agree_on_thin_points,
    searches_between_hulls_go_on_as_the_reference,
);

/// How far two answers may differ, relative to the largest coordinate.
const ROUNDING: f64 = 1e-14;

/// How far steps of a search may differ: it ends where the next step would bring less than this.
const SOUGHT: f64 = 1e-9;

/// How thick the thin points are, and how far the solver may be off on them, relative to the size:
/// the plane of a needle is known as well as the needle is wide.
const THIN: [(f64, f64); 6] = [
    (1e-2, 1e-9),
    (1e-4, 1e-8),
    (1e-6, 1e-6),
    (1e-8, 1e-6),
    (1e-10, 1e-5),
    (1e-14, 1e-2),
];

fn vertex<P: PreciseVector>(point: P) -> Vertex<P> {
    Vertex {
        point,
        on_a: point,
        on_b: P::ZERO,
    }
}

/// The largest distance of a point from the origin.
fn size<P: PreciseVector>(points: &[P]) -> f64 {
    points.iter().fold(0.0, |size, p| p.length().max(size))
}

/// Walks through a cloud as GJK does and compares each simplex with the reference, from which it
/// may differ by `slack` relative to the size. Returns the number of simplices.
fn walk<P: PreciseVector>(points: &[P], slack: f64) -> usize {
    let size = size(points);
    let mut simplex = Simplex::from_vertex(vertex(points[0]));
    let mut nearest = points[0];
    let mut count = 0;
    for _ in 0..64 {
        let lower = |p: &&P, q: &&P| p.dot(nearest).total_cmp(&q.dot(nearest));
        let lowest = vertex(*points.iter().min_by(lower).expect("points"));
        if simplex.contains(&lowest) || nearest.length() <= ROUNDING * size {
            break;
        }
        let mut asked: Vec<P> = simplex.vertices().iter().map(|v| v.point).collect();
        asked.push(lowest.point);
        let found = simplex.with(&lowest);
        let behind = found.point.length() - length_to_hull(&asked);
        assert!(behind.abs() <= slack * size, "{behind:e}: {asked:?}");
        count += 1;
        if found.point.length_squared() >= nearest.length_squared() {
            break;
        }
        simplex.keep(&found, &lowest);
        if simplex.is_full() {
            break;
        }
        check_weights(&simplex, found.point, slack * size);
        nearest = found.point;
    }
    count
}

/// The hull of some points.
struct Cloud<'a, P>(&'a [P]);

impl<P: PreciseVector> Support<P> for Cloud<'_, P> {
    fn support(&self, direction: P) -> P {
        let lower = |p: &&P, q: &&P| p.dot(direction).total_cmp(&q.dot(direction));
        *self.0.iter().max_by(lower).expect("points")
    }

    fn center(&self) -> P {
        let sum = self.0.iter().fold(P::ZERO, |sum, point| sum + *point);
        sum / self.0.len() as f64
    }

    fn bounding_radius(&self) -> f64 {
        size(self.0)
    }
}

/// Watches the search for the distance of a cloud from the origin, and compares every step of its
/// simplex with the reference. Returns the number of steps.
fn watch<P: PreciseVector>(points: &[P], slack: f64) -> usize {
    let slack = slack * size(points);
    let (cloud, origin) = (Cloud(points), [P::ZERO]);
    let in_place = RelativePose {
        rotation: P::Matrix::IDENTITY,
        translation: P::ZERO,
    };
    let origin = Cloud(&origin);
    let difference = Difference::new(&cloud, &origin, in_place);
    let mut steps = Some(Vec::new());
    let found = search(&difference, Goal::closest_point(), &mut steps);
    let last = match &found {
        SearchResult::Separated(found) => {
            (found.witness_points.0 - found.witness_points.1).length()
        }
        SearchResult::Overlapping(overlap) if overlap.simplex.is_full() => {
            let sum: f64 = overlap.simplex.weights().iter().sum();
            assert!((sum - 1.0).abs() <= 1e-12, "{sum}: {overlap:?}");
            // In space the weights stand for the centre.
            if P::DIM == 2 {
                let (on_a, on_b) = overlap.simplex.witness_points();
                assert!((on_a - on_b).length() <= slack, "{overlap:?}");
            }
            0.0
        }
        SearchResult::Overlapping(overlap) => overlap.simplex.witness_points().0.length(),
        SearchResult::Farther { .. } => panic!("no range was asked for"),
    };
    let steps = steps.unwrap_or_default();
    check_steps(&steps, last, slack);
    steps.len()
}

/// Each step comes as near as the reference with its simplex and its vertex, the last to `last`.
fn check_steps<P: PreciseVector>(steps: &[Iteration<P>], last: f64, slack: f64) {
    for (place, step) in steps.iter().enumerate() {
        let mut asked: Vec<P> = step.simplex.vertices().iter().map(|v| v.point).collect();
        asked.push(step.support.point);
        let expected = length_to_hull(&asked);
        let reached = steps.get(place + 1).map_or(last, |next| next.upper);
        let behind = reached - expected;
        assert!(behind.abs() <= slack, "{behind:e}: {asked:?}");
    }
}

/// Weights are positive, sum to one and give the point, whose region has the name of its number of vertices.
fn check_weights<P: PreciseVector>(simplex: &Simplex<P>, point: P, slack: f64) {
    let weights = simplex.weights();
    assert!(weights.iter().all(|weight| *weight > 0.0), "{simplex:?}");
    let sum: f64 = weights.iter().sum();
    assert!((sum - 1.0).abs() <= 1e-12, "{sum}: {simplex:?}");
    let (on_a, on_b) = simplex.witness_points();
    let off = ((on_a - on_b) / sum - point).length();
    assert!(off <= slack, "{off:e}: {simplex:?}");
    let names = [
        "vertex",
        "edge",
        if P::DIM == 2 { "interior" } else { "face" },
        "interior",
    ];
    assert_eq!(simplex.region().name(), names[weights.len() - 1]);
}

/// Clouds made by `cloud` about centres from inside to far outside.
fn walk_clouds<P: PreciseVector>(slack: f64, cloud: impl Fn(&mut Pcg) -> Vec<P>) {
    let mut random = Pcg::new(11);
    let (mut count, mut watched) = (0, 0);
    let rounds = iterations(4000);
    for round in 0..rounds {
        let shift = random.vector::<P>() * [0.0, 0.1, 1.0, 1e3][round % 4];
        let points: Vec<P> = cloud(&mut random).iter().map(|p| *p + shift).collect();
        count += walk(&points, slack);
        watched += watch(&points, slack.max(SOUGHT));
    }
    assert!(count > rounds, "only {count} simplices in {rounds} walks");
    assert!(
        watched > rounds,
        "only {watched} steps of {rounds} searches"
    );
}

fn random_cloud<P: PreciseVector>(random: &mut Pcg) -> Vec<P> {
    let count = 4 + random.below(30);
    (0..count).map(|_| random.vector()).collect()
}

fn simplex_and_reference_agree_on_random_points<V: Space>() {
    walk_clouds::<V::Precise>(ROUNDING, random_cloud);
}

/// Many collinear, coplanar and repeated points.
fn grid<P: PreciseVector>(random: &mut Pcg) -> Vec<P> {
    let count = 4 + random.below(30);
    let node = |random: &mut Pcg| {
        (0..P::DIM).fold(P::ZERO, |p, k| {
            p.with_component(k, random.below(4) as f64 - 1.5)
        })
    };
    (0..count).map(|_| node(random)).collect()
}

fn simplex_and_reference_agree_on_a_grid<V: Space>() {
    walk_clouds::<V::Precise>(ROUNDING, grid);
    // Centred on the origin, which then lies on nodes, edges and faces.
    let mut random = Pcg::new(12);
    for _ in 0..iterations(4000) {
        let half = V::Precise::splat(if random.chance(0.5) { 0.5 } else { 0.0 });
        let points: Vec<V::Precise> = grid::<V::Precise>(&mut random)
            .iter()
            .map(|p| *p + half)
            .collect();
        walk(&points, ROUNDING);
        watch(&points, SOUGHT);
    }
}

fn simplex_and_reference_agree_on_flat_points<V: Space>() {
    for rank in 1..V::DIM {
        walk_clouds::<V::Precise>(1e-9, |random| {
            let axes: Vec<V::Precise> = (0..rank).map(|_| random.vector()).collect();
            let count = 4 + random.below(10);
            let point = |random: &mut Pcg| {
                axes.iter().fold(V::Precise::ZERO, |sum, axis| {
                    sum + *axis * random.between(-1.0, 1.0)
                })
            };
            (0..count).map(|_| point(random)).collect()
        });
    }
}

fn simplex_and_reference_agree_on_thin_points<V: Space>() {
    for (thickness, slack) in THIN {
        for thin_axes in 1..V::DIM {
            walk_clouds::<V::Precise>(slack, |random| {
                let turned = random.direction::<V::Precise>();
                let mut cloud = random_cloud::<V::Precise>(random);
                for point in &mut cloud {
                    for k in 0..thin_axes {
                        *point = point.with_component(k, point.component(k) * thickness);
                    }
                    // A reflection: turns the thin side away from the axes.
                    *point -= turned * (2.0 * turned.dot(*point));
                }
                cloud
            });
        }
    }
}

/// Hulls of few corners and of many, from far apart to touching.
fn searches_between_hulls_go_on_as_the_reference<V: Space>() {
    let mut random = Pcg::new(14);
    let mut searches = 0;
    for round in 0..iterations(4000) {
        let most = [4, 8, 30, 60][round % 4];
        let (a, b) = (hull::<V>(&mut random, most), hull::<V>(&mut random, most));
        let in_place = Pose::IDENTITY;
        let away = random.direction::<V::Precise>() * random.between(1.0, 5.0);
        let pose = Pose::new(V::from_precise(away), turned::<V>(&mut random));
        let (a, b) = (Placed::new(&a, &in_place), Placed::new(&b, &pose));
        let near = measure(a, b, Real::INFINITY).near().expect("no range");
        if near.distance < 1e-3 {
            continue;
        }
        let steps = trace(a, b).expect("valid poses");
        searches += 1;
        assert_eq!(steps[0].simplex.vertices().len(), 1);
        check_weights(&steps[0].simplex, -steps[0].direction, 1e-12);
        // Rounded to single precision.
        let slack = 1e-6 * f64::from(near.distance).max(1.0);
        check_steps(&steps, f64::from(near.distance), slack);
    }
    assert!(searches > 2000, "{searches}");
}

/// The hull of four points and more on a circle or sphere.
fn hull<V: Space>(random: &mut Pcg, most: usize) -> Shape<V> {
    let count = 4 + random.below(most - 3);
    let points: Vec<V> = (0..count)
        .map(|_| V::from_precise(random.direction()))
        .collect();
    Shape::hull(&points).expect("points in general position")
}
