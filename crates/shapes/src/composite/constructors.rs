//! The constructors of composites.

use std::collections::HashMap;

use clearance_math::{Aabb, Pose, Real, Vec2, Vec3, Vector, compiled_in_space};

use super::height_field::edit::put_heights_of;
use super::points::cloud_of;
use super::polygon::{area_within, sides_of};
use super::vertices::{List, bits, check_indices, check_vertices};
use super::voxels::{Cells, Tile, Voxels, put_of, voxels_of_cells, voxels_of_list};
use super::{
    Composite, CompositeKind, Compound, CompoundPart, HeightField, HeightPatch, Mesh, Polyline,
};
use crate::error::check_vector;
use crate::{Requirement, Shape, ShapeError};

impl Shape<Vec3> {
    /// A surface of triangles, each of which is given by the indices of three `vertices`. Several
    /// triangles may use a vertex.
    ///
    /// The surface has no inside: what lies within a closed mesh and does not touch it does not
    /// overlap it. The signed distance of a mesh is the least of those of its triangles. Costs O(n
    /// log n) for n triangles.
    ///
    /// ```
    /// use clearance::dim3::{Placed, Pose, Shape, Vec3, proximity};
    ///
    /// let corners = [Vec3::ZERO, Vec3::X, Vec3::Z, Vec3::new(1.0, 0.0, 1.0)];
    /// let floor = Shape::mesh(corners, [[0, 2, 1], [1, 2, 3]])?;
    /// let ball = Shape::ball(0.5)?;
    /// let above = Pose::from_translation(Vec3::new(0.8, 2.0, 0.8));
    /// let (floor, ball) = (Placed::new(&floor, &Pose::IDENTITY), Placed::new(&ball, &above));
    /// let near = proximity(floor, ball, f32::INFINITY)?.near().unwrap();
    /// assert_eq!((near.distance, near.part_a), (1.5, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// No triangles, an index that belongs to no vertex, or a coordinate that is not finite. The
    /// error names the triangle.
    #[doc(alias("trimesh", "triangle_mesh", "mesh_collider", "concave"))]
    pub fn mesh(
        vertices: impl AsRef<[Vec3]>,
        triangles: impl AsRef<[[u32; 3]]>,
    ) -> Result<Self, ShapeError> {
        Self::mesh_of(vertices.as_ref().to_vec(), triangles.as_ref().to_vec())
    }

