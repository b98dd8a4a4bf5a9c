//! From what two shapes have in common to the points of their manifold.

use arrayvec::ArrayVec;
use clearance_math::internal::lanes::{Simd, dispatch};
use clearance_math::{PreciseVector, Real, Vector, round_nearest};
use clearance_shapes::{Convex, Shape};

use super::answer::{MOST_POINTS, Manifold, ManifoldPoint, Points, Touch};
use super::candidates::{self, Candidate, Candidates, View};
use super::clip::MOST_COMMON;
use super::facing::{Facing, edge_number};
use super::feature::Feature;
use super::in_plane::Facings;
use super::place::{Place, Places};
use super::rectangles::{Reach, TwoFaces};
use super::reduce;
use super::reduce::Kept;
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

    /// Finds the points that the parts which face each other have in common.
    #[inline(always)]
    pub(crate) fn fill_faces(
        &self,
        pair: &Measured<V::Precise>,
        within: Real,
        manifold: &mut Manifold<V>,
    ) {
        let reach = Reach {
            distance: pair.distance,
            within,
        };
        if const { V::DIM == 3 }
            && let Some(faces) = TwoFaces::new(self, pair)
            && dispatch!(simd => faces.fill(simd, self, reach, manifold))
        {
            return;
        }
        self.fill_any(pair, within, manifold);
    }

    /// The same for any two faces, lines and points.
    pub(crate) fn fill_any(
        &self,
        pair: &Measured<V::Precise>,
        within: Real,
        manifold: &mut Manifold<V>,
    ) {
        let points = &mut manifold.points;
        // Not as a tuple, which would be moved with all its room.
        let mut a = Facing::empty();
        let mut b = Facing::empty();
        self.find_facing(0, pair.normal, &mut a);
        self.find_facing(1, pair.normal, &mut b);
        // Where a point faces the other shape, or a corner, there is nothing to cut out.
        if a.corners.len() == 1 || b.corners.len() == 1 {
            return self.push_closest(pair, [a.feature, b.feature], points);
        }
        b.place(self.b_in_a);
        let facing = [&a, &b];
        if const { V::DIM == 2 } {
            for end in (Facings { pair, facing }).ends(within.into()) {
                points.push(self.point(end.distance, self.touch(facing, end.on, end.places)));
            }
            return;
        }
        let question = FacingQuestion {
            pair,
            within,
            facing,
        };
        dispatch!(simd => self.fill_in_lanes(simd, &question, points));
    }

    #[inline(always)]
    fn fill_in_lanes<S: Simd>(
        &self,
        simd: S,
        question: &FacingQuestion<V::Precise>,
        points: &mut Points<V>,
    ) {
        let (pair, [a, b]) = (question.pair, question.facing);
        let view = View::new(pair);
        let mut all = Candidates::new();
        let slack = candidates::find(simd, [a, b], &view, &mut all);
        let mut sifted = Sifted {
            all: &mut all,
            kept: Kept::new(),
            slack,
        };
        sifted.keep_sorted(f64::from(question.within).max(pair.distance + slack));
        sifted.add_own(pair.distance);
        let is_line = a.is_line() || b.is_line();
        let most = if is_line { 2 } else { MOST_POINTS };
        for k in reduce::choose(simd, (sifted.all, &sifted.kept), most, slack) {
            let candidate = &sifted.all[usize::from(k)];
            let on = view.points(candidate, [a, b]);
            let touch = self.touch([a, b], on, candidate.places.both());
            points.push(self.point(candidate.distance, touch));
        }
    }

    /// Two points, and what they are on the parts that face each other.
    #[inline(always)]
    fn touch(
        &self,
        [a, b]: [&Facing<V::Precise>; 2],
        on: [V::Precise; 2],
        [of_a, of_b]: [Place; 2],
    ) -> Touch<V::Precise> {
        let features = [
            feature_at(self.shapes[0], a, of_a),
            feature_at(self.shapes[1], b, of_b),
        ];
        Touch { on, features }
    }

    /// Appends the closest points of the pair.
    fn push_closest(
        &self,
        pair: &Measured<V::Precise>,
        features: [Feature; 2],
        points: &mut Points<V>,
    ) {
        let on = [pair.on_a, pair.on_a + pair.normal * pair.distance];
        points.push(self.point(pair.distance, Touch { on, features }));
    }

    /// The point where the shapes touch in the frame of a.
    #[inline(always)]
    fn point(&self, distance: f64, touch: Touch<V::Precise>) -> ManifoldPoint<V> {
        let [on_a, on_b] = touch.on;
        let on_a = self.a_in_world.transform_point(on_a);
        let on_b = self.a_in_world.transform_point(on_b);
        let touch = Touch {
            on: [on_a, on_b],
            features: touch.features,
        };
        ManifoldPoint::new(round_nearest(distance), touch, self.exchange)
    }
}

