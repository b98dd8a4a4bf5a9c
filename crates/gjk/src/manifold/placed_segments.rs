//! Segments, rounded or not, that are measured along the axes of the world.

use clearance_math::{Real, RelativePose, Vector};

use super::{Manifold, ManifoldPoint, Sides, crossing};
use crate::measured::Measured;
use crate::pairs::segment_segment::{Segments, two_segments};
use crate::placed::Placed;

/// Two shapes whose cores are segments, in canonical order.
pub(super) struct PlacedSegments<'a, V: Vector> {
    placed: [Placed<'a, V>; 2],
    a_in_world: &'a RelativePose<V::Precise>,
    /// Along the axes of the world, from the origin of a.
    segments: Segments<V::Precise>,
    radii: [f64; 2],
}

impl<'a, V: Vector> PlacedSegments<'a, V> {
    /// `None` for shapes of other kinds.
    #[inline(always)]
    pub(super) fn new(
        placed: [Placed<'a, V>; 2],
        a_in_world: &'a RelativePose<V::Precise>,
    ) -> Option<Self> {
        let cores = two_segments(placed.map(|placed| placed.shape))?;
        let b_in_world = RelativePose::from_pose(placed[1].pose);
        Some(Self {
            placed,
            a_in_world,
            segments: Segments::in_world(cores, [a_in_world, &b_in_world]),
            radii: cores.map(|(shape, _)| shape.radius()),
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
        (within, is_exchanged): (Real, bool),
        found: &mut Option<Manifold<V>>,
    ) {
        let in_world = measured.moved_by(self.a_in_world.translation);
        let near = in_world.exchanged_if(is_exchanged).rounded();
        let manifold = found.insert(Manifold::without_points(near, false));
        let radii = self.radii[0] + self.radii[1];
        if let Some(features) = crossing::one_point(&self.segments, radii, measured) {
            let on = [near.point_a, near.point_b];
            let [feature_a, feature_b] = features;
            let features = if is_exchanged {
                [feature_b, feature_a]
            } else {
                features
            };
            let point = ManifoldPoint::new(near.distance, (on, features), false);
            return manifold.points.push(point);
        }
        let [a, b] = self.placed;
        let sides = Sides {
            shapes: [a.shape, b.shape],
            a_in_world: self.a_in_world,
            b_in_a: &self.a_in_world.of(b.pose),
            is_exchanged,
        };
        let in_a = |vector| self.a_in_world.inverse_transform_direction(vector);
        let in_a = Measured {
            normal: in_a(measured.normal),
            on_a: in_a(measured.on_a),
            on_b: in_a(measured.on_b),
            ..*measured
        };
        sides.fill_faces(&in_a, within, &mut manifold.points);
    }
}
