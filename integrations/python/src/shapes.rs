//! Shapes from arrays, and what is asked of a shape alone.

use clearance::gjk::{Completeness, Placed};
use clearance::math::{Cell, Pose, PreciseVector, Real};
use clearance::shapes::{CompoundPart, Shape, ShapeError};
use clearance_scene::{MeshFiles, ShapeInFile, read_shape_text};
use numpy::PyArray1;
use pyo3::{Bound, PyResult};

use crate::poses::{Numbers, vector};
use crate::problem::refused;
use crate::space::Space;
use crate::workers::Workers;

/// The shape of a record, as files have it. Paths are relative to the folder; without one no file is read.
pub(crate) fn of_record<V: Space>(text: &str, folder: Option<String>) -> PyResult<Shape<V>> {
    let files = folder.map_or_else(MeshFiles::none, MeshFiles::in_folder);
    read_shape_text(text, &files).map_err(refused)
}

/// The record of a shape.
pub(crate) fn record<V: Space>(shape: &Shape<V>) -> PyResult<String> {
    let record = ShapeInFile::of(shape).ok_or_else(|| refused("the shape cannot be stored"))?;
    Ok(record.to_string())
}

/// What stored shapes begin with: their bytes are read by the version that wrote them only.
fn heading<V: Space>() -> String {
    format!(
        "clearance.dim{}.Shape {}\n",
        V::DIM,
        env!("CARGO_PKG_VERSION")
    )
}

/// The bytes of a shape, as pickles have it.
pub(crate) fn to_bytes<V: Space>(shape: &Shape<V>) -> PyResult<Vec<u8>> {
    postcard::to_extend(shape, heading::<V>().into_bytes()).map_err(refused)
}

/// The shape that bytes of this version stand for.
pub(crate) fn from_bytes<V: Space>(stored: &[u8]) -> PyResult<Shape<V>> {
    let heading = heading::<V>();
    let Some(stored) = stored.strip_prefix(heading.as_bytes()) else {
        let begin = stored.split(|byte| *byte == b'\n').next().unwrap_or(stored);
        let begin = String::from_utf8_lossy(&begin[..begin.len().min(heading.len())]);
        return Err(refused(format!(
            "stored shape: begins with {begin:?}, must begin with {:?}, of this version and dimension",
            heading.trim_end()
        )));
    };
    let (shape, rest) = postcard::take_from_bytes(stored)
        .map_err(|error| refused(format!("stored shape: {error}")))?;
    if !rest.is_empty() {
        let count = rest.len();
        return Err(refused(format!(
            "stored shape: has {count} bytes more than the shape, must end with it"
        )));
    }
    Ok(shape)
}

/// The points of the rows, rounded to single precision.
pub(crate) fn points<V: Space>(rows: &Numbers) -> PyResult<Vec<V>> {
    rows.expect_width(V::DIM)?
        .read(&Workers::CALLER, |row| Ok(vector(row)))
}

/// The cells of rows of whole numbers.
pub(crate) fn cells<V: Space>(numbers: &[i32]) -> Vec<V::Cell> {
    let cell = |row: &[i32]| {
        let mut components = [0; 3];
        components[..V::DIM].copy_from_slice(row);
        V::Cell::from_components(components)
    };
    numbers.chunks_exact(V::DIM).map(cell).collect()
}

/// The shape that a list of points is made into.
pub(crate) fn of_points<V: Space>(kind: &str, points: &[V], radius: f64) -> PyResult<Shape<V>> {
    let shape = match kind {
        "hull" => Shape::hull(points),
        "polyline" => Shape::polyline(points),
        _ => Shape::points(points, radius as Real),
    };
    shape.map_err(refused)
}

/// Triangles of the numbers of vertices in space, segments in the plane.
pub(crate) fn surface<V: Space>(vertices: &[V], indices: &[u32]) -> PyResult<Shape<V>> {
    if V::DIM == 2 {
        let (segments, _) = indices.as_chunks::<2>();
        return Shape::polyline_of_segments(vertices, segments).map_err(refused);
    }
    let (triangles, _) = indices.as_chunks::<3>();
    let mesh = V::mesh(vertices, triangles);
    mesh.ok_or_else(|| refused("meshes exist in space only"))?
        .map_err(refused)
}

/// The terrain over the xz plane.
pub(crate) fn height_field<V: Space>(heights: &Numbers, scale: V) -> PyResult<Shape<V>> {
    let rows = heights.read(&Workers::CALLER, |row| {
        Ok(row.iter().map(|height| *height as Real).collect::<Vec<_>>())
    })?;
    let field = V::height_field(rows.concat(), heights.width, scale);
    field
        .ok_or_else(|| refused("height fields exist in space only"))?
        .map_err(refused)
}

/// The compound of shapes at poses.
pub(crate) fn compound<V: Space>(
    shapes: Vec<Shape<V>>,
    poses: Vec<Pose<V>>,
) -> Result<Shape<V>, ShapeError> {
    let parts = shapes.into_iter().zip(poses);
    let parts: Vec<_> = parts
        .map(|(shape, pose)| CompoundPart { shape, pose })
        .collect();
    Shape::compound(parts)
}

/// Volume, mass, centre of mass, and the inertia about it: nine numbers row by row, of which the plane needs the last.
pub(crate) type Mass = (f64, f64, Vec<f64>, Vec<f64>);

pub(crate) fn mass<V: Space>(shape: &Shape<V>, density: f64) -> PyResult<Mass> {
    let mass = shape.mass_properties(density as Real).map_err(refused)?;
    let center = mass.center_of_mass;
    let inertia = mass.inertia_in_space(center).to_cols_array();
    let center = (0..V::DIM).map(|axis| center.component(axis)).collect();
    Ok((mass.volume, mass.mass, center, inertia.to_vec()))
}

/// The numbers of the triangles of pairs that cross, and whether these are all.
pub(crate) type Crossings<'py> = (Bound<'py, PyArray1<u32>>, bool);

pub(crate) fn self_crossings<V: Space>(
    shape: &Shape<V>,
    effort: u32,
) -> PyResult<(Vec<u32>, bool)> {
    let (mut pairs, place) = (Vec::new(), Pose::IDENTITY);
    let placed = Placed::new(shape, &place).with_effort(effort);
    let done = clearance::gjk::self_crossings_into(placed, &mut pairs).map_err(refused)?;
    Ok((pairs.concat(), done == Completeness::Complete))
}

/// The corners of the box around a shape at a pose.
pub(crate) fn bounds<V: Space>(shape: &Shape<V>, pose: &Pose<V>) -> [Vec<f64>; 2] {
    let corners = shape.limits_within(pose, 0.0);
    corners.map(|corner| (0..V::DIM).map(|axis| corner.component(axis)).collect())
}

/// How many parts a shape has; one if it is no composite.
pub(crate) fn part_count<V: Space>(shape: &Shape<V>) -> u32 {
    match shape {
        Shape::Composite(composite) => composite.part_count(),
        _ => 1,
    }
}