    compiled_in_space! {
        fn mesh_of(vertices: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Result<Self, ShapeError> {
            let mesh = Mesh::new(vertices, triangles)?;
            Ok(Composite::new(CompositeKind::Mesh(mesh)).into())
        }
    }

    /// A closed mesh with an inside: what lies within overlaps it, a point within has a negative distance, rays that start
    /// within hit at once, and contacts push outwards. Inside is where the surface winds once or more.
    ///
    /// Along each side as many triangles must run in one direction as in the other, and seen from outside corners run
    /// counterclockwise. Vertices at equal coordinates are one. Part i is triangle i. Shells may share corners, sides and
    /// faces, and overlap: what is inside on both sides is no surface. Depths are enclosed by their bounds, which are tight for convex solids and for what is
    /// shallow, and may be apart for others: see docs/book/src/how/bounds.md. Costs O(n log n) for n triangles.
    ///
    /// ```
    /// use clearance::dim3::{Pose, Placed, Shape, Vec3, point_proximity};
    ///
    /// let corners = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
    /// let tent = Shape::solid_mesh(corners, [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])?;
    /// let tent = Placed::new(&tent, &Pose::IDENTITY);
    /// let near = point_proximity(Vec3::new(0.25, 0.25, 0.125), tent, f32::INFINITY)?.near().unwrap();
    /// assert_eq!((near.distance, near.part_b), (-0.125, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Shape::mesh`]; a side without a neighbour; one along which more triangles run in one direction than in the
    /// other; a triangle without area; a volume that is not positive. The error names the triangles.
    #[doc(alias("closed", "volume", "polyhedron"))]
    pub fn solid_mesh(
        vertices: impl AsRef<[Vec3]>,
        triangles: impl AsRef<[[u32; 3]]>,
    ) -> Result<Self, ShapeError> {
        Self::mesh(vertices, triangles)?.solid()
    }

    /// A mesh like that of [`Shape::mesh`] whose equal vertices have been made one, and whose unused
    /// vertices have been left out. Triangles keep their numbers.
    ///
    /// Files that list three vertices for each triangle, as STL does, take half the memory then.
    /// Distances and rays do not depend on it: they go by coordinates.
    ///
    /// ```
    /// use clearance::dim3::{Shape, Vec3};
    ///
    /// let soup = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::X, Vec3::Y, Vec3::ONE];
    /// let mesh = Shape::mesh_welded(soup, [[0, 1, 2], [3, 5, 4]])?;
    /// assert_eq!(mesh, Shape::mesh(
    ///     [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::ONE],
    ///     [[0, 1, 2], [1, 3, 2]],
    /// )?);
    /// # Ok::<(), clearance::ShapeError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Shape::mesh`].
    pub fn mesh_welded(
        vertices: impl AsRef<[Vec3]>,
        triangles: impl AsRef<[[u32; 3]]>,
    ) -> Result<Self, ShapeError> {
        let (vertices, triangles) = Self::welded(vertices.as_ref(), triangles.as_ref())?;
        Self::mesh_of(vertices, triangles)
    }

    /// The vertices that are used, each once, and the triangles by their new numbers.
    fn welded(
        vertices: &[Vec3],
        triangles: &[[u32; 3]],
    ) -> Result<(Vec<Vec3>, Vec<[u32; 3]>), ShapeError> {
        check_indices(List::TRIANGLES, triangles, vertices.len())?;
        check_vertices(List::TRIANGLES, triangles, vertices)?;
        let mut numbers = HashMap::<[u32; 3], u32>::new();
        let mut welded = Vec::new();
        let mut triangles = triangles.to_vec();
        let mut is_used = vec![false; vertices.len()];
        for index in triangles.iter().flatten() {
            is_used[*index as usize] = true;
        }
        // In the order of the vertices, so that the result does not depend on hashing.
        let mut new_index = vec![0; vertices.len()];
        for (old, &vertex) in vertices.iter().enumerate().filter(|(old, _)| is_used[*old]) {
            new_index[old] = *numbers.entry(bits(vertex)).or_insert_with(|| {
                welded.push(vertex);
                welded.len() as u32 - 1
            });
        }
        for index in triangles.iter_mut().flatten() {
            *index = new_index[*index as usize];
        }
        Ok((welded, triangles))
    }

    /// Terrain over the xz plane, centred on the origin of the body: `heights` holds rows of
    /// `columns` heights each, from the least z to the greatest, and in a row from the least x to the
    /// greatest. See [`HeightField`] for the places of the vertices and the numbers of the triangles.
    ///
    /// The field extends over `scale.x` and `scale.z`, and heights are multiplied by `scale.y`. A negative number mirrors
    /// the field. NaN stands for a missing height: the triangles at it are holes. Costs O(n) for n
    /// heights.
    ///
    /// ```
    /// use clearance::dim3::{Placed, Pose, Shape, Vec3, proximity};
    ///
    /// let heights = [0.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0];
    /// let hill = Shape::height_field(heights, 3, Vec3::new(10.0, 1.0, 10.0))?;
    /// let (ball, top) = (Shape::ball(0.5)?, Pose::from_translation(Vec3::new(0.0, 3.0, 0.0)));
    /// let (hill, ball) = (Placed::new(&hill, &Pose::IDENTITY), Placed::new(&ball, &top));
    /// let near = proximity(hill, ball, f32::INFINITY)?.near().unwrap();
    /// assert_eq!(near.distance, 0.5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Fewer than two rows or columns, rows that are not full, a height that is infinite or becomes
    /// so, a scale that is zero or not finite, or no triangle at all.
    #[doc(alias("heightfield", "terrain", "heightmap"))]
    pub fn height_field(
        heights: impl AsRef<[Real]>,
        columns: usize,
        scale: Vec3,
    ) -> Result<Self, ShapeError> {
        let field = HeightField::new(heights.as_ref().to_vec(), columns, scale)?;
        Ok(Composite::new(CompositeKind::HeightField(field)).into())
    }
}

impl Shape<Vec2> {
    /// The area within an outline, without that within the `holes`. It may be concave.
    ///
    /// Each list of vertices is joined to a ring. Rings may run either way, and may have equal or collinear corners, but
    /// must not cross. Part i is the side from vertex i to the next one, counted through the outline and all holes; its
    /// outer side is that of the polygon. Questions are answered as for a [solid mesh](Shape::solid_mesh). Costs O(n log n)
    /// for n vertices; where corners or sides touch, more if many sides lie beside each other along x.
    ///
    /// ```
    /// use clearance::dim2::{Placed, Pose, Shape, Vec2, point_proximity};
    ///
    /// let angle = [[0.0, 0.0], [3.0, 0.0], [3.0, 1.0], [1.0, 1.0], [1.0, 3.0], [0.0, 3.0]].map(Vec2::from);
    /// let angle = Shape::polygon(angle, &[])?;
    /// let distance = |x, y| {
    ///     let placed = Placed::new(&angle, &Pose::IDENTITY);
    ///     point_proximity(Vec2::new(x, y), placed, f32::INFINITY).map(|answer| answer.near().unwrap().distance)
    /// };
    /// assert_eq!((distance(0.5, 2.0)?, distance(2.0, 2.0)?), (-0.5, 1.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A ring of fewer than three vertices; a coordinate that is not finite; two sides that cross, which are named; an
    /// outline without area.
    #[doc(alias("concave", "outline", "loop"))]
    pub fn polygon(vertices: impl AsRef<[Vec2]>, holes: &[Vec<Vec2>]) -> Result<Self, ShapeError> {
        let (vertices, sides) = sides_of(vertices.as_ref(), holes)?;
        area_within(vertices, sides)
    }
}

impl<V: Vector> Shape<V> {
    /// A chain of segments that joins each of `vertices` to the next one. At least two vertices are
    /// needed; repeat the first one at the end to close the chain.
    ///
    /// The chain has no inside, in 2D neither. Costs O(n log n) for n vertices.
    ///
    /// ```
    /// use clearance::dim2::{Placed, Pose, Shape, Vec2, proximity};
    ///
    /// let hills = Shape::polyline([Vec2::ZERO, Vec2::new(2.0, 1.0), Vec2::new(4.0, 1.0)])?;
    /// let (ball, pose) = (Shape::ball(0.5)?, Pose::from_translation(Vec2::new(3.0, 3.0)));
    /// let (hills, ball) = (Placed::new(&hills, &Pose::IDENTITY), Placed::new(&ball, &pose));
    /// let near = proximity(hills, ball, f32::INFINITY)?.near().unwrap();
    /// assert_eq!((near.distance, near.part_a), (1.5, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Fewer than two vertices, or a coordinate that is not finite.
    #[doc(alias("chain", "edge_chain"))]
    pub fn polyline(vertices: impl AsRef<[V]>) -> Result<Self, ShapeError> {
        let vertices = vertices.as_ref();
        if vertices.len() < 2 {
            return Err(ShapeError::TooFewVertices {
                count: vertices.len(),
            });
        }
        let segments = (1..vertices.len() as u32).map(|end| [end - 1, end]);
        Self::polyline_of_segments(vertices, segments.collect::<Vec<_>>())
    }

