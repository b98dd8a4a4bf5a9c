//! Space: everything without type parameters. [`dim2`](crate::dim3) has the same names.

use bevy_math::Vec3 as V;

crate::aliases!();
