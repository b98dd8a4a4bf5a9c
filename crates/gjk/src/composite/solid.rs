//! Questions about composites with an inside.
//!
//! A question is first asked about the surfaces, as of any composite. Where these are apart, one may lie inside the other:
//! then a place of each connected piece decides, since a piece that crosses no surface is on one side of it as a whole.
//! Where nothing is inside, the answer for the surfaces is the answer.
//!
//! How deep shapes overlap is enclosed. Below by facts: every pair of parts must be moved apart, and a ball in one shape
//! around a place inside of the other must leave it. Above by ways out: shapes that are proven to be apart once they are moved.

use core::cmp::Ordering;

use arrayvec::ArrayVec;
use clearance_math::{
    Aabb, MapEach, Pose, PreciseVector, Real, RelativePose, Vector, round_down, round_up,
    tolerances,
};
use clearance_shapes::{Composite, Core, Shape, Solid};

use super::any::{Crossing, crossing};
use super::least;
use crate::answer::{Proximity, Separation, Status};
use crate::any_pair;
use crate::canonical;
use crate::effort::{Effort, OF_ITERATION};
use crate::placed::Placed;
use crate::surface_part::SurfacePart;

/// At how many places ways out are looked at, on one of them and on all together.
const MOST_STEPS: usize = 24;
const MOST_STEPS_OF_ALL: usize = 96;

/// How many pairs of units are measured, and which share of its effort each question about one takes.
const MOST_PAIRS_OF_UNITS: usize = 64;
const SHARE_OF_EFFORT: u32 = 16;

/// How often directions are tried that follow from the shortest way so far.
const MOST_ROUNDS: usize = 4;

/// How many directions are tried.
const MOST_WAYS: usize = 10;

/// Whether a question is about the inside of a shape or of one of its members. One about some parts of a surface is not.
#[inline]
pub(crate) fn has_inside<V: Vector>(placed: &Placed<V>) -> bool {
    matches!(placed.shape, Shape::Composite(composite) if composite.has_inside())
        && placed.parts.is_none()
}

/// Measures a pair in which at least one shape is a composite.
pub(crate) fn measure<V: Vector>(a: Placed<V>, b: Placed<V>, within: Real) -> Proximity<V> {
    if has_inside(&a) || has_inside(&b) {
        measure_solids(a, b, within)
    } else {
        least::measure(a, b, within)
    }
}

#[inline(never)]
fn measure_solids<V: Vector>(a: Placed<V>, b: Placed<V>, within: Real) -> Proximity<V> {
    if [a, b]
        .iter()
        .any(|side| matches!(side.shape, Shape::HalfSpace(_)))
    {
        // The deepest corner of the surface is that of the solid.
        return least::measure(a, b, within);
    }
    let hulls = [a, b].map_each(hull_of);
    if hulls.iter().any(Option::is_some) {
        let [hull_a, hull_b] = [hulls[0].unwrap_or(a), hulls[1].unwrap_or(b)];
        let mut answer = any_pair::measure(hull_a, hull_b, within);
        if let Proximity::Near(near) = &mut answer {
            let part_near = |side: Placed<V>, at: V| part_at(&side, at).unwrap_or(0);
            if hulls[0].is_some() {
                near.part_a = part_near(a, near.point_a);
            }
            if hulls[1].is_some() {
                near.part_b = part_near(b, near.point_b);
            }
        }
        return answer;
    }
    if canonical::compare(&a, &b) == Ordering::Greater {
        measure_in_order(b, a, within).flipped()
    } else {
        measure_in_order(a, b, within)
    }
}

