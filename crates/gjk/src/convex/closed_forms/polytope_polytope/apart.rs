//! The distance of two polytopes whose nearest features are known.

use clearance_math::{DVec3, Vector, lesser_of, tolerances};

use super::Certain;
use super::difference::{Features, PolytopeDifference};
use crate::answer::{Measured, Status};

/// Two points that may be nearest to each other.
pub(super) struct NearestFeatures {
    /// In whose frame the vectors are.
    of: usize,
    /// The unit vector from that polytope to the other.
    normal: DVec3,
    /// The point of that polytope, and that of the other.
    points: [DVec3; 2],
    distance: f64,
    /// How much rounding may tilt the normal, as a length.
    tilt: f64,
    /// How far the features are farther along the normal than the next corners; negative if they are not.
    pub(super) isolation: f64,
    /// How far the points are from the ends of the features.
    pub(super) inset: f64,
}

impl<V: Vector> PolytopeDifference<'_, V> {
    /// The nearest points of two features. `None` if they are so near that rounding decides about the direction.
    #[inline(always)]
    pub(super) fn nearest(&self, features: Features) -> Option<NearestFeatures> {
        let (of, points, inset) = match features {
            Features::Corners([a, b]) => {
                let points = [self.polytopes[0].corner(a), self.corner_of_other(0, b)];
                (0, points, f64::INFINITY)
            }
            Features::EdgeCorner(at) => {
                let (of, feature, corner) = (at.of, at.feature, at.corner);
                let own = self.polytopes[of].edge(feature);
                let start = self.polytopes[of].corner(own.corners[0]);
                let at = self.corner_of_other(of, corner);
                let along = (at - start).dot(own.along);
                let inset = lesser_of(along, own.length - along);
                let on = start + own.along * along.clamp(0.0, own.length);
                (of, [on, at], inset)
            }
            Features::FaceCorner(_) | Features::Edges(_) => {
                let face = self.face(features)?;
                return Some(NearestFeatures {
                    of: face.of,
                    normal: face.normal,
                    points: [face.point, face.point - face.normal * face.height],
                    distance: -face.height,
                    tilt: face.tilt,
                    isolation: face.isolation,
                    inset: face.inset,
                });
            }
        };
        let between = points[1] - points[0];
        let distance = between.length();
        if !(self.rounding <= tolerances::NORMAL_SLACK * distance
            && distance >= tolerances::POINTS_BESIDE_NORMAL * self.size)
        {
            return None;
        }
        let normal = between / distance;
        let toward = self.seen_from_other(of, normal);
        let isolation = match features {
            Features::EdgeCorner(at) => lesser_of(
                self.edge_isolation(of, self.polytopes[of].edge(at.feature), normal),
                self.corner_isolation(1 - of, at.corner, toward),
            ),
            Features::Corners([a, b]) => lesser_of(
                self.corner_isolation(0, a, normal),
                self.corner_isolation(1, b, toward),
            ),
            _ => 0.0,
        };
        Some(NearestFeatures {
            of,
            normal,
            points,
            distance,
            tilt: 0.0,
            isolation,
            inset,
        })
    }

    /// The distance of two points, or that they are farther apart than asked. `None` if more than rounding lies between it
    /// and what all corners prove.
    #[inline(always)]
    pub(super) fn apart(&self, nearest: &NearestFeatures, within: f64) -> Option<Certain> {
        let &NearestFeatures {
            of,
            normal,
            points,
            distance,
            ..
        } = nearest;
        let rounding = self.rounding + nearest.tilt;
        // Beyond the end of an edge the normal is not across it.
        let lower = if nearest.isolation > 4.0 * self.rounding && nearest.inset >= 0.0 {
            normal.dot(points[1] - points[0])
        } else {
            -self.height(of, normal)
        } - 2.0 * rounding;
        if lower > within {
            return Some(Certain::Farther(lower));
        }
        let upper = distance + rounding;
        if !(upper - lower <= 8.0 * rounding + tolerances::CLOSED_FORM_GAP * self.size) {
            return None;
        }
        let (normal, [on_a, on_b]) = self.in_frame_of_a(of, normal, points);
        let distance = distance.max(0.0);
        Some(Certain::Apart(Measured {
            distance,
            lower: lower.min(distance),
            upper: upper.max(distance),
            normal,
            on_a,
            on_b,
            status: Status::Exact,
        }))
    }
}
