//! How deep solids overlap, enclosed from both sides.
//!
//! Below by facts: every pair of parts must be moved apart, and a ball in one shape
//! around a place inside of the other must leave it. Above by ways out: shapes that are proven to be apart once they are moved.

use arrayvec::ArrayVec;
use clearance_math::{
    MapEach, Pose, PreciseVector, Real, RelativePose, Vector, insertion_sort, round_down, round_up,
    tolerances,
};
use clearance_shapes::Shape;

use super::any::{Crossing, crossing};
use super::inside::{Place, Unit, place_of_units};
use super::least;
use super::outward::outward;
use crate::answer::{Separation, Status};
use crate::any_pair;
use crate::placed::Placed;

/// At how many places of one way it is looked whether the shapes are apart.
const MOST_STEPS: usize = 24;

/// Which share of its effort a question at one such place takes.
const SHARE_OF_EFFORT: u32 = 16;

/// How often directions are tried that follow from the shortest way so far.
const MOST_ROUNDS: usize = 4;

/// How many directions are tried.
const MOST_WAYS: usize = 10;

/// What is known of shapes whose surfaces are that near, if one may lie inside the other.
pub(super) fn open<V: Vector>(near: Separation<V>) -> Separation<V> {
    Separation {
        lower: Real::NEG_INFINITY,
        status: Status::IterationLimit,
        ..near
    }
}

/// Two units that overlap, at least one of which is a solid.
pub(super) struct Overlap<'a, V: Vector> {
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
struct Way<V: Vector> {
    translation: V::Precise,
    length: f64,
    /// Their separation then.
    apart: Separation<V>,
}

impl<V: Vector> Overlap<'_, V> {
    pub(super) fn measure(&self, steps: &mut usize) -> Separation<V> {
        let mut depth = f64::from(-self.near.upper).max(0.0);
        let mut ways = ArrayVec::<V::Precise, MOST_WAYS>::new();
        for (solid, other, towards) in self.orders() {
            if let Some((least, normal)) = depth_of_middle(solid, other) {
                depth = depth.max(least);
                ways.push(normal * towards);
            }
        }
        ways.push(self.near.normal.to_precise());
        if let Some(outward) = outward([&self.a.placed, &self.b.placed], &self.near) {
            ways.push(outward.normal.to_precise());
        }
        let boxes = self.ways_of_boxes();
        ways.extend(boxes.iter().take(2).map(|&(_, normal)| normal));
        let mut best: Option<Way<V>> = None;
        for _ in 0..MOST_ROUNDS {
            let before = best.map(|best| best.length);
            for normal in ways.drain(..) {
                let most = best.map_or(f64::INFINITY, |best| best.length);
                if !self.is_tight(most, depth) {
                    best = self.way(normal, depth, most, steps).or(best);
                }
            }
            let Some(found) = best.filter(|found| !self.is_tight(found.length, depth)) else {
                break;
            };
            // What is met last on the way out is a place deep inside, and its own way out another one to try.
            for (least, normal) in self.depths_of_last(&found) {
                depth = depth.max(least);
                ways.push(normal);
            }
            ways.push(found.apart.normal.to_precise());
            if before.is_some_and(|before| found.length > before * tolerances::SHORTER_WAY) {
                break;
            }
        }
        if best.is_none()
            && let Some(&(way, normal)) = boxes.first()
        {
            best = self.way(normal, way, f64::INFINITY, &mut 4);
        }
        self.answer(depth, best)
    }

    /// Each unit with the other one, and the sign of the normal that leads from the first to the second.
    fn orders(&self) -> [(&Unit<'_, V>, &Unit<'_, V>, f64); 2] {
        [(&self.a, &self.b, 1.0), (&self.b, &self.a, -1.0)]
    }

    /// How deep the places that are met last on a way are inside of solids, and the normals of their own ways out.
    fn depths_of_last(&self, way: &Way<V>) -> ArrayVec<(f64, V::Precise), 2> {
        let last_of_a = way.apart.position_a - way.translation;
        // That of b is inside of a where a was not moved.
        let places = [way.apart.position_b, last_of_a];
        let mut depths = ArrayVec::new();
        for ((solid, _, towards), place) in self.orders().into_iter().zip(places) {
            let off = 4.0 * f64::from(Real::EPSILON) * (place.length() + way.length)
                + tolerances::CONVERGED_NEAR * self.size();
            if let Some((depth, normal)) =
                depth_of_point(solid, &Pose::from_translation(place), V::ZERO)
            {
                depths.push((depth - off, normal * towards));
            }
        }
        depths
    }

    fn answer(&self, depth: f64, best: Option<Way<V>>) -> Separation<V> {
        let Some(Way {
            translation,
            length,
            apart,
        }) = best
        else {
            return Separation {
                distance: round_down(-depth),
                upper: self.upper(depth),
                ..open(self.near)
            };
        };
        let lower = round_down(-length * (1.0 + 4.0 * f64::EPSILON));
        let normal = translation / -length;
        let beside = translation + self.near.normal.to_precise() * length;
        let is_along = beside.length() <= self.slack(length);
        if self.is_tight(length, depth) && is_along && self.near.distance <= 0.0 {
            // What the surfaces say is proven.
            return Separation {
                lower: lower.min(self.near.lower),
                ..self.near
            };
        }
        let depth = depth.min(length);
        let needed = (length - f64::from(apart.distance).max(0.0)).max(depth);
        let is_near =
            length - depth <= tolerances::SMOOTH_DEPTH_GAP * self.size() + 2.0 * self.slack(depth);
        Separation {
            distance: 0.0 - needed as Real,
            lower,
            upper: self.upper(depth),
            normal: V::from_precise(normal),
            position_a: apart.position_b + normal * needed,
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
            round_up(-depth)
        } else {
            self.near.upper
        }
    }

    /// The size of the smaller shape.
    fn size(&self) -> f64 {
        let [a, b] = [&self.a, &self.b].map_each(|unit| unit.placed.shape.bounding_radius());
        a.min(b)
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

    /// How far a must be moved along the axes of the world until the boxes are apart, and the normals for that.
    fn ways_of_boxes(&self) -> ArrayVec<(f64, V::Precise), 6> {
        let [a, b] = [&self.a, &self.b].map_each(|unit| unit.placed.shape.bounds(unit.placed.pose));
        let mut ways = ArrayVec::new();
        for k in 0..V::DIM {
            let reach =
                |high: V, low: V| f64::from(high.component(k)) - f64::from(low.component(k));
            ways.push((reach(a.max, b.min), V::Precise::axis(k)));
            ways.push((reach(b.max, a.min), -V::Precise::axis(k)));
        }
        insertion_sort(&mut ways, |one, other| one.0.total_cmp(&other.0).is_lt());
        ways
    }

    /// Moves a against a normal until it is apart from b, beginning with a length; `None` if that takes more than `most`.
    ///
    /// A step leads as far as two parts that cross must be moved, or less. It may lead too far, and then the last one is halved.
    fn way(
        &self,
        normal: V::Precise,
        mut length: f64,
        most: f64,
        steps: &mut usize,
    ) -> Option<Way<V>> {
        let (mut crossing_at, mut found): (f64, Option<Way<V>>) = (0.0, None);
        for _ in 0..MOST_STEPS.min(*steps) {
            *steps -= 1;
            length += self.slack(length);
            if !(length < found.map_or(most, |found| found.length)) {
                return found;
            }
            let moved = match self.moved(normal, length) {
                Some(moved) => moved,
                None => return found,
            };
            match moved {
                Moved::Apart(way) => {
                    let gap = f64::from(way.apart.distance);
                    found = Some(way);
                    if gap <= 4.0 * self.slack(length) + tolerances::WAY_GAP * length {
                        return found;
                    }
                }
                Moved::Crossing(step) => {
                    crossing_at = length;
                    length += step;
                }
            }
            if let Some(found) = found {
                length = 0.5 * (crossing_at + found.length);
            }
        }
        found
    }

    /// What there is when a is moved against a normal; `None` if that cannot be told.
    fn moved(&self, normal: V::Precise, length: f64) -> Option<Moved<V>> {
        let start = self.a.placed.pose.position();
        let pose = self.a.placed.pose.moved_by(-normal * length);
        let translation = pose.position() - start;
        if pose.checked().is_err() || translation == V::Precise::ZERO {
            return None;
        }
        let a = Unit {
            placed: Placed {
                pose: &pose,
                ..self.a.placed
            },
            ..self.a
        };
        let b = &self.b;
        let near = match crossing(a.placed, b.placed) {
            Crossing::Found(near) => near,
            Crossing::Open => return None,
            Crossing::None => {
                let near = least::measure(a.placed, b.placed, Real::INFINITY).near()?;
                match place_of_units(&a, b) {
                    Place::Open => return None,
                    Place::Outside if near.lower < 0.0 => return Some(Moved::Crossing(0.0)),
                    Place::Outside => {
                        return Some(Moved::Apart(Way {
                            translation,
                            length: translation.length(),
                            apart: near,
                        }));
                    }
                    Place::Inside => near,
                }
            }
        };
        let near = outward([&a.placed, &b.placed], &near).unwrap_or(near);
        let along = near.normal.to_precise().dot(normal);
        let depth = f64::from(near.distance).abs();
        let is_ahead = along > tolerances::WAY_COSINE;
        Some(Moved::Crossing(if is_ahead {
            depth / along
        } else {
            depth
        }))
    }
}

