//! The text of a glTF file.

use std::collections::BTreeMap;

use clearance_math::DVec3;
use clearance_math::glam::{DAffine3, DMat4, DQuat};
use gltf::json::Root;
use gltf::{Document, Glb};
use serde::Deserialize;
use serde::de::IgnoredAny;

/// What extensions begin with that a file may require, since they change no triangle or are read here.
const READ: [&str; 8] = [
    "KHR_mesh_quantization",
    "KHR_materials_",
    "KHR_texture_",
    "EXT_texture_",
    "KHR_lights_",
    "KHR_xmp",
    "KHR_animation_",
    "MSFT_texture_",
];

/// A glTF file whose numbers of accessors, nodes and so on are all among those that there are.
pub(super) struct File {
    pub(super) document: Document,
    /// The buffer in the file itself.
    pub(super) blob: Option<Vec<u8>>,
    /// The places of the nodes.
    pub(super) places: Vec<NodePlace>,
}

impl File {
    pub(super) fn read(bytes: &[u8]) -> Result<Self, String> {
        let invalid = |error: &dyn core::fmt::Display| format!("is not valid glTF 2.0: {error}");
        let (text, blob) = if bytes.starts_with(b"glTF") {
            let Glb { json, bin, .. } = Glb::from_slice(bytes).map_err(|error| invalid(&error))?;
            (json, bin.map(|bin| bin.into_owned()))
        } else {
            (bytes.into(), None)
        };
        let outline: Outline = serde_json::from_slice(&text).map_err(|error| invalid(&error))?;
        outline.refuse_version()?;
        outline.refuse_extensions()?;
        outline.check().map_err(|reason| invalid(&reason))?;
        let mut root: Root = serde_json::from_slice(&text).map_err(|error| invalid(&error))?;
        // The library refuses those that it does not read itself.
        root.extensions_required.clear();
        Ok(Self {
            document: Document::from_json(root).map_err(|error| invalid(&error))?,
            blob,
            places: outline.nodes,
        })
    }
}

/// What is read of the text besides what the library gives: places in double precision, and numbers that it takes as they are.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Outline {
    asset: Asset,
    #[serde(default)]
    extensions_required: Vec<String>,
    #[serde(default)]
    accessors: Vec<IgnoredAny>,
    #[serde(default)]
    meshes: Vec<MeshOutline>,
    #[serde(default)]
    nodes: Vec<NodePlace>,
}

#[derive(Deserialize)]
struct Asset {
    version: String,
}

#[derive(Deserialize)]
struct MeshOutline {
    #[serde(default)]
    primitives: Vec<PrimitiveOutline>,
}

#[derive(Deserialize)]
struct PrimitiveOutline {
    #[serde(default)]
    attributes: BTreeMap<String, u32>,
}

impl Outline {
    fn refuse_version(&self) -> Result<(), String> {
        match self.asset.version.as_str() {
            version if version.starts_with("2.") => Ok(()),
            version => Err(format!("has `asset.version` {version:?}, must be 2.0")),
        }
    }

    fn refuse_extensions(&self) -> Result<(), String> {
        let is_read = |name: &&String| READ.iter().any(|own| name.starts_with(own));
        match self.extensions_required.iter().find(|name| !is_read(name)) {
            Some(name) => Err(format!(
                "requires {name}, which is not read; write the file without it"
            )),
            None => Ok(()),
        }
    }

    /// Refuses attributes that name no accessor, which the library does not look at.
    fn check(&self) -> Result<(), String> {
        let count = self.accessors.len();
        for (index, mesh) in self.meshes.iter().enumerate() {
            for (primitive, PrimitiveOutline { attributes }) in mesh.primitives.iter().enumerate() {
                let mut named = attributes.iter();
                if let Some((name, number)) = named.find(|(_, number)| **number as usize >= count) {
                    return Err(format!(
                        "meshes[{index}].primitives[{primitive}].attributes.{name} is {number}, must be less than {count}, \
                         the number of accessors"
                    ));
                }
            }
        }
        Ok(())
    }
}

/// The place of a node in the node above it.
#[derive(Deserialize)]
pub(super) struct NodePlace {
    matrix: Option<[f64; 16]>,
    translation: Option<[f64; 3]>,
    rotation: Option<[f64; 4]>,
    scale: Option<[f64; 3]>,
    extensions: Option<NodeExtensions>,
}

#[derive(Deserialize)]
struct NodeExtensions {
    #[serde(rename = "EXT_mesh_gpu_instancing")]
    instances: Option<IgnoredAny>,
}

impl NodePlace {
    /// Whether the node stands for many.
    pub(super) fn has_instances(&self) -> bool {
        let all = self.extensions.as_ref();
        all.is_some_and(|all| all.instances.is_some())
    }

    pub(super) fn affine(&self) -> DAffine3 {
        if let Some(matrix) = &self.matrix {
            return DAffine3::from_mat4(DMat4::from_cols_array(matrix));
        }
        let rotation = self.rotation.map_or(DQuat::IDENTITY, DQuat::from_array);
        let length = rotation.length();
        let rotation = if length > 0.0 {
            rotation / length
        } else {
            DQuat::IDENTITY
        };
        DAffine3::from_scale_rotation_translation(
            self.scale.map_or(DVec3::ONE, DVec3::from_array),
            rotation,
            self.translation.map_or(DVec3::ZERO, DVec3::from_array),
        )
    }
}
