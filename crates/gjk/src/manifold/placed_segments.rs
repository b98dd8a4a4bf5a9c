//! Segments, rounded or not, that are measured along the axes of the world.

use clearance_math::internal::MapEach;
use clearance_math::{RelativePose, Vector};

use super::answer::ManifoldQuestion;
use super::beside::Beside;
use super::sides::OrderedShapes;
use super::uncut::Room;
use crate::answer::Measured;
use crate::convex::closed_forms::segment_segment::{Segments, two_segments};
use crate::pair::Placed;

/// Two shapes whose cores are segments, in canonical order.
pub(super) struct PlacedSegments<'a, V: Vector> {
    placed: [Placed<'a, V>; 2],
    a_in_world: &'a RelativePose<V::Precise>,
    /// Along the axes of the world, from the origin of a.
    segments: Segments<f64, V::Precise>,
    radii: [f64; 2],
}

impl<'a, V: Vector> PlacedSegments<'a, V> {
    /// `None` for shapes of other kinds.
    #[inline(always)]
    pub(super) fn new(
        placed: [Placed<'a, V>; 2],
        a_in_world: &'a RelativePose<V::Precise>,
    ) -> Option<Self> {
        let cores = two_segments(placed.map_each(|placed| placed.shape))?;
        let b_in_world = RelativePose::from_pose(placed[1].pose);
        Some(Self {
            placed,
            a_in_world,
            segments: Segments::in_world(cores, [a_in_world, &b_in_world]),
            radii: cores.map_each(|(shape, _)| shape.radius()),
        })
    }

    /// The distance that [`proximity`](crate::proximity) answers; `None` if the closed form does not decide.
    #[inline(always)]
    pub(super) fn measure(&self) -> Option<Measured<V::Precise>> {
        let [radius_a, radius_b] = self.radii;
        Some(self.segments.measure()?.with_radii(radius_a, radius_b))
    }

    /// Finds the manifold, exchanged where the shapes were.
    #[inline(always)]
    pub(super) fn fill(
        &self,
        measured: &Measured<V::Precise>,
        asked: ManifoldQuestion,
        room: Room<'_, V>,
    ) {
        let Room { manifold, uncut } = room;
        let in_world = measured.moved_by(self.a_in_world.translation);
        let near = asked.exchange.answer(in_world).rounded();
        let radii = self.radii[0] + self.radii[1];
        if let Some(features) = self.segments.features_of_one_point(radii, measured) {
            let features = asked.exchange.sides(features);
            return manifold.set_one_point(near, features);
        }
        manifold.begin(near);
        if const { V::DIM == 2 } {
            return self.fill_sides(measured, asked, Room { manifold, uncut });
        }
        let segments = [self.segments.a.lane(0), self.segments.b.lane(0)];
        let beside = Beside::of_segments(segments, self.radii, measured);
        beside.fill(self.a_in_world.translation, asked, manifold);
    }

    /// Leaves the sides that face each other in the plane to be cut.
    fn fill_sides(
        &self,
        measured: &Measured<V::Precise>,
        asked: ManifoldQuestion,
        room: Room<'_, V>,
    ) {
        let [a, b] = self.placed;
        let sides = OrderedShapes {
            shapes: [a.shape, b.shape],
            a_in_world: self.a_in_world,
            b_in_a: &self.a_in_world.of(b.pose),
            exchange: asked.exchange,
        };
        let in_a = |vector| self.a_in_world.inverse_transform_direction(vector);
        let in_a = Measured {
            normal: in_a(measured.normal),
            on_a: in_a(measured.on_a),
            on_b: in_a(measured.on_b),
            ..*measured
        };
        sides.fill_faces(&in_a, asked.within, room);
    }
}
