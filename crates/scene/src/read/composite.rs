//! Composite shapes.

use clearance_math::{Cell, Pose, Real, Vec3};
use clearance_shapes::{MOST_NESTED, OneWay, Requirement};

use super::shape::{Nesting, read_record};
use super::{Cursor, Fields, read_pose};
use crate::mesh_files::Form;
use crate::{FileVector, MeshFile, MeshSource, PartRecord, ShapeRecord, TileRecord, Welding};

/// Reads the fields of a composite shape; `None` if something is wrong, or the name is of another
/// type.
pub(super) fn read_composite<V: FileVector>(
    name: &str,
    fields: &Fields,
    nesting: Nesting,
) -> Option<ShapeRecord<V>> {
    let record = read_without_user_data(name, fields, nesting);
    let Some(list) = fields.optional("user") else {
        return record;
    };
    let nodes = list.list()?;
    let mut user = Vec::with_capacity(nodes.len());
    for (index, node) in nodes.iter().enumerate() {
        user.extend(list.element(index, node).whole_of_64_bits());
    }
    let shape = Box::new(record?);
    (user.len() == nodes.len()).then_some(ShapeRecord::WithUserData { shape, user })
}

fn read_without_user_data<V: FileVector>(
    name: &str,
    fields: &Fields,
    nesting: Nesting,
) -> Option<ShapeRecord<V>> {
    let record = match name {
        "mesh" => read_mesh(fields),
        "polyline" => read_polyline(fields),
        "polygon" => read_polygon(fields),
        "height_field" => read_height_field(fields),
        "points" => read_cloud(fields),
        "voxels" => read_voxels(fields, nesting),
        "compound" => read_compound(fields, nesting),
        _ => None,
    };
    let is_solid = match fields.optional("solid") {
        Some(solid) => solid.boolean()?,
        None => false,
    };
    if is_solid {
        if let Some(depth) = fields.optional("one_sided") {
            depth.refuse("cannot be given beside `solid`: a solid counts on its outer side");
            return None;
        }
        let shape = Box::new(record?);
        return Some(ShapeRecord::Solid { shape });
    }
    let Some(depth) = fields.optional("one_sided") else {
        return record;
    };
    if name == "polyline" && V::DIM == 3 {
        depth.refuse("can be given in 2D only: a polyline in 3D has no outer side");
        return None;
    }
    let depth = depth.number_that_is(Requirement::NotNegative)?;
    Some(ShapeRecord::OneSided {
        shape: Box::new(record?),
        depth,
    })
}

fn read_mesh<V: FileVector>(fields: &Fields) -> Option<ShapeRecord<V>> {
    let source = match fields.optional("path") {
        Some(path) => MeshSource::File(read_file(fields, &path, Form::Mesh)?),
        None => {
            refuse_without_path(fields);
            let (vertices, triangles) = read_elements(fields, "triangles")?;
            MeshSource::Lists {
                vertices,
                triangles,
            }
        }
    };
    Some(ShapeRecord::Mesh { source })
}

/// Reads the file at `path`, and the fields beside it.
pub(super) fn read_file(fields: &Fields, path: &Cursor, form: Form) -> Option<MeshFile> {
    let lists = ["vertices", "triangles", "points"].map(|key| fields.optional(key));
    for list in lists.into_iter().flatten() {
        list.refuse("cannot be given beside `path`");
    }
    let scale = match fields.optional("scale") {
        Some(scale) => read_factors(&scale),
        None => Some(Vec3::ONE),
    };
    let welding = match fields.optional("weld") {
        Some(welding) => read_welding(&welding).map(Some),
        None => Some(None),
    };
    let file = MeshFile {
        path: path.string()?.to_owned(),
        scale: scale?,
        welding: welding?,
    };
    // Read now, so that a file that is missing is named beside all other problems.
    if let Err(problem) = path.files().shape(form, &file) {
        path.refuse(problem.text);
        return None;
    }
    Some(file)
}

fn read_factors(cursor: &Cursor) -> Option<Vec3> {
    let factors: Vec3 = cursor.vector()?;
    let Some(axis) = factors.to_array().iter().position(|factor| *factor == 0.0) else {
        return Some(factors);
    };
    cursor.refuse(format!(
        "has the factor 0 at [{axis}], which would leave no thickness"
    ));
    None
}

fn read_welding(cursor: &Cursor) -> Option<Welding> {
    let word = cursor.string()?;
    let found = Welding::NAMES.iter().find(|(name, _)| *name == word);
    if found.is_none() {
        cursor.refuse(format!("is {word:?}, must be \"exact\" or \"near\""));
    }
    found.map(|(_, welding)| *welding)
}

