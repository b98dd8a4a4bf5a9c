//! The promises of an answer. `point_b - point_a` is `distance * normal`, and both points lie on their shapes: above all where cores
//! touch, cross or all but do, so that rounding decides how they stand, and radii are swept about them.

use clearance_gjk::{Proximity, intersects, measure};
use clearance_math::{Pose, Quat, Real, Rotation, Rotation2, Vec2, Vec3, Vector};

use crate::common::{
    Pair, Pcg, Recipe, Solid, Space, agreement, bounds, ensure, in_both_dimensions, iterations,
    kept, kind_pairs, lower_by_plane, normal_for, points_along_the_normal, points_on_the_shapes,
    soundness, translation, turned, upper_by_points,
};

in_both_dimensions!(
    every_promise_is_kept_of_any_pair,
    points_of_cores_all_but_touching_are_apart_by_the_distance_along_the_normal,
    points_of_cores_in_one_plane_are_apart_by_the_distance_along_the_normal,
);

fn check<V: Space>(pair: &Pair<V>) {
    let (a, b) = pair.bodies();
    if let Proximity::Near(answer) = measure(a.placed(), b.placed(), Real::INFINITY) {
        let context = || format!("{answer:?} {pair:?}");
        kept(points_along_the_normal(pair, &answer), context);
        kept(points_on_the_shapes(pair, &answer), context);
    }
}

/// Whatever is promised of an answer, of pairs of all sorts.
fn every_promise_is_kept_of_any_pair<V: Space>() {
    Pair::<V>::for_all((211, 2000), |_, pair| {
        let (a, b) = pair.bodies();
        let Proximity::Near(answer) = measure(a.placed(), b.placed(), Real::INFINITY) else {
            return ensure(pair.is_two_planes(), || "no distance".to_owned());
        };
        soundness(&answer)?;
        let touch = intersects(a.placed(), b.placed()).expect("valid poses");
        agreement(&answer, touch)?;
        bounds(pair, &answer, 64)?;
        if answer.lower > 0.0 {
            upper_by_points(pair, &answer)?;
            lower_by_plane(pair, &answer)?;
        }
        if answer.upper < 0.0 {
            translation(pair, &answer)?;
        }
        points_along_the_normal(pair, &answer)
    });
}

/// How far apart cores of size one are: not at all, by less than rounding, or by up to a thousandth.
fn gap(random: &mut Pcg) -> f64 {
    let sign = random.pick(&[0.0, 1.0, 1.0, -1.0]);
    sign * random.log_between(1e-30, 1e-3)
}

/// A radius from a thousandth to a thousand times the core's size of one, or none.
fn rounded<V: Space>(random: &mut Pcg, core: Recipe<V>) -> Recipe<V> {
    match random.below(5) {
        0 => core,
        _ => Recipe::Rounded(Box::new(core), random.log_between(1e-3, 1e3) as Real),
    }
}

/// Every pair of kinds: joined where their cores are farthest along a common normal, and a gap apart.
fn points_of_cores_all_but_touching_are_apart_by_the_distance_along_the_normal<V: Space>() {
    let mut random = Pcg::new(212);
    for (kind_a, kind_b) in kind_pairs::<V>() {
        for _ in 0..iterations(24) {
            let solid = |kind, random: &mut Pcg| {
                let core = Recipe::<V>::random(kind, random, 1.0);
                let recipe = rounded(random, core);
                Solid::new(recipe, Pose::new(V::ZERO, turned::<V>(random)))
            };
            let (a, mut b) = (solid(kind_a, &mut random), solid(kind_b, &mut random));
            let normal = normal_for(&mut random, &a.body(), &b.body());
            let joined = a.turned_core_support(normal) - b.turned_core_support(-normal);
            let place = V::from_precise(joined + normal * gap(&mut random));
            b.pose = Pose::new(place, b.pose.rotation);
            check(&Pair { a, b });
        }
    }
}

