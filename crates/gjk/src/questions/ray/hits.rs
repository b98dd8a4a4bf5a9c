//! What a ray hits of the parts of a composite.

use clearance_math::{PreciseVector, Ray, Real, RelativePose, Vector, round_nearest, tolerances};
use clearance_shapes::internal::corners_of;
use clearance_shapes::{Composite, CompositeKind, Convex, Shape, TriangleGroup};
use clearance_tree::lanes;

use super::answer::{BackFaces, Interior};
use super::four::Met;
use super::triangle;
use super::way_out::{WayOutOfCells, WaysOut, add_ways_out};
use super::{HitInFrame, RayHit, RayInFrame, RayOptions};
use crate::pair::Placed;
use crate::parts::has_inside;

/// The parts of a composite, as a ray sees them.
#[derive(Clone, Copy)]
pub(super) struct Parts<'a, V: Vector> {
    ray: &'a Ray<V>,
    /// The pose of the composite, and the ray in its frame.
    frame: &'a RelativePose<V::Precise>,
    pub(super) line: &'a RayInFrame<V::Precise>,
    composite: &'a Composite<V>,
    b: &'a Placed<'a, V>,
    /// Whether some parts may not count.
    is_selective: bool,
    /// The last cells on these answer with where the ray leaves them, others of the same voxels not before that.
    ways_out: &'a [WayOutOfCells<'a, V>],
    /// Whether facets may be hit that are no surface, since the solid is on both sides.
    may_be_inside: bool,
    /// A triangle whose corners the search has just read: elsewhere in memory they are far away.
    pub(super) at_hand: Option<AtHand>,
}

impl<'a, V: Vector> Parts<'a, V> {
    /// Calls a function with the parts of a placed composite; `None` if the ray passes all of them.
    #[inline(always)]
    pub(super) fn seen<T>(
        ray: &Ray<V>,
        b: &Placed<V>,
        composite: &Composite<V>,
        call: impl FnOnce(Parts<V>) -> Option<T>,
    ) -> Option<T> {
        let frame = &RelativePose::from_pose(b.pose);
        let line = &RayInFrame::new(ray, frame, composite.bounding_radius());
        if line.passes() {
            return None;
        }
        call(Parts {
            ray,
            frame,
            line,
            composite,
            b,
            is_selective: b.is_selective(),
            ways_out: &[],
            may_be_inside: false,
            at_hand: None,
        })
    }

    /// The same for a ray that may hit facets from inside of a solid: those with the solid on both sides are left out.
    pub(super) fn seen_from_inside(self) -> Self {
        Self {
            may_be_inside: has_inside(self.b),
            ..self
        }
    }

    /// Whether the ray is inside of a solid before and behind a facet of it.
    #[cold]
    fn is_within(&self, number: u32, distance: f64) -> bool {
        let off = tolerances::CELL_CLEARANCE * self.line.bounding_radius;
        let at = |off: f64| {
            let along = distance - self.line.middle + off;
            self.line.base + self.line.direction * along
        };
        self.composite
            .solid_of(number)
            .is_some_and(|solid| [-off, off].into_iter().all(|off| solid.contains(at(off))))
    }

    /// Whether the ray starts inside of a closed surface, and that counts.
    pub(super) fn contain_start(&self, options: RayOptions) -> bool {
        options.interior == Interior::Solid
            && has_inside(self.b)
            && (self.composite.solids()).any(|solid| solid.contains(self.line.origin))
    }

    /// Adds where a ray that starts in cells leaves them. They are large, so they stay where they are.
    pub(super) fn add_ways_out(&self, options: RayOptions, ways_out: &mut WaysOut<'a, V>) {
        // With a filter of parts each cell answers for itself.
        if options.interior == Interior::Hollow && self.b.parts.is_none() {
            add_ways_out(self.line, self.composite, options, ways_out);
        }
    }

