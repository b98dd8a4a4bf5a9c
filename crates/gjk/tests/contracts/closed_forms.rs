//! Each closed form against plain iteration over the same pair.

use clearance_gjk::{Difference, Outcome, Status, measure, measure_difference};
use clearance_math::{
    DVec3, Matrix, Pose, PreciseVector, Quat, Real, RelativePose, Rotation, Vec3, Vector,
    tolerances,
};
use clearance_shapes::{Core, Shape, Support};

use crate::common::{
    Body, Kind, Pcg, Placement, Space, beside, body, in_both_dimensions, iterations, size_of,
    turned,
};

in_both_dimensions!(
    closed_forms_agree_with_iteration_on_random_pairs,
    closed_forms_agree_with_iteration_on_special_points,
    a_ball_in_the_middle_of_a_box_leaves_as_from_just_beyond_the_middle,
);

/// The kinds of which some pair has a closed form.
fn kinds<V: Vector>() -> impl Iterator<Item = Kind> {
    use Kind::{RoundedCuboid, RoundedHull, RoundedSmooth, TaperedCapsule};
    let others = [TaperedCapsule, RoundedHull, RoundedCuboid, RoundedSmooth];
    Kind::bounded::<V>().filter(move |kind| !others.contains(kind))
}

/// Compares a closed form with iteration; returns whether there was one.
fn check<V: Vector>(a: &Body<V>, b: &Body<V>) -> bool {
    let answer = measure(a.placed(), b.placed(), Real::INFINITY)
        .near()
        .expect("bounded");
    if answer.status != Status::Exact {
        return false;
    }
    let (core_a, core_b) = (a.convex(), b.convex());
    let b_in_a = RelativePose::between(&a.pose, &b.pose);
    let difference = Difference::new(core_a.core(), core_b.core(), b_in_a);
    let gap = if core_a.core().is_polytope() && core_b.core().is_polytope() {
        tolerances::POLYTOPE_DEPTH_GAP
    } else {
        tolerances::SMOOTH_DEPTH_GAP
    };
    let Outcome::Near(iterated) = measure_difference(&difference, f64::INFINITY, gap) else {
        panic!("an infinite range")
    };
    let radii = core_a.radius() + core_b.radius();
    let context = format!("{answer:?} {iterated:?} {a:?} {b:?}");
    let size = size_of(a, b);
    let slack = 1e-12 * (size + radii + iterated.distance.abs());
    // Both bounds enclose the truth, so they share a value.
    assert!(
        f64::from(answer.lower) <= iterated.upper - radii + slack,
        "{context}"
    );
    assert!(
        f64::from(answer.upper) >= iterated.lower - radii - slack,
        "{context}"
    );
    // Single precision, and what iteration was told to leave or says that it had to.
    let rounding = 2.0 * f64::from(Real::EPSILON) * f64::from(answer.distance.abs());
    let left = if iterated.distance > 0.0 {
        tolerances::CONVERGED_GAP * iterated.distance
    } else {
        gap * difference.size()
    };
    let left = left.max(iterated.upper - iterated.lower);
    let error = (f64::from(answer.distance) - (iterated.distance - radii)).abs();
    assert!(error <= left + rounding + slack, "{error:e} {context}");
    true
}

fn closed_forms_agree_with_iteration_on_random_pairs<V: Space>() {
    let mut random = Pcg::new(81);
    let (mut count, mut exact) = (0, 0);
    for kind_a in kinds::<V>() {
        for kind_b in kinds::<V>() {
            for _ in 0..iterations(100) {
                let placement = random.pick(&[
                    Placement::Far,
                    Placement::Near,
                    Placement::Touching,
                    Placement::Shallow,
                    Placement::Deep,
                    Placement::Concentric,
                ]);
                let a = body::<V>(kind_a, &mut random, 1.0);
                let b = body::<V>(kind_b, &mut random, 1.0);
                count += 1;
                exact += usize::from(check(&a, &beside(&mut random, &a, &b, placement)));
            }
        }
    }
    assert!(
        5 * exact > count,
        "only {exact} of {count} by a closed form"
    );
}

/// Coordinates at which a core of the given half extents has axes, centres, edges and corners.
fn special_point<P: PreciseVector>(random: &mut Pcg, half: P) -> P {
    (0..P::DIM).fold(P::ZERO, |point, k| {
        let share = random.pick(&[0.0, 0.0, 0.5, 1.0, 1.0, 1.5, -0.5, -1.0, -2.0]);
        point.with_component(k, share * half.component(k))
    })
}

