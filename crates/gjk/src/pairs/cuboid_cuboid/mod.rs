//! Cuboid and cuboid: box and box.

mod nearest;
#[cfg(test)]
mod tests;

use clearance_math::internal::MapEach;
use clearance_math::{DVec3, Matrix, PreciseVector, RelativePose, Vector, lesser_of, tolerances};
use clearance_shapes::{Convex, Cuboid};
use glam::Vec3Swizzles;

use crate::difference::witness_slack;
use crate::measured::Measured;
use crate::pairs::axes::{Best, greatest};
use crate::penetration::Depth;

/// The greatest number of steps from the first corner to the closest points; more than three are
/// rare.
const STEP_LIMIT: usize = 8;

/// The other two axes in 3D, in cyclic order.
pub(crate) const NEXT: [(usize, usize); 3] = [(1, 2), (2, 0), (0, 1)];

/// The result of measuring two boxes.
pub(crate) enum Boxes<P> {
    /// The boxes are separated, and this is their distance.
    Near(Measured<P>),
    /// The boxes are separated by at least this, which exceeds the range.
    Farther(f64),
    /// The boxes overlap. This is the least overlap, with witness points where they are known.
    Overlapping(Depth<P>),
    /// The boxes are separated or touch, and iteration must find the distance.
    Undecided,
}

/// Measures two boxes in the frame of a.
///
/// The normals of their faces and, in 3D, the cross products of an edge of each are the normals of
/// all faces of the difference. If none of them separates the boxes, the least overlap is exactly
/// the depth (Gottschalk, Lin, Manocha, "OBBTree", 1996). If one does, the search for the closest
/// points starts from it.
pub(crate) fn measure<V: Vector>(
    (a, core_a): (&Convex<V>, &Cuboid<V>),
    (b, core_b): (&Convex<V>, &Cuboid<V>),
    b_in_a: &RelativePose<V::Precise>,
    within: f64,
) -> Boxes<V::Precise> {
    let pair = Pair::new((a, core_a), (b, core_b), b_in_a);
    match pair.least_overlap() {
        Ok((best, sides)) => {
            let witnesses = pair.deepest_points(&best, sides);
            Boxes::Overlapping(best.with_witnesses(witnesses))
        }
        Err(way) if way.gap - pair.rounding > within => Boxes::Farther(way.gap - pair.rounding),
        Err(way) => pair.apart(&way).map_or(Boxes::Undecided, Boxes::Near),
    }
}

/// Whether the distance of two boxes is at most `radii`; `None` if the axes do not decide it.
pub(crate) fn overlap<V: Vector>(
    (a, core_a): (&Convex<V>, &Cuboid<V>),
    (b, core_b): (&Convex<V>, &Cuboid<V>),
    b_in_a: &RelativePose<V::Precise>,
    radii: f64,
) -> Option<bool> {
    let pair = Pair::new((a, core_a), (b, core_b), b_in_a);
    match pair.least_overlap() {
        Ok(_) => Some(true),
        Err(way) if way.gap - pair.rounding > radii => Some(false),
        Err(_) => None,
    }
}

/// Two boxes in the frame of the first one.
#[derive(Clone, Copy)]
struct Pair<P: PreciseVector> {
    half_a: P,
    half_b: P,
    b_in_a: RelativePose<P>,
    /// The sum of the sizes.
    size: f64,
    /// The lesser of the sizes.
    smaller: f64,
    rounding: f64,
}

/// The features of two boxes that face each other along an axis.
#[derive(Clone, Copy)]
enum Sides {
    FaceOfA,
    FaceOfB,
    /// An edge of a along this axis of a, and an edge of b along this axis of b.
    Edges(usize, usize),
}

/// A direction that separates the boxes.
struct Way<P> {
    /// The distance is at least this, up to rounding.
    gap: f64,
    /// The approximate direction from a to b.
    toward: P,
    sides: Sides,
}

