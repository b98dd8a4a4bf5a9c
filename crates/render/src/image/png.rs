//! Pictures as PNG files.

use clearance_math::Vec3;
use clearance_world::World;

use super::image;
use super::picture::{Image, ImageError, ImageOptions};

/// The bytes of a PNG file with the picture of a world that [`image`] draws.
///
/// Equal worlds give equal bytes with one version of this library.
///
/// # Errors
/// Those of [`image`].
pub fn png(world: &World<Vec3>, options: &ImageOptions) -> Result<Vec<u8>, ImageError> {
    let picture = image(world, options)?;
    let mut bytes = Vec::new();
    let Ok(()) = encode(&picture, &mut bytes) else {
        unreachable!("the pixels are as many as the header says, and memory takes all bytes");
    };
    Ok(bytes)
}

fn encode(picture: &Image, bytes: &mut Vec<u8>) -> Result<(), png::EncodingError> {
    let mut encoder = png::Encoder::new(bytes, picture.width, picture.height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&picture.pixels)?;
    writer.finish()
}
