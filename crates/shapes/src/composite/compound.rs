//! Compounds: unions of placed shapes.

use core::ops::Range;
use std::borrow::Cow;

use clearance_math::{Aabb, Pose, PreciseVector, Real, RelativePose, Vector, round_down, round_up};
use clearance_tree::Tree;

use super::nodes::tree;
use super::vertices::{List, check_count};
use super::{OneWay, PlacedVoxels, Solid};
use crate::ShapeError;
use crate::shape::{
    Composite, CompositeKind, Compound, CompoundPart, Member, OuterSide, Part, Shape,
};

/// How deep compounds may be nested in compounds.
pub const MOST_NESTED: u8 = 16;

impl<V: Vector> Compound<V> {
    pub(super) fn new(
        shapes: Vec<CompoundPart<V>>,
        one_way: Option<OneWay<V>>,
    ) -> Result<Self, ShapeError> {
        check_count(List::PARTS, shapes.len())?;
        let mut compound = Self {
            shapes: Vec::new(),
            one_way,
            members: Vec::new(),
            solids: Vec::new(),
            tree: Tree::default(),
            part_count: 0,
            by_hulls: None,
            depth: 1,
        };
        for (index, part) in shapes.iter().enumerate() {
            (compound.add(part, index as u32)).map_err(|error| error.in_part(index))?;
        }
        check_count(List::PARTS, compound.part_count as usize)?;
        if one_way.is_some() && !compound.solids.is_empty() {
            return Err(ShapeError::SolidOnOneSide);
        }
        compound.by_hulls = by_hulls(&shapes)?;
        compound.shapes = shapes;
        compound.members.shrink_to_fit();
        compound.tree = tree(List::PARTS, compound.boxes())?;
        Ok(compound)
    }

    fn add(&mut self, part: &CompoundPart<V>, shape_number: u32) -> Result<(), ShapeError> {
        let pose = part.pose.checked().map_err(ShapeError::Pose)?;
        let is_identity = pose == Pose::IDENTITY;
        let outer = (!is_identity).then(|| RelativePose::from_pose(&pose));
        let parts = match &part.shape {
            Shape::HalfSpace(_) => return Err(ShapeError::NotInCompound { kind: "half_space" }),
            Shape::Convex(_) => 1,
            Shape::Composite(composite) => match composite.kind() {
                CompositeKind::Compound(inner) => {
                    return self.add_compound((composite, inner), outer, shape_number);
                }
                // Members have parts.
                CompositeKind::Voxels(voxels) if voxels.cells().is_empty() => return Ok(()),
                _ => composite.part_count(),
            },
        };
        let member = Member {
            shape: part.shape.clone(),
            pose: outer,
            first_part: 0,
            shape_number,
            side: None,
            user_data: 0,
        };
        self.add_member(member, parts)
    }

    fn add_compound(
        &mut self,
        (composite, inner): (&Composite<V>, &Self),
        outer: Option<RelativePose<V::Precise>>,
        shape_number: u32,
    ) -> Result<(), ShapeError> {
        if inner.depth >= MOST_NESTED {
            return Err(ShapeError::TooDeep { most: MOST_NESTED });
        }
        self.depth = self.depth.max(inner.depth + 1);
        let ends = inner.members.iter().skip(1).map(|next| next.first_part);
        let ends = ends.chain([inner.part_count]);
        for (member, end) in inner.members.iter().zip(ends) {
            let user_data = match member.user_data {
                0 => composite.user_data_at(member.shape_number),
                own => own,
            };
            let side = inner
                .side_of(member)
                .map(|side| turned(side, outer.as_ref()));
            let outermost = Member {
                shape: member.shape.clone(),
                pose: combined(outer, member.pose),
                first_part: 0,
                shape_number,
                side: side.map(Box::new),
                user_data,
            };
            self.add_member(outermost, end - member.first_part)?;
        }
        Ok(())
    }

    /// Adds a member with so many parts, which follow those that are there.
    fn add_member(&mut self, member: Member<V>, parts: u32) -> Result<(), ShapeError> {
        let member = Member {
            first_part: self.part_count,
            ..member
        };
        let part_count = self.part_count as usize + parts as usize;
        check_count(List::PARTS, part_count)?;
        self.part_count = part_count as u32;
        if matches!(&member.shape, Shape::Composite(composite) if composite.is_solid()) {
            self.solids.push(self.members.len() as u32);
        }
        self.members.push(member);
        Ok(())
    }

    /// The shapes with their places, as they were given.
    #[must_use]
    pub fn shapes(&self) -> &[CompoundPart<V>] {
        &self.shapes
    }

