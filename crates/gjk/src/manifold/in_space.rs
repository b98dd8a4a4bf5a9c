//! What two faces, or a face and a line, of space have in common, seen along the normal of the pair.

use arrayvec::ArrayVec;
use clearance_math::internal::lanes::{FourVectors, LANES, Simd};
use clearance_math::{DVec2, PreciseVector, tolerances};

use super::answer::MOST_POINTS;
use super::candidates::{Candidates, Reach, Slope};
use super::clip::{Cut, clip, numbers_from};
use super::facing::Facing;
use super::outline::Outline;
use super::place::{Place, Places};
use super::points::{Anchor, FacingParts, FoundPoint};
use super::reduce::choose;
use crate::answer::Measured;

/// The closest point of a, and directions along and across the normal of the pair.
struct View<P> {
    base: P,
    normal: P,
    right: P,
    up: P,
}

impl<P: PreciseVector> View<P> {
    fn new(pair: &Measured<P>) -> Self {
        let (right, up) = pair.normal.in_space().any_orthonormal_pair();
        Self {
            base: pair.on_a,
            normal: pair.normal,
            right: P::from_space(right),
            up: P::from_space(up),
        }
    }
}

/// A part of a surface as it is seen along the normal.
struct SeenFacing<'a, P: PreciseVector> {
    facing: &'a Facing<P>,
    corners: Outline,
    slope: Slope,
}

impl<'a, P: PreciseVector> SeenFacing<'a, P> {
    fn new(facing: &'a Facing<P>, view: &View<P>) -> Self {
        let normal = facing.normal;
        // Parts that face each other have a normal along that of the pair.
        let along = normal.dot(view.normal);
        let scale = 1.0 / along;
        Self {
            facing,
            corners: Outline::new(),
            slope: Slope {
                level: normal.dot(facing.origin - view.base) * scale,
                rise: DVec2::new(normal.dot(view.right), normal.dot(view.up)) * -scale,
            },
        }
    }

    /// Sees the corners. They are written where they stay, since a full list would be copied with all its room.
    #[inline(always)]
    fn see_corners<S: Simd>(&mut self, simd: S, view: &View<P>) {
        let corners = &self.facing.corners;
        let base = FourVectors::splat(simd, view.base);
        let (right, up) = (
            FourVectors::splat(simd, view.right),
            FourVectors::splat(simd, view.up),
        );
        for first in (0..corners.len()).step_by(LANES) {
            let count = LANES.min(corners.len() - first);
            let four = FourVectors::from_lanes(simd, |lane| {
                corners[if lane < count { first + lane } else { 0 }].point
            });
            let apart = four - base;
            self.corners.push([apart.dot(right), apart.dot(up)], count);
        }
    }
}

impl<P: PreciseVector> FacingParts<'_, P> {
    /// Finds the points of the manifold, at most `within` apart, of two parts in space that are not both lines. The closest
    /// points of the pair are among them, or points that are as near.
    #[inline(always)]
    pub(super) fn in_space<S: Simd>(
        &self,
        simd: S,
        within: f64,
    ) -> ArrayVec<FoundPoint<P>, MOST_POINTS> {
        let view = View::new(self.pair);
        let mut a = SeenFacing::new(self.facing[0], &view);
        let mut b = SeenFacing::new(self.facing[1], &view);
        a.see_corners(simd, &view);
        b.see_corners(simd, &view);
        let squared = (a.corners.squared_extent(simd)).min(b.corners.squared_extent(simd));
        let slack = tolerances::MANIFOLD_SLACK * squared.sqrt();
        let reach = Reach {
            distance: self.pair.distance,
            within,
            slack,
        };
        let mut candidates = Candidates::new([a.slope, b.slope], reach);
        match [a.corners.len(), b.corners.len()] {
            [0, 0] => {}
            [0, _] => add_corners(simd, (1, &b.corners), &mut candidates),
            [_, 0] => add_corners(simd, (0, &a.corners), &mut candidates),
            // Lines are cut by polygons.
            [_, 2] => {
                let cut = Cut::of([&b.corners, &a.corners], 1);
                clip(simd, &cut, &mut candidates);
            }
            _ => {
                let cut = Cut::of([&a.corners, &b.corners], 0);
                clip(simd, &cut, &mut candidates);
            }
        }
        let is_line = self.facing.iter().any(|facing| facing.is_line());
        let most = if is_line { 2 } else { MOST_POINTS };
        let mut points = ArrayVec::new();
        for point in choose(simd, &mut candidates, most) {
            points.push(self.found(&view, [&a.slope, &b.slope], &candidates, point));
        }
        points
    }

    /// A candidate as a point of the manifold. A corner is kept as it is, to the last bit, also where it is a little off the
    /// plane of its part, as faces may be that were joined.
    #[inline(always)]
    fn found(
        &self,
        view: &View<P>,
        [of_a, of_b]: [&Slope; 2],
        candidates: &Candidates,
        point: usize,
    ) -> FoundPoint<P> {
        let places = candidates.places(point).both();
        let at = candidates.at(point);
        let corner = |side: usize, k: u8| self.facing[side].corners[usize::from(k)].point;
        let height = |corner: P| view.normal.dot(corner - view.base);
        let (anchor, distance) = match places {
            _ if candidates.closest == Some(point) => {
                (Anchor::on_a(view.base), candidates.distance(point))
            }
            [Place::Corner(k), _] => {
                let on_a = corner(0, k);
                (Anchor::on_a(on_a), of_b.height(at) - height(on_a))
            }
            [_, Place::Corner(k)] => {
                let on_b = corner(1, k);
                let anchor = Anchor { side: 1, at: on_b };
                (anchor, height(on_b) - of_a.height(at))
            }
            _ => {
                let beside = view.right * at.x + view.up * at.y;
                let on_a = view.base + beside + view.normal * of_a.height(at);
                (Anchor::on_a(on_a), candidates.distance(point))
            }
        };
        FoundPoint {
            anchor,
            distance,
            places,
        }
    }
}

/// Adds all corners of one part, over a half-space.
#[inline(always)]
fn add_corners<S: Simd>(simd: S, (side, corners): (usize, &Outline), candidates: &mut Candidates) {
    for block in 0..corners.blocks() {
        let are_there = corners.lanes_in_use(simd, block);
        let places = Places::corners(numbers_from(simd, LANES * block), side);
        candidates.push(corners.here(simd, block), are_there, places);
    }
}
