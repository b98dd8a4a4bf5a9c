//! Two placed shapes, the first of which is a composite, and how far apart their boxes are.

use clearance_math::internal::MapEach;
use clearance_math::internal::lanes::{Simd, is_narrow};
use clearance_math::{PreciseVector, Real, Vector, round_down, round_up, tolerances};
use clearance_shapes::{Composite, CompositeKind, Shape, TriangleGroup};

use super::ball::BallInComposite;
use super::counted::{SidedBox, count_as_measured, may_count};
use super::cuboid::{BesideTriangles, KeptFour};
use super::effort;
use super::gap::{BoxMaps, components, reach_of, rounding};
use super::inside::has_inside;
use super::nearest_first::{PartPair, Target, Visitor, tree_with_one};
use super::outward::outward;
use super::part_pair::{self, MeasuredParts, PlacedPart, composite_of, part_of};
use super::targets::{Below, ConvexTarget};
use super::two_trees::{AtRest, tree_with_tree};
use super::wide;
use crate::answer::{FourAnswers, Measured, Proximity, Separation};
use crate::manifold::Manifold;
use crate::pair::{Exchange, KeptFrames, Placed, canonical};

/// Two parts that do not count, or are not there, and what finding that out counts.
pub(super) struct Passed(pub(super) u32);

impl Passed {
    const LEFT_OUT: Self = Self(effort::OF_LEAVING_OUT);
}

/// A placed composite and another placed shape.
pub(super) struct Sides<'a, V: Vector> {
    a: Placed<'a, V>,
    composite: &'a Composite<V>,
    b: Placed<'a, V>,
    frames: KeptFrames<V::Precise>,
    /// The shape b, if it is a ball.
    ball: Option<BallInComposite<V::Precise>>,
    /// The shape b, if it is a cuboid in space.
    cuboid: Option<BesideTriangles>,
    /// How much the gaps of boxes may be wrong, in units of length.
    rounding: Real,
    /// The size of the smaller of both shapes, in units of length.
    size: f64,
    /// The sum of both sizes, in units of length.
    sizes: f64,
    /// Whether there may be curved parts on either side.
    pub(super) is_curved: bool,
    /// How far the parts may be from those that the shapes stand for: see [`Composite::rounding`].
    part_rounding: f64,
    /// Whether some parts may not count.
    pub(super) is_selective: bool,
    /// Whether one of the shapes has an inside.
    is_solid: bool,
    /// Whether all parts of both are triangles.
    are_surfaces: bool,
}

impl<'a, V: Vector> Sides<'a, V> {
    /// `None` if the first shape is no composite.
    pub(super) fn new(a: Placed<'a, V>, b: Placed<'a, V>) -> Option<Self> {
        let Shape::Composite(composite) = a.shape else {
            return None;
        };
        let frames = KeptFrames::new(a.pose, b.pose);
        let of_a = composite.bounding_radius();
        let of_b = reach_of(b.shape);
        let size = match b.shape {
            Shape::HalfSpace(_) => of_a,
            _ => of_a.min(of_b),
        };
        Some(Self {
            a,
            composite,
            b,
            frames,
            ball: BallInComposite::new(a, b, &frames.a_in_world),
            cuboid: BesideTriangles::new::<V>(b, &frames),
            rounding: rounding(of_a + of_b + frames.b_in_a.translation.length()),
            size,
            sizes: of_a + of_b,
            is_curved: [a.shape, b.shape].into_iter().any(may_be_curved),
            part_rounding: [a.shape, b.shape].map_each(part_rounding).iter().sum(),
            is_selective: a.is_selective() || b.is_selective(),
            is_solid: has_inside(&a) || has_inside(&b),
            are_surfaces: [a.shape, b.shape].into_iter().all(is_surface),
        })
    }

    /// The sides in the reverse of canonical order: the greater one first, which is a composite if any of them is; and the way
    /// back to the order of the question. `None` if none is.
    pub(super) fn in_order(a: Placed<'a, V>, b: Placed<'a, V>) -> Option<(Self, Exchange)> {
        let exchange = exchange(&a, &b);
        let [first, second] = exchange.sides([a, b]);
        Some((Self::new(first, second)?, exchange))
    }

    /// The same sides, all parts of which count.
    pub(super) fn of_all(self) -> Self {
        Self {
            is_selective: false,
            ..self
        }
    }

