//! Bounds that hold: every answer against farthest points made from the numbers of the shapes, in
//! double precision and without the engine.

use clearance_gjk::{Placed, Proximity, Separation, intersects, measure};
use clearance_math::{Pose, Real, Vec3};
use clearance_shapes::Shape;

use crate::common::{
    Fault, Generated, Pair, Pcg, agreement, bounds, for_all, in_both_dimensions, lower_by_plane,
    pair, soundness, translation, unboundedness, upper_by_points,
};

in_both_dimensions!(
    bounds_enclose_the_distance,
    apart_the_upper_bound_is_the_length_between_points_on_the_shapes,
    apart_the_lower_bound_is_a_separating_plane,
    overlapping_the_reported_translation_separates,
    overlapping_no_direction_of_thousands_is_less_deep_than_the_bound,
    intersects_agrees_with_the_sign_of_proximity_wherever_the_bounds_decide,
);

/// Asks about random pairs, and hands the bounded answers that `wanted` picks to the property.
fn for_all_answers<V: Generated>(
    seed_and_cases: (u64, usize),
    wanted: impl Fn(&Separation<V>) -> bool,
    property: impl Fn(&Pair<V>, &Separation<V>) -> Result<(), Fault>,
) {
    for_all(seed_and_cases, pair::<V>(), |pair| {
        let (a, b) = pair.bodies();
        match measure(a.placed(), b.placed(), Real::INFINITY) {
            Proximity::Near(answer) => {
                soundness(&answer)?;
                if wanted(&answer) {
                    property(&pair, &answer)?;
                }
                Ok(())
            }
            Proximity::Unbounded => unboundedness(&pair),
            Proximity::Farther { .. } => Err(Fault("farther than infinity".to_owned())),
        }
    });
}

fn bounds_enclose_the_distance<V: Generated>() {
    for_all_answers::<V>(
        (201, 2000),
        |_| true,
        |pair, answer| bounds(pair, answer, 64),
    );
}

fn apart_the_upper_bound_is_the_length_between_points_on_the_shapes<V: Generated>() {
    for_all_answers::<V>((202, 1500), |answer| answer.lower > 0.0, upper_by_points);
}

fn apart_the_lower_bound_is_a_separating_plane<V: Generated>() {
    for_all_answers::<V>((203, 1500), |answer| answer.lower > 0.0, lower_by_plane);
}

fn overlapping_the_reported_translation_separates<V: Generated>() {
    for_all_answers::<V>((204, 1500), |answer| answer.upper < 0.0, translation);
}

fn overlapping_no_direction_of_thousands_is_less_deep_than_the_bound<V: Generated>() {
    for_all_answers::<V>(
        (205, 400),
        |answer| answer.upper < 0.0,
        |pair, answer| bounds(pair, answer, 4000),
    );
}

fn intersects_agrees_with_the_sign_of_proximity_wherever_the_bounds_decide<V: Generated>() {
    for_all_answers::<V>(
        (206, 1500),
        |_| true,
        |pair, answer| {
            let (a, b) = pair.bodies();
            agreement(
                answer,
                intersects(a.placed(), b.placed()).expect("valid poses"),
            )
        },
    );
}

/// Where a hull lies in its body is no reason for wide bounds: tolerances follow its size.
#[test]
fn bounds_are_as_tight_for_a_hull_far_from_the_origin_of_its_body() {
    let mut random = Pcg::new(210);
    // Coordinates that single precision holds exactly at both places.
    let mut point = |size: f64| {
        let mut coordinate = || ((random.between(-size, size) * 256.0).round() / 256.0) as Real;
        Vec3::new(coordinate(), coordinate(), coordinate())
    };
    let mut overlapping = 0;
    for round in 0..400 {
        let corners = [(); 12].map(|()| point(0.5));
        let (at, offset) = (point(1.0), Vec3::new(8192.0, -4096.0, 8192.0));
        let near = Shape::hull(corners).unwrap();
        let far = Shape::hull(corners.map(|corner| corner + offset)).unwrap();
        let partner = match round % 4 {
            0 => Shape::cone(0.5, 0.4).unwrap(),
            1 => Shape::ellipsoid(Vec3::new(0.3, 0.5, 0.4)).unwrap(),
            2 => Shape::cylinder(0.5, 0.25).unwrap(),
            _ => Shape::hull([(); 10].map(|()| point(0.5))).unwrap(),
        };
        let answer = |shape: &Shape<Vec3>, at: Vec3| {
            let (pose, origin) = (Pose::from_translation(at), Pose::IDENTITY);
            let (a, b) = (Placed::new(shape, &pose), Placed::new(&partner, &origin));
            match measure(a, b, Real::INFINITY) {
                Proximity::Near(answer) => answer,
                other => panic!("{other:?} of two shapes of finite size"),
            }
        };
        let (here, there) = (answer(&near, at), answer(&far, at - offset));
        assert!(here.lower <= there.upper && there.lower <= here.upper);
        let gap = |answer: &Separation<Vec3>| answer.upper - answer.lower;
        // Rounding errors grow with the coordinates: a few 1e-15 of 1e4.
        assert!(
            gap(&there) <= 2.0 * gap(&here) + 1e-6,
            "{round}: {here:?}, far from the origin {there:?}"
        );
        overlapping += usize::from(here.upper < 0.0);
    }
    assert!((100..300).contains(&overlapping), "{overlapping}");
}
