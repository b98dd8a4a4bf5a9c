//! How far apart boxes are at least: four boxes of a node against one.

use clearance_math::internal::MapEach;
use clearance_math::{Aabb, Matrix, Pose, PreciseVector, Real, RelativePose, Vector, tolerances};
use clearance_shapes::{Shape, TriangleGroup};
use clearance_tree::{LANES, Node, lanes};
use glam::Vec4;

/// Four boxes by component.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FourBoxes {
    pub(crate) low: [Vec4; 3],
    pub(crate) high: [Vec4; 3],
}

impl FourBoxes {
    pub(crate) fn of_node(node: &Node) -> Self {
        Self {
            low: node.low,
            high: node.high,
        }
    }

    /// One box, four times.
    pub(crate) fn of_box<V: Vector>(bounds: &Aabb<V>) -> Self {
        let (mut low, mut high) = ([Vec4::ZERO; 3], [Vec4::ZERO; 3]);
        for k in 0..V::DIM {
            low[k] = Vec4::splat(bounds.min.component(k));
            high[k] = Vec4::splat(bounds.max.component(k));
        }
        Self { low, high }
    }

    /// One of the boxes, four times.
    #[inline]
    pub(crate) fn spread(&self, lane: usize) -> Self {
        Self {
            low: self.low.map_each(|low| Vec4::splat(low[lane])),
            high: self.high.map_each(|high| Vec4::splat(high[lane])),
        }
    }

    /// The signed gaps between the boxes of equal lanes: the distance of two boxes that are apart,
    /// and minus the least translation along an axis that separates boxes that overlap.
    ///
    /// Convex sets inside the boxes have at least this signed distance: what separates the boxes
    /// separates them. Empty lanes give infinity or NaN.
    #[inline]
    pub(crate) fn gaps<V: Vector>(&self, other: &Self) -> Vec4 {
        let mut widest = Vec4::NEG_INFINITY;
        let mut squared = Vec4::ZERO;
        for k in 0..V::DIM {
            let gap = (self.low[k] - other.high[k]).max(other.low[k] - self.high[k]);
            widest = widest.max(gap);
            let apart = gap.max(Vec4::ZERO);
            squared += apart * apart;
        }
        let is_apart = widest.cmpgt(Vec4::ZERO);
        // Squares of huge gaps overflow, and those of tiny ones vanish or lose digits: the widest gap along an
        // axis is a lower bound, too.
        let distance = precise_root(squared, widest).max(widest);
        Vec4::select(is_apart, distance, widest)
    }
}

/// The roots of sums of squares, or what else to take where these lost digits or overflowed.
#[inline]
fn precise_root(squared: Vec4, otherwise: Vec4) -> Vec4 {
    let is_precise = squared.cmplt(Vec4::splat(Real::MAX))
        & squared.cmpgt(Vec4::splat(tolerances::LEAST_PRECISE_SQUARE));
    Vec4::select(is_precise, root(squared), otherwise)
}

/// The square roots.
#[inline(always)]
pub(crate) fn root(squared: Vec4) -> Vec4 {
    let [x, y, z, w] = squared.to_array();
    Vec4::new(x.sqrt(), y.sqrt(), z.sqrt(), w.sqrt())
}

/// The components in single precision.
#[inline]
pub(crate) fn components<P: PreciseVector>(vector: P) -> [Real; 3] {
    vector.in_space().as_vec3().to_array()
}

/// Maps boxes from the frame of b to the frame of a, in single precision.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoxMap {
    rotation: [[Real; 3]; 3],
    translation: [Real; 3],
    dimension: usize,
}

impl BoxMap {
    pub(crate) fn new<V: Vector>(b_in_a: &RelativePose<V::Precise>) -> Self {
        let mut rotation = [[0.0; 3]; 3];
        for (k, row) in rotation.iter_mut().enumerate().take(V::DIM) {
            *row = components(b_in_a.rotation.row(k));
        }
        Self {
            rotation,
            translation: components(b_in_a.translation),
            dimension: V::DIM,
        }
    }

