//! Errors of shapes.

use clearance_math::Real;

use crate::HullError;

/// The range in which a number of a shape must lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Requirement {
    /// Neither NaN nor infinite.
    #[error("finite")]
    Finite,
    /// Finite and greater than zero.
    #[error("finite and > 0")]
    Positive,
    /// Finite and at least zero.
    #[error("finite and >= 0")]
    NotNegative,
    /// Finite, and greater or less than zero.
    #[error("finite and not 0")]
    NotZero,
}

impl Requirement {
    fn is_met_by(self, value: Real) -> bool {
        value.is_finite()
            && match self {
                Self::Finite => true,
                Self::Positive => value > 0.0,
                Self::NotNegative => value >= 0.0,
                Self::NotZero => value != 0.0,
            }
    }
}

/// The error of a shape that is not valid. The message names the kind of the shape, the
/// field, its value and what is allowed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// A number is out of its range.
    #[error("{shape}: {field} is {value}, must be {requirement}")]
    Number {
        /// The name of the kind of the shape, as in scene files.
        shape: &'static str,
        /// The name of the field, as in the constructor and in scene files.
        field: &'static str,
        /// The value that was given.
        value: Real,
        /// What the value must be.
        requirement: Requirement,
    },
    /// A component of a vector is out of its range.
    #[error("{shape}: {field}[{axis}] is {value}, must be {requirement}")]
    Component {
        /// The name of the kind of the shape, as in scene files.
        shape: &'static str,
        /// The name of the field, as in the constructor and in scene files.
        field: &'static str,
        /// The axis: 0 is x, 1 is y, 2 is z.
        axis: usize,
        /// The value that was given.
        value: Real,
        /// What the value must be.
        requirement: Requirement,
    },
    /// Both discs of a tapered cylinder are points.
    #[error("tapered_cylinder: radius_top and radius_bottom are 0, one of them must be > 0")]
    NoRadius,
    /// A transformation would bring a coordinate of the shape beyond the range of single precision.
    #[error(
        "{shape}: {argument} would bring a coordinate along axis {axis} to {value:e}, must stay below 3.5e38"
    )]
    OutOfRange {
        /// The name of the kind of the shape, as in scene files.
        shape: &'static str,
        /// The name of the argument that says how to transform the shape.
        argument: &'static str,
        /// The axis: 0 is x, 1 is y, 2 is z.
        axis: usize,
        /// What the coordinate would become.
        value: f64,
    },
    /// A normal is not of unit length.
    #[error("{shape}: normal has length {length}, must be of unit length (within 1e-3)")]
    NotUnit {
        /// The name of the kind of the shape, as in scene files.
        shape: &'static str,
        /// The length that was given.
        length: f64,
    },
    /// Scale factors that differ between the axes would turn the shape into one of a kind that does
    /// not exist, such as a stretched capsule.
    #[error("factors do not fit a {kind}, must be {valid}")]
    CannotStretch {
        /// The kind of the shape.
        kind: &'static str,
        /// What the factors must be.
        valid: &'static str,
    },
    /// The shape has a fixed place at the origin of its body and cannot be moved there.
    #[error("a {kind} cannot be moved in its body, move the pose of the body")]
    CannotMove {
        /// The kind of the shape.
        kind: &'static str,
    },
    /// A shape of your own cannot be scaled by the engine.
    #[error("a {kind} cannot be scaled, make one of the other size")]
    CannotScale {
        /// The kind of the shape.
        kind: &'static str,
    },
    /// A composite shape has no parts, or more than can be numbered.
    #[error("{shape}: {field} has {count} elements, must have from 1 to {most}")]
    PartCount {
        /// The name of the kind of the shape, as in scene files.
        shape: &'static str,
        /// The name of the list.
        field: &'static str,
        /// The number of parts.
        count: usize,
        /// The most parts that a composite can have.
        most: u32,
    },
    /// A polyline has no segment, since it has fewer than two vertices.
    #[error("polyline: vertices has length {count}, must be at least 2")]
    TooFewVertices {
        /// The number of vertices.
        count: usize,
    },
    /// No cell of a height field has three corners that are not holes.
    #[error("height_field: heights leave no triangle: each has a corner that is NaN, a hole")]
    OnlyHoles,
    /// A triangle or segment names a vertex that does not exist.
    #[error("{shape}: {field}[{index}] names vertex {vertex}, must be less than {vertices}")]
    NoSuchVertex {
        /// The name of the kind of the shape, as in scene files.
        shape: &'static str,
        /// The name of the list.
        field: &'static str,
        /// The number of the triangle or segment.
        index: usize,
        /// The index of the vertex.
        vertex: u32,
        /// The number of vertices.
        vertices: usize,
    },
    /// A coordinate of a vertex is NaN or infinite.
    #[error(
        "{shape}: {list}[{vertex}][{axis}] is {value}, must be finite{}",
        used_by(.user.as_ref())
    )]
    Vertex {
        /// The name of the kind of the shape, as in scene files.
        shape: &'static str,
        /// The name of the list of vertices.
        list: &'static str,
        /// The index of the vertex.
        vertex: usize,
        /// The axis: 0 is x, 1 is y, 2 is z.
        axis: usize,
        /// The value that was given.
        value: Real,
        /// The name of the list of triangles or segments and the number of the first one that uses
        /// the vertex, if one does.
        user: Option<(&'static str, usize)>,
    },
    /// A height is infinite, or becomes so when it is scaled.
    #[error(
        "height_field: heights[{row}][{column}] is {value}, must be finite when scaled, or missing"
    )]
    Height {
        /// The row.
        row: usize,
        /// The column.
        column: usize,
        /// The value that was given.
        value: Real,
    },
    /// The heights do not form a grid.
    #[error(
        "height_field: {count} heights in rows of {columns}, must be at least 2 full rows of at least \
         2, and at most {most} in all"
    )]
    Grid {
        /// The number of heights.
        count: usize,
        /// The number of columns.
        columns: usize,
        /// The most heights that a field can have.
        most: usize,
    },
    /// Heights of a shape that has none were to be changed.
    #[error("a {kind} has no heights, only height fields have")]
    NoHeights {
        /// The kind of the shape.
        kind: &'static str,
    },
    /// A block of heights is not one, or does not lie in its field.
    #[error(
        "height_field: {count} heights in rows of {columns} from row {}, column {} on, must be full rows within {} rows and \
         {} columns", .place[0], .place[1], .size[0], .size[1]
    )]
    HeightsOutside {
        /// The number of heights.
        count: usize,
        /// How many each row should have.
        columns: u32,
        /// The row and the column of the first.
        place: [u32; 2],
        /// The numbers of rows and columns of the field.
        size: [u32; 2],
    },
    /// A cell of voxels is named twice.
    #[error("voxels: cells[{}] is the same as cells[{}], must differ", .cells[1], .cells[0])]
    CellTwice {
        /// The numbers of the cells in the list.
        cells: [usize; 2],
    },
    /// The cells of voxels lie too far and wide.
    #[error("voxels: cells lie in more than {most} chunks of 4096 cells each")]
    TooManyChunks {
        /// The most chunks.
        most: usize,
    },
    /// A palette has more tiles than a byte can number.
    #[error("voxels: palette has {count} tiles, must have at most 255")]
    TooManyTiles {
        /// The number of tiles.
        count: usize,
    },
    /// A tile of a palette is not valid.
    #[error("voxels: palette[{index}]: {error}")]
    Tile {
        /// The number of the tile in the palette.
        index: usize,
        /// What is wrong with it.
        error: Box<Self>,
    },
    /// A kind that cannot be a tile of voxels.
    #[error("a {kind} cannot be a tile of voxels, must be a convex shape of the engine")]
    NotATile {
        /// The kind of the shape.
        kind: &'static str,
    },
    /// A tile reaches out of its cell.
    #[error(
        "reaches from {} to {} along axis {axis}, must lie within 0 and {size}, counted from the least corner of the cell",
        .limits[0], .limits[1]
    )]
    TileOutside {
        /// The axis: 0 is x, 1 is y, 2 is z.
        axis: usize,
        /// The least and the greatest coordinate of the shape along it.
        limits: [f64; 2],
        /// The size of cells along it.
        size: Real,
    },
    /// A cell has an entry that the palette does not have.
    #[error("voxels: a cell has the entry {entry}, the palette has {tiles} tiles")]
    NoSuchTile {
        /// The entry of the cell, of which 1 is the first tile.
        entry: u8,
        /// The number of tiles.
        tiles: usize,
    },
    /// Cells of a shape that has none were to be changed.
    #[error("a {kind} has no cells, only voxels have")]
    NoCells {
        /// The kind of the shape.
        kind: &'static str,
    },
    /// A part of a compound is not valid.
    #[error("compound: parts[{index}]: {error}")]
    Part {
        /// The number of the shape in the compound.
        index: usize,
        /// What is wrong with it.
        error: Box<Self>,
    },
    /// The pose of a part of a compound is not valid.
    #[error("pose.{0}")]
    Pose(clearance_math::PoseError),
    /// A kind that cannot be part of a compound.
    #[error("a {kind} cannot be a part of a compound, make it a body of its own")]
    NotInCompound {
        /// The kind of the shape.
        kind: &'static str,
    },
    /// Compounds are nested too deep in compounds.
    #[error("compounds are nested more than {most} deep")]
    TooDeep {
        /// The most levels of compounds.
        most: u8,
    },
    /// A part of a composite lies beyond the range of numbers.
    #[error("{shape}: part {number} extends beyond the range of numbers")]
    PartTooFar {
        /// The name of the kind of the shape, as in scene files.
        shape: &'static str,
        /// The number of the part.
        number: usize,
    },
    /// A composite shape cannot be grown by a radius.
    #[error("a {kind} cannot be rounded, round its parts")]
    CannotRound {
        /// The kind of the shape.
        kind: &'static str,
    },
    /// A shape whose parts have no outer sides was to be made one-sided.
    #[error(
        "a {kind} cannot be one-sided, only a mesh, a height field or a polyline in 2D can, also as a part of a compound"
    )]
    NoOuterSide {
        /// The kind of the shape.
        kind: &'static str,
    },
    /// A shape that cannot count from one side only.
    #[error("a {kind} cannot be one-way")]
    NotOneWay {
        /// The kind of the shape.
        kind: &'static str,
    },
    /// A shape whose parts cannot have numbers of yours.
    #[error(
        "the parts of a {kind} cannot have user data, only those of other composites can: set that of the body, or of the \
         tiles of voxels"
    )]
    NoPartUserData {
        /// The kind of the shape.
        kind: &'static str,
    },
    /// There is not one number for each part of a composite.
    #[error(
        "{kind}: user data of {count} parts, must be {places}: a number for each part, or each shape of a compound"
    )]
    UserDataCount {
        /// The kind of the shape.
        kind: &'static str,
        /// The count of numbers.
        count: usize,
        /// The count that is needed.
        places: usize,
    },
    /// A shape that has no closed surface was to have an inside.
    #[error("a {kind} cannot be solid, only a mesh or a polyline in 2D can")]
    NoInside {
        /// The kind of the shape.
        kind: &'static str,
    },
    /// A surface was to have an inside and to count on one side only.
    #[error("a solid counts on its outer side only as it is, it cannot be one-sided or one-way")]
    SolidOnOneSide,
    /// A triangle of a solid mesh has no area.
    #[error("mesh: triangles[{index}] has no area, every triangle of a solid mesh must have some")]
    FlatTriangle {
        /// The number of the triangle.
        index: usize,
    },
    /// More triangles of a solid mesh run along a side in one direction than in the other.
    #[error(
        "mesh: triangles[{}] and triangles[{}] have a side in the same direction, along each side of a solid mesh as many \
         must run in one direction as in the other",
        .triangles[0],
        .triangles[1]
    )]
    SidesInOneDirection {
        /// The numbers of the triangles.
        triangles: [usize; 2],
    },
    /// The surface of a solid has a hole.
    #[error(
        "{list}[{index}] has a side without a neighbour, the surface of a solid must be closed"
    )]
    NotClosed {
        /// The name of the list.
        list: &'static str,
        /// The number of the triangle or segment.
        index: usize,
    },
    /// What a solid encloses has no positive volume, or area in 2D.
    #[error(
        "{shape}: encloses {volume}, must enclose more than 0: corners of a mesh must run counterclockwise seen from outside"
    )]
    Volume {
        /// The name of the kind of the shape, as in scene files.
        shape: &'static str,
        /// The volume or area, in units of length.
        volume: f64,
    },
    /// Two sides of a polygon cross each other.
    #[error("polygon: sides {} and {} cross at ({}, {}), an outline must not cross itself or another",
        .sides[0], .sides[1], .place[0], .place[1])]
    Crossing {
        /// The numbers of the sides: those of the outline first, each from a vertex to the next one.
        sides: [usize; 2],
        /// Where they cross, up to rounding.
        place: [Real; 2],
    },
    /// Outlines of a polygon lie over each other.
    #[error(
        "polygon: beside side {side} the outlines wind {times} times, must be 0 or 1: an outline must not run through \
         itself, and holes must lie apart within it"
    )]
    WindsAgain {
        /// The number of the side.
        side: u32,
        /// How often the outlines wind around places beside it.
        times: i32,
    },
    /// An outline of a polygon has fewer than three vertices.
    #[error("polygon: {} has {count} vertices, must have at least 3", ring_name(*.ring))]
    RingTooShort {
        /// 0 for the outline, else one more than the number of the hole.
        ring: usize,
        /// The number of vertices.
        count: usize,
    },
    /// A shape whose mass cannot be told.
    #[error("a {kind} has no mass properties: {reason}")]
    NoMass {
        /// The kind of the shape.
        kind: &'static str,
        /// Why, and what to use instead.
        reason: &'static str,
    },
    /// A shape of your own contradicts itself.
    #[error("custom shape: {reason}")]
    Custom {
        /// Which function answered what.
        reason: String,
    },
    /// A shape of your own was to be stored.
    #[error("a custom shape cannot be stored, since it is code")]
    CannotStore,
    /// A [`crate::ShapeEncoding`] that belongs to no shape.
    #[error("encoding of a shape: {reason}")]
    Encoding {
        /// What is wrong with the encoding.
        reason: String,
    },
    /// The points cannot be made into a hull.
    #[error("hull: {0}")]
    Hull(#[from] HullError),
}

