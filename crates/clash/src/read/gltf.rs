//! glTF files, as text with buffers beside them or as one binary file.

mod buffers;
mod document;

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::rc::Rc;

use clearance_math::glam::{DAffine3, DMat3, DQuat};
use clearance_math::{DVec3, Pose, RelativePose, Vec3};
use clearance_shapes::Shape;
use gltf::{Mesh, Node};
use rayon::prelude::*;

use super::{Found, Refused, cannot_read, name_behind, of_file, rounding_by};
use crate::part::{Form, Part, mesh_beside_origin, rounding_of, with_form};
use buffers::{Buffers, Triangles, has_triangles};
use document::{File, NodePlace};

/// How many bytes a name may have together with those of the nodes above it: a small file could fill the memory otherwise.
const MOST_NAMED: usize = 4096;

/// How far the columns of a matrix may be from unit length and right angles for a mesh to be tried as one that is shared.
const RIGID: f64 = 1e-6;

/// By how much of its size a mesh may be elsewhere where it is shared, which is what stored vertices are moved by at most.
const MOVED: f64 = 1e-7;

/// How many roundings of double precision a place costs at most, for the matrix of a rotation, a product and a point: each number goes
/// through fewer.
const ROUNDINGS: f64 = 16.0;

pub(super) fn read(path: &Path, prefix: &str) -> Result<Found, Refused> {
    let refused = |reason| of_file(path, reason);
    let bytes = fs::read(path).map_err(|error| refused(cannot_read(&error)))?;
    let File {
        document,
        blob,
        places,
    } = File::read(&bytes).map_err(refused)?;
    drop(bytes);
    let buffers = Buffers::read(&document, blob, path).map_err(refused)?;
    let mut nodes = nodes_of(&document, &places).map_err(refused)?;
    let all = nodes.len();
    nodes.retain(|node| has_triangles(&node.mesh));
    let rigid = nodes
        .iter()
        .filter(|node| is_nearly_rigid(&node.place.affine));
    let mut rigid: Vec<&Mesh<'_>> = rigid.map(|node| &node.mesh).collect();
    rigid.sort_by_key(|mesh| mesh.index());
    rigid.dedup_by_key(|mesh| mesh.index());
    let shared: HashMap<usize, SharedMesh> = rigid
        .into_par_iter()
        .filter_map(|mesh| Some((mesh.index(), SharedMesh::read(mesh, &buffers)?)))
        .collect();
    let read = nodes.par_iter().map(|node| {
        let name = name_behind(prefix, &node.name);
        let part = node.part(&name, shared.get(&node.mesh.index()), &buffers);
        (name, part)
    });
    let mut found = Found {
        passed_over: all - nodes.len(),
        ..Found::default()
    };
    for part in read.collect::<Vec<_>>() {
        found.add(path, part);
    }
    Ok(found)
}

/// The product of the places of a node and of those above it.
#[derive(Clone, Copy)]
struct PlaceInTree {
    affine: DAffine3,
    /// How much longer it makes a vector at most.
    stretch: f64,
    /// How far it moves the origin at most, in double precision without cancellation.
    reach: f64,
    /// How many places that move anything are in the product.
    factors: f64,
}

impl PlaceInTree {
    const ROOT: Self = Self {
        affine: DAffine3::IDENTITY,
        stretch: 1.0,
        reach: 0.0,
        factors: 0.0,
    };

    fn then(&self, own: &DAffine3) -> Self {
        if *own == DAffine3::IDENTITY {
            return *self;
        }
        // The greatest eigenvalue is at most the greatest sum of a row.
        let squared = own.matrix3.transpose() * own.matrix3;
        let rows = squared.to_cols_array_2d();
        let sums = rows.map(|row| row.iter().map(|x| x.abs()).sum::<f64>());
        Self {
            affine: self.affine * *own,
            stretch: self.stretch * sums.into_iter().fold(0.0, f64::max).sqrt(),
            reach: self.reach + self.stretch * own.translation.length(),
            factors: self.factors + 1.0,
        }
    }

    /// How far points of a mesh are at most from where the program that wrote the file had them.
    fn rounding(&self, numbers: &Numbers) -> f64 {
        let of_file = self.stretch * rounding_by(numbers.step);
        let of_place = ROUNDINGS * self.factors * f64::EPSILON;
        of_file + of_place * (self.reach + self.stretch * numbers.farthest)
    }
}

/// What is known of the coordinates of a mesh in the file.
struct Numbers {
    /// How far vertices are from their origin at most.
    farthest: f64,
    /// The greatest step between two numbers that the file can have there.
    step: f64,
}

impl Numbers {
    fn of(vertices: &[DVec3], step: f64) -> Self {
        let lengths = vertices.iter().map(|vertex| vertex.length());
        Self {
            farthest: lengths.fold(0.0, f64::max),
            step,
        }
    }
}

/// A node with a mesh.
struct PlacedMesh<'d> {
    name: String,
    mesh: Mesh<'d>,
    place: PlaceInTree,
}

