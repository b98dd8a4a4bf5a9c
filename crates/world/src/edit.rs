//! Inserting, removing and changing bodies.

use std::sync::Arc;

use clearance_gjk::Placed;
use clearance_math::{Aabb, Pose, PreciseVector, Real, Vector, compile_once, tolerances};
use clearance_shapes::{HeightPatch, Shape, Voxels};

use crate::error::{check_body, check_extra_margin, check_pose, check_velocity};
use crate::range::inflation;
use crate::{Body, BodyId, BodyPose, Groups, Kind, Subject, Velocity, World, WorldError};

/// What the contacts of a body with bodies away from some edited cells or heights depend on, beside its pose.
fn layout<V: Vector>(placed: Placed<'_, V>) -> impl PartialEq + use<V> {
    let Placed { shape, pose, .. } = placed;
    let rounding = match shape {
        Shape::Composite(composite) => composite.rounding(),
        _ => 0.0,
    };
    (
        shape.as_voxels().map(Voxels::layout),
        [shape.bounding_radius(), rounding],
        shape.limits_within(pose, 0.0),
    )
}

/// [`World::get`] shows changes at once, [`World::contacts`] after the next step. To set what is already
/// there changes nothing and costs the next step nothing.
impl<V: Vector> World<V> {
    /// Adds a body, in the lowest vacant slot: worlds with the same history give out the same ids.
    ///
    /// # Errors
    /// A pose, velocity or extra margin that is not valid, or a world that is full.
    pub fn insert(&mut self, body: Body<V>) -> Result<BodyId, WorldError> {
        insert(self, body)
    }

    fn insert_generic(&mut self, body: Body<V>) -> Result<BodyId, WorldError> {
        self.bodies.insert(check_body(Subject::New, body)?)
    }

    /// Moves a body to another pose.
    ///
    /// # Errors
    /// A body that is not in this world; a pose that is not finite or whose rotation is not of
    /// unit length within 1e-3.
    pub fn set_pose(&mut self, id: BodyId, pose: Pose<V>) -> Result<(), WorldError> {
        let slot = self.bodies.slot_or_refuse(id)?;
        self.bodies
            .set_pose(slot, check_pose(Subject::Body(id), pose)?);
        Ok(())
    }

    /// Moves many bodies to other poses, all of them or none: a refusal changes nothing.
    ///
    /// If a body is named more than once, the last of its poses counts.
    ///
    /// # Errors
    /// The first body that is not in this world, or whose pose is not valid: see
    /// [`World::set_pose`].
    pub fn set_poses(&mut self, poses: &[BodyPose<V>]) -> Result<(), WorldError> {
        set_poses(self, poses)
    }

    fn set_poses_generic(&mut self, poses: &[BodyPose<V>]) -> Result<(), WorldError> {
        for &BodyPose { body, pose } in poses {
            self.bodies.slot_or_refuse(body)?;
            check_pose(Subject::Body(body), pose)?;
        }
        poses
            .iter()
            .try_for_each(|&BodyPose { body, pose }| self.set_pose(body, pose))
    }

    /// Changes the velocity of a body.
    ///
    /// # Errors
    /// A body that is not in this world; a velocity that is not finite.
    pub fn set_velocity(&mut self, id: BodyId, velocity: Velocity<V>) -> Result<(), WorldError> {
        let slot = self.bodies.slot_or_refuse(id)?;
        let velocity = check_velocity(Subject::Body(id), velocity)?;
        if !self.bodies.columns.velocities[slot].has_same_bits(&velocity) {
            self.bodies.columns.velocities[slot] = velocity;
            self.filter_may_see(slot);
        }
        Ok(())
    }

    /// Changes the number that is attached to a body: see [`Body::user_data`].
    ///
    /// # Errors
    /// A body that is not in this world.
    pub fn set_user_data(&mut self, id: BodyId, user_data: u64) -> Result<(), WorldError> {
        let slot = self.bodies.slot_or_refuse(id)?;
        if self.bodies.columns.user_data.get(slot) != user_data {
            self.bodies.columns.user_data.set(slot, user_data);
            self.filter_may_see(slot);
        }
        Ok(())
    }

