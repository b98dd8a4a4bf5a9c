//! A convex shape that goes straight at a mesh in space, neither of which turns.
//!
//! Sixteen boxes of the tree at a time, and then four triangles at a time, are compared with the box of the shape
//! on its way, and with planes ahead of the shape ([`super::fronts`]). Only triangles that may be met before the
//! best time found are cast. Each cast tells a plane, which rules out most of the triangles beside: of a shape
//! that comes near a thousand triangles, about ten are cast.

use clearance_math::internal::lanes::{Simd, SimdBase, dispatch, f32x16};
use clearance_math::{PreciseVector, Real, RelativePose, Vector};
use clearance_shapes::internal::{group_of, wide_nodes_of};
use clearance_shapes::{Mesh, TriangleGroup};
use clearance_tree::internal::{MOST_LIMIT, Search, WideLeaf, WideNode, nearest_first};
use clearance_tree::lanes;
use glam::Vec4;

use super::fronts::Fronts;
use super::slabs::{MOST_SIZE, Slabs};
use super::swept_boxes::{FourWays, SweptBoxes};
use super::thrown::Thrown;
use crate::parts::{FourBoxes, PartPair, Visitor};

/// What casts the triangles that may be met.
pub(super) trait Caster<V: Vector>: Visitor {
    /// Casts two parts. Returns the direction of a plane that may keep them apart until they meet, or all the time,
    /// from the part of a to that of b, in the frame of a, if one is known.
    fn cast(&mut self, parts: PartPair) -> Option<V::Precise>;
}

/// Casts the triangles that may be met before the limit of the caster. False if it must be done in another way.
pub(super) fn descend<V: Vector>(
    mesh: &Mesh<V>,
    thrown: &Thrown<V>,
    caster: &mut impl Caster<V>,
) -> bool {
    let is_small = thrown.range.sizes < f64::from(MOST_SIZE);
    if const { V::DIM != 3 } || !thrown.bodies.only_translate() || !is_small {
        return false;
    }
    if caster.limit() < 0.0 {
        caster.skip(0.0);
        return true;
    }
    let boxes = SweptBoxes::new::<V>(thrown.bodies, [0.0, 1.0], thrown.range);
    let start = thrown.start();
    let turned = RelativePose {
        translation: V::Precise::ZERO,
        ..start.pose
    };
    let bounds = FourBoxes::of_box(&thrown.convex.bounds_at(&turned, 0.0));
    let Some(slabs) = Slabs::new(&boxes, &bounds) else {
        return false;
    };
    // What passes a small mesh by often passes all boxes of its root, too.
    let nodes = wide_nodes_of(mesh);
    if slabs.pass_by(nodes, reach(caster.limit())) {
        return true;
    }
    let mut descent = CastDescent {
        mesh,
        boxes,
        bounds: FourWays::straight(bounds),
        slabs,
        fronts: Fronts::new(thrown, &start, caster.limit()),
        caster,
    };
    let skipped = dispatch!(simd => nearest_first(simd, nodes, &mut descent));
    if skipped <= MOST_LIMIT {
        caster.skip(without_lane(skipped));
    }
    true
}

/// A lower bound of the time that a measure stands for, which the number of a lane in its last bits may have raised.
fn without_lane(measure: Real) -> Real {
    let time = measure * (1.0 - 16.0 * Real::EPSILON);
    if time < Real::MIN_POSITIVE { 0.0 } else { time }
}

/// Up to which measure triangles may be met before a time.
#[inline(always)]
fn reach(limit: Real) -> Real {
    if limit < 0.0 {
        limit
    } else {
        // Numbers of lanes raise a time of zero, and tiny times are rounded.
        limit.clamp(Real::MIN_POSITIVE, MOST_LIMIT)
    }
}

/// A descent into the tree of a mesh. Its measures are times.
struct CastDescent<'a, V: Vector, C> {
    mesh: &'a Mesh<V>,
    boxes: SweptBoxes,
    /// The box of the shape in the frame of the mesh, as if their origins were at one place.
    bounds: FourWays,
    slabs: Slabs,
    fronts: Fronts<'a, V>,
    caster: &'a mut C,
}

