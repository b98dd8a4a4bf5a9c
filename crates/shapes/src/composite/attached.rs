//! What is attached to parts: a side from which they count, and numbers of the game's.

use std::sync::Arc;

use clearance_math::{Pose, Vector};

use super::{Composite, CompositeKind, Compound, CompoundPart, OneWay};
use crate::shape::own;
use crate::{Shape, ShapeError};

impl<V: Vector> Shape<V> {
    /// The same shape that counts from one side only, such as a platform that is jumped through from below: see [`OneWay`].
    ///
    /// The normal is in the frame of the shape, and turns with its body or in its compound. The shape becomes a compound if
    /// it is none, whose parts have the same numbers. Each part is judged by itself; one that already counts from one side
    /// only stays as it is. Costs as [`Shape::compound`].
    ///
    /// ```
    /// use clearance::dim2::{OneWay, Placed, Pose, Shape, Vec2, contacts_into};
    ///
    /// let up = OneWay { normal: Vec2::Y, depth: 0.0 };
    /// let (plank, ball) = (Shape::cuboid(Vec2::new(2.0, 0.1))?.one_way(up)?, Shape::ball(0.5)?);
    /// let mut found = Vec::new();
    /// for (height, is_met) in [(0.6, true), (0.55, false), (-0.6, false)] {
    ///     let at = Pose::from_translation(Vec2::new(0.0, height));
    ///     contacts_into(Placed::new(&plank, &Pose::IDENTITY), Placed::new(&ball, &at), 0.01, &mut found)?;
    ///     assert_eq!(!found.is_empty(), is_met);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A normal that is not of unit length, a depth that is negative or not finite; a half-space, or a shape with a solid mesh
    /// or a polygon in it.
    #[doc(alias("one_way_platform", "jump_through", "effector"))]
    pub fn one_way(self, side: OneWay<V>) -> Result<Self, ShapeError> {
        side.check()?;
        if self.has_solid() {
            return Err(ShapeError::SolidOnOneSide);
        }
        if let Self::HalfSpace(_) = self {
            let kind = self.kind_name();
            return Err(ShapeError::NotOneWay { kind });
        }
        let (shapes, user_data, side) = match self.as_compound() {
            Some((composite, compound)) => {
                let side = compound.one_way().unwrap_or(side);
                let data = composite.user_data.clone();
                (compound.shapes().to_vec(), data, side)
            }
            None => {
                let pose = Pose::IDENTITY;
                (vec![CompoundPart { shape: self, pose }], None, side)
            }
        };
        let compound = Compound::new(shapes, Some(side))?;
        let composite = Composite::new(CompositeKind::Compound(compound));
        Ok(composite.with_same_data(user_data).into())
    }

    fn as_compound(&self) -> Option<(&Composite<V>, &Compound<V>)> {
        let Self::Composite(composite) = self else {
            return None;
        };
        match composite.kind() {
            CompositeKind::Compound(compound) => Some((composite, compound)),
            _ => None,
        }
    }

    /// The same shape with a number of yours for each part, such as a material: for each shape of a compound, for each
    /// triangle, segment or point of the other composites. [`Shape::part_user_data`] tells it for the part that a contact or a
    /// hit names. Nothing else depends on it, except which of two shapes comes first that are equal otherwise and lie at one
    /// pose. Costs O(n) for n parts.
    ///
    /// ```
    /// use clearance::dim2::{CompoundPart, Placed, Pose, Ray, RayOptions, Shape, Vec2, cast_ray};
    ///
    /// let part = |shape: Shape, x| CompoundPart::new(shape, Pose::from_translation(Vec2::new(x, 0.0)));
    /// let fence = Shape::polyline([Vec2::ZERO, Vec2::X, Vec2::ONE])?.with_part_user_data([5, 6])?;
    /// let robot = Shape::compound([part(Shape::ball(0.5)?, 0.0), part(fence, 2.0)])?.with_part_user_data([1, 2])?;
    /// // The number of the innermost shape that has one counts.
    /// assert_eq!([0, 1, 2].map(|number| robot.part_user_data(number)), [1, 5, 6]);
    /// let ray = Ray::new(Vec2::new(2.5, 3.0), -Vec2::Y)?;
    /// let hit = cast_ray(&ray, Placed::new(&robot, &Pose::IDENTITY), RayOptions::default())?.unwrap();
    /// assert_eq!(robot.part_user_data(hit.part), 5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Another count of numbers; a shape without parts, whose body has user data; voxels, whose [tiles](crate::Tile::user)
    /// have it.
    #[doc(alias("material", "sub_shape", "part_id", "triangle_material"))]
    pub fn with_part_user_data(self, data: impl AsRef<[u64]>) -> Result<Self, ShapeError> {
        let kind = self.kind_name();
        match self {
            Self::Composite(shared) if !matches!(shared.kind(), CompositeKind::Voxels(_)) => {
                own(shared)?.with_user_data(data.as_ref()).map(Self::from)
            }
            _ => Err(ShapeError::NoPartUserData { kind }),
        }
    }

    /// The number that was given to a part: by [`Shape::with_part_user_data`] of the innermost shape that has one other than 0,
    /// or by [`Tile::user`](crate::Tile::user). 0 if there is none, and for shapes without parts. Costs constant time, O(log n)
    /// in a compound of n shapes.
    #[must_use]
    pub fn part_user_data(&self, part: u32) -> u64 {
        match self {
            Self::Composite(composite) => composite.user_data_of(part),
            Self::Convex(_) | Self::HalfSpace(_) => 0,
        }
    }
}

impl<V: Vector> Composite<V> {
    /// The numbers that were given by [`Shape::with_part_user_data`], or none.
    #[must_use]
    pub fn user_data(&self) -> &[u64] {
        self.user_data.as_deref().unwrap_or_default()
    }

    pub(super) fn with_user_data(self, data: &[u64]) -> Result<Self, ShapeError> {
        let places = match &self.kind {
            CompositeKind::Compound(compound) => compound.shapes().len(),
            _ => self.part_count() as usize,
        };
        if data.len() != places {
            return Err(ShapeError::UserDataCount {
                kind: self.kind_name(),
                count: data.len(),
                places,
            });
        }
        let is_some = data.iter().any(|&number| number != 0);
        Ok(self.with_same_data(is_some.then(|| data.into())))
    }

    /// The same with the numbers of a composite that has as many places for them.
    pub(super) fn with_same_data(self, user_data: Option<Arc<[u64]>>) -> Self {
        Self { user_data, ..self }
    }

    /// The number at a place: a part, or a shape of a compound.
    pub(super) fn user_data_at(&self, place: u32) -> u64 {
        self.user_data().get(place as usize).copied().unwrap_or(0)
    }

    fn user_data_of(&self, part: u32) -> u64 {
        match &self.kind {
            CompositeKind::Compound(compound) => compound.member_of(part).map_or(0, |member| {
                let inner = match &member.shape {
                    Shape::Composite(composite) => composite.user_data_of(part - member.first_part),
                    _ => 0,
                };
                let outer = self.user_data_at(member.shape_number);
                let numbers = [inner, member.user_data, outer];
                numbers.into_iter().find(|&number| number != 0).unwrap_or(0)
            }),
            CompositeKind::Voxels(voxels) => voxels.tile(part).map_or(0, |tile| tile.user),
            _ => self.user_data_at(part),
        }
    }
}
