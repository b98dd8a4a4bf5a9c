//! What is drawn: the shapes of all bodies as triangles and edges.

use std::collections::BTreeMap;
use std::sync::Arc;

use clearance_render::{Tessellation, TessellationOptions, tessellate_with};
use clearance_shapes::internal::{are_plainly_same, bits_of};
use clearance_shapes::{Shape, ShapeEncoding};
use clearance_world::{BodyId, BodyKind, World};
use serde::Serialize;

use super::driver::Driver;
use crate::binary::{Binary, Span};
use crate::dimension::Dimension;

/// The bodies and their shapes, as they were when the page was told.
pub(crate) struct Layout<V: Dimension> {
    /// Grows by one when bodies or shapes come, go or change.
    pub(crate) number: u64,
    ids: Vec<BodyId>,
    /// The shape of each body, as it was.
    own: Vec<Shape<V>>,
    /// The number of the shape of each body: bodies with equal shapes have one.
    body_shapes: Vec<u32>,
    shapes: Vec<Shape<V>>,
}

/// What tells shapes apart: their numbers, or for a composite, which is large, where it lies.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum ShapeKey {
    Numbers(ShapeEncoding),
    Place(usize),
}

impl ShapeKey {
    fn of<V: Dimension>(shape: &Shape<V>) -> Self {
        match shape {
            Shape::Composite(composite) => Self::Place(Arc::as_ptr(composite).addr()),
            shape => Self::Numbers(bits_of(shape)),
        }
    }
}

/// Added to the kind of a body whose shape is the program's own.
const STAND_IN: u32 = 2;

/// The answer to `world.shapes`.
#[derive(Serialize)]
pub(crate) struct Shapes {
    shapes: Vec<Drawn>,
    body_shapes: Span,
    body_kinds: Span,
}

/// Triangles and edges.
#[derive(Serialize)]
pub(crate) struct Drawn {
    kind: &'static str,
    vertices: Span,
    triangles: Span,
    edges: Span,
}

impl Drawn {
    pub(crate) fn new(kind: &'static str, drawing: &Tessellation, binary: &mut Binary) -> Self {
        let vertices = drawing.vertices.iter().flat_map(|vertex| vertex.to_array());
        Self {
            kind,
            vertices: binary.floats(vertices),
            triangles: binary.integers(drawing.triangles.iter().flatten().copied()),
            edges: binary.integers(drawing.edges.iter().flatten().copied()),
        }
    }
}

impl<V: Dimension> Layout<V> {
    pub(super) fn of(driver: &Driver<V>) -> Self {
        let mut layout = Self {
            number: 0,
            ids: Vec::new(),
            own: Vec::new(),
            body_shapes: Vec::new(),
            shapes: Vec::new(),
        };
        layout.read(driver);
        layout
    }

    /// Looks at the bodies again, if any came, went or changed.
    pub(super) fn update(&mut self, driver: &Driver<V>) {
        if !self.is_of(driver) {
            self.read(driver);
        }
    }

    fn is_of(&self, driver: &Driver<V>) -> bool {
        let world = driver.world();
        world.len() == self.ids.len()
            && world.bodies().ids().eq(self.ids.iter().copied())
            && (world.bodies().zip(&self.own))
                .all(|(body, own)| are_plainly_same(body.shape(), own))
    }

    fn read(&mut self, driver: &Driver<V>) {
        let world = driver.world();
        self.number += 1;
        self.ids = world.bodies().ids().collect();
        self.shapes.clear();
        let mut known = BTreeMap::new();
        let shapes = &mut self.shapes;
        let mut number_of = |shape: &Shape<V>| {
            *known.entry(ShapeKey::of(shape)).or_insert_with(|| {
                shapes.push(shape.clone());
                shapes.len() as u32 - 1
            })
        };
        self.own = world.bodies().map(|body| body.shape().clone()).collect();
        self.body_shapes = self.own.iter().map(&mut number_of).collect();
    }

    /// For each slot of the world the number of its body.
    pub(crate) fn indices(&self) -> Vec<u32> {
        let slots = self.ids.last().map_or(0, |id| id.index() as usize + 1);
        let mut indices = vec![u32::MAX; slots];
        for (index, id) in (0..).zip(&self.ids) {
            indices[id.index() as usize] = index;
        }
        indices
    }

    /// The number of a body.
    pub(crate) fn index_of(&self, id: BodyId) -> Option<usize> {
        self.ids.binary_search(&id).ok()
    }

    /// The answer to `world.shapes`.
    pub(super) fn shapes(&self, driver: &Driver<V>, binary: &mut Binary) -> Shapes {
        let world = driver.world();
        let options = TessellationOptions {
            half_space_reach: reach(world),
        };
        let drawn = self
            .shapes
            .iter()
            .map(|shape| Drawn::new(shape.kind_name(), &tessellate_with(shape, &options), binary));
        let shapes = drawn.collect();
        let body_shapes = binary.integers(self.body_shapes.iter().copied());
        let kinds = world.bodies().map(|body| {
            let moves = u32::from(body.kind() == BodyKind::Moving);
            moves + STAND_IN * u32::from(driver.is_stand_in(body.id()))
        });
        let body_kinds = binary.integers(kinds);
        Shapes {
            shapes,
            body_shapes,
            body_kinds,
        }
    }
}

/// How far a half-space is drawn: somewhat farther than the bodies reach.
fn reach<V: Dimension>(world: &World<V>) -> f32 {
    let corners = world.bodies().flat_map(|body| {
        let bounds = body.bounds();
        [bounds.min, bounds.max]
    });
    let finite = corners.filter(|corner| corner.is_finite());
    let farthest = finite
        .map(|corner| corner.dot(corner).sqrt())
        .fold(1.0, f32::max);
    farthest.min(1e6) * 2.0
}
