//! The closest points of an edge and a frustum that are apart.
//!
//! The distance d from a convex set is a convex function of the point: its slope g never falls along the edge, and the
//! closest point is where it is zero, or an end. In the half-plane of the axis and a point the frustum is a trapezoid, and
//! the point moves there with the velocity w = (ρ', z'), where ρ is the distance from the axis: ρ' = r·u / ρ and
//! ρ'' = (u² - ρ'²) / ρ, with r the vector from the axis to the point, and u the part of the edge across the axis. If n is
//! the normal of the trapezoid at its nearest point, then g = n·w. There are three cases:
//!
//! 1. the nearest point is on the side: n does not change, and g is zero where ρ' has a known value;
//! 2. it is inside a disc: neither n nor g changes. Unless g is zero, the closest point is beyond where the edge leaves the
//!    space over the disc;
//! 3. it is on a rim: Newton's method for half of the squared distance, whose slope is d g. Near the zero that function is
//!    close to a parabola, also where the two nearly touch.
//!
//! The derivative of d g is |w'|² + e ρ'', where w' is the part of w that is not along the side or disc, and e the distance
//! of the nearest point from the point, measured away from the axis.

use clearance_math::{DVec2, DVec3, tolerances};

use super::frustum::{Frustum, NearestInHalfPlane, Part};

/// The most steps. Nearly all edges take one to six.
const MOST_STEPS: usize = 24;

/// An edge in the frame of a frustum.
pub(super) struct EdgeInFrame<'a> {
    frustum: &'a Frustum,
    edge: DVec3,
    /// From the centre of the frustum to the start of the edge: across the axis, and along it.
    start: (DVec3, f64),
    /// From the start to the end: across the axis, and along it.
    along: (DVec3, f64),
    /// How far rounding may move a point of the difference.
    rounding: f64,
}

/// A point of the edge, and the nearest one of the frustum.
#[derive(Clone, Copy, Debug)]
pub(super) struct PointOfEdge {
    /// Which share of the edge is before it.
    pub(super) share: f64,
    /// The unit vector from the axis to it, or zero.
    outward: DVec3,
    nearest: NearestInHalfPlane,
    distance: f64,
    /// The derivative of the distance by the share.
    slope: f64,
    /// By how much Newton's method changes the share.
    step: f64,
}

impl<'a> EdgeInFrame<'a> {
    pub(super) fn new([start, end]: [DVec3; 2], frustum: &'a Frustum, rounding: f64) -> Self {
        let edge = end - start;
        Self {
            frustum,
            edge,
            start: frustum.split(start - frustum.center),
            along: frustum.split(edge),
            rounding,
        }
    }

    /// The point that is nearest to the frustum, or one that rounding does not tell from it. `None` if a point is inside.
    pub(super) fn nearest(&self) -> Option<PointOfEdge> {
        let (start, end) = (self.at(0.0)?, self.at(1.0)?);
        if start.slope >= 0.0 {
            return Some(start);
        }
        if end.slope <= 0.0 {
            return Some(end);
        }
        let (mut low, mut high) = (0.0, 1.0);
        let mut point = self.at(self.share_at_side())?;
        for _ in 0..MOST_STEPS {
            // An end of the edge is then beyond the plane across the way by no more than a closed form may be off.
            let allowed = tolerances::CLOSED_FORM_GAP * point.distance + self.rounding;
            if point.slope.abs() <= allowed {
                break;
            }
            if point.slope < 0.0 {
                low = point.share;
            } else {
                high = point.share;
            }
            let next = match point.nearest.part {
                Part::Disc(radius) => self.share_beyond_disc(&point, radius),
                Part::Side | Part::Rim => point.share + point.step,
            };
            let is_there = (next - point.share).abs() * self.edge.length() <= self.rounding;
            if is_there {
                // Where the edge passes from one part to another, it meets the rim between them.
                point.nearest.part = Part::Rim;
                break;
            }
            let is_between = next > low && next < high;
            point = self.at(if is_between { next } else { 0.5 * (low + high) })?;
        }
        Some(point)
    }

