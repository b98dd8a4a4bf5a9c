//! Splitting points for building a tree.

use std::cmp::Ordering;

use clearance_math::{Aabb, Vector};

/// The centre of an item, scaled by component so that boxes are about as long as wide.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Point<V> {
    pub(crate) center: V,
    pub(crate) item: u32,
}

/// Two parts of some points.
pub(crate) type Halves<'p, V> = (&'p mut [Point<V>], &'p mut [Point<V>]);

/// How far points extend along each axis.
pub(crate) fn extent_of<V: Vector>(points: &[Point<V>]) -> V {
    let around = points.iter().fold(Aabb::empty(), |around, point| {
        around.merged(&Aabb::new(point.center, point.center))
    });
    around.max - around.min
}

/// The axis along which an extent is longest; the first of them, if there are several.
pub(crate) fn longest_axis<V: Vector>(extent: V) -> usize {
    (1..V::DIM).fold(0, |longest, k| {
        if extent.component(k) > extent.component(longest) {
            k
        } else {
            longest
        }
    })
}

/// Moves `count` of the points, fewer than there are, to the left along an axis.
pub(crate) fn split_along<V: Vector>(
    axis: usize,
    points: &mut [Point<V>],
    count: usize,
) -> Halves<'_, V> {
    if points.len() <= 8 {
        sort_few::<V, 8>(points, axis);
    } else if points.len() <= 16 {
        sort_few::<V, 16>(points, axis);
    } else {
        // Centres are finite, so this is a total order; it is cheaper than `total_cmp`.
        points.select_nth_unstable_by(count, |a, b| {
            let (a, b) = (a.center.component(axis), b.center.component(axis));
            a.partial_cmp(&b).unwrap_or(Ordering::Equal)
        });
    }
    points.split_at_mut(count)
}

/// Sorts at most `N` points (a power of two) along an axis by counting, for each of them, how many
/// come before it. That takes many comparisons, but no branches that could be predicted wrongly.
fn sort_few<V: Vector, const N: usize>(points: &mut [Point<V>], axis: usize) {
    let mut keys = [i32::MAX; N];
    for (index, (key, point)) in keys.iter_mut().zip(&*points).enumerate() {
        // Floating-point numbers as integers with the same order. Their last bits are replaced by
        // an index, so that no two are equal; the lost precision only affects how well the tree
        // fits.
        let bits = point.center.component(axis).to_bits() as i32;
        let ordered = bits ^ ((bits >> 31) & i32::MAX);
        *key = (ordered & !(N as i32 - 1)) | index as i32;
    }
    let mut ranks = [0_i32; N];
    for other in keys {
        for (rank, key) in ranks.iter_mut().zip(keys) {
            *rank += i32::from(other < key);
        }
    }
    let mut unsorted = [points[0]; N];
    unsorted[..points.len()].copy_from_slice(points);
    for (point, rank) in unsorted.iter().zip(ranks).take(points.len()) {
        points[rank as usize] = *point;
    }
}