    /// Segments, each of which is given by the indices of two `vertices`. Several segments may use a
    /// vertex.
    ///
    /// # Errors
    /// No segments, an index that belongs to no vertex, or a coordinate that is not finite. The
    /// error names the segment.
    pub fn polyline_of_segments(
        vertices: impl AsRef<[V]>,
        segments: impl AsRef<[[u32; 2]]>,
    ) -> Result<Self, ShapeError> {
        let polyline = Polyline::new(vertices.as_ref().to_vec(), segments.as_ref().to_vec())?;
        Ok(Composite::new(CompositeKind::Polyline(polyline)).into())
    }

    /// Balls of one `radius` >= 0 about up to 16,777,216 `points`: what a depth camera or a laser scanner saw. With a radius of 0
    /// they are the points themselves. Part i is the ball about point i.
    ///
    /// A point takes less than 16 bytes in space, its share of the tree included. Costs O(n log n) for n points.
    ///
    /// ```
    /// use clearance::dim3::{Placed, Pose, Shape, Vec3, point_proximity};
    ///
    /// let scan = Shape::points([Vec3::ZERO, Vec3::X, Vec3::new(1.0, 1.0, 0.0)], 0.25)?;
    /// let placed = Placed::new(&scan, &Pose::IDENTITY);
    /// let near = point_proximity(Vec3::new(1.0, 3.0, 0.0), placed, f32::INFINITY)?.near().unwrap();
    /// assert_eq!((near.distance, near.part_b), (1.75, 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// No points or too many, a coordinate or a radius that is not finite, or a negative radius.
    #[doc(alias("point_cloud", "pointcloud", "spheres"))]
    pub fn points(points: impl AsRef<[V]>, radius: Real) -> Result<Self, ShapeError> {
        let cloud = cloud_of(points.as_ref(), radius)?;
        Ok(Composite::new(CompositeKind::Points(cloud)).into())
    }

