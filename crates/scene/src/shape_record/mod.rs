//! Shapes as files describe them.

mod describe;
mod write;

use clearance_math::{Pose, Real, Vec3};
use clearance_shapes::{CompoundPart, OneWay, Shape, ShapeError, Tile};

use crate::mesh_files::Form;
use crate::problem::Problem;
use crate::{FileVector, MeshFile, MeshFiles};

/// The description of a shape in a file: its type and fields.
#[derive(Clone, Debug, PartialEq)]
pub enum ShapeRecord<V: FileVector> {
    /// Circle or sphere centred on the origin.
    Ball {
        /// Greater than zero.
        radius: Real,
    },
    /// Box centred on the origin.
    Cuboid {
        /// Half the lengths of the sides, each greater than zero.
        half_extents: V,
    },
    /// Segment along y, centred on the origin, swept by a ball.
    Capsule {
        /// Half the length of the segment, at least zero.
        half_length: Real,
        /// Radius of the ball, greater than zero.
        radius: Real,
    },
    /// The points between two ends.
    Segment {
        /// One end.
        a: V,
        /// The other end.
        b: V,
    },
    /// The points between three corners.
    Triangle {
        /// The first corner.
        a: V,
        /// The second corner.
        b: V,
        /// The third corner.
        c: V,
    },
    /// The convex hull of points.
    Hull {
        /// At least one.
        points: Vec<V>,
    },
    /// The convex hull of the vertices in an OBJ or STL file; 3D only.
    HullOfFile {
        /// The file; its corners are not welded.
        file: MeshFile,
    },
    /// Cylinder about y, centred on the origin; 3D only.
    Cylinder {
        /// Half the height, greater than zero.
        half_height: Real,
        /// Greater than zero.
        radius: Real,
    },
    /// Cone about y, apex at `half_height`, base at `-half_height`; 3D only.
    Cone {
        /// Half the height, greater than zero.
        half_height: Real,
        /// Radius of the base, greater than zero.
        radius: Real,
    },
    /// The convex hull of two balls on the y axis.
    TaperedCapsule {
        /// Half the distance between the centres, at least zero.
        half_length: Real,
        /// Radius of the upper ball, greater than zero.
        radius_top: Real,
        /// Radius of the lower ball, greater than zero.
        radius_bottom: Real,
    },
    /// The convex hull of two discs across the y axis; 3D only.
    TaperedCylinder {
        /// Half the height, greater than zero.
        half_height: Real,
        /// Radius of the upper disc, at least zero.
        radius_top: Real,
        /// Radius of the lower disc, at least zero; one of both must be greater than zero.
        radius_bottom: Real,
    },
    /// Ellipse or ellipsoid centred on the origin.
    Ellipsoid {
        /// Half the lengths of the axes, each greater than zero.
        radii: V,
    },
    /// All points x with `normal . x <= 0`.
    HalfSpace {
        /// Of unit length within a thousandth.
        normal: V,
    },
    /// The Minkowski sum of a shape and a ball.
    Rounded {
        /// The shape inside.
        shape: Box<ShapeRecord<V>>,
        /// Radius of the ball, greater than zero.
        radius: Real,
    },
    /// A surface of triangles; 3D only.
    Mesh {
        /// Where the triangles come from.
        source: MeshSource<V>,
    },
    /// Segments that share vertices.
    Polyline {
        /// At least two.
        vertices: Vec<V>,
        /// Two indices of vertices each; `None` to join each vertex to the next one.
        segments: Option<Vec<[u32; 2]>>,
    },
    /// Terrain over the xz plane, centred on the origin; 3D only.
    HeightField {
        /// At least two rows, each of the same length of at least two; `None` is a missing height.
        heights: Vec<Vec<Option<Real>>>,
        /// The extents along x and z, and the factor of the heights; each greater than zero.
        scale: V,
    },
    /// Balls of one radius.
    Points {
        /// At least one.
        points: Vec<V>,
        /// At least zero.
        radius: Real,
    },
    /// Filled cells of a grid.
    Voxels {
        /// The size of each cell, greater than zero along each axis.
        size: V,
        /// At least one, none twice.
        cells: Vec<V::Cell>,
        /// What cells can be instead of whole.
        palette: Vec<TileRecord<V>>,
        /// For each cell 0 for a whole one, or one more than the number of its tile in the palette. Empty if all are whole.
        tiles: Vec<u8>,
    },
    /// A composite whose faces count on their outer sides only. In files it is a field of the shape: `one_sided`.
    OneSided {
        /// A mesh, a height field, or a polyline in 2D.
        shape: Box<ShapeRecord<V>>,
        /// Up to which depth contacts count, at least zero.
        depth: Real,
    },
    /// A closed mesh with an inside. In files it is a field of the mesh: `solid`.
    Solid {
        /// The mesh.
        shape: Box<ShapeRecord<V>>,
    },
    /// A shape whose parts count from one side only. In files it is a field of a compound: `one_way`.
    OneWay {
        /// The shape.
        shape: Box<ShapeRecord<V>>,
        /// The side from which they count.
        side: OneWay<V>,
    },
    /// A composite with numbers of the user for its parts. In files they are a field of the shape: `user`.
    WithUserData {
        /// The composite: any but voxels, whose tiles have numbers.
        shape: Box<ShapeRecord<V>>,
        /// One for each part, or each shape of a compound.
        user: Vec<u64>,
    },
    /// The area within an outline; 2D only.
    Polygon {
        /// At least three.
        vertices: Vec<V>,
        /// The outlines of the holes.
        holes: Vec<Vec<V>>,
    },
    /// The union of placed shapes.
    Compound {
        /// At least one.
        parts: Vec<PartRecord<V>>,
    },
}

