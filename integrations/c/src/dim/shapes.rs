//! Shapes: made, counted, asked.

use super::access::{make, release_shape, retain_shape, shape};
use super::bodies::cells_of;
use super::only::{BODY_END, Cell, DIM, INERTIA, V, engine, inertia_numbers};
use super::snapshots::{heading, without_heading};
use super::{Bounds, ConstShapeHandle, Placed, Pose, ShapeHandle};
use crate::border::{In, Out, Outcome, Problem, Status, guard, row};
use crate::common::{ByteList, Bytes};

row! {
    /// The side from which a shape or a tile counts.
    pub struct OneWay {
        /// The unit vector from the tile to that side, in the frame of the shape: up, for a platform.
        pub normal: [f32; DIM],
        /// How far what counts may reach below the end of the tile along the normal, in units of length, >= 0.
        pub depth: f32,
        /// Named so that there is no padding; zero.
        pub reserved: [u8; BODY_END],
    }
}

row! {
    /// A shape that cells of voxels can have instead of the whole cell.
    pub struct Tile {
        /// A convex shape about the middle of the cell.
        pub shape: ConstShapeHandle,
        /// A number of the caller's.
        pub user_data: u64,
        /// The side from which the tile counts, if `is_one_way`.
        pub side: OneWay,
        /// Whether the tile counts from one side only: 0 or 1.
        pub is_one_way: u32,
        /// Named so that there is no padding; zero.
        pub reserved: [u8; 4],
    }
}

row! {
    /// A block of cells.
    pub struct CellBox {
        /// The cell with the least numbers.
        pub low: [i32; DIM],
        /// The cell with the greatest numbers; it belongs to the block.
        pub high: [i32; DIM],
        /// Whether the cells are filled, 1, or emptied, 0.
        pub filled: u32,
    }
}

row! {
    /// Cells of a grid, for `clrN_shape_tiles`.
    pub struct Tiles {
        /// Blocks of cells that are filled or emptied, one after the other, before the single cells.
        pub boxes: In<CellBox>,
        /// How many blocks there are.
        pub box_count: usize,
        /// The single cells.
        pub cells: In<[i32; DIM]>,
        /// What each of them is filled with: k is tile k - 1 of the palette, and 0 the whole cell. NULL for whole cells.
        pub entries: In<u8>,
        /// How many single cells there are.
        pub cell_count: usize,
        /// The palette.
        pub palette: In<Tile>,
        /// How many tiles it has.
        pub palette_count: usize,
    }
}

row! {
    /// How heavy a shape is, and how its mass is spread, in the frame of the shape.
    pub struct MassProperties {
        /// The volume; in the plane the area.
        pub volume: f64,
        /// The mass: the volume times the density.
        pub mass: f64,
        /// The point at which the mass is balanced.
        pub center_of_mass: [f64; DIM],
        /// The inertia about that point: in space a symmetric matrix, row by row; in the plane one number.
        pub inertia: [f64; INERTIA],
    }
}

/// A vector of C.
pub(crate) fn vector(numbers: In<[f32; DIM]>, name: &str) -> Outcome<V> {
    Ok(V::from_array(*numbers.one(name)?))
}

/// Vectors of C.
pub(crate) fn vectors(numbers: In<[f32; DIM]>, count: usize, name: &str) -> Outcome<Vec<V>> {
    let numbers = numbers.array(count, name)?;
    Ok(numbers.iter().copied().map(V::from_array).collect())
}

/// Makes a shape of another one.
fn remake(
    from: ConstShapeHandle,
    to: Out<ShapeHandle>,
    new: impl FnOnce(engine::Shape) -> Outcome<engine::Shape>,
) -> Status {
    make(to, || new(shape(from)?))
}

/// A circle or a sphere of `radius` > 0 about the origin of the body.
#[unsafe(export_name = symbol!("shape_ball"))]
pub extern "C" fn shape_ball(radius: f32, shape: Out<ShapeHandle>) -> Status {
    make(shape, || engine::Shape::ball(radius))
}

