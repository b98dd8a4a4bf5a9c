//! Composite shapes.

use clearance_math::{Cell, Pose, Real, Vec3};
use clearance_shapes::{CompoundPart, OneWay, Requirement, Shape, Tile};

use super::shape::{Built, of_dimension, of_file, read_shape, unknown_type};
use super::value::{
    boolean, exactly, filled_list, list, not_negative, number_or_null, pose, positive_vector,
    string, vector, vector_that_is, whole, whole_of_64_bits, whole_of_either_sign, word,
};
use super::{Cursor, Fields, Read};
use crate::mesh_files::Form;
use crate::{FileVector, MeshFile, Welding};

/// Reads the fields of the composite shape `name`.
pub(super) fn read_composite<V: FileVector>(name: &str, fields: &Fields) -> Read<Built<V>> {
    let built = match name {
        "mesh" => read_mesh(fields)?,
        "polyline" => read_polyline(fields)?,
        "polygon" => {
            let outline = fields.get("vertices", vertices)?;
            let holes = fields.get_or("holes", Vec::new(), |holes| list(holes, vertices))?;
            of_dimension(V::polygon(&outline, &holes), fields)?
        }
        "height_field" => {
            let heights = fields.get("heights", read_heights)?;
            let columns = heights[0].len();
            let scale = fields.get("scale", |scale| vector_that_is(Requirement::NotZero, scale))?;
            of_dimension(V::height_field(heights.concat(), columns, scale), fields)?
        }
        "points" => {
            let points = fields.get("points", |points| filled_list(points, "point", vector))?;
            Shape::points(points, fields.get("radius", not_negative)?)
        }
        "voxels" => return read_voxels(fields),
        "compound" => Shape::compound(fields.get("parts", |parts| {
            filled_list::<CompoundPart<V>>(parts, "part", read_part)
        })?),
        _ => {
            return fields.get("type", |name| {
                Err(name.refused(unknown_type(&string(name)?)))
            });
        }
    };
    let built = read_side_that_counts(name, fields, built)?;
    let user = fields.get_if("user", |user| list(user, whole_of_64_bits))?;
    Ok(match user {
        Some(user) => built.and_then(|shape| shape.with_part_user_data(user)),
        None => built,
    })
}

/// Reads on which side the parts of a composite count.
fn read_side_that_counts<V: FileVector>(
    name: &str,
    fields: &Fields,
    built: Built<V>,
) -> Read<Built<V>> {
    if name == "mesh" && fields.get_or("solid", false, boolean)? {
        let text = "cannot be given beside `solid`: a solid counts on its outer side";
        fields.refuse("one_sided", text)?;
        return Ok(built.and_then(Shape::solid));
    }
    if name == "polyline" && V::DIM == 3 {
        let text = "can be given in 2D only: a polyline in 3D has no outer side";
        fields.refuse("one_sided", text)?;
    } else if ["mesh", "polyline", "height_field"].contains(&name)
        && let Some(depth) = fields.get_if("one_sided", not_negative)?
    {
        return Ok(built.and_then(|shape| shape.one_sided(depth)));
    }
    if name == "compound"
        && let Some(side) = fields.get_if("one_way", read_side)?
    {
        return Ok(built.and_then(|shape| shape.one_way(side)));
    }
    Ok(built)
}

fn read_mesh<V: FileVector>(fields: &Fields) -> Read<Built<V>> {
    if let Some(mut file) = mesh_file(fields, &["vertices", "triangles"])? {
        file.welding = fields.get_if("weld", |weld| {
            word(weld, &Welding::NAMES, "\"exact\" or \"near\"")
        })?;
        return of_file(Form::Mesh, &file, fields);
    }
    fields.refuse("weld", "can only be given beside `path`")?;
    let vertices = fields.get("vertices", vertices)?;
    let triangles = fields.get("triangles", |list| elements(list, vertices.len()))?;
    of_dimension(V::mesh(&vertices, &triangles), fields)
}

