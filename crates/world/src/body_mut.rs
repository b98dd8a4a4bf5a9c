//! A body of the world that is to be changed.

use clearance_math::{Pose, Real, Vector};
use clearance_shapes::internal::bits_of;
use clearance_shapes::{HeightPatch, Shape};

use crate::cell_edits::{edit_cells, edit_heights, layout};
use crate::error::{check_body, check_extra_margin, check_pose};
use crate::{Body, BodyId, BodyKind, BodyRef, Groups, Subject, Velocity, World, WorldError};

/// A body of the world that is to be changed: [`World::body_mut`].
///
/// [`World::body`] and all questions see changes at once, [`World::contacts`] after the next step. To set what is
/// already there changes nothing and costs the next step nothing. A refusal changes nothing.
///
/// ```
/// use clearance::dim2::{Body, Groups, BodyKind, Pose, Shape, Vec2, World};
///
/// let mut world = World::default();
/// let door = world.insert(Body::moving(Shape::cuboid(Vec2::new(0.1, 1.0))?, Pose::IDENTITY))?;
/// let mut body = world.body_mut(door)?;
/// body.set_pose(Pose::from_translation(Vec2::new(3.0, 0.0)))?;
/// body.set_kind(BodyKind::Fixed);
/// body.set_groups(Groups { memberships: 2, ..Groups::ALL });
/// assert_eq!(world.body(door).unwrap().pose().translation(), Vec2::new(3.0, 0.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct BodyMut<'w, V: Vector> {
    world: &'w mut World<V>,
    slot: usize,
}

impl<V: Vector> World<V> {
    /// A body that is to be changed.
    ///
    /// # Errors
    /// A body that is not in this world.
    #[inline]
    pub fn body_mut(&mut self, id: BodyId) -> Result<BodyMut<'_, V>, WorldError> {
        let slot = self.bodies.slot_or_refuse(id)?;
        Ok(BodyMut { world: self, slot })
    }
}

