//! What a picture is to be, what it is, and why there is none.

use clearance_math::{Real, Vec3};

/// From where a world is seen. The y axis points up in the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Where the camera is.
    pub from: Vec3,
    /// The point that is in the middle of the picture, another than `from`.
    pub towards: Vec3,
}

/// The widest and highest picture, in pixels.
pub const MOST_PIXELS: u32 = 4096;

/// What a picture of space shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImageOptions {
    /// The width in pixels, from 1 to [`MOST_PIXELS`].
    pub width: u32,
    /// The height in pixels, from 1 to [`MOST_PIXELS`].
    pub height: u32,
    /// From where the world is seen. `None` shows all bodies that are not infinite, obliquely from above.
    pub camera: Option<Camera>,
    /// Whether contacts and their normals are drawn over the bodies.
    pub contacts: bool,
}

impl Default for ImageOptions {
    /// All bodies and contacts on 960 by 640 pixels.
    fn default() -> Self {
        Self {
            width: 960,
            height: 640,
            camera: None,
            contacts: true,
        }
    }
}

/// Why a picture cannot be drawn.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ImageError {
    /// A side of the picture has no pixels, or too many.
    #[error("{field} is {value}, must be from 1 to {MOST_PIXELS} pixels")]
    Size {
        /// `width` or `height`.
        field: &'static str,
        /// The value that was given.
        value: u32,
    },
    /// A coordinate of the camera is not finite.
    #[error("camera.{field}[{axis}] is {value}, must be finite")]
    Camera {
        /// `from` or `towards`.
        field: &'static str,
        /// The axis: 0 is x, 1 is y, 2 is z.
        axis: usize,
        /// The value that was given.
        value: Real,
    },
    /// The camera looks at the point where it is.
    #[error("camera.towards equals camera.from, must be another point")]
    NoDirection,
}

/// Pixels in red, green and blue, row by row from the top, each from left to right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// The number of pixels of a row.
    pub width: u32,
    /// The number of rows.
    pub height: u32,
    /// Three bytes a pixel.
    pub pixels: Vec<u8>,
}
