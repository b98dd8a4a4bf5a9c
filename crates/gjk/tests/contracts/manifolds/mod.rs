//! Contact manifolds: their points lie on both shapes, where they should, and keep their names.

mod common_part;
mod known;
mod lines;
mod parts;

use std::collections::BTreeSet;

use clearance_gjk::{
    Feature, Manifold, Placed, Proximity, contact_manifold, point_proximity, proximity,
};
use clearance_math::{Pose, PreciseVector, Quat, Real, Rotation, Rotation2, Vec2, Vec3, Vector};
use clearance_shapes::Shape;

use crate::common::{
    Body, Kind, Pcg, Placement, Space, beside, body, in_both_dimensions, iterations, kind_pairs,
    size_of,
};

in_both_dimensions!(
    points_lie_on_both_shapes_along_the_normal,
    leaning_shapes_keep_their_points_on_both,
    features_survive_small_motion,
    a_manifold_is_there_where_the_pair_is_in_range,
    sizes_from_tiny_to_huge_have_manifolds,
    flat_and_repeated_points_have_manifolds,
    composites_are_refused_by_name,
);

/// Turns by small angles, which differ by dimension.
pub(super) trait Leaning: Space {
    /// A turn by `angle` about an axis that `random` chooses.
    fn lean(random: &mut Pcg, angle: Real) -> Self::Rotation;
}

impl Leaning for Vec2 {
    fn lean(random: &mut Pcg, angle: Real) -> Rotation2 {
        Rotation2::from_angle(random.pick(&[angle, -angle]))
    }
}

impl Leaning for Vec3 {
    fn lean(random: &mut Pcg, angle: Real) -> Quat {
        Quat::from_axis_angle(random.direction::<clearance_math::DVec3>().as_vec3(), angle)
    }
}

pub(super) fn ask<V: Vector>(a: &Body<V>, b: &Body<V>, within: Real) -> Option<Manifold<V>> {
    contact_manifold(a.placed(), b.placed(), within).expect("valid poses")
}

/// How far points may be off their shapes, relative to the size of the pair.
const SLACK: f64 = 3e-5;
/// The same where the depth of a curved core is searched for.
const SMOOTH_SLACK: f64 = 2e-4;

/// Checks everything that holds for any manifold.
fn check<V: Space>(a: &Body<V>, b: &Body<V>, within: Real, slack: f64) {
    let manifold = ask(a, b, within);
    let pair = proximity(a.placed(), b.placed(), within).expect("valid poses");
    let context = || format!("{manifold:?} {pair:?} {a:?} {b:?}");
    let near = pair.near().filter(|near| near.distance <= within);
    let Some(found) = &manifold else {
        assert!(near.is_none(), "{}", context());
        return;
    };
    assert_eq!(Some(found.separation), near, "{}", context());
    let count = found.points().len();
    assert!((1..=2 * V::DIM - 2).contains(&count), "{}", context());
    let normal = found.normal().to_precise();
    // World coordinates and distances are in single precision.
    let far = a.pose.position().length() + b.pose.position().length();
    let size = a.reach().max(b.reach());
    let slack = slack * size + 4e-7 * (far + size);
    let distance = f64::from(found.separation.distance);
    let mut deepest = f64::INFINITY;
    for point in found.points() {
        let [on_a, on_b] = [point.point_a(), point.point_b()].map(V::to_precise);
        let own = f64::from(point.distance);
        assert!(
            (on_b - on_a - normal * own).length() <= slack,
            "{}",
            context()
        );
        assert!(
            own <= f64::from(within).max(distance) + slack,
            "{}",
            context()
        );
        assert!(own >= distance - slack, "{}", context());
        deepest = deepest.min(own);
        for (name, point, body) in [("a", point.point_a(), a), ("b", point.point_b(), b)] {
            let off = match point_proximity(point, body.placed(), Real::INFINITY) {
                Ok(Proximity::Near(off)) => f64::from(off.distance),
                other => panic!("{other:?}"),
            };
            assert!(
                off.abs() <= slack,
                "{name} off by {off:e} of {slack:e}: {}",
                context()
            );
        }
    }
    assert!((deepest - distance).abs() <= slack, "{}", context());
    let features: BTreeSet<_> = found
        .points()
        .iter()
        .map(|point| (point.feature_a, point.feature_b))
        .collect();
    assert_eq!(features.len(), count, "{}", context());
}

fn slack_of(kinds: [Kind; 2]) -> f64 {
    if kinds.into_iter().any(Kind::is_smooth) {
        SMOOTH_SLACK
    } else {
        SLACK
    }
}

fn bounded_pairs<V: Vector>() -> impl Iterator<Item = (Kind, Kind)> {
    kind_pairs::<V>().filter(|kinds| *kinds != (Kind::HalfSpace, Kind::HalfSpace))
}

