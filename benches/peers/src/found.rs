//! A pair that an engine has reported.

/// A pair that an engine has reported, by the numbers of its bodies in the scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found {
    /// The lesser number, then the greater.
    pub pair: (u32, u32),
    /// Signed distance.
    pub distance: f32,
}

impl Found {
    /// The pair in order.
    #[must_use]
    pub fn new(a: u32, b: u32, distance: f32) -> Self {
        Self {
            pair: (a.min(b), a.max(b)),
            distance,
        }
    }
}