    pub(super) fn part_count(&self) -> u32 {
        self.part_count
    }

    pub(super) fn tree(&self) -> &Tree<V> {
        &self.tree
    }

    /// The member that has an inside and a part.
    pub(super) fn solid_of(&self, number: u32) -> Option<Solid<'_, V>> {
        self.member_of(number)?.solid()
    }

    pub(super) fn by_hulls(&self) -> Option<&Shape<V>> {
        self.by_hulls.as_ref()
    }

    /// The parts for which a part of the same with hulls stands.
    pub(super) fn parts_by_hulls(&self, number: u32) -> Option<Range<u32>> {
        let Shape::Composite(by_hulls) = self.by_hulls()? else {
            return None;
        };
        let CompositeKind::Compound(by_hulls) = by_hulls.kind() else {
            return None;
        };
        let hull = by_hulls.member_of(number)?;
        let index = by_hulls
            .members
            .binary_search_by_key(&hull.first_part, |member| member.first_part);
        let own = self.members.get(index.ok()?)?;
        let first = own.first_part + (number - hull.first_part);
        Some(match (&own.shape, &hull.shape) {
            (Shape::Composite(solid), Shape::Convex(_)) => first..first + solid.part_count(),
            _ => first..first + 1,
        })
    }

    /// The number of one part of each connected piece.
    pub(super) fn pieces(&self) -> Vec<u32> {
        let mut pieces = Vec::new();
        for member in &self.members {
            match &member.shape {
                Shape::Composite(composite) => {
                    let own = composite.pieces();
                    pieces.extend(own.map(|piece| member.first_part + piece));
                }
                _ => pieces.push(member.first_part),
            }
        }
        pieces
    }

    /// The member that a part belongs to.
    pub(super) fn member_of(&self, number: u32) -> Option<&Member<V>> {
        if number >= self.part_count {
            return None;
        }
        // The last member whose first part is not greater. No member is without parts, so it is as many places before the
        // number of the part as other members have more than one: none, where each is a part.
        let most = (number as usize).min(self.members.len() - 1);
        let more = self.part_count as usize - self.members.len();
        let least = (number as usize).saturating_sub(more);
        let after =
            self.members[least..=most].partition_point(|member| member.first_part <= number);
        Some(&self.members[least + after - 1])
    }

    pub(super) fn part(&self, number: u32) -> Option<Part<'_, V>> {
        let member = self.member_of(number)?;
        let outer = member.pose;
        match &member.shape {
            Shape::Composite(composite) => {
                let part = composite.part(number - member.first_part)?;
                let pose = combined(outer, part.pose);
                Some(Part { pose, ..part })
            }
            shape => Some(Part {
                shape: Cow::Borrowed(shape),
                pose: outer,
            }),
        }
    }

    /// The numbers of the parts that are there.
    pub(super) fn part_numbers(&self) -> impl Iterator<Item = u32> {
        self.members.iter().flat_map(|member| {
            let own = match &member.shape {
                Shape::Composite(composite) => composite.part_numbers(),
                _ => Box::new(0..1),
            };
            own.map(|number| member.first_part + number)
        })
    }

    /// The boxes of the parts that are there, in the frame of the compound, with their numbers.
    fn boxes(&self) -> impl Iterator<Item = (u32, Aabb<V>)> {
        let part = |number| Some((number, self.part(number)?.bounds()));
        self.part_numbers().filter_map(part)
    }

    pub(super) fn outer_side(&self, number: u32) -> Option<OuterSide<V::Precise>> {
        let member = self.member_of(number)?;
        let own = match &member.shape {
            Shape::Composite(composite) => composite.outer_side(number - member.first_part),
            _ => None,
        };
        let own = own.map(|side| turned(side, member.pose.as_ref()));
        own.or_else(|| self.side_of(member))
    }

    pub(super) fn has_voxels(&self) -> bool {
        let mut members = self.members.iter();
        members.any(|member| self.voxels_of(member).is_some())
    }

    /// See [`Composite::each_voxels_at`].
    pub(super) fn each_voxels_at<'a>(
        &'a self,
        point: V::Precise,
        visit: &mut dyn FnMut(PlacedVoxels<'a, V>),
    ) {
        let low = V::from_fn(|k| round_down(point.component(k)));
        let high = V::from_fn(|k| round_up(point.component(k)));
        let at_point = Aabb::new(low, high);
        self.tree.query_box(&at_point, &mut |number| {
            let member = self.member_of(number);
            let found = member.and_then(|member| self.voxels_of(member));
            found.into_iter().for_each(&mut *visit);
        });
    }

    /// The voxels that a member is, if it counts from all sides.
    fn voxels_of<'a>(&'a self, member: &'a Member<V>) -> Option<PlacedVoxels<'a, V>> {
        (member.voxels()).filter(|_| self.side_of(member).is_none())
    }

    /// The side on which those parts of a member count that have none of their own.
    fn side_of(&self, member: &Member<V>) -> Option<OuterSide<V::Precise>> {
        let own = member.side.as_deref().copied();
        own.or_else(|| self.one_way.as_ref().map(OneWay::side))
    }

    /// The side from which the parts count that have none of their own: see [`Shape::one_way`].
    #[must_use]
    pub fn one_way(&self) -> Option<OneWay<V>> {
        self.one_way
    }

    fn composites(&self) -> impl Iterator<Item = &Composite<V>> {
        self.members
            .iter()
            .filter_map(|member| match &member.shape {
                Shape::Composite(composite) => Some(&**composite),
                _ => None,
            })
    }

    /// The greatest of the members' roundings.
    pub(super) fn greatest_rounding(&self) -> f64 {
        let roundings = self.composites().map(Composite::rounding);
        roundings.fold(0.0, f64::max)
    }

    /// The greatest depth of those members that count from one side.
    pub(super) fn greatest_depth(&self) -> Option<Real> {
        let sides = self
            .members
            .iter()
            .filter_map(|member| self.side_of(member));
        let depths = self.composites().filter_map(Composite::one_sided);
        depths.chain(sides.map(|side| side.depth)).reduce(Real::max)
    }

    pub(super) fn memory(&self) -> usize {
        let members = self.members.capacity() * size_of::<Member<V>>();
        let shapes = self.shapes.capacity() * size_of::<CompoundPart<V>>();
        let shared = self.shapes.iter().map(|part| part.shape.shared_memory());
        let solids = self.solids.capacity() * size_of::<u32>();
        let by_hulls = self.by_hulls().map_or(0, Shape::shared_memory);
        members + solids + shapes + shared.sum::<usize>() + by_hulls + self.tree.memory()
    }
}

