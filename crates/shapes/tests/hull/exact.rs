//! What a hull promises, checked against the points that it was made of.

use clearance_math::{DVec2, DVec3, PreciseVector, Vector};
use clearance_shapes::hull::Hull;
use rand_pcg::Pcg64;
use robust::{Coord, Coord3D, orient2d, orient3d};

use crate::clouds::{many, unit};

fn turn(a: DVec2, b: DVec2, c: DVec2) -> f64 {
    let [a, b, c] = [a, b, c].map(|v| Coord { x: v.x, y: v.y });
    orient2d(a, b, c)
}

/// Positive above the triangle.
fn height(corners: [DVec3; 3], point: DVec3) -> f64 {
    let [a, b, c, d] = [corners[0], corners[1], corners[2], point].map(|v| Coord3D {
        x: v.x,
        y: v.y,
        z: v.z,
    });
    -orient3d(a, b, c, d)
}

/// Whether each point is in the hull, decided exactly.
pub(crate) fn assert_encloses<V: Vector>(name: &str, hull: &Hull<V>, points: &[V]) {
    let vertex = |v: u32| hull.vertices()[v as usize].to_precise().in_space();
    for point in points.iter().map(|v| v.to_precise().in_space()) {
        for face in hull.faces() {
            let list = face.vertices;
            if V::DIM == 2 {
                let [a, b] = [list[0], list[1]].map(|v| vertex(v).truncate());
                assert!(
                    turn(a, b, point.truncate()) >= 0.0,
                    "{name}: {point} outside"
                );
                continue;
            }
            let plane = [list[0], list[1], list[2]].map(vertex);
            assert!(height(plane, point) <= 0.0, "{name}: {point} outside");
            if hull.dimension() == 2 {
                // Seen along the axis that the normal leans to, the polygon keeps its sense.
                let n = face.normal.in_space();
                let axis = n.abs().max_position();
                let flat = |v: DVec3| DVec2::new(v[(axis + 1) % 3], v[(axis + 2) % 3]);
                for (k, &a) in list.iter().enumerate() {
                    let b = vertex(list[(k + 1) % list.len()]);
                    let side = turn(flat(vertex(a)), flat(b), flat(point)) * n[axis].signum();
                    assert!(side >= 0.0, "{name}: {point} outside in its plane");
                }
            }
        }
        if hull.dimension() < 2 {
            let (a, b) = (vertex(0), vertex(hull.dimension() as u32));
            for axis in 0..3 {
                let flat = |v: DVec3| DVec2::new(v[axis], v[(axis + 1) % 3]);
                assert_eq!(
                    turn(flat(a), flat(b), flat(point)),
                    0.0,
                    "{name}: {point} beside"
                );
            }
            assert!(
                a.min(b).cmple(point).all() && point.cmple(a.max(b)).all(),
                "{name}"
            );
        }
    }
}

/// Directions at random and where ties and near ties are.
fn directions<V: Vector>(rng: &mut Pcg64, hull: &Hull<V>) -> Vec<V::Precise> {
    let mut directions = many(200, |_| unit::<_, V>(rng));
    for k in 0..V::DIM {
        directions.extend([V::Precise::axis(k), -V::Precise::axis(k)]);
    }
    for face in hull.faces().step_by(1 + hull.faces().len() / 200) {
        directions.extend([face.normal, -face.normal]);
        directions.push(face.normal + unit::<_, V>(rng) * 1e-9);
    }
    for a in 0..hull.vertices().len() as u32 {
        let list = hull.neighbours(a);
        let position = |v: u32| hull.vertices()[v as usize].to_precise();
        let Some(along) = list
            .first()
            .and_then(|&b| (position(b) - position(a)).direction())
        else {
            continue;
        };
        let any = unit::<_, V>(rng);
        directions.push(any - along * any.dot(along));
    }
    directions
}

/// Whether the support of the hull is that of the points, up to the rounding of the products.
pub(crate) fn assert_supports<V: Vector>(
    name: &str,
    rng: &mut Pcg64,
    hull: &Hull<V>,
    points: &[V],
) {
    // Of any length: single precision does not do for all.
    const LENGTHS: [f64; 6] = [1.0, 1e-30, 1.0, 1e30, 1e-12, 1e12];
    for (direction, length) in directions(rng, hull)
        .into_iter()
        .zip(LENGTHS.into_iter().cycle())
    {
        let direction = direction * length;
        let product = |v: V::Precise| v.dot(direction);
        let best = points
            .iter()
            .map(|v| product(v.to_precise()))
            .fold(f64::MIN, f64::max);
        let terms = |v: &V| v.to_precise().abs().dot(direction.abs());
        let slack = 4.0 * f64::EPSILON * points.iter().map(terms).fold(0.0, f64::max);
        let found = product(hull.support(direction));
        assert!(
            (found - best).abs() <= slack,
            "{name}: {found} for {best} along {direction:?}"
        );
    }
}
