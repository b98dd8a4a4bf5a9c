//! What a picture of the plane shows.

use clearance_math::{Aabb, Vec2};

/// What a picture of the plane shows.
#[derive(Clone, Debug, PartialEq)]
pub struct SvgOptions {
    /// The width in pixels, at least 1.
    pub width: u32,
    /// The height in pixels, at least 1, the legend included.
    pub height: u32,
    /// The part of the world that is shown, in units of length. `None`, or a box that is not finite, shows all
    /// bodies that are not infinite.
    pub window: Option<Aabb<Vec2>>,
    /// Whether contacts and their normals are drawn.
    pub contacts: bool,
    /// Whether scale and colours are explained below the picture.
    pub legend: bool,
    /// The name of the unit of length, such as `m`. If empty, lengths are in "units of length".
    pub unit: String,
}

impl Default for SvgOptions {
    /// All bodies and contacts with a legend, on 960 by 640 pixels; the unit of length has no name.
    fn default() -> Self {
        Self {
            width: 960,
            height: 640,
            window: None,
            contacts: true,
            legend: true,
            unit: String::new(),
        }
    }
}
