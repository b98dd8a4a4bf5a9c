//! Composites as files have them.

use core::ops::Range;

use clearance_math::{Cell, Real};
use clearance_shapes::{Composite, CompositeKind, OneWay, Tile, Voxels};
use serde::Serialize;
use serde::ser::{Error, SerializeMap};

use super::{Field, NO_FILE, PlacedInFile, ShapeInFile};
use crate::FileVector;
use crate::file_vector::Numbers;

/// The type that a file gives a composite; `None` for one that no file can hold.
pub(super) fn composite_type<V: FileVector>(composite: &Composite<V>) -> Option<&'static str> {
    Some(match composite.kind() {
        CompositeKind::Mesh(_) => "mesh",
        CompositeKind::Polyline(_) if composite.is_solid() => "polygon",
        CompositeKind::Polyline(_) => "polyline",
        CompositeKind::HeightField(_) => "height_field",
        CompositeKind::Points(_) => "points",
        CompositeKind::Voxels(_) => "voxels",
        CompositeKind::Compound(_) => "compound",
        _ => return None,
    })
}

pub(super) fn write_composite<V: FileVector, M: SerializeMap>(
    map: &mut M,
    composite: &Composite<V>,
) -> Result<(), M::Error> {
    let name = composite_type(composite).ok_or_else(|| M::Error::custom(NO_FILE))?;
    map.serialize_entry("type", name)?;
    match composite.kind() {
        CompositeKind::Mesh(mesh) => {
            map.serialize_entry("vertices", &Field::Points(mesh.vertices()))?;
            map.serialize_entry("triangles", mesh.triangles())
        }
        CompositeKind::Polyline(polyline) => {
            let vertices = polyline.vertices();
            let rings = polyline.rings().filter(|_| composite.is_solid());
            let Some([outline, holes @ ..]) = rings.as_deref() else {
                map.serialize_entry("vertices", &Field::Points(vertices))?;
                return map.serialize_entry("segments", polyline.segments());
            };
            let ring = |ring: &Range<usize>| Field::Points(&vertices[ring.clone()]);
            map.serialize_entry("vertices", &ring(outline))?;
            map.serialize_entry("holes", &Vec::from_iter(holes.iter().map(ring)))
        }
        CompositeKind::HeightField(field) => {
            let height = |height: &Real| (!height.is_nan()).then_some(*height);
            let rows = field.heights().chunks(field.columns() as usize);
            let rows = rows.map(|row| row.iter().map(height).collect());
            map.serialize_entry("heights", &Vec::<Vec<_>>::from_iter(rows))?;
            map.serialize_entry("scale", &Field::Vector(field.scale()))
        }
        CompositeKind::Points(cloud) => {
            map.serialize_entry("points", &Field::Points(cloud.points()))?;
            map.serialize_entry("radius", &cloud.radius())
        }
        CompositeKind::Voxels(voxels) => write_voxels(map, voxels),
        CompositeKind::Compound(compound) => {
            let parts = compound.shapes().iter();
            let parts = parts.map(|part| PlacedInFile::new(&part.shape, part.pose));
            map.serialize_entry("parts", &Vec::from_iter(parts))?;
            match compound.one_way() {
                Some(side) => map.serialize_entry("one_way", &OuterSideInFile::new(&side)),
                None => Ok(()),
            }
        }
        // One without a type was refused above.
        _ => Ok(()),
    }
}

/// Writes what is said of a composite as a whole.
pub(super) fn write_attached<V: FileVector, M: SerializeMap>(
    map: &mut M,
    composite: &Composite<V>,
) -> Result<(), M::Error> {
    match (composite.kind(), composite.one_sided()) {
        (CompositeKind::Mesh(_), _) if composite.is_solid() => {
            map.serialize_entry("solid", &true)?;
        }
        // Faces of polygons, of voxels and of what is made of them count on their outer sides anyway.
        (
            CompositeKind::Mesh(_) | CompositeKind::Polyline(_) | CompositeKind::HeightField(_),
            Some(depth),
        ) if !composite.is_solid() => map.serialize_entry("one_sided", &depth)?,
        _ => {}
    }
    match composite.user_data() {
        [] => Ok(()),
        user => map.serialize_entry("user", user),
    }
}

/// Writes the cells in the order of their numbers.
fn write_voxels<V: FileVector, M: SerializeMap>(
    map: &mut M,
    voxels: &Voxels<V>,
) -> Result<(), M::Error> {
    let cells: Vec<V::Cell> = if voxels.is_listed() {
        voxels.listed().collect()
    } else {
        voxels.cells().iter().collect()
    };
    let numbers = |cell: &V::Cell| cell.components()[..V::DIM].to_vec();
    let tiles = cells.iter().filter_map(|&cell| voxels.cells().tile(cell));
    let tiles: Vec<u8> = tiles.collect();
    map.serialize_entry("size", &Field::Vector(voxels.size()))?;
    map.serialize_entry("cells", &Vec::from_iter(cells.iter().map(numbers)))?;
    let palette = Vec::from_iter(voxels.palette().iter().map(TileInFile::new));
    if !palette.is_empty() {
        map.serialize_entry("palette", &palette)?;
    }
    if tiles.iter().all(|&entry| entry == 0) {
        return Ok(());
    }
    map.serialize_entry("tiles", &tiles)
}

#[derive(Serialize)]
#[serde(bound = "")]
struct TileInFile<'s, V: FileVector> {
    shape: ShapeInFile<'s, V>,
    #[serde(skip_serializing_if = "is_zero")]
    user: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    one_way: Option<OuterSideInFile>,
}

impl<'s, V: FileVector> TileInFile<'s, V> {
    fn new(tile: &'s Tile<V>) -> Self {
        Self {
            shape: ShapeInFile(&tile.shape),
            user: tile.user,
            one_way: tile.one_way.as_ref().map(OuterSideInFile::new),
        }
    }
}

fn is_zero(user: &u64) -> bool {
    *user == 0
}

/// The side from which a shape counts.
#[derive(Serialize)]
struct OuterSideInFile {
    normal: Numbers,
    depth: Real,
}

impl OuterSideInFile {
    fn new<V: FileVector>(side: &OneWay<V>) -> Self {
        Self {
            normal: Numbers::of_vector(side.normal),
            depth: side.depth,
        }
    }
}
