//! Shapes: made, counted, asked.

use super::access::{make, release_shape, retain_shape, shape};
use super::bodies::cells_of;
use super::only::{BODY_END, Cell, DIM, INERTIA, Precise, V, engine, inertia_numbers};
use super::snapshots::{heading, without_heading};
use super::{Bounds, ConstShapeHandle, Placed, Pose, ShapeHandle};
use crate::border::{In, Out, Outcome, Problem, Status, calls, guard, rows};
use crate::callbacks::{Context, Support};
use crate::common::{ByteList, Bytes};

rows! {
    /// The side from which a shape or a tile counts.
    struct OneWay {
        normal: [f32; DIM] = "The unit vector from the tile to that side, in the frame of the shape: up, for a platform.",
        depth: f32 = "How far what counts may reach below the end of the tile along the normal, in units of length, >= 0.",
        reserved: [u8; BODY_END] = "Named so that there is no padding; zero.",
    }

    /// A shape that cells of voxels can have instead of the whole cell.
    struct Tile {
        shape: ConstShapeHandle = "A convex shape within the cell, whose least corner is the origin.",
        user_data: u64 = "A number of the caller's.",
        side: OneWay = "The side from which the tile counts, if `is_one_way`.",
        is_one_way: u32 = "Whether the tile counts from one side only: 0 or 1.",
        reserved: [u8; 4] = "Named so that there is no padding; zero.",
    }

    /// A convex shape of your own, for `clrN_shape_custom`.
    struct Custom {
        support: Support = "The farthest point along a direction.",
        context: Context = "The first argument of the function. It must live as long as any shape that is made of this one.",
        center: [f64; DIM] = "A point within the shape.",
        bounding_radius: f64 = "No point of the shape is farther from the origin of the body.",
        key: [u32; 8] = "Equal for equal shapes, different for different ones.",
    }

    /// A block of cells.
    struct CellBox {
        low: [i32; DIM] = "The cell with the least numbers.",
        high: [i32; DIM] = "The cell with the greatest numbers; it belongs to the block.",
        filled: u32 = "Whether the cells are filled, 1, or emptied, 0.",
    }

    /// Cells of a grid, for `clrN_shape_tiles`.
    struct Tiles {
        boxes: In<CellBox> = "Blocks of cells that are filled or emptied, one after the other, before the single cells.",
        box_count: usize = "How many blocks there are.",
        cells: In<[i32; DIM]> = "The single cells.",
        entries: In<u8> = "What each of them is filled with: k is tile k - 1 of the palette, and 0 the whole cell. NULL for whole cells.",
        cell_count: usize = "How many single cells there are.",
        palette: In<Tile> = "The palette.",
        palette_count: usize = "How many tiles it has.",
    }

    /// How heavy a shape is, and how its mass is spread, in the frame of the shape.
    struct MassProperties {
        volume: f64 = "The volume; in the plane the area.",
        mass: f64 = "The mass: the volume times the density.",
        center_of_mass: [f64; DIM] = "The point at which the mass is balanced.",
        inertia: [f64; INERTIA] = "The inertia about that point: in space a symmetric matrix, row by row; in the plane one number.",
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

calls! {
    /// A circle or a sphere of `radius` > 0 about the origin of the body.
    make shape_ball(radius: f32) { Ok(engine::Shape::ball(radius)?) }

    /// A rectangle or a box about the origin of the body, by half the lengths of its sides, each > 0.
    make shape_cuboid(half_extents: In<[f32; DIM]>) { Ok(engine::Shape::cuboid(vector(half_extents, "half_extents")?)?) }

    /// A capsule along the y axis of the body: all points within `radius` > 0 of the segment from -half_length to +half_length, >= 0.
    make shape_capsule(half_length: f32, radius: f32) { Ok(engine::Shape::capsule(half_length, radius)?) }

    /// All points within `radius` > 0 of the segment from `a` to `b`.
    make shape_capsule_from_endpoints(a: In<[f32; DIM]>, b: In<[f32; DIM]>, radius: f32) {
        let (a, b) = (vector(a, "a")?, vector(b, "b")?);
        Ok(engine::Shape::capsule_from_endpoints(a, b, radius)?)
    }

    /// The convex hull of a ball of `radius_top` about y = +half_length and one of `radius_bottom` about y = -half_length.
    make shape_tapered_capsule(half_length: f32, radius_top: f32, radius_bottom: f32) {
        Ok(engine::Shape::tapered_capsule(half_length, radius_top, radius_bottom)?)
    }

    /// The segment from `a` to `b`.
    make shape_segment(a: In<[f32; DIM]>, b: In<[f32; DIM]>) { Ok(engine::Shape::segment(vector(a, "a")?, vector(b, "b")?)?) }

    /// The filled triangle with three corners, in any order.
    make shape_triangle(a: In<[f32; DIM]>, b: In<[f32; DIM]>, c: In<[f32; DIM]>) {
        let [a, b, c] = [vector(a, "a")?, vector(b, "b")?, vector(c, "c")?];
        Ok(engine::Shape::triangle(a, b, c)?)
    }

    /// The convex hull of points, at least one, in any order.
    make shape_hull(points: In<[f32; DIM]>, count: usize) { Ok(engine::Shape::hull(vectors(points, count, "points")?)?) }

    /// An ellipse or an ellipsoid about the origin of the body, by its half axes, each > 0.
    make shape_ellipsoid(radii: In<[f32; DIM]>) { Ok(engine::Shape::ellipsoid(vector(radii, "radii")?)?) }

    /// All points x with normal . x <= 0: everything below a line or a plane through the origin of the body. The normal must be of unit
    /// length within 1e-3.
    make shape_half_space(normal: In<[f32; DIM]>) { Ok(engine::Shape::half_space(vector(normal, "normal")?)?) }

    /// The segments between points that follow on each other: part i goes from point i to point i + 1.
    make shape_polyline(points: In<[f32; DIM]>, count: usize) { Ok(engine::Shape::polyline(vectors(points, count, "points")?)?) }

    /// Segments between points: each has the numbers of its two points, counted from 0.
    make shape_polyline_of_segments(points: In<[f32; DIM]>, count: usize, segments: In<[u32; 2]>, segment_count: usize) {
        let points = vectors(points, count, "points")?;
        let segments = segments.array(segment_count, "segments")?;
        Ok(engine::Shape::polyline_of_segments(points, segments)?)
    }

    /// A cloud of points: part i is a ball of `radius` > 0 about point i.
    make shape_points(points: In<[f32; DIM]>, count: usize, radius: f32) {
        Ok(engine::Shape::points(vectors(points, count, "points")?, radius)?)
    }

    /// Filled cells of a grid whose cells have the given size, each > 0: cell (i, j, k) reaches from (i, j, k) to (i + 1, j + 1, k + 1) times the
    /// size. Part i is cell i of the list.
    make shape_voxels(size: In<[f32; DIM]>, cells: In<[i32; DIM]>, count: usize) {
        let cells = cells_of(cells.array(count, "cells")?);
        Ok(engine::Shape::voxels(vector(size, "size")?, cells)?)
    }

    /// Filled cells of a grid, by blocks and single cells, which can have shapes of a palette: slopes, halves, and other convex shapes. For large
    /// grids that are dug in.
    make shape_tiles(size: In<[f32; DIM]>, tiles: In<Tiles>) {
        let tiles = tiles.one("tiles")?;
        let palette = tiles.palette.array(tiles.palette_count, "palette")?;
        let palette = palette.iter().map(Tile::read).collect::<Outcome<Vec<_>>>()?;
        let size = vector(size, "size")?;
        Ok(engine::Shape::tiles_of(size, tiles.cells()?, palette)?)
    }
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

/// A shape whose farthest points a function of C tells.
struct OfC {
    support: extern "C-unwind" fn(Context, In<f64>, Out<f64>),
    custom: Custom,
}

impl std::fmt::Debug for OfC {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "a shape of C with the key {:?}", self.custom.key)
    }
}

impl clearance::shapes::Support<Precise> for OfC {
    fn support(&self, direction: Precise) -> Precise {
        let mut point = [f64::NAN; DIM];
        let direction = direction.to_array();
        (self.support)(self.custom.context, In::of(&direction), Out::to(&mut point));
        Precise::from_array(point)
    }

    fn center(&self) -> Precise {
        Precise::from_array(self.custom.center)
    }

    fn bounding_radius(&self) -> f64 {
        self.custom.bounding_radius
    }
}

impl clearance::shapes::CustomShape<Precise> for OfC {
    fn key(&self) -> [u32; 8] {
        self.custom.key
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

calls! {
    /// The union of placed shapes of any kind but half-spaces. The parts of the first shape come first.
    make shape_compound(parts: In<Placed>, count: usize) {
        let parts = parts.array(count, "parts")?.iter().enumerate();
        let part = |(place, part): (usize, &Placed)| {
            let shape = shape(part.shape);
            let of_part = |problem: Problem| problem.of_item("parts", place);
            let (shape, pose) = (shape.map_err(of_part)?, part.pose.read().map_err(of_part)?);
            Ok(engine::CompoundPart { shape, pose })
        };
        let parts = parts.map(part).collect::<Outcome<Vec<_>>>()?;
        Ok(engine::Shape::compound(parts)?)
    }

    /// The union of the convex hulls of lists of points, such as a convex decomposition: the first list has `counts[0]` points, and so on.
    make shape_compound_of_hulls(points: In<[f32; DIM]>, counts: In<usize>, hull_count: usize) {
        let counts = counts.array(hull_count, "counts")?;
        let all = counts.iter().try_fold(0usize, |all, &count| all.checked_add(count));
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
    }

    /// A convex shape of your own. It can be rounded, be a part of a compound, and be asked every question, but neither scaled, moved nor stored.
    make shape_custom(custom: In<Custom>) {
        let custom = *custom.one("custom")?;
        let missing = || Problem::new(Status::NULL_POINTER, "custom.support is NULL, must be a function");
        let support = custom.support.ok_or_else(missing)?;
        Ok(engine::Shape::custom(OfC { support, custom })?)
    }

    /// All points within `radius` > 0 of a shape that is no composite.
    remake shape_rounded(radius: f32) |from| { Ok(from.rounded(radius)?) }

    /// A shape that is scaled about its origin by a factor > 0.
    remake shape_scaled(factor: f32) |from| { Ok(from.scaled(factor)?) }

    /// A shape that is scaled along the axes of its body.
    remake shape_scaled_by(factors: In<[f32; DIM]>) |from| { Ok(from.scaled_by(vector(factors, "factors")?)?) }

    /// A shape that is moved in the frame of its body.
    remake shape_translated(offset: In<[f32; DIM]>) |from| { Ok(from.translated(vector(offset, "offset")?)?) }

    /// A shape that is moved so that a point of it becomes the origin of the body, such as its centre of mass.
    remake shape_with_origin_at(point: In<[f32; DIM]>) |from| { Ok(from.with_origin_at(vector(point, "point")?)?) }

    /// A mesh, a height field or a polyline of the plane whose faces count on their outer sides only, down to a depth >= 0.
    remake shape_one_sided(depth: f32) |from| { Ok(from.one_sided(depth)?) }

    /// A shape that counts as a whole for what lies beyond it on one side: a platform to jump through.
    remake shape_one_way(side: In<OneWay>) |from| { Ok(from.one_way(side.one("side")?.read())?) }

    /// A closed mesh or polyline of the plane with an inside.
    remake shape_solid() |from| { Ok(from.solid()?) }

    /// A composite with a number of the caller's for each part, or for each shape of a compound.
    remake shape_with_part_user_data(data: In<u64>, count: usize) |from| { Ok(from.with_part_user_data(data.array(count, "data")?)?) }

    /// Voxels in which cells are filled or emptied. The shape that it is made of stays as it is, and shares what is not changed.
    remake shape_with_cells(cells: In<[i32; DIM]>, count: usize, filled: bool) |mut from| {
        from.set_cells(cells_of(cells.array(count, "cells")?), filled)?;
        Ok(from)
    }

    /// Tiles in which cells are filled with an entry of the palette: k is tile k - 1, and 0 the whole cell.
    remake shape_with_tiles(cells: In<[i32; DIM]>, count: usize, entry: u8) |mut from| {
        from.set_tiles(cells_of(cells.array(count, "cells")?), entry)?;
        Ok(from)
    }

    /// Counts one owner more, who releases the shape too.
    guard shape_retain(shape: ShapeHandle) { retain_shape(shape) }

    /// Counts one owner less; after the last the handle is refused. Bodies and shapes that were made of it keep what they need. NULL is
    /// CLR_OK.
    guard shape_release(shape: ShapeHandle) {
        match shape.is_null() {
            true => Ok(()),
            false => release_shape(shape),
        }
    }

    /// The name of the kind of a shape, such as "ball" or "mesh": constant text that is not ended by a zero.
    guard shape_kind(of: ConstShapeHandle, name: Out<Bytes>) {
        let kind = shape(of)?.kind_name().as_bytes();
        let (data, count) = (In::of(kind), kind.len());
        name.set(Bytes { data, count }, "name")
    }

    /// The smallest box along the axes around all points within `distance` >= 0 of a shape at a pose, rounded outwards; NULL is the identity.
    guard shape_bounds(of: ConstShapeHandle, pose: In<Pose>, distance: f64, bounds: Out<Bounds>) {
        let pose = pose.optional("pose")?.unwrap_or(&Pose::IDENTITY).read()?;
        if !(distance >= 0.0) {
            let text = format!("distance is {distance}, must be 0 or more");
            return Err(Problem::new(Status::ARGUMENT, text));
        }
        let around = shape(of)?.bounds_within(&pose.checked()?, distance);
        bounds.set(Bounds::of(&around), "bounds")
    }

    /// An upper bound of the distance of the points of a shape from its origin; infinite for a half-space.
    guard shape_bounding_radius(of: ConstShapeHandle, radius: Out<f64>) { radius.set(shape(of)?.bounding_radius(), "radius") }

    /// The volume, mass, centre of mass and inertia of a shape of a density > 0.
    guard shape_mass_properties(of: ConstShapeHandle, density: f32, properties: Out<MassProperties>) {
        let found = shape(of)?.mass_properties(density)?;
        let row = MassProperties {
            volume: found.volume,
            mass: found.mass,
            center_of_mass: found.center_of_mass.to_array(),
            inertia: inertia_numbers(&found),
        };
        properties.set(row, "properties")
    }

    /// How many parts a shape has: 1 if it is no composite.
    guard shape_part_count(of: ConstShapeHandle, count: Out<u32>) {
        let parts = match shape(of)? {
            engine::Shape::Composite(composite) => composite.part_count(),
            _ => 1,
        };
        count.set(parts, "count")
    }

    /// The number of the caller's that a part has; 0 if it has none.
    guard shape_part_user_data(of: ConstShapeHandle, part: u32, user_data: Out<u64>) {
        user_data.set(shape(of)?.part_user_data(part), "user_data")
    }

    /// The cell of a part of voxels.
    call shape_cell_of_part(of: ConstShapeHandle, part: u32, cell: Out<[i32; DIM]>) -> Status {
        of_voxels(of, |voxels| {
            let found = voxels.cell(part);
            let none = || Problem::argument(format!("part is {part}, must be a part of the voxels"));
            cell.set(found.ok_or_else(none)?.to_array(), "cell")
        })
    }

    /// The part of voxels that a cell is; CLR_NO_PART if it is empty.
    call shape_part_of_cell(of: ConstShapeHandle, cell: In<[i32; DIM]>, part: Out<u32>) -> Status {
        of_voxels(of, |voxels| {
            let cell = Cell::from_array(*cell.one("cell")?);
            part.set(voxels.part_of(cell).unwrap_or(u32::MAX), "part")
        })
    }

    /// Whether a cell of voxels is filled.
    call shape_has_cell(of: ConstShapeHandle, cell: In<[i32; DIM]>, is_filled: Out<bool>) -> Status {
        of_voxels(of, |voxels| {
            let cell = Cell::from_array(*cell.one("cell")?);
            is_filled.set(voxels.cells().contains(cell), "is_filled")
        })
    }
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

calls! {
    /// The bytes that a shape shares with those that were made of it.
    guard shape_memory(of: ConstShapeHandle, bytes: Out<usize>) { bytes.set(shape(of)?.shared_memory(), "bytes") }

    /// Writes a shape as bytes, which `clrN_shape_read` of the same version reads on any platform: hulls and trees need not be built again.
    guard shape_write(of: ConstShapeHandle, list: Out<ByteList>) {
        let bytes = postcard::to_extend(&shape(of)?, heading("Shape").into_bytes());
        let bytes = bytes.map_err(|error| Problem::new(Status::STORED, error))?;
        ByteList::fill(list, bytes.into_iter())
    }

    /// The shape of bytes; damaged ones are refused.
    make shape_read(bytes: In<u8>, count: usize) {
        let bytes = without_heading(bytes.array(count, "bytes")?, "Shape")?;
        postcard::from_bytes(bytes).map_err(|error| Problem::new(Status::STORED, error))
    }
}