/// A rectangle or a box about the origin of the body, by half the lengths of its sides, each > 0.
#[unsafe(export_name = symbol!("shape_cuboid"))]
pub extern "C" fn shape_cuboid(half_extents: In<[f32; DIM]>, shape: Out<ShapeHandle>) -> Status {
    make(shape, || -> Outcome<_> {
        Ok(engine::Shape::cuboid(vector(
            half_extents,
            "half_extents",
        )?)?)
    })
}

/// A capsule along the y axis of the body: all points within `radius` > 0 of the segment from -half_length to +half_length, >= 0.
#[unsafe(export_name = symbol!("shape_capsule"))]
pub extern "C" fn shape_capsule(half_length: f32, radius: f32, shape: Out<ShapeHandle>) -> Status {
    make(shape, || engine::Shape::capsule(half_length, radius))
}

/// All points within `radius` > 0 of the segment from `a` to `b`.
#[unsafe(export_name = symbol!("shape_capsule_from_endpoints"))]
pub extern "C" fn shape_capsule_from_endpoints(
    a: In<[f32; DIM]>,
    b: In<[f32; DIM]>,
    radius: f32,
    shape: Out<ShapeHandle>,
) -> Status {
    make(shape, || -> Outcome<_> {
        let (a, b) = (vector(a, "a")?, vector(b, "b")?);
        Ok(engine::Shape::capsule_from_endpoints(a, b, radius)?)
    })
}

/// The convex hull of a ball of `radius_top` about y = +half_length and one of `radius_bottom` about y = -half_length.
#[unsafe(export_name = symbol!("shape_tapered_capsule"))]
pub extern "C" fn shape_tapered_capsule(
    half_length: f32,
    radius_top: f32,
    radius_bottom: f32,
    shape: Out<ShapeHandle>,
) -> Status {
    make(shape, || {
        engine::Shape::tapered_capsule(half_length, radius_top, radius_bottom)
    })
}

/// The segment from `a` to `b`.
#[unsafe(export_name = symbol!("shape_segment"))]
pub extern "C" fn shape_segment(
    a: In<[f32; DIM]>,
    b: In<[f32; DIM]>,
    shape: Out<ShapeHandle>,
) -> Status {
    make(shape, || -> Outcome<_> {
        Ok(engine::Shape::segment(vector(a, "a")?, vector(b, "b")?)?)
    })
}

/// The filled triangle with three corners, in any order.
#[unsafe(export_name = symbol!("shape_triangle"))]
pub extern "C" fn shape_triangle(
    a: In<[f32; DIM]>,
    b: In<[f32; DIM]>,
    c: In<[f32; DIM]>,
    shape: Out<ShapeHandle>,
) -> Status {
    make(shape, || -> Outcome<_> {
        let [a, b, c] = [vector(a, "a")?, vector(b, "b")?, vector(c, "c")?];
        Ok(engine::Shape::triangle(a, b, c)?)
    })
}

/// The convex hull of points, at least one, in any order.
#[unsafe(export_name = symbol!("shape_hull"))]
pub extern "C" fn shape_hull(
    points: In<[f32; DIM]>,
    count: usize,
    shape: Out<ShapeHandle>,
) -> Status {
    make(shape, || -> Outcome<_> {
        Ok(engine::Shape::hull(vectors(points, count, "points")?)?)
    })
}

/// An ellipse or an ellipsoid about the origin of the body, by its half axes, each > 0.
#[unsafe(export_name = symbol!("shape_ellipsoid"))]
pub extern "C" fn shape_ellipsoid(radii: In<[f32; DIM]>, shape: Out<ShapeHandle>) -> Status {
    make(shape, || -> Outcome<_> {
        Ok(engine::Shape::ellipsoid(vector(radii, "radii")?)?)
    })
}

/// All points x with normal . x <= 0: everything below a line or a plane through the origin of the body. The normal must be of unit
/// length within 1e-3.
#[unsafe(export_name = symbol!("shape_half_space"))]
pub extern "C" fn shape_half_space(normal: In<[f32; DIM]>, shape: Out<ShapeHandle>) -> Status {
    make(shape, || -> Outcome<_> {
        Ok(engine::Shape::half_space(vector(normal, "normal")?)?)
    })
}

/// The segments between points that follow on each other: part i goes from point i to point i + 1.
#[unsafe(export_name = symbol!("shape_polyline"))]
pub extern "C" fn shape_polyline(
    points: In<[f32; DIM]>,
    count: usize,
    shape: Out<ShapeHandle>,
) -> Status {
    make(shape, || -> Outcome<_> {
        Ok(engine::Shape::polyline(vectors(points, count, "points")?)?)
    })
}

