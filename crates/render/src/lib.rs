//! Shapes of the Clearance collision engine as triangles and edges, and pictures of worlds.
//!
//! [`tessellate`] turns any shape into a [`Tessellation`], for programs that draw. [`svg`] draws a world of
//! the plane, [`image`] and [`png()`] one of space. Nothing here reads a clock or a
//! file or starts a thread, so all of it also runs in a browser.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod closeness;
mod directions;
mod extent;
mod faceted;
mod image;
mod round_number;
mod surface;
mod svg;
mod swept;
mod tessellate;
mod tessellation;
mod turned;
mod voxels;

#[cfg(feature = "png")]
pub use image::png::png;
pub use image::{Camera, Image, ImageError, ImageOptions, MOST_PIXELS, image};
pub use svg::{SvgOptions, svg};
pub use tessellate::{SURFACE_TOLERANCE, TessellationOptions, tessellate, tessellate_with};
pub use tessellation::Tessellation;