    /// Filled cells of a grid, such as voxels or the tiles of a map. Cell (i, j, k) is the cuboid from (i, j, k) to
    /// (i + 1, j + 1, k + 1), each times `size`. Part i is cell i of the list. Costs O(n) for n cells, and 9 bytes for each.
    ///
    /// The answers are those of a compound of the cuboids, but faces between two cells are no surface: a body that slides over
    /// them has no contacts there in [`World::surface_contacts`], and a ray from within, with [`Interior::Hollow`], passes.
    ///
    /// [`World::surface_contacts`]: https://docs.rs/clearance/latest/clearance/dim3/type.World.html
    /// [`Interior::Hollow`]: https://docs.rs/clearance/latest/clearance/enum.Interior.html
    ///
    /// ```
    /// use clearance::dim2::{IVec2, Placed, Pose, Shape, Vec2, point_proximity};
    ///
    /// let stairs = [[0, 0], [1, 0], [1, 1]].map(IVec2::from);
    /// let stairs = Shape::voxels(Vec2::new(2.0, 1.0), stairs)?;
    /// let placed = Placed::new(&stairs, &Pose::IDENTITY);
    /// let near = point_proximity(Vec2::new(3.0, 2.5), placed, f32::INFINITY)?.near().unwrap();
    /// assert_eq!((near.distance, near.part_b), (0.5, 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A size that is not > 0; a cell twice, one beyond the range of numbers, or cells in more than 262,144 chunks.
    #[doc(alias("tiles", "tilemap", "grid"))]
    pub fn voxels(size: V, cells: impl AsRef<[V::Cell]>) -> Result<Self, ShapeError> {
        Self::tiles(size, cells, [])
    }

    /// [Voxels](Shape::voxels) with a palette of shapes that their cells can have: slopes, halves, and other convex shapes.
    /// The cells are whole at first; [`Shape::set_tiles`] makes some of them tiles. Costs as [`Shape::voxels`].
    ///
    /// # Errors
    /// Those of [`Shape::voxels`]; more than 255 tiles, one that is not convex, of your own, or not within its cell.
    #[doc(alias("slopes", "tilemap"))]
    pub fn tiles(
        size: V,
        cells: impl AsRef<[V::Cell]>,
        palette: impl Into<Vec<Tile<V>>>,
    ) -> Result<Self, ShapeError> {
        let cells: Vec<_> = cells.as_ref().iter().copied().map(Some).collect();
        voxels_of_list(size, &cells, palette.into())
    }