/// Segments between points: each has the numbers of its two points, counted from 0.
#[allow(clippy::too_many_arguments)] // two arrays with their lengths
#[unsafe(export_name = symbol!("shape_polyline_of_segments"))]
pub extern "C" fn shape_polyline_of_segments(
    points: In<[f32; DIM]>,
    count: usize,
    segments: In<[u32; 2]>,
    segment_count: usize,
    shape: Out<ShapeHandle>,
) -> Status {
    make(shape, || -> Outcome<_> {
        let points = vectors(points, count, "points")?;
        let segments = segments.array(segment_count, "segments")?;
        Ok(engine::Shape::polyline_of_segments(points, segments)?)
    })
}

/// A cloud of points: part i is a ball of `radius` > 0 about point i.
#[unsafe(export_name = symbol!("shape_points"))]
pub extern "C" fn shape_points(
    points: In<[f32; DIM]>,
    count: usize,
    radius: f32,
    shape: Out<ShapeHandle>,
) -> Status {
    make(shape, || -> Outcome<_> {
        Ok(engine::Shape::points(
            vectors(points, count, "points")?,
            radius,
        )?)
    })
}

/// Filled cells of a grid whose cells have the given size, each > 0: cell (i, j, k) reaches from (i, j, k) to (i + 1, j + 1, k + 1) times the
/// size. Part i is cell i of the list.
#[unsafe(export_name = symbol!("shape_voxels"))]
pub extern "C" fn shape_voxels(
    size: In<[f32; DIM]>,
    cells: In<[i32; DIM]>,
    count: usize,
    shape: Out<ShapeHandle>,
) -> Status {
    make(shape, || -> Outcome<_> {
        let cells = cells_of(cells.array(count, "cells")?);
        Ok(engine::Shape::voxels(vector(size, "size")?, cells)?)
    })
}

/// Filled cells of a grid, by blocks and single cells, which can have shapes of a palette: slopes, halves, and other convex shapes. For large
/// grids that are dug in.
#[unsafe(export_name = symbol!("shape_tiles"))]
pub extern "C" fn shape_tiles(
    size: In<[f32; DIM]>,
    tiles: In<Tiles>,
    shape: Out<ShapeHandle>,
) -> Status {
    make(shape, || -> Outcome<_> {
        let tiles = tiles.one("tiles")?;
        let palette = tiles.palette.array(tiles.palette_count, "palette")?;
        let palette = palette
            .iter()
            .map(Tile::read)
            .collect::<Outcome<Vec<_>>>()?;
        let size = vector(size, "size")?;
        Ok(engine::Shape::tiles_of(size, tiles.cells()?, palette)?)
    })
}

impl Tiles {
    fn cells(&self) -> Outcome<engine::Cells> {
        let mut all = engine::Cells::new();
        for block in self.boxes.array(self.box_count, "boxes")? {
            let [low, high] = [block.low, block.high].map(Cell::from_array);
            all.set_box(low, high, block.filled != 0)?;
        }
        let cells = self.cells.array(self.cell_count, "cells")?;
        let entries = match self.entries.is_null() {
            true => &[],
            false => self.entries.array(self.cell_count, "entries")?,
        };
        for (place, cell) in cells.iter().enumerate() {
            let entry = entries.get(place).copied().unwrap_or(0);
            all.set_tile(Cell::from_array(*cell), entry)?;
        }
        Ok(all)
    }
}

impl OneWay {
    fn read(&self) -> engine::OneWay {
        engine::OneWay {
            normal: V::from_array(self.normal),
            depth: self.depth,
        }
    }
}

impl Tile {
    fn read(&self) -> Outcome<engine::Tile> {
        Ok(engine::Tile {
            user: self.user_data,
            one_way: (self.is_one_way != 0).then(|| self.side.read()),
            ..engine::Tile::new(shape(self.shape)?)
        })
    }
}