fn points_lie_on_both_shapes_along_the_normal<V: Space>() {
    let mut random = Pcg::new(501);
    for (kind_a, kind_b) in bounded_pairs::<V>() {
        for placement in Placement::ALL {
            for _ in 0..iterations(4) {
                let a = body::<V>(kind_a, &mut random, 1.0);
                let b = body::<V>(kind_b, &mut random, 1.0);
                let b = beside(&mut random, &a, &b, placement);
                let within = random.pick(&[0.0, 0.05, 0.5, Real::INFINITY]);
                check(&a, &b, within, slack_of([kind_a, kind_b]));
            }
        }
    }
}

/// Two shapes whose axes and faces are nearly level, one upon the other.
fn stacked<V: Leaning>(random: &mut Pcg, kinds: (Kind, Kind), lean: Real) -> (Body<V>, Body<V>) {
    let placed = |kind, random: &mut Pcg| {
        let shape = match kind {
            Kind::HalfSpace => Shape::half_space(V::axis(1)).expect("of unit length"),
            _ => V::shape(kind, random, 1.0),
        };
        let turn = if kind == Kind::HalfSpace {
            V::Rotation::IDENTITY
        } else {
            V::quarter_turn(random)
        };
        Body::new(shape, Pose::new(V::ZERO, V::lean(random, lean).after(turn)))
    };
    let (a, b) = (placed(kinds.0, random), placed(kinds.1, random));
    let up = a.plane_normal().or_else(|| b.plane_normal().map(|up| -up));
    let up = up.unwrap_or_else(|| V::Precise::axis(1));
    let beside = random.vector::<V::Precise>() * 0.3;
    let beside = beside - up * up.dot(beside);
    let gap = up * random.pick(&[-0.05, -1e-3, 1e-3, 0.02]);
    let joined = a.support(up) - b.support(-up) + beside + gap;
    let b = b.moved_to(joined);
    (a, b)
}

fn leaning_shapes_keep_their_points_on_both<V: Leaning>() {
    let mut random = Pcg::new(502);
    let mut several = 0;
    for kinds in bounded_pairs::<V>() {
        for lean in [0.0, 1e-7, 1e-5, 1e-3, 0.02, 0.09] {
            for _ in 0..iterations(6) {
                let (a, b) = stacked::<V>(&mut random, kinds, lean);
                let within = random.pick(&[0.0, 0.05, 0.5]);
                check(&a, &b, within, slack_of([kinds.0, kinds.1]));
                let (found, back) = (ask(&a, &b, within), ask(&b, &a, within));
                let mirrored = found.clone().map(Manifold::flipped);
                assert_eq!(mirrored, back, "{a:?} {b:?}");
                several += usize::from(found.is_some_and(|found| found.points().len() > 1));
            }
        }
    }
    assert!(several > 300, "only {several} manifolds of several points");
}

type Names = BTreeSet<(Feature, Feature)>;

fn names<V: Vector>(manifold: &Manifold<V>) -> Names {
    let names = manifold.points().iter();
    names
        .map(|point| (point.feature_a, point.feature_b))
        .collect()
}

/// Cuboids on floors and on larger cuboids that are shaken a little: nothing is near the edge of another feature.
fn features_survive_small_motion<V: Leaning>() {
    let mut random = Pcg::new(504);
    for _ in 0..iterations(200) {
        let large = Shape::cuboid(V::splat(3.0)).expect("valid");
        let plane = Shape::half_space(V::axis(1)).expect("of unit length");
        let floor = if random.chance(0.5) { large } else { plane };
        let floor = Body::new(floor, Pose::IDENTITY);
        let top = floor.plane_normal().map_or(3.0, |_| 0.0);
        let kind = random.pick(&[Kind::Cuboid, Kind::Capsule, Kind::RoundedCuboid]);
        let shape = V::shape(kind, &mut random, 1.0);
        let turn = V::quarter_turn(&mut random);
        let mut seen: Option<Names> = None;
        for _ in 0..20 {
            let angle = random.between(0.0, 1e-5) as Real;
            let rotation = V::lean(&mut random, angle).after(turn);
            let shaken = Body::new(shape.clone(), Pose::new(V::ZERO, rotation));
            let low = -shaken.support(-V::Precise::axis(1)).component(1);
            let aside = random.vector::<V::Precise>() * 1e-4;
            let height = top + low + random.between(-1e-3, 1e-3);
            let shaken = shaken.moved_to(aside.with_component(1, height));
            let found = ask(&floor, &shaken, 0.01).expect("in range");
            let names = names(&found);
            if let Some(seen) = &seen {
                assert_eq!(&names, seen, "{found:?} {shaken:?}");
            }
            seen = Some(names);
        }
    }
}

fn a_manifold_is_there_where_the_pair_is_in_range<V: Space>() {
    let ball = |at: Real| {
        let shape = Shape::<V>::ball(1.0).expect("valid");
        Body::new(shape, Pose::from_translation(V::axis(0) * at))
    };
    assert!(ask(&ball(0.0), &ball(2.5), 0.5).is_some());
    assert!(ask(&ball(0.0), &ball(2.5), 0.49).is_none());
    let up = |normal: V| {
        let shape = Shape::half_space(normal).expect("of unit length");
        Body::new(shape, Pose::IDENTITY)
    };
    assert!(
        ask(&up(V::axis(1)), &up(V::axis(1)), 0.0).is_none(),
        "unbounded"
    );
    let face_to_face = ask(&up(V::axis(1)), &up(-V::axis(1)), 0.0).expect("they touch");
    assert_eq!(face_to_face.points().len(), 1);
    let nan = contact_manifold(ball(0.0).placed(), ball(1.0).placed(), Real::NAN);
    assert!(nan.is_err());
}