impl<P: PreciseVector> Pair<P> {
    #[inline]
    fn new<V: Vector<Precise = P>>(
        (a, core_a): (&Convex<V>, &Cuboid<V>),
        (b, core_b): (&Convex<V>, &Cuboid<V>),
        b_in_a: &RelativePose<P>,
    ) -> Self {
        let sizes = [a, b].map_each(Convex::core_bounding_radius);
        let size = sizes[0] + sizes[1];
        Self {
            half_a: core_a.half_extents.to_precise(),
            half_b: core_b.half_extents.to_precise(),
            b_in_a: *b_in_a,
            size,
            smaller: lesser_of(sizes[0], sizes[1]),
            rounding: tolerances::DIFFERENCE_ROUNDING * (size + b_in_a.translation.length()),
        }
    }

    /// The boxes in the frame of b, with their roles exchanged.
    fn exchanged(&self) -> Self {
        Self {
            half_a: self.half_b,
            half_b: self.half_a,
            b_in_a: self.b_in_a.inverse(),
            ..*self
        }
    }

    /// Finds the axis of least overlap.
    ///
    /// # Errors
    /// The separating direction, if the boxes are separated.
    fn least_overlap(&self) -> Result<(Best<P>, Sides), Way<P>> {
        let mut best = Best::new(self.b_in_a.translation);
        let mut sides = self.across_faces(&mut best)?;
        if const { P::DIM == 3 } {
            let mut left = self.edges_in_question(best.depth);
            while left != 0 {
                let number = left.trailing_zeros() as usize;
                left &= left - 1;
                let (i, j) = (number / 3, number % 3);
                if self.across_edges((i, j), &mut best)? {
                    sides = Sides::Edges(i, j);
                }
            }
        }
        Ok((best, sides))
    }

    /// The pairs of an axis i of a and an axis j of b whose product may separate the boxes or have less overlap than
    /// `depth`, as bits 3 * i + j.
    ///
    /// It is the first test of [`Self::across_edges`], for all i at once: without branches, and with indices that the
    /// compiler knows. Most products fail it.
    #[inline]
    fn edges_in_question(&self, depth: f64) -> u32 {
        let rotation = &self.b_in_a.rotation;
        let columns = [0, 1, 2].map_each(|j| rotation.column(j).in_space());
        let half_a = self.half_a.in_space();
        let between = self.b_in_a.translation.in_space();
        let mut found = 0;
        for j in 0..3 {
            let (m, n) = NEXT[j];
            let (edge, lengths) = (columns[j], columns[j].abs());
            let apart = between.cross(edge);
            let reach = half_a.yzx() * lengths.zxy()
                + half_a.zxy() * lengths.yzx()
                + columns[n].abs() * self.half_b.component(m)
                + columns[m].abs() * self.half_b.component(n);
            let overlap = reach - apart.abs() - DVec3::splat(self.rounding);
            let squared_lengths = edge.yzx() * edge.yzx() + edge.zxy() * edge.zxy();
            let is_more = (overlap * overlap).cmpge(squared_lengths * (depth * depth));
            let are_out = overlap.cmpgt(DVec3::ZERO) & is_more;
            let [x, y, z] = <[bool; 3]>::from(!are_out).map_each(u32::from);
            found |= (x | y << 3 | z << 6) << j;
        }
        found
    }

    /// Tests the normals of all faces.
    ///
    /// # Errors
    /// The gaps along the axes of the box with the widest gap, if the boxes are separated.
    fn across_faces(&self, best: &mut Best<P>) -> Result<Sides, Way<P>> {
        let b_from_a = self.b_in_a.translation;
        let a_from_b = -self.b_in_a.inverse_transform_direction(b_from_a);
        let mut gaps_a = b_from_a.abs() - self.half_a;
        let mut gaps_b = a_from_b.abs() - self.half_b;
        for k in 0..P::DIM {
            let across = self.b_in_a.rotation.column(k).abs();
            gaps_a -= across * self.half_b.component(k);
            gaps_b = gaps_b.with_component(k, gaps_b.component(k) - across.dot(self.half_a));
        }
        let (axis_a, gap_a) = greatest(gaps_a);
        let (axis_b, gap_b) = greatest(gaps_b);
        let sides = if gap_b > gap_a {
            Sides::FaceOfB
        } else {
            Sides::FaceOfA
        };
        if gap_a > 0.0 || gap_b > 0.0 {
            let from_b = gaps_b.max(P::ZERO).with_signs_of(-a_from_b);
            let (gap, toward) = match sides {
                Sides::FaceOfB => (gap_b, self.b_in_a.transform_direction(from_b)),
                _ => (gap_a, gaps_a.max(P::ZERO).with_signs_of(b_from_a)),
            };
            return Err(Way { gap, toward, sides });
        }
        match sides {
            Sides::FaceOfB => best.keep(self.b_in_a.rotation.column(axis_b), -gap_b),
            _ => best.keep(P::axis(axis_a), -gap_a),
        }
        Ok(sides)
    }

