//! Shapes that only space has.

use clearance::dim3::HeightPatch;

use super::dim::access::{change, make, shape};
use super::dim::shapes::{vector, vectors};
use super::dim::{ConstShapeHandle, ShapeHandle, WorldHandle};
use super::only::engine;
use crate::border::{In, Out, Outcome, Status, calls, rows};
use crate::common::id_of;

rows! {
    /// A block of the heights of a height field.
    struct HeightBlock {
        row: u32 = "The row of the field in which its first height is.",
        column: u32 = "The column of the field in which its first height is.",
        columns: u32 = "How many heights each of its rows has.",
        rows: u32 = "How many rows it has.",
        heights: In<f32> = "The heights, row by row, before they are scaled. NaN stands for a missing height.",
    }
}

impl HeightBlock {
    fn read(&self) -> Outcome<HeightPatch<'_>> {
        let count = (self.columns as usize).saturating_mul(self.rows as usize);
        Ok(HeightPatch {
            row: self.row,
            column: self.column,
            columns: self.columns,
            heights: self.heights.array(count, "block.heights")?,
        })
    }
}

calls! {
    /// A cylinder about the y axis of the body, centred on its origin.
    make shape_cylinder(half_height: f32, radius: f32) { Ok(engine::Shape::cylinder(half_height, radius)?) }

    /// A cone about the y axis of the body, with its base at y = -half_height and its tip at y = +half_height.
    make shape_cone(half_height: f32, radius: f32) { Ok(engine::Shape::cone(half_height, radius)?) }

    /// The convex hull of a disc of `radius_top` at y = +half_height and one of `radius_bottom` at y = -half_height, one of which may be 0.
    make shape_tapered_cylinder(half_height: f32, radius_top: f32, radius_bottom: f32) {
        Ok(engine::Shape::tapered_cylinder(half_height, radius_top, radius_bottom)?)
    }

    /// A surface of triangles, each by the numbers of its three vertices, counted from 0; counter-clockwise, seen from its front.
    make shape_mesh(vertices: In<[f32; 3]>, count: usize, triangles: In<[u32; 3]>, triangle_count: usize) {
        let vertices = vectors(vertices, count, "vertices")?;
        let triangles = triangles.array(triangle_count, "triangles")?;
        Ok(engine::Shape::mesh(vertices, triangles)?)
    }

    /// A closed surface of triangles with an inside: a point within has a negative distance.
    make shape_solid_mesh(vertices: In<[f32; 3]>, count: usize, triangles: In<[u32; 3]>, triangle_count: usize) {
        let vertices = vectors(vertices, count, "vertices")?;
        let triangles = triangles.array(triangle_count, "triangles")?;
        Ok(engine::Shape::solid_mesh(vertices, triangles)?)
    }

    /// A surface of triangles in which vertices at one place become one, as files that list each triangle's corners need.
    make shape_mesh_welded(vertices: In<[f32; 3]>, count: usize, triangles: In<[u32; 3]>, triangle_count: usize) {
        let vertices = vectors(vertices, count, "vertices")?;
        let triangles = triangles.array(triangle_count, "triangles")?;
        Ok(engine::Shape::mesh_welded(vertices, triangles)?)
    }

    /// Ground by a grid of heights, row by row, scaled along the axes about the middle of the grid. NaN stands for a missing height.
    make shape_height_field(heights: In<f32>, rows: usize, columns: usize, scale: In<[f32; 3]>) {
        let heights = heights.array(rows.saturating_mul(columns), "heights")?;
        let scale = vector(scale, "scale")?;
        Ok(engine::Shape::height_field(heights, columns, scale)?)
    }

    /// A height field in which a block of heights is changed. The shape that it is made of stays as it is.
    call shape_with_heights(from: ConstShapeHandle, block: In<HeightBlock>, new_shape: Out<ShapeHandle>) -> Status {
        make(new_shape, || -> Outcome<_> {
            let mut from = shape(from)?;
            from.set_heights(block.one("block")?.read()?)?;
            Ok(from)
        })
    }

    /// Changes a block of the heights of a body whose shape is a height field. The next step has the contacts and events. Snapshots and other
    /// bodies with the same shape keep theirs.
    change world_set_heights(body: u64, block: In<HeightBlock>) |inner| {
        let block = block.one("block")?.read()?;
        Ok(inner.world.body_mut(id_of(body))?.set_heights(block)?)
    }
}
