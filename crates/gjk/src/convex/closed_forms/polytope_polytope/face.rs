//! The faces of the difference of two polytopes.

use clearance_math::{DVec3, Vector, lesser_of, tolerances};

use super::difference::{FeatureCorner, Features, PolytopeDifference};
use super::walk::Arc;

/// A face of the difference: a face of one polytope at a corner of the other, or an edge of each.
#[derive(Clone, Copy, Debug)]
pub(super) struct DifferenceFace {
    pub(super) features: Features,
    /// In whose frame the vectors are.
    pub(super) of: usize,
    /// The unit vector from that polytope to the other.
    pub(super) normal: DVec3,
    /// How far the plane of the face is from the origin.
    pub(super) height: f64,
    /// How much rounding may tilt the face, as a length.
    pub(super) tilt: f64,
    /// How far the foot of the origin on the plane is from the border of the face; negative outside.
    pub(super) inset: f64,
    /// How far the next corner of the difference is from the plane. Of a face of a polytope, only corners of the other one
    /// are looked at: those of a face beside it that is nearly level are known from the inset.
    pub(super) isolation: f64,
    /// The foot of the origin as a point of the polytope.
    pub(super) point: DVec3,
    /// What meets at the nearest side.
    border: FeatureCorner,
}

impl<V: Vector> PolytopeDifference<'_, V> {
    /// The face at two features; `None` if these are edges that are parallel up to rounding.
    #[inline(always)]
    pub(super) fn face(&self, features: Features) -> Option<DifferenceFace> {
        match features {
            Features::FaceCorner(at) => Some(self.face_at_corner(at)),
            Features::Edges(edges) => self.face_of_edges(edges),
            Features::EdgeCorner(_) | Features::Corners(_) => None,
        }
    }

    #[inline(always)]
    fn face_at_corner(&self, at: FeatureCorner) -> DifferenceFace {
        let (of, face, corner) = (at.of, at.feature, at.corner);
        let own = &self.polytopes[of];
        let (normal, offset) = own.planes[usize::from(face)];
        let point = self.corner_of_other(of, corner);
        let height = offset - normal.dot(point);
        let toward = self.seen_from_other(of, normal);
        let (mut inset, mut edge) = (f64::INFINITY, 0);
        for side in own.sides_of(face) {
            let within = side.inward.dot(point) - side.offset;
            if within < inset {
                (inset, edge) = (within, side.edge);
            }
        }
        DifferenceFace {
            features: Features::FaceCorner(at),
            of,
            normal,
            height,
            tilt: 0.0,
            inset,
            isolation: self.corner_isolation(1 - of, corner, toward),
            point: point + normal * height,
            border: FeatureCorner::new(of, edge, corner),
        }
    }

    #[inline(always)]
    fn face_of_edges(&self, edges: [u16; 2]) -> Option<DifferenceFace> {
        let [a, b] = &self.polytopes;
        let (edge_a, edge_b) = (a.edge(edges[0]), b.edge(edges[1]));
        let (along_a, along_b) = (
            edge_a.along,
            self.other_in[0].transform_direction(edge_b.along),
        );
        let across = along_a.cross(along_b);
        let squared = across.length_squared();
        if !(squared > tolerances::CROSSING_EDGES * tolerances::CROSSING_EDGES) {
            return None;
        }
        let sine = squared.sqrt();
        let inward = a.side(edge_a, 0).inward;
        let normal = across
            / if across.dot(inward) > 0.0 {
                -sine
            } else {
                sine
            };
        let start_a = a.corner(edge_a.corners[0]);
        let apart = start_a - self.corner_of_other(0, edge_b.corners[0]);
        let cosine = along_a.dot(along_b);
        let (of_a, of_b) = (apart.dot(along_a), apart.dot(along_b));
        let on_b = (of_b - of_a * cosine) / squared;
        let on_a = on_b * cosine - of_a;
        let ends = [(edges[1], edge_a), (edges[0], edge_b)];
        let rests = [on_a, edge_a.length - on_a, on_b, edge_b.length - on_b];
        let nearest = least(rests);
        // At an end of a's edge, that end and b's edge are the border.
        let (edge, ended) = ends[nearest / 2];
        let toward_b = self.seen_from_other(0, normal);
        Some(DifferenceFace {
            features: Features::Edges(edges),
            of: 0,
            normal,
            height: normal.dot(apart),
            tilt: normal.dot(along_a).abs() * edge_a.length
                + normal.dot(along_b).abs() * edge_b.length,
            inset: rests[nearest] * sine,
            isolation: lesser_of(
                self.edge_isolation(0, edge_a, normal),
                self.edge_isolation(1, edge_b, toward_b),
            ),
            point: start_a + along_a * on_a,
            border: FeatureCorner::new(1 - nearest / 2, edge, ended.corners[nearest % 2]),
        })
    }

    /// The arc from a face across its nearest side.
    #[inline(always)]
    pub(super) fn arc_from(&self, face: &DifferenceFace) -> Option<Arc> {
        let at = face.border;
        let own = self.polytopes[at.of].edge(at.feature);
        let normal = if at.of == face.of {
            face.normal
        } else {
            self.seen_from_other(face.of, face.normal)
        };
        let toward = match face.features {
            Features::FaceCorner(FeatureCorner { feature: face, .. }) => {
                let place = usize::from(own.faces[0] != face);
                -self.polytopes[at.of].side(own, place).inward
            }
            Features::Edges(edges) => {
                // Away from where the edge of the other polytope goes on.
                let other = self.polytopes[1 - at.of].edge(edges[1 - at.of]);
                let on = self.other_in[at.of].transform_direction(other.along);
                let is_start = other.corners[0] == at.corner;
                let across = normal.cross(own.along);
                let is_across = (across.dot(on) > 0.0) == is_start;
                across
                    / if is_across {
                        across.length()
                    } else {
                        -across.length()
                    }
            }
            Features::EdgeCorner(_) | Features::Corners(_) => return None,
        };
        Some(Arc { at, normal, toward })
    }
}

/// The place of the least of four numbers, the first of equal ones.
#[inline(always)]
fn least(numbers: [f64; 4]) -> usize {
    let mut least = 0;
    for (place, &number) in numbers.iter().enumerate() {
        if number < numbers[least] {
            least = place;
        }
    }
    least
}
