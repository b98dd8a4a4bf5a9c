//! glTF files, as text with buffers beside them or as one binary file.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use clearance_math::glam::{DAffine3, DMat3, DQuat, Quat};
use clearance_math::{DVec3, Pose, Vec3};
use clearance_shapes::Shape;
use gltf::accessor::{DataType, Dimensions};
use gltf::buffer::Source;
use gltf::mesh::Mode;
use gltf::scene::Transform;
use gltf::{Accessor, Gltf, Mesh, Node};
use rayon::prelude::*;

use super::{Found, Refused, cannot_read, name_behind, of_file};
use crate::part::{Form, Part, mesh_beside_origin, with_form};

/// How deep nodes may be in each other.
const MOST_NESTED: usize = 4096;

/// How far the columns of a matrix may be from unit length and right angles for meshes to be shared.
const RIGID: f64 = 1e-6;

pub(super) fn read(path: &Path, prefix: &str) -> Result<Found, Refused> {
    let refused = |reason| of_file(path, reason);
    let bytes = fs::read(path).map_err(|error| refused(cannot_read(&error)))?;
    let Gltf { document, blob } = Gltf::from_slice(&bytes)
        .map_err(|error| refused(format!("is not valid glTF 2.0: {error}")))?;
    drop(bytes);
    let buffers = Buffers::read(&document, blob, path).map_err(refused)?;
    let nodes = nodes_of(&document).map_err(refused)?;
    let mut uses = HashMap::<usize, usize>::new();
    for node in &nodes {
        *uses.entry(node.mesh.index()).or_default() += 1;
    }
    let mut shared: Vec<&Mesh<'_>> = nodes.iter().map(|node| &node.mesh).collect();
    shared.sort_by_key(|mesh| mesh.index());
    shared.dedup_by_key(|mesh| mesh.index());
    shared.retain(|mesh| uses[&mesh.index()] > 1);
    let shared: HashMap<usize, Result<SharedMesh, String>> = shared
        .into_par_iter()
        .map(|mesh| (mesh.index(), SharedMesh::read(mesh, &buffers)))
        .collect();
    let read = nodes.par_iter().map(|node| {
        let name = name_behind(prefix, &node.name);
        let part = node.part(&name, shared.get(&node.mesh.index()), &buffers);
        (name, part)
    });
    let mut found = Found::default();
    for part in read.collect::<Vec<_>>() {
        found.add(path, part);
    }
    Ok(found)
}

/// The bytes of all buffers.
struct Buffers(Vec<Vec<u8>>);

impl Buffers {
    fn read(
        document: &gltf::Document,
        mut blob: Option<Vec<u8>>,
        path: &Path,
    ) -> Result<Self, String> {
        let folder = path.parent().unwrap_or(Path::new(""));
        let mut all = Vec::new();
        for buffer in document.buffers() {
            let index = buffer.index();
            let bytes = match buffer.source() {
                Source::Bin => blob
                    .take()
                    .ok_or_else(|| format!("buffers[{index}] has no bytes"))?,
                Source::Uri(uri) if uri.starts_with("data:") => {
                    return Err(format!(
                        "buffers[{index}] is written as text, must be in a file; write a .glb"
                    ));
                }
                Source::Uri(uri) => fs::read(folder.join(uri)).map_err(|error| {
                    format!("buffers[{index}], {uri:?}, cannot be read: {error}")
                })?,
            };
            if bytes.len() < buffer.length() {
                let (has, must) = (bytes.len(), buffer.length());
                return Err(format!(
                    "buffers[{index}] has {has} bytes, must have {must}: the file was cut short"
                ));
            }
            all.push(bytes);
        }
        Ok(Self(all))
    }

    /// Refuses accessors that reach beyond their buffer, or have another type.
    fn check(&self, accessor: &Accessor<'_>, types: &[DataType]) -> Result<(), String> {
        let index = accessor.index();
        let refuse = |what: &str| Err(format!("accessors[{index}] {what}"));
        if accessor.sparse().is_some() {
            return refuse("is sparse, which is not read");
        }
        if !types.contains(&accessor.data_type()) {
            return refuse("has another type of numbers than positions or indices have");
        }
        let Some(view) = accessor.view() else {
            return refuse("has no bufferView");
        };
        let stride = view.stride().unwrap_or(accessor.size());
        let before = accessor.count().saturating_sub(1).checked_mul(stride);
        let end = before.and_then(|before| before.checked_add(accessor.offset() + accessor.size()));
        let buffer = self.0.get(view.buffer().index()).map_or(0, Vec::len);
        let is_within = end.is_some_and(|end| end <= view.length())
            && view
                .offset()
                .checked_add(view.length())
                .is_some_and(|end| end <= buffer)
            && stride >= accessor.size();
        if is_within {
            Ok(())
        } else {
            refuse("reaches beyond its bufferView")
        }
    }
}

/// A node with a mesh.
struct PlacedMesh<'d> {
    name: String,
    mesh: Mesh<'d>,
    place: DAffine3,
}

