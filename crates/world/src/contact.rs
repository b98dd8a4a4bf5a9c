//! What a step reports about a pair of bodies.

use clearance_gjk::Separation;
use clearance_math::internal::MapEach;
use clearance_math::{Real, Vector};

use crate::{BodyId, BodyPair};

/// Two bodies that are no farther apart than their margins allow; `a < b`.
///
/// Two half-spaces that overlap without bound make a contact too: see [`Contact::is_unbounded`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Contact<V: Vector> {
    /// The body with the smaller id.
    pub a: BodyId,
    /// The body with the larger id.
    pub b: BodyId,
    /// Signed distance with its bounds, the closest points and the normal from a to b.
    pub separation: Separation<V>,
}

impl<V: Vector> Contact<V> {
    /// The signed distance: the gap if positive, the negated penetration depth if negative.
    #[inline]
    #[must_use]
    pub fn distance(&self) -> Real {
        self.separation.distance
    }

    /// The two bodies.
    #[inline]
    #[must_use]
    pub fn pair(&self) -> BodyPair {
        BodyPair {
            a: self.a,
            b: self.b,
        }
    }

    /// Whether the two bodies are half-spaces that overlap without bound, so that there is no depth.
    ///
    /// Then the distance and its bounds are minus infinity, the normal is the outward normal of a,
    /// and each point is the one of the body's boundary plane that is nearest to the body's origin.
    #[must_use]
    pub fn is_unbounded(&self) -> bool {
        self.separation.upper == Real::NEG_INFINITY
    }

    /// What part contacts are sorted by.
    pub(crate) fn key_of_parts(&self) -> (u32, u32, u32, u32) {
        let separation = &self.separation;
        let [a, b] = [self.a, self.b].map_each(|id| id.index());
        (a, b, separation.part_a, separation.part_b)
    }

    /// The contact as `body` sees it, or `None` if `body` is not one of the two.
    ///
    /// ```
    /// use clearance::dim2::{Body, Options, Pose, Shape, Vec2, World};
    ///
    /// let mut world = World::new(Options::default())?;
    /// let floor = Body::fixed(Shape::half_space(Vec2::Y)?, Pose::IDENTITY);
    /// let ball = Body::moving(Shape::ball(0.5)?, Pose::from_translation(Vec2::new(2.0, 0.25)));
    /// let (floor, ball) = (world.insert(floor)?, world.insert(ball)?);
    /// world.step(0.0)?;
    /// let view = world.contacts()[0].seen_from(ball).ok_or("the ball touches the floor")?;
    /// assert_eq!((view.other, view.distance, view.normal), (floor, -0.25, -Vec2::Y));
    /// // Out of the floor: against the normal, by the depth.
    /// let pose = world.body(ball)?.pose();
    /// let out = pose.moved_by(view.normal * view.distance);
    /// assert_eq!(out.translation(), Vec2::new(2.0, 0.5));
    /// assert_eq!(view.point(), Vec2::new(2.0, -0.25));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn seen_from(&self, body: BodyId) -> Option<ContactView<V>> {
        let other = self.other(body)?;
        let separation = if body == self.a {
            self.separation
        } else {
            self.separation.flipped()
        };
        Some(ContactView {
            body,
            other,
            distance: separation.distance,
            normal: separation.normal,
            position: separation.position_a,
            other_position: separation.position_b,
            part: separation.part_a,
            other_part: separation.part_b,
        })
    }

    /// The other body of the contact, or `None` if `body` is not one of the two.
    #[must_use]
    pub fn other(&self, body: BodyId) -> Option<BodyId> {
        if body == self.a {
            Some(self.b)
        } else if body == self.b {
            Some(self.a)
        } else {
            None
        }
    }
}

/// Both ids, the distance with its bounds, the normal, and how the distance was found.
impl<V: Vector> core::fmt::Display for Contact<V> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { a, b, separation } = self;
        let Separation {
            distance,
            lower,
            upper,
            normal,
            status,
            ..
        } = separation;
        write!(
            f,
            "{a} and {b}: distance {distance} (from {lower} to {upper}), normal {normal}, {status}"
        )
    }
}

/// A contact as one of its two bodies sees it: see [`Contact::seen_from`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ContactView<V: Vector> {
    /// The body that looks.
    pub body: BodyId,
    /// The body that it sees.
    pub other: BodyId,
    /// The gap if positive, the negated penetration depth if negative; in units of length.
    pub distance: Real,
    /// Unit vector from the body to the other: moving the other along it increases the distance.
    pub normal: V,
    /// The point of the body that is nearest to the other, or deepest inside it, in the frame of the world, in double
    /// precision.
    pub position: V::Precise,
    /// The point of the other that is nearest to the body, or deepest inside it.
    pub other_position: V::Precise,
    /// The number of the body's part at the point: see
    /// [`Composite`](clearance_shapes::Composite). Zero if its shape is no composite.
    pub part: u32,
    /// The number of the other's part at its point.
    pub other_part: u32,
}

impl<V: Vector> ContactView<V> {
    /// The point of the body that is nearest to the other, or deepest inside it, rounded to single precision.
    #[must_use]
    pub fn point(&self) -> V {
        V::from_precise(self.position)
    }

    /// The point of the other that is nearest to the body, or deepest inside it, rounded to single precision.
    #[must_use]
    pub fn other_point(&self) -> V {
        V::from_precise(self.other_position)
    }
}
