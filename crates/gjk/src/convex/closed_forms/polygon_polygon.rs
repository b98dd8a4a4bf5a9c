//! Pairs of polygons in 2D: segments, triangles, rectangles and hulls.

use core::hint::select_unpredictable;

use clearance_math::internal::MapEach;
use clearance_math::internal::lanes::{
    FourVectors, LANES, Select, Simd, SimdBase, dispatch_widest, f64x4,
};
use clearance_math::{DVec2, PreciseVector, Vector, tolerances};
use clearance_shapes::Core;
use clearance_shapes::internal::FourSides;

use super::polygon_lanes::{
    PlacedSides, block_in_lanes, from_plane, greatest_lane, in_plane, index_in_lane, load, place,
    widest,
};
use crate::answer::{Measured, Outcome};
use crate::convex::CorePair;

/// The signed distance of two polygons, from the gaps along the normals of all their sides.
///
/// The sides of the difference a - b are those of a and of -b (de Berg and others, "Computational
/// Geometry", 2008, section 13.3). Of all these sides, take the one with the greatest gap.
///
/// * If all gaps are negative, the polygons overlap, and the side whose gap is nearest to zero is
///   the way out. No other side can be a shorter way out than was computed, since the corner
///   through which its line passes can only underestimate a support function.
/// * Otherwise the nearest point of the difference lies on this side. Proof: let d be the vector
///   from the end v of the side to the origin, n the normal of the side and t its direction, and
///   suppose t.d > 0, so that the origin lies beyond v. The normal of the next side is
///   n' = n cos w + t sin w for some angle w, and its direction is t' = t cos w - n sin w. Let f be
///   the angle of d from n towards t. Then n'.d <= n.d means cos (f - w) <= cos f, so w >= 2 f, and t'.d = |d|
///   sin (f - w) < 0: the next side is farther away than v, too. The plane perpendicular to the
///   line to that point, compared with all corners, proves the result.
///
/// `None` for other shapes, for flat triangles and hulls, and if rounding spoils the proof.
///
/// The radii are subtracted if they are given.
pub(crate) fn measure<V: Vector>(
    pair: &CorePair<V>,
    radii: Option<[f64; 2]>,
) -> Option<Outcome<V::Precise>> {
    dispatch_widest!(simd => in_lanes(simd, pair, radii))
}

#[inline(always)]
fn in_lanes<S: Simd, V: Vector>(
    simd: S,
    pair: &CorePair<V>,
    radii: Option<[f64; 2]>,
) -> Option<Outcome<V::Precise>> {
    let &CorePair { a, b, b_in_a, .. } = pair;
    let (few_a, few_b) = (few_sides(simd, a.core()), few_sides(simd, b.core()));
    let sides_a = Polygon::new(a.core(), &few_a)?;
    let sides_b = Polygon::new(b.core(), &few_b)?;
    let mut placed_b = PlacedSides::new();
    place(simd, sides_b.sides, b_in_a, &mut placed_b);
    let numbers = a.core_bounding_radius() + b.core_bounding_radius() + b_in_a.translation.length();
    let polygons = PolygonPair {
        a: sides_a,
        b: Polygon {
            sides: &placed_b,
            count: sides_b.count,
        },
        size: a.core_size() + b.core_size(),
        rounding: tolerances::DIFFERENCE_ROUNDING * numbers,
    };
    let outcome = polygons.measure(simd, pair.within)?;
    Some(match radii {
        Some([a, b]) => outcome.with_radii(a, b),
        None => outcome,
    })
}

/// The sides of a polygon with few of them. A segment has two, one in each direction, and a point
/// has one of length zero without a normal. `None` for other shapes, and for flat triangles.
#[inline(always)]
fn few_sides<S: Simd, V: Vector>(simd: S, core: &Core<V>) -> Option<(FourSides, usize)> {
    let corner = |corner: V| in_plane(corner.to_precise());
    match core {
        Core::Point(point) => {
            let point = corner(*point);
            Some((FourSides::new(simd, [point; LANES], [point; LANES]), 1))
        }
        Core::Segment(segment) => {
            let [a, b] = [segment.a, segment.b].map_each(corner);
            Some((FourSides::new(simd, [a, b, b, b], [b, a, a, a]), 2))
        }
        Core::Triangle(triangle) => {
            let [a, b, c] = [triangle.a, triangle.b, triangle.c].map_each(corner);
            let (u, v) = (b - a, c - a);
            let area = u.perp_dot(v);
            let (b, c) = if area > 0.0 { (b, c) } else { (c, b) };
            let thin = tolerances::THIN_TRIANGLE * u.length_squared() * v.length_squared();
            let sides = FourSides::new(simd, [a, b, c, c], [b, c, a, a]);
            (area * area > thin).then_some((sides, 3))
        }
        Core::Cuboid(cuboid) => {
            let half = corner(cuboid.half_extents);
            let signs = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
            let [a, b, c, d] = signs.map_each(|(x, y)| half * DVec2::new(x, y));
            Some((FourSides::new(simd, [a, b, c, d], [b, c, d, a]), 4))
        }
        _ => None,
    }
}

