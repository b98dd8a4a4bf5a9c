//! The way of the origin through a portal: three vertices of the difference between which it passes.

use clearance_math::lanes::Simd;
use clearance_math::{DVec3, PreciseVector};

use super::{Arrival, Place, Way};
use crate::difference::Minkowski;
use crate::vertex::Vertex;

/// The greatest number of vertices of one search.
const MOST_VERTICES: usize = 32;

/// How far the directions in which vertices are sought are tilted to the side.
const TILT: f64 = 1.0;

/// A vertex, and where it is seen from along the way.
#[derive(Clone, Copy)]
struct Corner<P> {
    vertex: Vertex<P>,
    seen: [f64; 2],
}

/// How far three points turn to the left, times two.
#[inline(always)]
fn cross(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

struct Search<'a, S, P: PreciseVector, D> {
    simd: S,
    difference: &'a D,
    way: &'a Way<P>,
    /// Two unit vectors across the way.
    across: [DVec3; 2],
    velocity: DVec3,
    speed: f64,
    rounding: f64,
    /// For how long.
    remaining: f64,
}

/// The origin is proven to stay outside, along this direction.
struct Missed(DVec3);

impl<'a, S: Simd, P: PreciseVector, D: Minkowski<P>> Search<'a, S, P, D> {
    #[inline(always)]
    fn new(simd: S, difference: &'a D, way: &'a Way<P>) -> Option<Self> {
        let velocity = way.velocity.in_space();
        let speed = velocity.length();
        if !(speed > 0.0) {
            return None;
        }
        let along = velocity / speed;
        let sign = 1.0_f64.copysign(along.z);
        let a = -1.0 / (sign + along.z);
        let b = along.x * along.y * a;
        let first = DVec3::new(1.0 + sign * along.x * along.x * a, sign * b, -sign * along.x);
        let second = DVec3::new(b, sign + along.y * along.y * a, -along.y);
        Some(Self {
            simd,
            difference,
            way,
            across: [first, second],
            velocity,
            speed,
            rounding: way.rounding + difference.rounding() + way.target,
            remaining: way.until.min(1.0) - way.from,
        })
    }

    /// The vertex farthest along an outward direction of any length.
    #[inline(always)]
    fn corner(&self, outward: DVec3) -> Result<Corner<P>, Missed> {
        let vertex = self.difference.support_in_lanes(self.simd, P::from_space(outward));
        let point = vertex.point.in_space();
        let height = -outward.dot(point);
        let rate = -outward.dot(self.velocity);
        if height > self.rounding * outward.length() + (rate * self.remaining).max(0.0) {
            return Err(Missed(outward));
        }
        let seen = self.across.map(|axis| axis.dot(point));
        Ok(Corner { vertex, seen })
    }

    #[inline(always)]
    fn beside(&self, [x, y]: [f64; 2]) -> DVec3 {
        self.across[0] * x + self.across[1] * y
    }

    /// Three corners around the way, to the left.
    #[inline(always)]
    fn portal(&self) -> Result<Option<[Corner<P>; 3]>, Missed> {
        let front = -self.difference.start().in_space();
        let front = front / front.length();
        let first = self.corner(front)?;
        let side = self.beside(first.seen.map(|x| -x));
        let Some(side) = side.try_normalize() else { return Ok(None) };
        let second = self.corner(front + side * TILT)?;
        let (mut a, mut b) = (first, second);
        for _ in 0..MOST_VERTICES {
            // Towards the origin, so that a, b, the new one turn to the left.
            let edge = [b.seen[0] - a.seen[0], b.seen[1] - a.seen[1]];
            let turn = cross(a.seen, b.seen);
            if turn < 0.0 {
                core::mem::swap(&mut a, &mut b);
            }
            let edge = if turn < 0.0 { [-edge[0], -edge[1]] } else { edge };
            // The origin is to the left of the edge from a to b.
            let Some(side) = self.beside([-edge[1], edge[0]]).try_normalize() else { return Ok(None) };
            let line = (b.vertex.point - a.vertex.point).in_space();
            let lean = front - line * (front.dot(line) / line.length_squared());
            let mut new = self.corner(lean + side * TILT)?;
            let beyond = |new: &Corner<P>| cross(edge, new.seen) > 0.0;
            if !beyond(&new) {
                new = self.corner(side)?;
                if !beyond(&new) {
                    return Ok(None);
                }
            }
            let (ab, bc) = (cross(b.seen, new.seen), cross(new.seen, a.seen));
            if ab >= 0.0 && bc >= 0.0 {
                return Ok(Some([a, b, new]));
            }
            if ab < 0.0 {
                a = new;
            } else {
                b = new;
            }
        }
        Ok(None)
    }