/// The hull of a convex solid in its place.
fn hull_of<V: Vector>(side: Placed<'_, V>) -> Option<Placed<'_, V>> {
    let Shape::Composite(composite) = side.shape else {
        return None;
    };
    let shape = composite.convex_hull().filter(|_| has_inside(&side))?;
    Some(Placed { shape, ..side })
}

/// The part of a surface that is nearest to a point.
fn part_at<V: Vector>(side: &Placed<V>, point: V) -> Option<u32> {
    let dot = Shape::segment(V::ZERO, V::ZERO).ok()?;
    let pose = Pose::from_translation(point);
    let near = least::measure(Placed::new(&dot, &pose), *side, Real::INFINITY).near()?;
    Some(near.part_b)
}

fn measure_in_order<V: Vector>(a: Placed<V>, b: Placed<V>, within: Real) -> Proximity<V> {
    let surfaces = least::measure(a, b, within.max(0.0));
    let is_crossing = matches!(surfaces, Proximity::Near(near) if near.distance <= 0.0);
    if !is_crossing {
        match place_within(&a, &b) {
            Place::Outside => return surfaces,
            Place::Inside => {}
            Place::Open => {
                let near = least::measure(a, b, Real::INFINITY).near();
                return near.map_or(surfaces, |near| Proximity::Near(open(near)));
            }
        }
    }
    match measure_beside_origin([a, b]) {
        Some(near) if near.lower > within => Proximity::Farther { lower: near.lower },
        Some(near) => Proximity::Near(near),
        None => surfaces,
    }
}

/// What is known of shapes whose surfaces are that near, if one may lie inside the other.
fn open<V: Vector>(near: Separation<V>) -> Separation<V> {
    Separation {
        lower: Real::NEG_INFINITY,
        status: Status::IterationLimit,
        ..near
    }
}

/// Measures shapes that overlap. They are moved beside the origin, where poses that are a little apart have many digits,
/// if no digit of their difference is lost.
fn measure_beside_origin<V: Vector>([a, b]: [Placed<V>; 2]) -> Option<Separation<V>> {
    let origin = a.pose.translation.to_precise();
    let apart = b.pose.translation.to_precise() - origin;
    let translation = V::from_precise(apart);
    if translation.to_precise() != apart {
        return measure_all_units([a, b]);
    }
    let moved = |pose: &Pose<V>, translation: V| Pose {
        translation,
        ..*pose
    };
    let (pose_a, pose_b) = (moved(a.pose, V::ZERO), moved(b.pose, translation));
    let near = measure_all_units([Placed { pose: &pose_a, ..a }, Placed { pose: &pose_b, ..b }])?;
    let back = |point: V| V::from_precise(point.to_precise() + origin);
    Some(Separation {
        point_a: back(near.point_a),
        point_b: back(near.point_b),
        ..near
    })
}

/// The deepest of all pairs of units, with bounds of all together.
fn measure_all_units<V: Vector>([a, b]: [Placed<V>; 2]) -> Option<Separation<V>> {
    let mut budget = Budget {
        pairs: MOST_PAIRS_OF_UNITS,
        steps: MOST_STEPS_OF_ALL,
    };
    let mut all: Option<Separation<V>> = None;
    each_unit(&a, &mut |unit_a| {
        each_unit(&b, &mut |unit_b| {
            let Some(near) = measure_units(unit_a, unit_b, &mut budget) else {
                return;
            };
            all = Some(all.map_or(near, |other| together(near, other)));
        });
    });
    match all {
        Some(near) if budget.pairs == 0 => Some(open(near)),
        all => all,
    }
}

/// The deeper one of two, with bounds of both together.
fn together<V: Vector>(one: Separation<V>, other: Separation<V>) -> Separation<V> {
    let deeper = if one.distance < other.distance {
        one
    } else {
        other
    };
    let lower = one.lower.min(other.lower);
    Separation {
        lower,
        upper: one.upper.min(other.upper),
        status: if lower < deeper.lower {
            Status::IterationLimit
        } else {
            deeper.status
        },
        ..deeper
    }
}

/// What is left of what a question about shapes that overlap may take.
struct Budget {
    /// How many pairs of units may be measured.
    pairs: usize,
    /// At how many places ways out may be looked at.
    steps: usize,
}

/// A shape that is measured as a whole: one solid, all of a shape but its solids, or a shape without members.
#[derive(Clone, Copy)]
struct Unit<'a, V: Vector> {
    placed: Placed<'a, V>,
    solid: Option<Solid<'a, V>>,
}

fn each_unit<V: Vector>(side: &Placed<V>, found: &mut dyn FnMut(Unit<V>)) {
    let placed = *side;
    let compound = match side.shape {
        Shape::Composite(composite) if has_inside(side) && !composite.is_solid() => composite,
        shape => {
            let solid = match shape {
                Shape::Composite(composite) if has_inside(side) => composite.solids().next(),
                _ => None,
            };
            return found(Unit { placed, solid });
        }
    };
    for solid in compound.solids() {
        let own = |number: u32| solid.has_part(number);
        found(Unit {
            placed: side.with_parts(&own),
            solid: Some(solid),
        });
    }
    let solid_parts: u32 = compound
        .solids()
        .map(|solid| solid.composite.part_count())
        .sum();
    if solid_parts < compound.part_count() {
        let rest = |number: u32| compound.solid_of(number).is_none();
        found(Unit {
            placed: side.with_parts(&rest),
            solid: None,
        });
    }
}

/// The box of a unit: of a member of a compound that around a ball.
fn bounds_of<V: Vector>(unit: &Unit<V>) -> Aabb<V> {
    let member = unit.solid.and_then(|solid| Some((solid, solid.pose?)));
    let Some((solid, pose)) = member else {
        return unit.placed.shape.bounds(unit.placed.pose);
    };
    let center = RelativePose::from_pose(unit.placed.pose).transform_point(pose.translation);
    let size = (0..V::DIM).fold(0.0, |most: f64, k| most.max(center.component(k).abs()));
    let reach = solid.composite.bounding_radius() + 4.0 * f64::from(Real::EPSILON) * size;
    let reach = V::Precise::splat(reach * (1.0 + 4.0 * f64::from(Real::EPSILON)));
    Aabb::new(
        V::from_precise(center - reach),
        V::from_precise(center + reach),
    )
}

