//! Rays against composites: the parts whose boxes the ray enters, the nearest first.
//!
//! All parts that need no pose of their own are tested against one and the same line, which is what
//! keeps rays from passing between triangles that share an edge: see the module of rays against
//! triangles. Boxes are tested in single precision and grown by the rounding error of that, so that
//! no box is missed which the line meets.

use arrayvec::ArrayVec;
use clearance_math::{PreciseVector, Ray, Real, RelativePose, Vector, round_nearest};
use clearance_shapes::{Composite, CompositeKind, Shape};
use clearance_tree::{Child, Node};
use glam::Vec4;

use super::{HitInFrame, RayHit, RayInFrame, RayOptions};
use crate::composite::gap::{Lane, bounding_radius, sorted_lanes};
use crate::placed::Placed;

/// More than a descent of one tree can leave unfinished: 32 levels, each of which leaves up to three
/// children.
const MOST_PENDING: usize = 128;

/// How many units in the last place of single precision the place where a ray meets a box may be
/// wrong, relative to the size: a difference, a quotient and a product round.
const ROUNDING: Real = 8.0 * Real::EPSILON;

/// A direction with a component below this counts as perpendicular to that axis: along the whole
/// composite the coordinate changes by less than the rounding error that boxes are grown by.
const LEAST_COMPONENT: f64 = 1e-7;

/// Finds the first hit of the parts of a placed composite. Of several parts at one distance, it is
/// that of the lowest number.
pub(super) fn first<V: Vector>(
    ray: &Ray<V>,
    b: &Placed<V>,
    composite: &Composite<V>,
    options: RayOptions,
) -> Option<RayHit<V>> {
    let line = line_in_composite(ray, b, composite)?;
    let mut nearest = First {
        parts: Parts { line, composite },
        options,
        best: None,
    };
    let boxes = RayBoxes::new(&nearest.parts.line);
    descend(composite, &boxes, &mut nearest);
    let (number, _) = nearest.best?;
    let hit = nearest.parts.hit(number, options)?;
    let hit = loosened(hit, &nearest.parts);
    Some(RayHit {
        part: number,
        ..hit.in_world(ray, &RelativePose::from_pose(b.pose))
    })
}

/// The hit with bounds that hold for the part that the composite stands for, whose vertices were
/// rounded: a surface that is moved by so much is met so much earlier or later, divided by the cosine
/// between the ray and its normal.
fn loosened<V: Vector>(
    hit: HitInFrame<V::Precise>,
    parts: &Parts<'_, V>,
) -> HitInFrame<V::Precise> {
    let rounding = parts.composite.rounding();
    let Some(normal) = hit.normal.filter(|_| rounding > 0.0) else {
        return hit;
    };
    let most = 2.0 * parts.line.bounding_radius;
    let moved = (rounding / normal.dot(parts.line.direction).abs()).min(most);
    HitInFrame {
        lower: (hit.lower - moved).max(0.0),
        upper: hit.upper + moved,
        ..hit
    }
}

/// Whether the ray hits any part.
pub(super) fn any<V: Vector>(
    ray: &Ray<V>,
    b: &Placed<V>,
    composite: &Composite<V>,
    options: RayOptions,
) -> bool {
    let Some(line) = line_in_composite(ray, b, composite) else {
        return false;
    };
    let mut any = Any {
        parts: Parts { line, composite },
        options,
        is_hit: false,
    };
    let boxes = RayBoxes::new(&any.parts.line);
    descend(composite, &boxes, &mut any);
    any.is_hit
}

/// The ray in the frame of the composite; `None` if it passes the ball around the composite.
fn line_in_composite<V: Vector>(
    ray: &Ray<V>,
    b: &Placed<V>,
    composite: &Composite<V>,
) -> Option<RayInFrame<V::Precise>> {
    let radius = bounding_radius(&composite.local_bounds());
    let line = RayInFrame::new(ray, &RelativePose::from_pose(b.pose), radius);
    (!line.passes()).then_some(line)
}

/// The parts of a composite, as a ray sees them.
struct Parts<'a, V: Vector> {
    line: RayInFrame<V::Precise>,
    composite: &'a Composite<V>,
}

impl<V: Vector> Parts<'_, V> {
    /// The distance at which the ray hits a part, as [`Parts::hit`] would find it.
    #[inline]
    fn distance(&self, number: u32, options: RayOptions) -> Option<f64> {
        let corners = match self.composite.kind() {
            CompositeKind::Mesh(mesh) if V::DIM == 3 => Some(mesh.corners(number)),
            CompositeKind::HeightField(field) => field.corners(number),
            _ => return self.hit(number, options).map(|hit| hit.distance),
        };
        // Most triangles whose boxes the ray enters are missed, so they are only tested here.
        let distance = self.line.distance_to_triangle(corners?)?;
        (distance <= f64::from(options.max_distance).next_up())
            .then(|| self.hit(number, options))
            .flatten()
            .map(|hit| hit.distance)
    }

    /// What the ray hits of a part, in the frame of the composite.
    fn hit(&self, number: u32, options: RayOptions) -> Option<HitInFrame<V::Precise>> {
        let part = self.composite.part(number)?;
        let Shape::Convex(convex) = &*part.shape else {
            return None;
        };
        let Some(pose) = part.pose else {
            return self.line.hit_convex(convex, options);
        };
        // From this frame's size alone, so that all parts with this pose are tested against one line: a
        // mesh within a compound is as watertight as one that is not.
        let radius = self.line.bounding_radius + pose.translation.length();
        let hit = self
            .line
            .seen_from(pose, radius)
            .hit_convex(convex, options)?;
        Some(HitInFrame {
            normal: hit.normal.map(|normal| pose.transform_direction(normal)),
            ..hit
        })
    }
}