    /// The filled cells of a set of [`Cells`]: for worlds that are large or change. They have numbers as parts that stay the
    /// same whatever is changed, see [`Voxels`](crate::Voxels), and take a bit each where they are dense. Costs O(n) for n
    /// chunks, which are shared.
    ///
    /// ```
    /// use clearance::dim3::{Cells, IVec3, Shape, Vec3};
    ///
    /// let mut cells = Cells::new();
    /// cells.set_box(IVec3::new(0, 0, 0), IVec3::new(255, 15, 255), true)?;
    /// let ground = Shape::voxels_of(Vec3::splat(0.5), cells)?;
    /// assert_eq!(ground.mass_properties(1.0)?.volume, 128.0 * 8.0 * 128.0);
    /// # Ok::<(), clearance::ShapeError>(())
    /// ```
    ///
    /// # Errors
    /// A size that is not > 0; a cell beyond the range of numbers.
    pub fn voxels_of(size: V, cells: Cells<V>) -> Result<Self, ShapeError> {
        Self::tiles_of(size, cells, [])
    }

    /// The same with a palette of shapes that cells can have: slopes, halves, and other convex shapes. An entry k of
    /// [`Cells::set_tile`] is tile k - 1 of the palette, and 0 the whole cell. [`Voxels::tile`](crate::Voxels::tile) tells which
    /// one a part is. Costs as [`Shape::voxels_of`], and a byte for each cell of the chunks that have tiles.
    ///
    /// The answers are those of a compound of the shapes. A ray from within, with `Interior::Hollow`, passes between whole
    /// cells only.
    ///
    /// ```
    /// use clearance::dim2::{Cells, IVec2, Shape, Tile, Vec2};
    ///
    /// let slope = Tile { user: 7, ..Tile::new(Shape::hull([Vec2::ZERO, Vec2::X, Vec2::ONE])?) };
    /// let mut cells = Cells::new();
    /// cells.set_box(IVec2::new(0, 0), IVec2::new(9, 0), true)?;
    /// cells.set_tile(IVec2::new(4, 1), 1)?;
    /// let ground = Shape::tiles_of(Vec2::ONE, cells, [slope])?;
    /// assert_eq!(ground.mass_properties(1.0)?.volume, 10.5);
    /// # Ok::<(), clearance::ShapeError>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Shape::voxels_of`]; more than 255 tiles, one that is not convex, of your own, or not within its cell; cells
    /// with entries that the palette does not have.
    #[doc(alias("slopes", "tilemap"))]
    pub fn tiles_of(
        size: V,
        cells: Cells<V>,
        palette: impl Into<Vec<Tile<V>>>,
    ) -> Result<Self, ShapeError> {
        voxels_of_cells(size, cells, palette.into())
    }

    /// Changes a block of the heights of a [height field](Shape::height_field), as a bulldozer does. Parts keep their numbers;
    /// clones of the shape stay as they are.
    ///
    /// Costs O(k) for k heights and O(n / 256) for a field of n; a shape that clones share is copied before.
    ///
    /// ```
    /// use clearance::dim3::{HeightPatch, Pose, Shape, Vec3};
    ///
    /// let mut ground = Shape::height_field([0.0; 25], 5, Vec3::new(8.0, 1.0, 8.0))?;
    /// let ditch = [-1.0, -1.0, f32::NAN];
    /// ground.set_heights(HeightPatch { row: 2, column: 1, columns: 3, heights: &ditch })?;
    /// assert!((ground.bounds(&Pose::IDENTITY).min.y + 1.0).abs() < 1e-6);
    /// // The four cells around the last one are holes now, but for their other triangles.
    /// let Shape::Composite(field) = &ground else { unreachable!() };
    /// assert_eq!((0..32).filter(|&part| field.part(part).is_some()).count(), 26);
    /// # Ok::<(), clearance::ShapeError>(())
    /// ```
    ///
    /// # Errors
    /// A shape of another kind; heights that are no full rows or do not lie within the field; one that is infinite or becomes
    /// so; no triangle left. Then nothing has changed.
    #[doc(alias("deform", "dig", "edit"))]
    pub fn set_heights(&mut self, patch: HeightPatch<'_>) -> Result<(), ShapeError> {
        self.edit_heights(patch).map(|_| ())
    }

