//! The simplex in lanes against the careful one.

use clearance_math::lanes::{dispatch, level};
use clearance_math::{DVec2, DVec3};

use super::*;

/// How often a simplex got which carriers.
#[derive(Debug, Default)]
struct Seen {
    faces: usize,
    edges: usize,
    newest: usize,
    holds: usize,
    unsure: usize,
}

/// Some points about a centre that is inside, near or far off, the same for the same round.
fn cloud<P: PreciseVector>(round: usize) -> Vec<P> {
    let vector = |seed: f64| {
        let turn = |k: f64| (seed * (12.9898 + k)).sin() * 43.75;
        P::from_space(DVec3::new(turn(0.0), turn(1.7), turn(3.1)) / 43.75)
    };
    let centre = vector(round as f64 + 0.5) * [0.2, 0.7, 1.5][round % 3];
    let point = |k: usize| vector((round * 31 + k) as f64) + centre;
    (0..4 + round % 9).map(point).collect()
}

/// Goes through a cloud as a search does, and compares each step with the careful solver.
fn walk<S: Simd, P: PreciseVector>(simd: S, points: &[P], seen: &mut Seen) {
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
            Next::Nearer(toward, carriers) => {
                *match carriers {
                    Carriers::Face(_) => &mut seen.faces,
                    Carriers::Edge(_) => &mut seen.edges,
                    Carriers::Newest => &mut seen.newest,
                } += 1;
                toward.nearest()
            }
            Next::Holds => {
                seen.holds += 1;
                P::ZERO
            }
            Next::Unsure => {
                seen.unsure += 1;
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

fn walk_clouds<P: PreciseVector>() -> Seen {
    let mut seen = Seen::default();
    for round in 0..3000 {
        let points = cloud::<P>(round);
        dispatch!(level(), simd => walk(simd, &points, &mut seen));
    }
    seen
}

#[test]
fn ordinary_simplices_need_no_care() {
    let seen = [walk_clouds::<DVec2>(), walk_clouds::<DVec3>()];
    for seen in &seen {
        assert!(
            seen.edges > 300 && seen.newest > 30 && seen.holds > 300,
            "{seen:?}"
        );
        assert!(seen.unsure * 100 < seen.edges, "{seen:?}");
    }
    assert!(seen[1].faces > 2000, "{seen:?}");
}