/// The mesh file that the shape names instead of `lists`, if it names one.
pub(super) fn mesh_file(fields: &Fields, lists: &[&'static str]) -> Read<Option<MeshFile>> {
    let Some(path) = fields.get_if("path", string)? else {
        fields.refuse("scale", "can only be given beside `path`")?;
        return Ok(None);
    };
    for key in lists {
        fields.refuse(key, "cannot be given beside `path`")?;
    }
    Ok(Some(MeshFile {
        path,
        scale: fields.get_or("scale", Vec3::ONE, factors)?,
        welding: None,
    }))
}

fn factors(cursor: &Cursor) -> Read<Vec3> {
    let factors: Vec3 = vector(cursor)?;
    match factors.to_array().iter().position(|factor| *factor == 0.0) {
        Some(axis) => Err(cursor.refused(format!(
            "has the factor 0 at [{axis}], which would leave no thickness"
        ))),
        None => Ok(factors),
    }
}

fn vertices<V: FileVector>(cursor: &Cursor) -> Read<Vec<V>> {
    filled_list(cursor, "vertex", vector)
}

fn read_polyline<V: FileVector>(fields: &Fields) -> Read<Built<V>> {
    let vertices: Vec<V> = fields.get("vertices", vertices)?;
    let segments = fields.get_if("segments", |list| elements(list, vertices.len()))?;
    if segments.is_none() && vertices.len() < 2 {
        fields.refuse("vertices", "has 1 vertex, must have at least 2")?;
    }
    Ok(match segments {
        Some(segments) => Shape::polyline_of_segments(vertices, segments),
        None => Shape::polyline(vertices),
    })
}

/// A list of lists of indices of `count` vertices.
fn elements<const CORNERS: usize>(cursor: &Cursor, count: usize) -> Read<Vec<[u32; CORNERS]>> {
    filled_list(cursor, "element", |corners| element(corners, count))
}

/// A list of numbers of `count` things.
pub(super) fn element<const CORNERS: usize>(cursor: &Cursor, count: usize) -> Read<[u32; CORNERS]> {
    let last = u32::try_from(count.saturating_sub(1)).unwrap_or(u32::MAX);
    let corners = exactly(cursor, CORNERS, "indices", |corner| whole(corner, last))?;
    Ok(std::array::from_fn(|index| corners[index]))
}

fn read_voxels<V: FileVector>(fields: &Fields) -> Read<Built<V>> {
    let size = fields.get("size", positive_vector)?;
    let cells = fields.get("cells", |cells| filled_list(cells, "cell", cell::<V>))?;
    let palette = fields.get_or("palette", Vec::new(), |palette| {
        let tiles = list(palette, read_tile)?;
        match tiles.len() {
            0..=255 => Ok(tiles),
            many => Err(palette.refused(format!("has {many} tiles, must have at most 255"))),
        }
    })?;
    let most = palette.len() as u32;
    let tiles = fields.get_or("tiles", Vec::new(), |tiles| {
        let entries = list(tiles, |entry| whole(entry, most))?;
        if entries.len() == cells.len() {
            return Ok(entries);
        }
        Err(tiles.refused(format!(
            "has {} numbers, must have {}, one for each of `cells`",
            entries.len(),
            cells.len()
        )))
    })?;
    Ok(Shape::tiles(size, &cells, palette).and_then(|mut shape| {
        for entry in 1..=tiles.iter().copied().max().unwrap_or(0) {
            let own = cells.iter().zip(&tiles).filter(|own| *own.1 == entry);
            shape.set_tiles(own.map(|(&cell, _)| cell).collect::<Vec<_>>(), entry as u8)?;
        }
        Ok(shape)
    }))
}

fn cell<V: FileVector>(cursor: &Cursor) -> Read<V::Cell> {
    let mut components = [0; 3];
    let numbers = exactly(cursor, V::DIM, "numbers", whole_of_either_sign)?;
    components[..V::DIM].copy_from_slice(&numbers);
    Ok(V::Cell::from_components(components))
}

fn read_tile<V: FileVector>(cursor: &Cursor) -> Read<Tile<V>> {
    let fields = cursor.fields()?;
    let tile = Tile {
        shape: fields.get("shape", read_shape)?,
        user: fields.get_or("user", 0, whole_of_64_bits)?,
        one_way: fields.get_if("one_way", read_side)?,
    };
    fields.no_others()?;
    Ok(tile)
}

fn read_side<V: FileVector>(cursor: &Cursor) -> Read<OneWay<V>> {
    let fields = cursor.fields()?;
    let side = OneWay {
        normal: fields.get("normal", vector)?,
        depth: fields.get("depth", not_negative)?,
    };
    fields.no_others()?;
    Ok(side)
}

/// Rows of heights, of which missing ones are NaN.
fn read_heights(cursor: &Cursor) -> Read<Vec<Vec<Real>>> {
    let rows = cursor.elements()?;
    if rows.len() < 2 {
        return Err(cursor.refused(format!("has {} rows, must have at least 2", rows.len())));
    }
    let columns = std::cell::OnceCell::new();
    cursor.read_each(&rows, |row| {
        let heights = row.elements()?;
        let count = *columns.get_or_init(|| heights.len());
        let text = match heights.len() {
            found if found != count => {
                format!("has {found} heights, must have {count} as the first row")
            }
            0 | 1 => format!("has {count} heights, must have at least 2"),
            _ => return row.read_each(&heights, number_or_null),
        };
        Err(row.refused(text))
    })
}

fn read_part<V: FileVector>(cursor: &Cursor) -> Read<CompoundPart<V>> {
    let fields = cursor.fields()?;
    let part = CompoundPart {
        pose: fields.get_or("pose", Pose::IDENTITY, pose)?,
        shape: fields.get("shape", read_shape)?,
    };
    fields.no_others()?;
    Ok(part)
}