/// Looks at the parts whose boxes a ray enters.
trait Visitor {
    /// The greatest distance along the ray that is still of interest.
    fn limit(&self) -> Real;
    /// Looks at a part.
    fn visit(&mut self, number: u32);
}

/// The first hit so far, with its distance in single precision.
struct First<'a, V: Vector> {
    parts: Parts<'a, V>,
    options: RayOptions,
    best: Option<(u32, Real)>,
}

impl<V: Vector> Visitor for First<'_, V> {
    fn limit(&self) -> Real {
        self.best
            .map_or(self.options.max_distance, |(_, distance)| distance)
    }

    fn visit(&mut self, number: u32) {
        let options = self.options.up_to(self.limit());
        let Some(distance) = self.parts.distance(number, options) else {
            return;
        };
        let distance = round_nearest(distance);
        let is_better = self
            .best
            .is_none_or(|(best, least)| distance < least || (distance == least && number < best));
        if is_better {
            self.best = Some((number, distance));
        }
    }
}

struct Any<'a, V: Vector> {
    parts: Parts<'a, V>,
    options: RayOptions,
    is_hit: bool,
}

impl<V: Vector> Visitor for Any<'_, V> {
    fn limit(&self) -> Real {
        if self.is_hit {
            Real::NEG_INFINITY
        } else {
            self.options.max_distance
        }
    }

    fn visit(&mut self, number: u32) {
        self.is_hit |= self.parts.distance(number, self.options).is_some();
    }
}

/// A ray as boxes are tested against it, in single precision. Places count from the base of the line.
struct RayBoxes {
    base: [Vec4; 3],
    /// One over each component of the direction; zero for an axis that the ray is perpendicular to.
    inverse: [Vec4; 3],
    /// What boxes are grown by on every side, in units of length.
    slack: Vec4,
    /// The place at which the ray starts.
    start: Real,
    /// The distance of the base from the start of the ray.
    middle: f64,
    dimension: usize,
}

impl RayBoxes {
    fn new<P: PreciseVector>(line: &RayInFrame<P>) -> Self {
        let (mut base, mut inverse) = ([Vec4::ZERO; 3], [Vec4::ZERO; 3]);
        for k in 0..P::DIM {
            base[k] = Vec4::splat(line.base.component(k) as Real);
            let component = line.direction.component(k);
            if component.abs() >= LEAST_COMPONENT {
                inverse[k] = Vec4::splat((1.0 / component) as Real);
            }
        }
        let slack = (line.bounding_radius + line.base.length()) as Real * ROUNDING;
        Self {
            base,
            inverse,
            slack: Vec4::splat(slack),
            start: -(line.middle as Real) - slack - (line.middle as Real).abs() * ROUNDING,
            middle: line.middle,
            dimension: P::DIM,
        }
    }

    /// The place that a distance along the ray stands for, rounded up.
    fn place(&self, distance: Real) -> Real {
        let place = f64::from(distance) - self.middle;
        let rounding = (f64::from(distance) + self.middle.abs()) * f64::from(ROUNDING);
        (place + rounding) as Real + self.slack.x
    }

    /// The places where the ray enters the boxes of a node; infinite for those that it misses. The
    /// boxes are grown by the rounding error first.
    #[inline]
    fn enter(&self, node: &Node) -> Vec4 {
        let mut near = Vec4::splat(self.start);
        let mut far = Vec4::INFINITY;
        for k in 0..self.dimension {
            let low = node.low[k] - self.slack - self.base[k];
            let high = node.high[k] + self.slack - self.base[k];
            if self.inverse[k].x == 0.0 {
                let is_beside = low.cmpgt(Vec4::ZERO) | high.cmplt(Vec4::ZERO);
                far = Vec4::select(is_beside, Vec4::NEG_INFINITY, far);
                continue;
            }
            let (first, second) = (low * self.inverse[k], high * self.inverse[k]);
            near = near.max(first.min(second));
            far = far.min(first.max(second));
        }
        // Quotients round in proportion to themselves.
        let is_hit = (near - near.abs() * ROUNDING).cmple(far + far.abs() * ROUNDING);
        Vec4::select(is_hit, near - near.abs() * ROUNDING, Vec4::INFINITY)
    }
}

#[derive(Clone, Copy)]
struct Pending {
    enter: Real,
    child: Child,
}

/// Visits the parts whose boxes the ray enters, the nearest boxes first.
fn descend<V: Vector>(composite: &Composite<V>, boxes: &RayBoxes, visitor: &mut impl Visitor) {
    let mut pending = ArrayVec::<Pending, MOST_PENDING>::new();
    let mut next = Some(Child::node(0));
    while let Some(child) = next {
        if let Some(index) = child.index() {
            let node = composite.node(index as u32);
            let limit = boxes.place(visitor.limit());
            let lanes = sorted_lanes(&node, boxes.enter(&node), limit.min(Real::MAX));
            let first = pending.len();
            pending.extend(lanes.map(|Lane { gap, lane }| Pending {
                enter: gap,
                child: node.children[lane],
            }));
            pending[first..].reverse();
        } else {
            visitor.visit(child.known_number());
        }
        let limit = boxes.place(visitor.limit());
        next = None;
        while let Some(pair) = pending.pop() {
            if pair.enter <= limit {
                next = Some(pair.child);
                break;
            }
        }
    }
}
