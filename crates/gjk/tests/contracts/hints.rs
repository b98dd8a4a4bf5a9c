//! Hints save time and change no answer, whatever is in them.

use clearance_gjk::internal::{
    HintPlace, Hinted, PartQuestion, measure_hinted_each, part_manifold_each,
};
use clearance_gjk::{Manifold, Placed, Proximity, Question, contact_manifold, measure};
use clearance_math::{Pose, Quat, Real, Vec3};
use clearance_shapes::Shape;

use crate::common::Pcg;

const WITHIN: Real = 0.05;

type Pair = [(usize, Pose<Vec3>); 2];

/// Hulls of 4 to 64 corners, boxes as hulls and cuboids.
fn shapes(random: &mut Pcg) -> Vec<Shape<Vec3>> {
    let mut shapes = Vec::new();
    for count in [4, 6, 8, 12, 20, 32, 64] {
        let points = (0..count).map(|_| random.point::<Vec3>(0.5));
        shapes.push(Shape::hull(points.collect::<Vec<_>>()).unwrap());
    }
    // Many corners in a plane, none of which is exactly in it.
    let turn = Quat::from_xyzw(0.1, 0.2, 0.3, 0.9).normalize();
    let grid = (0..64).map(|k| Vec3::new((k % 4) as Real, (k / 4 % 4) as Real, (k / 16) as Real));
    let turned = grid.map(|point| turn * (point / 3.0 - 0.5));
    shapes.push(Shape::hull(turned.collect::<Vec<_>>()).unwrap());
    for half in [Vec3::splat(0.5), Vec3::new(0.5, 0.25, 0.75)] {
        let corners = (0..8).map(|k: u32| {
            let sign = |bit: u32| if k >> bit & 1 == 0 { -1.0 } else { 1.0 };
            half * Vec3::new(sign(0), sign(1), sign(2))
        });
        shapes.push(Shape::hull(corners.collect::<Vec<_>>()).unwrap());
        shapes.push(Shape::cuboid(half).unwrap());
    }
    shapes
}

/// Pairs of which the second moves a little from each to the next.
fn film(random: &mut Pcg, count: usize, shapes: usize, is_aligned: bool) -> Vec<Pair> {
    let turn = |random: &mut Pcg| {
        let part = |random: &mut Pcg| random.between(-1.0, 1.0) as Real;
        Quat::from_xyzw(part(random), part(random), part(random), 1.5).normalize()
    };
    let [a, b] = [(); 2].map(|()| (random.below(shapes), turn(random)));
    let rotation_b = if is_aligned { a.1 } else { b.1 };
    let start = random.point::<Vec3>(2.0);
    let apart = random.point::<Vec3>(0.9);
    let drift = random.point::<Vec3>(0.02);
    let at = |frame: usize| {
        let offset = apart + drift * frame as Real;
        let offset = if is_aligned {
            // Multiples of an eighth, so that faces and edges are in one plane.
            a.1 * (offset * 8.0).round() / 8.0
        } else {
            offset
        };
        [
            (a.0, Pose::new(start, a.1)),
            (b.0, Pose::new(start + offset, rotation_b)),
        ]
    };
    (0..count).map(at).collect()
}

fn question<'a>(shapes: &'a [Shape<Vec3>], pair: &'a Pair) -> Question<'a, Vec3> {
    let [a, b] = pair;
    Question {
        a: Placed::new(&shapes[a.0], &a.1),
        b: Placed::new(&shapes[b.0], &b.1),
        within: WITHIN,
    }
}

/// Out of range the lower bound may be another one, which is proven as well.
fn assert_same(found: &Proximity<Vec3>, expected: &Proximity<Vec3>, question: &Question<Vec3>) {
    match (found, expected) {
        (Proximity::Farther { lower }, Proximity::Farther { .. }) => {
            let whole = measure(question.a, question.b, Real::INFINITY);
            let upper = whole.near().map(|near| near.upper);
            assert!(*lower > WITHIN && Some(*lower) <= upper, "{question:?}");
        }
        _ => assert_eq!(found, expected, "{question:?}"),
    }
}

#[test]
fn of_the_frame_before_of_other_pairs_and_of_none_give_the_same_bits() {
    let mut random = Pcg::new(7);
    let shapes = shapes(&mut random);
    let places: Vec<HintPlace> = (0..3).map(|_| HintPlace::default()).collect();
    let (mut near, mut overlaps) = (0, 0);
    for round in 0..1500 {
        let film = film(&mut random, 6, shapes.len(), round % 3 == 0);
        // All pairs of the film by turns on so few places: hints are of the frame before, and of pairs before.
        let place = &places[round % places.len()];
        let ask = |pair| {
            Some(Hinted {
                question: question(&shapes, pair),
                hint: Some(place.hint(0)),
            })
        };
        let mut found = Vec::new();
        measure_hinted_each(&film, ask, |_, _, answer| found.push(*answer));
        let ask = |pair| {
            Some(PartQuestion {
                question: question(&shapes, pair),
                parts: [0; 2],
                hint: Some(place.hint(0)),
            })
        };
        let mut manifolds: Vec<Option<Manifold<Vec3>>> = Vec::new();
        part_manifold_each(&film, ask, |_, _, manifold| {
            manifolds.push(manifold.cloned())
        });
        for (k, pair) in film.iter().enumerate() {
            let Question { a, b, within } = question(&shapes, pair);
            let expected = measure(a, b, within);
            assert_same(&found[k], &expected, &question(&shapes, pair));
            let manifold = contact_manifold(a, b, within).unwrap();
            assert_eq!(manifolds[k], manifold, "{pair:?}");
            if let Proximity::Near(expected) = expected {
                near += 1;
                overlaps += usize::from(expected.distance < 0.0);
            }
        }
    }
    assert!(near > 3000 && overlaps > 2000, "{near}, {overlaps}");
}
