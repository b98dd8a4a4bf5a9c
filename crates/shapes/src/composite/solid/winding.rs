//! How often a surface winds around a point. It is counted along the line that
//! leads from the point along an axis: each facet that the line meets ahead of the point counts 1 if it faces ahead, and
//! -1 if it faces back. Whether it meets one is decided by exact signs. A point whose projection lies on the edge or the
//! corner of a projected facet counts as if it were moved by a tiny bit along both axes of the projection, along the
//! second one by much more than along the first. That is one and the same movement for all facets, and beside no edge it
//! changes anything; so the count is that of a point which no edge is in the way of.
//!
//! Source: Edelsbrunner and Muecke, "Simulation of Simplicity" (1990), for deciding ties by an infinitely small
//! movement. The exact signs are those of Shewchuk (1997), as for hulls.

use clearance_math::internal::MapEach;
use clearance_math::{PreciseVector, Real, Vector, compile_once, tolerances};

use crate::Composite;
use crate::hull::predicates::{self, orientation, project_along};

impl<V: Vector> Composite<V> {
    /// How many times the surface of a mesh or a polyline of the plane goes around a point, which it does once
    /// counterclockwise for a point inside. Of a point on the surface either side may be said. The answer is exact.
    #[must_use]
    pub fn winding(&self, point: V::Precise) -> i32 {
        winding_of(self, point)
    }

    /// [`Self::winding`], where facets through the point count as ahead of it, or as behind.
    pub(super) fn winding_with(&self, point: V::Precise, touching: bool) -> i32 {
        let (low, high) = (
            self.local_bounds.min.to_precise(),
            self.local_bounds.max.to_precise(),
        );
        let mut line = Line {
            point,
            axis: 0,
            ahead: 1.0,
            touching,
        };
        let mut nearest = f64::INFINITY;
        for axis in 0..V::DIM {
            let at = point.component(axis);
            // A number below all that single precision has: products with it must not vanish.
            if at.abs() < tolerances::LEAST_COORDINATE {
                line.point = line.point.with_component(axis, 0.0);
            }
            for (way, ahead) in [
                (high.component(axis) - at, 1.0),
                (at - low.component(axis), -1.0),
            ] {
                if !(way >= 0.0) {
                    return 0;
                }
                if way < nearest {
                    (nearest, line.axis, line.ahead) = (way, axis, ahead);
                }
            }
        }
        self.count(0, &line)
    }

    /// The sum over all facets below a node of the tree.
    fn count(&self, index: u32, line: &Line<V::Precise>) -> i32 {
        let node = self.node(index);
        let mut sum = 0;
        for (lane, child) in node.children.iter().enumerate() {
            if child.is_empty()
                || !line.may_meet::<V>(
                    [node.low, node.high].map_each(|side| side.map_each(|x| x[lane])),
                )
            {
                continue;
            }
            sum += match child.index() {
                Some(below) => self.count(below as u32, line),
                None => self
                    .facet(child.known_number())
                    .map_or(0, |facet| line.meets(facet)),
            };
        }
        sum
    }
}

compile_once! {
    fn winding_of<'a, V>(composite: &'a Composite<V>, point: V::Precise) -> i32 {
        composite.winding_with(point, false)
    }
}

/// A ray from a point along an axis.
struct Line<P> {
    point: P,
    axis: usize,
    /// 1 or -1.
    ahead: f64,
    /// Whether facets through the point count.
    touching: bool,
}

impl<P: PreciseVector> Line<P> {
    /// Whether the line may meet what lies in a box.
    #[inline]
    fn may_meet<V: Vector<Precise = P>>(&self, [low, high]: [[Real; 3]; 2]) -> bool {
        (0..V::DIM).all(|k| {
            let at = self.point.component(k);
            let is_free = |ahead: f64| k == self.axis && self.ahead == ahead;
            (is_free(1.0) || f64::from(low[k]) <= at) && (is_free(-1.0) || at <= f64::from(high[k]))
        })
    }

    /// What a facet counts.
    fn meets<V: Vector<Precise = P>>(&self, facet: [V; 3]) -> i32 {
        let facing = if const { V::DIM == 2 } {
            self.facing_in_plane(facet)
        } else {
            self.facing_in_space(facet)
        };
        // The line crosses the plane where the height has become zero.
        let way = -height(facet, self.point) * facing * self.ahead;
        let is_ahead = facing != 0.0 && (way > 0.0 || (way == 0.0 && self.touching));
        if is_ahead {
            (facing * self.ahead) as i32
        } else {
            0
        }
    }

    /// Whether a segment that the whole line meets faces along the axis: 1, or -1; else 0.
    fn facing_in_plane<V: Vector<Precise = P>>(&self, [a, b, _]: [V; 3]) -> f64 {
        let other = 1 - self.axis;
        let at = self.point.component(other);
        let [from, to] = [a, b].map_each(|end| f64::from(end.component(other)) > at);
        match (from, to) {
            (false, true) => 1.0 - 2.0 * self.axis as f64,
            (true, false) => 2.0 * self.axis as f64 - 1.0,
            _ => 0.0,
        }
    }

    /// The same for a triangle: how often its projection along the axis goes around that of the point.
    fn facing_in_space<V: Vector<Precise = P>>(&self, facet: [V; 3]) -> f64 {
        let projected = |point: P| project_along(self.axis, point.in_space());
        let at = projected(self.point);
        let corners = facet.map_each(|corner| projected(corner.to_precise()));
        let mut facing = 0.0;
        for k in 0..3 {
            let (from, to) = (corners[k], corners[(k + 1) % 3]);
            let is_up = to.x > at.x;
            if is_up == (from.x > at.x) {
                continue;
            }
            let side = orientation(from, to, at);
            let is_left = if side == 0.0 { is_up } else { side > 0.0 };
            if is_left == is_up {
                facing += if is_up { 1.0 } else { -1.0 };
            }
        }
        facing
    }
}

/// A number of the sign of the height of a point above a facet, on the side from which its corners run
/// counterclockwise, or above a segment on its right. The sign is exact.
pub(in crate::composite) fn height<V: Vector>(facet: [V; 3], point: V::Precise) -> f64 {
    let [a, b, c] = facet.map_each(|corner| corner.to_precise().in_space());
    let point = point.in_space();
    if const { V::DIM == 2 } {
        return -orientation(a.truncate(), b.truncate(), point.truncate());
    }
    predicates::height([a, b, c], point)
}
