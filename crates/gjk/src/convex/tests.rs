//! Tests that compare bounds in double precision with the distance in exact arithmetic.
//!
//! Bounds are rounded outwards to single precision at the end. That can hide an error of many units in
//! the last place of double precision. So these tests check the bounds before they are rounded, against
//! a distance that is not rounded at all.

mod oracle;
#[path = "../../tests/common/random.rs"]
#[allow(dead_code)] // Shared with the tests outside of the crate.
mod random;

use clearance_math::{Pose, Quat, Real, RelativePose, Vec2, Vec3, Vector};
use clearance_shapes::{Convex, Core, Shape};

use self::oracle::{ExactDistance, PlacedPolytope};
use self::random::{Pcg, iterations};
use crate::answer::{Measured, Outcome};
use crate::convex::closed_forms::point_convex;
use crate::convex::closed_forms::point_point::turned;
use crate::convex::method;
use crate::core_corners;
use crate::search::{Cores, Minkowski};

/// A polytope, rounded or not, with its pose.
struct Body<V: Vector> {
    shape: Shape<V>,
    pose: Pose<V>,
}

impl<V: Vector> Body<V> {
    fn convex(&self) -> &Convex<V> {
        match &self.shape {
            Shape::Convex(convex) => convex,
            _ => panic!("only convex shapes are made here"),
        }
    }

    fn radius(&self) -> f64 {
        self.convex().radius()
    }
}

/// The answer in double precision, before it is rounded to single precision.
fn measured<V: Vector>(a: &Body<V>, b: &Body<V>) -> Measured<V::Precise> {
    if let Core::Point(center) = a.convex().core() {
        let apart = a.pose.position() - b.pose.position();
        let center = apart + turned(*center, &a.pose);
        let in_b = RelativePose::from_pose(&b.pose).inverse_transform_direction(center);
        if let Some(measured) = point_convex::measure(b.convex(), in_b, a.radius()) {
            return measured;
        }
    }
    let b_in_a = RelativePose::between(&a.pose, &b.pose);
    match method::measure_shapes([&a.shape, &b.shape], &b_in_a, f64::INFINITY, None) {
        Outcome::Near(measured) => measured,
        other => panic!("no range was given, and yet {other:?}"),
    }
}

/// Checks both bounds against the exact distance.
fn check<V: Vector>(a: &Body<V>, b: &Body<V>, exact: &ExactDistance) {
    let measured = measured(a, b);
    let radii = [a.radius(), b.radius()];
    let context = || {
        format!(
            "{measured:?} of {:?} {:?} and {:?} {:?}",
            a.shape, a.pose, b.shape, b.pose
        )
    };
    let lower = exact.compare_bound(measured.lower, &radii);
    assert!(
        lower.is_le(),
        "lower bound above the distance: {}",
        context()
    );
    let upper = exact.compare_bound(measured.upper, &radii);
    assert!(
        upper.is_ge(),
        "upper bound below the distance: {}",
        context()
    );
}

/// Puts the bodies into the canonical order of kinds, which closed forms expect.
fn in_order<V: Vector>(a: Body<V>, b: Body<V>) -> (Body<V>, Body<V>) {
    if a.convex().core().kind() > b.convex().core().kind() {
        (b, a)
    } else {
        (a, b)
    }
}

fn point_of<V: Vector>(point: V) -> [Real; 3] {
    core::array::from_fn(|k| if k < V::DIM { point.component(k) } else { 0.0 })
}

/// The corners of a body's core at its pose, in exact numbers.
fn placed<V: Vector>(body: &Body<V>, rotation: [Real; 4]) -> PlacedPolytope {
    let corners = core_corners(body.convex().core()).expect("a polytope");
    let corners: Vec<[Real; 3]> = corners.into_iter().map(point_of).collect();
    PlacedPolytope::new(&corners, rotation, point_of(body.pose.translation()))
}

