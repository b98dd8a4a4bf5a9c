//! The bytes of glTF buffers, and what accessors find in them.

use std::borrow::Cow;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Component, Path};

use base64::prelude::{BASE64_STANDARD, Engine};
use clearance_math::DVec3;
use gltf::accessor::sparse::{IndexType, Sparse};
use gltf::accessor::{DataType, Dimensions};
use gltf::buffer::{Source, View};
use gltf::mesh::Mode;
use gltf::{Accessor, Mesh, Primitive};
use percent_encoding::percent_decode_str;

use crate::read::step_of_single;

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
                    bytes_in(uri).map_err(|reason| format!("buffers[{index}] {reason}"))?
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
        let layout = Layout {
            kind,
            is_normalized: accessor.normalized(),
            size: accessor.size(),
            count: accessor.count(),
        };
        let beyond = || refused("reaches beyond its bufferView");
        let items = match (accessor.view(), accessor.sparse()) {
            (Some(view), _) => self
                .listed(&view, accessor.offset(), layout)
                .ok_or_else(beyond)?,
            (None, Some(_)) if layout.count <= MOST_ZEROS => Items::zeros(layout),
            (None, _) => return Err(refused("has no bufferView")),
        };
        match accessor.sparse() {
            Some(sparse) => self.changed(items, &sparse).ok_or_else(|| {
                refused("has sparse values that reach beyond their bufferViews or are of no item")
            }),
            None => Ok(items),
        }
    }

    /// What lies evenly in a view from an offset on; `None` if it reaches beyond.
    fn listed(&self, view: &View<'_>, offset: usize, layout: Layout) -> Option<Items<'_>> {
        let stride = view.stride().unwrap_or(layout.size);
        let end = view.offset().checked_add(view.length())?;
        let of_view = self.0.get(view.buffer().index())?.get(view.offset()..end)?;
        let bytes = of_view.get(offset..)?;
        let before = layout.count.saturating_sub(1).checked_mul(stride)?;
        let needed = before.checked_add(layout.size)?;
        (needed <= bytes.len() && stride >= layout.size).then_some(Items {
            bytes: bytes.into(),
            stride,
            layout,
        })
    }

    /// The items with those that are listed apart; `None` if these are not there.
    fn changed<'b>(&'b self, items: Items<'b>, sparse: &Sparse<'_>) -> Option<Items<'b>> {
        let (count, size) = (sparse.count(), items.layout.size);
        let (indices, values) = (sparse.indices(), sparse.values());
        let (kind, size_of_number) = match indices.index_type() {
            IndexType::U8 => (DataType::U8, 1),
            IndexType::U16 => (DataType::U16, 2),
            IndexType::U32 => (DataType::U32, 4),
        };
        let of_numbers = Layout {
            kind,
            is_normalized: false,
            size: size_of_number,
            count,
        };
        let numbers = self.listed(&indices.view(), indices.offset(), of_numbers)?;
        let of_values = Layout {
            count,
            ..items.layout
        };
        let values = self.listed(&values.view(), values.offset(), of_values)?;
        let all = 0..items.layout.count;
        let mut bytes: Vec<u8> = all.flat_map(|k| items.bytes(k).iter().copied()).collect();
        for k in 0..count {
            let item = bytes
                .chunks_exact_mut(size)
                .nth(numbers.number(k) as usize)?;
            item.copy_from_slice(values.bytes(k));
        }
        Some(Items {
            bytes: bytes.into(),
            stride: size,
            layout: items.layout,
        })
    }

    /// The triangles of a mesh.
    pub(super) fn triangles_of(&self, mesh: &Mesh<'_>) -> Result<Triangles, String> {
        let mut found = Triangles::default();
        for primitive in mesh.primitives().filter(is_of_triangles) {
            let Some(positions) = primitive.get(&gltf::Semantic::Positions) else {
                continue;
            };
            let places = self.items(&positions, (Dimensions::Vec3, &PLACES))?;
            let corners = self.corners(&primitive, places.layout.count)?;
            // Many meshes may have their vertices in one accessor.
            let mut used = corners.clone();
            used.sort_unstable();
            used.dedup();
            let first = found.vertices.len();
            let own = used.iter().map(|&corner| places.place(corner));
            found.vertices.extend(own);
            let largest = found.vertices[first..]
                .iter()
                .map(|v| v.abs().max_element());
            let largest = largest.fold(0.0, f64::max);
            found.step = found.step.max(places.step(largest));
            let number = |corner| (first + used.binary_search(&corner).unwrap_or_default()) as u32;
            let groups = corners.as_chunks::<3>().0.iter();
            found
                .triangles
                .extend(groups.map(|corners| corners.map(number)));
        }
        Ok(found)
    }

    /// The numbers of the vertices of all triangles.
    fn corners(&self, primitive: &Primitive<'_>, count: usize) -> Result<Vec<u32>, String> {
        let listed: Vec<u32> = match primitive.indices() {
            Some(indices) => {
                let types = [DataType::U8, DataType::U16, DataType::U32];
                let items = self.items(&indices, (Dimensions::Scalar, &types))?;
                let corners: Vec<u32> = (0..items.layout.count).map(|k| items.number(k)).collect();
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
        let thirds = || listed.windows(3).enumerate();
        let triangles = match primitive.mode() {
            Mode::TriangleStrip => {
                // Every second one is turned over.
                let facing =
                    |(k, three): (usize, &[u32])| [three[0], three[1 + k % 2], three[2 - k % 2]];
                thirds().flat_map(facing).collect()
            }
            Mode::TriangleFan => {
                let (first, others) = listed.split_first().unwrap_or((&0, &[]));
                let with_first = |two: &[u32]| [two[0], two[1], *first];
                others.windows(2).flat_map(with_first).collect()
            }
            _ if listed.len().is_multiple_of(3) => listed,
            _ => {
                return Err(format!(
                    "primitives[{}] has {} corners, must have three for each triangle",
                    primitive.index(),
                    listed.len()
                ));
            }
        };
        Ok(triangles)
    }
}

/// What a mesh has of triangles.
#[derive(Default)]
pub(super) struct Triangles {
    /// The vertices that triangles name.
    pub(super) vertices: Vec<DVec3>,
    pub(super) triangles: Vec<[u32; 3]>,
    /// The greatest step between two numbers that the file can have for a coordinate.
    pub(super) step: f64,
}

/// Points and lines are annotations.
fn is_of_triangles(primitive: &Primitive<'_>) -> bool {
    let modes = [Mode::Triangles, Mode::TriangleStrip, Mode::TriangleFan];
    modes.contains(&primitive.mode())
}

/// Whether a mesh has more than points and lines.
pub(super) fn has_triangles(mesh: &Mesh<'_>) -> bool {
    mesh.primitives()
        .any(|primitive| is_of_triangles(&primitive))
}

/// The types of coordinates: whole numbers are those of KHR_mesh_quantization.
const PLACES: [DataType; 5] = [
    DataType::F32,
    DataType::I8,
    DataType::U8,
    DataType::I16,
    DataType::U16,
];

/// How many items may have no bytes but those of a few: a small file could fill the memory otherwise.
const MOST_ZEROS: usize = 1 << 22;

/// How vectors or numbers lie in a buffer.
#[derive(Clone, Copy)]
struct Layout {
    kind: DataType,
    is_normalized: bool,
    size: usize,
    count: usize,
}

/// Vectors or numbers that lie evenly in a buffer.
struct Items<'b> {
    bytes: Cow<'b, [u8]>,
    stride: usize,
    layout: Layout,
}

