//! Tests that compare the fast simplex solver, which uses SIMD lanes, with the precise solver in
//! `simplex`.

use clearance_math::internal::lanes::dispatch;
use clearance_math::{DVec2, DVec3};

use super::*;

/// How often each kind of result occurred: the nearest point on a face, on an edge or at the newest
/// vertex, the origin inside of the simplex, or undecided.
#[derive(Debug, Default)]
struct Counts {
    faces: usize,
    edges: usize,
    newest: usize,
    holds: usize,
    unsure: usize,
}

/// Pseudo-random points around a centre, so that the origin is inside of their hull, near it or far from
/// it. They depend on the number of the round alone.
fn random_points<P: PreciseVector>(round: usize) -> Vec<P> {
    let vector = |seed: f64| {
        let turn = |k: f64| (seed * (12.9898 + k)).sin() * 43.75;
        P::from_space(DVec3::new(turn(0.0), turn(1.7), turn(3.1)) / 43.75)
    };
    let centre = vector(round as f64 + 0.5) * [0.2, 0.7, 1.5][round % 3];
    let point = |k: usize| vector((round * 31 + k) as f64) + centre;
    (0..4 + round % 9).map(point).collect()
}

/// Runs a GJK search for the hull of the points, and compares each step with the precise solver.
fn compare_with_precise<S: Simd, P: PreciseVector>(simd: S, points: &[P], counts: &mut Counts) {
    let vertex = |point| Vertex::between(point, P::ZERO);
    let mut simplex = SimplexInLanes::from_vertex(simd, &vertex(points[0]), 1.0);
    for _ in 0..32 {
        let direction = simplex.toward().direction;
        let lower = |p: &&P, q: &&P| p.dot(direction).total_cmp(&q.dot(direction));
        let lowest = vertex(*points.iter().min_by(lower).expect("points"));
        if simplex.contains(&lowest) {
            return;
        }
        let expected = Simplex::nearest_of(simplex.vertices()).with(&lowest).point;
        let reached = match simplex.next(lowest.point) {
            Trial::Nearer(toward, carriers) => {
                *match carriers {
                    Carriers::Face(_) => &mut counts.faces,
                    Carriers::Edge(_) => &mut counts.edges,
                    Carriers::Newest => &mut counts.newest,
                } += 1;
                toward.nearest()
            }
            Trial::Holds => {
                counts.holds += 1;
                P::ZERO
            }
            Trial::Unsure => {
                counts.unsure += 1;
                expected
            }
        };
        assert!((reached - expected).length() < 1e-12, "{points:?}");
        match simplex.add(&lowest, 0.0) {
            Added::Nearer => {}
            Added::NotNearer | Added::Holds(_) => return,
        }
    }
}

fn compare_all<P: PreciseVector>() -> Counts {
    let mut counts = Counts::default();
    for round in 0..3000 {
        let points = random_points::<P>(round);
        dispatch!(simd => compare_with_precise(simd, &points, &mut counts));
    }
    counts
}

#[test]
fn the_fast_solver_agrees_with_the_precise_one_and_is_rarely_undecided() {
    let counts = [compare_all::<DVec2>(), compare_all::<DVec3>()];
    for counts in &counts {
        assert!(
            counts.edges > 300 && counts.newest > 30 && counts.holds > 300,
            "{counts:?}"
        );
        assert!(counts.unsure * 100 < counts.edges, "{counts:?}");
    }
    assert!(counts[1].faces > 2000, "{counts:?}");
}

/// How often the simplex after a motion was the nearest one, a farther one, or said to hold the origin.
#[derive(Debug, Default)]
struct Moved {
    nearest: usize,
    farther: usize,
    holds: usize,
}

/// The point nearest to the origin of the surface of a simplex.
fn nearest_of_all<P: PreciseVector>(olds: &[Vertex<P>], newest: Vertex<P>) -> P {
    let of = |vertices: &[Vertex<P>]| Simplex::nearest_of(vertices).witness_points().0;
    match *olds {
        [a] => of(&[a, newest]),
        [a, b] => of(&[a, b, newest]),
        [a, b, c] => [[a, b, c], [a, b, newest], [b, c, newest], [c, a, newest]]
            .map(|face| of(&face))
            .into_iter()
            .reduce(|p, q| if p.length() <= q.length() { p } else { q })
            .expect("four faces"),
        _ => unreachable!("at most three vertices are kept"),
    }
}

/// Runs some steps of a search, then moves the origin most of the way up to the plane of the last vertex,
/// and sideways.
fn compare_after_motion<S: Simd, P: PreciseVector>(
    simd: S,
    (round, points): (usize, &[P]),
    moved: &mut Moved,
) {
    let vertex = |point| Vertex::between(point, P::ZERO);
    let mut simplex = SimplexInLanes::from_vertex(simd, &vertex(points[0]), 1.0);
    for step in 0.. {
        let direction = simplex.toward().direction;
        let lower = |p: &&P, q: &&P| p.dot(direction).total_cmp(&q.dot(direction));
        let lowest = vertex(*points.iter().min_by(lower).expect("points"));
        let height = lowest.point.dot(direction) / direction.length_squared();
        if height > 0.0 && step >= round % 4 {
            let sideways = direction.perpendicular() * ((round % 7) as f64 * 0.1 - 0.3);
            let offset = direction * (0.9 * height) + sideways;
            let after = |v: &Vertex<P>| vertex(v.point - offset);
            let newest = after(&lowest);
            let olds: Vec<_> = simplex.vertices().iter().map(after).collect();
            let expected = nearest_of_all(&olds, newest);
            match simplex.move_b_and_add(offset, &newest) {
                Added::Holds(_) => moved.holds += 1,
                _ => {
                    let reached = simplex.toward().nearest();
                    let is_nearest = (reached - expected).length() < 1e-9;
                    assert!(reached.length() > expected.length() - 1e-9, "{points:?}");
                    *if is_nearest {
                        &mut moved.nearest
                    } else {
                        &mut moved.farther
                    } += 1;
                }
            }
            return;
        }
        if simplex.contains(&lowest) || !matches!(simplex.add(&lowest, 0.0), Added::Nearer) {
            return;
        }
    }
}

fn compare_all_after_motion<P: PreciseVector>() -> Moved {
    let mut moved = Moved::default();
    for round in 0..3000 {
        let points = random_points::<P>(round);
        dispatch!(simd => compare_after_motion(simd, (round, &points), &mut moved));
    }
    moved
}

#[test]
fn after_a_motion_the_simplex_is_nearly_always_the_nearest() {
    for moved in [
        compare_all_after_motion::<DVec2>(),
        compare_all_after_motion::<DVec3>(),
    ] {
        assert!(moved.nearest > 500, "{moved:?}");
        assert!(
            moved.nearest > 9 * (moved.farther + moved.holds),
            "{moved:?}"
        );
    }
}
