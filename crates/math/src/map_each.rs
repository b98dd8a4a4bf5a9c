//! What a function makes of each element of a short array.

/// Arrays of 2, 3, 4, 6 or 8 numbers, or of what else can be copied, of each of which a function makes another.
///
/// It is what `map` of the standard library does, but compiles quickly: that one is made of functions which know how to
/// drop what is done if the closure panics, about three hundred lines of LLVM for every closure. Here nothing is dropped.
pub trait MapEach {
    /// An element.
    type Item;
    /// An array of as many elements of another type.
    type Of<R>;

    /// The array of what a function makes of each element, from the first to the last.
    fn map_each<R: Copy>(self, each: impl FnMut(Self::Item) -> R) -> Self::Of<R>;
}

macro_rules! map_each {
    ($count:literal: $($item:ident)*) => {
        impl<T: Copy> MapEach for [T; $count] {
            type Item = T;
            type Of<R> = [R; $count];

            #[inline(always)]
            fn map_each<R: Copy>(self, mut each: impl FnMut(T) -> R) -> [R; $count] {
                let [$($item),*] = self;
                [$(each($item)),*]
            }
        }
    };
}

map_each!(2: a b);
map_each!(3: a b c);
map_each!(4: a b c d);
map_each!(6: a b c d e f);
map_each!(8: a b c d e f g h);

/// What a function makes of each element of an array of any length but zero, as [`MapEach::map_each`] does.
#[inline(always)]
pub fn map_lanes<T, R: Copy, const N: usize>(items: &[T; N], each: impl Fn(&T) -> R) -> [R; N] {
    const { assert!(N > 0) };
    let mut all = [each(&items[0]); N];
    for lane in 1..N {
        all[lane] = each(&items[lane]);
    }
    all
}
