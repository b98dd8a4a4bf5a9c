//! A convex shape that goes straight at a mesh in space, neither of which turns.
//!
//! Sixteen boxes of the tree at a time, and then four triangles at a time, are compared with the box of the shape
//! on its way, and with planes ahead of the shape ([`super::fronts`]). Only triangles that may be met before the
//! best time found are cast. Each cast tells a plane, which rules out most of the triangles beside: of a shape
//! that comes near a thousand triangles, about ten are cast.

use clearance_math::internal::lanes::{Simd, SimdBase, dispatch, f32x16};
use clearance_math::{Matrix, PreciseVector, Real, RelativePose, Vector, tolerances};
use clearance_shapes::internal::{group_of, wide_nodes_of};
use clearance_shapes::{Convex, Mesh, TriangleGroup};
use clearance_tree::internal::{MOST_LIMIT, Search, WideLeaf, WideNode, nearest_first};
use clearance_tree::lanes;
use glam::Vec4;

use super::first_meeting::FirstMeeting;
use super::fronts::{Fronts, Thrown};
use super::slabs::{MOST_SIZE, Slabs};
use super::swept_boxes::{FourWays, SweptBoxes};
use crate::parts::{FourBoxes, PartPair, Visitor, nearest_lane};

/// Casts the triangles that may be met before the limit of the search. False if it must be done in another way.
pub(super) fn descend<V: Vector>(
    mesh: &Mesh<V>,
    convex: &Convex<V>,
    caster: &mut FirstMeeting<'_, '_, V>,
) -> bool {
    let sides = caster.sides;
    let (bodies, range) = (&sides.bodies, sides.range);
    let is_small = range.sizes < f64::from(MOST_SIZE);
    if const { V::DIM != 3 } || !bodies.only_translate() || !is_small {
        return false;
    }
    if caster.limit() < 0.0 {
        caster.skip(0.0);
        return true;
    }
    let boxes = SweptBoxes::new::<V>(bodies, [0.0, 1.0], range);
    let to_a = bodies.a.rotation(0.0).transposed();
    let thrown = Thrown {
        convex,
        pose: bodies.b_in_a(0.0),
        velocity: to_a.apply(bodies.way.velocity),
    };
    let turned = RelativePose {
        translation: V::Precise::ZERO,
        ..thrown.pose
    };
    let bounds = FourBoxes::of_box(&convex.bounds_at(&turned, 0.0));
    let Some(slabs) = Slabs::new(&boxes, &bounds) else {
        return false;
    };
    // What passes a small mesh by often passes all boxes of its root, too.
    let nodes = wide_nodes_of(mesh);
    if slabs.pass_by(nodes, reach(caster.limit())) {
        return true;
    }
    let rounding = tolerances::FRONT_ROUNDING * sides.composite.bounding_radius();
    let within = range.within + convex.radius() + rounding + f64::from(Real::MIN_POSITIVE);
    let mut descent = CastDescent {
        mesh,
        boxes,
        bounds: FourWays::straight(bounds),
        slabs,
        fronts: Fronts::new(thrown, within, caster.limit()),
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
struct CastDescent<'c, 's, 'a, V: Vector> {
    mesh: &'c Mesh<V>,
    boxes: SweptBoxes,
    /// The box of the shape in the frame of the mesh, as if their origins were at one place.
    bounds: FourWays,
    slabs: Slabs,
    fronts: Fronts<'c, V>,
    caster: &'c mut FirstMeeting<'s, 'a, V>,
}

impl<V: Vector> CastDescent<'_, '_, '_, V> {
    /// Casts the triangles in some lanes of a group, the first ones first. `times` are lower bounds.
    #[inline(never)]
    fn cast(&mut self, group: &TriangleGroup, mut near: u32, times: Vec4) {
        let boxes = FourWays::straight(FourBoxes::of_node(&group.node()));
        let mut times = times.max(self.boxes.times::<V>(&boxes, &self.bounds));
        while near != 0 {
            let first = nearest_lane(&times.to_array(), near);
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

impl<V: Vector> Search for CastDescent<'_, '_, '_, V> {
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
    use clearance_math::{Pose, Real, Vec3};
    use clearance_shapes::Shape;

    use crate::pair::Placed;
    use crate::parts::effort::OF_CASTING;
    use crate::questions::cast::{Cast, CastOptions, Motion, cast_shapes};

    /// How many triangles may be cast for a ball that goes up along a slope, without touching it.
    const MOST_CAST: u32 = 8;

    #[test]
    fn a_plane_rules_out_the_triangles_beside() {
        let (side, row) = (64, 65);
        let vertices = (0..row * row).map(|k| {
            let (x, z) = ((k / row) as Real, (k % row) as Real);
            Vec3::new(x, x, z)
        });
        let cells = (0..side).flat_map(|r| (0..side).map(move |c| r * row + c));
        let triangles = cells.flat_map(|k| [[k, k + 1, k + row], [k + 1, k + row + 1, k + row]]);
        let (vertices, triangles): (Vec<_>, Vec<_>) = (vertices.collect(), triangles.collect());
        let slope = Shape::mesh(&vertices, &triangles).expect("finite vertices");
        let ball = Shape::ball(4.0).expect("a positive radius");
        // A quarter above the slope, into which the box of the ball reaches.
        let above = Vec3::new(-1.0, 1.0, 0.0).normalize() * 4.25;
        let start = Vec3::new(8.0, 8.0, 32.0) + above;
        let way = Vec3::new(48.0, 48.0, 0.0);
        let is_in_box = |triangle: &&[u32; 3]| {
            let corner = vertices[triangle[0] as usize] - start;
            let time = (corner.dot(way) / way.length_squared()).clamp(0.0, 1.0);
            (corner - way * time).abs().max_element() < 4.0
        };
        let in_way = triangles.iter().filter(is_in_box).count();
        assert!(in_way > 500, "{in_way} triangles are in the way of the box");
        // With the effort of a few casts nothing is left open.
        let effort = MOST_CAST * OF_CASTING;
        let (there, start) = (Pose::IDENTITY, Pose::from_translation(start));
        let slope = Placed::new(&slope, &there).with_effort(effort);
        let thrown = Cast::new(Placed::new(&ball, &start), Motion::from_linear(way));
        let options = CastOptions {
            within: 0.125,
            ..CastOptions::default()
        };
        let hit = cast_shapes(Cast::resting(slope), thrown, options).expect("valid casts");
        assert_eq!(hit, None);
    }
}
