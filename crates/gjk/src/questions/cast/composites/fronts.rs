//! Planes ahead of a convex shape that goes straight: parts behind one of them are not met in time.
//!
//! The plane between a shape and the part of a composite that it meets, or just misses, also keeps the shape apart
//! from most other parts that are near, and comparing heights along its normal takes a few instructions, where
//! casting a part takes some hundreds. The comparison proves what it says, whatever the direction is: a convex
//! shape that is everywhere higher than a part, both at the beginning and at the end of a straight way, is so all
//! the way. So which directions are known may decide what is cast, but never the answer.

use clearance_math::internal::MapEach;
use clearance_math::internal::lanes::{Select, Simd, SimdBase, f32x16};
use clearance_math::{PreciseVector, Real, RelativePose, Vector, round_down, tolerances};
use clearance_shapes::{Convex, Support, TriangleGroup};
use clearance_tree::internal::WideNode;
use glam::Vec4;

/// How many directions are kept. With two a cast takes a sixth longer; with eight fewer parts are cast, but it takes
/// as long.
const MOST: usize = 4;

/// The inverse of a speed is no greater, so that products with zero are zero.
const MOST_INVERSE: f64 = 1e30;

/// A direction, and how high the shape is along it.
#[derive(Clone, Copy, Debug, Default)]
struct Front {
    direction: [Real; 3],
    /// For each axis the side of a box that is farther along the direction: 0 for the lower one, 1 for the upper.
    side: [usize; 3],
    /// What is nowhere as high as this is not within range of the shape at time 0.
    lowest: f64,
    /// How fast that height grows.
    rate: f64,
    /// The height at time 0, rounded down.
    start: Real,
    /// One over how fast it falls, reduced; zero if it does not fall.
    inverse_rate: Real,
    /// What is nowhere as high as this is not met in time.
    height: Real,
}

impl Front {
    /// Looks no farther than until a time. The shape is lowest at the beginning or at the end of its way.
    fn look_until(&mut self, time: f64) {
        let end = self.lowest + self.rate * time;
        self.height = round_down(self.lowest.min(end));
    }
}

/// A convex shape that goes straight, in the frame of a mesh.
pub(super) struct Thrown<'a, V: Vector> {
    pub(super) convex: &'a Convex<V>,
    /// Its pose at time 0.
    pub(super) pose: RelativePose<V::Precise>,
    /// How far it goes in one unit of time.
    pub(super) velocity: V::Precise,
}

/// The newest directions along which a shape was apart from triangles.
pub(super) struct Fronts<'a, V: Vector> {
    thrown: Thrown<'a, V>,
    /// What is farther from the shape is not met. It includes all tolerances of times and distances, and the
    /// rounding of heights.
    within: f64,
    fronts: [Front; MOST],
    /// How many there have been.
    count: usize,
    /// Meetings after this time are of no interest.
    until: f64,
}

impl<'a, V: Vector> Fronts<'a, V> {
    /// What is farther than `within` from the shape, and meetings after `until`, are of no interest. The first direction is that
    /// from which the shape comes.
    pub(super) fn new(thrown: Thrown<'a, V>, within: f64, until: Real) -> Self {
        let back = (-thrown.velocity).direction();
        let mut fronts = Self {
            thrown,
            within,
            fronts: [Front::default(); MOST],
            count: 0,
            until: f64::from(until.next_up()).min(1.0),
        };
        if let Some(back) = back {
            fronts.add(back);
        }
        fronts
    }

    /// From now on, meetings after `until` are of no interest. Those whose time is rounded to it still are.
    pub(super) fn look_until(&mut self, until: Real) {
        let until = f64::from(until.next_up()).min(1.0);
        if until < self.until {
            self.until = until;
            for front in &mut self.fronts {
                front.look_until(until);
            }
        }
    }

    /// Adds a unit vector from the mesh to the shape.
    pub(super) fn add(&mut self, direction: V::Precise) {
        // The direction is what it is rounded to.
        let direction = V::from_precise(direction);
        let mut front = Front::default();
        for k in 0..V::DIM {
            front.direction[k] = direction.component(k);
            front.side[k] = usize::from(front.direction[k] > 0.0);
        }
        let direction = direction.to_precise();
        let Thrown {
            convex,
            pose,
            velocity,
        } = &self.thrown;
        let down = pose.inverse_transform_direction(-direction);
        let lowest = pose.transform_point(convex.core().support(down));
        front.lowest = lowest.dot(direction) - self.within * direction.length();
        front.rate = velocity.dot(direction);
        front.start = round_down(front.lowest);
        if front.rate < 0.0 {
            let inverse = (-1.0 / front.rate).min(MOST_INVERSE) as Real;
            front.inverse_rate = inverse * (1.0 - tolerances::FRONT_TIME_SLACK);
        }
        front.look_until(self.until);
        self.fronts[self.count % MOST] = front;
        self.count += 1;
    }

    #[inline(always)]
    fn known(&self) -> &[Front] {
        &self.fronts[..self.count.min(MOST)]
    }

    /// Raises lower bounds of the times at which the boxes of a node are met, where the directions tell more; to
    /// the greatest number where they are not met in time.
    #[inline(always)]
    pub(super) fn times_of_boxes<S: Simd>(
        &self,
        simd: S,
        node: &WideNode,
        mut times: f32x16<S>,
    ) -> f32x16<S> {
        let never = f32x16::splat(simd, Real::MAX);
        for front in self.known() {
            let mut highest = f32x16::splat(simd, 0.0);
            for k in 0..3 {
                let farther = f32x16::load_array_ref(simd, &node.planes[k][front.side[k] & 1]);
                highest += farther * front.direction[k];
            }
            // Comparisons are false for NaN, which the infinite planes of empty lanes make.
            let until = (f32x16::splat(simd, front.start) - highest) * front.inverse_rate;
            times = until.simd_gt(times).select(until, times);
            let is_behind = highest.simd_lt(f32x16::splat(simd, front.height));
            times = is_behind.select(never, times);
        }
        times
    }

    /// The same for the triangles of a group.
    #[inline(always)]
    pub(super) fn times_of_triangles(&self, group: &TriangleGroup, mut times: Vec4) -> Vec4 {
        for front in self.known() {
            let [x, y, z] = front.direction.map_each(Vec4::splat);
            let height = |corner: &[Vec4; 3]| corner[0] * x + corner[1] * y + corner[2] * z;
            let [a, b, c] = &group.corners;
            let highest = height(a).max(height(b)).max(height(c));
            let until = (Vec4::splat(front.start) - highest) * front.inverse_rate;
            times = Vec4::select(until.cmpgt(times), until, times);
            let is_behind = highest.cmplt(Vec4::splat(front.height));
            times = Vec4::select(is_behind, Vec4::MAX, times);
        }
        times
    }
}
