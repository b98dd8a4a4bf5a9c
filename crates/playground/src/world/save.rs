//! The present state of a world as a scene file.

use std::collections::BTreeMap;

use clearance_scene::{BodyShape, Scene, SceneBody, SceneBounds, ShapeInFile};
use clearance_shapes::Shape;
use clearance_shapes::internal::bits_of;
use clearance_world::{BodyRef, World};
use serde::Serialize;

use crate::dimension::Dimension;
use crate::failure::Failure;

/// The answer to `world.save`.
#[derive(Serialize)]
pub(crate) struct Saved {
    scene: String,
}

/// Writes the bodies, and the box that reflects them if there is one.
///
/// A file cannot hold that part contacts are wanted.
pub(super) fn save<V: Dimension>(
    world: &World<V>,
    bounds: Option<SceneBounds<V>>,
) -> Result<Saved, Failure> {
    let mut names = Names::default();
    let bodies: Result<Vec<_>, _> = world.bodies().map(|body| names.body(&body)).collect();
    let ids: Vec<_> = world.bodies().map(|body| body.id()).collect();
    // Ids ascend as bodies are listed.
    let number = |id| ids.binary_search(&id).unwrap_or_default() as u32;
    let pairs = world.ignored_pairs();
    let scene = Scene {
        ignored_pairs: pairs.map(|pair| [number(pair.a), number(pair.b)]).collect(),
        margin: world.options().margin,
        bounds,
        bodies: bodies?,
        shapes: names.shapes,
    };
    let mut text = Vec::new();
    scene.write(&mut text).map_err(Failure::of)?;
    let scene = String::from_utf8(text).map_err(Failure::of)?;
    Ok(Saved { scene })
}

/// Shapes that were given names, so that bodies with equal shapes share them.
struct Names<V: Dimension> {
    shapes: BTreeMap<String, Shape<V>>,
    known: BTreeMap<clearance_shapes::ShapeEncoding, String>,
}

impl<V: Dimension> Default for Names<V> {
    fn default() -> Self {
        Self {
            shapes: BTreeMap::new(),
            known: BTreeMap::new(),
        }
    }
}

impl<V: Dimension> Names<V> {
    fn body(&mut self, body: &BodyRef<V>) -> Result<SceneBody<V>, Failure> {
        let bits = bits_of(body.shape());
        let name = match self.known.get(&bits) {
            Some(name) => name.clone(),
            None => {
                let name = format!("shape {}", self.known.len());
                let own = || {
                    let id = body.id();
                    Failure::new(format!(
                        "body {id} has a shape of the program's own, which no file can hold"
                    ))
                };
                ShapeInFile::of(body.shape()).ok_or_else(own)?;
                self.shapes.insert(name.clone(), body.shape().clone());
                self.known.insert(bits, name.clone());
                name
            }
        };
        Ok(SceneBody {
            kind: body.kind(),
            velocity: body.velocity(),
            groups: body.groups(),
            extra_margin: body.extra_margin(),
            swept: body.is_swept(),
            ..SceneBody::new(BodyShape::Named(name), *body.pose())
        })
    }
}
