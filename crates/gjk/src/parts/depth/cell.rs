//! Convex cells of solids: what is inside of a solid around a place.

use arrayvec::ArrayVec;
use clearance_math::internal::MapEach;
use clearance_math::internal::{Plane, heap_sort};
use clearance_math::{DVec3, PreciseVector, Vector, tolerances};
use clearance_shapes::{Composite, Segment, Triangle};

use super::polytope::CutPolytope;
use crate::convex::closed_forms::{point_segment, point_triangle};

/// How many facets bound a cell at most, beside the box around it.
const MOST_PLANES: usize = 24;

/// How often facets are looked for.
const MOST_PASSES: usize = 6;

/// Among how many facets the nearest are looked for at once.
const MOST_AT_ONCE: usize = 64;

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
    /// to rounding, or if more facets would have to be looked at than are left, which are counted down.
    ///
    /// The facets that are nearest to the place cut off what is beyond them, one after another, until none is left that
    /// is not cut off. So no part of the surface is in the cell, and as the place is inside of the solid, so is the cell.
    /// Source: Liu and others, "Planning Dynamically Feasible Trajectories for Quadrotors Using Safe Flight Corridors in 3-D Complex
    /// Environments" (2017), for cutting free space by the obstacles that are nearest.
    pub(super) fn new<V: Vector<Precise = P>>(
        solid: &Composite<V>,
        around: Around<P>,
        facets_left: &core::cell::Cell<usize>,
    ) -> Option<Self> {
        let Around { place, reach } = around;
        if facets_left.get() == 0 {
            return None;
        }
        let mut planes = CellPlanes::new(reach);
        let mut clearance = reach;
        for pass in 1..=MOST_PASSES {
            let mut near = Near::around(place, &planes);
            near.descend(solid, 0);
            facets_left.set(facets_left.get().saturating_sub(near.looked));
            if facets_left.get() == 0 {
                return None;
            }
            let mut is_all = near.is_all;
            let facets = near.sorted();
            let farthest = facets.last().map_or(0.0, |facet| facet.nearest.length());
            for facet in facets {
                if planes.cut_off(|normal| facet.reach(normal)) {
                    continue;
                }
                let distance = facet.nearest.length();
                clearance = clearance.min(distance);
                if !(clearance > tolerances::CELL_CLEARANCE * reach) {
                    return None;
                }
                if planes.cuts.is_full() {
                    // What is within a sphere has no more facets.
                    planes.half = distance / (P::DIM as f64).sqrt();
                    is_all = true;
                    break;
                }
                planes.cuts.push(facet.plane());
            }
            if is_all {
                break;
            }
            if pass == MOST_PASSES {
                // All that was not looked at is farther away.
                planes.half = planes.half.min(farthest / (P::DIM as f64).sqrt());
            }
        }
        let corners = planes.corners()?;
        let corners = corners.into_iter().map(|corner| corner + place).collect();
        Some(Self { corners, clearance })
    }
}

/// A facet of a solid, beside a place inside, which is the origin.
#[derive(Clone, Copy)]
struct Facet<P> {
    corners: [P; 3],
    number: u32,
    /// The point of it that is nearest to the place.
    nearest: P,
    squared: f64,
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
            number,
            nearest,
            squared: nearest.length_squared(),
        })
    }

    fn is_nearer(&self, other: &Self) -> bool {
        (self.squared, self.number) < (other.squared, other.number)
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

/// The facets that are nearest to a place, of those that planes do not cut off.
struct Near<'a, P> {
    place: P,
    planes: &'a CellPlanes<P>,
    facets: ArrayVec<Facet<P>, MOST_AT_ONCE>,
    /// How many were looked at.
    looked: usize,
    /// Whether there are no others.
    is_all: bool,
}

impl<'a, P: PreciseVector> Near<'a, P> {
    fn around(place: P, planes: &'a CellPlanes<P>) -> Self {
        Self {
            place,
            planes,
            facets: ArrayVec::new(),
            looked: 0,
            is_all: true,
        }
    }

    fn descend<V: Vector<Precise = P>>(&mut self, solid: &Composite<V>, index: u32) {
        let node = solid.node(index);
        for (lane, child) in node.children.iter().enumerate() {
            if child.is_empty() {
                continue;
            }
            let [low, high] = [node.low, node.high].map_each(|side| {
                let corner = P::from_fn(|k| f64::from(side[k][lane]));
                corner - self.place
            });
            let reach = |normal: P| {
                let farthest = low.scaled_by(normal).max(high.scaled_by(normal));
                farthest.dot(P::splat(1.0))
            };
            if self.planes.cut_off(reach) {
                continue;
            }
            match child.index() {
                Some(below) => self.descend(solid, below as u32),
                None => self.look_at(Facet::new(solid, child.known_number(), self.place)),
            }
        }
    }

    fn look_at(&mut self, facet: Option<Facet<P>>) {
        self.looked += 1;
        let is_left = |facet: &Facet<P>| !self.planes.cut_off(|normal| facet.reach(normal));
        let Some(facet) = facet.filter(is_left) else {
            return;
        };
        if !self.facets.is_full() {
            self.facets.push(facet);
            return;
        }
        self.is_all = false;
        let farthest = self
            .facets
            .iter_mut()
            .reduce(|one, other| if one.is_nearer(other) { other } else { one });
        if let Some(farthest) = farthest.filter(|farthest| facet.is_nearer(farthest)) {
            *farthest = facet;
        }
    }

    /// The facets, the nearest first.
    fn sorted(mut self) -> ArrayVec<Facet<P>, MOST_AT_ONCE> {
        heap_sort(&mut self.facets, |one, other| one.is_nearer(other));
        self.facets
    }
}