/// Refuses what only has a meaning beside `path`.
pub(super) fn refuse_without_path(fields: &Fields) {
    let of_files = ["scale", "weld"].map(|key| fields.optional(key));
    for field in of_files.into_iter().flatten() {
        field.refuse("can only be given beside `path`");
    }
}

fn read_polyline<V: FileVector>(fields: &Fields) -> Option<ShapeRecord<V>> {
    if fields.optional("segments").is_some() {
        let (vertices, segments) = read_elements(fields, "segments")?;
        return Some(ShapeRecord::Polyline {
            vertices,
            segments: Some(segments),
        });
    }
    let list = fields.required("vertices")?;
    let vertices: Vec<V> = read_points(&list, "vertex")?;
    if vertices.len() < 2 {
        list.refuse("has 1 vertex, must have at least 2");
        return None;
    }
    Some(ShapeRecord::Polyline {
        vertices,
        segments: None,
    })
}

fn read_polygon<V: FileVector>(fields: &Fields) -> Option<ShapeRecord<V>> {
    let vertices = fields
        .required("vertices")
        .and_then(|list| read_points(&list, "vertex"));
    let mut holes = Vec::new();
    if let Some(list) = fields.optional("holes") {
        let nodes = list.list()?;
        for (index, node) in nodes.iter().enumerate() {
            holes.extend(read_points(&list.element(index, node), "vertex"));
        }
        if holes.len() < nodes.len() {
            return None;
        }
    }
    Some(ShapeRecord::Polygon {
        vertices: vertices?,
        holes,
    })
}

/// Reads `vertices` and the list `key` of elements that name them by index.
fn read_elements<V: FileVector, const CORNERS: usize>(
    fields: &Fields,
    key: &str,
) -> Option<(Vec<V>, Vec<[u32; CORNERS]>)> {
    let list = fields.required("vertices");
    let vertices = list.as_ref().and_then(|list| read_points(list, "vertex"));
    // Vertices that cannot be read are counted all the same.
    let count = list.and_then(|list| list.list().map(<[_]>::len));
    let elements = fields
        .required(key)
        .and_then(|elements| read_indices(&elements, count));
    Some((vertices?, elements?))
}

/// Reads a list of lists of indices of `count` vertices.
fn read_indices<const CORNERS: usize>(
    cursor: &Cursor,
    count: Option<usize>,
) -> Option<Vec<[u32; CORNERS]>> {
    let nodes = cursor.list()?;
    if nodes.is_empty() {
        cursor.refuse("is empty, must have at least one element");
        return None;
    }
    let last = count.unwrap_or(usize::MAX).saturating_sub(1);
    let last = u32::try_from(last).unwrap_or(u32::MAX);
    let mut elements = Vec::with_capacity(nodes.len());
    for (index, node) in nodes.iter().enumerate() {
        elements.extend(read_element(&cursor.element(index, node), last));
    }
    (elements.len() == nodes.len()).then_some(elements)
}

pub(super) fn read_element<const CORNERS: usize>(
    cursor: &Cursor,
    last: u32,
) -> Option<[u32; CORNERS]> {
    let nodes = cursor.list()?;
    if nodes.len() != CORNERS {
        cursor.refuse(format!("has {} indices, must have {CORNERS}", nodes.len()));
        return None;
    }
    let mut element = [0; CORNERS];
    let mut is_complete = true;
    for (index, node) in nodes.iter().enumerate() {
        match cursor.element(index, node).whole(last) {
            Some(vertex) => element[index] = vertex,
            None => is_complete = false,
        }
    }
    is_complete.then_some(element)
}

/// Reads a list of at least one point; `kind` is what the message calls one.
pub(super) fn read_points<V: FileVector>(cursor: &Cursor, kind: &str) -> Option<Vec<V>> {
    let nodes = cursor.list()?;
    if nodes.is_empty() {
        cursor.refuse(format!("is empty, must have at least one {kind}"));
        return None;
    }
    let mut points = Vec::with_capacity(nodes.len());
    for (index, node) in nodes.iter().enumerate() {
        points.extend(cursor.element(index, node).vector::<V>());
    }
    (points.len() == nodes.len()).then_some(points)
}

