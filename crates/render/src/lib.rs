//! Shapes of the Clearance collision engine as triangles and edges, for programs that draw them.
//!
//! [`tessellate`] turns any shape into a [`Tessellation`]. It reads no clock and no file and starts no
//! thread, so it also runs in a browser.

mod directions;
mod faceted;
mod surface;
mod swept;
mod tessellate;
mod tessellation;
mod turned;

pub use tessellate::{SURFACE_TOLERANCE, TessellationOptions, tessellate, tessellate_with};
pub use tessellation::Tessellation;
