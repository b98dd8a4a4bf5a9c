//! Segment or triangle apart from a cuboid in space: capsule and box, triangle and box.
//!
//! All in the frame of the cuboid, in which it is a box around the origin. A segment is an edge. The cases of a
//! triangle, in this order:
//! * Its plane keeps the box on one side, and one corner of the box that is nearest to the plane (any, if there are
//!   several) projects into the triangle: the corner and its projection are the closest points.
//! * Otherwise an edge of the triangle has a point that is as near as any. For if a closest point is inside the
//!   triangle, the shortest way is across the plane, which keeps the box on one side, and ends at a point of the box
//!   that is as near to the plane as that corner is. So are all points of the box between it and the corner. Their
//!   projections begin inside the triangle and end outside, and one of them is on an edge.
//!
//! The plane across the way between the points proves the lower bound: rounding may leave a pair to the search, but
//! not make an answer wrong. The upper bound holds since both points lie on the shapes up to rounding, for which the
//! normal of a triangle must be precise.

use clearance_math::internal::MapEach;
use clearance_math::{PreciseVector, RelativePose, Vector, greater_of, tolerances};
use clearance_shapes::{Convex, Core, Cuboid};

use super::axes::cross;
use crate::measured::Measured;

/// Measures a segment or a triangle against a cuboid from which it is apart, in the frame of the first. `None` for
/// other cores, or if the points that were found are not proven to be the closest.
pub(crate) fn measure<V: Vector>(
    a: &Convex<V>,
    b: (&Convex<V>, &Cuboid<V>),
    b_in_a: &RelativePose<V::Precise>,
) -> Option<Measured<V::Precise>> {
    let size = a.core_bounding_radius() + b.0.core_bounding_radius();
    let rounding = tolerances::DIFFERENCE_ROUNDING * (size + b_in_a.translation.length());
    let beside = BesideBox::new(b.1.half_extents.to_precise(), rounding);
    let in_b = |corner: V| b_in_a.inverse_transform_point(corner.to_precise());
    let found = match a.core() {
        Core::Segment(segment) => {
            let ends = [segment.a, segment.b].map_each(in_b);
            beside.proven(beside.nearest_to_edge(ends), &ends)
        }
        Core::Triangle(triangle) => {
            let corners = [triangle.a, triangle.b, triangle.c].map_each(in_b);
            let nearest = beside.nearest_to_face(corners);
            let nearest = nearest.unwrap_or_else(|| beside.nearest_to_edges(corners));
            beside.proven(nearest, &corners)
        }
        _ => None,
    }?;
    Some(Measured {
        normal: b_in_a.transform_direction(found.normal),
        on_a: b_in_a.transform_point(found.on_a),
        on_b: b_in_a.transform_point(found.on_b),
        ..found
    })
}

/// A point of a segment or a triangle, and the point of the box that is nearest to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Points<P> {
    pub(super) on_a: P,
    pub(super) on_b: P,
}

/// The box that something is beside.
pub(super) struct BesideBox<P> {
    half: P,
    /// How much coordinates may be wrong.
    rounding: f64,
}

impl<P: PreciseVector> BesideBox<P> {
    pub(super) fn new(half: P, rounding: f64) -> Self {
        Self { half, rounding }
    }

    fn nearest_to_point(&self, point: P) -> Points<P> {
        Points {
            on_a: point,
            on_b: point.max(-self.half).min(self.half),
        }
    }

    /// How fast half of the squared distance grows along a segment. This slope never falls along it, and is linear
    /// between the planes of the box's faces.
    #[inline]
    fn slope(&self, [start, along]: [P; 2], t: f64) -> f64 {
        let points = self.nearest_to_point(start + along * t);
        along.dot(points.on_a - points.on_b)
    }

    /// The closest points of a segment and the box: where the slope is zero, or an end.
    pub(super) fn nearest_to_edge(&self, [start, end]: [P; 2]) -> Points<P> {
        let line = [start, end - start];
        let mut low = (0.0, self.slope(line, 0.0));
        if low.1 >= 0.0 {
            return self.nearest_to_point(start);
        }
        let mut high = (1.0, self.slope(line, 1.0));
        if high.1 <= 0.0 {
            return self.nearest_to_point(end);
        }
        for k in 0..P::DIM {
            let [start, along] = line.map_each(|vector| vector.component(k));
            for face in [-self.half.component(k), self.half.component(k)] {
                let t = (face - start) / along;
                // False for NaN, too.
                if t > low.0 && t < high.0 {
                    let slope = self.slope(line, t);
                    if slope < 0.0 {
                        low = (t, slope);
                    } else {
                        high = (t, slope);
                    }
                }
            }
        }
        let share = low.1 / (low.1 - high.1);
        let t = low.0 + (high.0 - low.0) * share;
        self.nearest_to_point(start + line[1] * t)
    }

    /// The nearest of the closest points of the edges.
    fn nearest_to_edges(&self, [a, b, c]: [P; 3]) -> Points<P> {
        let mut nearest = self.nearest_to_edge([a, b]);
        let mut least = (nearest.on_b - nearest.on_a).length_squared();
        for edge in [[b, c], [c, a]] {
            let points = self.nearest_to_edge(edge);
            let squared = (points.on_b - points.on_a).length_squared();
            if squared < least {
                (nearest, least) = (points, squared);
            }
        }
        nearest
    }

