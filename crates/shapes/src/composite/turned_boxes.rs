//! Boxes around pieces of a surface that are turned as these lie.
//!
//! The box around a piece that lies askew is as thick as the piece is wide, and around a long thin one as wide as it is
//! long. A box along the piece's own axes is as thick as the square of its width, and as narrow as the piece is. Where two
//! surfaces face each other, that tells most pairs of pieces apart.

use clearance_math::internal::MapEach;
use clearance_math::{Real, Vector};
use clearance_tree::{LANES, Node, lanes};
use glam::{DMat3, DQuat, DVec3, Vec3Swizzles, Vec4};

use super::triangle_group::TriangleGroup;

/// For each lane of a node, a turned box in which all triangles below lie.
///
/// A turn and six planes are stored in ten numbers of 16 bits a lane; the planes are rounded outwards.
#[derive(Clone, Copy, Debug)]
pub struct TurnedBoxes {
    /// The components of the quaternions that turn the axes, of any length.
    turns: [[i16; LANES]; 4],
    /// Where the planes across the turned axes lie, measured from the center of the lane's box in [`units`].
    low: [[i16; LANES]; 3],
    high: [[i16; LANES]; 3],
}

/// Four blocks side by side: boxes that are turned in any way, by component.
#[derive(Clone, Copy, Debug)]
pub struct FourBlocks {
    /// The centers.
    pub center: [Vec4; 3],
    /// Half of each of the three edges that meet in a corner, as vectors.
    pub half: [[Vec4; 3]; 3],
}

/// How far planes are moved outwards, relative to the sum of the coordinates. What [`FourBlocks`] reach along a direction
/// takes fewer than sixteen roundings of half a unit in the last place.
const OUTWARDS: Real = 8.0 * Real::EPSILON;

/// The greatest of the numbers that planes and turns are stored as.
const STEPS: Real = i16::MAX as Real;

/// Boxes of nodes whose coordinates are not between these are not turned: units would vanish or overflow.
const SIZES: core::ops::Range<Real> = 1e-20..1e18;

impl FourBlocks {
    /// Boxes along the axes, given by their least and their greatest corners.
    #[inline]
    #[must_use]
    pub fn along_axes<V: Vector>([low, high]: [&[Vec4; 3]; 2]) -> Self {
        let (mut center, mut half) = ([Vec4::ZERO; 3], [[Vec4::ZERO; 3]; 3]);
        for k in 0..V::DIM {
            center[k] = (low[k] + high[k]) * 0.5;
            half[k][k] = (high[k] - low[k]) * 0.5;
        }
        Self { center, half }
    }

    /// The block in one lane, four times.
    #[inline]
    #[must_use]
    pub fn spread(&self, lane: usize) -> Self {
        let of_lane = |component: Vec4| Vec4::splat(component[lane]);
        Self {
            center: self.center.map_each(of_lane),
            half: self.half.map_each(|half| half.map_each(of_lane)),
        }
    }

    /// Where each block begins and ends along a direction, from the origin, up to rounding.
    #[inline]
    fn extent(&self, direction: &[Vec4; 3]) -> [Vec4; 2] {
        let along = |half: &[Vec4; 3]| dot(half, direction).abs();
        let [x, y, z] = &self.half;
        let middle = dot(&self.center, direction);
        let half = along(x) + along(y) + along(z);
        [middle - half, middle + half]
    }
}

/// Four scalar products.
#[inline]
pub(super) fn dot(a: &[Vec4; 3], b: &[Vec4; 3]) -> Vec4 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

impl TurnedBoxes {
    /// Before the lanes are set.
    const NONE: Self = Self {
        turns: [[0; LANES]; 4],
        low: [[0; LANES]; 3],
        high: [[0; LANES]; 3],
    };

    /// The blocks around what the lanes of their node hold. Mean nothing for empty lanes.
    #[inline]
    #[must_use]
    pub fn blocks(&self, node: &Node) -> FourBlocks {
        let axes = axes(self.turns.map_each(numbers));
        let unit = units(node);
        let mut blocks = FourBlocks {
            center: center(node),
            half: axes,
        };
        for (k, axis) in axes.iter().enumerate() {
            let (low, high) = (numbers(self.low[k]), numbers(self.high[k]));
            let (middle, half) = ((high + low) * (0.5 * unit), (high - low) * (0.5 * unit));
            for (component, axis) in axis.iter().enumerate() {
                blocks.center[component] += middle * *axis;
                blocks.half[k][component] = half * *axis;
            }
        }
        blocks
    }

