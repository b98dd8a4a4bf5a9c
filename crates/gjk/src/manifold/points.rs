//! From what two shapes have in common to the points of their manifold.

use clearance_math::internal::lanes::dispatch;
use clearance_math::{PreciseVector, Real, Vector, round_nearest};
use clearance_shapes::{Convex, Shape};

use super::answer::{Manifold, ManifoldPoint, Points, Touch};
use super::facing::{Facing, edge_number};
use super::feature::Feature;
use super::place::Place;
use super::sides::OrderedShapes;
use crate::answer::Measured;
use crate::convex::closed_forms::segment_segment::{Segments, two_segments};

impl<V: Vector> OrderedShapes<'_, V> {
    /// Finds the points of two shapes that may touch in an area. `pair` is in a's frame.
    #[inline]
    pub(super) fn fill(
        &self,
        pair: &Measured<V::Precise>,
        within: Real,
        manifold: &mut Manifold<V>,
    ) {
        if let Some(features) = self.features_of_one_point(pair) {
            return self.push_closest(pair, features, &mut manifold.points);
        }
        self.fill_faces(pair, within, manifold);
    }

    /// What two segments are where they touch, if they are seen to touch in one point.
    #[inline(always)]
    pub(super) fn features_of_one_point(
        &self,
        pair: &Measured<V::Precise>,
    ) -> Option<[Feature; 2]> {
        let cores = two_segments(self.shapes)?;
        let radii = cores[0].0.radius() + cores[1].0.radius();
        Segments::in_a(cores, self.b_in_a).features_of_one_point(radii, pair)
    }

    /// Finds the points that the parts which face each other have in common: faces, lines and points.
    pub(crate) fn fill_faces(
        &self,
        pair: &Measured<V::Precise>,
        within: Real,
        manifold: &mut Manifold<V>,
    ) {
        // Not as a tuple, which would be moved with all its room.
        let mut a = Facing::empty();
        let mut b = Facing::empty();
        self.find_facing(0, pair.normal, &mut a);
        self.find_facing(1, pair.normal, &mut b);
        // Where a point faces the other shape, or a corner, there is nothing to cut out.
        if a.corners.len() == 1 || b.corners.len() == 1 {
            return self.push_closest(pair, [a.feature, b.feature], &mut manifold.points);
        }
        b.place(self.b_in_a);
        let parts = FacingParts {
            pair,
            facing: [&a, &b],
        };
        let within = f64::from(within);
        let points = &mut manifold.points;
        if const { V::DIM == 2 } {
            self.append(&parts, parts.in_plane(within), points);
        } else if a.is_line() && b.is_line() {
            self.append(&parts, parts.beside(within), points);
        } else {
            let found = dispatch!(simd => parts.in_space(simd, within));
            self.append(&parts, found, points);
        }
    }

    #[inline(always)]
    fn append(
        &self,
        parts: &FacingParts<'_, V::Precise>,
        found: impl IntoIterator<Item = FoundPoint<V::Precise>>,
        points: &mut Points<V>,
    ) {
        let mut appending = self.appending(parts.pair.normal, points);
        for point in found {
            let features = self.features(parts.facing, point.places);
            appending.push(point.distance, point.anchor, features);
        }
    }

    /// What places are on the parts that face each other.
    #[inline(always)]
    fn features(&self, [a, b]: [&Facing<V::Precise>; 2], [of_a, of_b]: [Place; 2]) -> [Feature; 2] {
        [
            feature_at(self.shapes[0], a, of_a),
            feature_at(self.shapes[1], b, of_b),
        ]
    }

    /// Appends the closest points of the pair.
    fn push_closest(
        &self,
        pair: &Measured<V::Precise>,
        features: [Feature; 2],
        points: &mut Points<V>,
    ) {
        let closest = Anchor::on_a(pair.on_a);
        (self.appending(pair.normal, points)).push(pair.distance, closest, features);
    }

    /// A way to append points along a normal, in the frame of a.
    #[inline(always)]
    fn appending<'a>(&'a self, normal: V::Precise, points: &'a mut Points<V>) -> Appending<'a, V> {
        Appending {
            normal: self.a_in_world.transform_direction(normal),
            sides: self,
            points,
        }
    }
}

/// Two parts of surfaces that face each other, none of which is a point, and the distance that was measured between their
/// shapes.
pub(super) struct FacingParts<'a, P: PreciseVector> {
    pub(super) pair: &'a Measured<P>,
    pub(super) facing: [&'a Facing<P>; 2],
}

/// A point of a manifold, in the frame of a.
#[derive(Clone, Copy)]
pub(super) struct FoundPoint<P> {
    pub(super) anchor: Anchor<P>,
    pub(super) distance: f64,
    /// What it is on a and on b.
    pub(super) places: [Place; 2],
}

/// A point on the surface of one of two shapes in canonical order, in the frame of a. That on the other one is as far away
/// along the normal as the distance says.
#[derive(Clone, Copy)]
pub(super) struct Anchor<P> {
    pub(super) side: usize,
    pub(super) at: P,
}

impl<P: PreciseVector> Anchor<P> {
    pub(super) fn on_a(at: P) -> Self {
        Self { side: 0, at }
    }

    /// Both points, `apart` from a to b. The anchor is kept as it is, to the last bit: it is a point of the surface that it
    /// belongs to.
    #[inline(always)]
    pub(super) fn touch(self, apart: P, features: [Feature; 2]) -> Touch<P> {
        let Self { side, at } = self;
        let on = if side == 0 {
            [at, at + apart]
        } else {
            [at - apart, at]
        };
        Touch { on, features }
    }
}

/// Points of a manifold that are given in the frame of a.
struct Appending<'a, V: Vector> {
    sides: &'a OrderedShapes<'a, V>,
    /// In the frame of the world.
    normal: V::Precise,
    points: &'a mut Points<V>,
}

impl<V: Vector> Appending<'_, V> {
    #[inline(always)]
    fn push(&mut self, distance: f64, anchor: Anchor<V::Precise>, features: [Feature; 2]) {
        let anchor = Anchor {
            at: self.sides.a_in_world.transform_point(anchor.at),
            ..anchor
        };
        let touch = anchor.touch(self.normal * distance, features);
        let point = ManifoldPoint::new(round_nearest(distance), touch, self.sides.exchange);
        self.points.push(point);
    }
}

/// The feature at a place of the part of a shape's surface that faces the other shape.
#[inline]
fn feature_at<V: Vector>(shape: &Shape<V>, facing: &Facing<V::Precise>, place: Place) -> Feature {
    let corners = &facing.corners;
    match place {
        Place::Corner(k) => Feature::Corner(corners[usize::from(k)].number),
        Place::Side(k) if corners.len() > 2 => {
            let k = usize::from(k);
            let next = if k + 1 == corners.len() { 0 } else { k + 1 };
            edge_of(shape, [corners[k].number, corners[next].number])
        }
        Place::Side(_) | Place::Inside => facing.feature,
    }
}

fn edge_of<V: Vector>(shape: &Shape<V>, ends: [u32; 2]) -> Feature {
    match shape {
        Shape::Convex(convex) => Feature::Edge(edge_number::<V>(Convex::core(convex), ends)),
        Shape::HalfSpace(_) | Shape::Composite(_) => Feature::Face(0),
    }
}
