//! Rays against composites: the parts whose boxes the ray enters, the nearest first.
//!
//! All parts that need no pose of their own are tested against one and the same line, which is what
//! keeps rays from passing between triangles that share an edge: see the module of rays against
//! triangles. Boxes are tested in single precision and grown by the rounding error of that, so that
//! no box is missed which the line meets.

use clearance_math::tolerances::PART_BOX_RAY_ROUNDING;
use clearance_math::{PreciseVector, Ray, Real, RelativePose, Vector, round_nearest, tolerances};
use clearance_shapes::{
    Composite, CompositeKind, Convex, LineOfParts, NodeContent, PartTree, Shape, TriangleGroup,
};
use clearance_tree::ray_box::{RayBoxes, RayLine};
use clearance_tree::{Arrival, NearestFirst, Node, lanes};

use super::answer::{BackFaces, Interior};
use super::four::{Met, met};
use super::triangle;
use super::visitor::Visitor;
use super::way_out::WayOut;
use super::{HitInFrame, RayHit, RayInFrame, RayOptions, mesh};
use crate::composite::has_inside;
use crate::placed::Placed;

/// Finds the first hit of the parts of a placed composite. Of several parts at one distance, it is
/// that of the lowest number.
pub(super) fn first<V: Vector>(
    ray: &Ray<V>,
    b: &Placed<V>,
    composite: &Composite<V>,
    options: RayOptions,
) -> Option<RayHit<V>> {
    let frame = RelativePose::from_pose(b.pose);
    let line = &RayInFrame::new(ray, &frame, composite.bounding_radius());
    if line.passes() {
        return None;
    }
    if starts_inside(line, b, options) {
        let hit = HitInFrame::inside().in_world_along(ray, line.unit, &frame);
        let part = RayHit::<V>::NO_PART;
        return Some(RayHit { part, ..hit });
    }
    let mut nearest = First {
        parts: Parts::new(line, composite, b),
        options,
        best: None,
    };
    let out = nearest.parts.leave(b, options);
    if let Some((number, hit)) = &out {
        nearest.best = Some(Best::new(*number, hit.distance));
    }
    descend(composite, &mut nearest);
    let number = nearest.best?.number;
    match out.filter(|(last, _)| *last == number) {
        Some((_, hit)) => Some(nearest.parts.in_world((ray, &frame), number, hit)),
        None => nearest.parts.hit_in_world((ray, &frame), number, options),
    }
}

/// Hands over the hits of all parts of a placed composite, in no order.
pub(super) fn all<V: Vector>(
    ray: &Ray<V>,
    b: &Placed<V>,
    (composite, options): (&Composite<V>, RayOptions),
    found: &mut dyn FnMut(RayHit<V>),
) {
    let frame = RelativePose::from_pose(b.pose);
    let line = &RayInFrame::new(ray, &frame, composite.bounding_radius());
    if line.passes() {
        return;
    }
    let mut parts = Parts::new(line, composite, b);
    if let Some((number, hit)) = parts.leave(b, options) {
        found(parts.in_world((ray, &frame), number, hit));
    }
    let mut all = All {
        parts,
        options,
        found: &mut |parts, number| {
            let hit = parts.hit_in_world((ray, &frame), number, options);
            hit.into_iter().for_each(&mut *found);
        },
    };
    descend(composite, &mut all);
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
    let (lower, upper) = ((hit.lower - moved).max(0.0), hit.upper + moved);
    HitInFrame {
        lower,
        upper,
        status: hit.status_within(parts.line, upper - lower),
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
    let frame = RelativePose::from_pose(b.pose);
    let line = &RayInFrame::new(ray, &frame, composite.bounding_radius());
    if line.passes() {
        return false;
    }
    if starts_inside(line, b, options) {
        return true;
    }
    let mut any = Any {
        parts: Parts::new(line, composite, b),
        options,
        is_hit: false,
    };
    any.is_hit = any.parts.leave(b, options).is_some();
    descend(composite, &mut any);
    any.is_hit
}

/// Whether a ray starts inside of a closed surface, and that counts.
fn starts_inside<V: Vector>(
    line: &RayInFrame<V::Precise>,
    b: &Placed<V>,
    options: RayOptions,
) -> bool {
    let Shape::Composite(composite) = b.shape else {
        return false;
    };
    options.interior == Interior::Solid
        && has_inside(b)
        && composite.solids().any(|solid| solid.contains(line.origin))
}

/// The parts of a composite, as a ray sees them.
struct Parts<'a, V: Vector> {
    line: &'a RayInFrame<V::Precise>,
    composite: &'a Composite<V>,
    b: &'a Placed<'a, V>,
    /// Whether some parts may not count.
    is_selective: bool,
    /// Hits before this distance are of faces between two cells.
    start: f64,
}