/// The union of placed shapes of any kind but half-spaces. The parts of the first shape come first.
#[unsafe(export_name = symbol!("shape_compound"))]
pub extern "C" fn shape_compound(
    parts: In<Placed>,
    count: usize,
    shape: Out<ShapeHandle>,
) -> Status {
    make(shape, || -> Outcome<_> {
        let parts = parts.array(count, "parts")?.iter().enumerate();
        let part = |(place, part): (usize, &Placed)| {
            let shape = super::access::shape(part.shape);
            let of_part = |problem: Problem| problem.of_item("parts", place);
            let (shape, pose) = (shape.map_err(of_part)?, part.pose.read().map_err(of_part)?);
            Ok(engine::CompoundPart { shape, pose })
        };
        let parts = parts.map(part).collect::<Outcome<Vec<_>>>()?;
        Ok(engine::Shape::compound(parts)?)
    })
}

/// The union of the convex hulls of lists of points, such as a convex decomposition: the first list has `counts[0]` points, and so on.
#[unsafe(export_name = symbol!("shape_compound_of_hulls"))]
pub extern "C" fn shape_compound_of_hulls(
    points: In<[f32; DIM]>,
    counts: In<usize>,
    hull_count: usize,
    shape: Out<ShapeHandle>,
) -> Status {
    make(shape, || -> Outcome<_> {
        let counts = counts.array(hull_count, "counts")?;
        let all = counts
            .iter()
            .try_fold(0usize, |all, &count| all.checked_add(count));
        let all = all.ok_or_else(|| Problem::argument("counts: their sum is too large"))?;
        let points = vectors(points, all, "points")?;
        let mut rest = points.as_slice();
        let piece = |&count: &usize| {
            let (piece, after) = rest.split_at(count);
            rest = after;
            piece
        };
        let pieces: Vec<&[V]> = counts.iter().map(piece).collect();
        Ok(engine::Shape::compound_of_hulls(pieces)?)
    })
}

/// All points within `radius` > 0 of a shape that is no composite.
#[unsafe(export_name = symbol!("shape_rounded"))]
pub extern "C" fn shape_rounded(
    from: ConstShapeHandle,
    radius: f32,
    shape: Out<ShapeHandle>,
) -> Status {
    remake(from, shape, |from| Ok(from.rounded(radius)?))
}

/// A shape that is scaled about its origin by a factor > 0.
#[unsafe(export_name = symbol!("shape_scaled"))]
pub extern "C" fn shape_scaled(
    from: ConstShapeHandle,
    factor: f32,
    shape: Out<ShapeHandle>,
) -> Status {
    remake(from, shape, |from| Ok(from.scaled(factor)?))
}

/// A shape that is scaled along the axes of its body.
#[unsafe(export_name = symbol!("shape_scaled_by"))]
pub extern "C" fn shape_scaled_by(
    from: ConstShapeHandle,
    factors: In<[f32; DIM]>,
    shape: Out<ShapeHandle>,
) -> Status {
    remake(from, shape, |from| {
        Ok(from.scaled_by(vector(factors, "factors")?)?)
    })
}

/// A shape that is moved in the frame of its body.
#[unsafe(export_name = symbol!("shape_translated"))]
pub extern "C" fn shape_translated(
    from: ConstShapeHandle,
    offset: In<[f32; DIM]>,
    shape: Out<ShapeHandle>,
) -> Status {
    remake(from, shape, |from| {
        Ok(from.translated(vector(offset, "offset")?)?)
    })
}

/// A shape that is moved so that a point of it becomes the origin of the body, such as its centre of mass.
#[unsafe(export_name = symbol!("shape_with_origin_at"))]
pub extern "C" fn shape_with_origin_at(
    from: ConstShapeHandle,
    point: In<[f32; DIM]>,
    shape: Out<ShapeHandle>,
) -> Status {
    remake(from, shape, |from| {
        Ok(from.with_origin_at(vector(point, "point")?)?)
    })
}

/// A mesh, a height field or a polyline of the plane whose faces count on their outer sides only, down to a depth >= 0.
#[unsafe(export_name = symbol!("shape_one_sided"))]
pub extern "C" fn shape_one_sided(
    from: ConstShapeHandle,
    depth: f32,
    shape: Out<ShapeHandle>,
) -> Status {
    remake(from, shape, |from| Ok(from.one_sided(depth)?))
}