/// All nodes with meshes in the scene that the file says is to be shown, or in the first one if it does not say.
fn nodes_of<'d>(
    document: &'d gltf::Document,
    places: &[NodePlace],
) -> Result<Vec<PlacedMesh<'d>>, String> {
    let scene = document
        .default_scene()
        .or_else(|| document.scenes().next());
    let roots: Vec<Node<'_>> = scene.iter().flat_map(gltf::Scene::nodes).collect();
    let mut is_seen = vec![false; document.nodes().len()];
    let begin = |node| (node, Rc::<str>::from(""), PlaceInTree::ROOT);
    let mut open: Vec<(Node<'_>, Rc<str>, PlaceInTree)> =
        roots.into_iter().rev().map(begin).collect();
    let mut nodes = Vec::new();
    while let Some((node, above, outer)) = open.pop() {
        let index = node.index();
        let refuse = |what: &str| Err(format!("nodes[{index}] {what}"));
        if is_seen[index] {
            return refuse("is the child of several nodes, must be that of one at most");
        }
        is_seen[index] = true;
        let own = match node.name() {
            Some(name) if !name.is_empty() => name.to_owned(),
            _ => format!("node {index}"),
        };
        let name = name_behind(&above, &own);
        if name.len() > MOST_NAMED {
            return refuse(&format!(
                "has a name of {} bytes with those of the nodes above it, must have at most {MOST_NAMED}",
                name.len()
            ));
        }
        if places[index].has_instances() {
            return refuse("has EXT_mesh_gpu_instancing, must have a node for each instance");
        }
        let place = outer.then(&places[index].affine());
        let children: Vec<Node<'_>> = node.children().collect();
        let above = Rc::<str>::from(name.as_str());
        for child in children.into_iter().rev() {
            open.push((child, above.clone(), place));
        }
        if let Some(mesh) = node.mesh() {
            nodes.push(PlacedMesh { name, mesh, place });
        }
    }
    Ok(nodes)
}

impl PlacedMesh<'_> {
    fn part(
        &self,
        name: &str,
        shared: Option<&SharedMesh>,
        buffers: &Buffers,
    ) -> Result<Part, String> {
        if !self.place.affine.is_finite() {
            return Err("its place is not finite".to_owned());
        }
        if let Some(mesh) = shared
            && let Some((pose, moved)) = mesh.pose_at(&self.place.affine)
        {
            return Part::formed(name.to_owned(), mesh.formed.clone(), pose)
                .map(|part| {
                    part.rounded_by(mesh.rounding + moved + self.place.rounding(&mesh.numbers))
                })
                .map_err(|error| error.to_string());
        }
        let Triangles {
            mut vertices,
            mut triangles,
            step,
        } = buffers.triangles_of(&self.mesh)?;
        let rounding = self.place.rounding(&Numbers::of(&vertices, step));
        let place = &self.place.affine;
        for vertex in &mut vertices {
            *vertex = place.transform_point3(*vertex);
        }
        if place.matrix3.determinant() < 0.0 {
            // A mirror turns triangles over: they would face inwards.
            triangles
                .iter_mut()
                .for_each(|triangle| triangle.swap(1, 2));
        }
        let part = Part::of_mesh(name, &vertices, &triangles).map_err(|error| error.to_string())?;
        let stored = part.rounding();
        Ok(part.rounded_by(stored + rounding))
    }
}

fn is_nearly_rigid(place: &DAffine3) -> bool {
    let matrix = &place.matrix3;
    let off = *matrix * matrix.transpose() - DMat3::IDENTITY;
    let is_rigid = off.to_cols_array().iter().all(|x| x.abs() <= RIGID);
    is_rigid && matrix.determinant() > 0.0
}

/// A mesh as it is in the file, which all nodes share that do no more than turn and move it.
struct SharedMesh {
    formed: (Shape<Vec3>, Form),
    origin: DVec3,
    numbers: Numbers,
    rounding: f64,
}

impl SharedMesh {
    /// `None` if the mesh is not valid: each node names the reason.
    fn read(mesh: &Mesh<'_>, buffers: &Buffers) -> Option<Self> {
        let Triangles {
            vertices,
            triangles,
            step,
        } = buffers.triangles_of(mesh).ok()?;
        let (shape, origin) = mesh_beside_origin(&vertices, &triangles).ok()?;
        let formed = with_form(shape).ok()?;
        Some(Self {
            formed,
            origin,
            numbers: Numbers::of(&vertices, step),
            rounding: rounding_of(&vertices, &triangles, origin),
        })
    }

    /// The pose that puts the mesh at a place, if there is one, and how far it moves vertices from there at most.
    ///
    /// A part must not depend on which other nodes have its mesh: the place alone decides.
    fn pose_at(&self, place: &DAffine3) -> Option<(Pose<Vec3>, f64)> {
        if !is_nearly_rigid(place) {
            return None;
        }
        let rotation = DQuat::from_mat3(&place.matrix3).normalize().as_quat();
        let pose = Pose::new(place.transform_point3(self.origin), rotation);
        let turned = RelativePose::from_pose(&pose);
        let [low, high] = self.formed.0.limits_within(&Pose::IDENTITY, 0.0);
        let most = MOVED * (high - low).length();
        // What is linear is greatest at a corner of the box.
        let corners = (0..8).map(|k| {
            let side = |axis: usize| if k >> axis & 1 == 0 { low } else { high }[axis];
            let corner = DVec3::new(side(0), side(1), side(2));
            let moved = turned.transform_direction(corner) - place.transform_vector3(corner);
            moved.length()
        });
        let moved = corners.fold(0.0, f64::max);
        (moved <= most).then_some((pose, moved))
    }
}