    /// Turns the box of a lane to what is spread like this, and lays it around what reaches that far along directions.
    fn set(
        &mut self,
        (node, lane): (&Node, usize),
        spread: &Spread,
        extent: impl Fn(&[[Vec4; 3]; 3]) -> [[Real; 2]; 3],
    ) {
        for (turns, number) in self.turns.iter_mut().zip(spread.turn()) {
            turns[lane] = number;
        }
        let axes = axes(
            self.turns
                .map_each(|turns| Vec4::splat(Real::from(turns[lane]))),
        );
        let unit = units(node)[lane];
        let center = center(node).map_each(|component| component[lane]);
        let coordinates = (0..3).map(|k| node.low[k][lane].abs().max(node.high[k][lane].abs()));
        let outwards = coordinates.sum::<Real>() * OUTWARDS;
        for (k, [low, high]) in extent(&axes).into_iter().enumerate() {
            let axis = axes[k].map_each(|component| component.x);
            let middle = axis[0] * center[0] + axis[1] * center[1] + axis[2] * center[2];
            let step = |at: Real| at.clamp(-STEPS, STEPS) as i16;
            self.low[k][lane] = step(((low - outwards - middle) / unit).floor());
            self.high[k][lane] = step(((high + outwards - middle) / unit).ceil());
        }
    }
}

/// Numbers of four lanes.
#[inline]
fn numbers(lanes: [i16; LANES]) -> Vec4 {
    Vec4::from_array(lanes.map_each(Real::from))
}

/// The centers of the boxes of a node.
#[inline]
fn center(node: &Node) -> [Vec4; 3] {
    [0, 1, 2].map_each(|k: usize| (node.low[k] + node.high[k]) * 0.5)
}

/// The lengths by which the planes of turned boxes are counted: no point of a lane's box is farther than [`STEPS`] of them
/// from its center.
#[inline]
fn units(node: &Node) -> Vec4 {
    let [x, y, z] = [0, 1, 2].map_each(|k: usize| node.high[k] - node.low[k]);
    (x + y + z) * (0.5 / (STEPS - 1.0))
}

/// The axes that quaternions of any length turn to.
#[inline]
fn axes([x, y, z, w]: [Vec4; 4]) -> [[Vec4; 3]; 3] {
    let squared = x * x + y * y + z * z + w * w;
    let twice = 2.0 / squared.max(Vec4::ONE);
    let (xs, ys, zs) = (x * twice, y * twice, z * twice);
    let (xx, yy, zz) = (x * xs, y * ys, z * zs);
    let (xy, xz, yz) = (x * ys, x * zs, y * zs);
    let (wx, wy, wz) = (w * xs, w * ys, w * zs);
    [
        [Vec4::ONE - (yy + zz), xy + wz, xz - wy],
        [xy - wz, Vec4::ONE - (xx + zz), yz + wx],
        [xz + wy, yz - wx, Vec4::ONE - (xx + yy)],
    ]
}

/// How corners are spread: their number, and the sums of their coordinates and of the products of these.
#[derive(Clone, Copy, Debug, Default)]
struct Spread {
    count: f64,
    sum: DVec3,
    /// The squares of x, y and z.
    squares: DVec3,
    /// The products yz, xz and xy.
    products: DVec3,
}

impl Spread {
    /// The spread of the corners of four triangles.
    fn of_group(group: &TriangleGroup) -> Self {
        // Relative to one of them, so that single precision is enough.
        let base = group.corners[0].map_each(|component| component[0]);
        let mut sums = [Vec4::ZERO; 9];
        for corner in &group.corners {
            let [x, y, z] = [0, 1, 2].map_each(|k: usize| corner[k] - base[k]);
            let terms = [x, y, z, x * x, y * y, z * z, y * z, x * z, x * y];
            for (sum, term) in sums.iter_mut().zip(terms) {
                *sum += term;
            }
        }
        let [x, y, z, xx, yy, zz, yz, xz, xy] = sums.map(|sum| f64::from(sum.element_sum()));
        let spread = Self {
            count: (3 * LANES) as f64,
            sum: DVec3::new(x, y, z),
            squares: DVec3::new(xx, yy, zz),
            products: DVec3::new(yz, xz, xy),
        };
        spread.moved(DVec3::from_array(base.map_each(f64::from)))
    }