impl ShapeError {
    /// The error of a compound whose shape of this number has this one.
    pub(crate) fn in_part(self, index: usize) -> Self {
        Self::Part {
            index,
            error: Box::new(self),
        }
    }
}

fn ring_name(ring: usize) -> String {
    match ring.checked_sub(1) {
        Some(hole) => format!("holes[{hole}]"),
        None => "the outline".to_owned(),
    }
}

fn used_by(user: Option<&(&'static str, usize)>) -> String {
    user.map_or_else(String::new, |(field, index)| {
        format!(" (first used by {field}[{index}])")
    })
}

pub(crate) fn check_number(
    shape: &'static str,
    field: &'static str,
    value: Real,
    requirement: Requirement,
) -> Result<(), ShapeError> {
    if requirement.is_met_by(value) {
        Ok(())
    } else {
        Err(ShapeError::Number {
            shape,
            field,
            value,
            requirement,
        })
    }
}

pub(crate) fn check_vector<V: clearance_math::Vector>(
    shape: &'static str,
    field: &'static str,
    vector: V,
    requirement: Requirement,
) -> Result<(), ShapeError> {
    for axis in 0..V::DIM {
        let value = vector.component(axis);
        if !requirement.is_met_by(value) {
            return Err(ShapeError::Component {
                shape,
                field,
                axis,
                value,
                requirement,
            });
        }
    }
    Ok(())
}