    /// Changes the shape of a body. A copy of the present shape whose cells were edited costs as [`World::set_cells`], also if
    /// both were scaled in the same way.
    ///
    /// # Errors
    /// A body that is not in this world.
    pub fn set_shape(&mut self, id: BodyId, shape: Shape<V>) -> Result<(), WorldError> {
        let slot = self.bodies.slot_or_refuse(id)?;
        let present = self.bodies.columns.shapes[slot].as_ref();
        let edited = present.and_then(|present| {
            let (before, voxels) = (present.as_voxels()?, shape.as_voxels()?);
            voxels.edited_since(before)
        });
        if let Some(cells) = edited {
            if !cells.is_empty() {
                let before = self.bodies.placed(slot).map(layout);
                self.bodies.columns.set_shape(slot, Some(shape));
                let has_same_layout = before == self.bodies.placed(slot).map(layout);
                // Each chunk has its own box: one around those of far edits would hold what is between them.
                for cell in cells {
                    self.mark_cells(slot, &[cell], has_same_layout);
                }
            }
        } else if !present.is_some_and(|present| have_same_bits(present, &shape)) {
            self.bodies.columns.set_shape(slot, Some(shape));
            self.bodies.mark_changed(slot);
        }
        Ok(())
    }

    /// Fills or empties cells of a body whose shape is [voxels](Shape::voxels): digs and builds. The next step has the contacts
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
    /// world.set_cells(ground, [IVec2::new(50, 9)], false)?;
    /// world.step(0.0)?;
    /// assert!(world.contacts().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A body that is not in this world, or of another shape; no cells left; cells too far or in too many chunks.
    pub fn set_cells(
        &mut self,
        id: BodyId,
        cells: impl AsRef<[V::Cell]>,
        filled: bool,
    ) -> Result<(), WorldError> {
        let entry = filled.then_some(0);
        edit_cells(self, id, cells.as_ref(), entry)
    }

    /// Fills cells with an entry of the palette of a body whose shape is [tiles](Shape::tiles_of): k is tile k - 1, and 0 the
    /// whole cell. All else as [`World::set_cells`].
    ///
    /// # Errors
    /// Those of [`World::set_cells`]; an entry that the palette does not have.
    pub fn set_tiles(
        &mut self,
        id: BodyId,
        cells: impl AsRef<[V::Cell]>,
        entry: u8,
    ) -> Result<(), WorldError> {
        edit_cells(self, id, cells.as_ref(), Some(entry))
    }

    /// Fills cells with an entry of the palette, or empties them.
    fn edit_cells_generic(
        &mut self,
        id: BodyId,
        cells: &[V::Cell],
        entry: Option<u8>,
    ) -> Result<(), WorldError> {
        let slot = self.bodies.slot_or_refuse(id)?;
        let placed = self.bodies.placed(slot);
        let voxels = placed.as_ref().and_then(|placed| placed.shape.as_voxels());
        let differs =
            |&&cell: &&V::Cell| voxels.is_none_or(|voxels| voxels.cells().tile(cell) != entry);
        let changes: Vec<V::Cell> = cells.iter().filter(differs).copied().collect();
        if changes.is_empty() && !cells.is_empty() {
            return Ok(());
        }
        let before = placed.map(layout);
        let shapes = Arc::make_mut(&mut self.bodies.columns.shapes);
        let edited = shapes.edit(slot, |shape| match entry {
            Some(entry) => shape.set_tiles(cells, entry),
            None => shape.set_cells(cells, false),
        });
        edited.map_err(|error| WorldError::Cells {
            body: Subject::Body(id),
            error,
        })?;
        let has_same_layout = before == self.bodies.placed(slot).map(layout);
        self.mark_cells(slot, &changes, has_same_layout);
        Ok(())
    }