/// A shape that counts as a whole for what lies beyond it on one side: a platform to jump through.
#[unsafe(export_name = symbol!("shape_one_way"))]
pub extern "C" fn shape_one_way(
    from: ConstShapeHandle,
    side: In<OneWay>,
    shape: Out<ShapeHandle>,
) -> Status {
    remake(from, shape, |from| {
        Ok(from.one_way(side.one("side")?.read())?)
    })
}

/// A closed mesh or polyline of the plane with an inside.
#[unsafe(export_name = symbol!("shape_solid"))]
pub extern "C" fn shape_solid(from: ConstShapeHandle, shape: Out<ShapeHandle>) -> Status {
    remake(from, shape, |from| Ok(from.solid()?))
}

/// A composite with a number of the caller's for each part, or for each shape of a compound.
#[unsafe(export_name = symbol!("shape_with_part_user_data"))]
pub extern "C" fn shape_with_part_user_data(
    from: ConstShapeHandle,
    data: In<u64>,
    count: usize,
    shape: Out<ShapeHandle>,
) -> Status {
    remake(from, shape, |from| {
        Ok(from.with_part_user_data(data.array(count, "data")?)?)
    })
}

/// Voxels in which cells are filled or emptied. The shape that it is made of stays as it is, and shares what is not changed.
#[unsafe(export_name = symbol!("shape_with_cells"))]
pub extern "C" fn shape_with_cells(
    from: ConstShapeHandle,
    cells: In<[i32; DIM]>,
    count: usize,
    filled: bool,
    shape: Out<ShapeHandle>,
) -> Status {
    remake(from, shape, |mut from| {
        from.set_cells(cells_of(cells.array(count, "cells")?), filled)?;
        Ok(from)
    })
}

/// Tiles in which cells are filled with an entry of the palette: k is tile k - 1, and 0 the whole cell.
#[unsafe(export_name = symbol!("shape_with_tiles"))]
pub extern "C" fn shape_with_tiles(
    from: ConstShapeHandle,
    cells: In<[i32; DIM]>,
    count: usize,
    entry: u8,
    shape: Out<ShapeHandle>,
) -> Status {
    remake(from, shape, |mut from| {
        from.set_tiles(cells_of(cells.array(count, "cells")?), entry)?;
        Ok(from)
    })
}

/// Counts one owner more, who releases the shape too.
#[unsafe(export_name = symbol!("shape_retain"))]
pub extern "C" fn shape_retain(shape: ShapeHandle) -> Status {
    guard(|| retain_shape(shape))
}

/// Counts one owner less; after the last the handle is refused. Bodies and shapes that were made of it keep what they need. NULL is
/// CLR_OK.
#[unsafe(export_name = symbol!("shape_release"))]
pub extern "C" fn shape_release(shape: ShapeHandle) -> Status {
    guard(|| match shape.is_null() {
        true => Ok(()),
        false => release_shape(shape),
    })
}

/// The name of the kind of a shape, such as "ball" or "mesh": constant text that is not ended by a zero.
#[unsafe(export_name = symbol!("shape_kind"))]
pub extern "C" fn shape_kind(of: ConstShapeHandle, name: Out<Bytes>) -> Status {
    guard(|| {
        let kind = shape(of)?.kind_name().as_bytes();
        let (data, count) = (In::of(kind), kind.len());
        name.set(Bytes { data, count }, "name")
    })
}

/// The smallest box along the axes around all points within `distance` >= 0 of a shape at a pose, rounded outwards; NULL is the identity.
#[unsafe(export_name = symbol!("shape_bounds"))]
pub extern "C" fn shape_bounds(
    of: ConstShapeHandle,
    pose: In<Pose>,
    distance: f64,
    bounds: Out<Bounds>,
) -> Status {
    guard(|| {
        let pose = pose.optional("pose")?.unwrap_or(&Pose::IDENTITY).read()?;
        let around = shape(of)?.bounds_within(&pose.checked()?, distance);
        bounds.set(Bounds::of(&around), "bounds")
    })
}

/// An upper bound of the distance of the points of a shape from its origin; infinite for a half-space.
#[unsafe(export_name = symbol!("shape_bounding_radius"))]
pub extern "C" fn shape_bounding_radius(of: ConstShapeHandle, radius: Out<f64>) -> Status {
    guard(|| radius.set(shape(of)?.bounding_radius(), "radius"))
}

