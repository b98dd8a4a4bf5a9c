//! Recipes at poses, and how two of them stand to each other, all without the engine.

use clearance_math::{Matrix, Pose, PreciseVector, Real, Rotation, Vector};

use super::kind::{Kind, Space};
use super::placing::{Body, Placement, beside, turned};
use super::proofs::{Fault, kept};
use super::random::{Pcg, iterations};
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
        let pose = Pose::new(self.pose.translation() * scale, self.pose.rotation);
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
        self.pose.position()
    }
}

/// Two solids.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Pair<V: Vector> {
    pub(crate) a: Solid<V>,
    pub(crate) b: Solid<V>,
}

impl<V: Space> Pair<V> {
    /// Two shapes of any kinds, numbers and sizes, in any placement near the origin or far off.
    pub(crate) fn any(random: &mut Pcg) -> Self {
        let kinds: Vec<Kind> = Kind::all::<V>().collect();
        let solid = |random: &mut Pcg| {
            let size = random.log_between(1e-3, 1e3);
            let mut recipe = Recipe::random(random.pick(&kinds), random, size);
            if random.chance(0.1) {
                recipe = Recipe::Rounded(Box::new(recipe), random.extent(0.1 * size));
            }
            Solid::new(recipe, Pose::new(V::ZERO, turned::<V>(random)))
        };
        let (a, b) = (solid(random), solid(random));
        let mut pair = Self { a, b };
        let far = random.pick(&[0.0, 3.0, 1e3]) * pair.size();
        pair.a.pose = Pose::new(random.point::<V>(far), pair.a.pose.rotation);
        if let (Recipe::HalfSpace(normal), true) = (&pair.a.recipe, pair.is_two_planes()) {
            // Face to face: others overlap without bound.
            pair.b = Solid::new(Recipe::HalfSpace(-*normal), pair.a.pose);
        }
        let placement = random.pick(&Placement::ALL);
        let (a, b) = pair.bodies();
        pair.b.pose = beside(random, &a, &b, placement).pose;
        pair
    }

    /// Asks a property of `cases` random pairs, times CLEARANCE_TEST_ITERATIONS.
    pub(crate) fn for_all(
        (seed, cases): (u64, usize),
        property: impl Fn(&mut Pcg, &Self) -> Result<(), Fault>,
    ) {
        let mut random = Pcg::new(seed);
        for _ in 0..iterations(cases) {
            let pair = Self::any(&mut random);
            kept(property(&mut random, &pair), || format!("{pair:?}"));
        }
    }

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