impl<V: Vector> BodyMut<'_, V> {
    fn subject(&self) -> Subject {
        Subject::Body(self.world.bodies.id(self.slot))
    }

    /// The body as it is now.
    #[must_use]
    pub fn view(&self) -> BodyRef<'_, V> {
        match BodyRef::new(&self.world.bodies, self.slot) {
            Some(body) => body,
            None => unreachable!("nobody else removes a body that is to be changed"),
        }
    }

    /// Makes the body all that a description says, or nothing of it: a refusal changes nothing. Rounding that the description
    /// holds ([`Body::residual`]) is not taken over.
    ///
    /// # Errors
    /// What [`World::insert`] refuses.
    pub fn set_all(&mut self, body: Body<V>) -> Result<(), WorldError> {
        let Body {
            shape,
            pose,
            residual: _,
            velocity,
            kind,
            groups,
            extra_margin,
            part_contacts,
            manifolds,
            swept,
            user_data,
        } = check_body(self.subject(), body)?;
        self.set_pose(pose)?;
        self.set_shape(shape);
        self.set_kind(kind);
        self.write_velocity(velocity);
        self.set_groups(groups);
        self.set_extra_margin(extra_margin)?;
        self.set_part_contacts(part_contacts);
        self.set_manifolds(manifolds);
        self.set_swept(swept);
        self.set_user_data(user_data);
        Ok(())
    }

    /// Moves the body to another pose.
    ///
    /// # Errors
    /// A pose that is not finite or whose rotation is not of unit length within 1e-3.
    #[inline]
    pub fn set_pose(&mut self, pose: Pose<V>) -> Result<(), WorldError> {
        self.world
            .bodies
            .set_pose(self.slot, check_pose(self.subject(), pose)?);
        Ok(())
    }

    /// Changes the velocity of the body.
    ///
    /// # Errors
    /// A velocity that is not finite, and a new one other than zero of a fixed body, which would not move by it: let it
    /// move first, by [`BodyMut::set_kind`], or say where it is, by [`BodyMut::set_pose`].
    pub fn set_velocity(&mut self, velocity: Velocity<V>) -> Result<(), WorldError> {
        let velocity = self.world.check_velocity_of(self.slot, velocity)?;
        self.write_velocity(velocity);
        Ok(())
    }

    pub(crate) fn write_velocity(&mut self, velocity: Velocity<V>) {
        let present = &mut self.world.bodies.columns.velocities[self.slot];
        if !present.has_same_bits(&velocity) {
            *present = velocity;
            self.world.filter_may_see(self.slot);
        }
    }

    /// Changes the number that is attached to the body: see [`Body::user_data`].
    pub fn set_user_data(&mut self, user_data: u64) {
        if self.world.bodies.columns.user_data.get(self.slot) != user_data {
            self.world
                .bodies
                .columns
                .user_data
                .set(self.slot, user_data);
            self.world.filter_may_see(self.slot);
        }
    }

    /// Changes the shape of the body. A copy of the present shape whose cells were edited costs as [`BodyMut::set_cells`], also if
    /// both were scaled in the same way.
    pub fn set_shape(&mut self, shape: Shape<V>) {
        let present = self.world.bodies.columns.shapes[self.slot].as_ref();
        let edited = present.and_then(|present| {
            let (before, voxels) = (present.as_voxels()?, shape.as_voxels()?);
            voxels.edited_since(before)
        });
        if let Some(cells) = edited {
            if !cells.is_empty() {
                let before = self.world.bodies.placed(self.slot).map(layout);
                self.world.bodies.columns.set_shape(self.slot, Some(shape));
                let has_same_layout = before == self.world.bodies.placed(self.slot).map(layout);
                // Each chunk has its own box: one around those of far edits would hold what is between them.
                for cell in cells {
                    self.world.mark_cells(self.slot, &[cell], has_same_layout);
                }
            }
        } else if !present.is_some_and(|present| have_same_bits(present, &shape)) {
            self.world.bodies.columns.set_shape(self.slot, Some(shape));
            self.world.bodies.mark_changed(self.slot);
        }
    }

    /// Fills or empties cells of the body, if its shape is [voxels](Shape::voxels): digs and builds. The next step has the contacts
    /// and events.
    ///
    /// Cells are counted in the frame of the body. Snapshots, and other bodies with the same shape, keep theirs; what is not
    /// changed is shared with them, in chunks of 4,096 cells. Costs as [`Shape::set_cells`]. The next step measures the pairs of
    /// what is near the chunks of the cells, or all of the body if there is a new chunk, its box is another one, or there is a
    /// [pair filter](World::set_pair_filter).
    ///
    /// ```
    /// use clearance::dim2::{Body, Cells, IVec2, Options, Pose, Shape, Vec2, World};
    ///
    /// let mut cells = Cells::new();
    /// cells.set_box(IVec2::new(0, 0), IVec2::new(99, 9), true)?;
    /// let mut world = World::new(Options::default())?;
    /// let ground = world.insert(Body::fixed(Shape::voxels_of(Vec2::ONE, cells)?, Pose::IDENTITY))?;
    /// let ball = Pose::from_translation(Vec2::new(50.5, 10.25));
    /// world.insert(Body::moving(Shape::ball(0.25)?, ball))?;
    /// world.step(0.0)?;
    /// assert_eq!(world.contacts().len(), 1);
    /// world.body_mut(ground)?.set_cells([IVec2::new(50, 9)], false)?;
    /// world.step(0.0)?;
    /// assert!(world.contacts().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A body of another shape; cells too far or in too many chunks.
    pub fn set_cells(
        &mut self,
        cells: impl AsRef<[V::Cell]>,
        filled: bool,
    ) -> Result<(), WorldError> {
        let entry = filled.then_some(0);
        edit_cells(self.world, self.slot, cells.as_ref(), entry)
    }

    /// Fills cells with an entry of the palette of the body, if its shape is [tiles](Shape::tiles_of): k is tile k - 1, and 0 the
    /// whole cell. All else as [`BodyMut::set_cells`].
    ///
    /// # Errors
    /// Those of [`BodyMut::set_cells`]; an entry that the palette does not have.
    pub fn set_tiles(&mut self, cells: impl AsRef<[V::Cell]>, entry: u8) -> Result<(), WorldError> {
        edit_cells(self.world, self.slot, cells.as_ref(), Some(entry))
    }

    /// Changes a block of the heights of the body, if its shape is a [height field](Shape::height_field), as a bulldozer or a
    /// brush of an editor does. The next step has the contacts and events.
    ///
    /// Snapshots, and other bodies with the same shape, keep theirs. Costs as [`Shape::set_heights`], with a copy of the field
    /// if a snapshot or another body has it, too. The next step measures the pairs of what is near a square around the
    /// block, which is the larger, the more of the field has another least or greatest height now; or all of the body if
    /// its box or the greatest [rounding](clearance_shapes::Composite::rounding) of its heights is another one, or
    /// there is a [pair filter](World::set_pair_filter).
    ///
    /// ```
    /// use clearance::dim3::{Body, HeightPatch, Options, Pose, Shape, Vec3, World};
    ///
    /// let mut world = World::new(Options::default())?;
    /// let field = Shape::height_field([0.0; 2500], 50, Vec3::new(49.0, 1.0, 49.0))?;
    /// let ground = world.insert(Body::fixed(field, Pose::IDENTITY))?;
    /// let ball = Pose::from_translation(Vec3::new(0.0, 0.25, 0.0));
    /// world.insert(Body::moving(Shape::ball(0.25)?, ball))?;
    /// world.step(0.0)?;
    /// assert_eq!(world.contacts().len(), 1);
    /// let hole = HeightPatch { row: 23, column: 23, columns: 4, heights: &[-1.0; 16] };
    /// world.body_mut(ground)?.set_heights(hole)?;
    /// world.step(0.0)?;
    /// assert!(world.contacts().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Shape::set_heights`]. Then nothing has changed.
    #[doc(alias("deform", "terrain", "dig"))]
    pub fn set_heights(&mut self, patch: HeightPatch<'_>) -> Result<(), WorldError> {
        edit_heights(self.world, self.slot, patch)
    }

    /// Changes the groups of the body.
    pub fn set_groups(&mut self, groups: Groups) {
        self.world.bodies.set_groups(self.slot, groups);
    }

    /// Makes the body fixed or moving. Its velocity is kept, and not applied while it is fixed.
    pub fn set_kind(&mut self, kind: BodyKind) {
        self.world.bodies.set_kind(self.slot, kind);
    }

    /// Changes what is added to the world's margin for the contacts of the body.
    ///
    /// # Errors
    /// A value that is negative, NaN or infinite.
    pub fn set_extra_margin(&mut self, extra: Real) -> Result<(), WorldError> {
        let extra = check_extra_margin(self.subject(), extra)?;
        let bodies = &mut self.world.bodies;
        if bodies.columns.extra_margins.set(self.slot, extra) {
            bodies.mark_changed(self.slot);
        }
        Ok(())
    }

    /// Changes whether the pairs of the body give the contacts of their parts, from the next step on:
    /// see [`World::part_contacts`].
    pub fn set_part_contacts(&mut self, are_wanted: bool) {
        let bodies = &mut self.world.bodies;
        if bodies.columns.part_contacts.set(self.slot, are_wanted) {
            bodies.mark_changed(self.slot);
        }
    }

    /// Changes whether steps find the contact manifolds of the pairs of the body, from the next step on: see
    /// [`World::manifolds`].
    pub fn set_manifolds(&mut self, are_wanted: bool) {
        let bodies = &mut self.world.bodies;
        if bodies.columns.manifolds.set(self.slot, are_wanted) {
            bodies.mark_changed(self.slot);
        }
    }

    /// Changes whether a step looks at the whole way of the body, from the next step on: see
    /// [`World::impacts`].
    #[doc(alias("ccd", "enable_ccd"))]
    pub fn set_swept(&mut self, is_swept: bool) {
        if self.world.bodies.columns.swept.set(self.slot, is_swept) {
            self.world.filter_may_see(self.slot);
        }
    }
}

/// Whether two shapes are equal to the last bit: zeros of both signs differ, as answers may.
fn have_same_bits<V: Vector>(a: &Shape<V>, b: &Shape<V>) -> bool {
    // The first comparison is fast, and most shapes that are set differ from those that were there.
    a == b && bits_of(a) == bits_of(b)
}