    /// The separation of two parts out of a solid, if the one that was measured leads into it.
    #[inline(always)]
    pub(super) fn outward(&self, near: &Separation<V>) -> Option<Separation<V>> {
        if self.is_solid {
            outward([&self.a, &self.b], near)
        } else {
            None
        }
    }

    /// The greatest gap of boxes whose parts may be within a distance. It allows for the rounding
    /// of gaps, and for what measured distances may differ from the true ones.
    pub(super) fn limit(&self, within: Real) -> Real {
        // The depth of curved parts is not as precise as other distances.
        let depth = if within < 0.0 && self.is_curved {
            tolerances::SMOOTH_DEPTH_GAP * self.sizes
        } else {
            0.0
        };
        let slack = tolerances::CONVERGED_GAP * (f64::from(within.abs()) + self.size) + depth;
        within + (self.rounding + round_up(slack + self.part_rounding))
    }

    /// Up to which distance other parts may be as near as those at a distance, up to what iterations allow for on both.
    pub(super) fn next_to(&self, distance: Real) -> Real {
        let size = f64::from(distance.abs()) + self.sizes;
        round_up(f64::from(distance) + 2.0 * tolerances::CONVERGED_GAP * size)
    }

    /// A distance that all parts behind a gap have at least.
    pub(super) fn proven(&self, gap: Real) -> Real {
        (gap - self.rounding - round_up(self.part_rounding)).next_down()
    }

    /// A direction of the world in the frame of a, roughly.
    pub(super) fn in_a(&self, direction: V) -> [Real; 3] {
        let a_in_world = &self.frames.a_in_world;
        components(a_in_world.inverse_transform_direction(direction.to_precise()))
    }

    /// Visits pairs of parts, the nearest boxes first.
    pub(super) fn descend(&self, visitor: &mut impl Visitor) {
        match self.b.shape {
            Shape::Composite(b) => {
                let at_rest = AtRest {
                    sides: [self.composite, b],
                    maps: BoxMaps::new::<V>(&self.frames.b_in_a),
                };
                tree_with_tree(&at_rest, visitor);
            }
            Shape::Convex(convex) => {
                let size = self.rounding / tolerances::BOX_GAP_ROUNDING;
                if const { V::DIM == 3 }
                    && let (CompositeKind::Mesh(mesh), Some(ball)) =
                        (self.composite.kind(), &self.ball)
                    && wide::descend(mesh, ball, size, visitor)
                {
                    return;
                }
                let target = ConvexTarget::new(convex, &self.frames);
                match self.composite.kind() {
                    // Meshes have most nodes; other composites share one function.
                    CompositeKind::Mesh(mesh) => tree_with_one::<V, _>(mesh, &target, visitor),
                    _ => tree_with_one(self.composite, &target as &dyn Target<V>, visitor),
                }
            }
            Shape::HalfSpace(half_space) => {
                let target = Below::new(half_space, &self.frames.b_in_a);
                tree_with_one(self.composite, &target as &dyn Target<V>, visitor);
            }
        }
    }

    /// Measures a pair of parts; see [`part_pair::measure`] for what is kept.
    pub(super) fn measure(
        &self,
        parts: PartPair,
        within: Real,
        kept: &mut Option<Measured<V::Precise>>,
    ) -> Result<Proximity<V>, Passed> {
        let corners = match self.composite.kind() {
            _ if const { V::DIM != 3 } || self.ball.is_none() => None,
            CompositeKind::Mesh(mesh) => Some(mesh.corners(parts.a)),
            CompositeKind::HeightField(field) => field.corners(parts.a),
            _ => None,
        };
        self.measure_with(parts, corners, within, kept)
    }

    /// [`Self::measure`] where the part of a is a triangle with these corners, if they are at hand.
    #[inline]
    fn measure_with(
        &self,
        parts: PartPair,
        corners: Option<[V; 3]>,
        within: Real,
        kept: &mut Option<Measured<V::Precise>>,
    ) -> Result<Proximity<V>, Passed> {
        if self.leaves_out(parts) {
            return Err(Passed::LEFT_OUT);
        }
        let wider = self.wider(within);
        let ball = self.ball.as_ref().filter(|_| const { V::DIM == 3 });
        let by_ball = ball.and_then(|ball| ball.measure(corners?, wider));
        let proximity = match by_ball {
            Some(proximity) => proximity,
            None if self.is_selective && !may_count([&self.a, &self.b], parts) => {
                return Err(Passed(effort::OF_PASSING));
            }
            None => self
                .with_parts(parts, |a, b| {
                    part_pair::measure(a, b, &self.frames, wider, kept)
                })
                .ok_or(Passed::LEFT_OUT)?,
        };
        self.answer(parts, within, proximity)
    }

