//! Which points of a manifold go on from one frame to the next.

use arrayvec::ArrayVec;
use clearance_math::internal::MapEach;
use clearance_math::{Pose, PreciseVector, Real, RelativePose, Vector};

use super::answer::{MOST_POINTS, Manifold, ManifoldPoint};
use super::feature::Feature;

/// A manifold, and where its two bodies were when it was measured.
#[derive(Clone, Copy, Debug)]
pub struct PlacedManifold<'a, V: Vector> {
    /// The manifold.
    pub manifold: &'a Manifold<V>,
    /// The pose of a and the pose of b.
    pub poses: [&'a Pose<V>; 2],
}

/// Finds for each point of `now` the point of `before` that it goes on from, so that what a solver keeps for a point
/// finds its point again. Both are of the same two shapes, in the same order. Each point of `before` is named once at
/// most.
///
/// First go points that are no farther apart than `within`, in your unit of length, and have the same features; then those
/// that are as near and have others, the nearest first; and at last those with the same features, however far apart.
/// Features alone are not enough: where two cubes lie on each other nearly in line, the same point is the corner of one in
/// one frame, and where two edges cross in the next. How far apart points are is measured on each of the two bodies, of
/// which the nearer counts: a corner that slides stays where it is on its own body, and two bodies that move together may
/// be as fast as they like. A hundredth of the size of the smaller body is a good value; zero leaves all to the features,
/// unless a point stays exactly.
///
/// It is a function of the two manifolds and poses alone. Cost: no more than some multiplications for each pair of points;
/// nothing is allocated.
///
/// ```
/// use clearance::dim3::{Placed, PlacedManifold, Pose, Quat, Shape, Vec3, contact_manifold, match_points};
///
/// let cube = Shape::cuboid(Vec3::splat(0.5))?;
/// let below = Pose::IDENTITY;
/// // It stands a little aside, and turns.
/// let [before, now] = [1e-3, -1e-3].map(|turn| Pose::new(Vec3::new(5e-4, 0.99, 0.0), Quat::from_rotation_y(turn)));
/// let manifold = |place| contact_manifold(Placed::new(&cube, &below), Placed::new(&cube, place), 0.05);
/// let (first, second) = (manifold(&before)?.ok_or("touch")?, manifold(&now)?.ok_or("touch")?);
/// let first = PlacedManifold { manifold: &first, poses: [&below, &before] };
/// let second = PlacedManifold { manifold: &second, poses: [&below, &now] };
/// let mut from = match_points(first, second, 0.01);
/// from.sort();
/// assert_eq!(from, [Some(0), Some(1), Some(2), Some(3)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn match_points<V: Vector>(
    before: PlacedManifold<V>,
    now: PlacedManifold<V>,
    within: Real,
) -> [Option<usize>; MOST_POINTS] {
    let limit = f64::from(within) * f64::from(within);
    if stay_in_place(before, now, limit) {
        let points = now.manifold.points().len();
        return [0, 1, 2, 3].map_each(|place| (place < points).then_some(place));
    }
    best_first(&before.spots(), &now.spots(), limit)
}

/// Whether each point is near to the one at its place, which alone has the same features: then no other is more alike. So
/// it is with most manifolds from one frame to the next.
fn stay_in_place<V: Vector>(before: PlacedManifold<V>, now: PlacedManifold<V>, limit: f64) -> bool {
    let (old, new) = (before.manifold.points(), now.manifold.points());
    let features = |point: &ManifoldPoint<V>| [point.feature_a, point.feature_b];
    let is_alike = |(place, (old, new)): (usize, (&ManifoldPoint<V>, &ManifoldPoint<V>))| {
        let earlier = &now.manifold.points()[..place];
        let is_only = earlier.iter().all(|other| features(other) != features(new));
        features(old) == features(new) && is_only
    };
    old.len() == new.len()
        && old.iter().zip(new).enumerate().all(is_alike)
        && (are_near([before, now], 0, limit) || are_near([before, now], 1, limit))
}

/// Whether all points at equal places are near on the body of one side.
fn are_near<V: Vector>(manifolds: [PlacedManifold<V>; 2], side: usize, limit: f64) -> bool {
    let frames = manifolds.map_each(|of| RelativePose::from_pose(of.poses[side]));
    let place = |which: usize, point: &ManifoldPoint<V>| {
        let on = if side == 0 {
            point.position_a
        } else {
            point.position_b
        };
        frames[which].inverse_transform_point(on)
    };
    let [old, new] = manifolds.map_each(|of| of.manifold.points());
    let mut points = old.iter().zip(new);
    points.all(|(old, new)| (place(0, old) - place(1, new)).length_squared() <= limit)
}

