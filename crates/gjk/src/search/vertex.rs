//! Vertices of the Minkowski difference.

use clearance_math::PreciseVector;

/// A point of the difference a - b, together with the two points that it is the difference of.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Vertex<P> {
    /// `on_a - on_b`.
    pub point: P,
    /// The point of a, in a's frame.
    pub on_a: P,
    /// The point of b, in a's frame.
    pub on_b: P,
}

impl<P: PreciseVector> Vertex<P> {
    /// The difference of a point of a and a point of b.
    #[inline(always)]
    pub(crate) fn between(on_a: P, on_b: P) -> Self {
        Self {
            point: on_a - on_b,
            on_a,
            on_b,
        }
    }

    /// Whether both points are the same.
    #[inline(always)]
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.on_a == other.on_a && self.on_b == other.on_b
    }
}

impl<P: Copy> Vertex<P> {
    /// Becomes a copy of another vertex, made vector by vector: all nine numbers at once would be a call in WebAssembly.
    #[inline(always)]
    pub(crate) fn set(&mut self, other: &Self) {
        self.point = other.point;
        self.on_a = other.on_a;
        self.on_b = other.on_b;
    }
}

impl<P> Vertex<P> {
    /// The vertex with each of its vectors converted.
    #[inline(always)]
    pub(crate) fn map<Q>(self, convert: impl Fn(P) -> Q) -> Vertex<Q> {
        Vertex {
            point: convert(self.point),
            on_a: convert(self.on_a),
            on_b: convert(self.on_b),
        }
    }
}
