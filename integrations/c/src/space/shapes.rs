//! Shapes that only space has.

use clearance::dim3::HeightPatch;

use super::dim::access::{change, make, shape};
use super::dim::shapes::{vector, vectors};
use super::dim::{ConstShapeHandle, ShapeHandle, WorldHandle};
use super::only::engine;
use crate::border::{In, Out, Outcome, Status, row};
use crate::common::id_of;

row! {
    /// A block of the heights of a height field.
    pub struct HeightBlock {
        /// The row of the field in which its first height is.
        pub row: u32,
        /// The column of the field in which its first height is.
        pub column: u32,
        /// How many heights each of its rows has.
        pub columns: u32,
        /// How many rows it has.
        pub rows: u32,
        /// The heights, row by row, before they are scaled. NaN stands for a missing height.
        pub heights: In<f32>,
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

/// A cylinder about the y axis of the body, centred on its origin.
#[unsafe(export_name = symbol!("shape_cylinder"))]
pub extern "C" fn shape_cylinder(half_height: f32, radius: f32, shape: Out<ShapeHandle>) -> Status {
    make(shape, || engine::Shape::cylinder(half_height, radius))
}

/// A cone about the y axis of the body, with its base at y = -half_height and its tip at y = +half_height.
#[unsafe(export_name = symbol!("shape_cone"))]
pub extern "C" fn shape_cone(half_height: f32, radius: f32, shape: Out<ShapeHandle>) -> Status {
    make(shape, || engine::Shape::cone(half_height, radius))
}

/// The convex hull of a disc of `radius_top` at y = +half_height and one of `radius_bottom` at y = -half_height, one of which may be 0.
#[unsafe(export_name = symbol!("shape_tapered_cylinder"))]
pub extern "C" fn shape_tapered_cylinder(
    half_height: f32,
    radius_top: f32,
    radius_bottom: f32,
    shape: Out<ShapeHandle>,
) -> Status {
    make(shape, || {
        engine::Shape::tapered_cylinder(half_height, radius_top, radius_bottom)
    })
}

/// A surface of triangles, each by the numbers of its three vertices, counted from 0; counter-clockwise, seen from its front.
#[allow(clippy::too_many_arguments)] // two arrays with their lengths
#[unsafe(export_name = symbol!("shape_mesh"))]
pub extern "C" fn shape_mesh(
    vertices: In<[f32; 3]>,
    count: usize,
    triangles: In<[u32; 3]>,
    triangle_count: usize,
    shape: Out<ShapeHandle>,
) -> Status {
    make(shape, || -> Outcome<_> {
        let vertices = vectors(vertices, count, "vertices")?;
        let triangles = triangles.array(triangle_count, "triangles")?;
        Ok(engine::Shape::mesh(vertices, triangles)?)
    })
}

/// A closed surface of triangles with an inside: a point within has a negative distance.
#[allow(clippy::too_many_arguments)] // two arrays with their lengths
#[unsafe(export_name = symbol!("shape_solid_mesh"))]
pub extern "C" fn shape_solid_mesh(
    vertices: In<[f32; 3]>,
    count: usize,
    triangles: In<[u32; 3]>,
    triangle_count: usize,
    shape: Out<ShapeHandle>,
) -> Status {
    make(shape, || -> Outcome<_> {
        let vertices = vectors(vertices, count, "vertices")?;
        let triangles = triangles.array(triangle_count, "triangles")?;
        Ok(engine::Shape::solid_mesh(vertices, triangles)?)
    })
}

/// A surface of triangles in which vertices at one place become one, as files that list each triangle's corners need.
#[allow(clippy::too_many_arguments)] // two arrays with their lengths
#[unsafe(export_name = symbol!("shape_mesh_welded"))]
pub extern "C" fn shape_mesh_welded(
    vertices: In<[f32; 3]>,
    count: usize,
    triangles: In<[u32; 3]>,
    triangle_count: usize,
    shape: Out<ShapeHandle>,
) -> Status {
    make(shape, || -> Outcome<_> {
        let vertices = vectors(vertices, count, "vertices")?;
        let triangles = triangles.array(triangle_count, "triangles")?;
        Ok(engine::Shape::mesh_welded(vertices, triangles)?)
    })
}

/// Ground by a grid of heights, row by row, scaled along the axes about the middle of the grid. NaN stands for a missing height.
#[allow(clippy::too_many_arguments)] // an array with its two lengths
#[unsafe(export_name = symbol!("shape_height_field"))]
pub extern "C" fn shape_height_field(
    heights: In<f32>,
    rows: usize,
    columns: usize,
    scale: In<[f32; 3]>,
    shape: Out<ShapeHandle>,
) -> Status {
    make(shape, || -> Outcome<_> {
        let heights = heights.array(rows.saturating_mul(columns), "heights")?;
        let scale = vector(scale, "scale")?;
        Ok(engine::Shape::height_field(heights, columns, scale)?)
    })
}

/// A height field in which a block of heights is changed. The shape that it is made of stays as it is.
#[unsafe(export_name = symbol!("shape_with_heights"))]
pub extern "C" fn shape_with_heights(
    from: ConstShapeHandle,
    block: In<HeightBlock>,
    new_shape: Out<ShapeHandle>,
) -> Status {
    make(new_shape, || -> Outcome<_> {
        let mut from = shape(from)?;
        from.set_heights(block.one("block")?.read()?)?;
        Ok(from)
    })
}

/// Changes a block of the heights of a body whose shape is a height field. The next step has the contacts and events. Snapshots and other
/// bodies with the same shape keep theirs.
#[unsafe(export_name = symbol!("world_set_heights"))]
pub extern "C" fn world_set_heights(
    world: WorldHandle,
    body: u64,
    block: In<HeightBlock>,
) -> Status {
    change(world, |inner| {
        let block = block.one("block")?.read()?;
        Ok(inner.world.set_heights(id_of(body), block)?)
    })
}
