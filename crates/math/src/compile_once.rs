//! Generic functions that are compiled in this project instead of in the program that calls them.
//!
//! A generic function is compiled in the crate that first uses it with concrete types, at the optimization
//! level of that crate. A game in a debug build would therefore run an unoptimized engine, and a release build
//! would compile the engine again after each edit of the game. [`compile_once!`] makes a generic function a
//! thin shell over two concrete ones, for [`Vec2`](crate::Vec2) and for [`Vec3`](crate::Vec3), which are
//! compiled in the crate that writes the macro, at the level of that crate. The features `dim2` and `dim3` of this crate
//! say for which dimensions. Without one of them, functions of that dimension are compiled where they are called, and
//! not at all where nobody calls them.

/// Compiles a generic function once for each dimension, in the crate that invokes the macro.
///
/// The function must have one type parameter, the vector, written without a bound. Its lifetimes
/// must be named, because the arguments become a tuple. Everything that the body calls is compiled
/// along with it, so use the macro on the few entry points of an algorithm and not on each of its
/// functions.
///
/// ```
/// use clearance::math::{Vec2, Vec3, Vector, compile_once};
///
/// compile_once! {
///     /// The sum of all components of all `points`.
///     pub fn total<'a, V>(points: &'a [V]) -> f32 {
///         points.iter().map(|point| point.dot(V::splat(1.0))).sum()
///     }
/// }
/// assert_eq!(total(&[Vec2::new(1.0, 2.0), Vec2::new(3.0, 4.0)]), 10.0);
/// assert_eq!(total(&[Vec3::ONE]), 3.0);
/// ```
#[macro_export]
macro_rules! compile_once {
    (
        $(#[$attribute:meta])*
        $visibility:vis fn $name:ident<$($lifetime:lifetime,)* $vector:ident>(
            $($argument:ident: $type:ty),* $(,)?
        ) $(-> $output:ty)? $body:block
    ) => {
        $(#[$attribute])*
        #[inline]
        $visibility fn $name<$($lifetime,)* $vector: $crate::Vector>(
            $($argument: $type),*
        ) $(-> $output)? {
            #[inline(always)]
            fn generic<$($lifetime,)* $vector: $crate::Vector>(
                $($argument: $type),*
            ) $(-> $output)? $body

            // Unit tests compile what they call, and no more.
            #[cfg(test)]
            return generic($($argument),*);

            #[cfg(not(test))]
            struct Compiled<$($lifetime),*>(core::marker::PhantomData<($(&$lifetime (),)*)>);

            #[cfg(not(test))]
            impl<$($lifetime),*> $crate::CompiledFunction for Compiled<$($lifetime),*> {
                type Input<$vector: $crate::Vector> = ($($type,)*);
                type Output<$vector: $crate::Vector> = $crate::compile_once!(@output $($output)?);

                $crate::compiled_in_plane! {
                    fn in_plane(
                        ($($argument,)*): Self::Input<$crate::Vec2>,
                    ) -> Self::Output<$crate::Vec2> {
                        generic($($argument),*)
                    }
                }
                $crate::compiled_in_space! {
                    fn in_space(
                        ($($argument,)*): Self::Input<$crate::Vec3>,
                    ) -> Self::Output<$crate::Vec3> {
                        generic($($argument),*)
                    }
                }
            }

            #[cfg(not(test))]
            <$vector as $crate::Vector>::dispatch::<Compiled<$($lifetime),*>>(($($argument,)*))
        }
    };
    (@output) => { () };
    (@output $output:ty) => { $output };
}

/// Compiles one function of the plane in the crate that invokes the macro. Without the feature `dim2` it is compiled where
/// it is called, and so not at all in a program that only works in space.
#[cfg(feature = "dim2")]
#[doc(hidden)] // macros are exported at the root of their crate
#[macro_export]
macro_rules! compiled_in_plane {
    ($($function:tt)*) => { #[inline(never)] $($function)* };
}

/// Compiles one function of the plane where it is called.
#[cfg(not(feature = "dim2"))]
#[doc(hidden)] // macros are exported at the root of their crate
#[macro_export]
macro_rules! compiled_in_plane {
    ($($function:tt)*) => { #[inline] $($function)* };
}

/// Compiles one function of space in the crate that invokes the macro. Without the feature `dim3` it is compiled where it
/// is called, and so not at all in a program that only works in the plane.
#[cfg(feature = "dim3")]
#[doc(hidden)] // macros are exported at the root of their crate
#[macro_export]
macro_rules! compiled_in_space {
    ($($function:tt)*) => { #[inline(never)] $($function)* };
}

/// Compiles one function of space where it is called.
#[cfg(not(feature = "dim3"))]
#[doc(hidden)] // macros are exported at the root of their crate
#[macro_export]
macro_rules! compiled_in_space {
    ($($function:tt)*) => { #[inline] $($function)* };
}