impl<'a, V: Vector> Parts<'a, V> {
    fn new(
        line: &'a RayInFrame<V::Precise>,
        composite: &'a Composite<V>,
        b: &'a Placed<'a, V>,
    ) -> Self {
        Self {
            line,
            composite,
            b,
            is_selective: b.is_selective(),
            start: 0.0,
        }
    }

    /// Follows a ray that starts in a cell to where it leaves the filled cells: the last cell and its hit, if it counts.
    fn leave(
        &mut self,
        b: &Placed<V>,
        options: RayOptions,
    ) -> Option<(u32, HitInFrame<V::Precise>)> {
        let out = WayOut::find(self.line, self.composite, b, options)?;
        self.start = out.distance(self.line);
        Some((out.part, out.hit(self.line, options)?))
    }

    /// What is asked of a part; `None` if it is left out.
    #[inline(always)]
    fn asked_of(&self, number: u32, options: RayOptions) -> Option<RayOptions> {
        if self.is_selective {
            self.selected(number, options)
        } else {
            Some(options)
        }
    }

    #[cold]
    #[inline(never)]
    fn selected(&self, number: u32, options: RayOptions) -> Option<RayOptions> {
        let outer = self.composite.outer_side(number);
        // A one-way tile is asked for the normal of its hit.
        let back_faces = if outer.is_some_and(|outer| !outer.is_of_tile) {
            BackFaces::Pass
        } else {
            options.back_faces
        };
        let selected = RayOptions {
            back_faces,
            ..options
        };
        self.b.has_part(number).then_some(selected)
    }

    /// Calls `found` with the numbers of the triangles of a group in space that the ray hits, and with the distances
    /// that [`Parts::hit`] finds.
    #[inline(always)]
    fn each_hit(
        &self,
        group: &TriangleGroup,
        met: &Met,
        options: RayOptions,
        mut found: impl FnMut(u32, f64),
    ) {
        let most = f64::from(options.max_distance);
        for lane in lanes(met.hit) {
            let number = group.parts[lane].known_number();
            let distance = met.places[lane] + self.line.middle;
            // Which side of it a ray meets, and whether that counts, is left to the test of one triangle.
            let is_any_side = options.back_faces == BackFaces::Hit && !self.is_selective;
            if is_any_side && 0.0 <= distance && distance <= most {
                found(number, distance);
            } else if let Some(distance) = self.distance(number, options) {
                found(number, distance);
            }
        }
        for lane in lanes(met.open) {
            let number = group.parts[lane].known_number();
            if let Some(distance) = self.distance(number, options) {
                found(number, distance);
            }
        }
    }

    /// The distance of [`Parts::hit`].
    #[cold]
    #[inline(never)]
    fn distance(&self, number: u32, options: RayOptions) -> Option<f64> {
        let options = self.asked_of(number, options)?;
        match self.triangle(number) {
            Some(corners) => self.line.distance_to_triangle(corners, options),
            None => self.hit_any(number, options).map(|hit| hit.distance),
        }
    }

    /// The corners of a part that is a triangle in space with three corners.
    #[inline(always)]
    fn triangle(&self, number: u32) -> Option<[V; 3]> {
        if const { V::DIM != 3 } {
            return None;
        }
        let corners = match self.composite.kind() {
            CompositeKind::Mesh(mesh) => mesh.corners(number),
            CompositeKind::HeightField(field) => field.corners(number)?,
            _ => return None,
        };
        has_three_corners(&corners).then_some(corners)
    }

    /// What the ray hits of a triangle in space with three corners, in the frame of the composite: what a
    /// convex shape of these corners answers, without making one.
    #[inline(always)]
    fn hit_triangle(&self, corners: [V; 3], options: RayOptions) -> Option<HitInFrame<V::Precise>> {
        let touch = triangle::touch(self.line, corners)?;
        HitInFrame::of_surface(self.line, &touch, options)
    }

