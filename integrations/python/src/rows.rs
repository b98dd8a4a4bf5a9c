//! Answers as rows of bytes, which Python looks at as structured arrays.
//!
//! The fields of a row follow on each other in the order in which they are put, without gaps; the row ends with as many zeros as
//! make its size a multiple of eight. `python/clearance/_rows.py` names the fields in the same order.

use clearance::gjk::{
    CastHit, CrossingSegment, ManifoldPoint, Proximity, RayHit, Separation, Status,
};
use clearance::math::glam::{DAffine3, DVec3, Vec3};
use clearance::math::{PreciseVector, Real, Vector};
use clearance_clash::{Block, Clash, Side};

/// A row that is being written.
pub(crate) struct Row<'r> {
    bytes: &'r mut [u8],
    end: usize,
}

/// The numbers of a status: those of the engine, and two of what was not measured.
const FARTHER: u8 = 4;
const UNBOUNDED: u8 = 5;

/// No part, which the engine writes as the greatest number of 32 bits.
const NO_PART: i32 = -1;

fn code(status: Status) -> u8 {
    match status {
        Status::Exact => 0,
        Status::Converged => 1,
        Status::Saturated => 3,
        _ => 2,
    }
}

impl<'r> Row<'r> {
    pub(crate) fn new(bytes: &'r mut [u8]) -> Self {
        Self { bytes, end: 0 }
    }

    fn put_bytes(&mut self, bytes: &[u8]) {
        self.bytes[self.end..][..bytes.len()].copy_from_slice(bytes);
        self.end += bytes.len();
    }

    pub(crate) fn byte(mut self, value: u8) -> Self {
        self.put_bytes(&[value]);
        self
    }

    pub(crate) fn whole(mut self, value: u64) -> Self {
        self.put_bytes(&value.to_ne_bytes());
        self
    }

    fn number(mut self, value: Real) -> Self {
        self.put_bytes(&value.to_ne_bytes());
        self
    }

    pub(crate) fn part(mut self, value: i32) -> Self {
        self.put_bytes(&value.to_ne_bytes());
        self
    }

    fn vector<V: Vector>(self, vector: V) -> Self {
        (0..V::DIM).fold(self, |row, axis| row.number(vector.component(axis)))
    }

    fn position<P: PreciseVector>(mut self, position: P) -> Self {
        for axis in 0..P::DIM {
            self.put_bytes(&position.component(axis).to_ne_bytes());
        }
        self
    }

    pub(crate) fn separation<V: Vector>(self, near: &Separation<V>) -> Self {
        self.told(near, code(near.status))
    }

    fn told<V: Vector>(self, near: &Separation<V>, status: u8) -> Self {
        self.position(near.position_a)
            .position(near.position_b)
            .number(near.distance)
            .number(near.lower)
            .number(near.upper)
            .vector(near.normal)
            .part(near.part_a as i32)
            .part(near.part_b as i32)
            .byte(status)
    }

    pub(crate) fn proximity<V: Vector>(self, near: &Proximity<V>) -> Self {
        let (near, status) = told_by(near);
        self.told(&near, status)
    }

    pub(crate) fn crossing<V: Vector>(self, segment: &CrossingSegment<V>) -> Self {
        let [start, end] = segment.ends;
        self.part(segment.part_a as i32)
            .part(segment.part_b as i32)
            .position(start)
            .position(end)
    }

    pub(crate) fn ray_hit<V: Vector>(self, hit: Option<&RayHit<V>>) -> Self {
        let Some(hit) = hit else {
            let row = self.position(V::Precise::from_fn(|_| f64::NAN));
            let row = [Real::INFINITY; 3].into_iter().fold(row, Self::number);
            let row = row.vector(V::splat(Real::NAN)).part(NO_PART);
            return row.byte(0).byte(0).byte(FARTHER);
        };
        self.position(hit.position)
            .number(hit.distance)
            .number(hit.lower)
            .number(hit.upper)
            .vector(hit.normal.unwrap_or(V::splat(Real::NAN)))
            .part(hit.part as i32)
            .byte(1)
            .byte(hit.is_back_face.into())
            .byte(code(hit.status))
    }

    pub(crate) fn cast_hit<V: Vector>(self, hit: Option<&CastHit<V>>) -> Self {
        let Some(hit) = hit else {
            let far = [Real::INFINITY; 3];
            let row = self.told(&unmeasured::<V>(far), FARTHER);
            return row.byte(0).byte(FARTHER).gap().vector_of(far);
        };
        self.separation(&hit.separation)
            .byte(1)
            .byte(code(hit.status))
            .gap()
            .vector_of([hit.time, hit.time_lower, hit.time_upper])
    }

    fn vector_of(self, numbers: [Real; 3]) -> Self {
        numbers.into_iter().fold(self, Self::number)
    }

    /// Fills up to a multiple of four bytes, so that numbers follow.
    fn gap(mut self) -> Self {
        while !self.end.is_multiple_of(4) {
            self.put_bytes(&[0]);
        }
        self
    }

    pub(crate) fn manifold_point<V: Vector>(
        self,
        near: &Separation<V>,
        point: &ManifoldPoint<V>,
    ) -> Self {
        self.position(point.position_a)
            .position(point.position_b)
            .number(point.distance)
            .vector(near.normal)
            .part(near.part_a as i32)
            .part(near.part_b as i32)
            .part(point.feature_a.id() as i32)
            .part(point.feature_b.id() as i32)
    }