    /// Changes a block of the heights of a body whose shape is a [height field](Shape::height_field), as a bulldozer or a
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
    /// world.set_heights(ground, HeightPatch { row: 23, column: 23, columns: 4, heights: &[-1.0; 16] })?;
    /// world.step(0.0)?;
    /// assert!(world.contacts().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A body that is not in this world; those of [`Shape::set_heights`]. Then nothing has changed.
    #[doc(alias("deform", "terrain", "dig"))]
    pub fn set_heights(&mut self, id: BodyId, patch: HeightPatch<'_>) -> Result<(), WorldError> {
        edit_heights(self, id, patch)
    }

    fn edit_heights_generic(
        &mut self,
        id: BodyId,
        patch: HeightPatch<'_>,
    ) -> Result<(), WorldError> {
        let slot = self.bodies.slot_or_refuse(id)?;
        let before = self.bodies.placed(slot).map(layout);
        let shapes = Arc::make_mut(&mut self.bodies.columns.shapes);
        let mut changed = None;
        let edited = shapes.edit(slot, |shape| {
            changed = shape.edit_heights(patch)?;
            Ok(())
        });
        edited.map_err(|error| WorldError::Cells {
            body: Subject::Body(id),
            error,
        })?;
        if let Some(Aabb { min, max }) = changed {
            let has_same_layout = before == self.bodies.placed(slot).map(layout);
            self.mark_edit(slot, [min.to_precise(), max.to_precise()], has_same_layout);
        }
        Ok(())
    }

    /// Notes that the chunks of some cells of a body changed, and whether its layout is as before.
    fn mark_cells(&mut self, slot: usize, cells: &[V::Cell], has_same_layout: bool) {
        let placed = self.bodies.placed(slot);
        let voxels = placed.as_ref().and_then(|placed| placed.shape.as_voxels());
        if let Some(voxels) = voxels.filter(|_| !cells.is_empty()) {
            let limits = voxels.limits_of_chunks(cells);
            self.mark_edit(slot, limits, has_same_layout);
        }
    }

    /// Notes that a body changed within a box of its frame, and whether its layout is as before.
    fn mark_edit(&mut self, slot: usize, limits: [V::Precise; 2], has_same_layout: bool) {
        if self.bodies.is_wholly_changed(slot) {
            return;
        }
        // A filter may look at the shape.
        let is_inner = has_same_layout && !self.pair_filter.is_set();
        match self.limits_of_edit(slot, limits) {
            Some(limits) if is_inner => {
                let mut near = self.unchanged_in_box(limits);
                near.retain(|&other| other as usize != slot);
                self.bodies.mark_edited(slot, &near);
            }
            _ => self.bodies.mark_changed(slot),
        }
    }

    /// The corners of a box around the range of all places where contacts may depend on a box in the frame of a body that was
    /// edited: that of all nodes which others have in common with what was.
    fn limits_of_edit(&self, slot: usize, [low, high]: [V::Precise; 2]) -> Option<[V::Precise; 2]> {
        let Placed { pose, .. } = self.bodies.placed(slot)?;
        // The boxes of other bodies are inflated by their parts of the range.
        let inflation = inflation(self.margin, self.bodies.columns.extra_margins[slot]);
        let corner = |bits: usize| {
            let of_axis =
                |axis: usize| if bits >> axis & 1 == 0 { low } else { high }.component(axis);
            pose.transform_position(V::Precise::from_fn(of_axis))
        };
        let mut ends = [corner(0); 2];
        for corner in (1..1 << V::DIM).map(corner) {
            ends = [ends[0].min(corner), ends[1].max(corner)];
        }
        let room = V::Precise::splat(inflation + tolerances::EDIT_ROUNDING * (high - low).length());
        Some([ends[0] - room, ends[1] + room])
    }

    /// Changes the groups of a body.
    ///
    /// # Errors
    /// A body that is not in this world.
    pub fn set_groups(&mut self, id: BodyId, groups: Groups) -> Result<(), WorldError> {
        let slot = self.bodies.slot_or_refuse(id)?;
        self.bodies.set_groups(slot, groups);
        Ok(())
    }

