//! The walk over directions to those along which the height of the difference is least.

use clearance_math::internal::MapEach;
use clearance_math::{DVec3, PreciseVector, Vector};

use super::difference::{FeatureCorner, Features, PolytopeDifference};
use super::face::DifferenceFace;

/// After how many steps a walk is given up. Most of them end after two faces.
const MOST_STEPS: usize = 24;

/// Where a walk ends.
pub(super) enum End {
    /// A direction proves that they are farther apart than asked.
    Farther {
        lower: f64,
        /// The face that the direction is normal to, if it is to one.
        features: Option<Features>,
    },
    /// They are apart, or touch, at these features.
    Near(Features),
    /// They overlap, and no direction near that of this face has less height.
    Face(DifferenceFace),
}

/// Where a walk is.
pub(super) enum At {
    /// A direction from a to b along which these corners are farthest.
    Corners {
        normal: DVec3,
        corners: [u16; 2],
    },
    Arc(Arc),
    Face(Features),
}

/// Directions along which an edge of one polytope and a corner of the other are farthest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arc {
    pub(super) at: FeatureCorner,
    /// Where the walk is on the arc, from the polytope of the edge to the other.
    pub(super) normal: DVec3,
    /// The unit vector across it along which the walk goes on.
    pub(super) toward: DVec3,
}

/// How far a direction can be turned until an edge is level with a corner that is farthest.
#[derive(Clone, Copy)]
struct ArcTurn {
    /// Grows with the angle.
    key: f64,
    cosine: f64,
    sine: f64,
}

impl ArcTurn {
    /// By an angle of less than half a turn, of which the cosine and the sine have this ratio. No number where both are
    /// zero, and that is never less than another.
    #[inline(always)]
    fn new(cosine: f64, sine: f64) -> Self {
        Self {
            key: -cosine / (cosine.abs() + sine),
            cosine,
            sine,
        }
    }
}

