//! The bytes of glTF buffers, and what accessors find in them.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Component, Path};

use clearance_math::DVec3;
use gltf::accessor::{DataType, Dimensions};
use gltf::buffer::Source;
use gltf::mesh::Mode;
use gltf::{Accessor, Mesh, Primitive};
use percent_encoding::percent_decode_str;

/// The bytes of all buffers.
pub(super) struct Buffers(Vec<Vec<u8>>);

impl Buffers {
    /// Reads the buffers of the file at a path, `blob` being the one in the file itself.
    pub(super) fn read(
        document: &gltf::Document,
        mut blob: Option<Vec<u8>>,
        path: &Path,
    ) -> Result<Self, String> {
        let folder = path.parent().unwrap_or(Path::new(""));
        let mut all = Vec::new();
        for buffer in document.buffers() {
            let (index, must) = (buffer.index(), buffer.length());
            let bytes = match buffer.source() {
                Source::Bin => blob
                    .take()
                    .ok_or_else(|| format!("buffers[{index}] has no bytes"))?,
                Source::Uri(uri) if uri.starts_with("data:") => {
                    return Err(format!(
                        "buffers[{index}] is written as text, must be in a file; write a .glb"
                    ));
                }
                Source::Uri(uri) => read_beside(folder, uri, must)
                    .map_err(|reason| format!("buffers[{index}], {uri:?}, {reason}"))?,
            };
            let has = bytes.len();
            if has < must {
                return Err(format!(
                    "buffers[{index}] has {has} bytes, must have {must}: the file was cut short"
                ));
            }
            all.push(bytes);
        }
        Ok(Self(all))
    }

    /// What an accessor finds; refused if that is of other types, or lies beyond its buffer.
    fn items(
        &self,
        accessor: &Accessor<'_>,
        (dimensions, types): (Dimensions, &[DataType]),
    ) -> Result<Items<'_>, String> {
        let index = accessor.index();
        let refused = |what: &str| format!("accessors[{index}] {what}");
        if accessor.sparse().is_some() {
            return Err(refused("is sparse, which is not read"));
        }
        let (has, kind) = (accessor.dimensions(), accessor.data_type());
        if has != dimensions {
            return Err(refused(&format!("is {has:?}, must be {dimensions:?}")));
        }
        if !types.contains(&kind) {
            let valid: Vec<String> = types.iter().map(|t| t.as_gl_enum().to_string()).collect();
            let (has, valid) = (kind.as_gl_enum(), valid.join(" or "));
            return Err(refused(&format!(
                "has componentType {has}, must be {valid}"
            )));
        }
        let view = accessor
            .view()
            .ok_or_else(|| refused("has no bufferView"))?;
        let (size, count) = (accessor.size(), accessor.count());
        let stride = view.stride().unwrap_or(size);
        let buffer = self.0.get(view.buffer().index());
        let end = view.offset().checked_add(view.length());
        let of_view = end.and_then(|end| buffer?.get(view.offset()..end));
        let bytes = of_view.and_then(|bytes| bytes.get(accessor.offset()..));
        let needed = count.saturating_sub(1).checked_mul(stride);
        let needed = needed.and_then(|before| before.checked_add(size));
        match (bytes, needed) {
            (Some(bytes), Some(needed)) if needed <= bytes.len() && stride >= size => Ok(Items {
                bytes,
                stride,
                size,
                count,
            }),
            _ => Err(refused("reaches beyond its bufferView")),
        }
    }

    /// The vertices that the triangles of a mesh have, and the triangles.
    pub(super) fn triangles_of(
        &self,
        mesh: &Mesh<'_>,
    ) -> Result<(Vec<DVec3>, Vec<[u32; 3]>), String> {
        let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
        for primitive in mesh.primitives() {
            match primitive.mode() {
                Mode::Triangles => {}
                Mode::TriangleStrip | Mode::TriangleFan => {
                    return Err(format!(
                        "meshes[{}] has strips or fans, must have triangles",
                        mesh.index()
                    ));
                }
                // Points and lines are annotations.
                _ => continue,
            }
            let Some(positions) = primitive.get(&gltf::Semantic::Positions) else {
                continue;
            };
            let places = self.items(&positions, (Dimensions::Vec3, &[DataType::F32]))?;
            let corners = self.corners(&primitive, places.count)?;
            // Many meshes may have their vertices in one accessor.
            let mut used = corners.clone();
            used.sort_unstable();
            used.dedup();
            let first = vertices.len();
            vertices.extend(used.iter().map(|&corner| places.place(corner)));
            let number = |corner| (first + used.binary_search(&corner).unwrap_or_default()) as u32;
            let groups = corners.as_chunks::<3>().0.iter();
            triangles.extend(groups.map(|corners| corners.map(number)));
        }
        Ok((vertices, triangles))
    }

    /// The numbers of the vertices of all triangles.
    fn corners(&self, primitive: &Primitive<'_>, count: usize) -> Result<Vec<u32>, String> {
        let corners: Vec<u32> = match primitive.indices() {
            Some(indices) => {
                let types = [DataType::U8, DataType::U16, DataType::U32];
                let items = self.items(&indices, (Dimensions::Scalar, &types))?;
                let corners: Vec<u32> = (0..items.count).map(|k| items.number(k)).collect();
                if let Some(corner) = corners.iter().find(|&&corner| corner as usize >= count) {
                    let index = indices.index();
                    return Err(format!(
                        "accessors[{index}] names vertex {corner}, but its primitive has {count}"
                    ));
                }
                corners
            }
            None => (0..count as u32).collect(),
        };
        if corners.len().is_multiple_of(3) {
            return Ok(corners);
        }
        Err(format!(
            "primitives[{}] has {} corners, must have three for each triangle",
            primitive.index(),
            corners.len()
        ))
    }
}

/// Vectors or numbers that lie evenly in a buffer.
struct Items<'b> {
    bytes: &'b [u8],
    stride: usize,
    size: usize,
    count: usize,
}

impl Items<'_> {
    fn bytes(&self, item: usize) -> &[u8] {
        &self.bytes[item * self.stride..][..self.size]
    }

    fn place(&self, item: u32) -> DVec3 {
        let numbers = self.bytes(item as usize).as_chunks::<4>().0;
        let number = |axis: usize| f64::from(f32::from_le_bytes(numbers[axis]));
        DVec3::new(number(0), number(1), number(2))
    }

    fn number(&self, item: usize) -> u32 {
        let bytes = self.bytes(item).iter().rev();
        bytes.fold(0, |number, &byte| number << 8 | u32::from(byte))
    }
}

/// Reads the first bytes of a file that must be in a folder or in one within it.
fn read_beside(folder: &Path, uri: &str, most: usize) -> Result<Vec<u8>, String> {
    let name = percent_decode_str(uri).decode_utf8();
    let name = name.map_err(|error| format!("is not UTF-8: {error}"))?;
    let is_below = |part| matches!(part, Component::Normal(_) | Component::CurDir);
    if !Path::new(&*name).components().all(is_below) {
        return Err("is not beside the file, must be a path from its folder down".to_owned());
    }
    let path = folder.join(&*name);
    let read = || -> io::Result<Option<Vec<u8>>> {
        // To open a pipe could wait for ever.
        if !fs::metadata(&path)?.is_file() {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        File::open(&path)?
            .take(most as u64)
            .read_to_end(&mut bytes)?;
        Ok(Some(bytes))
    };
    let bytes = read().map_err(|error| format!("cannot be read: {error}"))?;
    bytes.ok_or_else(|| "is no file".to_owned())
}
