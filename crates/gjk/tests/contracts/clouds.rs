//! A cloud of points answers as the compound of its balls does, bit for bit.

use clearance_gjk::{
    Cast, CastOptions, Motion, Placed, Proximity, RayOptions, cast_ray, cast_ray_all_into,
    cast_shapes, contacts_into, intersects, point_proximity, proximity,
};
use clearance_math::{Pose, Ray, Real};
use clearance_shapes::{CompoundPart, Shape};

use crate::common::{Pcg, Space, in_both_dimensions, iterations};
use crate::composite_shapes::{Composites, convex};

in_both_dimensions!(
    clouds_answer_as_compounds_of_balls,
    any_order_of_the_points_has_the_same_answers,
);

/// Points, at times many or in one place, and a radius that may be 0.
fn points<V: Space>(random: &mut Pcg) -> (Vec<V>, Real) {
    let most = random.pick(&[5, 80, 700]);
    let count = 1 + random.below(most);
    let size = random.pick(&[1.0, 2.0, 1e3]);
    let mut points: Vec<V> = (0..count).map(|_| random.point(size)).collect();
    for _ in 0..random.below(4) {
        let again = random.below(count);
        points.push(points[again]);
    }
    (points, random.pick(&[0.0, 0.125, 0.5]))
}

fn compound_of_balls<V: Space>(points: &[V], radius: Real) -> Shape<V> {
    let part = |&point: &V| {
        let shape = if radius > 0.0 {
            Shape::capsule_from_endpoints(point, point, radius)
        } else {
            Shape::segment(point, point)
        };
        CompoundPart::new(shape.expect("a finite point"), Pose::IDENTITY)
    };
    Shape::compound(points.iter().map(part).collect::<Vec<_>>()).expect("convex parts")
}

/// The answers to every question about a shape, as texts.
pub(crate) fn answers<V: Space>(shape: &Shape<V>, other: &Shape<V>, seed: u64) -> Vec<String> {
    let random = &mut Pcg::new(seed);
    let mut pose = || Pose::new(random.point::<V>(2.0), V::any_rotation(random));
    let poses = [pose(), pose()];
    let [a, b] = [(shape, &poses[0]), (other, &poses[1])]
        .map(|(shape, pose)| Placed::new(shape, pose).with_effort(u32::MAX));
    let within = random.pick(&[0.0, 0.5, Real::INFINITY]);
    // How far apart parts are that are out of range is known as well as the tree tells.
    let near = |a, b| proximity(a, b, within).map(Proximity::near);
    let mut texts = vec![
        format!("{:?}", near(a, b)),
        format!("{:?}", near(b, a)),
        format!("{:?}", intersects(a, b)),
        format!(
            "{:?}",
            point_proximity(random.point::<V>(3.0), a, within).map(Proximity::near)
        ),
    ];
    let mut found = Vec::new();
    contacts_into(a, b, 0.25, &mut found).expect("a finite range");
    texts.push(format!("{found:?}"));
    let ray =
        Ray::new(random.point::<V>(4.0), random.point::<V>(1.0) + V::axis(0)).expect("finite");
    let options = RayOptions::default();
    texts.push(format!("{:?}", cast_ray(&ray, a, options)));
    let mut hits = Vec::new();
    cast_ray_all_into(&ray, a, options, &mut hits).expect("a valid ray");
    texts.push(format!("{hits:?}"));
    let motion = Motion::from_linear(random.point::<V>(4.0));
    let hit = cast_shapes(
        Cast::new(a, motion),
        Cast::resting(b),
        CastOptions::default(),
    );
    texts.push(format!("{hit:?}"));
    texts
}

fn clouds_answer_as_compounds_of_balls<V: Composites>() {
    let mut random = Pcg::new(4001);
    for round in 0..iterations(600) as u64 {
        let (points, radius) = points::<V>(&mut random);
        let cloud = Shape::points(&points, radius).expect("a valid cloud");
        let compound = compound_of_balls(&points, radius);
        let other = if random.chance(0.3) {
            V::composite(&mut random)
        } else {
            convex(&mut random)
        };
        let [of_cloud, of_compound] =
            [&cloud, &compound].map(|shape| answers(shape, &other, round));
        assert_eq!(of_cloud, of_compound, "{points:?} {radius} {other:?}");
    }
}

fn any_order_of_the_points_has_the_same_answers<V: Composites>() {
    let mut random = Pcg::new(4002);
    for _ in 0..iterations(200) {
        let (points, radius) = points::<V>(&mut random);
        let cloud = Shape::points(&points, radius).expect("a valid cloud");
        let reversed: Vec<V> = points.iter().rev().copied().collect();
        let reversed = Shape::points(reversed, radius).expect("a valid cloud");
        let other = convex(&mut random);
        let mut pose = || Pose::new(random.point::<V>(2.0), V::any_rotation(&mut random));
        let poses = [pose(), pose()];
        let distance = |cloud| {
            let sides = (
                Placed::new(cloud, &poses[0]),
                Placed::new(&other, &poses[1]),
            );
            let near = proximity(sides.0, sides.1, Real::INFINITY)
                .expect("valid")
                .near();
            near.map(|near| (near.distance, near.lower, near.upper))
        };
        assert_eq!(distance(&cloud), distance(&reversed), "{points:?} {radius}");
    }
}