/// A random ball, segment, triangle, hull of four points or box. A quarter of them are rounded.
fn shape<V: Vector>(random: &mut Pcg) -> Shape<V> {
    let extents = |random: &mut Pcg| {
        (0..V::DIM).fold(V::ZERO, |v, k| v.with_component(k, random.extent(1.0)))
    };
    let shape = match random.below(5) {
        0 => Shape::ball(random.extent(0.5)),
        1 => Shape::segment(random.point(1.0), random.point(1.0)),
        2 => Shape::triangle(random.point(1.0), random.point(1.0), random.point(1.0)),
        3 => Shape::hull([0; 4].map(|_| random.point::<V>(1.0))),
        _ => Shape::cuboid(extents(random)),
    };
    let shape = shape.expect("a valid shape");
    if random.chance(0.25) {
        shape
            .rounded(random.extent(0.3))
            .expect("a radius above zero")
    } else {
        shape
    }
}

/// A random position. Two of them can make the bodies overlap, be near, or be hundreds of sizes apart.
fn place<V: Vector>(random: &mut Pcg) -> V {
    let far = random.log_between(0.05, 300.0);
    random.point(far)
}

fn rotation(random: &mut Pcg) -> Quat {
    loop {
        let parts = [0; 4].map(|_| random.between(-1.0, 1.0));
        let length = parts.iter().map(|x| x * x).sum::<f64>().sqrt();
        if (0.1..=1.0).contains(&length) {
            return Quat::from_array(parts.map(|x| (x / length) as Real));
        }
    }
}

#[test]
fn bounds_of_bodies_in_space_hold_before_rounding() {
    let mut random = Pcg::new(401);
    for _ in 0..iterations(1500) {
        let mut body = || Body::<Vec3> {
            shape: shape(&mut random),
            pose: Pose::new(place::<Vec3>(&mut random), rotation(&mut random)),
        };
        let (a, b) = in_order(body(), body());
        let [placed_a, placed_b] = [&a, &b].map(|body| placed(body, body.pose.rotation.to_array()));
        check(&a, &b, &ExactDistance::in_space(&placed_a, &placed_b));
    }
}

/// The bodies are not rotated. A rounded cosine and sine do not quite form a unit vector, so the exact
/// rotation that they stand for is not known more precisely than the bounds are.
#[test]
fn bounds_of_bodies_in_the_plane_hold_before_rounding() {
    let mut random = Pcg::new(402);
    for _ in 0..iterations(3000) {
        let mut body = || Body::<Vec2> {
            shape: shape(&mut random),
            pose: Pose::new(
                place::<Vec2>(&mut random),
                <Vec2 as Vector>::Rotation::IDENTITY,
            ),
        };
        let (a, b) = in_order(body(), body());
        let identity = [0.0, 0.0, 0.0, 1.0];
        let [placed_a, placed_b] = [&a, &b].map(|body| placed(body, identity));
        check(&a, &b, &ExactDistance::in_plane(&placed_a, &placed_b));
    }
}

/// Compares the rounding error that bounds include with the number of operations that compute the height
/// of a support point, each of which rounds by half a unit in the last place: b is rotated (three
/// products, two sums), translated and subtracted from a, and the scalar product with a direction takes
/// three products and two sums.
///
/// The errors of random pairs are much smaller than this, so the other tests would not notice if too
/// little were included.
#[test]
fn the_rounding_of_a_difference_covers_every_operation() {
    const OPERATIONS: f64 = 12.0;
    let mut random = Pcg::new(403);
    for _ in 0..iterations(200) {
        let mut body = || Body::<Vec3> {
            shape: shape(&mut random),
            pose: Pose::new(place::<Vec3>(&mut random), rotation(&mut random)),
        };
        let (a, b) = (body(), body());
        let b_in_a = RelativePose::between(&a.pose, &b.pose);
        let farthest = |body: &Body<Vec3>| {
            let corners = core_corners(body.convex().core()).expect("a polytope");
            corners
                .iter()
                .fold(0.0_f64, |far, p| far.max(p.to_precise().length()))
        };
        let scale = farthest(&a) + farthest(&b) + b_in_a.translation.length();
        let rounding = Cores::new(a.convex(), b.convex(), &b_in_a).rounding();
        assert!(
            rounding >= OPERATIONS * 0.5 * f64::EPSILON * scale,
            "{rounding:e} at {scale}"
        );
    }
}