    /// The same, which answers a box around all that is not as it was; `None` if nothing changed.
    pub fn edit_heights(&mut self, patch: HeightPatch<'_>) -> Result<Option<Aabb<V>>, ShapeError> {
        put_heights_of(self, patch)
    }

    /// The cells of the shape, if it is [voxels](Shape::voxels) or [tiles](Shape::tiles).
    #[must_use]
    pub fn as_voxels(&self) -> Option<&Voxels<V>> {
        match self {
            Self::Composite(composite) => match composite.kind() {
                CompositeKind::Voxels(voxels) => Some(voxels),
                _ => None,
            },
            Self::Convex(_) | Self::HalfSpace(_) => None,
        }
    }

    /// Fills or empties cells of [voxels](Shape::voxels): digs and builds. Tiles become whole cells. Clones of the shape stay as they are; what
    /// is not changed is shared with them, in chunks of 4,096 cells.
    ///
    /// A cell that is filled has the number that it had as a part if the shape was made of [`Cells`], else the next one.
    ///
    /// ```
    /// use clearance::dim2::{IVec2, Shape, Vec2};
    ///
    /// let mut tiles = Shape::voxels(Vec2::ONE, [IVec2::new(0, 0), IVec2::new(1, 0)])?;
    /// tiles.set_cells([IVec2::new(0, 0)], false)?;
    /// assert_eq!(tiles.mass_properties(1.0)?.volume, 1.0);
    /// tiles.set_cells([IVec2::new(1, 0)], false)?;
    /// assert_eq!(tiles.mass_properties(1.0)?.volume, 0.0);
    /// # Ok::<(), clearance::ShapeError>(())
    /// ```
    ///
    /// # Errors
    /// A shape of another kind; cells beyond the range of numbers or in more than 262,144 chunks. Then nothing
    /// has changed.
    #[doc(alias("dig", "build", "edit"))]
    pub fn set_cells(
        &mut self,
        cells: impl AsRef<[V::Cell]>,
        filled: bool,
    ) -> Result<(), ShapeError> {
        put_of(self, cells.as_ref(), filled.then_some(0))
    }

    /// Fills cells of voxels with an entry of their palette: k is tile k - 1, and 0 the whole cell. As [`Shape::set_cells`],
    /// but while there are tiles each edit costs O(n) for n chunks, since the box around all parts is found anew.
    ///
    /// # Errors
    /// Those of [`Shape::set_cells`]; an entry that the palette does not have. Then nothing has changed.
    pub fn set_tiles(&mut self, cells: impl AsRef<[V::Cell]>, entry: u8) -> Result<(), ShapeError> {
        put_of(self, cells.as_ref(), Some(entry))
    }

    /// The union of placed shapes, such as a table of five cuboids. Any kind but half-spaces will do,
    /// composites and compounds in compounds included. See [`Compound`] for the numbers of the parts.
    ///
    /// The signed distance of a compound is the least of those of its parts. Costs O(n log n) for n
    /// parts.
    ///
    /// ```
    /// use clearance::dim2::{CompoundPart, Pose, Shape, Vec2};
    ///
    /// let ball = Shape::ball(1.0)?;
    /// let ball_at = |x| CompoundPart::new(ball.clone(), Pose::from_translation(Vec2::new(x, 0.0)));
    /// let dumbbell = Shape::compound([ball_at(-3.0), ball_at(3.0)])?;
    /// let bounds = dumbbell.bounds(&Pose::IDENTITY);
    /// assert!((bounds.max - Vec2::new(4.0, 1.0)).length() < 1e-6);
    /// # Ok::<(), clearance::ShapeError>(())
    /// ```
    ///
    /// # Errors
    /// No parts, or none but voxels without cells; a half-space, a pose that is not valid, or compounds that are nested more than
    /// [`MOST_NESTED`](crate::MOST_NESTED) deep. The error names the part.
    pub fn compound(parts: impl AsRef<[CompoundPart<V>]>) -> Result<Self, ShapeError> {
        let compound = Compound::new(parts.as_ref().to_vec(), None)?;
        Ok(Composite::new(CompositeKind::Compound(compound)).into())
    }

