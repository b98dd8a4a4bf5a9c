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
/// Where both manifolds have the same features in the same order, each of them once, each point goes on from the one with its
/// features. Else first go points that are no farther apart than `within`, in your unit of length, and have the same features; then those
/// that are as near and have others, the nearest first; and at last those with the same features, however far apart.
/// Features alone are not enough there: where two cubes lie on each other nearly in line, the same point is the corner of one in
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
    let (old, new) = (before.manifold.points(), now.manifold.points());
    if have_same_features(old, new) {
        return [0, 1, 2, 3].map_each(|place| (place < new.len()).then_some(place));
    }
    let limit = f64::from(within) * f64::from(within);
    best_first(&before.spots(), &now.spots(), limit)
}

/// Whether both have the same features in the same order, none of them twice. So it is with most manifolds from one frame
/// to the next.
fn have_same_features<V: Vector>(old: &[ManifoldPoint<V>], new: &[ManifoldPoint<V>]) -> bool {
    let features = |points: &[ManifoldPoint<V>], place: usize| {
        let point = &points[place];
        [point.feature_a, point.feature_b]
    };
    old.len() == new.len()
        && (0..new.len()).all(|place| {
            let own = features(new, place);
            features(old, place) == own && (0..place).all(|earlier| features(new, earlier) != own)
        })
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

    /// Two points of a small grid, often at the same places and with the same features in both frames.
    #[test]
    fn points_go_on_by_their_features_or_by_the_place_where_they_are() {
        let mut state = 7_u64;
        let mut below = |end: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) % end
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
        let (mut alike, mut others) = (0, 0);
        for _ in 0..20_000 {
            let mut point = |k: u64| {
                let position_a = DVec2::new(below(3) as f64, k as f64);
                ManifoldPoint {
                    distance: 0.0,
                    position_a,
                    position_b: position_a * (1 + below(2)) as f64,
                    feature_a: Feature::Corner((k + below(4) / 3) as u32),
                    feature_b: Feature::Corner((below(3) / 2) as u32),
                }
            };
            let lists = [[point(0), point(1)], [point(0), point(1)]];
            let manifolds = lists.map(|points| Manifold::from_points(separation, &points));
            let poses = [0.0, 0.5].map(|angle| Pose::new(Vec2::X, Rotation2::from_angle(angle)));
            let [before, now] = manifolds.each_ref().map(|manifold| PlacedManifold {
                manifold: manifold.as_ref().expect("points"),
                poses: [&poses[0], &poses[1]],
            });
            let features = lists.map(|list| list.map(|point| [point.feature_a, point.feature_b]));
            let expected = if features[0] == features[1] && features[0][0] != features[0][1] {
                alike += 1;
                [Some(0), Some(1)]
            } else {
                others += 1;
                first_of_all(before, now, 1.0)
            };
            assert_eq!(match_points(before, now, 1.0)[..2], expected);
        }
        assert!(alike > 1000 && others > 1000, "{alike} {others}");
    }

    /// All pairs of points in the order in which they are taken.
    fn first_of_all(
        before: PlacedManifold<Vec2>,
        now: PlacedManifold<Vec2>,
        within: f64,
    ) -> [Option<usize>; 2] {
        let frames = [0, 1].map(|side| RelativePose::from_pose(now.poses[side]));
        let mut pairs = Vec::new();
        for (to, new) in now.manifold.points().iter().enumerate() {
            for (from, old) in before.manifold.points().iter().enumerate() {
                let apart = |frame: &RelativePose<DVec2>, new, old| {
                    let local = |point| frame.inverse_transform_point(point);
                    (local(new) - local(old)).length_squared()
                };
                let apart = apart(&frames[0], new.position_a, old.position_a).min(apart(
                    &frames[1],
                    new.position_b,
                    old.position_b,
                ));
                let differ = (old.feature_a, old.feature_b) != (new.feature_a, new.feature_b);
                let is_far = apart > within * within;
                if !(is_far && differ) {
                    pairs.push((is_far, differ, apart, to, from));
                }
            }
        }
        pairs.sort_by(|p, q| p.partial_cmp(q).expect("numbers"));
        let mut matched = [None; 2];
        for (.., to, from) in pairs {
            if matched[to].is_none() && !matched.contains(&Some(from)) {
                matched[to] = Some(from);
            }
        }
        matched
    }
}