/// Where the triangles of a mesh come from.
#[derive(Clone, Debug, PartialEq)]
pub enum MeshSource<V> {
    /// They are written in place.
    Lists {
        /// The vertices.
        vertices: Vec<V>,
        /// Three indices of vertices each; at least one.
        triangles: Vec<[u32; 3]>,
    },
    /// An OBJ or STL file.
    File(MeshFile),
}

/// A part of a compound: a shape with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct PartRecord<V: FileVector> {
    /// The pose of the shape in the frame of the compound.
    pub pose: Pose<V>,
    /// The shape: any but a half-space.
    pub shape: ShapeRecord<V>,
}

/// A tile of the palette of voxels: what a cell can be instead of the whole cuboid.
#[derive(Clone, Debug, PartialEq)]
pub struct TileRecord<V: FileVector> {
    /// A convex shape in the frame of the least corner of the cell, within it.
    pub shape: ShapeRecord<V>,
    /// A number of the user.
    pub user: u64,
    /// The only side on which it counts; `None` for all.
    pub one_way: Option<OneWay<V>>,
}

impl<V: FileVector> ShapeRecord<V> {
    /// The value of the field `type`.
    #[must_use]
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Ball { .. } => "ball",
            Self::Cuboid { .. } => "cuboid",
            Self::Capsule { .. } => "capsule",
            Self::Segment { .. } => "segment",
            Self::Triangle { .. } => "triangle",
            Self::Hull { .. } | Self::HullOfFile { .. } => "hull",
            Self::Cylinder { .. } => "cylinder",
            Self::Cone { .. } => "cone",
            Self::TaperedCapsule { .. } => "tapered_capsule",
            Self::TaperedCylinder { .. } => "tapered_cylinder",
            Self::Ellipsoid { .. } => "ellipsoid",
            Self::HalfSpace { .. } => "half_space",
            Self::Rounded { .. } => "rounded",
            Self::Mesh { .. } => "mesh",
            Self::Polyline { .. } => "polyline",
            Self::HeightField { .. } => "height_field",
            Self::Points { .. } => "points",
            Self::Voxels { .. } => "voxels",
            Self::OneWay { .. } | Self::Compound { .. } => "compound",
            Self::OneSided { shape, .. }
            | Self::Solid { shape }
            | Self::WithUserData { shape, .. } => shape.type_name(),
            Self::Polygon { .. } => "polygon",
        }
    }

    /// Whether the shape is made of numbered parts.
    #[must_use]
    pub fn is_composite(&self) -> bool {
        matches!(
            self,
            Self::Mesh { .. }
                | Self::Polyline { .. }
                | Self::HeightField { .. }
                | Self::Points { .. }
                | Self::Voxels { .. }
                | Self::OneSided { .. }
                | Self::OneWay { .. }
                | Self::WithUserData { .. }
                | Self::Solid { .. }
                | Self::Polygon { .. }
                | Self::Compound { .. }
        )
    }

    /// Builds the shape. Meshes that are named by their paths are taken from `files`.
    ///
    /// # Errors
    /// A number out of its range, a type that does not exist in this dimension, or a file that
    /// cannot be read.
    pub fn build(&self, files: &MeshFiles) -> Result<Shape<V>, Problem> {
        let shape = match self {
            Self::Ball { radius } => Shape::ball(*radius),
            Self::Cuboid { half_extents } => Shape::cuboid(*half_extents),
            Self::Capsule {
                half_length,
                radius,
            } => Shape::capsule(*half_length, *radius),
            Self::Segment { a, b } => Shape::segment(*a, *b),
            Self::Triangle { a, b, c } => Shape::triangle(*a, *b, *c),
            Self::Hull { points } => Shape::hull(points),
            Self::HullOfFile { file } => return self.build_file(Form::Hull, file, files),
            Self::Cylinder {
                half_height,
                radius,
            } => return self.of_space(Shape::cylinder(*half_height, *radius)),
            Self::Cone {
                half_height,
                radius,
            } => return self.of_space(Shape::cone(*half_height, *radius)),
            Self::TaperedCapsule {
                half_length,
                radius_top,
                radius_bottom,
            } => Shape::tapered_capsule(*half_length, *radius_top, *radius_bottom),
            Self::TaperedCylinder {
                half_height,
                radius_top,
                radius_bottom,
            } => {
                let built = Shape::tapered_cylinder(*half_height, *radius_top, *radius_bottom);
                return self.of_space(built);
            }
            Self::Ellipsoid { radii } => Shape::ellipsoid(*radii),
            Self::HalfSpace { normal } => Shape::half_space(*normal),
            Self::Rounded { shape, radius } => shape
                .build(files)
                .map_err(|problem| problem.inside_field("shape"))?
                .rounded(*radius),
            Self::Mesh { source } => return self.build_mesh(source, files),
            Self::Polyline { vertices, segments } => match segments {
                Some(segments) => Shape::polyline_of_segments(vertices, segments),
                None => Shape::polyline(vertices),
            },
            Self::Points { points, radius } => Shape::points(points, *radius),
            Self::Voxels { .. } => return self.build_voxels(files),
            Self::OneSided { shape, depth } => shape.build(files)?.one_sided(*depth),
            Self::Solid { shape } => shape.build(files)?.solid(),
            Self::OneWay { shape, side } => shape.build(files)?.one_way(*side),
            Self::WithUserData { shape, user } => shape.build(files)?.with_part_user_data(user),
            Self::Polygon { vertices, holes } => {
                V::polygon(vertices, holes).ok_or_else(|| self.only_in("2D"))?
            }
            Self::HeightField { heights, scale } => self.build_height_field(heights, *scale)?,
            Self::Compound { parts } => build_compound(parts, files)?,
        };
        shape.map_err(|error| located(&error))
    }

    fn build_voxels(&self, files: &MeshFiles) -> Result<Shape<V>, Problem> {
        let Self::Voxels {
            size,
            cells,
            palette,
            tiles,
        } = self
        else {
            return Err(Problem::new(0, "type", "is not of voxels".to_owned()));
        };
        let mut built = Vec::with_capacity(palette.len());
        for (index, tile) in palette.iter().enumerate() {
            let shape = tile.shape.build(files).map_err(|problem| {
                let problem = problem.inside_field("shape").inside_list(index);
                problem.inside_field("palette")
            })?;
            built.push(Tile {
                shape,
                user: tile.user,
                one_way: tile.one_way,
            });
        }
        let mut shape = Shape::tiles(*size, cells, built).map_err(|error| located(&error))?;
        let greatest = tiles.iter().copied().max().unwrap_or(0);
        for entry in 1..=greatest {
            let own = cells.iter().zip(tiles).filter(|&(_, &own)| own == entry);
            let own: Vec<_> = own.map(|(&cell, _)| cell).collect();
            shape
                .set_tiles(own, entry)
                .map_err(|error| located(&error))?;
        }
        Ok(shape)
    }

    fn build_mesh(&self, source: &MeshSource<V>, files: &MeshFiles) -> Result<Shape<V>, Problem> {
        match source {
            MeshSource::Lists {
                vertices,
                triangles,
            } => V::mesh(vertices, triangles)
                .ok_or_else(|| self.only_in_space())?
                .map_err(|error| located(&error)),
            MeshSource::File(file) => self.build_file(Form::Mesh, file, files),
        }
    }

    fn build_file(
        &self,
        form: Form,
        file: &MeshFile,
        files: &MeshFiles,
    ) -> Result<Shape<V>, Problem> {
        V::shape_of_space(files.shape(form, file)?).ok_or_else(|| self.only_in_space())
    }

    fn of_space(&self, built: Result<Shape<Vec3>, ShapeError>) -> Result<Shape<V>, Problem> {
        let shape = built.map_err(|error| located(&error))?;
        V::shape_of_space(shape).ok_or_else(|| self.only_in_space())
    }

    fn build_height_field(
        &self,
        rows: &[Vec<Option<Real>>],
        scale: V,
    ) -> Result<Result<Shape<V>, ShapeError>, Problem> {
        let columns = rows.first().map_or(0, Vec::len);
        if let Some(index) = rows.iter().position(|row| row.len() != columns) {
            let text = format!("has {} heights, must have {columns}", rows[index].len());
            return Err(Problem::new(0, format!("heights[{index}]"), text));
        }
        let heights = rows.iter().flatten();
        let heights = heights.map(|height| height.unwrap_or(Real::NAN)).collect();
        V::height_field(heights, columns, scale).ok_or_else(|| self.only_in_space())
    }

    fn only_in_space(&self) -> Problem {
        self.only_in("3D")
    }

    fn only_in(&self, dimension: &str) -> Problem {
        Problem::new(0, "type", only_in(dimension, self.type_name()))
    }
}