    /// Makes a body fixed or moving; its velocity is kept.
    ///
    /// # Errors
    /// A body that is not in this world.
    pub fn set_kind(&mut self, id: BodyId, kind: Kind) -> Result<(), WorldError> {
        let slot = self.bodies.slot_or_refuse(id)?;
        self.bodies.set_kind(slot, kind);
        Ok(())
    }

    /// Changes what is added to the world's margin for the contacts of a body.
    ///
    /// # Errors
    /// A body that is not in this world; a value that is negative, NaN or infinite.
    pub fn set_extra_margin(&mut self, id: BodyId, extra: Real) -> Result<(), WorldError> {
        let slot = self.bodies.slot_or_refuse(id)?;
        let extra = check_extra_margin(Subject::Body(id), extra)?;
        if self.bodies.columns.extra_margins[slot] != extra {
            self.bodies.columns.extra_margins.set(slot, extra);
            self.bodies.mark_changed(slot);
        }
        Ok(())
    }

    /// Changes whether the pairs of a body give the contacts of their parts, from the next step on:
    /// see [`World::part_contacts`].
    ///
    /// # Errors
    /// A body that is not in this world.
    pub fn set_part_contacts(&mut self, id: BodyId, are_wanted: bool) -> Result<(), WorldError> {
        let slot = self.bodies.slot_or_refuse(id)?;
        if self.bodies.columns.part_contacts[slot] != are_wanted {
            self.bodies.columns.part_contacts.set(slot, are_wanted);
            self.bodies.mark_changed(slot);
        }
        Ok(())
    }

    /// Changes whether steps find the contact manifolds of the pairs of a body, from the next step on: see
    /// [`World::step_manifolds`].
    ///
    /// # Errors
    /// A body that is not in this world.
    pub fn set_manifolds(&mut self, id: BodyId, are_wanted: bool) -> Result<(), WorldError> {
        let slot = self.bodies.slot_or_refuse(id)?;
        if self.bodies.columns.manifolds[slot] != are_wanted {
            self.bodies.columns.manifolds.set(slot, are_wanted);
            self.bodies.mark_changed(slot);
        }
        Ok(())
    }

    /// Changes whether a step looks at the whole way of a body, from the next step on: see
    /// [`World::impacts`].
    ///
    /// # Errors
    /// A body that is not in this world.
    #[doc(alias("ccd", "enable_ccd"))]
    pub fn set_swept(&mut self, id: BodyId, is_swept: bool) -> Result<(), WorldError> {
        let slot = self.bodies.slot_or_refuse(id)?;
        if self.bodies.columns.swept[slot] != is_swept {
            self.bodies.columns.swept.set(slot, is_swept);
            self.filter_may_see(slot);
        }
        Ok(())
    }
}

/// Whether two shapes are equal to the last bit: zeros of both signs differ, as answers may.
fn have_same_bits<V: Vector>(a: &Shape<V>, b: &Shape<V>) -> bool {
    // The first comparison is fast, and most shapes that are set differ from those that were there.
    a == b && a.bits() == b.bits()
}

compile_once! {
    fn edit_cells<'a, 'c, V>(
        world: &'a mut World<V>,
        id: BodyId,
        cells: &'c [V::Cell],
        entry: Option<u8>,
    ) -> Result<(), WorldError> {
        world.edit_cells_generic(id, cells, entry)
    }
}

compile_once! {
    fn edit_heights<'a, 'h, V>(
        world: &'a mut World<V>,
        id: BodyId,
        patch: HeightPatch<'h>,
    ) -> Result<(), WorldError> {
        world.edit_heights_generic(id, patch)
    }
}

compile_once! {
    fn insert<'a, V>(world: &'a mut World<V>, body: Body<V>) -> Result<BodyId, WorldError> {
        world.insert_generic(body)
    }
}

compile_once! {
    fn set_poses<'a, V>(
        world: &'a mut World<V>,
        poses: &'a [BodyPose<V>],
    ) -> Result<(), WorldError> {
        world.set_poses_generic(poses)
    }
}
