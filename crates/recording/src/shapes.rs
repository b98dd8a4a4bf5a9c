//! The shapes of a recording: each is written once, under a number.

use std::collections::BTreeMap;
use std::sync::Arc;

use clearance_math::{Pose, Vector};
use clearance_shapes::internal::{are_plainly_same, bits_of};
use clearance_shapes::{Core, Shape, ShapeEncoding, ShapeError};

use crate::block::{BlockKind, OpenBlock};
use crate::bytes::{Bytes, Unreadable, put_varint};
use crate::error::EncodeError;

/// The shape is the box of a shape that cannot be written.
const STAND_IN: u8 = 1;

/// A shape as it is written.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Recorded<V: Vector> {
    pub(crate) shape: Shape<V>,
    /// Whether it is the bounding box of a shape that cannot be written.
    pub(crate) is_stand_in: bool,
}

/// The shapes that a writer knows.
#[derive(Debug)]
pub(crate) struct ShapeTable<V: Vector> {
    numbers: BTreeMap<Identity, u32>,
    shapes: BTreeMap<u32, Shape<V>>,
    next: u32,
}

/// What tells shapes from each other without looking at all of a large one.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Identity {
    /// Where its large part is, and the bits of its radius. The table holds the shape, so nothing else comes to be
    /// there.
    Shared {
        address: usize,
        radius: u64,
    },
    Small(ShapeEncoding),
}

impl Identity {
    fn of<V: Vector>(shape: &Shape<V>) -> Self {
        match shape {
            Shape::Composite(composite) => Self::Shared {
                address: Arc::as_ptr(composite).addr(),
                radius: 0,
            },
            Shape::Convex(convex) => match convex.core() {
                Core::Hull(hull) => Self::Shared {
                    address: Arc::as_ptr(hull).addr(),
                    radius: convex.radius().to_bits(),
                },
                _ => Self::Small(bits_of(shape)),
            },
            Shape::HalfSpace(_) => Self::Small(bits_of(shape)),
        }
    }
}

impl<V: Vector> ShapeTable<V> {
    pub(crate) fn new() -> Self {
        Self {
            numbers: BTreeMap::new(),
            shapes: BTreeMap::new(),
            next: 0,
        }
    }

    /// Whether the shape of this number is `shape`, so that it need not be looked up. Allocates nothing.
    pub(crate) fn is(&self, number: u32, shape: &Shape<V>) -> bool {
        self.shapes
            .get(&number)
            .is_some_and(|known| are_plainly_same(known, shape))
    }

    /// The number of a shape; one that is new is written.
    pub(crate) fn number(
        &mut self,
        shape: &Shape<V>,
        out: &mut Vec<u8>,
    ) -> Result<u32, EncodeError> {
        let identity = Identity::of(shape);
        if let Some(&number) = self.numbers.get(&identity) {
            return Ok(number);
        }
        let number = self.next;
        put(number, shape, out)?;
        self.next += 1;
        self.numbers.insert(identity, number);
        self.shapes.insert(number, shape.clone());
        Ok(number)
    }

    /// Writes all shapes.
    pub(crate) fn put_all(&self, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        let mut shapes = self.shapes.iter();
        shapes.try_for_each(|(&number, shape)| put(number, shape, out))
    }

    /// Forgets the shapes that are not in use.
    pub(crate) fn retain(&mut self, is_used: impl Fn(u32) -> bool) {
        self.numbers.retain(|_, number| is_used(*number));
        self.shapes.retain(|number, _| is_used(*number));
    }
}

fn put<V: Vector>(number: u32, shape: &Shape<V>, out: &mut Vec<u8>) -> Result<(), EncodeError> {
    let (encoding, flags) = match shape.to_encoding() {
        Ok(encoding) => (encoding, 0),
        Err(_) => (bits_of(&bounding_box(shape)?), STAND_IN),
    };
    let block = OpenBlock::begin(BlockKind::Shape, out);
    put_varint(number.into(), out);
    out.push(flags);
    out.push(encoding.kind);
    out.extend_from_slice(&encoding.radius.to_le_bytes());
    for word in &encoding.numbers {
        out.extend_from_slice(&word.to_le_bytes());
    }
    block.end(out)
}

/// The box around a shape that cannot be written.
fn bounding_box<V: Vector>(shape: &Shape<V>) -> Result<Shape<V>, ShapeError> {
    let bounds = shape.bounds(&Pose::IDENTITY);
    let corner =
        |k: usize| V::from_fn(|axis| [bounds.min, bounds.max][k >> axis & 1].component(axis));
    let corners: Vec<V> = (0..1 << V::DIM).map(corner).collect();
    Shape::hull(&corners)
}

/// Reads the payload of a shape block: the number, and the shape.
pub(crate) fn read<V: Vector>(payload: &[u8]) -> Result<(u32, Recorded<V>), Unreadable> {
    let (number, mut bytes) = read_number(payload)?;
    let flags = bytes.byte()?;
    if flags > STAND_IN {
        return Err(Unreadable(format!(
            "the flags of shape {number} are {flags}"
        )));
    }
    let kind = bytes.byte()?;
    let radius = bytes.long()?;
    let (words, rest) = bytes.rest().as_chunks::<4>();
    if !rest.is_empty() {
        return Err(Unreadable(format!(
            "shape {number} is cut off within a number"
        )));
    }
    let numbers = words.iter().map(|word| u32::from_le_bytes(*word)).collect();
    let encoding = ShapeEncoding {
        kind,
        numbers,
        radius,
    };
    let shape = Shape::from_encoding(&encoding);
    let shape = shape.map_err(|error| Unreadable(format!("shape {number}: {error}")))?;
    let is_stand_in = flags & STAND_IN != 0;
    Ok((number, Recorded { shape, is_stand_in }))
}

/// The number in the payload of a shape block, and what comes after it.
pub(crate) fn read_number(payload: &[u8]) -> Result<(u32, Bytes<'_>), Unreadable> {
    let mut bytes = Bytes::new(payload);
    let number = bytes.small()?;
    Ok((number, bytes))
}
