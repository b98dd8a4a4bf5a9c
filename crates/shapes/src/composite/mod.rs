//! Composite shapes: meshes, polylines, height fields, point clouds, voxels and compounds.
//!
//! A composite is the union of numbered convex *parts*, with a static tree over their boxes. A kind
//! of composite supplies three things: how many parts there are, the box of one, and one as a
//! convex shape. All queries are reductions over parts, so they need to know nothing else, and a
//! new kind needs no change there. What else knows the kinds (files, pictures, mass) is listed in CONTRIBUTING. The list of
//! kinds is in `shape.rs`, since shapes and composites hold each other.

mod attached;
mod compound;
mod constructors;
mod encoding;
pub(crate) mod height_field;
pub(crate) mod mesh;
mod nodes;
pub(crate) mod pieces;
pub(crate) mod points;
mod polygon;
pub(crate) mod polyline;
mod simple_rings;
pub(crate) mod solid;
#[cfg(test)]
mod tests;
mod transform;
mod triangle_group;
mod turned_boxes;
mod vertices;
pub(crate) mod voxels;

use std::borrow::Cow;

use clearance_math::internal::MapEach;
use clearance_math::{
    Aabb, DVec3, Matrix, Pose, PreciseVector, Real, RelativePose, Vector, tolerances,
};

use crate::error::check_number;
use crate::{Core, Requirement, Shape, ShapeError};
use pieces::Pieces;

pub use crate::shape::{Composite, CompositeKind, Compound, CompoundPart, OuterSide, Part};
pub use compound::MOST_NESTED;
pub use height_field::{HeightField, HeightPatch};
pub use mesh::Mesh;
pub use nodes::{LineOfParts, NodeContent, NodeRef, PartTree};
pub use points::PointCloud;
pub use polyline::Polyline;
pub use solid::Solid;
pub use triangle_group::{TriangleBlock, TriangleGroup};
pub use turned_boxes::{FourBlocks, TurnedBoxes};
pub use vertices::MOST_PARTS;
pub(crate) use voxels::Sums;
pub use voxels::{Cells, OneWay, PlacedVoxels, Tile, Voxels};

/// How many levels of its tree the box of a composite is made of: four to this power boxes.
const BOX_LEVELS: u32 = 2;

impl<V: Vector> Composite<V> {
    pub(crate) fn new(kind: CompositeKind<V>) -> Self {
        let mut composite = Self {
            kind,
            local_bounds: Aabb::empty(),
            bounding_radius: 0.0,
            rounding: 0.0,
            one_sided: None,
            inside: None,
            pieces: Pieces::default(),
            user_data: None,
        };
        composite.measure();
        (composite.rounding, composite.one_sided) = match &composite.kind {
            CompositeKind::Mesh(_) | CompositeKind::Polyline(_) | CompositeKind::Points(_) => {
                (0.0, None)
            }
            CompositeKind::Voxels(voxels) => (0.0, voxels.greatest_depth()),
            CompositeKind::HeightField(field) => (field.rounding(), None),
            CompositeKind::Compound(compound) => {
                (compound.greatest_rounding(), compound.greatest_depth())
            }
        };
        composite
    }

    /// Finds how far the parts reach.
    fn measure(&mut self) {
        // The boxes of the tree over voxels are those of whole chunks.
        let bounds: Aabb<V> = match &self.kind {
            CompositeKind::Voxels(voxels) => voxels.bounds(),
            _ => self.root().bounds(),
        };
        let [min, max] = [bounds.min, bounds.max].map_each(|corner| corner.to_precise().abs());
        self.local_bounds = bounds;
        self.bounding_radius = min.max(max).length();
    }