/// Two parts of surfaces that face each other, of a pair that was measured.
struct FacingQuestion<'a, P: PreciseVector> {
    pair: &'a Measured<P>,
    /// How far apart points may be.
    within: Real,
    facing: [&'a Facing<P>; 2],
}

/// Candidates, and those of them that are kept.
struct Sifted<'a> {
    all: &'a mut Candidates,
    kept: Kept,
    /// How far apart candidates must be to count as two.
    slack: f64,
}

impl Sifted<'_> {
    /// Keeps the candidates that are not too far apart, sorted by what they are on the two shapes. Those that are at
    /// most the slack from an earlier one are left out.
    #[inline(always)]
    fn keep_sorted(&mut self, most_distance: f64) {
        let mut order: ArrayVec<u64, MOST_COMMON> = ArrayVec::new();
        for (candidate, k) in self.all.iter().zip(0..) {
            if candidate.distance <= most_distance {
                order.push(rank(candidate.places) << 8 | k);
            }
        }
        order.sort_unstable();
        for &place in &order {
            let k = place as u8;
            if self.is_new(k) {
                self.kept.push(k);
            }
        }
    }

    /// Whether no candidate that was kept is at the place of this one.
    #[inline(always)]
    fn is_new(&self, k: u8) -> bool {
        // Most are so far away that no square root is needed to see it.
        let far = 2.0 * self.slack * self.slack;
        let at = self.all[usize::from(k)].at;
        self.kept.iter().all(|&other| {
            let squared = (self.all[usize::from(other)].at - at).length_squared();
            squared > far || squared.sqrt() > self.slack
        })
    }

    /// Makes sure that the closest points of the pair, which are `distance` apart, are among those that are kept, or
    /// points just as near. Curved rims and ends are deeper between their candidates; the closest points then replace
    /// the nearest one.
    #[inline(always)]
    fn add_own(&mut self, distance: f64) {
        let is_as_near = |&k: &u8| self.all[usize::from(k)].distance <= distance + self.slack;
        if !self.kept.iter().any(is_as_near) {
            self.add_closest(distance);
        }
    }

    #[cold]
    fn add_closest(&mut self, distance: f64) {
        let own = |places| Candidate {
            at: glam::DVec2::ZERO,
            height: 0.0,
            distance,
            places,
            is_exact: false,
        };
        let from_own = |&k: &u8| self.all[usize::from(k)].at.length_squared();
        let nearest = self
            .kept
            .iter()
            .copied()
            .min_by(|p, q| from_own(p).total_cmp(&from_own(q)));
        if let Some(nearest) = nearest {
            let nearest = &mut self.all[usize::from(nearest)];
            *nearest = own(nearest.places);
        } else {
            self.all.clear();
            self.all.push(own(Places::of([Place::Inside; 2])));
            self.kept.push(0);
        }
    }
}

/// The place in the order of candidates. It hardly depends on which shape is a, as that can change from frame to frame.
#[inline(always)]
pub(super) fn rank(places: Places) -> u64 {
    let [a, b] = places.ranks();
    a.min(b) << 32 | a.max(b) << 16 | a
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