/// What there is when a is moved.
enum Moved<V: Vector> {
    /// Both are proven to be apart.
    Apart(Way<V>),
    /// They overlap, or touch. Beside this much farther, parts that cross do not.
    Crossing(f64),
}

/// A depth that a solid and a convex shape certainly have, whose middle is inside of the solid, with a ball of the shape
/// around it; and the direction in which the ball leaves first.
fn depth_of_middle<V: Vector>(solid: &Unit<V>, other: &Unit<V>) -> Option<(f64, V::Precise)> {
    let Shape::Convex(convex) = other.placed.shape else {
        return None;
    };
    let middle = V::from_precise(convex.core_center());
    let (depth, normal) = depth_of_point(solid, other.placed.pose, middle)?;
    let dot = Shape::segment(middle, middle).ok()?;
    let placed = Placed {
        shape: &dot,
        ..other.placed
    };
    let ball = any_pair::measure(placed, other.placed, Real::INFINITY).near()?;
    Some((depth - f64::from(ball.upper), normal))
}

/// How deep a point of a frame is inside of a solid at least, and the direction in which it leaves first.
fn depth_of_point<V: Vector>(
    solid: &Unit<V>,
    pose: &Pose<V>,
    point: V,
) -> Option<(f64, V::Precise)> {
    let in_solid =
        RelativePose::between(solid.placed.pose, pose).transform_point(point.to_precise());
    if !solid.solid?.contains(in_solid) {
        return None;
    }
    let dot = Shape::segment(point, point).ok()?;
    let near = least::measure(solid.placed, Placed::new(&dot, pose), Real::INFINITY).near()?;
    Some((f64::from(near.lower).max(0.0), -near.normal.to_precise()))
}
