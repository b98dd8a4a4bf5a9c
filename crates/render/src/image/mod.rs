//! Pictures of worlds of space, drawn by a small renderer of our own.

mod bodies;
mod camera;
mod canvas;
mod contacts;
mod picture;
#[cfg(feature = "png")]
pub(crate) mod png;
mod segment;

use clearance_math::Vec3;
use clearance_world::World;

use camera::Projection;
use canvas::Canvas;

pub use picture::{Camera, Image, ImageError, ImageOptions, MOST_PIXELS};

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
    let view = Projection::new(world, options)?;
    let mut canvas = Canvas::new(options);
    bodies::draw(&mut canvas, world, &view);
    if options.contacts {
        contacts::draw(&mut canvas, world, &view);
    }
    Ok(canvas.into_image())
}