/// `None` if the boxes of the units are apart: then others overlap. Or if no more pairs are to be measured.
fn measure_units<V: Vector>(a: Unit<V>, b: Unit<V>, budget: &mut Budget) -> Option<Separation<V>> {
    if !bounds_of(&a).overlaps(&bounds_of(&b)) || budget.pairs == 0 {
        return None;
    }
    budget.pairs -= 1;
    let near = least::measure(a.placed, b.placed, Real::INFINITY).near()?;
    if [&a, &b].iter().all(|unit| unit.solid.is_none()) {
        return Some(near);
    }
    let is_inside = match place_of_units(&a, &b) {
        Place::Open if near.distance > 0.0 => return Some(open(near)),
        Place::Outside if near.distance > 0.0 => return Some(near),
        place => place == Place::Inside,
    };
    let is_point = |unit: &Unit<V>| {
        matches!(unit.placed.shape, Shape::Convex(convex)
        if convex.radius() == 0.0 && matches!(convex.core(), Core::Point(_)))
    };
    if is_point(&a) || is_point(&b) {
        let sign = if is_inside { -1.0 } else { 1.0 };
        let [lower, upper] = if is_inside {
            [-near.upper, -near.lower]
        } else {
            [near.lower, near.upper]
        };
        return Some(Separation {
            distance: near.distance * sign + 0.0,
            lower,
            upper,
            normal: near.normal * sign,
            ..near
        });
    }
    Some(
        Overlap {
            a: a.with_less_effort(),
            b: b.with_less_effort(),
            near,
            is_inside,
        }
        .measure(&mut budget.steps),
    )
}

impl<V: Vector> Unit<'_, V> {
    /// The same for one of the many questions by which ways out are found.
    fn with_less_effort(self) -> Self {
        let effort = (self.placed.effort / SHARE_OF_EFFORT).max(1);
        Self {
            placed: self.placed.with_effort(effort),
            ..self
        }
    }
}

/// Where the pieces of shapes lie that cross no surface of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// None is inside of the other shape.
    Outside,
    /// At least one is.
    Inside,
    /// The effort of the question was used up before that was known.
    Open,
}

/// Where pieces of one unit lie that do not cross the surface of the other.
fn place_of_units<V: Vector>(a: &Unit<V>, b: &Unit<V>) -> Place {
    either([(a, b), (b, a)], |(inner, outer)| {
        let mut solid = outer.solid.into_iter();
        place_of_pieces(&inner.placed, &outer.placed, &mut solid)
    })
}

/// Where pieces of one of two shapes lie that do not cross the surface of the other.
pub(crate) fn place_within<V: Vector>(a: &Placed<V>, b: &Placed<V>) -> Place {
    either([(a, b), (b, a)], |(inner, outer)| match outer.shape {
        Shape::Composite(composite) if has_inside(outer) => {
            place_of_pieces(inner, outer, &mut composite.solids())
        }
        _ => Place::Outside,
    })
}

/// The place of two, where one that is inside is enough.
fn either<T>(orders: [T; 2], place: impl Fn(T) -> Place) -> Place {
    let [one, other] = orders;
    match place(one) {
        Place::Inside => Place::Inside,
        first => match place(other) {
            Place::Outside => first,
            second => second,
        },
    }
}

fn place_of_pieces<'s, V: Vector>(
    inner: &Placed<V>,
    outer: &Placed<V>,
    solids: &mut dyn Iterator<Item = Solid<'s, V>>,
) -> Place {
    let bounds = [inner, outer].map_each(|side| side.shape.bounds(side.pose));
    if !bounds[0].overlaps(&bounds[1]) {
        return Place::Outside;
    }
    let inner_in_outer = RelativePose::between(outer.pose, inner.pose);
    let mut effort = Effort::of(inner, outer);
    for solid in solids {
        let mut is_inside = |place: V::Precise| {
            let place = inner_in_outer.transform_point(place);
            let is_near = solid.is_in_box(place);
            effort.take(if is_near { OF_ITERATION } else { 1 });
            // The last one that the effort allows is looked at.
            is_near && solid.contains(place) || effort.is_used_up()
        };
        let is_any_inside = match inner.shape {
            Shape::HalfSpace(_) => false,
            Shape::Convex(convex) => is_inside(convex.core_center()),
            Shape::Composite(composite) => composite
                .pieces()
                .filter(|&number| inner.has_part(number))
                .any(|number| place_of(composite, number).is_some_and(&mut is_inside)),
        };
        if is_any_inside {
            return if effort.is_used_up() {
                Place::Open
            } else {
                Place::Inside
            };
        }
    }
    Place::Outside
}