    /// Tests the cross product of axis i of a and axis j of b. Returns whether it is the best so
    /// far.
    ///
    /// # Errors
    /// The separating direction, if it separates the boxes.
    #[inline(never)]
    fn across_edges(&self, (i, j): (usize, usize), best: &mut Best<P>) -> Result<bool, Way<P>> {
        let (k, l) = NEXT[i];
        let (m, n) = NEXT[j];
        let rotation = &self.b_in_a.rotation;
        let edge = rotation.column(j);
        let (edge_k, edge_l) = (edge.component(k), edge.component(l));
        let between = self.b_in_a.translation;
        let apart = between.component(l) * edge_k - between.component(k) * edge_l;
        // The products with the other axes of b are its axes m and n, turned: of them counts axis i.
        let reach = self.half_a.component(k) * edge_l.abs()
            + self.half_a.component(l) * edge_k.abs()
            + self.half_b.component(m) * rotation.column(n).component(i).abs()
            + self.half_b.component(n) * rotation.column(m).component(i).abs();
        let overlap = reach - apart.abs() - self.rounding;
        let squared_length = edge_k * edge_k + edge_l * edge_l;
        // Computed without a square root, because most axes are not better.
        if overlap > 0.0 && overlap * overlap >= best.depth * best.depth * squared_length {
            return Ok(false);
        }
        let length = squared_length.sqrt();
        // The edges are parallel, and the normal of a face covers this axis.
        if !(length > tolerances::PARALLEL) {
            return Ok(false);
        }
        let axis = P::ZERO
            .with_component(k, -edge_l / length)
            .with_component(l, edge_k / length);
        let overlap = self.reach(axis) - between.dot(axis).abs();
        if overlap < 0.0 {
            return Err(Way {
                gap: -overlap,
                toward: if apart < 0.0 { -axis } else { axis },
                sides: Sides::Edges(i, j),
            });
        }
        let is_best = overlap < best.depth;
        if is_best {
            best.keep(axis, overlap);
        }
        Ok(is_best)
    }

    /// The sum of the projected radii of both boxes along a unit vector.
    fn reach(&self, axis: P) -> f64 {
        let in_b = self.b_in_a.inverse_transform_direction(axis);
        axis.abs().dot(self.half_a) + in_b.abs().dot(self.half_b)
    }

    /// The distance of separated boxes.
    ///
    /// Between two edges it is known if the edges cross. Otherwise it is searched from the corner
    /// that is nearest to the separating face, first in the frame of a, then in that of b.
    fn apart(&self, way: &Way<P>) -> Option<Measured<P>> {
        if let Sides::Edges(i, j) = way.sides {
            let (on_a, on_b) = self.points_of_edges((i, j), way.toward);
            if ((on_b - on_a).length() - way.gap).abs() <= 2.0 * self.rounding {
                let points = (on_a, on_b);
                let rounding = 3.0 * self.rounding;
                return Some(Measured::exact(way.gap, way.toward, points, rounding));
            }
        }
        let corner_of_b = || {
            let in_b = self.b_in_a.inverse_transform_direction(-way.toward);
            self.half_b.with_signs_of(in_b)
        };
        let start = match way.sides {
            Sides::FaceOfB => self.nearest_in_b(self.half_a.with_signs_of(way.toward)),
            _ => corner_of_b(),
        };
        let found = self.nearest_points(start);
        found.or_else(|| self.in_frame_of_b(way, corner_of_b()))
    }