/// A convex polygon with its corners in counter-clockwise order.
#[derive(Clone, Copy)]
struct Polygon<'a> {
    sides: &'a [FourSides],
    count: usize,
}

impl<'a> Polygon<'a> {
    /// `None` for a core that is not a polygon or has too many sides.
    #[inline(always)]
    fn new<V: Vector>(core: &'a Core<V>, few: &'a Option<(FourSides, usize)>) -> Option<Self> {
        match (core, few) {
            (_, Some((sides, count))) => Some(Self {
                sides: core::slice::from_ref(sides),
                count: *count,
            }),
            (Core::Hull(hull), _) if !hull.sides().is_empty() => Some(Self {
                sides: hull.sides(),
                count: hull.vertices().len(),
            }),
            _ => None,
        }
    }

    #[inline(always)]
    fn corner(&self, index: usize) -> DVec2 {
        let [x, y] = &self.sides[index / LANES].corner;
        DVec2::new(x[index % LANES], y[index % LANES])
    }

    fn before(&self, index: usize) -> usize {
        if index == 0 {
            self.count - 1
        } else {
            index - 1
        }
    }

    fn after(&self, index: usize) -> usize {
        if index + 1 == self.count {
            0
        } else {
            index + 1
        }
    }

    /// The corner with the least scalar product with `direction`, and that product.
    #[inline(always)]
    fn lowest<S: Simd>(&self, simd: S, direction: DVec2) -> (f64, usize) {
        let direction = FourVectors::splat(simd, direction);
        let mut least = f64x4::splat(simd, f64::INFINITY);
        let mut block = block_in_lanes(simd, 0);
        for (index, four) in self.sides.iter().enumerate() {
            let height = load(simd, &four.corner).dot(direction);
            let is_less = height.simd_lt(least);
            least = is_less.select(height, least);
            block = is_less.select(block_in_lanes(simd, index), block);
        }
        let (depth, lane) = greatest_lane(-least);
        (-depth, index_in_lane(block, lane))
    }

    /// The greatest scalar product of a corner with `direction`.
    #[inline(always)]
    fn top<S: Simd>(&self, simd: S, direction: DVec2) -> f64 {
        let direction = FourVectors::splat(simd, direction);
        let mut greatest = f64x4::splat(simd, f64::NEG_INFINITY);
        for four in self.sides {
            greatest = greatest.max(load(simd, &four.corner).dot(direction));
        }
        greatest_lane(greatest).0
    }
}

/// A side of one polygon, and the other polygon.
struct PolygonView<'a> {
    other: Polygon<'a>,
    /// The vector from the start of the side to its end.
    side: [DVec2; 2],
    /// The outward unit normal of the side.
    outward: DVec2,
}

/// The point of a side that is nearest to a corner of the other polygon.
#[derive(Clone, Copy)]
struct PolygonFoot {
    point: DVec2,
    corner: DVec2,
    /// Whether it lies strictly between the ends of the side.
    is_inside: bool,
}

impl PolygonFoot {
    fn squared_distance(&self) -> f64 {
        (self.corner - self.point).length_squared()
    }

    /// The nearer of two such points; the first if both are equally near.
    fn nearer(self, other: Self) -> Self {
        if other.squared_distance() < self.squared_distance() {
            other
        } else {
            self
        }
    }
}

impl PolygonView<'_> {
    #[inline(always)]
    fn foot(&self, corner: DVec2) -> PolygonFoot {
        let [start, end] = self.side;
        let along = end - start;
        let part = (along.dot(corner - start) / along.length_squared()).clamp(0.0, 1.0);
        PolygonFoot {
            point: start + along * part,
            corner,
            is_inside: 0.0 < part && part < 1.0,
        }
    }

    /// The foot on the side from the lowest corner of the other polygon, or from a neighbour of
    /// that corner that is equally low, in which case two sides are parallel.
    #[inline(always)]
    fn lowest_foot(&self, (height, lowest): (f64, usize), rounding: f64) -> PolygonFoot {
        let other = &self.other;
        let mut foot = self.foot(other.corner(lowest));
        if !foot.is_inside {
            for corner in [other.before(lowest), other.after(lowest)] {
                let corner = other.corner(corner);
                if self.outward.dot(corner) <= height + 2.0 * rounding {
                    foot = foot.nearer(self.foot(corner));
                }
            }
        }
        foot
    }
}

