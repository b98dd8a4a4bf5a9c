//! From what two shapes have in common to the points of their manifold.

use clearance_math::internal::MapEach;
use clearance_math::internal::lanes::{VectorsInLanes, dispatch};
use clearance_math::{PreciseVector, Real, Vector, round_nearest};
use clearance_shapes::{Convex, Shape};

use super::answer::{ManifoldPoint, Points, Touch};
use super::ends::StretchEnd;
use super::facing::{Facing, edge_number};
use super::feature::Feature;
use super::place::Place;
use super::sides::OrderedShapes;
use super::uncut::{FacingSides, Room};
use crate::answer::Measured;
use crate::convex::closed_forms::segment_segment::{Segments, two_segments};

impl<V: Vector> OrderedShapes<'_, V> {
    /// Finds the points of two shapes that may touch in an area. `pair` is in a's frame.
    #[inline]
    pub(super) fn fill(&self, pair: &Measured<V::Precise>, within: Real, room: Room<'_, V>) {
        if let Some(features) = self.features_of_one_point(pair) {
            return self.push_closest(pair, features, &mut room.manifold.points);
        }
        self.fill_faces(pair, within, room);
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
    pub(crate) fn fill_faces(&self, pair: &Measured<V::Precise>, within: Real, room: Room<'_, V>) {
        let points = &mut room.manifold.points;
        // Not as a tuple, which would be moved with all its room.
        let mut a = Facing::empty();
        let mut b = Facing::empty();
        self.find_facing(0, pair.normal, &mut a);
        self.find_facing(1, pair.normal, &mut b);
        // Where a point faces the other shape, or a corner, there is nothing to cut out, nor of two half-spaces.
        let counts = [a.corners.len(), b.corners.len()];
        if counts.contains(&1) || counts == [0, 0] {
            return self.push_closest(pair, [a.feature, b.feature], points);
        }
        b.place(self.b_in_a);
        if const { V::DIM == 2 } {
            let sides = FacingSides::new(self, pair, within, [&a, &b]);
            return room.uncut.push(sides);
        }
        let parts = FacingParts {
            pair,
            facing: [&a, &b],
        };
        let within = f64::from(within);
        if a.is_line() && b.is_line() {
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
        let normal = self.a_in_world.transform_direction(parts.pair.normal);
        for point in found {
            let features = self.features(parts.facing, point.places);
            points.push(self.point(point.anchor, normal, point.distance, features));
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
        let normal = self.a_in_world.transform_direction(pair.normal);
        let closest = Anchor::on_a(pair.on_a);
        points.push(self.point(closest, normal, pair.distance, features));
    }

    /// A point that is known in the frame of a, and the normal in that of the world.
    #[inline(always)]
    fn point(
        &self,
        anchor: Anchor<V::Precise>,
        normal: V::Precise,
        distance: f64,
        features: [Feature; 2],
    ) -> ManifoldPoint<V> {
        let in_world = Anchor {
            at: self.a_in_world.transform_point(anchor.at),
            ..anchor
        };
        let touch = in_world.touch(normal * distance, features);
        ManifoldPoint::new(round_nearest(distance), touch, self.exchange)
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

impl<P: PreciseVector> FoundPoint<P> {
    /// The closest points of a pair, inside of both parts.
    pub(super) fn closest(pair: &Measured<P>) -> Self {
        Self {
            anchor: Anchor::on_a(pair.on_a),
            distance: pair.distance,
            places: [Place::Inside; 2],
        }
    }

    /// The point as an end of a stretch.
    #[inline(always)]
    pub(super) fn as_end(&self) -> StretchEnd<f64, P> {
        StretchEnd {
            at: VectorsInLanes::splat((), self.anchor.at),
            is_of_b: self.anchor.side == 1,
            distance: self.distance,
            places: self.places.map_each(|place| f64::from(place.number())),
            is_kept: true,
        }
    }

    #[inline(always)]
    pub(super) fn of_end(end: &StretchEnd<f64, P>) -> Self {
        Self {
            anchor: Anchor {
                side: usize::from(end.is_of_b),
                at: end.at.lane(0),
            },
            distance: end.distance,
            places: end.places.map_each(|place| Place::of_number(place as u32)),
        }
    }
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

    /// Both points, `apart` from a to b. The anchor itself is kept to the last bit.
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
