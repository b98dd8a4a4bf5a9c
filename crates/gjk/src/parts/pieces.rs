//! Pieces of two surfaces, four of each, and how far the sixteen pairs are apart at least.
//!
//! What the pieces are is known roughly, as blocks, or exactly, as triangles. Any plane between two of them proves how far
//! they are apart. Planes are looked for as GJK does, with the last two support points only: the next one is across the
//! line from the origin to the nearest point of the Minkowski difference that is known so far.

use clearance_math::internal::MapEach;
use clearance_math::internal::lanes::{
    Select, Simd, SimdBase, SimdFloat, SimdMask, dispatch, f32x16, mask32x16,
};
use clearance_math::{Real, Vector, tolerances};
use clearance_shapes::{FourBlocks, NodeContent, TriangleGroup, TurnedBoxes};
use clearance_tree::LANES;
use glam::Vec4;

use super::gap::{BoxMap, FourBoxes};

/// How many pairs four pieces make with four others: pair `4 i + j` is that of the pieces in lanes i and j.
pub(super) const PAIRS: usize = LANES * LANES;

/// How many planes are tried between two pieces. With more of them hardly fewer pairs are looked at.
const MOST_PLANES: usize = 6;

/// What is known of the parts below the lanes of a node.
pub(super) enum Pieces {
    /// They lie in boxes along the axes of the composite's frame.
    Boxes(FourBlocks),
    /// They lie in boxes that are turned as they are.
    Blocks(FourBlocks),
    Triangles(TriangleGroup),
}

impl Pieces {
    #[inline]
    pub(super) fn new<V: Vector>(content: &NodeContent<'_>, turned: Option<&TurnedBoxes>) -> Self {
        match (content, turned) {
            (NodeContent::Triangles(group), _) => Self::Triangles(*group),
            (NodeContent::Boxes(node), Some(turned)) => Self::Blocks(turned.blocks(node)),
            (NodeContent::Boxes(node), None) => Self::of_boxes::<V>(&FourBoxes::of_node(node)),
            (NodeContent::ComputedBoxes(node), _) => Self::of_boxes::<V>(&FourBoxes::of_node(node)),
        }
    }

    #[inline]
    fn of_boxes<V: Vector>(boxes: &FourBoxes) -> Self {
        Self::Boxes(FourBlocks::along_axes::<V>([&boxes.low, &boxes.high]))
    }

    /// One of the lanes, four times.
    #[inline]
    pub(super) fn spread(&self, lane: usize) -> Self {
        match self {
            Self::Boxes(blocks) => Self::Boxes(blocks.spread(lane)),
            Self::Blocks(blocks) => Self::Blocks(blocks.spread(lane)),
            Self::Triangles(group) => Self::Triangles(group.spread(lane)),
        }
    }

    /// Maps the pieces to another frame, up to rounding.
    #[inline]
    pub(super) fn map(&mut self, map: &BoxMap) {
        match self {
            Self::Boxes(blocks) | Self::Blocks(blocks) => {
                blocks.center = map.transform(blocks.center);
                blocks.half = blocks.half.map_each(|half| map.turn(half));
            }
            Self::Triangles(group) => {
                group.corners = group.corners.map_each(|corner| map.transform(corner));
            }
        }
    }
}

/// Raises the gaps of pairs of pieces, in those of the sixteen lanes that are given as bits, to the lower bounds of the signed
/// distances that planes prove, up to rounding. No more planes are tried where a gap is beyond the limit, or cannot be.
/// The first plane is across `axis`, if there is one.
pub(super) fn raise_gaps(
    [a, b]: [&Pieces; 2],
    axis: Option<[Real; 3]>,
    gaps: &mut [Real; PAIRS],
    which: u32,
    limit: Real,
) {
    // Boxes are compared along their axes already.
    let are_boxes = matches!((a, b), (Pieces::Boxes(_), Pieces::Boxes(_)));
    let most = if are_boxes {
        usize::from(axis.is_some())
    } else {
        MOST_PLANES
    };
    if most > 0 {
        let question = PieceQuestion {
            axis,
            most,
            which,
            limit,
        };
        dispatch!(simd => raise(simd, [a, b], gaps, question));
    }
}

/// What is asked about all pairs: see [`raise_gaps`].
#[derive(Clone, Copy)]
struct PieceQuestion {
    axis: Option<[Real; 3]>,
    most: usize,
    which: u32,
    limit: Real,
}

