//! Witness points lie on their shapes, measured by the smaller of the two: thin shapes deep in round ones, and
//! small shapes at, in and beside ones that are up to a hundred thousand times as large.

use clearance_gjk::{Proximity, Separation, Status, measure};
use clearance_math::{Pose, PreciseVector, Real, Vec3};

use crate::common::{
    Kind, Pair, Pcg, Recipe, Solid, Space, distance_to, in_both_dimensions, iterations, kept,
    kind_pairs, points_along_the_normal, turned,
};

in_both_dimensions!(points_of_small_and_large_shapes_lie_on_both);

/// How far off its shape a point may be, relative to the size of the smaller shape: by a closed form, and by a search.
/// These are the numbers of `docs/book/src/how/bounds.md`.
const OFF_BY_CLOSED_FORM: f64 = 1e-5;
const OFF_BY_SEARCH: f64 = 3e-3;

/// The same shape so much thinner, along y or about it.
fn thinner<V: Space>(recipe: Recipe<V>, thin: Real) -> Recipe<V> {
    let flat = |point: V| point.with_component(1, point.component(1) * thin);
    match recipe {
        Recipe::Cuboid(half) => Recipe::Cuboid(flat(half)),
        Recipe::Ellipsoid(radii) => Recipe::Ellipsoid(flat(radii)),
        Recipe::Segment(ends) => Recipe::Segment(ends.map(flat)),
        Recipe::Triangle(corners) => Recipe::Triangle(corners.map(flat)),
        Recipe::Hull(points) => Recipe::Hull(points.into_iter().map(flat).collect()),
        Recipe::Capsule { half, radius } => Recipe::Capsule {
            half,
            radius: radius * thin,
        },
        Recipe::Cylinder { half, radius } => Recipe::Cylinder {
            half: half * thin,
            radius,
        },
        Recipe::Cone { half, radius } => Recipe::Cone {
            half: half * thin,
            radius,
        },
        Recipe::TaperedCapsule { half, radii } => Recipe::TaperedCapsule {
            half: half * thin,
            radii,
        },
        Recipe::TaperedCylinder { half, radii } => Recipe::TaperedCylinder {
            half: half * thin,
            radii,
        },
        Recipe::Rounded(inner, radius) => Recipe::Rounded(Box::new(thinner(*inner, thin)), radius),
        Recipe::Ball(_) | Recipe::HalfSpace(_) => recipe,
    }
}

/// A small shape, and a large one so that a point of it at its surface, below or deep inside is at the small one.
fn small_in_large<V: Space>((small, large): (Kind, Kind), random: &mut Pcg) -> Pair<V> {
    let ratio = random.log_between(1.0, 1e5) as Real;
    let mut solid = |kind, scale| {
        // Now and then as thin as a hair.
        let thin = random.pick(&[1.0, 1.0, 1e-2, 1e-5]) as Real;
        let recipe = thinner(Recipe::<V>::random(kind, random, 1.0), thin).scaled(scale);
        Solid::new(recipe, Pose::new(V::ZERO, turned::<V>(random)))
    };
    let (small, mut large) = (solid(small, 1.0), solid(large, ratio));
    let depth = random.pick(&[0.0, 1e-5, 1e-2, 0.5, 1.0]) * random.unit();
    let surface = large.turned_support(random.direction());
    let inside = surface + (large.turned_center() - surface) * depth;
    let beside: V::Precise = random.vector::<V::Precise>() * random.pick(&[0.0, 1.0]);
    large.pose = Pose::new(V::from_precise(beside - inside), large.pose.rotation);
    if random.chance(0.5) {
        Pair { a: small, b: large }
    } else {
        Pair { a: large, b: small }
    }
}

/// How far the farther of the two points is off its shape, beyond what rounding may do, relative to the smaller shape.
fn off<V: Space>(pair: &Pair<V>, answer: &Separation<V>) -> f64 {
    let sides = [(&pair.a, answer.point_a()), (&pair.b, answer.point_b())];
    let bounded = || (sides.iter()).filter(|(solid, _)| solid.plane_normal().is_none());
    let reaches = bounded().map(|(solid, _)| solid.recipe.reach());
    let smaller = reaches.fold(f64::INFINITY, f64::min);
    let off = bounded().map(|&(solid, point)| {
        let point = point.to_precise();
        let rounding = f64::from(Real::EPSILON) * point.length() + 1e-14 * pair.scale();
        (distance_to(solid, point) - rounding) / smaller
    });
    off.fold(0.0, f64::max)
}

fn check<V: Space>(pair: &Pair<V>) {
    let (a, b) = pair.bodies();
    let Proximity::Near(answer) = measure(a.placed(), b.placed(), Real::INFINITY) else {
        return;
    };
    let off = off(pair, &answer);
    let allowed = match answer.status {
        Status::Exact => OFF_BY_CLOSED_FORM,
        _ => OFF_BY_SEARCH,
    };
    assert!(off <= allowed, "{off:e} off: {answer:?} {pair:?}");
    kept(points_along_the_normal(pair, &answer), || {
        format!("{answer:?} {pair:?}")
    });
}

fn points_of_small_and_large_shapes_lie_on_both<V: Space>() {
    let mut random = Pcg::new(221);
    for kinds in kind_pairs::<V>() {
        for _ in 0..iterations(24) {
            check(&small_in_large::<V>(kinds, &mut random));
        }
    }
}

/// Once a point 1.41 off the hull was named for t = 1e-7: it was behind all planes of the hull up to a slack that followed
/// from the cylinder, and the planes of so thin a hull meet at so small an angle that this says nothing.
#[test]
fn a_point_of_a_thin_hull_deep_in_a_cylinder_is_on_the_hull() {
    for t in [0.0, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-3] {
        for (half, radius) in [(1000.0, 5000.0), (5000.0, 1000.0), (20.0, 50.0), (3.0, 4.0)] {
            let place = |x, y, z| Vec3::new(x, y, z);
            let points = vec![
                place(1.0, t, 1.0),
                place(2.0, -t, 1.0),
                place(2.0, t, 2.0),
                place(1.0, -t, 2.0),
            ];
            let at_origin = |recipe| Solid::new(recipe, Pose::IDENTITY);
            let a = at_origin(Recipe::Hull(points));
            let cylinder = Recipe::Cylinder { half, radius };
            let b = at_origin(cylinder);
            check(&Pair { a, b });
        }
    }
}