    /// A homogeneous matrix, row by row.
    pub(crate) fn matrix(self, frame: &DAffine3) -> Self {
        let rows = frame.matrix3.transpose();
        let of = frame.translation;
        let last = [
            (rows.x_axis, of.x),
            (rows.y_axis, of.y),
            (rows.z_axis, of.z),
        ];
        let row = last.into_iter().fold(self, |row, (turn, moved)| {
            row.position(turn).whole(moved.to_bits())
        });
        row.position(DVec3::ZERO).whole(1.0_f64.to_bits())
    }

    pub(crate) fn block(self, block: &Block) -> Self {
        let pairs = [block.first, block.last];
        let numbers = pairs.as_flattened().iter();
        let row = numbers.fold(self, |row, &number| row.whole(number.into()));
        row.whole(block.pairs.into()).whole(block.cost)
    }

    pub(crate) fn clash(self, clash: &Clash, group: i32) -> Self {
        let inner = match clash.inner {
            None => 0,
            Some(Side::A) => 1,
            Some(Side::B) => 2,
        };
        self.whole(clash.a.into())
            .whole(clash.b.into())
            .position(DVec3::from_array(clash.point_a))
            .position(DVec3::from_array(clash.point_b))
            .number(clash.distance)
            .number(clash.lower)
            .number(clash.upper)
            .vector(Vec3::from_array(clash.normal))
            .part(clash.rule.map_or(NO_PART, |rule| rule as i32))
            .part(group)
            .byte(clash.kind as u8)
            .byte(inner)
            .byte(clash.is_proven.into())
            .byte(clash.is_allowed.into())
    }

    /// Fills the rest with zeros.
    pub(crate) fn end(self) {
        self.bytes[self.end..].fill(0);
    }
}

/// What a proximity tells as a separation, and the number of its status.
pub(crate) fn told_by<V: Vector>(near: &Proximity<V>) -> (Separation<V>, u8) {
    let far = Real::INFINITY;
    match near {
        Proximity::Near(near) => (*near, code(near.status)),
        Proximity::Farther { lower } => (unmeasured([far, *lower, far]), FARTHER),
        Proximity::Unbounded => (unmeasured([-far; 3]), UNBOUNDED),
        Proximity::Undecided { lower } => {
            let near = unmeasured([far, *lower, far]);
            (near, code(near.status))
        }
    }
}

/// Bounds of the distance of two shapes that were not measured, with no places, no normal and no parts.
fn unmeasured<V: Vector>([distance, lower, upper]: [Real; 3]) -> Separation<V> {
    let nowhere = V::Precise::from_fn(|_| f64::NAN);
    Separation {
        distance,
        lower,
        upper,
        normal: V::splat(Real::NAN),
        position_a: nowhere,
        position_b: nowhere,
        part_a: u32::MAX,
        part_b: u32::MAX,
        status: Status::IterationLimit,
    }
}

/// Rows whose number is not known beforehand.
pub(crate) struct Rows {
    pub(crate) bytes: Vec<u8>,
    size: usize,
}

impl Rows {
    pub(crate) fn of_size(size: usize) -> Self {
        Self {
            bytes: Vec::new(),
            size,
        }
    }

    /// One row more.
    pub(crate) fn add(&mut self) -> Row<'_> {
        let first = self.bytes.len();
        self.bytes.resize(first + self.size, 0);
        Row::new(&mut self.bytes[first..])
    }
}

/// The size of a row: of the bytes of its fields, up to a multiple of eight.
pub(crate) const fn padded(bytes: usize) -> usize {
    bytes.next_multiple_of(8)
}

/// The bytes of the fields of a separation.
pub(crate) const fn separation_bytes(dim: usize) -> usize {
    2 * 8 * dim + 3 * 4 + 4 * dim + 2 * 4 + 1
}

/// The size of the row of a separation that follows on `before` bytes.
pub(crate) const fn separation_size(before: usize, dim: usize) -> usize {
    padded(before + separation_bytes(dim))
}

/// The size of the row of a ray's hit that follows on `before` bytes.
pub(crate) const fn ray_size(before: usize, dim: usize) -> usize {
    padded(before + 8 * dim + 3 * 4 + 4 * dim + 4 + 3)
}

/// The size of the row of a cast's hit that follows on `before` bytes.
pub(crate) const fn cast_size(before: usize, dim: usize) -> usize {
    padded((before + separation_bytes(dim) + 2).next_multiple_of(4) + 3 * 4)
}

/// The size of the row of a block of a clash check.
pub(crate) const fn block_size() -> usize {
    6 * 8
}

/// The size of the row of a clash.
pub(crate) const fn clash_size() -> usize {
    padded(2 * 8 + 2 * 3 * 8 + 3 * 4 + 3 * 4 + 2 * 4 + 4)
}

/// The size of the row of how clear a robot is in a configuration.
pub(crate) const fn clearance_size() -> usize {
    separation_size(3 * 8, 3)
}

/// The size of the row of what is known of a path of a robot.
pub(crate) const fn path_size() -> usize {
    padded(8 + 4 + 1)
}

/// The size of the row of a segment in which meshes cross, with the number of its question.
pub(crate) const fn crossing_size(dim: usize) -> usize {
    padded(8 + 2 * 4 + 2 * 8 * dim)
}

/// The size of the row of a point of a manifold, with the number of its question.
pub(crate) const fn manifold_size(dim: usize) -> usize {
    padded(8 + point_bytes(dim))
}

/// The size of the row of a point of a manifold of two bodies, with their ids and the point that it goes on from.
pub(crate) const fn body_manifold_size(dim: usize) -> usize {
    padded(16 + point_bytes(dim) + 4)
}

const fn point_bytes(dim: usize) -> usize {
    2 * 8 * dim + 3 * 4 + 4 * dim + 2 * 4
}
