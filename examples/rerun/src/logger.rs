//! An adapter that logs a world to rerun.

use std::collections::BTreeMap;

use clearance::BodyId;
use clearance::generic::World;
use clearance::math::{Matrix, Pose, PreciseVector, Rotation, Vec3, Vector};
use clearance::shapes::Shape;
use clearance_render::tessellate;
use rerun::{
    Arrows3D, Clear, LineStrips3D, Mesh3D, RecordingStream, RecordingStreamError, Transform3D,
};

/// The colours of overlaps and of gaps.
const OVERLAP: [u8; 3] = [0xc6, 0x28, 0x28];
const GAP: [u8; 3] = [0x00, 0x83, 0x6b];

/// How long normals are drawn, in units of length.
const NORMAL: f32 = 0.25;

/// Logs the frames of a world: shapes when they come, poses and contacts in each frame.
pub struct WorldLogger<V: Vector> {
    stream: RecordingStream,
    frame: i64,
    /// The bodies that are in the viewer, and the frame in which each was seen last.
    shown: BTreeMap<BodyId, Shown<V>>,
}

struct Shown<V: Vector> {
    shape: Shape<V>,
    frame: i64,
}

impl<V: Vector> WorldLogger<V> {
    /// Logs to a stream, such as a file or a viewer that is open.
    pub fn new(stream: RecordingStream) -> Self {
        Self {
            stream,
            frame: 0,
            shown: BTreeMap::new(),
        }
    }

    /// Logs a world after a step.
    pub fn frame(&mut self, world: &World<V>) -> Result<(), RecordingStreamError> {
        self.frame += 1;
        self.stream.set_time_sequence("frame", self.frame);
        for body in world.bodies() {
            let path = path(body.id());
            let shown = self.shown.get(&body.id());
            if shown.is_none_or(|shown| shown.shape != *body.shape()) {
                self.log_shape(&path, body.shape())?;
            }
            let shape = body.shape().clone();
            let frame = self.frame;
            self.shown.insert(body.id(), Shown { shape, frame });
            self.stream.log(path, &transform(body.pose()))?;
        }
        self.clear_removed()?;
        self.log_contacts(world)
    }

    fn log_shape(&self, path: &str, shape: &Shape<V>) -> Result<(), RecordingStreamError> {
        let found = tessellate(shape);
        let mesh = Mesh3D::new(found.vertices.iter().map(Vec3::to_array));
        self.stream
            .log(path, &mesh.with_triangle_indices(found.triangles))?;
        let edges = found.edges.iter();
        let strips = edges.map(|edge| edge.map(|index| found.vertices[index as usize].to_array()));
        self.stream
            .log(format!("{path}/edges"), &LineStrips3D::new(strips))
    }

    fn clear_removed(&mut self) -> Result<(), RecordingStreamError> {
        let frame = self.frame;
        let is_gone = |_: &BodyId, shown: &mut Shown<V>| shown.frame != frame;
        for (id, _) in self.shown.extract_if(.., is_gone) {
            self.stream.log(path(id), &Clear::recursive())?;
        }
        Ok(())
    }

    fn log_contacts(&self, world: &World<V>) -> Result<(), RecordingStreamError> {
        let contacts = world.contacts();
        let colours = contacts.iter().map(|contact| {
            if contact.distance() < 0.0 {
                OVERLAP
            } else {
                GAP
            }
        });
        let lines = contacts.iter().map(|contact| {
            let separation = &contact.separation;
            [separation.point_a(), separation.point_b()].map(in_space)
        });
        let lines = LineStrips3D::new(lines).with_colors(colours.clone());
        self.stream.log("contacts/closest_points", &lines)?;
        let normals = contacts.iter();
        let normals = normals.map(|contact| in_space(contact.separation.normal * NORMAL));
        let starts = contacts.iter();
        let starts = starts.map(|contact| in_space(contact.separation.point_b()));
        let arrows = Arrows3D::from_vectors(normals).with_origins(starts);
        self.stream
            .log("contacts/normals", &arrows.with_colors(colours))
    }
}

fn path(id: BodyId) -> String {
    format!("bodies/{id}")
}

fn transform<V: Vector>(pose: &Pose<V>) -> Transform3D {
    let matrix = pose.rotation.matrix();
    let mut columns = [Vec3::X, Vec3::Y, Vec3::Z];
    for (k, column) in columns.iter_mut().enumerate().take(V::DIM) {
        *column = matrix.column(k).in_space().as_vec3();
    }
    Transform3D::from_mat3x3(columns.map(|column| column.to_array()))
        .with_translation(in_space(pose.translation()))
}

/// Three numbers, the last of which is zero in the plane.
fn in_space<V: Vector>(vector: V) -> [f32; 3] {
    vector.to_precise().in_space().as_vec3().to_array()
}