    /// The corner of the box next to the plane of a triangle that keeps it on one side, and the point below that
    /// corner, if it is inside the triangle. `None` for thin triangles, too.
    fn nearest_to_face(&self, [a, b, c]: [P; 3]) -> Option<Points<P>> {
        let sides = [b - a, c - a, c - b];
        let longest = sides.map_each(PreciseVector::length_squared);
        let longest = longest.into_iter().fold(0.0, greater_of);
        let normal = cross(sides[0], sides[1]);
        if !(normal.length() > tolerances::PRECISE_NORMAL * longest) {
            return None;
        }
        let height = normal.dot(a);
        let normal = if height < 0.0 { -normal } else { normal };
        let corner = self.half.with_signs_of(normal);
        let gap = normal.dot(a - corner);
        if !(gap > 0.0) {
            return None;
        }
        let foot = corner + normal * (gap / normal.length_squared());
        let outward = if height < 0.0 { -1.0 } else { 1.0 };
        let is_inside = |from: P, to: P| normal.dot(cross(to - from, foot - from)) * outward >= 0.0;
        (is_inside(a, b) && is_inside(b, c) && is_inside(c, a)).then_some(Points {
            on_a: foot,
            on_b: corner,
        })
    }

    /// The distance of the points, if the plane between them proves it.
    fn proven(&self, points: Points<P>, corners: &[P]) -> Option<Measured<P>> {
        let Points { on_a, on_b } = points;
        let apart = on_b - on_a;
        let distance = apart.length();
        let normal = apart / distance;
        let farthest = corners.iter().fold(f64::NEG_INFINITY, |most, corner| {
            most.max(corner.dot(normal))
        });
        let lower = -normal.abs().dot(self.half) - farthest;
        let allowed = tolerances::CLOSED_FORM_GAP * distance + 2.0 * self.rounding;
        let rounding = 3.0 * self.rounding;
        (distance - lower <= allowed && lower > rounding).then(|| Measured {
            lower: lower - rounding,
            ..Measured::exact(distance, normal, (on_a, on_b), rounding)
        })
    }
}

#[cfg(test)]
mod tests {
    use clearance_math::{DVec3, Pose, Quat, Real, Vec3};
    use clearance_shapes::Shape;

    use super::*;
    use crate::cores::Cores;
    use crate::iterate::measure_in;
    use crate::measured::Outcome;

    /// The closed form agrees with the search, whose bounds are proven on their own.
    fn assert_agrees(found: &Measured<DVec3>, searched: &Measured<DVec3>) {
        let context = format!("{found:?} {searched:?}");
        assert!(found.lower <= searched.upper, "{context}");
        assert!(found.upper >= searched.lower, "{context}");
        assert!(
            (found.normal - searched.normal).length() < 1e-4,
            "{context}"
        );
        let beside = found.on_b - found.on_a - found.normal * found.distance;
        assert!(beside.length() < 1e-14, "{context}");
    }

    /// How many of 4,000 pairs are apart by more than a thousandth, and how many of these are decided.
    fn decided(shape: impl Fn([Vec3; 3]) -> Shape<Vec3>) -> [usize; 2] {
        let cuboid = Shape::cuboid(Vec3::new(0.5, 1.0, 0.75)).expect("positive half extents");
        let Shape::Convex(b) = &cuboid else {
            unreachable!("cuboids are convex");
        };
        let Core::Cuboid(core_b) = b.core() else {
            unreachable!("cuboids have cuboids as cores");
        };
        let (mut apart, mut found) = (0, 0);
        let mut round = 0_u64;
        for k in 0..4000 {
            let mut number = || {
                // Multiples of an irrational number cover their range evenly.
                round += 1;
                (round as f64 * 0.618_033_988_749_894_9).fract() as Real - 0.5
            };
            let mut point = || {
                let point = Vec3::new(number(), number(), number()) * 4.0;
                // Every other pair has corners, edges and faces that lie above each other.
                if k % 2 == 0 { point.round() } else { point }
            };
            let [axis, place] = [point(), point()];
            let rotation = if k % 4 < 2 {
                Quat::IDENTITY
            } else {
                Quat::from_axis_angle(axis.normalize_or(Vec3::X), axis.y)
            };
            let a = shape([point(), point(), point()]);
            let Shape::Convex(convex) = &a else {
                unreachable!("segments and triangles are convex");
            };
            let b_in_a =
                RelativePose::between(&Pose::<Vec3>::IDENTITY, &Pose::<Vec3>::new(place, rotation));
            let searched = measure_in(&Cores::new(convex, b, &b_in_a), f64::INFINITY, 1e-9);
            let Outcome::Near(searched) = searched else {
                unreachable!("an infinite range");
            };
            if searched.distance > 1e-3 {
                apart += 1;
                if let Some(closed) = measure(convex, (b, core_b), &b_in_a) {
                    found += 1;
                    assert_agrees(&closed, &searched);
                }
            }
        }
        [apart, found]
    }

    #[test]
    fn nearly_all_pairs_that_are_apart_are_decided() {
        let segments = decided(|[a, b, _]| Shape::segment(a, b).expect("finite ends"));
        let triangles = decided(|[a, b, c]| Shape::triangle(a, b, c).expect("finite corners"));
        for [apart, found] in [segments, triangles] {
            assert!(apart > 1500, "{apart} of 4000 pairs are apart");
            assert!(100 * found >= 99 * apart, "{found} of {apart} are decided");
        }
    }
}