    #[inline(always)]
    fn refine(&self, mut portal: [Corner<P>; 3]) -> Result<Option<Place<P>>, Missed> {
        for _ in 0..MOST_VERTICES {
            let [a, b, c] = portal.each_ref().map(|corner| corner.vertex.point.in_space());
            let inward = (b - a).cross(c - a);
            let rate = inward.dot(self.velocity);
            if !(rate > 0.0) {
                return Ok(None);
            }
            let new = self.corner(-inward)?;
            let height = inward.dot(new.vertex.point.in_space());
            let gap = inward.dot(a) - height;
            // How far the origin goes between the two planes.
            let ahead = gap * self.speed;
            if ahead <= 0.5 * self.way.near * rate || ahead <= 2.0 * self.rounding * rate {
                let length = inward.length();
                let margin = height - self.rounding * length;
                if !(margin > 0.0) {
                    return Ok(None);
                }
                let ahead = margin / rate * (1.0 - 4.0 * f64::EPSILON);
                return Ok(self.arrived(&portal, ahead, -inward / length));
            }
            let turns = portal.each_ref().map(|corner| cross(corner.seen, new.seen));
            // The way passes to the left or the right of the new corner, as seen from each old one.
            let replaced = if turns[0] >= 0.0 {
                if turns[2] <= 0.0 { 1 } else { 0 }
            } else if turns[1] >= 0.0 {
                2
            } else {
                0
            };
            portal[replaced] = new;
        }
        Ok(None)
    }

    #[inline(always)]
    fn arrived(&self, portal: &[Corner<P>; 3], ahead: f64, normal: DVec3) -> Option<Place<P>> {
        let [a, b, c] = portal;
        let weights = [
            cross(b.seen, c.seen),
            cross(c.seen, a.seen),
            cross(a.seen, b.seen),
        ].map(|weight| weight.max(0.0));
        let sum = weights[0] + weights[1] + weights[2];
        if !(sum > 0.0) {
            return None;
        }
        let mean = |of: [P; 3]| of[0] * (weights[0] / sum) + of[1] * (weights[1] / sum) + of[2] * (weights[2] / sum);
        let on_a = mean([a.vertex.on_a, b.vertex.on_a, c.vertex.on_a]);
        let on_b = mean([a.vertex.on_b, b.vertex.on_b, c.vertex.on_b]);
        let time = self.way.from + ahead;
        let place = self.way.between((on_a, on_b), P::from_space(normal), time);
        self.way.has_met(&place).then_some(place)
    }
}

#[inline(always)]
pub(super) fn through_portal<S: Simd, P: PreciseVector>(
    simd: S,
    difference: &impl Minkowski<P>,
    way: &Way<P>,
) -> Option<Arrival<P>> {
    if P::DIM != 3 || way.target != 0.0 {
        return None;
    }
    let search = Search::new(simd, difference, way)?;
    let found = search.portal().and_then(|portal| match portal {
        Some(portal) => search.refine(portal),
        None => Ok(None),
    });
    match found {
        Ok(place) => place.map(Arrival::At),
        Err(Missed(outward)) => Some(Arrival::Never { normal: P::from_space(outward / outward.length()) }),
    }
}

#[cfg(test)]
mod tests {
    use core::cell::Cell;