/// What differs between the plane and space where cores lie in one plane, or on one line.
trait Level: Space {
    /// A turn that leaves an axis where it is, to the last bit.
    fn turn_about(random: &mut Pcg, axis: usize) -> Self::Rotation;
}

impl Level for Vec2 {
    fn turn_about(_random: &mut Pcg, _axis: usize) -> Rotation2 {
        <Rotation2 as Rotation<Self>>::IDENTITY
    }
}

impl Level for Vec3 {
    fn turn_about(random: &mut Pcg, axis: usize) -> Quat {
        let half = random.between(-1.6, 1.6);
        let sine = Self::axis(axis) * half.sin() as Real;
        Quat::from_xyzw(sine.x, sine.y, sine.z, half.cos() as Real)
    }
}

/// Points on one side of the plane across an axis, or in it; that is where single precision can say
/// that a gap is 1e-30.
fn beside_the_plane<V: Space>(random: &mut Pcg, axis: usize, side: Real) -> Recipe<V> {
    let thickness = random.pick(&[0.0, 0.0, 1.0]);
    let count = 2 + random.below(4);
    let mut points: Vec<V> = (0..count).map(|_| random.point(1.0)).collect();
    for (k, point) in points.iter_mut().enumerate() {
        let height = if k < 2 { 0.0 } else { thickness };
        let height = side * height * point.component(axis).abs();
        *point = point.with_component(axis, height);
    }
    match points[..] {
        [p, q] => Recipe::Segment([p, q]),
        [p, q, r] => Recipe::Triangle([p, q, r]),
        _ => Recipe::Hull(points),
    }
}

fn points_of_cores_in_one_plane_are_apart_by_the_distance_along_the_normal<V: Level>() {
    let mut random = Pcg::new(213);
    for _ in 0..iterations(4000) {
        let axis = random.below(V::DIM);
        let gap = gap(&mut random);
        let solid = |side: Real, random: &mut Pcg| {
            let core = beside_the_plane::<V>(random, axis, side);
            let recipe = rounded(random, core);
            Solid::new(recipe, Pose::new(V::ZERO, V::turn_about(random, axis)))
        };
        let (a, mut b) = (solid(-1.0, &mut random), solid(1.0, &mut random));
        let beside: V = random.point(1.0);
        b.pose = Pose::new(beside.with_component(axis, gap as Real), b.pose.rotation);
        check(&Pair { a, b });
    }
}

/// A capsule at the height 1.1, that lies in the plane of that height up to rounding.
fn lying_capsule(place: [Real; 2], turn: [Real; 2]) -> Solid<Vec3> {
    let [x, z] = place;
    let [sine, cosine] = turn;
    Solid::new(
        Recipe::Capsule {
            half: 1.0,
            radius: 0.5,
        },
        Pose::new(
            Vec3::new(x, 1.1, z),
            Quat::from_xyzw(sine, sine, cosine, cosine),
        ),
    )
}

/// The line between the points of two cores a rounding step apart was taken for the normal along which
/// the radii reach: it leaned by two thousandths.
#[test]
fn capsules_that_cross_at_one_height_have_points_along_the_normal() {
    let a = lying_capsule([-0.237_434_77, -0.315_119_03], [0.323_479_9, -0.628_777_2]);
    let b = lying_capsule([0.432_119_2, 0.299_773_13], [0.706_948_46, -0.014_963_429]);
    check(&Pair { a, b });

    let mut random = Pcg::new(214);
    for _ in 0..iterations(8000) {
        let capsule = |random: &mut Pcg| {
            let angle = random.between(0.0, core::f64::consts::TAU);
            let half = core::f64::consts::FRAC_1_SQRT_2;
            let turn = [half * angle.sin(), half * angle.cos()].map(|x| x as Real);
            let place = [0; 2].map(|_| random.between(-0.5, 0.5) as Real);
            lying_capsule(place, turn)
        };
        let (a, b) = (capsule(&mut random), capsule(&mut random));
        check(&Pair { a, b });
    }
}