    /// [`Self::measure`] for the triangle in a lane, and b, which is no composite.
    #[inline]
    pub(super) fn measure_lane(
        &self,
        group: &TriangleGroup,
        lane: usize,
        within: Real,
        kept: &mut Option<Measured<V::Precise>>,
    ) -> Result<Proximity<V>, Passed> {
        let corners = group.corners_of::<V>(lane);
        self.measure_with(PartPair::of_lane(group, lane), Some(corners), within, kept)
    }

    /// Whether there are kernels for four triangles and b.
    pub(super) fn is_for_fours(&self) -> bool {
        let is_for_b = self.ball.is_some() || self.cuboid.is_some();
        V::DIM == 3 && is_for_b && self.is_exact()
    }

    /// The same for a cuboid alone.
    pub(super) fn is_for_fours_beside_cuboid(&self) -> bool {
        V::DIM == 3 && self.cuboid.is_some() && self.is_exact()
    }

    /// [`Self::measure_lane`] for all lanes at once, if b is a ball and the triangles are exact; else, or where one by
    /// one is as good, `None`. What the answers leave unknown must be measured one by one.
    #[inline(always)]
    pub(super) fn measure_four<S: Simd>(
        &self,
        simd: S,
        group: &TriangleGroup,
        within: Real,
    ) -> Option<FourAnswers> {
        if const { V::DIM != 3 || is_narrow::<S>() } || !self.is_exact() {
            return None;
        }
        let ball = self.ball.as_ref()?;
        Some(ball.measure_four(simd, group, self.wider(within)))
    }

    /// [`Self::measure_lane`] for some lanes at once, if b is a cuboid; else, or where one by one is as good, `None`. It
    /// may be asked only if [`Self::is_for_fours`]. What the answers leave unknown must be measured one by one. `kept` gets what
    /// [`Self::fill_parts`] needs of the others.
    #[inline]
    pub(super) fn measure_beside_cuboid(
        &self,
        group: &TriangleGroup,
        which: u32,
        within: Real,
        kept: Option<&mut KeptFour>,
    ) -> Option<FourAnswers> {
        let cuboid = self.cuboid.as_ref()?;
        cuboid.measure_four(group, (which, self.wider(within)), kept)
    }

    /// Whether none of the parts of a in a box counts for b.
    pub(super) fn passes(&self, parts: &SidedBox) -> bool {
        parts.is_passed([&self.a, &self.b])
    }

    /// Whether the question is not about one of two parts.
    #[inline]
    fn leaves_out(&self, parts: PartPair) -> bool {
        self.is_selective && !(self.a.has_part(parts.a) && self.b.has_part(parts.b))
    }

    /// What two parts count that were looked at.
    #[inline]
    pub(super) fn effort_of(&self, answer: &Result<Proximity<V>, Passed>) -> u32 {
        match answer {
            Ok(Proximity::Near(near)) if near.distance > 0.0 && self.are_surfaces => {
                effort::OF_TRIANGLES
            }
            Ok(answer) => effort::of_answer(answer),
            Err(Passed(count)) => *count,
        }
    }

    /// Whether the answers for parts are those for the composites.
    fn is_exact(&self) -> bool {
        self.part_rounding == 0.0 && !self.is_selective
    }

    /// The range within which parts must be measured, since they may be beside those that they stand for.
    fn wider(&self, within: Real) -> Real {
        round_up(f64::from(within) + self.part_rounding)
    }

    /// The answer for two parts that were measured, if they count.
    #[inline]
    fn answer(
        &self,
        parts: PartPair,
        within: Real,
        proximity: Proximity<V>,
    ) -> Result<Proximity<V>, Passed> {
        let mut answer = self.loosened(proximity, within);
        if let Proximity::Near(near) = &mut answer {
            (near.part_a, near.part_b) = (parts.a, parts.b);
            if self.is_selective && !count_as_measured([&self.a, &self.b], near) {
                // They took as long as others.
                return Err(Passed(self.effort_of(&Ok(answer))));
            }
        }
        Ok(answer)
    }