fn read_cloud<V: FileVector>(fields: &Fields) -> Option<ShapeRecord<V>> {
    let points = fields.required("points");
    let points = points.and_then(|points| read_points(&points, "point"));
    let radius = fields.number("radius", Requirement::NotNegative);
    Some(ShapeRecord::Points {
        points: points?,
        radius: radius?,
    })
}

fn read_voxels<V: FileVector>(fields: &Fields, nesting: Nesting) -> Option<ShapeRecord<V>> {
    let size = fields
        .required("size")
        .and_then(|size| size.vector_that_is(Requirement::Positive));
    let cells = fields
        .required("cells")
        .and_then(|cells| read_cells::<V>(&cells));
    let palette = match fields.optional("palette") {
        Some(palette) => read_palette(&palette, nesting),
        None => Some(Vec::new()),
    };
    let counts = [cells.as_ref().map(Vec::len), palette.as_ref().map(Vec::len)];
    let tiles = match fields.optional("tiles") {
        Some(tiles) => read_tiles(&tiles, counts),
        None => Some(Vec::new()),
    };
    Some(ShapeRecord::Voxels {
        size: size?,
        cells: cells?,
        palette: palette?,
        tiles: tiles?,
    })
}

fn read_palette<V: FileVector>(cursor: &Cursor, nesting: Nesting) -> Option<Vec<TileRecord<V>>> {
    let nodes = cursor.list()?;
    if nodes.len() > u8::MAX.into() {
        let text = format!("has {} tiles, must have at most 255", nodes.len());
        cursor.refuse(text);
        return None;
    }
    let mut palette = Vec::with_capacity(nodes.len());
    for (index, node) in nodes.iter().enumerate() {
        palette.extend(read_tile(&cursor.element(index, node), nesting));
    }
    (palette.len() == nodes.len()).then_some(palette)
}

fn read_tile<V: FileVector>(cursor: &Cursor, nesting: Nesting) -> Option<TileRecord<V>> {
    let fields = cursor.object(&["shape", "user", "one_way"])?;
    let shape = fields
        .required("shape")
        .and_then(|shape| read_record(&shape, nesting));
    let user = match fields.optional("user") {
        Some(user) => user.whole_of_64_bits(),
        None => Some(0),
    };
    let one_way = match fields.optional("one_way") {
        Some(side) => read_side(&side).map(Some),
        None => Some(None),
    };
    Some(TileRecord {
        shape: shape?,
        user: user?,
        one_way: one_way?,
    })
}

fn read_side<V: FileVector>(cursor: &Cursor) -> Option<OneWay<V>> {
    let fields = cursor.object(&["normal", "depth"])?;
    let normal = fields
        .required("normal")
        .and_then(|normal| normal.vector_that_is(Requirement::Finite));
    let depth = fields
        .required("depth")
        .and_then(|depth| depth.number_that_is(Requirement::NotNegative));
    Some(OneWay {
        normal: normal?,
        depth: depth?,
    })
}

/// Reads for each cell its entry in a palette; `None` are counts of what could not be read.
fn read_tiles(cursor: &Cursor, [cells, tiles]: [Option<usize>; 2]) -> Option<Vec<u8>> {
    let most = tiles.map_or(u8::MAX.into(), |tiles| tiles as u32);
    let nodes = cursor.list()?;
    if let Some(cells) = cells.filter(|&cells| cells != nodes.len()) {
        cursor.refuse(format!(
            "has {} numbers, must have {cells}, one for each of `cells`",
            nodes.len()
        ));
        return None;
    }
    let mut tiles = Vec::with_capacity(nodes.len());
    for (index, node) in nodes.iter().enumerate() {
        let entry = cursor.element(index, node).whole(most);
        tiles.extend(entry.map(|entry| entry as u8));
    }
    (tiles.len() == nodes.len()).then_some(tiles)
}

fn read_cells<V: FileVector>(cursor: &Cursor) -> Option<Vec<V::Cell>> {
    let nodes = cursor.list()?;
    if nodes.is_empty() {
        cursor.refuse("is empty, must have at least one cell");
        return None;
    }
    let mut cells = Vec::with_capacity(nodes.len());
    for (index, node) in nodes.iter().enumerate() {
        cells.extend(read_cell::<V>(&cursor.element(index, node)));
    }
    (cells.len() == nodes.len()).then_some(cells)
}

