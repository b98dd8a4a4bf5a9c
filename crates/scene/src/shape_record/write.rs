//! Writes shapes.

use clearance_math::{Cell, Vec3};
use clearance_shapes::OneWay;
use serde::{Serialize, Serializer, ser::SerializeMap};

use super::{MeshSource, PartRecord, ShapeRecord, TileRecord};
use crate::file_vector::Numbers;
use crate::write::PoseInFile;
use crate::{FileVector, MeshFile, Welding};

impl<V: FileVector> Serialize for ShapeRecord<V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("type", self.type_name())?;
        let vector = |vector: &V| Numbers::of_vector(*vector);
        match self {
            Self::Ball { radius } => map.serialize_entry("radius", radius)?,
            Self::Cuboid { half_extents } => {
                map.serialize_entry("half_extents", &vector(half_extents))?;
            }
            Self::Capsule {
                half_length,
                radius,
            } => {
                map.serialize_entry("half_length", half_length)?;
                map.serialize_entry("radius", radius)?;
            }
            Self::Segment { a, b } => {
                map.serialize_entry("a", &vector(a))?;
                map.serialize_entry("b", &vector(b))?;
            }
            Self::Triangle { a, b, c } => {
                map.serialize_entry("a", &vector(a))?;
                map.serialize_entry("b", &vector(b))?;
                map.serialize_entry("c", &vector(c))?;
            }
            Self::Hull { points } => {
                map.serialize_entry("points", &self::points(points))?;
            }
            Self::HullOfFile { file } => write_file(&mut map, file)?,
            Self::Cylinder {
                half_height,
                radius,
            }
            | Self::Cone {
                half_height,
                radius,
            } => {
                map.serialize_entry("half_height", half_height)?;
                map.serialize_entry("radius", radius)?;
            }
            Self::Ellipsoid { radii } => map.serialize_entry("radii", &vector(radii))?,
            Self::HalfSpace { normal } => map.serialize_entry("normal", &vector(normal))?,
            Self::Rounded { shape, radius } => {
                map.serialize_entry("shape", shape)?;
                map.serialize_entry("radius", radius)?;
            }
            Self::TaperedCapsule { .. } | Self::TaperedCylinder { .. } => {
                write_tapered(&mut map, self)?;
            }
            composite => write_composite(&mut map, composite)?,
        }
        map.end()
    }
}

/// The fields of a tapered shape; those of the other kinds are written elsewhere.
fn write_tapered<V: FileVector, M: SerializeMap>(
    map: &mut M,
    record: &ShapeRecord<V>,
) -> Result<(), M::Error> {
    let (name, numbers) = match record {
        ShapeRecord::TaperedCapsule {
            half_length,
            radius_top,
            radius_bottom,
        } => ("half_length", [half_length, radius_top, radius_bottom]),
        ShapeRecord::TaperedCylinder {
            half_height,
            radius_top,
            radius_bottom,
        } => ("half_height", [half_height, radius_top, radius_bottom]),
        _ => return Ok(()),
    };
    for (key, number) in [name, "radius_top", "radius_bottom"].iter().zip(numbers) {
        map.serialize_entry(key, number)?;
    }
    Ok(())
}

/// The fields of a composite; those of a convex shape are written elsewhere.
fn write_composite<V: FileVector, M: SerializeMap>(
    map: &mut M,
    record: &ShapeRecord<V>,
) -> Result<(), M::Error> {
    match record {
        ShapeRecord::Mesh { source } => match source {
            MeshSource::Lists {
                vertices,
                triangles,
            } => {
                map.serialize_entry("vertices", &points(vertices))?;
                map.serialize_entry("triangles", triangles)
            }
            MeshSource::File(file) => write_file(map, file),
        },
        ShapeRecord::Polyline { vertices, segments } => {
            map.serialize_entry("vertices", &points(vertices))?;
            match segments {
                Some(segments) => map.serialize_entry("segments", segments),
                None => Ok(()),
            }
        }
        ShapeRecord::HeightField { heights, scale } => {
            map.serialize_entry("heights", heights)?;
            map.serialize_entry("scale", &Numbers::of_vector(*scale))
        }
        ShapeRecord::Points { points, radius } => {
            map.serialize_entry("points", &self::points(points))?;
            map.serialize_entry("radius", radius)
        }
        ShapeRecord::Voxels {
            size,
            cells,
            palette,
            tiles,
        } => {
            let numbers = |cell: &V::Cell| cell.components()[..V::DIM].to_vec();
            map.serialize_entry("size", &Numbers::of_vector(*size))?;
            map.serialize_entry("cells", &cells.iter().map(numbers).collect::<Vec<_>>())?;
            if !palette.is_empty() {
                map.serialize_entry("palette", palette)?;
            }
            if tiles.is_empty() {
                return Ok(());
            }
            map.serialize_entry("tiles", tiles)
        }
        ShapeRecord::Polygon { vertices, holes } => {
            map.serialize_entry("vertices", &points(vertices))?;
            let holes: Vec<_> = holes.iter().map(|hole| points(hole)).collect();
            map.serialize_entry("holes", &holes)
        }
        ShapeRecord::Compound { parts } => map.serialize_entry("parts", parts),
        _ => write_attached(map, record),
    }
}

/// The fields of a composite and what is said of it as a whole.
fn write_attached<V: FileVector, M: SerializeMap>(
    map: &mut M,
    record: &ShapeRecord<V>,
) -> Result<(), M::Error> {
    match record {
        ShapeRecord::OneSided { shape, depth } => {
            write_composite(map, shape)?;
            map.serialize_entry("one_sided", depth)
        }
        ShapeRecord::Solid { shape } => {
            write_composite(map, shape)?;
            map.serialize_entry("solid", &true)
        }
        ShapeRecord::OneWay { shape, side } => {
            write_composite(map, shape)?;
            map.serialize_entry("one_way", &SideInFile(side))
        }
        ShapeRecord::WithUserData { shape, user } => {
            write_composite(map, shape)?;
            map.serialize_entry("user", user)
        }
        _ => Ok(()),
    }
}

fn write_file<M: SerializeMap>(map: &mut M, file: &MeshFile) -> Result<(), M::Error> {
    map.serialize_entry("path", &file.path)?;
    if file.scale != Vec3::ONE {
        map.serialize_entry("scale", &Numbers::of_vector(file.scale))?;
    }
    let is_meant = |(_, welding): &&(_, Welding)| Some(*welding) == file.welding;
    match Welding::NAMES.iter().find(is_meant) {
        Some((name, _)) => map.serialize_entry("weld", name),
        None => Ok(()),
    }
}

fn points<V: FileVector>(points: &[V]) -> Vec<Numbers> {
    points
        .iter()
        .map(|&point| Numbers::of_vector(point))
        .collect()
}

impl<V: FileVector> Serialize for TileRecord<V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("shape", &self.shape)?;
        if self.user != 0 {
            map.serialize_entry("user", &self.user)?;
        }
        if let Some(side) = &self.one_way {
            map.serialize_entry("one_way", &SideInFile(side))?;
        }
        map.end()
    }
}

struct SideInFile<'a, V>(&'a OneWay<V>);

impl<V: FileVector> Serialize for SideInFile<'_, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let OneWay { normal, depth } = self.0;
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("normal", &Numbers::of_vector(*normal))?;
        map.serialize_entry("depth", depth)?;
        map.end()
    }
}

impl<V: FileVector> Serialize for PartRecord<V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("pose", &PoseInFile(self.pose))?;
        map.serialize_entry("shape", &self.shape)?;
        map.end()
    }
}