/// The refusal of a type in the other dimension.
pub(crate) fn only_in(dimension: &str, type_name: &str) -> String {
    format!("a {type_name} exists in {dimension} only")
}

fn build_compound<V: FileVector>(
    parts: &[PartRecord<V>],
    files: &MeshFiles,
) -> Result<Result<Shape<V>, ShapeError>, Problem> {
    let mut built = Vec::with_capacity(parts.len());
    for (index, part) in parts.iter().enumerate() {
        let shape = part.shape.build(files).map_err(|problem| {
            let in_part = problem.inside_field("shape").inside_list(index);
            in_part.inside_field("parts")
        })?;
        built.push(CompoundPart {
            shape,
            pose: part.pose,
        });
    }
    Ok(Shape::compound(built))
}

/// The error of a constructor with its field as the path.
fn located(error: &ShapeError) -> Problem {
    let (path, text) = match error {
        ShapeError::Number {
            field,
            value,
            requirement,
            ..
        } => (
            (*field).to_owned(),
            format!("is {value}, must be {requirement}"),
        ),
        ShapeError::Component {
            field,
            axis,
            value,
            requirement,
            ..
        } => (
            format!("{field}[{axis}]"),
            format!("is {value}, must be {requirement}"),
        ),
        ShapeError::NotUnit { shape, length } if *shape == "one_way" => (
            "one_way.normal".to_owned(),
            format!("has length {length}, must be of unit length (within 1e-3)"),
        ),
        ShapeError::UserDataCount { count, places, .. } => (
            "user".to_owned(),
            format!("has {count} numbers, must have {places}"),
        ),
        ShapeError::NotUnit { length, .. } => (
            "normal".to_owned(),
            format!("has length {length}, must be of unit length (within 1e-3)"),
        ),
        error => return located_in_composite(error),
    };
    Problem::new(0, path, text)
}