    /// Where the edge is nearest to the axis, and how near.
    fn beside_axis(&self) -> (f64, f64) {
        let share = -self.start.0.dot(self.along.0) / self.along.0.length_squared();
        (share, (self.start.0 + self.along.0 * share).length())
    }

    /// Where the slope is zero if the side of the frustum is nearest all along the edge, as a share between its ends: the
    /// place where ρ' = m, for a normal (a, l) of the side and m = -z' l / a. From there to the place nearest to the axis, where
    /// ρ is c, it is m c / (u sqrt(u² - m²)). If there is no such place, beside the centre of the frustum.
    fn share_at_side(&self) -> f64 {
        let Frustum {
            side_along,
            side_across,
            ..
        } = self.frustum;
        let inward = -self.along.1 * side_along / side_across;
        let squared = self.along.0.length_squared();
        let left = squared - inward * inward;
        let (share, nearest) = self.beside_axis();
        let share = share + inward * nearest / (squared * left).sqrt();
        if share.is_finite() {
            return share.clamp(0.0, 1.0);
        }
        let (across, along) = self.start;
        let behind = across.dot(self.along.0) + along * self.along.1;
        (-behind / self.edge.length_squared()).clamp(0.0, 1.0)
    }

    /// Where the edge leaves the space over a disc in the direction in which it comes nearer to it, and from there one step
    /// of Newton's method for the rim.
    fn share_beyond_disc(&self, point: &PointOfEdge, radius: f64) -> f64 {
        let (share, nearest) = self.beside_axis();
        let squared = self.along.0.length_squared();
        let half = ((radius * radius - nearest * nearest) / squared).sqrt();
        let rim = share + half.copysign(-point.slope);
        let distance = point.distance + point.slope * (rim - point.share);
        let velocity = DVec2::new(squared * half / radius, self.along.1);
        rim - distance * point.slope / velocity.length_squared()
    }

    /// `None` for a point inside the frustum or on its rim.
    #[cfg_attr(target_family = "wasm", inline(never))] // The page is downloaded: small is better than fast.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn at(&self, share: f64) -> Option<PointOfEdge> {
        let radial = self.start.0 + self.along.0 * share;
        let radius = radial.length();
        let point = DVec2::new(radius, self.start.1 + self.along.1 * share);
        let nearest = self.frustum.nearest_in_half_plane(point)?;
        let outward = if radius > 0.0 {
            radial / radius
        } else {
            DVec3::ZERO
        };
        let velocity = DVec2::new(outward.dot(self.along.0), self.along.1);
        let bend = self.along.0.length_squared() - velocity.x * velocity.x;
        let apart = point - nearest.point;
        let slope = nearest.normal.dot(velocity);
        let distance = nearest.normal.dot(apart);
        let across_squared = match nearest.part {
            Part::Rim => velocity.length_squared(),
            Part::Side | Part::Disc(_) => slope * slope,
        };
        Some(PointOfEdge {
            share,
            outward,
            nearest,
            distance,
            slope,
            // Not a number on the axis, where a disc is nearest or the share is halved.
            step: -distance * slope / (across_squared + apart.x * bend / radius),
        })
    }

    /// The point of the frustum that is nearest to a point of the edge.
    pub(super) fn foot(&self, point: &PointOfEdge) -> DVec3 {
        let Frustum { center, axis, .. } = self.frustum;
        *center + *axis * point.nearest.point.y + point.outward * point.nearest.point.x
    }

    /// The unit vector from a point of the edge to the nearest point of the frustum, as precise as can be told without the
    /// difference of the two, which has few digits where they nearly touch.
    pub(super) fn toward_frustum(&self, point: &PointOfEdge) -> DVec3 {
        let axis = self.frustum.axis;
        // Near the axis rounding leaves something along it, or nothing else.
        let outward = self.frustum.split(point.outward).0.normalize_or_zero();
        let normal = outward * -point.nearest.normal.x - axis * point.nearest.normal.y;
        let normal = normal.normalize_or_zero();
        let is_inside = point.share > 0.0 && point.share < 1.0;
        if !(is_inside && matches!(point.nearest.part, Part::Rim)) {
            return normal;
        }
        // Across the rim and the edge, unless these are so nearly parallel that this has fewer digits.
        let across = axis.cross(outward).cross(self.edge);
        let (length, edge) = (across.length(), self.edge.length());
        if length * self.rounding <= f64::EPSILON * edge * point.distance {
            let beside = normal - self.edge * (normal.dot(self.edge) / (edge * edge));
            return beside.normalize_or_zero();
        }
        across * (length.recip().copysign(across.dot(normal)))
    }
}

