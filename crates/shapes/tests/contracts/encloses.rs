//! Whether a hull holds the points that it was made of, decided exactly. The fuzz target `hull` asks it, too.

use clearance_math::{DVec2, DVec3, PreciseVector, Vector};
use clearance_shapes::hull::Hull;
use robust::{Coord, Coord3D, orient2d, orient3d};

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