/// The error of the constructor of a composite with its field as the path.
fn located_in_composite(error: &ShapeError) -> Problem {
    let (path, text) = match error {
        ShapeError::TooFewVertices { count } => (
            "vertices".to_owned(),
            format!("has length {count}, must be at least 2"),
        ),
        ShapeError::OnlyHoles => (
            "heights".to_owned(),
            "leave no triangle: each has a corner that is null".to_owned(),
        ),
        ShapeError::PartCount {
            field, count, most, ..
        } => (
            (*field).to_owned(),
            format!("has {count} elements, must have from 1 to {most}"),
        ),
        ShapeError::NoSuchVertex {
            field,
            index,
            vertex,
            vertices,
            ..
        } => (
            format!("{field}[{index}]"),
            format!("names vertex {vertex}, must be less than {vertices}"),
        ),
        ShapeError::Vertex {
            list,
            vertex,
            axis,
            value,
            ..
        } => (
            format!("{list}[{vertex}][{axis}]"),
            format!("is {value}, must be finite"),
        ),
        ShapeError::Height { row, column, value } => (
            format!("heights[{row}][{column}]"),
            format!("is {value}, must be finite when scaled"),
        ),
        ShapeError::Grid { .. } => ("heights".to_owned(), error.to_string()),
        ShapeError::CannotRound { .. } | ShapeError::NotInCompound { .. } => {
            ("shape".to_owned(), error.to_string())
        }
        ShapeError::Part { index, error } => {
            let in_part = located(error).inside_list(*index);
            return in_part.inside_field("parts");
        }
        ShapeError::Tile { index, error } => return located_in_tile(*index, error),
        error => located_in_element(error),
    };
    Problem::new(0, path, text)
}

