//! Slabs around pieces of a surface: how thick they are along their normals.
//!
//! The box around a piece of a curved surface that lies askew is as thick as the piece is wide. Between two planes across
//! its mean normal the piece is as thick as the square of its width. Where two surfaces face each other, that tells most
//! pairs of pieces apart.

use clearance_math::{MapEach, Real};
use clearance_tree::{Node, lanes};
use glam::{DVec3, Vec4};

use super::triangle_group::TriangleGroup;

/// For each lane of a node, two parallel planes between which all triangles below lie.
#[derive(Clone, Copy, Debug)]
pub struct Slabs {
    /// The unit normals of the planes, by component; zero where there are no planes.
    normal: [Vec4; 3],
    /// Where the planes lie along the normals, rounded outwards.
    low: Vec4,
    high: Vec4,
}

/// How far planes are moved outwards, relative to the sum of the coordinates. [`Slabs::reach`] takes fewer than sixteen
/// roundings of half a unit in the last place.
const OUTWARDS: Real = 8.0 * Real::EPSILON;

impl Slabs {
    const NONE: Self = Self {
        normal: [Vec4::ZERO; 3],
        low: Vec4::ZERO,
        high: Vec4::ZERO,
    };

    /// Upper bounds of how far the triangles below the lanes of a node with these boxes reach along unit directions, from the
    /// origin, up to rounding. Means nothing for empty lanes.
    ///
    /// The direction d is the sum of t n and of d - t n, for any number t and the normal n. What is between the planes reaches
    /// no farther than one of them along the first, and what is in the box no farther than that along the second.
    #[inline]
    #[must_use]
    pub fn reach(&self, [low, high]: [&[Vec4; 3]; 2], directions: [Vec4; 3]) -> Vec4 {
        let mut along = Vec4::ZERO;
        for (normal, component) in self.normal.iter().zip(directions) {
            along += *normal * component;
        }
        let mut reach = (self.low * along).max(self.high * along);
        for (k, component) in directions.into_iter().enumerate() {
            let beside = component - self.normal[k] * along;
            reach += (low[k] * beside).max(high[k] * beside);
        }
        reach
    }

    /// The planes of one lane, four times.
    #[inline]
    #[must_use]
    pub fn spread(&self, lane: usize) -> Self {
        Self {
            normal: self
                .normal
                .map_each(|component| Vec4::splat(component[lane])),
            low: Vec4::splat(self.low[lane]),
            high: Vec4::splat(self.high[lane]),
        }
    }

    /// Lays the planes of a lane around what reaches that far along directions.
    fn set(
        &mut self,
        (node, lane): (&Node, usize),
        area: DVec3,
        reach: impl Fn([Real; 3]) -> Real,
    ) {
        let normal = (area / area.length()).as_vec3();
        if !normal.is_finite() {
            return;
        }
        let normal = normal.to_array();
        let mut coordinates = Real::MIN_POSITIVE;
        for (k, component) in normal.into_iter().enumerate() {
            self.normal[k][lane] = component;
            coordinates += node.low[k][lane].abs().max(node.high[k][lane].abs());
        }
        self.high[lane] = reach(normal) + coordinates * OUTWARDS;
        self.low[lane] = -(reach(normal.map(|component| -component)) + coordinates * OUTWARDS);
    }
}

/// The slabs of nodes that come before their children. Children beyond them are groups of triangles.
///
/// The planes of a node are laid around the slabs below, not around the triangles: that takes constant time for each
/// node, and they are only a little farther apart.
pub(super) fn slabs_of(nodes: &[Node], group: impl Fn(u32) -> TriangleGroup) -> Vec<Slabs> {
    let mut slabs = vec![Slabs::NONE; nodes.len()];
    // Sums of the normals of the triangles, each as long as twice its area.
    let mut areas = vec![DVec3::ZERO; nodes.len()];
    for (at, node) in nodes.iter().enumerate().rev() {
        let mut of_node = Slabs::NONE;
        for lane in lanes(node.occupied_lanes()) {
            let below = node.children[lane].known_index() as usize;
            let area = if let Some(child) = nodes.get(below) {
                of_node.set((node, lane), areas[below], |direction| {
                    let reaches =
                        slabs[below].reach([&child.low, &child.high], direction.map(Vec4::splat));
                    lanes(child.occupied_lanes())
                        .fold(Real::NEG_INFINITY, |most, lane| most.max(reaches[lane]))
                });
                areas[below]
            } else {
                let group = group((below - nodes.len()) as u32);
                let area = group.area();
                of_node.set((node, lane), area, |direction| {
                    group.reach(direction.map(Vec4::splat)).max_element()
                });
                area
            };
            areas[at] += area;
        }
        slabs[at] = of_node;
    }
    slabs
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
    fn slabs_hold_all_triangles_and_are_thin() {
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
            let inner = (0..).map_while(|index| Some((index, mesh.slabs(index)?)));
            for (index, slabs) in inner {
                let node = mesh.content(index).node();
                for lane in lanes(node.occupied_lanes()) {
                    let corners = corners_below(mesh, node.children[lane].known_index());
                    let normal = Vec3::from_array(slabs.normal.map(|component| component[lane]));
                    for direction in [
                        normal,
                        -normal,
                        Vec3::new(random(), random(), random()).normalize(),
                    ] {
                        let directions = direction.to_array().map(Vec4::splat);
                        let reach = slabs.reach([&node.low, &node.high], directions)[lane];
                        let truth = corners
                            .iter()
                            .map(|corner| corner.as_dvec3().dot(direction.as_dvec3()));
                        let truth = truth.fold(f64::NEG_INFINITY, f64::max);
                        assert!(
                            f64::from(reach) + 1e-6 >= truth,
                            "{index} {lane} {direction}: {reach} {truth}"
                        );
                    }
                    let thickness = slabs.high[lane] - slabs.low[lane];
                    let of_box =
                        (0..3).map(|k| (node.high[k][lane] - node.low[k][lane]) * normal[k].abs());
                    asked += 1;
                    thinner += usize::from(thickness < 0.5 * of_box.sum::<Real>());
                }
            }
        }
        assert!(thinner * 2 > asked && asked > 300, "{thinner} of {asked}");
    }
}