    /// [`Pair::apart`] in the frame of b, if the search in the frame of a did not converge.
    #[cold]
    fn in_frame_of_b(&self, way: &Way<P>, corner_of_b: P) -> Option<Measured<P>> {
        let exchanged = self.exchanged();
        let start = match way.sides {
            Sides::FaceOfB => exchanged.nearest_in_b(corner_of_b),
            _ => self.half_a.with_signs_of(way.toward),
        };
        let found = exchanged.nearest_points(start);
        found.map(|measured| measured.flipped(&exchanged.b_in_a))
    }

    /// The point of b closest to a point of a's frame, in b's frame.
    fn nearest_in_b(&self, point: P) -> P {
        let in_b = self.b_in_a.inverse_transform_point(point);
        in_b.max(-self.half_b).min(self.half_b)
    }

    /// The closest points of the edge of a that is highest along `normal`, the product of axis i of
    /// a and axis j of b, and of the edge of b that is lowest.
    ///
    /// Projected along axis i of a, the edge of a is a point and the edge of b a segment. The
    /// closest point is where the derivative of the squared distance is zero.
    #[inline(never)]
    fn points_of_edges(&self, (i, j): (usize, usize), normal: P) -> (P, P) {
        let corner_a = self.half_a.with_signs_of(normal);
        let in_b = self.b_in_a.inverse_transform_direction(-normal);
        let corner_b = self.half_b.with_signs_of(in_b);
        let middle = self.b_in_a.transform_point(corner_b.with_component(j, 0.0));
        let edge = self.b_in_a.rotation.column(j);
        let across = edge.with_component(i, 0.0);
        let half = self.half_b.component(j);
        let along = across.dot(corner_a - middle) / across.length_squared();
        let on_b = middle + edge * along.clamp(-half, half);
        let half = self.half_a.component(i);
        (
            corner_a.with_component(i, on_b.component(i).clamp(-half, half)),
            on_b,
        )
    }

    /// The witness points of the least overlap, where they are easily found.
    #[inline(never)]
    fn deepest_points(&self, best: &Best<P>, sides: Sides) -> Option<(P, P)> {
        let (on_a, on_b) = match sides {
            Sides::Edges(i, j) => self.points_of_edges((i, j), best.normal),
            Sides::FaceOfA => self.deepest_at_face(best.normal, best.depth)?,
            Sides::FaceOfB => {
                let exchanged = self.exchanged();
                let normal = self.b_in_a.inverse_transform_direction(-best.normal);
                let (on_b, on_a) = exchanged.deepest_at_face(normal, best.depth)?;
                let in_a = |point| self.b_in_a.transform_point(point);
                (in_a(on_a), in_a(on_b))
            }
        };
        let astray = on_a - on_b - best.normal * best.depth;
        (astray.length() <= self.beside()).then_some((on_a, on_b))
    }

    /// The witness points of an overlap that is least along this normal of a face of a.
    ///
    /// They are given by the deepest corner of b, if it lies over the face. Otherwise they are the
    /// closest points after b was moved out along the normal, which brings no other feature nearer.
    fn deepest_at_face(&self, normal: P, depth: f64) -> Option<(P, P)> {
        let leave = normal * depth;
        let in_b = self.b_in_a.inverse_transform_direction(-normal);
        let on_b = self.b_in_a.transform_point(self.half_b.with_signs_of(in_b));
        let over = on_b + leave;
        let on_a = over.max(-self.half_a).min(self.half_a);
        if (on_a - over).length() <= self.beside() {
            return Some((on_a, on_b));
        }
        let clear = normal * (depth + tolerances::CLEARANCE_TO_REFINE * self.size);
        let mut moved = *self;
        moved.b_in_a.translation += clear;
        let found = moved.nearest_points(self.half_b.with_signs_of(in_b))?;
        Some((found.on_a, found.on_b - clear))
    }

    /// The greatest distance of the difference of two witness points from depth times normal.
    fn beside(&self) -> f64 {
        witness_slack(self.smaller, self.rounding)
    }
}