    /// The same for a ray that is led out first.
    pub(super) fn led_out(self, ways_out: &'a [WayOutOfCells<'a, V>]) -> Self {
        Self { ways_out, ..self }
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

    /// Calls `found` with the lanes of the triangles of a group in space that the ray hits, and with the distances
    /// that [`Parts::hit`] finds.
    #[inline(always)]
    fn each_hit(
        &self,
        group: &TriangleGroup,
        met: &Met,
        options: RayOptions,
        mut found: impl FnMut(usize, f64),
    ) {
        let most = f64::from(options.max_distance);
        // Which side of it a ray meets, and whether that counts, is left to the test of one triangle.
        let is_any_side =
            options.back_faces == BackFaces::Hit && !self.is_selective && !self.may_be_inside;
        for lane in lanes(met.hit | met.open) {
            let number = group.parts[lane].known_number();
            let distance = met.places[lane] + self.line.middle;
            let reach = met.reaches[lane];
            let is_open = met.open >> lane & 1 == 1;
            if !is_open && is_any_side && 0.0 <= distance && distance <= most {
                found(lane, distance);
            } else if (is_open || 0.0 <= distance + reach && distance - reach <= most)
                && let Some(distance) = self.distance(number, options)
            {
                found(lane, distance);
            }
        }
    }

    /// The distance of [`Parts::hit`].
    #[cold]
    #[inline(never)]
    fn distance(&self, number: u32, options: RayOptions) -> Option<f64> {
        self.hit(number, options).map(|hit| hit.distance)
    }

    /// The corners of a part that is a triangle in space with three corners.
    #[inline(always)]
    fn triangle(&self, number: u32) -> Option<[V; 3]> {
        if const { V::DIM != 3 } {
            return None;
        }
        let corners = match self.composite.kind() {
            CompositeKind::Mesh(mesh) => match self.at_hand {
                Some(at) if at.number == number => corners_of(mesh, at.group, at.lane),
                _ => mesh.corners(number),
            },
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
        let hit = match self.triangle(number) {
            Some(corners) => self.hit_triangle(corners, options),
            None => self.hit_any(number, options),
        }?;
        (!(self.may_be_inside && self.is_within(number, hit.distance))).then_some(hit)
    }

    /// The hit of a part in the world.
    pub(super) fn hit_in_world(&self, number: u32, options: RayOptions) -> Option<RayHit<V>> {
        let hit = loosened(self.hit(number, options)?, self);
        Some(self.in_world(number, hit))
    }

    pub(super) fn in_world(&self, number: u32, hit: HitInFrame<V::Precise>) -> RayHit<V> {
        RayHit {
            part: number,
            ..hit.in_world(self.ray, self.line.unit, self.frame)
        }
    }

    /// What the ray hits of a part that may be of any kind.
    #[inline(never)]
    fn hit_any(&self, number: u32, options: RayOptions) -> Option<HitInFrame<V::Precise>> {
        if let Some(way) = self.ways_out.iter().find(|way| way.part == number) {
            return way.hit;
        }
        let part = self.composite.part(number)?;
        let Shape::Convex(convex) = &*part.shape else {
            return None;
        };
        let placed = (convex, part.pose.as_ref());
        let outer = if self.is_selective {
            self.composite.outer_side(number)
        } else {
            None
        };
        let hit = match outer.filter(|outer| outer.is_of_tile) {
            Some(outer) => self.hit_tile(placed, outer.normal, options),
            None => self.hit_placed(self.line, placed, options),
        }?;
        let mut ways_out = self.ways_out.iter();
        let is_inner = ways_out.any(|way| way.has_behind(number, hit.distance));
        (!is_inner).then_some(hit)
    }

    /// The hit of a one-way tile, if it is hit from the side on which it counts. A ray that starts on a face of that side, up
    /// to rounding, hits there.
    #[cold]
    fn hit_tile(
        &self,
        placed: PlacedConvex<V>,
        outer: V::Precise,
        options: RayOptions,
    ) -> Option<HitInFrame<V::Precise>> {
        // The front of a flat tile is not that side.
        let is_flat = placed.0.front().is_some();
        let is_outside = |hit: &HitInFrame<V::Precise>| {
            let is_seen = |normal: V::Precise| normal.dot(outer) > tolerances::OUTER_SIDE_COSINE;
            (is_flat || !hit.is_back_face) && hit.normal.is_some_and(is_seen)
        };
        let asked = RayOptions {
            back_faces: if is_flat {
                options.back_faces
            } else {
                BackFaces::Hit
            },
            ..options
        };
        let hit = self.hit_placed(self.line, placed, asked);
        if hit.as_ref().is_some_and(is_outside) {
            return hit;
        }
        // Also where the ray ends before it leaves the tile.
        let (line, before) = self.line.moved_before();
        let (convex, pose) = placed;
        let center = pose.map_or(V::Precise::ZERO, |pose| pose.translation);
        let reach = convex.core_bounding_radius() + convex.radius() + 2.0 * before;
        if (line.origin - center).length_squared() > reach * reach {
            return None;
        }
        let on_face = self.hit_placed(&line, placed, RayOptions::default())?;
        let is_at_start = on_face.distance <= 2.0 * before && is_outside(&on_face);
        is_at_start.then_some(HitInFrame {
            distance: 0.0,
            lower: 0.0,
            upper: on_face.upper,
            ..on_face
        })
    }

    fn hit_placed(
        &self,
        line: &RayInFrame<V::Precise>,
        (convex, pose): PlacedConvex<V>,
        options: RayOptions,
    ) -> Option<HitInFrame<V::Precise>> {
        let Some(pose) = pose else {
            return line.hit_convex(convex, options);
        };
        // From this frame's size alone, so that all parts with this pose are tested against one line: a
        // mesh within a compound is as watertight as one that is not.
        let radius = line.bounding_radius + pose.translation.length();
        let hit = line.seen_from(pose, radius).hit_convex(convex, options)?;
        Some(HitInFrame {
            normal: hit.normal.map(|normal| pose.transform_direction(normal)),
            ..hit
        })
    }
}

/// Whether no two corners are equal; otherwise the part is a segment or a point.
#[inline]
fn has_three_corners<V: Vector>([a, b, c]: &[V; 3]) -> bool {
    a != b && b != c && c != a
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

/// A convex part and its pose in the frame of the composite.
type PlacedConvex<'p, V> = (
    &'p Convex<V>,
    Option<&'p RelativePose<<V as Vector>::Precise>>,
);

/// A triangle of a mesh and where it is in the tree for rays.
#[derive(Clone, Copy)]
pub(super) struct AtHand {
    pub(super) number: u32,
    pub(super) group: u32,
    pub(super) lane: usize,
}

/// A part that is hit.
#[derive(Clone, Copy)]
pub(super) struct BestHit {
    pub(super) number: u32,
    /// In single precision.
    distance: Real,
}

impl BestHit {
    #[inline(always)]
    pub(super) fn new(number: u32, distance: f64) -> Self {
        Self {
            number,
            distance: round_nearest(distance),
        }
    }
}

impl<V: Vector> Parts<'_, V> {
    /// The one of two hits that counts: the first, and of equal ones, as on the ridge of two triangles, one that is hit from
    /// its front, and of these that of the lowest number.
    #[inline]
    fn better(
        &self,
        best: Option<BestHit>,
        other: BestHit,
        options: RayOptions,
    ) -> Option<BestHit> {
        match best {
            Some(best) if best.distance < other.distance => Some(best),
            Some(best) if best.distance == other.distance => {
                Some(self.better_of_equal([best, other], options))
            }
            _ => Some(other),
        }
    }

    #[cold]
    #[inline(never)]
    fn better_of_equal(&self, hits: [BestHit; 2], options: RayOptions) -> BestHit {
        let key = |best: &BestHit| {
            let hit = self.hit(best.number, options);
            (hit.is_some_and(|hit| hit.is_back_face), best.number)
        };
        let [one, other] = hits;
        if key(&one) < key(&other) { one } else { other }
    }
}

