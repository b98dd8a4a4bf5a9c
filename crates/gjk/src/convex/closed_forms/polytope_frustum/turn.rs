//! Directions perpendicular to an edge.

/// A direction perpendicular to an edge, by its cosine and sine.
#[derive(Clone, Copy, Debug)]
pub(super) struct FrustumTurn {
    pub(super) cos: f64,
    pub(super) sin: f64,
}

/// The part of an arc of less than half a turn where the cosine is not negative.
pub(super) fn ahead([from, to]: [FrustumTurn; 2]) -> Option<[FrustumTurn; 2]> {
    let is_ahead = from.cos >= 0.0 || to.cos >= 0.0;
    let pole = |sin| FrustumTurn { cos: 0.0, sin };
    let low = if from.cos >= 0.0 { from } else { pole(-1.0) };
    let high = if to.cos >= 0.0 { to } else { pole(1.0) };
    is_ahead.then_some([low, high])
}

impl FrustumTurn {
    #[inline(always)]
    pub(super) fn new(cos: f64, sin: f64) -> Self {
        Self { cos, sin }
    }

    /// The sine of the angle from this direction to another. Its sign orders directions whose cosines are not negative also
    /// where their sines are both rounded to one.
    pub(super) fn sine_to(self, other: Self) -> f64 {
        self.cos * other.sin - self.sin * other.cos
    }

    pub(super) fn is_below(self, other: Self) -> bool {
        self.sine_to(other) > 0.0
    }

    pub(super) fn lower_of(self, other: Self) -> Self {
        if self.is_below(other) { self } else { other }
    }

    pub(super) fn higher_of(self, other: Self) -> Self {
        if self.is_below(other) { other } else { self }
    }

    /// Whether this direction is on the arc, of less than half a turn, from one direction to another, up to rounding.
    pub(super) fn is_between(self, from: Self, to: Self) -> bool {
        let rounding = -4.0 * f64::EPSILON;
        // The opposite of a short arc is as near to the lines through both ends.
        let ahead = self.cos * (from.cos + to.cos) + self.sin * (from.sin + to.sin);
        from.sine_to(self) >= rounding && self.sine_to(to) >= rounding && ahead >= 0.0
    }

    /// The direction with the same cosine and the opposite sine.
    pub(super) fn mirrored(self) -> Self {
        Self::new(self.cos, -self.sin)
    }

    /// This direction turned by a small angle, in radians.
    pub(super) fn turned(self, angle: f64) -> Self {
        Self::new(self.cos - self.sin * angle, self.sin + self.cos * angle).normalized()
    }

    /// A direction between this one and another.
    pub(super) fn toward(self, other: Self, share: f64) -> Self {
        let cos = self.cos + (other.cos - self.cos) * share;
        Self::new(cos, self.sin + (other.sin - self.sin) * share).normalized()
    }

    fn normalized(self) -> Self {
        let length = (self.cos * self.cos + self.sin * self.sin).sqrt();
        Self::new(self.cos / length, self.sin / length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Once it counted as on the arc, and an edge as separating shapes that overlapped.
    #[test]
    fn the_opposite_of_a_short_arc_is_not_on_it() {
        let from = FrustumTurn { cos: 0.6, sin: 0.8 };
        for angle in [0.0, 1e-17, 1e-15, 1e-8, 0.1, 3.0] {
            let to = from.turned(angle);
            let middle = from.toward(to, 0.5);
            let opposite = FrustumTurn::new(-middle.cos, -middle.sin);
            assert!(middle.is_between(from, to), "{angle}");
            assert!(!opposite.is_between(from, to), "{angle}");
        }
    }

    #[test]
    fn directions_are_in_order_where_their_sines_round_to_one() {
        let low = FrustumTurn::new(1e-9, 1.0);
        let high = FrustumTurn::new(1e-12, 1.0);
        assert!(low.is_below(high) && !high.is_below(low));
        assert_eq!(low.higher_of(high).cos, high.cos);
        assert_eq!(low.lower_of(high).cos, low.cos);
    }
}