    /// Directions in the frame to which is mapped.
    #[inline]
    pub(super) fn turn(&self, directions: [Vec4; 3]) -> [Vec4; 3] {
        let [x, y, z] = directions;
        self.rotation
            .map_each(|row| x * row[0] + y * row[1] + z * row[2])
    }

    /// Points in the frame to which is mapped, up to rounding.
    #[inline]
    pub(super) fn transform(&self, points: [Vec4; 3]) -> [Vec4; 3] {
        let [x, y, z] = self.turn(points);
        let [by_x, by_y, by_z] = self.translation.map_each(Vec4::splat);
        [x + by_x, y + by_y, z + by_z]
    }

    /// The boxes around the mapped triangles, up to rounding; 3D only.
    #[inline]
    pub(super) fn map_triangles(&self, group: &TriangleGroup) -> FourBoxes {
        let mut mapped = FourBoxes {
            low: [Vec4::INFINITY; 3],
            high: [Vec4::NEG_INFINITY; 3],
        };
        for corner in &group.corners {
            for k in 0..3 {
                let [x, y, z] = self.rotation[k];
                let at = corner[0] * x + corner[1] * y + corner[2] * z;
                let at = at + Vec4::splat(self.translation[k]);
                mapped.low[k] = mapped.low[k].min(at);
                mapped.high[k] = mapped.high[k].max(at);
            }
        }
        mapped
    }

    /// The boxes around the mapped boxes, up to rounding.
    #[inline]
    pub(crate) fn map(&self, boxes: &FourBoxes) -> FourBoxes {
        let (mut center, mut half) = ([Vec4::ZERO; 3], [Vec4::ZERO; 3]);
        for k in 0..self.dimension {
            center[k] = (boxes.low[k] + boxes.high[k]) * 0.5;
            half[k] = (boxes.high[k] - boxes.low[k]) * 0.5;
        }
        let mut mapped = FourBoxes {
            low: [Vec4::ZERO; 3],
            high: [Vec4::ZERO; 3],
        };
        for k in 0..self.dimension {
            let mut at = Vec4::splat(self.translation[k]);
            let mut mapped_half = Vec4::ZERO;
            for j in 0..self.dimension {
                at += center[j] * self.rotation[k][j];
                mapped_half += half[j] * self.rotation[k][j].abs();
            }
            mapped.low[k] = at - mapped_half;
            mapped.high[k] = at + mapped_half;
        }
        mapped
    }
}

/// The maps between the frames of two shapes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoxMaps {
    pub(crate) a_in_b: BoxMap,
    pub(crate) b_in_a: BoxMap,
}

impl BoxMaps {
    pub(crate) fn new<V: Vector>(b_in_a: &RelativePose<V::Precise>) -> Self {
        Self {
            a_in_b: BoxMap::new::<V>(&b_in_a.inverse()),
            b_in_a: BoxMap::new::<V>(b_in_a),
        }
    }
}

/// The greatest rounding error of a gap between boxes with coordinates of up to `size`. It is
/// infinite where sums of coordinates may overflow, so that no gap proves anything.
pub(crate) fn rounding(size: f64) -> Real {
    if size < 1e30 {
        (size as Real) * tolerances::BOX_GAP_ROUNDING
    } else {
        Real::INFINITY
    }
}

/// An upper bound of the distance of a shape's points from the origin of its body; of a half-space, that of its plane.
pub(crate) fn reach_of<V: Vector>(shape: &Shape<V>) -> f64 {
    match shape {
        Shape::HalfSpace(half_space) => half_space.offset(),
        Shape::Composite(composite) => composite.bounding_radius(),
        Shape::Convex(_) => {
            let bounds = shape.bounds(&Pose::IDENTITY);
            let [min, max] = [bounds.min, bounds.max].map_each(|corner| corner.to_precise().abs());
            min.max(max).length()
        }
    }
}

/// The lane with the least gap among some, given as bits, of which there is at least one; of equal gaps the first.
#[inline]
pub(crate) fn nearest_lane(gaps: &[Real; LANES], among: u32) -> usize {
    let first = among.trailing_zeros() as usize;
    lanes(among).fold(first, |nearest, lane| {
        if gaps[lane] < gaps[nearest] {
            lane
        } else {
            nearest
        }
    })
}