    /// The name of its kind in files.
    #[must_use]
    pub fn kind_name(&self) -> &'static str {
        match &self.kind {
            CompositeKind::Polyline(_) if self.is_solid() => "polygon",
            kind => kind.name(),
        }
    }

    /// What the composite is made of.
    #[must_use]
    pub fn kind(&self) -> &CompositeKind<V> {
        &self.kind
    }

    /// The number of parts, holes of a height field and empty cells of voxels included. Their numbers are less than this.
    #[must_use]
    pub fn part_count(&self) -> u32 {
        match &self.kind {
            CompositeKind::Mesh(mesh) => mesh.triangles().len() as u32,
            CompositeKind::Polyline(polyline) => polyline.segments().len() as u32,
            CompositeKind::HeightField(field) => field.part_count(),
            CompositeKind::Points(cloud) => cloud.points().len() as u32,
            CompositeKind::Voxels(voxels) => voxels.part_count(),
            CompositeKind::Compound(compound) => compound.part_count(),
        }
    }

    /// The numbers of the parts that are there, from the least on: without the holes of height fields and empty cells of
    /// voxels.
    ///
    /// Costs what is there, and for a height field what could be.
    #[must_use]
    pub fn part_numbers(&self) -> Box<dyn Iterator<Item = u32> + '_> {
        let all = 0..self.part_count();
        match &self.kind {
            CompositeKind::HeightField(field) => Box::new(field.part_numbers()),
            CompositeKind::Voxels(voxels) => voxels.part_numbers(),
            CompositeKind::Compound(compound) => Box::new(compound.part_numbers()),
            CompositeKind::Mesh(_) | CompositeKind::Polyline(_) | CompositeKind::Points(_) => {
                Box::new(all)
            }
        }
    }

    /// The part with this number, or `None` if there is none: the number is too large, or belongs
    /// to a hole of a height field or an empty cell of voxels.
    #[must_use]
    pub fn part(&self, number: u32) -> Option<Part<'_, V>> {
        if number >= self.part_count() {
            return None;
        }
        let triangle = |[a, b, c]: [V; 3]| Shape::triangle_of(a, b, c);
        let shape = match &self.kind {
            CompositeKind::Mesh(mesh) => triangle(mesh.corners(number)),
            CompositeKind::Polyline(polyline) => {
                let [a, b] = polyline.ends(number);
                Shape::segment_of(a, b)
            }
            CompositeKind::HeightField(field) => triangle(field.corners(number)?),
            CompositeKind::Points(cloud) => {
                Shape::convex(Core::Point(cloud.points()[number as usize]), cloud.radius())
            }
            CompositeKind::Voxels(voxels) => return voxels.part(number),
            CompositeKind::Compound(compound) => return compound.part(number),
        };
        Some(Part {
            shape: Cow::Owned(shape),
            pose: None,
        })
    }

    /// The root of the tree over the boxes of the parts.
    #[must_use]
    pub fn root(&self) -> NodeRef<'_> {
        self.node(0)
    }

    /// A node of the tree over the boxes of the parts; 0 is the root. The leaves are the numbers of
    /// the parts.
    #[inline]
    #[must_use]
    pub fn node(&self, index: u32) -> NodeRef<'_> {
        self.content(index).node()
    }

    /// The smallest box around all parts, in the frame of the composite.
    #[must_use]
    pub fn local_bounds(&self) -> Aabb<V> {
        self.local_bounds
    }

    /// An upper bound of the distance of the parts from the origin of the body, in units of length.
    #[inline]
    #[must_use]
    pub fn bounding_radius(&self) -> f64 {
        self.bounding_radius
    }

    /// The corners of a box around all points within `distance` >= 0 of the composite at `pose`, moved outwards by the
    /// rounding error that they may have.
    ///
    /// It is made of the boxes of the upper nodes of the tree, so it is tight where these are; that of voxels is the box around
    /// all cells, turned. Costs constant time.
    #[must_use]
    pub fn limits_within(&self, pose: &Pose<V>, distance: f64) -> [V::Precise; 2] {
        let pose = RelativePose::from_pose(pose);
        let mut limits = [
            V::Precise::splat(f64::INFINITY),
            V::Precise::splat(f64::NEG_INFINITY),
        ];
        match &self.kind {
            // Their upper nodes are as large as chunks, and remember cells that were emptied.
            CompositeKind::Voxels(_) => add_box(&self.local_bounds, &pose, &mut limits),
            _ => self.add_limits(0, BOX_LEVELS, &pose, &mut limits),
        }
        let [mut low, mut high] = limits;
        for k in 0..V::DIM {
            let size = low.component(k).abs().max(high.component(k).abs());
            let slack = tolerances::DIFFERENCE_ROUNDING * (size + distance);
            low = low.with_component(k, low.component(k) - distance - slack);
            high = high.with_component(k, high.component(k) + distance + slack);
        }
        [low, high]
    }

    /// Extends limits by the boxes `levels` below a node.
    fn add_limits(
        &self,
        index: u32,
        levels: u32,
        pose: &RelativePose<V::Precise>,
        limits: &mut [V::Precise; 2],
    ) {
        let node = self.node(index);
        for (lane, child) in node.children.iter().enumerate() {
            if child.is_empty() {
                continue;
            }
            if let (Some(below), 1..) = (child.index(), levels) {
                self.add_limits(below as u32, levels - 1, pose, limits);
                continue;
            }
            add_box(&node.lane::<V>(lane), pose, limits);
        }
    }

    /// How far points of the parts may be from those that the composite stands for, in units of length:
    /// the places of a height field's vertices follow from its scale, and are rounded to single
    /// precision. Zero where nothing was rounded.
    #[must_use]
    pub fn rounding(&self) -> f64 {
        self.rounding
    }

    /// The same composite whose faces count on their outer sides only: see [`Shape::one_sided`].
    pub(crate) fn with_one_side(mut self, depth: Real) -> Result<Self, ShapeError> {
        check_number(self.kind.name(), "depth", depth, Requirement::NotNegative)?;
        match self.kind {
            _ if self.is_solid() => Err(ShapeError::SolidOnOneSide),
            CompositeKind::Polyline(_) if const { V::DIM == 3 } => Err(ShapeError::NoOuterSide {
                kind: self.kind.name(),
            }),
            CompositeKind::Compound(_) | CompositeKind::Points(_) | CompositeKind::Voxels(_) => {
                Err(ShapeError::NoOuterSide {
                    kind: self.kind.name(),
                })
            }
            _ => {
                self.one_sided = Some(depth);
                Ok(self)
            }
        }
    }

    /// The depth up to which contacts with the outer sides of its faces count, in units of length: see
    /// [`Shape::one_sided`]. For a compound the greatest of its shapes, for voxels of their tiles; `None` if all parts count from all sides.
    #[inline]
    #[must_use]
    pub fn one_sided(&self) -> Option<Real> {
        self.one_sided
    }

    /// The side on which a part counts; `None` if it counts from all sides, as a triangle without area does.
    #[must_use]
    pub fn outer_side(&self, number: u32) -> Option<OuterSide<V::Precise>> {
        let depth = self.one_sided?;
        match &self.kind {
            CompositeKind::Compound(compound) => return compound.outer_side(number),
            CompositeKind::Voxels(voxels) => return voxels.outer_side(number),
            _ => {}
        }
        match &*self.part(number)?.shape {
            Shape::Convex(convex) => convex.front().map(|normal| OuterSide {
                normal,
                depth,
                is_of_tile: false,
            }),
            Shape::HalfSpace(_) | Shape::Composite(_) => None,
        }
    }

    /// The memory that the composite takes, in bytes, the tree included.
    #[must_use]
    pub fn memory(&self) -> usize {
        size_of::<Self>()
            + self.inside.as_ref().map_or(0, solid::Inside::memory)
            + self
                .user_data
                .as_ref()
                .map_or(0, |data| size_of_val(&**data))
            + match &self.kind {
                CompositeKind::Mesh(mesh) => mesh.memory(),
                CompositeKind::Polyline(polyline) => polyline.memory(),
                CompositeKind::HeightField(field) => field.memory(),
                CompositeKind::Points(cloud) => cloud.memory(),
                CompositeKind::Voxels(voxels) => voxels.memory(),
                CompositeKind::Compound(compound) => compound.memory(),
            }
    }
}