/// Finds for each new point the old one that it goes on from: of all pairs the one most alike first.
fn best_first<P: PreciseVector>(
    old: &[Spot<P>],
    new: &[Spot<P>],
    limit: f64,
) -> [Option<usize>; MOST_POINTS] {
    let mut matched = [None; MOST_POINTS];
    loop {
        let mut best: Option<(Likeness, usize, usize)> = None;
        for to in (0..new.len()).filter(|&to| matched[to].is_none()) {
            for from in (0..old.len()).filter(|&from| !matched.contains(&Some(from))) {
                let likeness = Likeness::of(&old[from], &new[to], limit);
                // Of those that are equally alike the first counts.
                let is_better = best
                    .as_ref()
                    .is_none_or(|(best, ..)| likeness.is_better(best));
                if likeness.is_enough() && is_better {
                    best = Some((likeness, to, from));
                }
            }
        }
        let Some((_, to, from)) = best else {
            return matched;
        };
        matched[to] = Some(from);
    }
}

/// A point of a manifold: where it is on a and on b, in the frames of the two bodies, and what it is there.
struct Spot<P> {
    places: [P; 2],
    features: [Feature; 2],
}

/// How like each other two points are.
struct Likeness {
    is_far: bool,
    has_other_features: bool,
    /// The square of their distance.
    apart: f64,
}

impl Likeness {
    fn of<P: PreciseVector>(one: &Spot<P>, other: &Spot<P>, limit: f64) -> Self {
        let apart =
            [0, 1].map_each(|side| (one.places[side] - other.places[side]).length_squared());
        let apart = apart[0].min(apart[1]);
        Self {
            // Beside NaN everything is far.
            is_far: !(apart <= limit),
            has_other_features: one.features != other.features,
            apart,
        }
    }

    /// Whether they may be the same point.
    fn is_enough(&self) -> bool {
        !(self.is_far && self.has_other_features)
    }

    fn is_better(&self, other: &Self) -> bool {
        let rank = |likeness: &Self| (likeness.is_far, likeness.has_other_features);
        let by_rank = rank(self).cmp(&rank(other));
        by_rank.then(self.apart.total_cmp(&other.apart)).is_lt()
    }
}

impl<V: Vector> PlacedManifold<'_, V> {
    fn spots(self) -> ArrayVec<Spot<V::Precise>, MOST_POINTS> {
        let [a, b] = self.poses.map_each(RelativePose::from_pose);
        let spot = |point: &ManifoldPoint<V>| Spot {
            places: [
                a.inverse_transform_point(point.position_a),
                b.inverse_transform_point(point.position_b),
            ],
            features: [point.feature_a, point.feature_b],
        };
        let mut spots = ArrayVec::new();
        // A loop, since an array that is collected is filled by calls.
        for point in self.manifold.points() {
            spots.push(spot(point));
        }
        spots
    }
}

#[cfg(test)]
mod tests {
    use clearance_math::{DVec2, Rotation2, Vec2};

    use super::*;
    use crate::answer::{Separation, Status};

    /// Two points of a small grid, often at the same places and with the same features in both frames: what is found in
    /// place is what the search finds.
    #[test]
    fn points_that_stay_in_place_are_those_that_the_search_finds() {
        let mut state = 7_u64;
        let mut below = |end: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) % end
        };
        let (mut stayed, mut others) = (0, 0);
        for _ in 0..20_000 {
            let mut point = |k: u64| {
                let position_a = DVec2::new(below(3) as f64, k as f64);
                ManifoldPoint {
                    distance: 0.0,
                    position_a,
                    position_b: position_a * (1 + below(2)) as f64,
                    feature_a: Feature::Corner(k as u32),
                    feature_b: Feature::Corner((below(3) / 2) as u32),
                }
            };
            let separation = Separation {
                distance: 0.0,
                lower: 0.0,
                upper: 0.0,
                normal: Vec2::Y,
                position_a: DVec2::ZERO,
                position_b: DVec2::ZERO,
                part_a: 0,
                part_b: 0,
                status: Status::Exact,
            };
            let manifolds = [(); 2].map(|()| {
                let mut manifold = Manifold::<Vec2>::none();
                manifold.begin(separation);
                manifold.points.push(point(0));
                manifold.points.push(point(1));
                manifold
            });
            let poses = [0.0, 0.5].map(|angle| Pose::new(Vec2::X, Rotation2::from_angle(angle)));
            let [before, now] = manifolds.each_ref().map(|manifold| PlacedManifold {
                manifold,
                poses: [&poses[0], &poses[1]],
            });
            if stay_in_place(before, now, 1.0) {
                let found = best_first(&before.spots(), &now.spots(), 1.0);
                assert_eq!(found[..2], [Some(0), Some(1)]);
                stayed += 1;
            } else {
                others += 1;
            }
        }
        assert!(stayed > 1000 && others > 1000, "{stayed} {others}");
    }
}
