//! Which pairs have to be measured again after cells or heights of a body changed.

use std::sync::Arc;

use clearance_gjk::Placed;
use clearance_math::{Aabb, PreciseVector, Vector, compile_once, tolerances};
use clearance_shapes::internal::layout_of;
use clearance_shapes::{HeightPatch, Shape};

use crate::range::inflation;
use crate::{Subject, World, WorldError};

/// What the contacts of a body with bodies away from some edited cells or heights depend on, beside its pose.
pub(crate) fn layout<V: Vector>(placed: Placed<'_, V>) -> impl PartialEq + use<V> {
    let Placed { shape, pose, .. } = placed;
    let rounding = match shape {
        Shape::Composite(composite) => composite.rounding(),
        _ => 0.0,
    };
    (
        shape.as_voxels().map(layout_of),
        [shape.bounding_radius(), rounding],
        shape.limits_within(pose, 0.0),
    )
}

impl<V: Vector> World<V> {
    /// Notes that the chunks of some cells of a body changed, and whether its layout is as before.
    pub(crate) fn mark_cells(&mut self, slot: usize, cells: &[V::Cell], has_same_layout: bool) {
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
}

compile_once! {
    /// Fills cells with an entry of the palette, or empties them: see [`BodyMut::set_cells`](crate::BodyMut::set_cells).
    pub(crate) fn edit_cells<'a, 'c, V>(
        world: &'a mut World<V>,
        slot: usize,
        cells: &'c [V::Cell],
        entry: Option<u8>,
    ) -> Result<(), WorldError> {
        let placed = world.bodies.placed(slot);
        let voxels = placed.as_ref().and_then(|placed| placed.shape.as_voxels());
        let differs =
            |&&cell: &&V::Cell| voxels.is_none_or(|voxels| voxels.cells().tile(cell) != entry);
        let changes: Vec<V::Cell> = cells.iter().filter(differs).copied().collect();
        if changes.is_empty() && !cells.is_empty() {
            return Ok(());
        }
        let before = placed.map(layout);
        let shapes = Arc::make_mut(&mut world.bodies.columns.shapes);
        let edited = shapes.edit(slot, |shape| match entry {
            Some(entry) => shape.set_tiles(cells, entry),
            None => shape.set_cells(cells, false),
        });
        edited.map_err(|error| WorldError::Cells {
            body: Subject::Body(world.bodies.id(slot)),
            error,
        })?;
        let has_same_layout = before == world.bodies.placed(slot).map(layout);
        world.mark_cells(slot, &changes, has_same_layout);
        Ok(())
    }
}

compile_once! {
    /// See [`BodyMut::set_heights`](crate::BodyMut::set_heights).
    pub(crate) fn edit_heights<'a, 'h, V>(
        world: &'a mut World<V>,
        slot: usize,
        patch: HeightPatch<'h>,
    ) -> Result<(), WorldError> {
        let before = world.bodies.placed(slot).map(layout);
        let shapes = Arc::make_mut(&mut world.bodies.columns.shapes);
        let mut changed = None;
        let edited = shapes.edit(slot, |shape| {
            changed = shape.edit_heights(patch)?;
            Ok(())
        });
        edited.map_err(|error| WorldError::Cells {
            body: Subject::Body(world.bodies.id(slot)),
            error,
        })?;
        if let Some(Aabb { min, max }) = changed {
            let has_same_layout = before == world.bodies.placed(slot).map(layout);
            world.mark_edit(slot, [min.to_precise(), max.to_precise()], has_same_layout);
        }
        Ok(())
    }
}