impl<V: Vector> PolytopeDifference<'_, V> {
    /// Walks downhill. `None` if the walk is too long, or if rounding decides about it. In WebAssembly, which is loaded from
    /// the network, it is compiled once for all that walk.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    #[cfg_attr(target_family = "wasm", inline(never))]
    pub(super) fn walk(&self, mut at: At, within: f64) -> Option<End> {
        for _ in 0..MOST_STEPS {
            at = match at {
                At::Corners { normal, corners } => {
                    let height = self.height_of(corners, normal);
                    if -height - self.rounding > within {
                        // That these corners are the farthest is known up to rounding only.
                        let lower = -self.height(0, normal) - self.rounding;
                        return (lower > within).then_some(End::Farther {
                            lower,
                            features: None,
                        });
                    }
                    match self.step_from_corners(normal, corners, height) {
                        Some(next) => next,
                        None => {
                            return (height < 0.0).then_some(End::Near(Features::Corners(corners)));
                        }
                    }
                }
                At::Arc(arc) => match self.step_along(&arc)? {
                    At::Arc(arc) => return Some(End::Near(Features::EdgeCorner(arc.at))),
                    next => next,
                },
                At::Face(features) => {
                    let face = self.face(features)?;
                    if face.isolation < -4.0 * self.rounding {
                        // A hint was of another pair, or these features are no longer the farthest.
                        return None;
                    }
                    let lower = -face.height - face.tilt - self.rounding;
                    if lower > within && face.isolation > 4.0 * self.rounding {
                        return Some(End::Farther {
                            lower,
                            features: Some(features),
                        });
                    }
                    if face.inset >= 0.0 {
                        return Some(if face.height > 0.0 {
                            End::Face(face)
                        } else {
                            End::Near(features)
                        });
                    }
                    At::Arc(self.arc_from(&face)?)
                }
            };
        }
        None
    }

    /// Where a walk from a direction begins, which leads from a to b.
    #[inline(always)]
    pub(super) fn corners_along(&self, normal: DVec3) -> At {
        let [a, b] = &self.polytopes;
        let corners = [
            a.support(normal),
            b.support(self.seen_from_other(0, normal)),
        ];
        At::Corners { normal, corners }
    }

    /// Directions from a to b as a polytope has them: for a, 0, as they are; for b, 1, those from b to a in the frame of b.
    #[inline(always)]
    fn seen_from(&self, of: usize, directions: [DVec3; 2]) -> [DVec3; 2] {
        if of == 0 {
            return directions;
        }
        directions.map_each(|direction| self.seen_from_other(0, direction))
    }

    #[inline(always)]
    fn between(&self, corners: [u16; 2]) -> DVec3 {
        self.polytopes[0].corner(corners[0]) - self.corner_of_other(0, corners[1])
    }

    #[inline(always)]
    fn height_of(&self, corners: [u16; 2], normal: DVec3) -> f64 {
        self.between(corners).dot(normal)
    }

    /// Downhill from a direction along which two corners are farthest, to where another one is as far. `None` if that is
    /// nowhere.
    #[inline(always)]
    fn step_from_corners(&self, normal: DVec3, corners: [u16; 2], height: f64) -> Option<At> {
        let corner = self.between(corners);
        let down = normal * height - corner;
        let length = down.length();
        let toward = if length > 0.0 {
            down / length
        } else if height < 0.0 {
            return None;
        } else {
            normal.perpendicular()
        };
        // The least height of these corners, if they remained the farthest.
        let mut best = ArcTurn::new(-height, length);
        let mut edge = None;
        for of in [0, 1] {
            let directions = self.seen_from(of, [normal, toward]);
            if let Some(level) = self.level_edge(of, corners[of], directions, &mut best) {
                edge = Some((of, level));
            }
        }
        let (of, edge) = edge?;
        let own = self.polytopes[of].edge(edge);
        let turned = normal * best.cosine + toward * best.sine;
        let normal = turned / turned.length();
        let along = if of == 0 {
            own.along
        } else {
            self.other_in[0].transform_direction(own.along)
        };
        let across = normal.cross(along);
        let across = if corner.dot(across) > 0.0 {
            -across
        } else {
            across
        };
        let toward = across / across.length();
        let [normal, toward] = self.seen_from(of, [normal, toward]);
        let at = FeatureCorner::new(of, edge, corners[1 - of]);
        Some(At::Arc(Arc { at, normal, toward }))
    }

    /// The edge at a corner that is first level with it as the direction is turned, if that is before `best`.
    #[inline(always)]
    fn level_edge(
        &self,
        of: usize,
        corner: u16,
        [normal, toward]: [DVec3; 2],
        best: &mut ArcTurn,
    ) -> Option<u16> {
        let polytope = &self.polytopes[of];
        let here = polytope.corner(corner);
        let mut level = None;
        for spoke in polytope.spokes(corner) {
            let apart = polytope.corner(spoke.corner) - here;
            let turn = ArcTurn::new(toward.dot(apart), (-normal.dot(apart)).max(0.0));
            if turn.key < best.key {
                *best = turn;
                level = Some(spoke.edge);
            }
        }
        level
    }

    /// Along an arc to its lowest direction, or to the face at its end. The arc itself if the lowest direction is that
    /// of a point within the edge. `None` if that is zero.
    #[inline(always)]
    fn step_along(&self, arc: &Arc) -> Option<At> {
        let (of, edge, corner) = (arc.at.of, arc.at.feature, arc.at.corner);
        let own = self.polytopes[of].edge(edge);
        let normals = own
            .faces
            .map(|face| self.polytopes[of].planes[usize::from(face)].0);
        let is_second = arc.toward.dot(normals[1]) > arc.toward.dot(normals[0]);
        let (face, normal) = if is_second {
            (own.faces[1], normals[1])
        } else {
            (own.faces[0], normals[0])
        };
        let mut end = ArcTurn::new(arc.normal.dot(normal), arc.toward.dot(normal).max(0.0));
        let directions =
            [arc.normal, arc.toward].map_each(|direction| self.seen_from_other(of, direction));
        let level = self.level_edge(1 - of, corner, directions, &mut end);
        // The point nearest to the origin on the line of the edge.
        let start = self.polytopes[of].corner(own.corners[0]) - self.corner_of_other(of, corner);
        let along = -start.dot(own.along);
        let nearest = start + own.along * along;
        let ahead = -nearest.dot(arc.toward);
        // Where the walk is at the lowest direction already, rounding has it ahead or behind.
        let ahead = if ahead > -self.rounding {
            ahead.max(0.0)
        } else {
            ahead
        };
        let lowest = [-nearest.dot(arc.normal), ahead];
        if lowest[1] >= 0.0 && lowest[0] * end.sine - lowest[1] * end.cosine > 0.0 {
            let place = if along < 0.0 {
                0
            } else if along > own.length {
                1
            } else {
                return Some(At::Arc(*arc));
            };
            let normal = -nearest / nearest.length();
            let corners = [own.corners[place], corner];
            return Some(if of == 0 {
                At::Corners { normal, corners }
            } else {
                At::Corners {
                    normal: self.seen_from_other(1, normal),
                    corners: [corners[1], corners[0]],
                }
            });
        }
        Some(At::Face(match level {
            Some(other) if of == 0 => Features::Edges([edge, other]),
            Some(other) => Features::Edges([other, edge]),
            None => Features::FaceCorner(FeatureCorner::new(of, face, corner)),
        }))
    }
}