/// The volume, mass, centre of mass and inertia of a shape of a density > 0.
#[unsafe(export_name = symbol!("shape_mass_properties"))]
pub extern "C" fn shape_mass_properties(
    of: ConstShapeHandle,
    density: f32,
    properties: Out<MassProperties>,
) -> Status {
    guard(|| {
        let found = shape(of)?.mass_properties(density)?;
        let row = MassProperties {
            volume: found.volume,
            mass: found.mass,
            center_of_mass: found.center_of_mass.to_array(),
            inertia: inertia_numbers(&found),
        };
        properties.set(row, "properties")
    })
}

/// How many parts a shape has: 1 if it is no composite.
#[unsafe(export_name = symbol!("shape_part_count"))]
pub extern "C" fn shape_part_count(of: ConstShapeHandle, count: Out<u32>) -> Status {
    guard(|| {
        let parts = match shape(of)? {
            engine::Shape::Composite(composite) => composite.part_count(),
            _ => 1,
        };
        count.set(parts, "count")
    })
}

/// The number of the caller's that a part has; 0 if it has none.
#[unsafe(export_name = symbol!("shape_part_user_data"))]
pub extern "C" fn shape_part_user_data(
    of: ConstShapeHandle,
    part: u32,
    user_data: Out<u64>,
) -> Status {
    guard(|| user_data.set(shape(of)?.part_user_data(part), "user_data"))
}

/// The cell of a part of voxels.
#[unsafe(export_name = symbol!("shape_cell_of_part"))]
pub extern "C" fn shape_cell_of_part(
    of: ConstShapeHandle,
    part: u32,
    cell: Out<[i32; DIM]>,
) -> Status {
    of_voxels(of, |voxels| {
        let found = voxels.cell(part);
        let none = || Problem::argument(format!("part is {part}, must be a part of the voxels"));
        cell.set(found.ok_or_else(none)?.to_array(), "cell")
    })
}

/// Whether a cell of voxels is filled.
#[unsafe(export_name = symbol!("shape_has_cell"))]
pub extern "C" fn shape_has_cell(
    of: ConstShapeHandle,
    cell: In<[i32; DIM]>,
    is_filled: Out<bool>,
) -> Status {
    of_voxels(of, |voxels| {
        let cell = Cell::from_array(*cell.one("cell")?);
        is_filled.set(voxels.cells().contains(cell), "is_filled")
    })
}

fn of_voxels(of: ConstShapeHandle, ask: impl FnOnce(&engine::Voxels) -> Outcome) -> Status {
    guard(|| {
        let shape = shape(of)?;
        let voxels = shape.as_voxels();
        let kind = shape.kind_name();
        let other = || Problem::argument(format!("the shape is a {kind}, must be voxels"));
        ask(voxels.ok_or_else(other)?)
    })
}

/// The bytes that a shape shares with those that were made of it.
#[unsafe(export_name = symbol!("shape_memory"))]
pub extern "C" fn shape_memory(of: ConstShapeHandle, bytes: Out<usize>) -> Status {
    guard(|| bytes.set(shape(of)?.shared_memory(), "bytes"))
}

/// Writes a shape as bytes, which `clrN_shape_read` of the same version reads on any platform: hulls and trees need not be built again.
#[unsafe(export_name = symbol!("shape_write"))]
pub extern "C" fn shape_write(of: ConstShapeHandle, list: Out<ByteList>) -> Status {
    guard(|| {
        let bytes = postcard::to_extend(&shape(of)?, heading("Shape").into_bytes());
        let bytes = bytes.map_err(|error| Problem::new(Status::STORED, error))?;
        ByteList::fill(list, bytes.into_iter())
    })
}

/// The shape of bytes; damaged ones are refused.
#[unsafe(export_name = symbol!("shape_read"))]
pub extern "C" fn shape_read(bytes: In<u8>, count: usize, shape: Out<ShapeHandle>) -> Status {
    make(shape, || -> Outcome<_> {
        let bytes = without_heading(bytes.array(count, "bytes")?, "Shape")?;
        postcard::from_bytes(bytes).map_err(|error| Problem::new(Status::STORED, error))
    })
}
