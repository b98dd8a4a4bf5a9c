//! Compounds: unions of placed shapes.

use std::borrow::Cow;

use clearance_math::{Aabb, Pose, PreciseVector, Real, RelativePose, Vector};
use clearance_tree::Tree;

use super::Solid;
use super::nodes::tree;
use super::vertices::{List, check_count};
use crate::ShapeError;
use crate::shape::{
    Composite, CompositeKind, Compound, CompoundPart, Member, OuterSide, Part, Shape,
};

/// How deep compounds may be nested in compounds.
pub const MOST_NESTED: u8 = 16;

impl<V: Vector> Compound<V> {
    pub(super) fn new(shapes: Vec<CompoundPart<V>>) -> Result<Self, ShapeError> {
        check_count(List::PARTS, shapes.len())?;
        let mut compound = Self {
            shapes: Vec::new(),
            members: Vec::new(),
            solids: Vec::new(),
            tree: Tree::default(),
            part_count: 0,
            depth: 1,
        };
        for (index, part) in shapes.iter().enumerate() {
            let in_part = |error| ShapeError::Part {
                index,
                error: Box::new(error),
            };
            compound.add(part).map_err(in_part)?;
        }
        compound.shapes = shapes;
        compound.members.shrink_to_fit();
        compound.tree = tree(List::PARTS, compound.boxes())?;
        Ok(compound)
    }

    fn add(&mut self, part: &CompoundPart<V>) -> Result<(), ShapeError> {
        let pose = part.pose.checked().map_err(ShapeError::Pose)?;
        let is_identity = pose == Pose::IDENTITY;
        let outer = (!is_identity).then(|| RelativePose::from_pose(&pose));
        match &part.shape {
            Shape::HalfSpace(_) => return Err(ShapeError::NotInCompound { kind: "half_space" }),
            Shape::Convex(_) => self.add_member(part.shape.clone(), outer, 1)?,
            Shape::Composite(composite) => match composite.kind() {
                CompositeKind::Compound(inner) => self.add_compound(inner, outer)?,
                _ => self.add_member(part.shape.clone(), outer, composite.part_count())?,
            },
        }
        Ok(())
    }

    fn add_compound(
        &mut self,
        inner: &Self,
        outer: Option<RelativePose<V::Precise>>,
    ) -> Result<(), ShapeError> {
        if inner.depth >= MOST_NESTED {
            return Err(ShapeError::TooDeep { most: MOST_NESTED });
        }
        self.depth = self.depth.max(inner.depth + 1);
        let ends = inner.members.iter().skip(1).map(|next| next.first_part);
        let ends = ends.chain([inner.part_count]);
        for (member, end) in inner.members.iter().zip(ends) {
            let pose = combined(outer, member.pose);
            self.add_member(member.shape.clone(), pose, end - member.first_part)?;
        }
        Ok(())
    }

    fn add_member(
        &mut self,
        shape: Shape<V>,
        pose: Option<RelativePose<V::Precise>>,
        parts: u32,
    ) -> Result<(), ShapeError> {
        let member = Member {
            shape,
            pose,
            first_part: self.part_count,
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
    fn member_of(&self, number: u32) -> Option<&Member<V>> {
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
        let Shape::Composite(composite) = &member.shape else {
            return None;
        };
        let outer = composite.outer_side(number - member.first_part)?;
        let turned = |pose: &RelativePose<V::Precise>| pose.transform_direction(outer.normal);
        Some(OuterSide {
            normal: member.pose.as_ref().map_or(outer.normal, turned),
            ..outer
        })
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

    /// The greatest depth of those members that are one-sided.
    pub(super) fn greatest_depth(&self) -> Option<Real> {
        let depths = self.composites().filter_map(Composite::one_sided);
        depths.reduce(Real::max)
    }

    pub(super) fn memory(&self) -> usize {
        let members = self.members.capacity() * size_of::<Member<V>>();
        let shapes = self.shapes.capacity() * size_of::<CompoundPart<V>>();
        let shared = self.shapes.iter().map(|part| part.shape.shared_memory());
        let solids = self.solids.capacity() * size_of::<u32>();
        members + solids + shapes + shared.sum::<usize>() + self.tree.memory()
    }
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
}

/// All else follows from the shapes.
impl<V: Vector> PartialEq for Compound<V> {
    fn eq(&self, other: &Self) -> bool {
        self.shapes == other.shapes
    }
}