#[inline(always)]
fn raise<S: Simd>(
    simd: S,
    [a, b]: [&Pieces; 2],
    gaps: &mut [Real; PAIRS],
    question: PieceQuestion,
) {
    let mut search = Search {
        a: Sixteen::new::<true>(simd, a),
        b: Sixteen::new::<false>(simd, b),
        gaps: f32x16::load_array_ref(simd, gaps),
        limit: f32x16::splat(simd, question.limit),
    };
    search.run(simd, question);
    *gaps = search.gaps.to_array();
}

type Vectors<S> = [f32x16<S>; 3];

/// A piece of one side for each pair. There are no closures in what follows: they would not be inlined.
enum Sixteen<S: Simd> {
    Blocks {
        center: Vectors<S>,
        half: [Vectors<S>; 3],
    },
    Triangles([Vectors<S>; 3]),
}

/// What each pair has, of what the pieces in four lanes have: of its first or of its second one.
#[inline(always)]
fn of_pairs<S: Simd, const IS_FIRST: bool>(simd: S, lanes: Vec4) -> f32x16<S> {
    let lanes = lanes.to_array();
    let mut pairs = [0.0; PAIRS];
    for (pair, of_pair) in pairs.iter_mut().enumerate() {
        *of_pair = lanes[if IS_FIRST { pair / LANES } else { pair % LANES }];
    }
    f32x16::load_array(simd, pairs)
}

#[inline(always)]
fn vectors_of_pairs<S: Simd, const IS_FIRST: bool>(simd: S, [x, y, z]: &[Vec4; 3]) -> Vectors<S> {
    [
        of_pairs::<S, IS_FIRST>(simd, *x),
        of_pairs::<S, IS_FIRST>(simd, *y),
        of_pairs::<S, IS_FIRST>(simd, *z),
    ]
}

impl<S: Simd> Sixteen<S> {
    #[inline(always)]
    fn new<const IS_FIRST: bool>(simd: S, pieces: &Pieces) -> Self {
        match pieces {
            Pieces::Boxes(FourBlocks { center, half })
            | Pieces::Blocks(FourBlocks { center, half }) => Self::Blocks {
                center: vectors_of_pairs::<S, IS_FIRST>(simd, center),
                half: [
                    vectors_of_pairs::<S, IS_FIRST>(simd, &half[0]),
                    vectors_of_pairs::<S, IS_FIRST>(simd, &half[1]),
                    vectors_of_pairs::<S, IS_FIRST>(simd, &half[2]),
                ],
            },
            Pieces::Triangles(group) => Self::Triangles([
                vectors_of_pairs::<S, IS_FIRST>(simd, &group.corners[0]),
                vectors_of_pairs::<S, IS_FIRST>(simd, &group.corners[1]),
                vectors_of_pairs::<S, IS_FIRST>(simd, &group.corners[2]),
            ]),
        }
    }

    /// The points that are farthest along directions.
    #[inline(always)]
    fn farthest(&self, simd: S, directions: &Vectors<S>) -> Vectors<S> {
        match self {
            Self::Blocks { center, half } => {
                let mut corner = *center;
                for half in half {
                    let side = f32x16::splat(simd, 1.0).copysign(dot(half, directions));
                    corner = plus_scaled(&corner, half, side);
                }
                corner
            }
            Self::Triangles([a, b, c]) => {
                let (of_a, of_b, of_c) =
                    (dot(a, directions), dot(b, directions), dot(c, directions));
                let is_b = of_b.simd_gt(of_a);
                let is_c = of_c.simd_gt(is_b.select(of_b, of_a));
                select(is_c, c, &select(is_b, b, a))
            }
        }
    }

    /// The middles of the pieces, roughly.
    #[inline(always)]
    fn middle(&self) -> Vectors<S> {
        match self {
            Self::Blocks { center, .. } => *center,
            Self::Triangles([a, b, c]) => {
                let sum = [a[0] + b[0] + c[0], a[1] + b[1] + c[1], a[2] + b[2] + c[2]];
                [
                    sum[0] * (1.0 / 3.0),
                    sum[1] * (1.0 / 3.0),
                    sum[2] * (1.0 / 3.0),
                ]
            }
        }
    }
}

/// The search for planes between pieces of a and pieces of b.
struct Search<S: Simd> {
    a: Sixteen<S>,
    b: Sixteen<S>,
    /// What is proven so far.
    gaps: f32x16<S>,
    limit: f32x16<S>,
}