/// The closest or deepest points of a view.
struct Shown {
    /// The gap along the normal of the view's side.
    gap: f64,
    on_a: DVec2,
    on_b: DVec2,
    /// The normal of the view's side, from a to b.
    normal: DVec2,
    foot: PolygonFoot,
}

/// Two polygons in one frame.
struct PolygonPair<'a> {
    a: Polygon<'a>,
    b: Polygon<'a>,
    /// The sum of the bounding radii.
    size: f64,
    rounding: f64,
}

impl PolygonPair<'_> {
    #[inline(always)]
    fn measure<S: Simd, P: PreciseVector>(&self, simd: S, within: f64) -> Option<Outcome<P>> {
        let of_a = widest(simd, self.a.sides, self.b.sides);
        let of_b = widest(simd, self.b.sides, self.a.sides);
        let is_of_b = of_b.gap > of_a.gap;
        let (first, second) = if is_of_b { (of_b, of_a) } else { (of_a, of_b) };
        let mut shown = self.look(simd, first.index, is_of_b);
        let lower = shown.gap - 3.0 * self.rounding;
        if lower > within {
            return Some(Outcome::Farther { lower });
        }
        // Of two parallel sides either may come first, and only one of them may contain the nearest
        // point.
        if !shown.foot.is_inside && second.gap >= first.gap - 2.0 * self.rounding {
            let other = self.look(simd, second.index, !is_of_b);
            if other.foot.is_inside || other.foot.squared_distance() < shown.foot.squared_distance()
            {
                shown = other;
            }
        }
        let measured = if first.gap > 0.0 {
            self.apart(simd, &shown)
        } else {
            self.overlapping(&shown)
        };
        measured.map(Outcome::Near)
    }

    /// The points that are closest or deepest along the normal of a side of b, or of a.
    #[inline(always)]
    fn look<S: Simd>(&self, simd: S, index: usize, is_of_b: bool) -> Shown {
        // Written without a branch, because whose side it is is unpredictable.
        let polygon = select_unpredictable(is_of_b, self.b, self.a);
        let other = select_unpredictable(is_of_b, self.a, self.b);
        let [x, y] = &polygon.sides[index / LANES].normal;
        let view = PolygonView {
            other,
            side: [index, polygon.after(index)].map_each(|index| polygon.corner(index)),
            outward: DVec2::new(x[index % LANES], y[index % LANES]),
        };
        let lowest = other.lowest(simd, view.outward);
        let foot = view.lowest_foot(lowest, self.rounding);
        let on_a = select_unpredictable(is_of_b, foot.corner, foot.point);
        let on_b = select_unpredictable(is_of_b, foot.point, foot.corner);
        Shown {
            gap: lowest.0 - polygon.top(simd, view.outward),
            on_a,
            on_b,
            normal: if is_of_b { -view.outward } else { view.outward },
            foot,
        }
    }

    #[inline(always)]
    fn apart<S: Simd, P: PreciseVector>(&self, simd: S, shown: &Shown) -> Option<Measured<P>> {
        let line = shown.on_b - shown.on_a;
        let distance = line.length();
        let (normal, lower) = if shown.foot.is_inside {
            (shown.normal, shown.gap)
        } else {
            let normal = line / distance;
            (
                normal,
                self.b.lowest(simd, normal).0 - self.a.top(simd, normal),
            )
        };
        let is_proven =
            distance - lower <= tolerances::CLOSED_FORM_GAP * distance + 2.0 * self.rounding;
        let rounding = 3.0 * self.rounding;
        let lower = lower - rounding;
        // For points that almost touch, rounding leaves nothing of the direction between them.
        (is_proven && (lower > 0.0 || shown.foot.is_inside)).then(|| Measured {
            lower,
            ..Measured::exact(distance, from_plane(normal), shown.points(), rounding)
        })
    }

    #[inline(always)]
    fn overlapping<P: PreciseVector>(&self, shown: &Shown) -> Option<Measured<P>> {
        let inwards = shown.on_a - shown.on_b;
        let depth = shown.normal.dot(inwards);
        let astray = (inwards - shown.normal * depth).length();
        let is_proven = -shown.gap - depth <= 2.0 * self.rounding;
        let is_way_out = astray <= tolerances::WITNESS_OFFSET * self.size;
        (is_proven && is_way_out).then(|| {
            let normal = from_plane(shown.normal);
            Measured::exact(-depth, normal, shown.points(), 4.0 * self.rounding)
        })
    }
}

impl Shown {
    fn points<P: PreciseVector>(&self) -> (P, P) {
        (from_plane(self.on_a), from_plane(self.on_b))
    }
}
