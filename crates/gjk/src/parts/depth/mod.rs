//! How deep solids overlap with others: the least translation that makes them be apart, enclosed from both sides.
//!
//! Around a place that both shapes have in common each has a convex piece: a part, or a cell of a solid (`common.rs`,
//! `cell.rs`). All translations at which these overlap form an obstacle (`obstacle.rs`), and whatever leads out of the
//! shapes leads out of it on one of its sides. Of the sides that may lead out on the shortest way (`ways.rs`) it is looked
//! whether the shapes are apart there (`search.rs`). If not, they have another place in common, and another obstacle to
//! lead out of. So in a corner the way out is that of all of its walls together, and at an edge that on the nearer side.

mod cell;
mod common;
mod obstacle;
mod polytope;
mod search;
mod ways;

use clearance_math::internal::MapEach;
use clearance_math::{PreciseVector, Real, Vector, round_down, round_up, tolerances};

use self::search::{DepthSearch, FoundDepth, There};
use super::inside::{Unit, bounds_of};
use crate::answer::{Separation, Status};

/// Which share of its effort a question at one place takes.
const SHARE_OF_EFFORT: u32 = 16;

/// How many sizes of the smaller shape far ways out are looked for at first.
const SIZES_AROUND: f64 = 4.0;

/// What is known of shapes whose surfaces are that near, if one may lie inside the other.
pub(super) fn open<V: Vector>(near: Separation<V>) -> Separation<V> {
    Separation {
        lower: Real::NEG_INFINITY,
        status: Status::IterationLimit,
        ..near
    }
}

/// Two units that overlap, at least one of which is a solid.
pub(super) struct OverlappingUnits<'a, V: Vector> {
    pub(super) a: Unit<'a, V>,
    pub(super) b: Unit<'a, V>,
    /// The nearest or deepest parts of the surfaces.
    pub(super) near: Separation<V>,
    /// Whether a piece of one is known to be inside of the other.
    pub(super) is_inside: bool,
}

impl<V: Vector> Unit<'_, V> {
    /// The same for one of the many questions by which ways out are found.
    pub(super) fn with_less_effort(self) -> Self {
        let effort = (self.placed.effort / SHARE_OF_EFFORT).max(1);
        Self {
            placed: self.placed.with_effort(effort),
            ..self
        }
    }
}

/// A translation of a that makes the shapes be apart.
#[derive(Clone, Copy)]
struct WayOut<V: Vector> {
    translation: V::Precise,
    length: f64,
    /// Their separation then.
    apart: Separation<V>,
}

impl<V: Vector> OverlappingUnits<'_, V> {
    pub(super) fn measure(&self, steps: &mut usize) -> Separation<V> {
        let beyond_boxes = self.way_of_boxes();
        let farthest = beyond_boxes.length();
        // What is far away from a small shape is best left out, as long as it is not needed.
        let shallow = SIZES_AROUND * self.size();
        let mut found = self.search(farthest.min(shallow), steps);
        if found.way.is_none() && found.depth >= shallow && farthest > shallow {
            let before = found.depth;
            found = self.search(farthest, steps);
            found.depth = found.depth.max(before);
        }
        if found.way.is_none()
            && let There::Apart(way) = self.there(beyond_boxes)
        {
            found.way = Some(way);
        }
        self.answer(found)
    }

    /// The search takes 250 kilobytes of the stack, and gives them back here.
    #[inline(never)]
    fn search(&self, longest: f64, steps: &mut usize) -> FoundDepth<V> {
        let mut search = DepthSearch::new(self, longest);
        search.run(steps)
    }

    fn answer(&self, FoundDepth { depth, way }: FoundDepth<V>) -> Separation<V> {
        let Some(WayOut {
            translation,
            length,
            apart,
        }) = way
        else {
            return Separation {
                distance: round_down(-depth).min(self.near.distance),
                upper: self.upper(depth),
                ..open(self.near)
            };
        };
        let normal = translation / -length;
        let beside = translation + self.near.normal.to_precise() * length;
        let is_along = beside.length() <= self.slack(length)
            && length <= f64::from(-self.near.distance) + 2.0 * self.slack(length);
        // Shapes that are apart still are when one is moved by less than the distance.
        let length = length * (1.0 + 4.0 * f64::EPSILON) - f64::from(apart.lower).max(0.0);
        let upper = self.upper(depth.min(length));
        let distance = (0.0 - length as Real).min(upper);
        let lower = round_down(-length).min(distance);
        if self.is_tight(length, depth) && is_along {
            // What the surfaces say is proven.
            return Separation {
                lower: lower.min(self.near.distance),
                ..self.near
            };
        }
        let depth = depth.min(length);
        if depth <= 2.0 * self.slack(depth) && !self.is_inside && self.near.distance > distance {
            // As far as is known they only touch, such as what fits between two walls: moved off one, it is in the other.
            return Separation {
                lower,
                ..open(self.near)
            };
        }
        let is_near =
            length - depth <= tolerances::SMOOTH_DEPTH_GAP * self.size() + 2.0 * self.slack(depth);
        Separation {
            distance,
            lower,
            upper,
            normal: V::from_precise(normal),
            position_a: apart.position_b + normal * length,
            status: if is_near {
                Status::Converged
            } else {
                Status::IterationLimit
            },
            ..apart
        }
    }

    /// An upper bound of the signed distance, where a depth is certain.
    fn upper(&self, depth: f64) -> Real {
        if depth > 0.0 || self.is_inside {
            round_up(-depth).min(self.near.upper)
        } else {
            self.near.upper
        }
    }

    /// The size of the smaller shape.
    fn size(&self) -> f64 {
        let [a, b] = [&self.a, &self.b].map_each(|unit| unit.placed.shape.bounding_radius());
        a.min(b)
    }

    /// The gap between the bounds of how far obstacles reach, in units of length.
    fn gap(&self) -> f64 {
        tolerances::OBSTACLE_GAP * self.size()
    }

    /// How much farther than necessary a is moved, at a distance, so that neither rounding nor the search for a distance
    /// leaves it open whether both are apart.
    fn slack(&self, length: f64) -> f64 {
        let far = self.a.placed.pose.position().length() + length;
        4.0 * f64::from(Real::EPSILON) * far + 4.0 * tolerances::CONVERGED_NEAR * self.size()
    }

    /// Whether a way out is as short as rounding lets one be found for a depth.
    fn is_tight(&self, length: f64, depth: f64) -> bool {
        length <= depth + 2.0 * self.slack(depth)
    }

    /// The shortest translation along an axis that makes the boxes be apart, by a little more than rounding.
    fn way_of_boxes(&self) -> V::Precise {
        let [a, b] = [&self.a, &self.b].map_each(bounds_of);
        let ways = (0..V::DIM).flat_map(|k| {
            let reach =
                |high: V, low: V| f64::from(high.component(k)) - f64::from(low.component(k));
            let axis = V::Precise::axis(k);
            [axis * -reach(a.max, b.min), axis * reach(b.max, a.min)]
        });
        let shortest = ways.reduce(|one, other| {
            if other.length() < one.length() {
                other
            } else {
                one
            }
        });
        let way = shortest.unwrap_or(V::Precise::ZERO);
        let length = way.length();
        way * ((length + self.slack(length)) / length.max(f64::MIN_POSITIVE))
    }
}
