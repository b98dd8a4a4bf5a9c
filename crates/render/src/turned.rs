//! Shapes with an axis, such as capsules and cylinders, as rings of vertices about it.

use core::f64::consts::FRAC_PI_2;

use clearance_math::{DVec3, PreciseVector, Vector};
use clearance_shapes::{Convex, Core, Support};

use crate::Tessellation;
use crate::directions::{Frame, Ring, quarter, rings, too_close};

/// How far to both sides of a straight side's normal its ends are asked for, in radians. A rounded
/// vertex is moved aside by this times the rounding radius.
const BESIDE: f64 = 1e-7;

/// Rings closer together than this, relative to the size of the shape, are taken as one.
const TOO_NEAR: f64 = 1e-7;

/// The triangles of a solid shape in 3D that is round about an axis, or an ellipsoid: those of a sphere of
/// directions, whose corners are moved to the farthest points of the shape. `None` for other shapes.
pub(crate) fn turned<V: Vector>(convex: &Convex<V>) -> Option<Tessellation> {
    let frame = match convex.core() {
        _ if V::DIM == 2 => return None,
        Core::Point(_) | Core::Segment(_) if convex.radius() == 0.0 => return None,
        Core::Segment(segment) => {
            let along = segment.b.to_precise() - segment.a.to_precise();
            Frame::about(along.in_space().direction()?)
        }
        Core::Point(_)
        | Core::Ellipsoid(_)
        | Core::Cylinder(_)
        | Core::Cone(_)
        | Core::TaperedCapsule(_)
        | Core::TaperedCylinder(_) => Frame::UPRIGHT,
        _ => return None,
    };
    let mut rows = Vec::new();
    let mut points = Vec::new();
    for ring in rings_of(convex, frame) {
        rows.push(Row {
            first: points.len() as u32,
            count: ring.count(),
        });
        let directions = ring.directions(frame);
        points.extend(directions.map(|direction| V::from_precise(farthest(convex, direction))));
    }
    let mut found = Tessellation::of_points(&points);
    for pair in rows.windows(2) {
        stitch(pair[0], pair[1], &mut found.triangles);
    }
    if let (true, [_, _]) = (found.triangles.is_empty(), &rows[..]) {
        // As thin as a line.
        found.edges.push([0, 1]);
    }
    Some(found)
}

/// The half section of a shape that is symmetric about the y axis, from below to above, at x >= 0.
pub(crate) fn section<V: Vector>(convex: &Convex<V>) -> Vec<(Ring, V::Precise)> {
    along_start(convex, Frame::UPRIGHT)
}

/// The rings of directions, without those that would give the same vertices as the one before.
fn rings_of<V: Vector>(convex: &Convex<V>, frame: Frame) -> Vec<Ring> {
    let found = if let Core::Ellipsoid(_) = convex.core() {
        return rings(quarter::<V::Precise>()).collect();
    } else {
        along_start(convex, frame)
    };
    found.into_iter().map(|(ring, _)| ring).collect()
}

/// The rings of directions of a shape that is symmetric about the frame's axis, with the farthest point
/// along the first direction of each. Of rings that give the same points the one of most directions is
/// kept. Rings on the axis become poles.
fn along_start<V: Vector>(convex: &Convex<V>, frame: Frame) -> Vec<(Ring, V::Precise)> {
    let near = TOO_NEAR * (convex.core_size() + convex.radius());
    let center = convex.core_center();
    let distance = |point: V::Precise| {
        let from_center = (point - center).in_space();
        (from_center - frame.axis * from_center.dot(frame.axis)).length()
    };
    let mut found: Vec<(Ring, V::Precise)> = Vec::new();
    for ring in all_rings(convex.core()) {
        let Some(direction) = ring.directions(frame).next() else {
            continue;
        };
        let on_core = convex.core().support(V::Precise::from_space(direction));
        let point = farthest(convex, direction);
        let ring = Ring {
            per_quarter: if distance(point) <= near {
                0
            } else if distance(on_core) > near {
                // Not part of a ball about a point of the axis, so the ring is about as wide as the shape.
                quarter::<V::Precise>()
            } else {
                ring.per_quarter
            },
            ..ring
        };
        match found.last_mut() {
            Some(last) if (last.1 - point).length() <= near => {
                if last.0.per_quarter < ring.per_quarter {
                    *last = (ring, point);
                }
            }
            _ => found.push((ring, point)),
        }
    }
    found
}