    /// What the ray hits of a part, in the frame of the composite.
    #[inline(always)]
    fn hit(&self, number: u32, options: RayOptions) -> Option<HitInFrame<V::Precise>> {
        let options = self.asked_of(number, options)?;
        if let Some(corners) = self.triangle(number) {
            return self.hit_triangle(corners, options);
        }
        self.hit_any(number, options)
    }

    /// The hit of a part in the world.
    fn hit_in_world(
        &self,
        (ray, frame): (&Ray<V>, &RelativePose<V::Precise>),
        number: u32,
        options: RayOptions,
    ) -> Option<RayHit<V>> {
        let hit = loosened(self.hit(number, options)?, self);
        Some(self.in_world((ray, frame), number, hit))
    }

    fn in_world(
        &self,
        (ray, frame): (&Ray<V>, &RelativePose<V::Precise>),
        number: u32,
        hit: HitInFrame<V::Precise>,
    ) -> RayHit<V> {
        RayHit {
            part: number,
            ..hit.in_world_along(ray, self.line.unit, frame)
        }
    }

    /// What the ray hits of a part that may be of any kind.
    #[inline(never)]
    fn hit_any(&self, number: u32, options: RayOptions) -> Option<HitInFrame<V::Precise>> {
        let part = self.composite.part(number)?;
        let Shape::Convex(convex) = &*part.shape else {
            return None;
        };
        let hit = match &part.pose {
            None => self.line.hit_convex(convex, options),
            Some(pose) => self.hit_placed((convex, pose), options),
        }?;
        let is_hit = !self.is_selective || self.is_outside((number, convex), &hit);
        is_hit.then_some(hit)
    }

    fn hit_placed(
        &self,
        (convex, pose): (&Convex<V>, &RelativePose<V::Precise>),
        options: RayOptions,
    ) -> Option<HitInFrame<V::Precise>> {
        // From this frame's size alone, so that all parts with this pose are tested against one line: a
        // mesh within a compound is as watertight as one that is not.
        let radius = self.line.bounding_radius + pose.translation.length();
        let hit = self
            .line
            .seen_from(pose, radius)
            .hit_convex(convex, options)
            .filter(|hit| hit.distance >= self.start)?;
        Some(HitInFrame {
            normal: hit.normal.map(|normal| pose.transform_direction(normal)),
            ..hit
        })
    }

    /// Whether a part is hit from the side on which it counts, if it is a one-way tile.
    #[cold]
    fn is_outside(
        &self,
        (number, convex): (u32, &Convex<V>),
        hit: &HitInFrame<V::Precise>,
    ) -> bool {
        let outer = self.composite.outer_side(number);
        outer.is_none_or(|outer| {
            let is_seen =
                |normal: V::Precise| normal.dot(outer.normal) > tolerances::OUTER_SIDE_COSINE;
            // The front of a flat tile is not that side.
            let is_from_inside = hit.is_back_face && convex.front().is_none();
            !outer.is_of_tile || !is_from_inside && hit.normal.is_some_and(is_seen)
        })
    }
}

/// Whether no two corners are equal; otherwise the part is a segment or a point.
#[inline]
fn has_three_corners<V: Vector>([a, b, c]: &[V; 3]) -> bool {
    a != b && b != c && c != a
}

/// The first hit so far.
struct First<'a, V: Vector> {
    parts: Parts<'a, V>,
    options: RayOptions,
    best: Option<Best>,
}

/// A part that is hit.
#[derive(Clone, Copy)]
struct Best {
    number: u32,
    /// In single precision.
    distance: Real,
}

impl Best {
    #[inline(always)]
    fn new(number: u32, distance: f64) -> Self {
        Self {
            number,
            distance: round_nearest(distance),
        }
    }
}

impl<V: Vector> First<'_, V> {
    /// The options for the next part: what is farther than the best need not be found.
    #[inline]
    fn nearer(&self) -> RayOptions {
        self.options.up_to(self.limit())
    }
}

/// The one of two hits that counts: the first, and of equal ones that of the lowest number.
#[inline]
fn better(best: Option<Best>, other: Best) -> Option<Best> {
    match best {
        Some(best) if (best.distance, best.number) < (other.distance, other.number) => Some(best),
        _ => Some(other),
    }
}

