//! Convex cells of solids: what is inside of a solid around a place.

use arrayvec::ArrayVec;
use clearance_math::{MapEach, Plane, PreciseVector, Vector, tolerances};
use clearance_shapes::{Composite, Core, Shape};

use super::polytope::Polytope;
use crate::pairs::point_convex;

/// How many facets bound a cell at most, beside the box around it.
const MOST_PLANES: usize = 24;

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
    /// to rounding.
    ///
    /// The facets that are nearest to the place cut off what is beyond them, one after another, until none is left that
    /// is not cut off. So no part of the surface is in the cell, and as the place is inside of the solid, so is the cell.
    /// Source: Liu and others, "Planning Dynamically Feasible Trajectories for Quadrotors Using Safe Flight Corridors in 3-D Complex
    /// Environments" (2017), for cutting free space by the obstacles that are nearest.
    pub(super) fn new<V: Vector<Precise = P>>(
        solid: &Composite<V>,
        around: Around<P>,
    ) -> Option<Self> {
        let Around { place, reach } = around;
        let mut planes = Planes::new(reach);
        let mut clearance = reach;
        loop {
            let mut nearest = Nearest {
                solid,
                place,
                planes: &planes,
                squared: f64::INFINITY,
                found: None,
            };
            nearest.descend(0);
            let Some((number, point)) = nearest.found else {
                break;
            };
            let way = point - place;
            let distance = way.length();
            clearance = clearance.min(distance);
            if !(distance > tolerances::CELL_CLEARANCE * reach) {
                return None;
            }
            if planes.cuts.is_full() {
                // What is within a sphere has no more facets.
                planes = planes.within(distance / (P::DIM as f64).sqrt());
                break;
            }
            let plane = plane_of(solid, number, place)
                .filter(|plane| -plane.bound >= tolerances::CELL_FACET_HEIGHT * distance)
                .unwrap_or_else(|| Plane::new(way / -distance, -distance));
            planes.cuts.push(plane);
        }
        let corners = planes.corners()?;
        let corners = corners.into_iter().map(|corner| corner + place).collect();
        Some(Self { corners, clearance })
    }
}

/// The plane of a facet, beside a place in front of which is the inside: `None` if the place is not behind it.
fn plane_of<V: Vector>(
    solid: &Composite<V>,
    number: u32,
    place: V::Precise,
) -> Option<Plane<V::Precise>> {
    let Shape::Convex(facet) = &*solid.part(number)?.shape else {
        return None;
    };
    let front = facet.front()?;
    let height = (facet.core_center() - place).dot(front);
    (height > 0.0).then(|| Plane::new(-front, -height))
}

/// Planes around a place, which is the origin, whose allowed sides are inside.
struct Planes<P> {
    cuts: ArrayVec<Plane<P>, MOST_PLANES>,
    /// Half of the side of the box around the place.
    half: f64,
}

impl<P: PreciseVector> Planes<P> {
    fn new(half: f64) -> Self {
        Self {
            cuts: ArrayVec::new(),
            half,
        }
    }

    fn within(self, half: f64) -> Self {
        Self { half, ..self }
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
        let mut polytope = Polytope::flat(&first);
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

/// Looks for the facet of a solid that is nearest to a place and not cut off by planes.
struct Nearest<'a, V: Vector> {
    solid: &'a Composite<V>,
    place: V::Precise,
    planes: &'a Planes<V::Precise>,
    squared: f64,
    found: Option<(u32, V::Precise)>,
}

impl<V: Vector> Nearest<'_, V> {
    fn descend(&mut self, index: u32) {
        let node = self.solid.node(index);
        for (lane, child) in node.children.iter().enumerate() {
            if child.is_empty() {
                continue;
            }
            let Some(below) = child.index() else {
                self.look_at(child.known_number());
                continue;
            };
            let [low, high] = [node.low, node.high].map_each(|side| {
                let corner = V::Precise::from_fn(|k| f64::from(side[k][lane]));
                corner - self.place
            });
            let outside = low.max(-high).max(V::Precise::ZERO);
            let reach = |normal: V::Precise| {
                low.scaled_by(normal)
                    .max(high.scaled_by(normal))
                    .dot(V::Precise::splat(1.0))
            };
            if outside.length_squared() < self.squared && !self.planes.cut_off(reach) {
                self.descend(below as u32);
            }
        }
    }

    fn look_at(&mut self, number: u32) {
        let Some(part) = self.solid.part(number) else {
            return;
        };
        let Shape::Convex(facet) = &*part.shape else {
            return;
        };
        let Some(point) = point_convex::nearest_of_core(facet.core(), self.place) else {
            return;
        };
        let squared = (point - self.place).length_squared();
        let reach = |normal: V::Precise| {
            let along = |corner: V| (corner.to_precise() - self.place).dot(normal);
            match facet.core() {
                Core::Segment(segment) => along(segment.a).max(along(segment.b)),
                Core::Triangle(triangle) => along(triangle.a)
                    .max(along(triangle.b))
                    .max(along(triangle.c)),
                _ => f64::INFINITY,
            }
        };
        let is_nearer = squared < self.squared
            || (squared == self.squared && self.found.is_some_and(|(other, _)| number < other));
        if is_nearer && !self.planes.cut_off(reach) {
            (self.squared, self.found) = (squared, Some((number, point)));
        }
    }
}