    /// The union of the convex hulls of lists of points: what a convex decomposition such as that of CoACD or V-HACD gives. Part i
    /// is the hull of list i.
    ///
    /// ```
    /// use clearance::dim2::{Shape, Vec2};
    ///
    /// let arm = [[0.0, 0.0], [3.0, 0.0], [3.0, 1.0], [0.0, 1.0]].map(Vec2::from);
    /// let l = Shape::compound_of_hulls([arm, arm.map(|corner| corner.perp() + Vec2::X)])?;
    /// assert_eq!(l.mass_properties(1.0)?.volume, 6.0); // Where both overlap counts twice.
    /// let refused = Shape::compound_of_hulls([arm.to_vec(), vec![]]).unwrap_err();
    /// assert_eq!(refused.to_string(), "compound: parts[1]: hull: points is empty, must hold at least one point");
    /// # Ok::<(), clearance::ShapeError>(())
    /// ```
    ///
    /// # Errors
    /// No lists, one without points, or a coordinate that is not finite. The error names the list.
    #[doc(alias("convex_decomposition", "vhacd", "coacd"))]
    pub fn compound_of_hulls<P: AsRef<[V]>>(pieces: impl AsRef<[P]>) -> Result<Self, ShapeError> {
        let part = |(index, points): (usize, &P)| match Self::hull(points) {
            Ok(shape) => Ok(CompoundPart::new(shape, Pose::IDENTITY)),
            Err(error) => Err(error.in_part(index)),
        };
        let parts: Result<Vec<_>, _> = pieces.as_ref().iter().enumerate().map(part).collect();
        Self::compound(parts?)
    }

    /// This shape in a body whose origin is `point`, a point in the frame of the shape: the hinge of a door, the joint of a
    /// link. Since bodies and casts turn about their origins, what turns that body leads the shape about the point, on an
    /// exact arc.
    ///
    /// A body of this shape at `pose` is one of the new shape at `pose * Pose::from_translation(point)`. The new shape is
    /// a compound of this one, whose parts keep their numbers. Costs as [`Shape::compound`].
    ///
    /// ```
    /// use clearance::dim2::{Cast, CastOptions, Motion, Placed, Pose, Shape, Vec2, cast_shapes};
    ///
    /// // A door of width 1 that swings about its left edge, up by a half turn, and a post over its right edge.
    /// let (door, at) = (Shape::cuboid(Vec2::new(0.5, 0.01))?, Pose::from_translation(Vec2::new(3.0, 0.0)));
    /// let hinge = Vec2::new(-0.5, 0.0);
    /// let (leaf, joint) = (door.with_origin_at(hinge)?, at * Pose::from_translation(hinge));
    /// let swing = Cast::new(Placed::new(&leaf, &joint), Motion::new(Vec2::ZERO, core::f32::consts::PI));
    /// let (post, place) = (Shape::ball(0.09)?, Pose::from_translation(Vec2::new(2.5, 0.8)));
    /// let post = Cast::resting(Placed::new(&post, &place));
    /// let hit = cast_shapes(swing, post, CastOptions::default())?.unwrap();
    /// // Where the sine of the angle that is left to the upright door is (0.09 + 0.01) / 0.8.
    /// let left = 0.5 - 0.125_f32.asin() / core::f32::consts::PI;
    /// assert!((hit.time - left).abs() < 1e-5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A point that is not finite; a half-space; compounds that would be nested more than [`MOST_NESTED`](crate::MOST_NESTED) deep.
    #[doc(alias("pivot", "hinge", "joint", "offset"))]
    pub fn with_origin_at(&self, point: V) -> Result<Self, ShapeError> {
        check_vector(self.kind_name(), "point", point, Requirement::Finite)?;
        Self::compound([CompoundPart {
            shape: self.clone(),
            pose: Pose::from_translation(-point),
        }])
    }
}