impl<V: Vector> Visitor<V> for First<'_, V> {
    #[inline]
    fn line(&self) -> &RayInFrame<V::Precise> {
        self.parts.line
    }

    #[inline]
    fn limit(&self) -> Real {
        self.best
            .map_or(self.options.max_distance, |best| best.distance)
    }

    fn visit(&mut self, number: u32) {
        if let Some(hit) = self.parts.hit(number, self.nearer()) {
            self.best = better(self.best, Best::new(number, hit.distance));
        }
    }

    #[inline(always)]
    fn take(&mut self, group: &TriangleGroup, met: &Met) {
        if met.hit | met.open == 0 {
            return;
        }
        let mut best = self.best;
        self.parts
            .each_hit(group, met, self.nearer(), |number, distance| {
                best = better(best, Best::new(number, distance));
            });
        self.best = best;
    }
}

struct Any<'a, V: Vector> {
    parts: Parts<'a, V>,
    options: RayOptions,
    is_hit: bool,
}

impl<V: Vector> Visitor<V> for Any<'_, V> {
    #[inline]
    fn line(&self) -> &RayInFrame<V::Precise> {
        self.parts.line
    }

    #[inline]
    fn limit(&self) -> Real {
        if self.is_hit {
            Real::NEG_INFINITY
        } else {
            self.options.max_distance
        }
    }

    fn visit(&mut self, number: u32) {
        self.is_hit |= self.parts.hit(number, self.options).is_some();
    }

    #[inline]
    fn take(&mut self, group: &TriangleGroup, met: &Met) {
        let mut is_hit = self.is_hit;
        self.parts
            .each_hit(group, met, self.options, |_, _| is_hit = true);
        self.is_hit = is_hit;
    }
}

/// Calls `found` with each part that may be hit.
struct All<'a, 'f, V: Vector> {
    parts: Parts<'a, V>,
    options: RayOptions,
    found: &'f mut dyn FnMut(&Parts<'a, V>, u32),
}

impl<V: Vector> Visitor<V> for All<'_, '_, V> {
    fn line(&self) -> &RayInFrame<V::Precise> {
        self.parts.line
    }

    fn limit(&self) -> Real {
        self.options.max_distance
    }

    fn visit(&mut self, number: u32) {
        (self.found)(&self.parts, number);
    }

    fn take(&mut self, group: &TriangleGroup, met: &Met) {
        for lane in lanes(met.hit | met.open) {
            (self.found)(&self.parts, group.parts[lane].known_number());
        }
    }
}

/// A ray as boxes are tested against it, in single precision. Places count from the base of the line.
struct LineBoxes {
    boxes: RayBoxes,
    /// Where the ray starts.
    start: Real,
    /// What boxes are grown by on every side, in units of length.
    slack: Real,
    /// The distance of the base from the start of the ray.
    middle: f64,
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
            middle: line.middle,
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

    /// The place that a distance along the ray stands for, rounded up.
    fn place(&self, distance: Real) -> Real {
        let place = f64::from(distance) - self.middle;
        let rounding = (f64::from(distance) + self.middle.abs()) * f64::from(PART_BOX_RAY_ROUNDING);
        (place + rounding) as Real + self.slack
    }
}

/// Visits the parts whose boxes the ray enters, the nearest boxes first.
fn descend<V: Vector>(composite: &Composite<V>, visitor: &mut impl Visitor<V>) {
    match composite.kind() {
        CompositeKind::Mesh(mesh) if const { V::DIM == 3 } => {
            if !mesh::descend(mesh, visitor) {
                descend_tree::<V>(mesh, visitor);
            }
        }
        CompositeKind::HeightField(field) => descend_tree::<V>(field, visitor),
        _ => descend_tree::<V>(composite, visitor),
    }
}

fn descend_tree<V: Vector>(tree: &impl PartTree, visitor: &mut impl Visitor<V>) {
    let boxes = LineBoxes::new::<V>(visitor.line());
    let mut line = boxes.line_of_parts(visitor.line());
    let mut descent = NearestFirst::from_root();
    let mut limit = boxes.place(visitor.limit());
    while let Some(Arrival { child, measure }) = descent.pop() {
        if !(measure <= limit) {
            continue;
        }
        let Some(index) = child.index() else {
            visitor.visit(child.known_number());
            limit = boxes.place(visitor.limit());
            continue;
        };
        line.end = limit;
        let is_known = tree.each_on_line(index as u32, &line, &mut |number| {
            visitor.visit(number);
            limit = boxes.place(visitor.limit());
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
                visitor.take(&group, &met(visitor.line(), &group));
                limit = boxes.place(visitor.limit());
            }
            NodeContent::Triangles(group) => push(&group.node()),
        }
    }
}