/// Which hits are wanted.
pub(super) enum Wanted<'f, V: Vector> {
    First,
    /// The first that is found, wherever it is.
    Any,
    /// All, in no order: this is called with each part that may be hit.
    Each(&'f mut dyn FnMut(&Parts<V>, u32)),
}

/// The hits that are found while a ray comes by the parts of a composite.
pub(super) struct Hits<'a, 'f, V: Vector> {
    pub(super) parts: Parts<'a, V>,
    options: RayOptions,
    wanted: Wanted<'f, V>,
    /// The best so far, unless all are wanted.
    pub(super) best: Option<BestHit>,
}

impl<'a, 'f, V: Vector> Hits<'a, 'f, V> {
    pub(super) fn new(parts: Parts<'a, V>, options: RayOptions, wanted: Wanted<'f, V>) -> Self {
        // A ray from outside first hits a facet that is surface.
        let is_outside_first =
            options.interior == Interior::Solid && !matches!(wanted, Wanted::Each(_));
        let parts = if is_outside_first {
            parts
        } else {
            parts.seen_from_inside()
        };
        Self {
            parts,
            options,
            wanted,
            best: None,
        }
    }

    /// The best part so far.
    #[inline(always)]
    pub(super) fn number(&self) -> Option<u32> {
        self.best.map(|best| best.number)
    }

    /// The greatest distance along the ray that is still of interest.
    #[inline]
    pub(super) fn limit(&self) -> Real {
        match (self.best, &self.wanted) {
            (None, _) => self.options.max_distance,
            (Some(_), Wanted::Any) => Real::NEG_INFINITY,
            (Some(best), _) => best.distance,
        }
    }

    /// The options for the next part: what is farther than the best need not be found.
    #[inline]
    fn nearer(&self) -> RayOptions {
        self.options.up_to(self.limit())
    }

    /// Looks at a part.
    pub(super) fn visit(&mut self, number: u32) {
        if let Wanted::Each(found) = &mut self.wanted {
            found(&self.parts, number);
        } else if let Some(hit) = self.parts.hit(number, self.nearer()) {
            let other = BestHit::new(number, hit.distance);
            self.best = self.parts.better(self.best, other, self.options);
        }
    }

    /// Looks at what the ray meets of the triangles of a group; returns the lane of the one that is the best so far, if one is.
    #[inline(always)]
    pub(super) fn take(&mut self, group: &TriangleGroup, met: &Met) -> Option<usize> {
        if met.hit | met.open == 0 {
            return None;
        }
        if let Wanted::Each(found) = &mut self.wanted {
            for lane in lanes(met.hit | met.open) {
                found(&self.parts, group.parts[lane].known_number());
            }
            return None;
        }
        let (mut best, mut best_lane) = (self.best, None);
        let (parts, options) = (&self.parts, self.options);
        parts.each_hit(group, met, self.nearer(), |lane, distance| {
            let number = group.parts[lane].known_number();
            best = parts.better(best, BestHit::new(number, distance), options);
            if best.is_some_and(|best| best.number == number) {
                best_lane = Some(lane);
            }
        });
        self.best = best;
        best_lane
    }
}