/// How far the core reaches along each axis of its body.
fn half_extents<V: Vector>(core: &Core<V>) -> V::Precise {
    (0..V::DIM).fold(V::Precise::ZERO, |half, k| {
        half.with_component(k, core.support(V::Precise::axis(k)).component(k))
    })
}

fn closed_forms_agree_with_iteration_on_special_points<V: Space>() {
    let mut random = Pcg::new(82);
    let (mut count, mut exact) = (0, 0);
    for kind in kinds::<V>() {
        for other in [Kind::Ball, Kind::Segment, Kind::Capsule, Kind::Cuboid] {
            for _ in 0..iterations(200) {
                let mut a = body::<V>(kind, &mut random, 1.0);
                a.pose.rotation = V::quarter_turn(&mut random);
                let mut b = body::<V>(other, &mut random, 1.0);
                b.pose.rotation = V::quarter_turn(&mut random);
                let point = special_point(&mut random, half_extents(a.convex().core()));
                let b = b.moved_to(a.pose.rotation.matrix().apply(point));
                count += 1;
                exact += usize::from(check(&a, &b));
            }
        }
    }
    assert!(
        5 * exact > count,
        "only {exact} of {count} by a closed form"
    );
}

/// Radii that make every way out sideways longer than the one along the axis.
/// Both ways out along the shortest axis are as short.
fn a_ball_in_the_middle_of_a_box_leaves_as_from_just_beyond_the_middle<V: Space>() {
    let half = (0..V::DIM).fold(V::ZERO, |half, k| half.with_component(k, (k + 1) as Real));
    let cuboid = Shape::cuboid(half).expect("valid");
    let cuboid = Body::new(cuboid, Pose::IDENTITY);
    for beyond in [0.0, 1.0 / 1024.0] {
        let ball = Shape::ball(0.5).expect("valid");
        let ball = Body::new(ball, Pose::from_translation(V::axis(0) * beyond));
        let answers = [(&ball, &cuboid, -V::axis(0)), (&cuboid, &ball, V::axis(0))];
        for (a, b, normal) in answers {
            let answer = measure(a.placed(), b.placed(), Real::INFINITY).near();
            let answer = answer.expect("bounded");
            assert_eq!((answer.distance, answer.normal), (beyond - 1.5, normal));
        }
    }
}

/// A polytope whose corners are on a grid of halves.
fn polytope_on_grid(kind: Kind, random: &mut Pcg) -> Option<Shape<Vec3>> {
    let mut point = || {
        let coordinates = [0; 3].map(|_| random.pick(&[-1.0, -0.5, 0.0, 0.5, 1.0]) as Real);
        Vec3::from_array(coordinates)
    };
    let shape = match kind {
        Kind::Segment => Shape::segment(point(), point()),
        Kind::Triangle => Shape::triangle(point(), point(), point()),
        Kind::Hull => Shape::hull((0..12).map(|_| point()).collect::<Vec<_>>()),
        _ => Shape::cuboid(point().abs() + 0.25),
    };
    shape.ok()
}

/// A cylinder, cone or tapered cylinder whose sizes are multiples of a quarter.
fn frustum_on_grid(random: &mut Pcg) -> Shape<Vec3> {
    let mut size = || random.pick(&[0.25, 0.5, 0.75, 1.0, 1.25]) as Real;
    let [half_height, radius, other] = [size(), size(), size()];
    let frustum = match random.pick(&[0, 1, 2]) {
        0 => Shape::cylinder(half_height, radius),
        1 => Shape::cone(half_height, radius),
        _ => Shape::tapered_cylinder(half_height, radius, other),
    };
    frustum.expect("positive numbers")
}

/// A pose on a grid whose cells are a quarter of `reach`, turned by a quarter about an axis or not at all, and every now and
/// then by a little more.
fn pose_on_grid(random: &mut Pcg, reach: Real) -> Pose<Vec3> {
    let place = [0; 3].map(|_| random.pick(&[-1.0, -0.5, 0.0, 0.5, 1.0]) as Real);
    let axis = random.pick(&[Vec3::X, Vec3::Y, Vec3::Z]);
    let quarter = core::f32::consts::FRAC_PI_2;
    let angle = random.pick(&[0.0, quarter, 2.0 * quarter, 1e-7, quarter + 1e-6, 3e-4]);
    let turn = Quat::from_axis_angle(axis, angle);
    Pose::new(Vec3::from_array(place) * reach, turn)
}