    /// Fills the manifold of two parts that were measured, by [`Self::measure`] or in lanes; along the separation to which theirs
    /// was [turned out](Self::outward) of a solid, if it was.
    pub(super) fn fill_parts(
        &self,
        measured: MeasuredParts<V>,
        turned: Option<Separation<V>>,
        manifold: &mut Manifold<V>,
    ) {
        let parts = PartPair {
            a: measured.near.part_a,
            b: measured.near.part_b,
        };
        self.with_parts(parts, |a, b| match turned {
            None => measured.fill([a, b], &self.frames, manifold),
            Some(turned) => {
                let found = part_pair::manifold_along(a, b, turned.normal, measured.within);
                if let Some(found) = found {
                    *manifold = found;
                    manifold.separation = turned;
                }
            }
        });
    }

    /// The manifold of two parts, if they count and are within range.
    pub(super) fn manifold_within(&self, parts: PartPair, within: Real) -> Option<Manifold<V>> {
        let mut precise = None;
        let near = self.measure(parts, within, &mut precise).ok()?.near()?;
        let turned = self.outward(&near);
        if turned.unwrap_or(near).distance > within {
            return None;
        }
        let measured = MeasuredParts {
            near,
            precise,
            within,
        };
        let mut manifold = Manifold::none();
        self.fill_parts(measured, turned, &mut manifold);
        manifold.found().cloned()
    }

    fn with_parts<T>(
        &self,
        parts: PartPair,
        ask: impl FnOnce(PlacedPart<'_, V>, PlacedPart<'_, V>) -> T,
    ) -> Option<T> {
        let part_a = self.composite.part(parts.a);
        let part_b = part_of(self.b.shape, parts.b);
        let a = PlacedPart::new(part_a.as_ref()?, self.a);
        let b = PlacedPart::of(self.b, part_b.as_ref())?;
        Some(ask(a, b))
    }

    /// The answer with bounds that hold for the shapes that the parts stand for.
    fn loosened(&self, proximity: Proximity<V>, within: Real) -> Proximity<V> {
        if self.part_rounding == 0.0 {
            return proximity;
        }
        let lowered = |lower: Real| round_down(f64::from(lower) - self.part_rounding);
        match proximity {
            Proximity::Near(near) if lowered(near.lower) > within => Proximity::Farther {
                lower: lowered(near.lower),
            },
            Proximity::Near(near) => Proximity::Near(Separation {
                lower: lowered(near.lower),
                upper: round_up(f64::from(near.upper) + self.part_rounding),
                ..near
            }),
            Proximity::Farther { lower } => Proximity::Farther {
                lower: lowered(lower),
            },
            Proximity::Unbounded | Proximity::Undecided { .. } => proximity,
        }
    }
}

/// How two shapes come into the order of [`Sides::in_order`], the reverse of canonical order.
pub(super) fn exchange<V: Vector>(a: &Placed<V>, b: &Placed<V>) -> Exchange {
    Exchange::by(canonical::compare(b, a))
}

/// Whether all parts of a shape are triangles.
pub(super) fn is_surface<V: Vector>(shape: &Shape<V>) -> bool {
    composite_of(shape).is_some_and(|composite| {
        let is_field = matches!(composite.kind(), CompositeKind::HeightField(_));
        V::DIM == 3 && (is_field || matches!(composite.kind(), CompositeKind::Mesh(_)))
    })
}

/// Whether a shape has, or may have, curved parts.
fn may_be_curved<V: Vector>(shape: &Shape<V>) -> bool {
    match shape {
        Shape::Convex(convex) => !convex.core().is_polytope(),
        Shape::HalfSpace(_) => false,
        Shape::Composite(composite) => match composite.kind() {
            CompositeKind::Compound(_) => true,
            CompositeKind::Voxels(voxels) => !voxels.palette().is_empty(),
            _ => false,
        },
    }
}

/// How far the parts of a shape may be from those that they stand for.
pub(crate) fn part_rounding<V: Vector>(shape: &Shape<V>) -> f64 {
    composite_of(shape).map_or(0.0, |composite| composite.rounding())
}
