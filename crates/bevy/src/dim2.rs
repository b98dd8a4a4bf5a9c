//! The plane: everything without type parameters. [`dim3`](crate::dim3) has the same names.

use bevy_math::Vec2 as V;

crate::aliases!();
