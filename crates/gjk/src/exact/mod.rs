//! Bounds in double precision against exact arithmetic.
//!
//! Answers are rounded outwards to single precision, which is wide enough to hide a bound that is wrong by
//! many last places of double precision. Here nothing is rounded: neither the bounds nor the truth.

mod oracle;
#[path = "../../tests/common/random.rs"]
#[allow(dead_code)] // Shared with the tests outside of the crate.
mod random;

use clearance_math::{Pose, Quat, Real, RelativePose, Vec2, Vec3, Vector};
use clearance_shapes::{Convex, Core, Shape};

use self::oracle::{Signed, Solid, Truth};
use self::random::{Pcg, iterations};
use crate::cores::Cores;
use crate::difference::Minkowski;
use crate::measured::{Measured, Outcome};
use crate::minkowski::core_corners;
use crate::pair;
use crate::pairs::point_convex;
use crate::pairs::point_point::turned;

/// A shape with corners, rounded or not, and where it is.
struct Body<V: Vector> {
    shape: Shape<V>,
    pose: Pose<V>,
}

impl<V: Vector> Body<V> {
    fn convex(&self) -> &Convex<V> {
        match &self.shape {
            Shape::Convex(convex) => convex,
            Shape::HalfSpace(_) => panic!("half-spaces are not made here"),
        }
    }

    fn radius(&self) -> f64 {
        self.convex().radius()
    }
}

/// The answer in double precision, as the crate finds it before it is rounded.
fn measured<V: Vector>(a: &Body<V>, b: &Body<V>) -> Measured<V::Precise> {
    if let Core::Point(center) = a.convex().core() {
        let apart = a.pose.translation.to_precise() - b.pose.translation.to_precise();
        let center = apart + turned(*center, &a.pose);
        let in_b = RelativePose::from_pose(&b.pose).inverse_transform_direction(center);
        if let Some(measured) = point_convex::measure(b.convex(), in_b, a.radius()) {
            return measured;
        }
    }
    let b_in_a = RelativePose::between(&a.pose, &b.pose);
    match pair::measure_shapes(&a.shape, &b.shape, &b_in_a, f64::INFINITY) {
        Outcome::Near(measured) => measured,
        other => panic!("no range was given, and yet {other:?}"),
    }
}

/// Checks both bounds.
fn check<V: Vector>(a: &Body<V>, b: &Body<V>, truth: &Truth) {
    let measured = measured(a, b);
    let radii = [a.radius(), b.radius()];
    let context = || {
        format!(
            "{measured:?} of {:?} {:?} and {:?} {:?}",
            a.shape, a.pose, b.shape, b.pose
        )
    };
    let is_above = truth.compare(measured.lower, &radii) == Signed::Above;
    assert!(!is_above, "lower bound above the truth: {}", context());
    let is_below = truth.compare(measured.upper, &radii) == Signed::Below;
    assert!(!is_below, "upper bound below the truth: {}", context());
}

/// The canonical order of kinds, in which closed forms are written.
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

/// The corners of a core, each with the faces and edges that they can be part of.
fn solid<V: Vector>(body: &Body<V>, rotation: [Real; 4]) -> Solid {
    let corners = core_corners(body.convex().core()).expect("a polytope");
    let corners: Vec<[Real; 3]> = corners.into_iter().map(point_of).collect();
    Solid::new(&corners, rotation, point_of(body.pose.translation))
}

/// A ball, capsule, triangle, tetrahedron or box, some of them rounded.
fn shape<V: Vector>(random: &mut Pcg) -> Shape<V> {
    let extents = |random: &mut Pcg| {
        (0..V::DIM).fold(V::ZERO, |v, k| v.with_component(k, random.extent(1.0)))
    };
    let shape = match random.below(5) {
        0 => Shape::ball(random.extent(0.5)),
        1 => Shape::segment(random.point(1.0), random.point(1.0)),
        2 => Shape::triangle(random.point(1.0), random.point(1.0), random.point(1.0)),
        3 => Shape::hull(&[0; 4].map(|_| random.point::<V>(1.0))),
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

/// Places of all magnitudes: overlapping, near, and hundreds of sizes apart.
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
            pose: Pose::new(place(&mut random), rotation(&mut random)),
        };
        let (a, b) = in_order(body(), body());
        let [solid_a, solid_b] = [&a, &b].map(|body| solid(body, body.pose.rotation.to_array()));
        check(&a, &b, &Truth::in_space(&solid_a, &solid_b));
    }
}

/// Not turned: a cosine and a sine that were rounded are not quite of unit length, so what is meant by
/// a turn of the plane is known no better than the bounds are.
#[test]
fn bounds_of_bodies_in_the_plane_hold_before_rounding() {
    let mut random = Pcg::new(402);
    for _ in 0..iterations(3000) {
        let mut body = || Body::<Vec2> {
            shape: shape(&mut random),
            pose: Pose::new(place(&mut random), <Vec2 as Vector>::Rotation::IDENTITY),
        };
        let (a, b) = in_order(body(), body());
        let unturned = [0.0, 0.0, 0.0, 1.0];
        let [solid_a, solid_b] = [&a, &b].map(|body| solid(body, unturned));
        check(&a, &b, &Truth::in_plane(&solid_a, &solid_b));
    }
}

/// The roundings in the height of a vertex, counted one by one, each of half a unit in the last place: b is turned
/// (three products, two sums), moved and taken from a, and its scalar product with a direction is three products
/// and two sums. Random pairs come nowhere near the bound, so that a lower one would not be noticed.
#[test]
fn the_rounding_of_a_difference_covers_every_operation() {
    const OPERATIONS: f64 = 12.0;
    let mut random = Pcg::new(403);
    for _ in 0..iterations(200) {
        let mut body = || Body::<Vec3> {
            shape: shape(&mut random),
            pose: Pose::new(place(&mut random), rotation(&mut random)),
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