/// Extends limits by a box at a pose.
fn add_box<V: Vector>(
    bounds: &Aabb<V>,
    pose: &RelativePose<V::Precise>,
    limits: &mut [V::Precise; 2],
) {
    let (min, max) = (bounds.min.to_precise(), bounds.max.to_precise());
    let center = pose.transform_point((min + max) * 0.5);
    let half = (max - min) * 0.5;
    let turned_half = V::Precise::from_fn(|k| pose.rotation.row(k).abs().dot(half));
    let rounding =
        V::Precise::splat(tolerances::DIFFERENCE_ROUNDING * (min.abs().max(max.abs())).length());
    limits[0] = limits[0].min(center - turned_half - rounding);
    limits[1] = limits[1].max(center + turned_half + rounding);
}

impl<V: Vector> PartTree for Composite<V> {
    #[inline]
    fn content(&self, index: u32) -> NodeContent<'_> {
        match self.kind() {
            CompositeKind::Mesh(mesh) => mesh.content(index),
            CompositeKind::Polyline(polyline) => polyline.tree().content(index),
            CompositeKind::HeightField(field) => field.content(index),
            CompositeKind::Points(cloud) => cloud.content(index),
            CompositeKind::Voxels(voxels) => voxels.content(index),
            CompositeKind::Compound(compound) => compound.tree().content(index),
        }
    }

    #[inline]
    fn turned_boxes(&self, index: u32) -> Option<&TurnedBoxes> {
        match self.kind() {
            CompositeKind::Mesh(mesh) => mesh.turned_boxes(index),
            _ => None,
        }
    }

    #[inline]
    fn outer_side_below(&self, index: u32) -> Option<OuterSide<DVec3>> {
        match self.kind() {
            CompositeKind::Voxels(voxels) => voxels.outer_side_below(index),
            _ => None,
        }
    }

    #[inline]
    fn each_in_box(
        &self,
        index: u32,
        corners: [[Real; 3]; 2],
        found: &mut dyn FnMut(u32) -> bool,
    ) -> bool {
        match self.kind() {
            CompositeKind::Voxels(voxels) => voxels.each_in_box(index, corners, found),
            _ => false,
        }
    }

    #[inline]
    fn each_on_line(
        &self,
        index: u32,
        line: &LineOfParts,
        found: &mut dyn FnMut(u32) -> Real,
    ) -> bool {
        match self.kind() {
            CompositeKind::Voxels(voxels) => voxels.each_on_line(index, line, found),
            _ => false,
        }
    }
}

impl<V: Vector> CompositeKind<V> {
    /// The name of the kind in files.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Mesh(_) => "mesh",
            Self::Polyline(_) => "polyline",
            Self::HeightField(_) => "height_field",
            Self::Points(_) => "points",
            Self::Voxels(_) => "voxels",
            Self::Compound(_) => "compound",
        }
    }
}

impl<V: Vector> Part<'_, V> {
    /// The smallest box around the part, in the frame of the composite, rounded outwards.
    #[must_use]
    pub fn bounds(&self) -> Aabb<V> {
        match (&*self.shape, &self.pose) {
            (Shape::Convex(convex), Some(pose)) => convex.bounds_at(pose, 0.0),
            (shape, _) => shape.bounds(&Pose::IDENTITY),
        }
    }
}