/// A place of a part, in the frame of its composite.
fn place_of<V: Vector>(composite: &Composite<V>, number: u32) -> Option<V::Precise> {
    let part = composite.part(number)?;
    let Shape::Convex(convex) = &*part.shape else {
        return None;
    };
    let center = convex.core_center();
    Some(
        part.pose
            .map_or(center, |pose| pose.transform_point(center)),
    )
}

/// Two units that overlap, at least one of which is a solid.
struct Overlap<'a, V: Vector> {
    a: Unit<'a, V>,
    b: Unit<'a, V>,
    /// The nearest or deepest parts of the surfaces.
    near: Separation<V>,
    /// Whether a piece of one is known to be inside of the other.
    is_inside: bool,
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
    fn measure(&self, steps: &mut usize) -> Separation<V> {
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
        let last_of_a = way.apart.point_a.to_precise() - way.translation;
        // That of b is inside of a where a was not moved.
        let places = [way.apart.point_b.to_precise(), last_of_a];
        let mut depths = ArrayVec::new();
        for ((solid, _, towards), place) in self.orders().into_iter().zip(places) {
            let place = V::from_precise(place);
            let off = 4.0 * f64::from(Real::EPSILON) * (place.to_precise().length() + way.length)
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
            point_a: V::from_precise(apart.point_b.to_precise() + normal * needed),
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
        let far = self.a.placed.pose.translation.to_precise().length() + length;
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
        ways.sort_by(|one, other| one.0.total_cmp(&other.0));
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
        let start = self.a.placed.pose.translation.to_precise();
        let pose = Pose {
            translation: V::from_precise(start - normal * length),
            ..*self.a.placed.pose
        };
        let translation = pose.translation.to_precise() - start;
        if !pose.translation.is_finite() || translation == V::Precise::ZERO {
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

/// The separation of two parts out of the solids that they belong to, if that of the surfaces leads into one: along the
/// outer normal of a facet, which the other part has to leave by its whole length.
pub(crate) fn outward<V: Vector>(
    sides: [&Placed<V>; 2],
    near: &Separation<V>,
) -> Option<Separation<V>> {
    let [of_a, of_b] = [
        (sides[0], near.part_a, near.point_a, 1.0),
        (sides[1], near.part_b, near.point_b, -1.0),
    ]
    .map_each(|(side, part, point, sign)| {
        let normal = near.normal.to_precise() * sign;
        let front = front_of_solid(side, part, [point.to_precise(), normal])?;
        Some(front * sign)
    });
    let normal = of_a.or(of_b)?;
    let part_a = SurfacePart::new(*sides[0], near.part_a)?;
    let part_b = SurfacePart::new(*sides[1], near.part_b)?;
    let distance = part_a.distance_along(&part_b, normal);
    let point_b = part_b.farthest(-normal)?;
    let rounding = tolerances::DIFFERENCE_ROUNDING
        * (point_b.length() + near.point_a.to_precise().length() + distance.abs());
    Some(Separation {
        distance: distance as Real,
        lower: round_down(distance - rounding),
        upper: round_up(distance + rounding),
        normal: V::from_precise(normal),
        point_a: V::from_precise(point_b - normal * distance),
        point_b: V::from_precise(point_b),
        status: Status::Exact,
        ..*near
    })
}

/// The outer normal of a facet of a solid, in the world, if a direction leads from a point of it into the solid.
fn front_of_solid<V: Vector>(
    side: &Placed<V>,
    number: u32,
    [point, direction]: [V::Precise; 2],
) -> Option<V::Precise> {
    let Shape::Composite(composite) = side.shape else {
        return None;
    };
    if !composite.has_inside() {
        return None;
    }
    let solid = composite.solid_of(number)?;
    let body = RelativePose::from_pose(side.pose);
    let front = body.transform_direction(solid.front(number)?);
    let cosine = front.dot(direction);
    if cosine >= -tolerances::OUTER_SIDE_COSINE {
        return None;
    }
    // At an edge or a corner the direction may lead past the solid. A point that is not quite on the facet is put there.
    let on_plane = body.transform_point(place_of(composite, number)?);
    let foot = point - front * (point - on_plane).dot(front);
    let bounds = composite.part(number)?.shape.bounds(&Pose::IDENTITY);
    let size = (bounds.max - bounds.min).to_precise().length();
    let probe = foot + direction * (tolerances::OUTER_SIDE_PROBE * size);
    let local = body.inverse_transform_point(probe);
    solid.contains(local).then_some(front)
}