/// All nodes with meshes in the scene that the file says is to be shown, or in all scenes if it does not say.
fn nodes_of(document: &gltf::Document) -> Result<Vec<PlacedMesh<'_>>, String> {
    let roots: Vec<Node<'_>> = match document.default_scene() {
        Some(scene) => scene.nodes().collect(),
        None => document.scenes().flat_map(|scene| scene.nodes()).collect(),
    };
    let mut is_seen = vec![false; document.nodes().len()];
    let mut open: Vec<(Node<'_>, String, DAffine3, usize)> = Vec::new();
    let begin = |node| (node, String::new(), DAffine3::IDENTITY, 0);
    open.extend(roots.into_iter().rev().map(begin));
    let mut nodes = Vec::new();
    while let Some((node, prefix, outer, depth)) = open.pop() {
        let index = node.index();
        if is_seen[index] || depth > MOST_NESTED {
            return Err(format!(
                "nodes[{index}] is the child of several nodes, must be that of one at most"
            ));
        }
        is_seen[index] = true;
        let own = match node.name() {
            Some(name) if !name.is_empty() => name.to_owned(),
            _ => format!("node {index}"),
        };
        let name = name_behind(&prefix, &own);
        let place = outer * placed(&node.transform());
        let children: Vec<Node<'_>> = node.children().collect();
        for child in children.into_iter().rev() {
            open.push((child, name.clone(), place, depth + 1));
        }
        if let Some(mesh) = node.mesh() {
            nodes.push(PlacedMesh { name, mesh, place });
        }
    }
    Ok(nodes)
}

fn placed(transform: &Transform) -> DAffine3 {
    let precise = |numbers: [f32; 3]| DVec3::from_array(numbers.map(f64::from));
    match transform {
        Transform::Matrix { matrix } => {
            let [x, y, z, translation] =
                matrix.map(|[x, y, z, _]| DVec3::new(x.into(), y.into(), z.into()));
            DAffine3::from_mat3_translation(DMat3::from_cols(x, y, z), translation)
        }
        Transform::Decomposed {
            translation,
            rotation,
            scale,
        } => {
            let rotation = DQuat::from_array(rotation.map(f64::from));
            let length = rotation.length();
            let rotation = if length > 0.0 {
                rotation / length
            } else {
                DQuat::IDENTITY
            };
            DAffine3::from_scale_rotation_translation(
                precise(*scale),
                rotation,
                precise(*translation),
            )
        }
    }
}

impl PlacedMesh<'_> {
    fn part(
        &self,
        name: &str,
        shared: Option<&Result<SharedMesh, String>>,
        buffers: &Buffers,
    ) -> Result<Part, String> {
        if !self.place.is_finite() {
            return Err("its place is not finite".to_owned());
        }
        if let Some(shared) = shared
            && let Some(rotation) = rotation_of(&self.place.matrix3)
        {
            let SharedMesh { formed, origin } = shared.as_ref().map_err(String::clone)?;
            let pose = Pose::new(self.place.transform_point3(*origin), rotation);
            return Part::formed(name.to_owned(), formed.clone(), pose)
                .map_err(|error| error.to_string());
        }
        let (mut vertices, mut triangles) = triangles_of(&self.mesh, buffers)?;
        for vertex in &mut vertices {
            *vertex = self.place.transform_point3(*vertex);
        }
        if self.place.matrix3.determinant() < 0.0 {
            // What is mirrored has its inside inside.
            triangles
                .iter_mut()
                .for_each(|triangle| triangle.swap(1, 2));
        }
        Part::of_mesh(name, &vertices, &triangles).map_err(|error| error.to_string())
    }
}

/// The rotation that a matrix is, if it is one.
fn rotation_of(matrix: &DMat3) -> Option<Quat> {
    let off = *matrix * matrix.transpose() - DMat3::IDENTITY;
    let is_rigid = off.to_cols_array().iter().all(|x| x.abs() <= RIGID);
    (is_rigid && matrix.determinant() > 0.0).then(|| DQuat::from_mat3(matrix).normalize().as_quat())
}

/// A mesh of several nodes.
struct SharedMesh {
    formed: (Shape<Vec3>, Form),
    origin: DVec3,
}

impl SharedMesh {
    fn read(mesh: &Mesh<'_>, buffers: &Buffers) -> Result<Self, String> {
        let (vertices, triangles) = triangles_of(mesh, buffers)?;
        let (shape, origin) =
            mesh_beside_origin(&vertices, &triangles).map_err(|error| error.to_string())?;
        let formed = with_form(shape).map_err(|error| error.to_string())?;
        Ok(Self { formed, origin })
    }
}

/// The vertices and triangles of all primitives of a mesh.
fn triangles_of(mesh: &Mesh<'_>, buffers: &Buffers) -> Result<(Vec<DVec3>, Vec<[u32; 3]>), String> {
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
        if positions.dimensions() != Dimensions::Vec3 {
            return Err(format!("accessors[{}] must be VEC3", positions.index()));
        }
        buffers.check(&positions, &[DataType::F32])?;
        let first = vertices.len() as u32;
        let reader = primitive.reader(|buffer| buffers.0.get(buffer.index()).map(|b| &b[..]));
        let read = reader.read_positions().into_iter().flatten();
        vertices.extend(read.map(|place| DVec3::from_array(place.map(f64::from))));
        let corners: Vec<u32> = match primitive.indices() {
            Some(indices) => {
                buffers.check(&indices, &[DataType::U8, DataType::U16, DataType::U32])?;
                if indices.dimensions() != Dimensions::Scalar {
                    return Err(format!("accessors[{}] must be SCALAR", indices.index()));
                }
                let read = reader.read_indices().into_iter();
                read.flat_map(|indices| indices.into_u32()).collect()
            }
            None => (0..vertices.len() as u32 - first).collect(),
        };
        let groups = corners.as_chunks::<3>().0.iter();
        triangles.extend(groups.map(|corners| corners.map(|corner| first.saturating_add(corner))));
    }
    Ok((vertices, triangles))
}