fn farthest<V: Vector>(convex: &Convex<V>, direction: DVec3) -> V::Precise {
    let direction = V::Precise::from_space(direction);
    convex.core().support(direction) + direction * convex.radius()
}

/// Rings from pole to pole: steps of a facet, and both sides of the normal of each straight side.
fn all_rings<V: Vector>(core: &Core<V>) -> Vec<Ring> {
    let per_quarter = quarter::<V::Precise>();
    let straight = straight_sides(core);
    let is_far = |ring: &Ring| {
        let is_axis = [0.0, FRAC_PI_2].contains(&ring.latitude.abs());
        let close = too_close::<V::Precise>(is_axis);
        let mut distances = straight.iter().map(|side| (side - ring.latitude).abs());
        distances.all(|distance| distance > close)
    };
    let mut found: Vec<Ring> = rings(per_quarter).filter(is_far).collect();
    for side in &straight {
        found.extend([side - BESIDE, side + BESIDE].map(|latitude| Ring {
            latitude: latitude.clamp(-FRAC_PI_2, FRAC_PI_2),
            per_quarter: if latitude.abs() < FRAC_PI_2 {
                per_quarter
            } else {
                0
            },
        }));
    }
    found.sort_by(|a, b| a.latitude.total_cmp(&b.latitude));
    found
}

/// The angles of the normals of the straight sides above the equator, in radians.
fn straight_sides<V: Vector>(core: &Core<V>) -> Vec<f64> {
    let slope = |narrowing: f64, half_height: f64| libm::atan2(narrowing, 2.0 * half_height);
    match core {
        Core::Segment(_) => vec![0.0],
        Core::Cylinder(_) => vec![-FRAC_PI_2, 0.0, FRAC_PI_2],
        Core::Cone(cone) => {
            let side = slope(cone.radius.into(), cone.half_height.into());
            vec![-FRAC_PI_2, side]
        }
        Core::TaperedCylinder(cylinder) => {
            let narrowing = f64::from(cylinder.radius_bottom) - f64::from(cylinder.radius_top);
            let side = slope(narrowing, cylinder.half_height.into());
            vec![-FRAC_PI_2, side, FRAC_PI_2]
        }
        Core::TaperedCapsule(capsule) => {
            let [top, bottom] = capsule.core_radii();
            let up = (bottom - top) / (2.0 * f64::from(capsule.half_length()));
            vec![libm::asin(up.clamp(-1.0, 1.0))]
        }
        _ => Vec::new(),
    }
}

/// The vertices of a ring.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Row {
    first: u32,
    count: u32,
}

impl Row {
    fn vertex(self, step: u32) -> u32 {
        self.first + step % self.count
    }

    /// How far around the middle of a step is; a pole has no steps.
    fn middle(self, step: u32) -> f64 {
        if self.count == 1 {
            f64::INFINITY
        } else {
            (f64::from(step) + 0.5) / f64::from(self.count)
        }
    }
}

/// Fills the band between two rings: goes around and takes the next step of the ring whose step comes
/// first.
fn stitch(below: Row, above: Row, triangles: &mut Vec<[u32; 3]>) {
    let (mut low, mut high) = (0, 0);
    let steps = |row: Row| if row.count == 1 { 0 } else { row.count };
    for _ in 0..steps(below) + steps(above) {
        let (from, to) = (below.vertex(low), above.vertex(high));
        if below.middle(low) <= above.middle(high) {
            low += 1;
            triangles.push([from, below.vertex(low), to]);
        } else {
            high += 1;
            triangles.push([from, above.vertex(high), to]);
        }
    }
}
