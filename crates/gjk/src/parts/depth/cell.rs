//! Convex cells of solids: what is inside of a solid around a place.

use arrayvec::ArrayVec;
use clearance_math::internal::MapEach;
use clearance_math::internal::Plane;
use clearance_math::{DVec3, PreciseVector, Vector, tolerances};
use clearance_shapes::{Composite, Segment, Triangle};
use clearance_tree::Child;

use super::polytope::CutPolytope;
use crate::convex::closed_forms::{point_segment, point_triangle};

/// How many facets bound a cell at most, beside the box around it.
const MOST_PLANES: usize = 24;

/// How many nodes and facets that were not looked at yet are kept.
const MOST_AHEAD: usize = 256;

/// And how many planes there are with the box.
const MOST_WITH_BOX: usize = MOST_PLANES + 6;

/// How many corners a cell has at most.
const MOST_CORNERS: usize = 2 * MOST_WITH_BOX;

/// The corners of a cell.
pub(super) type Corners<P> = ArrayVec<P, MOST_CORNERS>;

/// A convex polytope inside of a solid.
pub(super) struct Cell<P> {
    pub(super) corners: Corners<P>,
    /// How far the place that it was made around is from the surface, or from a box that was cut out.
    pub(super) clearance: f64,
}

/// A place inside of a solid, and how far around it matters.
#[derive(Clone, Copy)]
pub(super) struct Around<P> {
    pub(super) place: P,
    pub(super) reach: f64,
}

impl<P: PreciseVector> Cell<P> {
    /// A cell of a solid around a place in the solid's frame, within a box around it; `None` if the place is on the surface up
    /// to rounding, or if more nodes and facets would have to be looked at than are left, which are counted down.
    ///
    /// The facets that are nearest to the place cut off what is beyond them, one after another, until none is left that
    /// is not cut off. So no part of the surface is in the cell, and as the place is inside of the solid, so is the cell.
    /// Source: Liu and others, "Planning Dynamically Feasible Trajectories for Quadrotors Using Safe Flight Corridors in 3-D Complex
    /// Environments" (2017), for cutting free space by the obstacles that are nearest.
    pub(super) fn new<V: Vector<Precise = P>>(
        solid: &Composite<V>,
        around: Around<P>,
        visits_left: &core::cell::Cell<usize>,
    ) -> Option<Self> {
        let Around { place, reach } = around;
        if visits_left.get() == 0 {
            return None;
        }
        let mut planes = CellPlanes::new(reach);
        let mut clearance = reach;
        let mut ahead = Ahead::of_root();
        while let Some(next) = ahead.pop() {
            visits_left.set(visits_left.get().saturating_sub(1));
            if visits_left.get() == 0 {
                return None;
            }
            if next.squared >= ahead.beyond {
                break;
            }
            let Some(number) = next.child.number() else {
                ahead.open(solid, next.child, place, &planes);
                continue;
            };
            let facet = Facet::new(solid, number, place)
                .filter(|facet| !planes.cut_off(|normal| facet.reach(normal)));
            let Some(facet) = facet else { continue };
            let squared = facet.nearest.length_squared();
            if ahead.has_nearer(squared) {
                let child = next.child;
                ahead.add(PendingChild { squared, child });
                continue;
            }
            clearance = clearance.min(squared.sqrt());
            if !(clearance > tolerances::CELL_CLEARANCE * reach) {
                return None;
            }
            if planes.cuts.try_push(facet.plane()).is_err() {
                planes.end_within(squared);
                break;
            }
        }
        planes.end_within(ahead.beyond);
        let corners = planes.corners()?;
        let corners = corners.into_iter().map(|corner| corner + place).collect();
        Some(Self { corners, clearance })
    }
}

/// A facet of a solid, beside a place inside, which is the origin.
#[derive(Clone, Copy)]
struct Facet<P> {
    corners: [P; 3],
    /// The point of it that is nearest to the place.
    nearest: P,
}

impl<P: PreciseVector> Facet<P> {
    fn new<V: Vector<Precise = P>>(solid: &Composite<V>, number: u32, place: P) -> Option<Self> {
        let [a, b, c] = solid.facet(number)?;
        let nearest = if a == b && b == c {
            a.to_precise()
        } else if const { V::DIM == 2 } {
            point_segment::nearest(place, &Segment { a, b })
        } else {
            point_triangle::nearest(place, &Triangle { a, b, c })
        } - place;
        Some(Self {
            corners: [a, b, c].map_each(|corner| corner.to_precise() - place),
            nearest,
        })
    }

    /// How far it reaches along a direction.
    fn reach(&self, direction: P) -> f64 {
        let [a, b, c] = self.corners.map_each(|corner| corner.dot(direction));
        a.max(b).max(c)
    }