    use clearance_math::lanes::{dispatch, level};
    use clearance_math::{DVec3, Matrix, Pose, PreciseVector, Quat, RelativePose, Vec3};
    use clearance_shapes::{Convex, Shape};

    use super::*;
    use crate::cores::Cores;
    use crate::difference::Extent;

    struct Counting<'a, D>(&'a D, Cell<usize>);
    impl<P: PreciseVector, D: Minkowski<P>> Minkowski<P> for Counting<'_, D> {
        fn support(&self, direction: P) -> Vertex<P> { self.0.support(direction) }
        fn support_in_lanes<S: Simd>(&self, simd: S, direction: P) -> Vertex<P> {
            self.1.set(self.1.get() + 1);
            self.0.support_in_lanes(simd, direction)
        }
        fn center(&self) -> P { self.0.center() }
        fn extent(&self) -> &Extent<P> { self.0.extent() }
        fn with_b_moved(&self, _: P) -> Self { unimplemented!() }
    }

    #[test]
    fn count_supports() {
        let mut state = 1_u64;
        let mut number = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f32 / (1_u64 << 23) as f32 - 1.0
        };
        let mut vector = move || Vec3::new(number(), number(), number());
        for kind in 0..5 {
            let mut counts = [0; 8];
            for _ in 0..1000 {
                let hull = |n: usize, vector: &mut dyn FnMut() -> Vec3| Shape::hull(&(0..n).map(|_| vector().normalize()).collect::<Vec<_>>()).unwrap();
                let mut shape = || match kind {
                    0 => Shape::cuboid(vector().abs() * 0.5 + Vec3::splat(0.5)).unwrap(),
                    1 => hull(8, &mut vector),
                    2 => hull(32, &mut vector),
                    3 => Shape::cylinder(0.7, 0.7).unwrap(),
                    _ => Shape::triangle(vector(), vector(), vector()).unwrap(),
                };
                let (a, b) = (shape(), shape());
                let (Shape::Convex(a), Shape::Convex(b)) = (&a, &b) else { panic!() };
                let turn = Quat::from_axis_angle(vector().normalize(), 2.0);
                let from = vector().normalize() * 2.2;
                let velocity = (-from.normalize() + vector() * 0.5).to_precise_() * 4.0;
                let b_in_a = RelativePose::between(&Pose::IDENTITY, &Pose::new(from, turn));
                let cores = Cores::new(a, b, &b_in_a);
                let way = Way { velocity, from: 0.0, until: 1.0, target: 0.0, near: 1e-8, rounding: 1e-14 };
                let one = Counting(&cores, Cell::new(0));
                let by_portal = dispatch!(level(), simd => through_portal(simd, &one, &way));
                let two = Counting(&cores, Cell::new(0));
                let by_gjk = dispatch!(level(), simd => super::super::by_gjk(simd, &two, &way, &mut ()));
                counts[0] += one.1.get();
                counts[1] += two.1.get();
                match &by_portal {
                    None => counts[2] += 1,
                    Some(Arrival::Never{..}) => counts[3] += 1,
                    Some(Arrival::At(_)) => counts[4] += 1,
                    _ => counts[5] += 1,
                }
                match (&by_portal, &by_gjk) {
                    (Some(Arrival::Never{..}), Arrival::Never{..}) => {}
                    (Some(Arrival::At(p)), Arrival::At(q)) => { if (p.time - q.time).abs() > 1e-8 { counts[6] += 1; } }
                    (None, _) => {}
                    _ => counts[7] += 1,
                }
            }
            std::eprintln!("kind {kind}: portal {} gjk {} none {} never {} at {} open {} differ {} {}", counts[0], counts[1], counts[2], counts[3], counts[4], counts[5], counts[6], counts[7]);
        }
    }
    trait P_ { fn to_precise_(self) -> DVec3; }
    impl P_ for Vec3 { fn to_precise_(self) -> DVec3 { use clearance_math::Vector; self.to_precise() } }
}