    /// The spread of corners that are elsewhere by so much.
    fn moved(&self, by: DVec3) -> Self {
        let sum = self.sum + by * self.count;
        Self {
            sum,
            squares: self.squares + by * (self.sum + sum),
            products: self.products + by.yxx() * self.sum.zzy() + by.zzy() * sum.yxx(),
            ..*self
        }
    }

    fn add(&mut self, other: &Self) {
        self.count += other.count;
        self.sum += other.sum;
        self.squares += other.squares;
        self.products += other.products;
    }

    /// The covariances of the coordinates, up to a factor.
    fn covariances(&self) -> DMat3 {
        let mean = self.sum / self.count;
        let squares = self.squares - self.sum * mean;
        let products = self.products - self.sum.yxx() * mean.zzy();
        DMat3::from_cols(
            DVec3::new(squares.x, products.z, products.y),
            DVec3::new(products.z, squares.y, products.x),
            DVec3::new(products.y, products.x, squares.z),
        )
    }

    /// The turn to the principal axes, the longest one first: a quaternion in steps. The axes along which corners are
    /// spread as far are any.
    fn turn(&self) -> [i16; 4] {
        let covariances = self.covariances();
        let trace = |m: &DMat3| m.x_axis.x + m.y_axis.y + m.z_axis.z;
        let mut power = covariances;
        // The eighth power has but the greatest eigenvalues.
        for _ in 0..3 {
            power *= 1.0 / trace(&power);
            power *= power;
        }
        let columns = [power.x_axis, power.y_axis, power.z_axis];
        let squared = columns.map_each(DVec3::length_squared);
        let first = (1..3).fold(0, |first, k| {
            if squared[k] > squared[first] {
                k
            } else {
                first
            }
        });
        let Some(longest) = columns[first].try_normalize() else {
            return [0, 0, 0, i16::MAX];
        };
        let (u, v) = longest.any_orthonormal_pair();
        let (along_u, along_v) = (covariances * u, covariances * v);
        // Half the angle whose cosine and sine these are, up to a factor, turns u to the greater axis.
        let (cosine, sine) = (u.dot(along_u) - v.dot(along_v), 2.0 * u.dot(along_v));
        let length = (cosine * cosine + sine * sine).sqrt();
        let middle = if length > 0.0 {
            let half = |cosine: f64| (0.5 + 0.5 * (cosine / length)).max(0.0).sqrt();
            u * half(cosine) + v * half(-cosine).copysign(sine)
        } else {
            u
        };
        let turn = DQuat::from_mat3(&DMat3::from_cols(longest, middle, longest.cross(middle)));
        turn.to_array()
            .map_each(|component| (component * f64::from(STEPS)).round() as i16)
    }
}

/// The turned boxes of nodes that come before their children. Children beyond them are groups of triangles. None in the plane,
/// and if the coordinates are too great or too small.
///
/// The boxes of a node are laid around those below, not around the triangles: that takes constant time for each
/// node, and they are only a little larger.
pub(super) fn turned_boxes_of<V: Vector>(
    nodes: &[Node],
    group: impl Fn(u32) -> TriangleGroup,
) -> Vec<TurnedBoxes> {
    let size = nodes.first().map_or(0.0, |root| {
        let greatest = |k: usize| root.high[k].max(-root.low[k]).max_element();
        greatest(0).max(greatest(1)).max(greatest(2))
    });
    if V::DIM != 3 || !SIZES.contains(&size) {
        return Vec::new();
    }
    let mut boxes = vec![TurnedBoxes::NONE; nodes.len()];
    let mut spreads = vec![Spread::default(); nodes.len()];
    for (at, node) in nodes.iter().enumerate().rev() {
        let mut of_node = TurnedBoxes::NONE;
        for lane in lanes(node.occupied_lanes()) {
            let below = node.children[lane].known_index() as usize;
            let spread = if let Some(child) = nodes.get(below) {
                let around = FourBlocks::along_axes::<V>([&child.low, &child.high]);
                let turned = boxes[below].blocks(child);
                of_node.set((node, lane), &spreads[below], |axes| {
                    axes.map_each(|axis| {
                        let [low, high] = around.extent(&axis);
                        let [low_turned, high_turned] = turned.extent(&axis);
                        let (low, high) = (low.max(low_turned), high.min(high_turned));
                        lanes(child.occupied_lanes()).fold(
                            [Real::INFINITY, Real::NEG_INFINITY],
                            |[least, most], lane| [least.min(low[lane]), most.max(high[lane])],
                        )
                    })
                });
                spreads[below]
            } else {
                let group = group((below - nodes.len()) as u32);
                let spread = Spread::of_group(&group);
                of_node.set((node, lane), &spread, |axes| {
                    axes.map_each(|axis| group.extent(&axis))
                });
                spread
            };
            spreads[at].add(&spread);
        }
        boxes[at] = of_node;
    }
    boxes
}

