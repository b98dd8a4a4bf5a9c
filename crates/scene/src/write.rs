//! Writes scenes.

use std::io;

use clearance_math::Pose;
use clearance_world::{BodyKind, Groups, Velocity};
use serde::{Serialize, Serializer, ser::SerializeMap};

use crate::file_vector::Numbers;
use crate::scene::{AnyScene, BodyShape, Scene, SceneBody};
use crate::shape_in_file::{NO_FILE, is_known};
use crate::{FileVector, ShapeInFile};

impl AnyScene {
    /// Writes the scene as a file: see [`Scene::write`].
    ///
    /// # Errors
    /// As there.
    pub fn write(&self, out: &mut impl io::Write) -> io::Result<()> {
        match self {
            Self::Plane(scene) => scene.write(out),
            Self::Space(scene) => scene.write(out),
        }
    }
}

impl<V: FileVector> Scene<V> {
    /// Writes the scene as a file, one body a line; give it a buffered writer. A mesh that was read by its path is written in
    /// place, with all its numbers.
    ///
    /// # Errors
    /// [`io::ErrorKind::InvalidInput`] with the path of a shape of your own, alone or in a compound, which no file can
    /// hold: then nothing was written. Those of the writer.
    pub fn write(&self, out: &mut impl io::Write) -> io::Result<()> {
        if let Some(path) = self.unknown_shape() {
            let text = format!("{path}: {NO_FILE}");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
        }
        write!(out, "{{\"dimension\": {}, \"margin\": ", V::DIM)?;
        serde_json::to_writer(&mut *out, &self.margin)?;
        if let Some(bounds) = &self.bounds {
            out.write_all(b",\n\"bounds\": {\"min\": ")?;
            serde_json::to_writer(&mut *out, &Numbers::of_position(bounds.min))?;
            out.write_all(b", \"max\": ")?;
            serde_json::to_writer(&mut *out, &Numbers::of_position(bounds.max))?;
            out.write_all(b"}")?;
        }
        out.write_all(b",\n\"shapes\": {")?;
        for (index, (name, shape)) in self.shapes.iter().enumerate() {
            out.write_all(if index == 0 { b"\n" } else { b",\n" })?;
            serde_json::to_writer(&mut *out, name)?;
            out.write_all(b": ")?;
            serde_json::to_writer(&mut *out, &ShapeInFile(shape))?;
        }
        out.write_all(b"\n},\n\"bodies\": [")?;
        for (index, body) in self.bodies.iter().enumerate() {
            out.write_all(if index == 0 { b"\n" } else { b",\n" })?;
            serde_json::to_writer(&mut *out, body)?;
        }
        out.write_all(b"\n]")?;
        if !self.ignored_pairs.is_empty() {
            out.write_all(b",\n\"ignored_pairs\": ")?;
            serde_json::to_writer(&mut *out, &self.ignored_pairs)?;
        }
        out.write_all(b"}\n")
    }

    /// The path of the first shape that no file can hold.
    fn unknown_shape(&self) -> Option<String> {
        let mut named = self.shapes.iter().filter(|(_, shape)| !is_known(shape));
        let is_unknown =
            |body: &SceneBody<V>| matches!(&body.shape, BodyShape::Own(shape) if !is_known(shape));
        let of_body = || self.bodies.iter().position(is_unknown);
        let named = named.next().map(|(name, _)| format!("shapes.{name}"));
        named.or_else(|| of_body().map(|index| format!("bodies[{index}].shape")))
    }
}

impl<V: FileVector> Serialize for SceneBody<V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match &self.shape {
            BodyShape::Named(name) => map.serialize_entry("shape", name)?,
            BodyShape::Own(shape) => map.serialize_entry("shape", &ShapeInFile(shape))?,
        }
        map.serialize_entry("pose", &PoseInFile(self.pose))?;
        map.serialize_entry("kind", &self.kind.to_string())?;
        if self.kind == BodyKind::Moving {
            map.serialize_entry("velocity", &VelocityInFile(self.velocity))?;
        }
        if self.groups != Groups::ALL {
            map.serialize_entry("groups", &GroupsInFile(self.groups))?;
        }
        if self.extra_margin > 0.0 {
            map.serialize_entry("extra_margin", &self.extra_margin)?;
        }
        if self.swept {
            map.serialize_entry("swept", &true)?;
        }
        map.end()
    }
}

struct GroupsInFile(Groups);

impl Serialize for GroupsInFile {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(groups) = self;
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("memberships", &groups.memberships)?;
        map.serialize_entry("filter", &groups.filter)?;
        map.end()
    }
}

/// A pose as files hold it.
pub(crate) struct PoseInFile<V: FileVector>(pub(crate) Pose<V>);

impl<V: FileVector> Serialize for PoseInFile<V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(pose) = self;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("translation", &Numbers::of_position(pose.position()))?;
        if *pose != Pose::from_translation(pose.position()) {
            map.serialize_entry("rotation", &V::rotation_numbers(pose.rotation))?;
        }
        map.end()
    }
}

struct VelocityInFile<V: FileVector>(Velocity<V>);

impl<V: FileVector> Serialize for VelocityInFile<V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("linear", &Numbers::of_vector(self.0.linear))?;
        map.serialize_entry("angular", &V::angular_numbers(self.0.angular))?;
        map.end()
    }
}