/// Nothing panics and every number is finite, whatever the sizes.
fn finite<V: Vector>(a: &Body<V>, b: &Body<V>) {
    let Some(found) = ask(a, b, Real::INFINITY) else {
        return;
    };
    assert!(!found.points().is_empty(), "{a:?} {b:?}");
    for point in found.points() {
        let numbers = point.point_a().is_finite() && point.point_b().is_finite();
        assert!(
            numbers && point.distance.is_finite(),
            "{found:?} {a:?} {b:?}"
        );
    }
}

fn sizes_from_tiny_to_huge_have_manifolds<V: Leaning>() {
    let mut random = Pcg::new(505);
    let sizes = [1e-38, 1e-20, 1e-6, 1e-3, 1.0, 1e3, 1e6, 1e20, 1e38];
    for (kind_a, kind_b) in bounded_pairs::<V>() {
        for placement in Placement::ALL {
            for _ in 0..iterations(2) {
                let (size_a, size_b) = (random.pick(&sizes), random.pick(&sizes));
                let a = body::<V>(kind_a, &mut random, size_a);
                let b = body::<V>(kind_b, &mut random, size_b);
                finite(&a, &beside(&mut random, &a, &b, placement));
            }
        }
        for scale in [1e-6, 1e6] {
            let (a, b) = stacked::<V>(&mut random, (kind_a, kind_b), 1e-3);
            let scaled = |body: &Body<V>| {
                let shape = body.shape.scaled(scale);
                let pose = Pose::new(body.pose.translation() * scale, body.pose.rotation);
                shape.map(|shape| Body::new(shape, pose))
            };
            if let (Ok(a), Ok(b)) = (scaled(&a), scaled(&b)) {
                check(&a, &b, 0.1 * scale, slack_of([kind_a, kind_b]));
            }
        }
    }
}

fn flat_and_repeated_points_have_manifolds<V: Space>() {
    let mut random = Pcg::new(506);
    let on_line = |k: usize| V::axis(0) * k as Real;
    let near = V::axis(0) + V::axis(1) * 1e-30;
    let mut shapes = vec![
        Shape::segment(V::ZERO, V::ZERO),
        Shape::segment(V::ZERO, V::axis(0) * 1e-45),
        Shape::triangle(V::ZERO, V::ZERO, V::axis(1)),
        Shape::triangle(V::ZERO, V::axis(0), V::axis(0) * 2.0),
        Shape::triangle(V::ZERO, near, V::axis(0) * 2.0),
        Shape::triangle(V::ZERO, V::axis(0) * 1e-30, V::axis(1) * 1e30),
        Shape::hull([0, 1, 2, 3].map(on_line)),
        Shape::hull([V::ZERO; 4]),
        Shape::hull([V::ZERO, V::axis(0), V::axis(1), V::axis(0) + V::axis(1)]),
        Shape::hull([V::ZERO, V::axis(0), near, V::axis(1) * 1e-20]),
    ];
    shapes.push(Shape::cuboid(V::splat(1.0).with_component(1, 1e-30)));
    let shapes: Vec<Shape<V>> = shapes
        .into_iter()
        .map(|shape| shape.expect("valid"))
        .collect();
    for shape_a in &shapes {
        for shape_b in &shapes {
            for round in 0..iterations(20) {
                let rotation = |random: &mut Pcg| match round % 2 {
                    0 => V::quarter_turn(random),
                    _ => V::any_rotation(random),
                };
                let a = Body::new(shape_a.clone(), Pose::from_rotation(rotation(&mut random)));
                let at = random.point::<V>(random_size(round));
                let b = Body::new(shape_b.clone(), Pose::new(at, rotation(&mut random)));
                finite(&a, &b);
                assert!(size_of(&a, &b).is_finite());
            }
        }
    }
}

fn random_size(round: usize) -> f64 {
    [0.0, 1e-3, 1.0][round % 3]
}

fn composites_are_refused_by_name<V: Space>() {
    let part = clearance_shapes::CompoundPart {
        pose: Pose::IDENTITY,
        shape: Shape::ball(1.0).expect("valid"),
    };
    let compound = Shape::<V>::compound(vec![part]).expect("valid");
    let ball = Shape::ball(1.0).expect("valid");
    let pose = Pose::IDENTITY;
    let [compound, ball] = [&compound, &ball].map(|shape| Placed::new(shape, &pose));
    let error = contact_manifold(ball, compound, 0.0)
        .unwrap_err()
        .to_string();
    assert_eq!(error, "b.shape is a compound, must be convex");
    let error = contact_manifold(compound, ball, 0.0)
        .unwrap_err()
        .to_string();
    assert_eq!(error, "a.shape is a compound, must be convex");
}