fn located_in_tile(index: usize, error: &ShapeError) -> Problem {
    let own = located(error);
    let own = match error {
        ShapeError::NotUnit {
            shape: "one_way", ..
        } => own,
        ShapeError::Number {
            shape: "one_way", ..
        } => own.inside_field("one_way"),
        _ => own.inside_field("shape"),
    };
    own.inside_list(index).inside_field("palette")
}

/// The same for an element of a list of triangles, cells or corners: path and text.
fn located_in_element(error: &ShapeError) -> (String, String) {
    match error {
        ShapeError::CellTwice {
            cells: [first, second],
        } => (
            format!("cells[{second}]"),
            format!("is the same as cells[{first}], must differ"),
        ),
        ShapeError::PartTooFar {
            shape: "voxels",
            number,
        } => (
            format!("cells[{number}]"),
            "extends beyond the range of numbers".to_owned(),
        ),
        ShapeError::NoSuchTile { .. } => ("tiles".to_owned(), error.to_string()),
        ShapeError::FlatTriangle { index } => (
            format!("triangles[{index}]"),
            "has no area, every triangle of a solid mesh must have some".to_owned(),
        ),
        ShapeError::RingTooShort { ring, count } => (
            ring.checked_sub(1)
                .map_or_else(|| "vertices".to_owned(), |hole| format!("holes[{hole}]")),
            format!("has length {count}, must be at least 3"),
        ),
        error => (String::new(), error.to_string()),
    }
}