    /// A plane that has the facet beyond it: its own, or across the way to it where that leaves more room.
    fn plane(&self) -> Plane<P> {
        let [a, b, c] = self.corners.map_each(PreciseVector::in_space);
        let across = if const { P::DIM == 2 } {
            DVec3::Z
        } else {
            c - a
        };
        let front = P::from_space((b - a).cross(across)).direction();
        let distance = self.nearest.length();
        let own = front.map(|front| Plane::new(-front, -self.corners[0].dot(front)));
        own.filter(|own| -own.bound >= tolerances::CELL_FACET_HEIGHT * distance)
            .unwrap_or_else(|| Plane::new(self.nearest / -distance, -distance))
    }
}

/// Planes around a place, which is the origin, whose allowed sides are inside.
struct CellPlanes<P> {
    cuts: ArrayVec<Plane<P>, MOST_PLANES>,
    /// Half of the side of the box around the place.
    half: f64,
}

impl<P: PreciseVector> CellPlanes<P> {
    fn new(half: f64) -> Self {
        Self {
            cuts: ArrayVec::new(),
            half,
        }
    }

    fn all(&self) -> impl Iterator<Item = Plane<P>> {
        let of_box = (0..2 * P::DIM).map(|k| {
            let sign = if k < P::DIM { 1.0 } else { -1.0 };
            Plane::new(P::axis(k % P::DIM) * sign, -self.half)
        });
        of_box.chain(self.cuts.iter().copied())
    }

    /// Leaves what is within a sphere around the place, by its squared radius.
    fn end_within(&mut self, squared: f64) {
        self.half = self.half.min((squared / P::DIM as f64).sqrt());
    }

    /// Whether one plane cuts off all of a convex set, which reaches that far along directions.
    fn cut_off(&self, reach: impl Fn(P) -> f64) -> bool {
        let rounding = tolerances::CELL_ROUNDING * self.half;
        self.all()
            .any(|plane| reach(plane.normal) <= plane.bound + rounding)
    }

    /// The corners of what the planes leave: the faces of the polar polytope, whose corners are the planes.
    fn corners(&self) -> Option<Corners<P>> {
        let polar = |plane: Plane<P>| plane.normal / plane.bound;
        let mut planes = self.all();
        let first: ArrayVec<P, 3> = planes.by_ref().take(P::DIM).map(polar).collect();
        let mut polytope = CutPolytope::flat(&first);
        for plane in planes {
            polytope.add(polar(plane));
        }
        let faces = polytope.faces().iter().filter(|face| face.has_normal());
        let mut corners = ArrayVec::new();
        for face in faces {
            let corner = face.normal / face.offset;
            let is_inside = |plane: Plane<P>| {
                plane.normal.dot(corner) >= plane.bound - tolerances::CELL_ROUNDING * self.half
            };
            if face.offset > 0.0 && self.all().all(is_inside) {
                corners.try_push(corner).ok()?;
            }
        }
        (corners.len() > P::DIM).then_some(corners)
    }
}

/// A node or a facet that was not looked at yet, and at least how far it is from a place.
#[derive(Clone, Copy)]
struct PendingChild {
    squared: f64,
    child: Child,
}

/// What of a solid was not looked at yet: the nearest is last.
struct Ahead {
    list: ArrayVec<PendingChild, MOST_AHEAD>,
    /// What there was no room for is at least this far away, squared.
    beyond: f64,
}

impl Ahead {
    fn of_root() -> Self {
        let (squared, child) = (0.0, Child::node(0));
        Self {
            list: ArrayVec::from_iter([PendingChild { squared, child }]),
            beyond: f64::INFINITY,
        }
    }

    fn pop(&mut self) -> Option<PendingChild> {
        self.list.pop()
    }

    fn has_nearer(&self, squared: f64) -> bool {
        self.list.last().is_some_and(|near| near.squared < squared)
    }

    fn add(&mut self, near: PendingChild) {
        let is_farther = |other: &PendingChild| other.squared > near.squared;
        if self.list.is_full() {
            self.beyond = self.beyond.min(self.list.remove(0).squared);
        }
        self.list
            .insert(self.list.partition_point(is_farther), near);
    }

    /// Adds what is in a node, but for what planes around the place cut off.
    fn open<V: Vector>(
        &mut self,
        solid: &Composite<V>,
        node: Child,
        place: V::Precise,
        planes: &CellPlanes<V::Precise>,
    ) {
        let node = solid.node(node.known_index());
        for (lane, &child) in node.children.iter().enumerate() {
            if child.is_empty() {
                continue;
            }
            let [low, high] = [node.low, node.high].map_each(|side| {
                let corner = V::Precise::from_fn(|k| f64::from(side[k][lane]));
                corner - place
            });
            let reach = |normal: V::Precise| {
                let farthest = low.scaled_by(normal).max(high.scaled_by(normal));
                farthest.dot(V::Precise::splat(1.0))
            };
            if !planes.cut_off(reach) {
                let nearest = low.max(V::Precise::ZERO).min(high);
                let squared = nearest.length_squared();
                self.add(PendingChild { squared, child });
            }
        }
    }
}
