//! The depth, with the points that the two sides touch with along its normal.

use clearance_math::{PreciseVector, Vector, lesser_of, tolerances};

use super::{Feature, Found, Search};
use crate::penetration::Depth;

impl<V: Vector> Search<'_, V> {
    /// `None` if the depth is not surely more than zero, or if rounding errors have hidden its direction.
    #[inline(always)]
    pub(super) fn answer(&self) -> Option<Found<V::Precise>> {
        let least = &self.least;
        // Heights are compared up to their rounding errors: once where directions are passed over, and once where a
        // crossing counts as reached.
        let lower = lesser_of(self.height, least.height) - 2.0 * self.limits.rounding;
        let is_proven = lower > 0.0 && least.height - lower <= self.limits.gap;
        is_proven.then(|| {
            Found::Least(Depth {
                height: least.height,
                lower,
                normal: least.normal,
                witnesses: self.witness_points(),
            })
        })
    }

    /// A point of a and one of b whose difference is the depth times the normal.
    #[inline(always)]
    fn witness_points(&self) -> Option<(V::Precise, V::Precise)> {
        match self.least.feature {
            Feature::Face { side, face } => self.on_face(side, face),
            Feature::Edges { edge, points } => self.on_edges(edge, points),
        }
    }

    /// The support point of the other side and the point of the face opposite to it, if that lies on the face.
    #[inline(always)]
    fn on_face(&self, side: usize, face: usize) -> Option<(V::Precise, V::Precise)> {
        let translation = self.least.normal * self.least.height;
        let [of_a, of_b] = self.least.point.of;
        let (on_a, on_b) = if side == 0 {
            (translation - of_b, -of_b)
        } else {
            (of_a, of_a - translation)
        };
        let own = if side == 0 {
            on_a
        } else {
            self.b_in_a.inverse_transform_point(on_b)
        };
        let slack = tolerances::FOOT_SLACK * self.sides[side].size;
        self.sides[side]
            .holds(face, own, slack)
            .then_some((on_a, on_b))
    }

    /// The points in which two edges come nearest, if they do between their ends.
    #[inline(always)]
    fn on_edges(&self, edge: usize, points: [usize; 2]) -> Option<(V::Precise, V::Precise)> {
        let (hull, _) = self.sides[1].hull()?;
        let [from, to] = hull.edges()[edge].vertices.map(|vertex| {
            let corner = hull.vertices()[vertex as usize].to_precise();
            self.contribution(1, corner)
        });
        let [start, end] = points.map(|point| self.points[point].of[0]);
        // The difference is a parallelogram here. Its sides are the two edges, and the foot of the origin divides them.
        let foot = self.least.normal * self.least.height - from - start;
        let (along, across) = (to - from, end - start);
        let normal = self.least.normal.in_space();
        let [foot, u, v] = [foot, along, across].map(PreciseVector::in_space);
        let area = u.cross(v).dot(normal);
        let shares = [foot.cross(v).dot(normal), u.cross(foot).dot(normal)].map(|part| part / area);
        let is_between =
            |share: &f64| (-tolerances::FOOT_SLACK..=1.0 + tolerances::FOOT_SLACK).contains(share);
        if !shares.iter().all(is_between) {
            return None;
        }
        let [on_edge, other] = [
            from + along * shares[0].clamp(0.0, 1.0),
            start + across * shares[1].clamp(0.0, 1.0),
        ];
        Some((other, -on_edge))
    }
}
