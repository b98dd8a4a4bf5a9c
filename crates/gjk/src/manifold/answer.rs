//! What a manifold is, and what is asked for one.

use core::ops::{Deref, DerefMut};

use clearance_math::{PreciseVector, Real, Vector};

use super::feature::Feature;
use crate::answer::{Separation, Status};
use crate::pair::{Exchange, Mirrored};

/// The most points of a manifold in space.
pub(super) const MOST_POINTS: usize = 4;

/// A point of a contact manifold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ManifoldPoint<V: Vector> {
    /// The signed distance of the two surfaces here, along the normal, in your unit of length.
    pub distance: Real,
    /// The point on the surface of a, in the frame of the world, in double precision; [`ManifoldPoint::point_a`] gives it in
    /// single precision.
    pub position_a: V::Precise,
    /// The point on the surface of b. It equals `position_a + distance * normal` up to rounding.
    pub position_b: V::Precise,
    /// What the point is on a.
    pub feature_a: Feature,
    /// What the point is on b.
    pub feature_b: Feature,
}

/// Where two shapes in canonical order touch, and what they are there.
#[derive(Clone, Copy)]
pub(super) struct Touch<P> {
    pub(super) on: [P; 2],
    pub(super) features: [Feature; 2],
}

impl<V: Vector> ManifoldPoint<V> {
    /// The point on the surface of a, in the frame of the world, rounded to single precision.
    #[must_use]
    pub fn point_a(&self) -> V {
        V::from_precise(self.position_a)
    }

    /// The point on the surface of b, in the frame of the world, rounded to single precision.
    #[must_use]
    pub fn point_b(&self) -> V {
        V::from_precise(self.position_b)
    }

    /// The point in the order of the question, from one found in canonical order.
    #[inline(always)]
    pub(super) fn new(distance: Real, touch: Touch<V::Precise>, exchange: Exchange) -> Self {
        let [position_a, position_b] = exchange.sides(touch.on);
        let [feature_a, feature_b] = exchange.sides(touch.features);
        Self {
            distance,
            position_a,
            position_b,
            feature_a,
            feature_b,
        }
    }
}

/// The region in which two convex shapes touch or face each other, as a few points.
#[derive(Clone, Debug, PartialEq)]
pub struct Manifold<V: Vector> {
    /// The answer of [`proximity`](crate::proximity). Its normal is that of all points.
    pub separation: Separation<V>,
    pub(super) points: Points<V>,
}

/// The points of a manifold. They are filled where they stay: a whole list that was just written number by number takes
/// longer to move than to make.
#[derive(Clone, Copy)]
pub(super) struct Points<V: Vector> {
    room: V::TouchingPoints<ManifoldPoint<V>>,
    count: u8,
}

impl<V: Vector> Points<V> {
    #[inline(always)]
    fn none() -> Self {
        Self {
            room: V::touching_points(ManifoldPoint {
                distance: 0.0,
                position_a: V::Precise::ZERO,
                position_b: V::Precise::ZERO,
                feature_a: Feature::Face(0),
                feature_b: Feature::Face(0),
            }),
            count: 0,
        }
    }

    pub(super) fn clear(&mut self) {
        self.count = 0;
    }

    #[inline(always)]
    pub(super) fn push(&mut self, point: ManifoldPoint<V>) {
        self.room.as_mut()[usize::from(self.count)] = point;
        self.count += 1;
    }
}

impl<V: Vector> Deref for Points<V> {
    type Target = [ManifoldPoint<V>];

    #[inline(always)]
    fn deref(&self) -> &Self::Target {
        &self.room.as_ref()[..usize::from(self.count)]
    }
}

impl<V: Vector> DerefMut for Points<V> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.room.as_mut()[..usize::from(self.count)]
    }
}

impl<V: Vector> PartialEq for Points<V> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<V: Vector> core::fmt::Debug for Points<V> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        (**self).fmt(f)
    }
}

impl<V: Vector> Manifold<V> {
    /// What is no manifold yet: it has no point.
    #[inline(always)]
    pub(crate) fn none() -> Self {
        let separation = Separation {
            distance: 0.0,
            lower: 0.0,
            upper: 0.0,
            normal: V::ZERO,
            position_a: V::Precise::ZERO,
            position_b: V::Precise::ZERO,
            part_a: 0,
            part_b: 0,
            status: Status::Exact,
        };
        let points = Points::none();
        Self { separation, points }
    }

    /// Becomes none.
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.points.clear();
    }

    /// The manifold, if it is one.
    #[inline]
    pub(crate) fn found(&self) -> Option<&Self> {
        (self.points.count > 0).then_some(self)
    }

    /// Becomes the manifold of two shapes that touch in one point: their closest points, which have these features.
    #[inline(always)]
    pub(crate) fn set_one_point(
        &mut self,
        near: Separation<V>,
        [feature_a, feature_b]: [Feature; 2],
    ) {
        self.begin(near);
        // Not from the manifold: a processor would have to wait for numbers that were just written one by one.
        self.points.push(ManifoldPoint {
            distance: near.distance,
            position_a: near.position_a,
            position_b: near.position_b,
            feature_a,
            feature_b,
        });
    }

    /// Becomes one without points, of shapes whose distance is `near`, in the order of the question.
    #[inline(always)]
    pub(crate) fn begin(&mut self, near: Separation<V>) {
        self.separation = near;
        self.points.clear();
    }

    /// A manifold that was stored; `None` for more points than there can be, and for none.
    #[must_use]
    pub fn from_points(separation: Separation<V>, points: &[ManifoldPoint<V>]) -> Option<Self> {
        let most = 2 * V::DIM - 2;
        (1..=most).contains(&points.len()).then(|| {
            let mut manifold = Self::none();
            manifold.begin(separation);
            points.iter().for_each(|&point| manifold.points.push(point));
            manifold
        })
    }

    /// The points, sorted by what they are on the two shapes: at least one, at most two in 2D and four in 3D.
    #[must_use]
    pub fn points(&self) -> &[ManifoldPoint<V>] {
        &self.points
    }

    /// The unit vector from a to b along which the distances of all points are measured.
    #[must_use]
    pub fn normal(&self) -> V {
        self.separation.normal
    }

    /// Becomes that of the shapes moved by an offset.
    pub(crate) fn move_by(&mut self, offset: V::Precise) {
        self.separation = self.separation.moved_by(offset);
        for point in self.points.iter_mut() {
            point.position_a += offset;
            point.position_b += offset;
        }
    }

    /// The manifold with a and b exchanged; the points keep their order.
    #[must_use]
    pub fn flipped(mut self) -> Self {
        self.flip();
        self
    }

    fn flip(&mut self) {
        self.separation = self.separation.flipped();
        for point in self.points.iter_mut() {
            *point = ManifoldPoint {
                position_a: point.position_b,
                position_b: point.position_a,
                feature_a: point.feature_b,
                feature_b: point.feature_a,
                ..*point
            };
        }
    }
}

/// What is asked about two shapes in canonical order.
#[derive(Clone, Copy)]
pub(crate) struct ManifoldQuestion {
    /// How far apart points may be.
    pub(crate) within: Real,
    /// The way to the order of the question, which is that of the manifold.
    pub(crate) exchange: Exchange,
}

/// Mirrored where it is.
impl<V: Vector> Mirrored for &mut Manifold<V> {
    fn mirrored(self) -> Self {
        self.flip();
        self
    }
}

impl<V: Vector> Mirrored for Manifold<V> {
    fn mirrored(self) -> Self {
        self.flipped()
    }
}
