//! Pictures of worlds of space, drawn by a small renderer of our own.

mod bodies;
mod camera;
mod canvas;
mod contacts;
#[cfg(feature = "png")]
mod png;
mod segment;

use clearance_math::{Real, Vec3};
use clearance_world::World;

use camera::View;
use canvas::Canvas;

pub use camera::Camera;
#[cfg(feature = "png")]
pub use png::png;

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

/// A picture of a world of space in perspective: its bodies, and over them the closest points of the
/// contacts of its last step, joined by lines whose colours tell gaps from overlaps, with their normals.
/// Contacts that lie behind bodies are pale.
///
/// Equal worlds give equal pixels, on every platform.
///
/// ```
/// use clearance::dim3::{Body, Options, Pose, Shape, Vec3, World};
/// use clearance_render::{ImageOptions, image};
///
/// let mut world = World::new(Options::default())?;
/// world.insert(Body::fixed(Shape::half_space(Vec3::Y)?, Pose::IDENTITY))?;
/// let above = Pose::from_translation(Vec3::new(0.0, 1.0, 0.0));
/// world.insert(Body::moving(Shape::ball(1.0)?, above))?;
/// world.step(0.0)?;
/// let picture = image(&world, &ImageOptions { width: 32, height: 24, ..ImageOptions::default() })?;
/// assert_eq!(picture.pixels.len(), 3 * 32 * 24);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A size or a camera that cannot be.
pub fn image(world: &World<Vec3>, options: &ImageOptions) -> Result<Image, ImageError> {
    for (field, value) in [("width", options.width), ("height", options.height)] {
        if !(1..=MOST_PIXELS).contains(&value) {
            return Err(ImageError::Size { field, value });
        }
    }
    let view = View::new(world, options)?;
    let mut canvas = Canvas::new(options);
    bodies::draw(&mut canvas, world, &view);
    if options.contacts {
        contacts::draw(&mut canvas, world, &view);
    }
    Ok(canvas.into_image())
}
