//! Rays against composites: the parts whose boxes the ray enters, the nearest first.
//!
//! All parts that need no pose of their own are tested against one and the same line, which is what
//! keeps rays from passing between triangles that share an edge: see the module of rays against
//! triangles. Boxes are tested in single precision and grown by the rounding error of that, so that
//! no box is missed which the line meets.

use clearance_math::tolerances::PART_BOX_RAY_ROUNDING;
use clearance_math::{PreciseVector, Ray, Real, Vector, tolerances};
use clearance_shapes::{Composite, CompositeKind, LineOfParts, NodeContent, PartTree};
use clearance_tree::ray_box::{RayBoxes, RayLine};
use clearance_tree::{Arrival, NearestFirst, Node};

use super::four::met;
use super::hits::{Hits, Parts, Wanted};
use super::way_out::WaysOut;
use super::{HitInFrame, RayHit, RayInFrame, RayOptions, mesh};
use crate::pair::Placed;

/// Finds the first hit of the parts of a placed composite. Of several parts at one distance, it is
/// that of the lowest number.
pub(super) fn first<V: Vector>(
    ray: &Ray<V>,
    b: &Placed<V>,
    composite: &Composite<V>,
    options: RayOptions,
) -> Option<RayHit<V>> {
    Parts::seen(ray, b, composite, |parts| {
        if parts.contain_start(options) {
            return Some(parts.in_world(RayHit::<V>::NO_PART, HitInFrame::inside()));
        }
        let mut ways_out = WaysOut::new();
        parts.add_ways_out(options, &mut ways_out);
        let mut parts = parts.led_out(&ways_out);
        let mut hits = Hits::new(parts, options, Wanted::First);
        for way in &ways_out {
            hits.visit(way.part);
        }
        descend(composite, &mut hits);
        let number = hits.number()?;
        parts.at_hand = hits.parts.at_hand;
        parts.hit_in_world(number, options)
    })
}

/// Hands over the hits of all parts of a placed composite, in no order.
pub(super) fn all<V: Vector>(
    ray: &Ray<V>,
    b: &Placed<V>,
    (composite, options): (&Composite<V>, RayOptions),
    found: &mut dyn FnMut(RayHit<V>),
) {
    let _ = Parts::seen(ray, b, composite, |parts| {
        let mut ways_out = WaysOut::new();
        parts.add_ways_out(options, &mut ways_out);
        let parts = parts.led_out(&ways_out);
        let each = &mut |parts: &Parts<V>, number| {
            let hit = parts.hit_in_world(number, options);
            hit.into_iter().for_each(&mut *found);
        };
        let is_last = |number| ways_out.iter().any(|way| way.part == number);
        for way in &ways_out {
            each(&parts, way.part);
        }
        let others = &mut |parts: &Parts<V>, number| {
            if !is_last(number) {
                each(parts, number);
            }
        };
        let mut hits = Hits::new(parts, options, Wanted::Each(others));
        descend(composite, &mut hits);
        hits.best
    });
}

/// Whether the ray hits any part.
pub(super) fn any<V: Vector>(
    ray: &Ray<V>,
    b: &Placed<V>,
    composite: &Composite<V>,
    options: RayOptions,
) -> bool {
    let found = Parts::seen(ray, b, composite, |parts| {
        let mut ways_out = WaysOut::new();
        parts.add_ways_out(options, &mut ways_out);
        if parts.contain_start(options) || ways_out.iter().any(|way| way.hit.is_some()) {
            return Some(());
        }
        let parts = parts.led_out(&ways_out);
        let mut hits = Hits::new(parts, options, Wanted::Any);
        descend(composite, &mut hits);
        hits.best.map(|_| ())
    });
    found.is_some()
}

/// A ray as boxes are tested against it, in single precision. Places count from the base of the line.
struct LineBoxes {
    boxes: RayBoxes,
    /// Where the ray starts.
    start: Real,
    /// What boxes are grown by on every side, in units of length.
    slack: Real,
}

impl LineBoxes {
    fn new<V: Vector>(line: &RayInFrame<V::Precise>) -> Self {
        let slack = (line.bounding_radius + line.base.length()) as Real * PART_BOX_RAY_ROUNDING;
        let is_small =
            |k: usize| line.direction.component(k).abs() < tolerances::PART_BOX_RAY_LEAST_COMPONENT;
        let direction = (0..V::DIM).fold(V::from_precise(line.direction), |direction, k| {
            if is_small(k) {
                direction.with_component(k, 0.0)
            } else {
                direction
            }
        });
        let start =
            -(line.middle as Real) - slack - (line.middle as Real).abs() * PART_BOX_RAY_ROUNDING;
        let boxes = RayBoxes::new(RayLine {
            origin: V::from_precise(line.base),
            direction,
            start,
            slack,
        });
        Self {
            boxes,
            start,
            slack,
        }
    }

    /// The ray as a line beside parts that lie in a grid.
    fn line_of_parts<P: PreciseVector>(&self, line: &RayInFrame<P>) -> LineOfParts {
        LineOfParts {
            base: line.base.in_space().to_array(),
            direction: line.direction.in_space().to_array(),
            start: self.start,
            end: Real::INFINITY,
            slack: self.slack,
        }
    }
}

/// Visits the parts whose boxes the ray enters, the nearest boxes first.
fn descend<V: Vector>(composite: &Composite<V>, hits: &mut Hits<V>) {
    match composite.kind() {
        CompositeKind::Mesh(mesh) if const { V::DIM == 3 } => {
            if !mesh::descend(mesh, hits) {
                descend_tree(mesh, hits);
            }
        }
        CompositeKind::HeightField(field) => descend_tree(field, hits),
        _ => descend_tree(composite, hits),
    }
}

fn descend_tree<V: Vector>(tree: &impl PartTree, hits: &mut Hits<V>) {
    let ray = hits.parts.line;
    let boxes = LineBoxes::new::<V>(ray);
    let mut line = boxes.line_of_parts(ray);
    let mut descent = NearestFirst::from_root();
    let mut limit = ray.place(hits.limit(), boxes.slack);
    while let Some(Arrival { child, measure }) = descent.pop() {
        if !(measure <= limit) {
            continue;
        }
        let Some(index) = child.index() else {
            hits.visit(child.known_number());
            limit = ray.place(hits.limit(), boxes.slack);
            continue;
        };
        line.end = limit;
        let is_known = tree.each_on_line(index as u32, &line, &mut |number| {
            hits.visit(number);
            limit = ray.place(hits.limit(), boxes.slack);
            limit
        });
        if is_known {
            continue;
        }
        let mut push = |node: &Node| {
            let (mask, enters) = boxes.boxes.entries::<V>(node, limit);
            descent.push(&node.children, mask, enters);
        };
        match tree.content(index as u32) {
            NodeContent::Boxes(node) => push(node),
            NodeContent::ComputedBoxes(node) => push(&node),
            NodeContent::Triangles(group) if const { V::DIM == 3 } => {
                hits.take(&group, &met(ray, &group));
                limit = ray.place(hits.limit(), boxes.slack);
            }
            NodeContent::Triangles(group) => push(&group.node()),
        }
    }
}