impl Items<'_> {
    fn zeros(layout: Layout) -> Self {
        Self {
            bytes: vec![0; layout.size * layout.count].into(),
            stride: layout.size,
            layout,
        }
    }

    fn bytes(&self, item: usize) -> &[u8] {
        &self.bytes[item * self.stride..][..self.layout.size]
    }

    fn place(&self, item: u32) -> DVec3 {
        let bytes = self.bytes(item as usize);
        let numbers = bytes.chunks_exact(self.layout.size / 3).map(|bytes| {
            let whole = || number_of(bytes);
            match self.layout.kind {
                DataType::I8 => f64::from(whole() as i8),
                DataType::I16 => f64::from(whole() as i16),
                DataType::F32 => f64::from(f32::from_bits(whole())),
                _ => f64::from(whole()),
            }
        });
        let scale = self.scale();
        let least = if scale == 1.0 {
            f64::NEG_INFINITY
        } else {
            -1.0
        };
        let mut place = DVec3::ZERO;
        for (axis, number) in numbers.enumerate() {
            place[axis] = (number * scale).max(least);
        }
        place
    }

    /// What whole numbers are multiplied by.
    fn scale(&self) -> f64 {
        let greatest = match self.layout.kind {
            _ if !self.layout.is_normalized => 1.0,
            DataType::I8 => f64::from(i8::MAX),
            DataType::U8 => f64::from(u8::MAX),
            DataType::I16 => f64::from(i16::MAX),
            DataType::U16 => f64::from(u16::MAX),
            DataType::U32 | DataType::F32 => 1.0,
        };
        1.0 / greatest
    }

    /// The greatest step between numbers up to a size.
    fn step(&self, largest: f64) -> f64 {
        match self.layout.kind {
            DataType::F32 => step_of_single(largest),
            _ => self.scale(),
        }
    }

    fn number(&self, item: usize) -> u32 {
        number_of(self.bytes(item))
    }
}

fn number_of(bytes: &[u8]) -> u32 {
    let bytes = bytes.iter().rev();
    bytes.fold(0, |number, &byte| number << 8 | u32::from(byte))
}

/// The bytes that a data URI has as text.
fn bytes_in(uri: &str) -> Result<Vec<u8>, String> {
    let (_, text) = uri
        .split_once(";base64,")
        .ok_or("is written as text, but not in base64")?;
    let bytes = BASE64_STANDARD.decode(text);
    bytes.map_err(|error| format!("is no valid base64: {error}"))
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