/// A side in the frame of an outer pose.
fn turned<P: PreciseVector>(side: OuterSide<P>, pose: Option<&RelativePose<P>>) -> OuterSide<P> {
    let turned = |pose: &RelativePose<P>| pose.transform_direction(side.normal);
    OuterSide {
        normal: pose.map_or(side.normal, turned),
        ..side
    }
}

/// A compound with the hulls of convex solids in their places; `None` if there are none.
fn by_hulls<V: Vector>(shapes: &[CompoundPart<V>]) -> Result<Option<Shape<V>>, ShapeError> {
    let hull = |part: &CompoundPart<V>| match &part.shape {
        Shape::Composite(composite) => composite.by_hulls().cloned(),
        _ => None,
    };
    if shapes.iter().all(|part| hull(part).is_none()) {
        return Ok(None);
    }
    let parts = shapes.iter().map(|part| CompoundPart {
        shape: hull(part).unwrap_or_else(|| part.shape.clone()),
        ..*part
    });
    Shape::compound(parts.collect::<Vec<_>>()).map(Some)
}

/// The inner pose in the frame of the outer one; `None` is the identity.
fn combined<P: PreciseVector>(
    outer: Option<RelativePose<P>>,
    inner: Option<RelativePose<P>>,
) -> Option<RelativePose<P>> {
    match (outer, inner) {
        (Some(outer), Some(inner)) => Some(outer.after(&inner)),
        (outer, inner) => outer.or(inner),
    }
}

impl<V: Vector> Member<V> {
    /// The member, if it has an inside.
    pub(super) fn solid(&self) -> Option<Solid<'_, V>> {
        let Shape::Composite(composite) = &self.shape else {
            return None;
        };
        composite.is_solid().then_some(Solid {
            composite,
            pose: self.pose.as_ref(),
            first_part: self.first_part,
        })
    }

    /// The member, if it is voxels.
    fn voxels(&self) -> Option<PlacedVoxels<'_, V>> {
        let Shape::Composite(composite) = &self.shape else {
            return None;
        };
        let CompositeKind::Voxels(voxels) = composite.kind() else {
            return None;
        };
        Some(PlacedVoxels {
            voxels,
            pose: self.pose.as_ref(),
            first_part: self.first_part,
        })
    }
}

/// All else follows from these.
impl<V: Vector> PartialEq for Compound<V> {
    fn eq(&self, other: &Self) -> bool {
        self.shapes == other.shapes && self.one_way == other.one_way
    }
}