/// Edges along the axis and across it, corners on the axis, faces on discs: overlapping, or mostly apart.
#[test]
fn polytopes_and_frustums_on_a_grid_agree_with_iteration() {
    let mut random = Pcg::new(83);
    for reach in [0.5, 2.0] {
        let (mut count, mut exact) = (0, 0);
        for kind in [Kind::Segment, Kind::Triangle, Kind::Cuboid, Kind::Hull] {
            for _ in 0..iterations(2000) {
                let frustum = frustum_on_grid(&mut random);
                let Some(polytope) = polytope_on_grid(kind, &mut random) else {
                    continue;
                };
                let a = Body::new(polytope, pose_on_grid(&mut random, reach));
                let b = Body::new(frustum, pose_on_grid(&mut random, reach));
                count += 1;
                exact += usize::from(check(&a, &b));
            }
        }
        assert!(
            10 * exact > 9 * count,
            "only {exact} of {count} by a closed form"
        );
    }
}

/// So many pairs of each kind of polytope and of frustum.
fn polytopes_beside_frustums(
    random: &mut Pcg,
    count: usize,
    placements: &[Placement],
) -> Vec<[Body<Vec3>; 2]> {
    let mut pairs = Vec::new();
    for kind in [Kind::Segment, Kind::Triangle, Kind::Cuboid, Kind::Hull] {
        for frustum in [Kind::Cylinder, Kind::Cone, Kind::TaperedCylinder] {
            for _ in 0..count {
                let a = body::<Vec3>(kind, random, 1.0);
                let b = body::<Vec3>(frustum, random, 1.0);
                let placement = random.pick(placements);
                let b = beside(random, &a, &b, placement);
                pairs.push([a, b]);
            }
        }
    }
    pairs
}

/// A pair that is moved to a gap of 1e-3 to 1e-7, as shapes are that rest on each other: the difference of the closest
/// points has few digits there, and the normal must come from what they lie on.
#[test]
fn polytopes_and_frustums_that_nearly_touch_have_a_closed_form() {
    let mut random = Pcg::new(86);
    let (mut apart, mut exact) = (0, 0);
    for [a, b] in polytopes_beside_frustums(&mut random, iterations(300), &[Placement::Near]) {
        let answer = measure(a.placed(), b.placed(), Real::INFINITY);
        let answer = answer.near().expect("an infinite range");
        let gap = random.pick(&[1e-3, 1e-4, 1e-5, 1e-6, 1e-7]);
        let back = answer.normal.to_precise() * (gap - f64::from(answer.distance));
        let b = b.moved_to(b.pose.position() + back);
        let answer = measure(a.placed(), b.placed(), Real::INFINITY);
        let answer = answer.near().expect("an infinite range");
        if answer.lower > 0.0 {
            apart += 1;
            exact += usize::from(check(&a, &b));
        }
    }
    assert!(apart > iterations(300) * 6, "{apart} are apart");
    assert!(
        100 * exact > 97 * apart,
        "only {exact} of {apart} by a closed form"
    );
}

/// A polygon in a turned plane, whose corners are rounded to single precision, as a hull: its faces bend by rounding, and
/// its edges lie between faces that are nearly opposite.
fn nearly_flat_hull(random: &mut Pcg) -> Option<Shape<Vec3>> {
    let turn = turned::<Vec3>(random).matrix();
    let thickness = random.pick(&[0.0, 1e-6, 1e-4, 1e-2]);
    let mut corner = || {
        let [x, y, z] = [0; 3].map(|_| random.between(-0.6, 0.6));
        Vec3::from_precise(turn.apply(DVec3::new(x, y, thickness * z)))
    };
    Shape::hull([(); 8].map(|()| corner())).ok()
}

/// Once a bound lost all its digits between nearly opposite faces, and depths came out a fifth too large; and of flat cones
/// the rim was met in the place of the apex.
#[test]
fn nearly_flat_hulls_and_flat_frustums_agree_with_iteration() {
    let mut random = Pcg::new(84);
    let (mut count, mut exact) = (0, 0);
    for _ in 0..iterations(3000) {
        let Some(hull) = nearly_flat_hull(&mut random) else {
            continue;
        };
        let half_height = random.pick(&[1.0, 0.3, 1e-3, 1e-6]) as Real;
        let radius = random.between(0.3, 1.5) as Real;
        let frustum = match random.pick(&[0, 1, 2]) {
            0 => Shape::cylinder(half_height, radius),
            1 => Shape::cone(half_height, radius),
            _ => Shape::tapered_cylinder(half_height, 0.5 * radius, radius),
        };
        let place: Vec3 = random.point(0.3);
        let turn = turned::<Vec3>(&mut random);
        let a = Body::new(hull, Pose::IDENTITY);
        let b = Body::new(frustum.expect("positive numbers"), Pose::new(place, turn));
        count += 1;
        exact += usize::from(check(&a, &b));
    }
    assert!(
        2 * exact > count,
        "only {exact} of {count} by a closed form"
    );
}