#[cfg(test)]
mod tests {
    use clearance_math::Vec3;
    use rand_pcg::Pcg64;
    use rand_pcg::rand_core::{Rng, SeedableRng};

    use super::*;
    use crate::composite::{CompositeKind, Mesh, NodeContent, PartTree};
    use crate::{Composite, Shape};

    /// The corners of all triangles below a child.
    fn corners_below(mesh: &Mesh<Vec3>, index: u32) -> Vec<Vec3> {
        match mesh.content(index) {
            NodeContent::Triangles(group) => lanes(group.occupied_lanes())
                .flat_map(|lane| group.corners_of::<Vec3>(lane))
                .collect(),
            content => {
                let node = content.node();
                lanes(node.occupied_lanes())
                    .flat_map(|lane| corners_below(mesh, node.children[lane].known_index()))
                    .collect()
            }
        }
    }

    /// A sheet that is bent to a bowl.
    fn bowl(side: u32, random: &mut impl FnMut() -> Real, rough: Real) -> Shape<Vec3> {
        let mut vertices = Vec::new();
        for k in 0..(side + 1) * (side + 1) {
            let [x, z] = [k / (side + 1), k % (side + 1)].map(|k| k as Real / side as Real - 0.5);
            vertices.push(Vec3::new(x, x * x + z * z + rough * random(), z));
        }
        let mut triangles = Vec::new();
        for k in (0..side * side).map(|k| k / side * (side + 1) + k % side) {
            triangles.push([k, k + 1, k + side + 1]);
            triangles.push([k + 1, k + side + 2, k + side + 1]);
        }
        Shape::mesh(vertices, triangles).expect("finite vertices")
    }

    #[test]
    fn turned_boxes_hold_all_triangles_and_are_thin() {
        let mut rng = Pcg64::seed_from_u64(31);
        let mut random = || (rng.next_u32() >> 8) as Real / (1 << 23) as Real - 1.0;
        let (mut thinner, mut asked) = (0, 0);
        for rough in [0.0, 0.001, 0.3] {
            let shape = bowl(24, &mut random, rough);
            let Shape::Composite(composite) = &shape else {
                unreachable!("a mesh is a composite");
            };
            let composite: &Composite<Vec3> = composite;
            let CompositeKind::Mesh(mesh) = composite.kind() else {
                unreachable!("it is a mesh");
            };
            let inner = (0..).map_while(|index| Some((index, mesh.turned_boxes(index)?)));
            for (index, turned) in inner {
                let node = mesh.content(index).node();
                let blocks = turned.blocks(&node);
                for lane in lanes(node.occupied_lanes()) {
                    let corners = corners_below(mesh, node.children[lane].known_index());
                    let half = blocks
                        .half
                        .map(|half| Vec3::from_array(half.map(|k| k[lane])));
                    for direction in [
                        half[0],
                        half[1],
                        half[2],
                        Vec3::new(random(), random(), random()),
                    ] {
                        let direction = direction.normalize();
                        let [low, high] = blocks.extent(&direction.to_array().map(Vec4::splat));
                        for corner in &corners {
                            let at = corner.as_dvec3().dot(direction.as_dvec3());
                            let range = f64::from(low[lane]) - 1e-6..=f64::from(high[lane]) + 1e-6;
                            assert!(range.contains(&at), "{index} {lane} {direction}");
                        }
                    }
                    let volume = half[0].length() * half[1].length() * half[2].length();
                    let of_box: Real = (0..3)
                        .map(|k| 0.5 * (node.high[k][lane] - node.low[k][lane]))
                        .product();
                    asked += 1;
                    thinner += usize::from(volume < 0.5 * of_box);
                }
            }
        }
        assert!(thinner * 2 > asked && asked > 300, "{thinner} of {asked}");
    }
}