impl<V: Vector, C: Caster<V>> CastDescent<'_, V, C> {
    /// Casts the triangles in some lanes of a group, the first ones first. `times` are lower bounds.
    #[inline(never)]
    fn cast(&mut self, group: &TriangleGroup, mut near: u32, times: Vec4) {
        let boxes = FourWays::straight(FourBoxes::of_node(&group.node()));
        let mut times = times.max(self.boxes.times::<V>(&boxes, &self.bounds));
        while near != 0 {
            let mut first = near.trailing_zeros() as usize;
            for lane in lanes(near) {
                if times[lane] < times[first] {
                    first = lane;
                }
            }
            if !(times[first] <= self.limit()) {
                self.caster.skip(times[first]);
                return;
            }
            near &= !(1 << first);
            let parts = PartPair {
                a: group.parts[first].known_number(),
                b: 0,
            };
            let direction = self.caster.cast(parts);
            if self.caster.limit() < 0.0 {
                // The effort is used up; fronts look no farther than the limit, and would tell nothing of what is left.
                lanes(near).for_each(|lane| self.caster.skip(times[lane]));
                return;
            }
            self.fronts.look_until(self.caster.limit());
            if let Some(direction) = direction {
                self.fronts.add(direction);
            }
            times = self.fronts.times_of_triangles(group, times);
        }
    }
}

impl<V: Vector, C: Caster<V>> Search for CastDescent<'_, V, C> {
    #[inline(always)]
    fn limit(&self) -> Real {
        reach(self.caster.limit())
    }

    #[inline(always)]
    fn measures<S: Simd>(&self, simd: S, node: &WideNode, limit: Real) -> f32x16<S> {
        let times = self.slabs.times(simd, node, limit);
        self.fronts.times_of_boxes(simd, node, times).min(Real::MAX)
    }

    #[inline(always)]
    fn visit<S: Simd>(&mut self, _simd: S, leaf: WideLeaf<'_>) {
        let group = group_of(self.mesh, leaf.number);
        let times = self.fronts.times_of_triangles(&group, Vec4::ZERO);
        let is_near = times.cmple(Vec4::splat(self.limit()));
        let near = is_near.bitmask() & group.occupied_lanes();
        if near != 0 {
            self.cast(&group, near, times);
        }
    }
}

#[cfg(test)]
mod tests {
    use clearance_math::{DVec3, Pose, Vec3};
    use clearance_shapes::{CompositeKind, Shape};

    use super::super::motion::{Motion, Moving};
    use super::*;
    use crate::questions::cast::motion::Bodies;
    use crate::questions::cast::swept_boxes::Range;

    /// Counts the triangles that are cast, none of which is met, and tells the same direction for each.
    struct Counter {
        direction: Option<DVec3>,
        count: usize,
    }

    impl Visitor for Counter {
        fn limit(&self) -> Real {
            1.0
        }

        fn open(&mut self) {}

        fn visit(&mut self, _: PartPair) {}

        fn skip(&mut self, _: Real) {}
    }

    impl Caster<Vec3> for Counter {
        fn cast(&mut self, _: PartPair) -> Option<DVec3> {
            self.count += 1;
            self.direction
        }
    }

    /// How many triangles of a slope are cast for a ball that goes up along it, without touching it.
    fn cast_along_a_slope(direction: Option<DVec3>) -> usize {
        let (side, row) = (64, 65);
        let vertices = (0..row * row).map(|k| {
            let (x, z) = ((k / row) as Real, (k % row) as Real);
            Vec3::new(x, x, z)
        });
        let cells = (0..side).flat_map(|r| (0..side).map(move |c| r * row + c));
        let triangles = cells.flat_map(|k| [[k, k + 1, k + row], [k + 1, k + row + 1, k + row]]);
        let slope = Shape::mesh(vertices.collect::<Vec<_>>(), triangles.collect::<Vec<_>>())
            .expect("finite vertices");
        let ball = Shape::ball(4.0).expect("a positive radius");
        let (Shape::Composite(slope), Shape::Convex(convex)) = (&slope, &ball) else {
            unreachable!("a mesh and a ball");
        };
        let CompositeKind::Mesh(mesh) = slope.kind() else {
            unreachable!("a mesh");
        };
        // A quarter above the slope, into which the box of the ball reaches.
        let above = Vec3::new(-1.0, 1.0, 0.0).normalize() * 4.25;
        let start = Pose::from_translation(Vec3::new(8.0, 8.0, 32.0) + above);
        let bodies = Bodies::new(
            Moving::new(&Pose::IDENTITY, &Motion::from_linear(Vec3::ZERO)),
            Moving::new(&start, &Motion::from_linear(Vec3::new(48.0, 48.0, 0.0))),
        );
        let range = Range {
            within: 0.125,
            sizes: 128.0,
        };
        let thrown = Thrown {
            convex,
            bodies: &bodies,
            range,
            mesh_size: slope.bounding_radius(),
        };
        let mut counter = Counter {
            direction,
            count: 0,
        };
        assert!(descend(mesh, &thrown, &mut counter));
        counter.count
    }

    #[test]
    fn a_plane_rules_out_the_triangles_beside() {
        let without = cast_along_a_slope(None);
        assert!(
            without > 500,
            "{without} triangles are in the way of the box"
        );
        assert_eq!(
            cast_along_a_slope(Some(DVec3::new(-1.0, 1.0, 0.0).normalize())),
            1
        );
    }
}
