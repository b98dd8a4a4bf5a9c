//! Points, and the hull around them.

use clearance_math::{PreciseVector, Real, Vec2, Vec3, Vector};
use clearance_shapes::hull::Hull;
use clearance_shapes::{Core, Shape};

use crate::bytes::{Bytes, in_plane_or_space};
use crate::dimension::Dimension;
use crate::form::points;
use encloses::assert_encloses;

#[path = "../../shapes/tests/contracts/encloses.rs"]
mod encloses;

/// How many times the least difference of two coordinates the greatest may be for the planes of faces
/// to be right: see `Hull::validate`.
const WIDEST_RANGE: f64 = 1e9;
/// As many points as are used; large hulls are walked, small ones are not.
const MOST_POINTS: usize = 72;
/// What five roundings of a scalar product come to, relative to the sum of its terms.
const PRODUCT_ROUNDING: f64 = 4.0 * f64::EPSILON;

/// Points of the plane or of space, and their hull.
///
/// The hull is valid by its own account, holds every point exactly, has no vertex that is not one
/// of the points, finds the farthest point in every direction, and does not depend on the order.
///
/// # Panics
/// If the engine breaks one of these promises, with the points.
pub fn hull(data: &[u8]) {
    in_plane_or_space(data, run::<Vec2>, run::<Vec3>);
}

fn run<V: Dimension>(bytes: &mut Bytes) {
    let scale = match bytes.below(8) {
        0 => bytes.power_of_two(100),
        _ => 1.0,
    };
    let count = bytes.below(MOST_POINTS + 1);
    let mut points = points::<V>(bytes, count, scale);
    if bytes.once_in(4) {
        flatten(bytes, &mut points);
    }
    check(bytes, &points);
}

/// Puts all points at one height, or on one slanting plane up to rounding.
fn flatten<V: Vector>(bytes: &mut Bytes, points: &mut [V]) {
    let (from, to) = (bytes.below(V::DIM), bytes.below(V::DIM));
    let factor = Real::from(bytes.byte() as i8) / 4.0;
    for point in points {
        let height = if from == to {
            factor
        } else {
            point.component(from) * factor
        };
        *point = point.with_component(to, height);
    }
}

fn check<V: Dimension>(bytes: &mut Bytes, points: &[V]) {
    let bad = points.is_empty() || points.iter().any(|point| !point.is_finite());
    let hull = match Hull::from_points(points) {
        Ok(hull) => hull,
        Err(error) => {
            assert!(bad, "{error}: {points:?}");
            assert!(Shape::hull(points).is_err(), "{points:?}");
            return;
        }
    };
    assert!(!bad, "taken: {points:?}");
    if let Err(complaint) = hull.validate()
        && range(points) < WIDEST_RANGE
    {
        panic!("{complaint}: {hull:?} of {points:?}");
    }
    let given = hull.vertices().iter().all(|vertex| points.contains(vertex));
    assert!(given, "a vertex is no point: {hull:?} of {points:?}");
    assert_encloses(&format!("{hull:?} of {points:?}"), &hull, points);
    check_supports(bytes, &hull, points);
    check_order(&hull, points);
    check_shape(&hull, points);
}

/// The greatest difference of two coordinates along an axis over the least that is not zero.
fn range<V: Dimension>(points: &[V]) -> f64 {
    let pairs = points.iter().enumerate();
    let pairs = pairs.flat_map(|(index, a)| points[..index].iter().map(move |b| (a, b)));
    let differences = pairs.flat_map(|(a, b)| {
        let apart = a.to_precise() - b.to_precise();
        (0..V::DIM).map(move |k| apart.component(k).abs())
    });
    let (mut least, mut greatest) = (f64::INFINITY, 0.0_f64);
    for difference in differences.filter(|difference| *difference > 0.0) {
        least = least.min(difference);
        greatest = greatest.max(difference);
    }
    greatest / least
}

/// The farthest vertex is as far as the farthest point, up to the rounding of the products.
fn check_supports<V: Dimension>(bytes: &mut Bytes, hull: &Hull<V>, points: &[V]) {
    for direction in directions(bytes, hull) {
        let product = |v: V::Precise| v.dot(direction);
        let heights = points.iter().map(|v| product(v.to_precise()));
        let (low, high) = heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), h| {
            (low.min(h), high.max(h))
        });
        let terms = |v: &V| v.to_precise().abs().dot(direction.abs());
        let slack = PRODUCT_ROUNDING * points.iter().map(terms).fold(0.0, f64::max);
        let found = product(hull.support(direction));
        assert!(
            (found - high).abs() <= slack,
            "{found:e}, not {high:e}, along {direction:?}: {points:?}"
        );
        let least = product(hull.support(-direction));
        assert!(
            (least - low).abs() <= slack,
            "{least:e}, not {low:e}, along minus {direction:?}: {points:?}"
        );
    }
}

/// Directions where ties and near ties are, and any others.
fn directions<V: Dimension>(bytes: &mut Bytes, hull: &Hull<V>) -> Vec<V::Precise> {
    let mut directions = Vec::new();
    for k in 0..V::DIM {
        directions.extend([V::Precise::axis(k), -V::Precise::axis(k)]);
    }
    for face in hull.faces() {
        let beside: V = bytes.vector(Bytes::fraction);
        let beside = face.normal + beside.to_precise() * 1e-9;
        directions.extend([face.normal, -face.normal, beside]);
    }
    for _ in 0..16 {
        directions.push(bytes.vector::<V>(Bytes::fraction).to_precise());
    }
    directions
}

/// The hull depends on its extreme points alone.
fn check_order<V: Dimension>(hull: &Hull<V>, points: &[V]) {
    let mut others = points.to_vec();
    others.reverse();
    others.extend_from_slice(&points[..1]);
    let half = others.len() / 2;
    others.rotate_left(half);
    for (name, others) in [
        ("another order", &others[..]),
        ("its own vertices", hull.vertices()),
    ] {
        let again = Hull::from_points(others);
        assert!(
            again.as_ref() == Ok(hull),
            "{name} gives {again:?}, not {hull:?}: {points:?}"
        );
    }
}

/// The shape has the simplest core that fits.
fn check_shape<V: Dimension>(hull: &Hull<V>, points: &[V]) {
    let Ok(Shape::Convex(convex)) = Shape::hull(points) else {
        panic!("no shape: {points:?}");
    };
    let corners = match convex.core() {
        Core::Point(_) => 1,
        Core::Segment(_) => 2,
        Core::Triangle(_) => 3,
        _ => hull.vertices().len().max(4),
    };
    assert_eq!(corners, hull.vertices().len(), "{convex:?}: {points:?}");
}
