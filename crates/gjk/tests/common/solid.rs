//! Recipes at poses, and how two of them stand to each other, all without the engine.

use clearance_math::{Matrix, Pose, PreciseVector, Real, Rotation, Vector};

use super::kind::Space;
use super::placing::Body;
use super::recipe::Recipe;

/// A recipe with its pose.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Solid<V: Vector> {
    pub(crate) recipe: Recipe<V>,
    pub(crate) pose: Pose<V>,
}

impl<V: Space> Solid<V> {
    pub(crate) fn new(recipe: Recipe<V>, pose: Pose<V>) -> Self {
        Self { recipe, pose }
    }

    /// What the engine is asked about.
    pub(crate) fn body(&self) -> Body<V> {
        Body::new(self.recipe.shape(), self.pose)
    }

    pub(crate) fn scaled(&self, scale: Real) -> Self {
        let pose = Pose::new(self.pose.translation * scale, self.pose.rotation);
        Self::new(self.recipe.scaled(scale), pose)
    }

    /// The farthest point along a unit vector of the world, relative to the origin of the body.
    pub(crate) fn turned_support(&self, unit: V::Precise) -> V::Precise {
        let turn = self.pose.rotation.matrix();
        turn.apply(self.recipe.support(turn.apply_transposed(unit)))
    }

    /// [`Solid::turned_support`] without the radius.
    pub(crate) fn turned_core_support(&self, unit: V::Precise) -> V::Precise {
        let turn = self.pose.rotation.matrix();
        turn.apply(self.recipe.core_support(turn.apply_transposed(unit)))
    }

    /// The middle, relative to the origin of the body, in world axes.
    pub(crate) fn turned_center(&self) -> V::Precise {
        self.pose.rotation.matrix().apply(self.recipe.center())
    }

    /// The outward normal of a half-space in the world.
    pub(crate) fn plane_normal(&self) -> Option<V::Precise> {
        let normal = self.recipe.plane_normal()?;
        Some(self.pose.rotation.matrix().apply(normal))
    }

    pub(crate) fn translation(&self) -> V::Precise {
        self.pose.translation.to_precise()
    }
}

/// Two solids.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Pair<V: Vector> {
    pub(crate) a: Solid<V>,
    pub(crate) b: Solid<V>,
}

impl<V: Space> Pair<V> {
    pub(crate) fn bodies(&self) -> (Body<V>, Body<V>) {
        (self.a.body(), self.b.body())
    }

    pub(crate) fn scaled(&self, scale: Real) -> Self {
        let (a, b) = (self.a.scaled(scale), self.b.scaled(scale));
        Self { a, b }
    }

    /// The way from the origin of a to that of b; exact but for the last place.
    pub(crate) fn apart(&self) -> V::Precise {
        self.b.translation() - self.a.translation()
    }

    /// The way from the highest point of a along a unit vector to the lowest of b: a vertex of the
    /// difference b - a.
    pub(crate) fn vertex(&self, unit: V::Precise) -> V::Precise {
        self.apart() + self.b.turned_support(-unit) - self.a.turned_support(unit)
    }

    /// [`Pair::vertex`] of the cores, which the radii are swept about.
    pub(crate) fn core_vertex(&self, unit: V::Precise) -> V::Precise {
        self.apart() + self.b.turned_core_support(-unit) - self.a.turned_core_support(unit)
    }

    /// How far the lowest point of b lies over the highest of a along a unit vector. The signed
    /// distance is the greatest gap of all, apart and overlapping.
    pub(crate) fn gap(&self, unit: V::Precise) -> f64 {
        unit.dot(self.vertex(unit))
    }

    /// The sum of the radii.
    pub(crate) fn radii(&self) -> f64 {
        self.a.recipe.radius() + self.b.recipe.radius()
    }

    /// The one normal that a contact can have if a half-space takes part.
    pub(crate) fn plane_normal(&self) -> Option<V::Precise> {
        let of_b = || self.b.plane_normal().map(|normal| -normal);
        self.a.plane_normal().or_else(of_b)
    }

    /// Whether both are half-spaces, which overlap without bound unless they face each other.
    pub(crate) fn is_two_planes(&self) -> bool {
        self.a.plane_normal().is_some() && self.b.plane_normal().is_some()
    }

    /// The size that errors of the algorithms are relative to: the greater reach.
    pub(crate) fn size(&self) -> f64 {
        self.a.recipe.reach().max(self.b.recipe.reach())
    }

    /// The size that rounding is relative to: of all that is added up in a vertex.
    pub(crate) fn scale(&self) -> f64 {
        self.a.recipe.reach() + self.b.recipe.reach() + self.apart().length()
    }

    pub(crate) fn is_smooth(&self) -> bool {
        self.a.recipe.is_smooth() || self.b.recipe.is_smooth()
    }

    /// The axes of both bodies, in both directions: flat ends face along them.
    pub(crate) fn axes(&self) -> Vec<V::Precise> {
        let turns = [&self.a, &self.b].map(|solid| solid.pose.rotation.matrix());
        let axes = |turn: &<V::Precise as PreciseVector>::Matrix| {
            let turn = *turn;
            (0..V::DIM).flat_map(move |k| [turn.column(k), -turn.column(k)])
        };
        turns.iter().flat_map(axes).collect()
    }
}