#[cfg(test)]
mod tests {
    use clearance_math::{Pose, Quat, RelativePose, Vec3};
    use clearance_shapes::Shape;

    use super::*;

    fn frustum(shape: Shape<Vec3>, pose: &Pose<Vec3>) -> Frustum {
        let Shape::Convex(convex) = &shape else {
            unreachable!("frustums are convex");
        };
        Frustum::of(convex.core(), &RelativePose::from_pose(pose)).expect("a frustum")
    }

    /// The distance of a point from the trapezoid of a frustum, from that of its three sides.
    fn distance(frustum: &Frustum, point: DVec3) -> f64 {
        let (radial, along) = frustum.split(point - frustum.center);
        let point = DVec2::new(radial.length(), along);
        let (top, bottom) = (frustum.top, frustum.bottom);
        let corners = [
            DVec2::new(0.0, bottom.along),
            DVec2::new(bottom.radius, bottom.along),
            DVec2::new(top.radius, top.along),
            DVec2::new(0.0, top.along),
        ];
        let of_side = |[from, to]: [DVec2; 2]| {
            let share = (point - from).dot(to - from) / (to - from).length_squared();
            let share = if share.is_finite() {
                share.clamp(0.0, 1.0)
            } else {
                0.0
            };
            point.distance(from + (to - from) * share)
        };
        let sides = corners.windows(2).map(|ends| of_side([ends[0], ends[1]]));
        sides.fold(f64::INFINITY, f64::min)
    }

    /// No point of 4,000 along an edge is nearer than the one that was found, and the plane across the way to it is beyond
    /// both ends.
    #[test]
    fn no_point_of_an_edge_is_nearer() {
        let mut number = 0_u32;
        let mut next = || {
            number += 1;
            (f64::from(number) * 0.618_033_988_749_894_9).fract() as f32 * 2.0 - 1.0
        };
        let mut apart = 0;
        for k in 0..300 {
            let mut vector = || Vec3::new(next(), next(), next());
            let [place, axis, start, end] = [vector(), vector(), vector() * 2.5, vector() * 2.5];
            let [half_height, radius, other] = (vector().abs() + 0.1).to_array();
            let shape = match k % 3 {
                0 => Shape::cylinder(half_height, radius),
                1 => Shape::cone(half_height, radius),
                _ => Shape::tapered_cylinder(half_height, radius, other),
            };
            let turn = Quat::from_axis_angle(axis.normalize(), 3.0 * place.x);
            let frustum = frustum(shape.expect("positive numbers"), &Pose::new(place, turn));
            let [start, end] = [start, end].map(Vec3::as_dvec3);
            let edge = EdgeInFrame::new([start, end], &frustum, 1e-14);
            let Some(found) = edge.nearest() else {
                continue;
            };
            apart += 1;
            let on_edge = start + (end - start) * found.share;
            let way = edge.foot(&found) - on_edge;
            let normal = edge.toward_frustum(&found);
            assert!((distance(&frustum, on_edge) - way.length()).abs() < 1e-12);
            assert!((way - normal * way.length()).length() < 1e-9);
            let beyond = normal.dot(start - on_edge).max(normal.dot(end - on_edge));
            assert!(beyond < 1e-10, "{k} {beyond:e} {found:?}");
            for step in 0..=4000 {
                let point = start + (end - start) * (f64::from(step) / 4000.0);
                assert!(distance(&frustum, point) > way.length() - 1e-12, "{k}");
            }
        }
        assert!(apart > 100, "{apart}");
    }
}