impl<S: Simd> Search<S> {
    #[inline(always)]
    fn run(&mut self, simd: S, question: PieceQuestion) {
        let PieceQuestion {
            axis, most, which, ..
        } = question;
        let mut direction = match axis {
            Some([x, y, z]) => [
                f32x16::splat(simd, x),
                f32x16::splat(simd, y),
                f32x16::splat(simd, z),
            ],
            None => unit(simd, &minus(&self.b.middle(), &self.a.middle())).0,
        };
        let mut last = direction;
        let mut nearest = direction;
        for count in 0..most {
            let on_a = self.a.farthest(simd, &direction);
            let backwards = [-direction[0], -direction[1], -direction[2]];
            let point = minus(&self.b.farthest(simd, &backwards), &on_a);
            let gap = dot(&point, &direction);
            self.gaps = gap.simd_gt(self.gaps).select(gap, self.gaps);
            let is_open = self.gaps.simd_le(self.limit);
            if is_open.to_bitmask() as u32 & which == 0 {
                return;
            }
            nearest = if count == 0 {
                point
            } else {
                nearest_on_triangle(simd, [&nearest, &last, &point])
            };
            last = point;
            let distance;
            (direction, distance) = unit(simd, &nearest);
            let may_be_apart = is_open & distance.simd_gt(self.limit);
            if may_be_apart.to_bitmask() as u32 & which == 0 {
                return;
            }
        }
    }
}

#[inline(always)]
fn dot<S: Simd>(a: &Vectors<S>, b: &Vectors<S>) -> f32x16<S> {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
fn minus<S: Simd>(a: &Vectors<S>, b: &Vectors<S>) -> Vectors<S> {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
fn plus_scaled<S: Simd>(a: &Vectors<S>, b: &Vectors<S>, factor: f32x16<S>) -> Vectors<S> {
    [
        a[0] + b[0] * factor,
        a[1] + b[1] * factor,
        a[2] + b[2] * factor,
    ]
}

#[inline(always)]
fn select<S: Simd>(mask: mask32x16<S>, a: &Vectors<S>, b: &Vectors<S>) -> Vectors<S> {
    [
        mask.select(a[0], b[0]),
        mask.select(a[1], b[1]),
        mask.select(a[2], b[2]),
    ]
}

/// The unit vectors along vectors, and the lengths of these; NaN where they are not known precisely.
#[inline(always)]
fn unit<S: Simd>(simd: S, vector: &Vectors<S>) -> (Vectors<S>, f32x16<S>) {
    let squared = dot(vector, vector);
    let is_precise = squared.simd_lt(Real::MAX) & squared.simd_gt(tolerances::LEAST_PRECISE_SQUARE);
    let length = is_precise.select(squared.sqrt(), f32x16::splat(simd, Real::NAN));
    let inverse = f32x16::splat(simd, 1.0) / length;
    (
        [
            vector[0] * inverse,
            vector[1] * inverse,
            vector[2] * inverse,
        ],
        length,
    )
}

/// The points of segments that are nearest to the origin.
#[inline(always)]
fn nearest_on_segment<S: Simd>(simd: S, a: &Vectors<S>, b: &Vectors<S>) -> Vectors<S> {
    let along = minus(b, a);
    let (zero, one) = (f32x16::splat(simd, 0.0), f32x16::splat(simd, 1.0));
    let share = -dot(a, &along) / dot(&along, &along);
    // Also where this is no number, on every processor.
    let share = share.simd_gt(zero).select(share, zero);
    let share = share.simd_lt(one).select(share, one);
    plus_scaled(a, &along, share)
}

/// The points of triangles that are nearest to the origin, where the first corner is the nearest point of the first edge.
#[inline(always)]
fn nearest_on_triangle<S: Simd>(simd: S, [a, b, c]: [&Vectors<S>; 3]) -> Vectors<S> {
    let (ab, ac) = (minus(b, a), minus(c, a));
    let (a_ab, b_ab, c_ab) = (dot(a, &ab), dot(b, &ab), dot(c, &ab));
    let (a_ac, b_ac, c_ac) = (dot(a, &ac), dot(b, &ac), dot(c, &ac));
    // The areas of the triangles of the origin's projection and the edge beside each corner, up to a factor.
    let of_a = b_ab * c_ac - c_ab * b_ac;
    let of_b = c_ab * a_ac - a_ab * c_ac;
    let of_c = a_ab * b_ac - b_ab * a_ac;
    let is_inside = of_a.simd_gt(0.0) & of_b.simd_gt(0.0) & of_c.simd_gt(0.0);
    let sum = of_a + of_b + of_c;
    let inside = plus_scaled(&plus_scaled(a, &ab, of_b / sum), &ac, of_c / sum);
    let (on_ac, on_bc) = (
        nearest_on_segment(simd, a, c),
        nearest_on_segment(simd, b, c),
    );
    let is_on_bc = dot(&on_bc, &on_bc).simd_lt(dot(&on_ac, &on_ac));
    select(is_inside, &inside, &select(is_on_bc, &on_bc, &on_ac))
}