fn read_cell<V: FileVector>(cursor: &Cursor) -> Option<V::Cell> {
    let nodes = cursor.list()?;
    if nodes.len() != V::DIM {
        cursor.refuse(format!("has {} numbers, must have {}", nodes.len(), V::DIM));
        return None;
    }
    let mut components = [0; 3];
    let mut is_complete = true;
    for (index, node) in nodes.iter().enumerate() {
        match cursor.element(index, node).whole_of_either_sign() {
            Some(component) => components[index] = component,
            None => is_complete = false,
        }
    }
    is_complete.then(|| V::Cell::from_components(components))
}

fn read_height_field<V: FileVector>(fields: &Fields) -> Option<ShapeRecord<V>> {
    let heights = fields
        .required("heights")
        .and_then(|heights| read_heights(&heights));
    let scale = fields
        .required("scale")
        .and_then(|scale| scale.vector_that_is(Requirement::NotZero));
    Some(ShapeRecord::HeightField {
        heights: heights?,
        scale: scale?,
    })
}

fn read_heights(cursor: &Cursor) -> Option<Vec<Vec<Option<Real>>>> {
    let nodes = cursor.list()?;
    let mut is_grid = nodes.len() >= 2;
    if !is_grid {
        cursor.refuse(format!("has {} rows, must have at least 2", nodes.len()));
    }
    let mut rows: Vec<Vec<Option<Real>>> = Vec::with_capacity(nodes.len());
    let mut columns = None;
    for (index, node) in nodes.iter().enumerate() {
        let row = cursor.element(index, node);
        let Some(heights) = row.list() else {
            continue;
        };
        let count = *columns.get_or_insert(heights.len());
        let found = heights.len();
        if found != count {
            row.refuse(format!(
                "has {found} heights, must have {count} as the first row"
            ));
        } else if count < 2 {
            row.refuse(format!("has {count} heights, must have at least 2"));
        }
        is_grid &= found == count && count >= 2;
        rows.extend(read_row(&row));
    }
    // Rows that are no grid have been refused here, and are not built, which would refuse them again.
    (is_grid && rows.len() == nodes.len()).then_some(rows)
}

fn read_row(cursor: &Cursor) -> Option<Vec<Option<Real>>> {
    let nodes = cursor.list()?;
    let mut heights = Vec::with_capacity(nodes.len());
    for (index, node) in nodes.iter().enumerate() {
        let height = cursor.element(index, node);
        if height.is_null() {
            heights.push(None);
        } else {
            heights.extend(height.number().map(Some));
        }
    }
    (heights.len() == nodes.len()).then_some(heights)
}

fn read_compound<V: FileVector>(fields: &Fields, nesting: Nesting) -> Option<ShapeRecord<V>> {
    let Some(nesting) = nesting.deeper() else {
        let text = format!("compounds are nested more than {MOST_NESTED} deep");
        fields.required("type")?.refuse(text);
        return None;
    };
    let list = fields.required("parts")?;
    let nodes = list.list()?;
    if nodes.is_empty() {
        list.refuse("is empty, must have at least one part");
        return None;
    }
    let mut parts = Vec::with_capacity(nodes.len());
    for (index, node) in nodes.iter().enumerate() {
        parts.extend(read_part(&list.element(index, node), nesting));
    }
    let are_all = parts.len() == nodes.len();
    let record = are_all.then_some(ShapeRecord::Compound { parts });
    let Some(side) = fields.optional("one_way") else {
        return record;
    };
    let side = read_side(&side)?;
    let shape = Box::new(record?);
    Some(ShapeRecord::OneWay { shape, side })
}

fn read_part<V: FileVector>(cursor: &Cursor, nesting: Nesting) -> Option<PartRecord<V>> {
    let fields = cursor.object(&["pose", "shape"])?;
    let pose = match fields.optional("pose") {
        Some(pose) => read_pose(&pose),
        None => Some(Pose::IDENTITY),
    };
    let shape_cursor = fields.required("shape");
    let shape = shape_cursor
        .as_ref()
        .and_then(|shape| read_record::<V>(shape, nesting));
    let shape = shape.filter(|shape| {
        let is_allowed = !is_half_space(shape);
        if let (Some(cursor), false) = (&shape_cursor, is_allowed) {
            cursor.refuse("a half_space cannot be a part of a compound, make it a body of its own");
        }
        is_allowed
    });
    Some(PartRecord {
        pose: pose?,
        shape: shape?,
    })
}

/// Whether the shape is a half-space, possibly one that is moved by being rounded.
fn is_half_space<V: FileVector>(record: &ShapeRecord<V>) -> bool {
    match record {
        ShapeRecord::HalfSpace { .. } => true,
        ShapeRecord::Rounded { shape, .. } => is_half_space(shape),
        _ => false,
    }
}
