//! Splitting points for building a tree.

use std::cmp::Ordering;

use clearance_math::{Aabb, Vector};

/// The centre of an item, scaled by component so that boxes are about as long as wide.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point<V> {
    pub(super) center: V,
    pub(super) item: u32,
}

/// Two parts of some points.
pub(super) type Halves<'p, V> = (&'p mut [Point<V>], &'p mut [Point<V>]);

/// Whether most boxes with their centres at these points overlap each other: the points extend over
/// no more than the size of a box, which is the unit.
pub(super) fn are_in_one_place<V: Vector>(points: &[Point<V>]) -> bool {
    let around = points.iter().fold(Aabb::empty(), |around, point| {
        around.merged(&Aabb::new(point.center, point.center))
    });
    let extent = around.max - around.min;
    (0..V::DIM).all(|k| extent.component(k) <= 1.0)
}

/// Moves `count` of the points, or all if there are fewer, to the left along the longest side.
pub(super) fn split<V: Vector>(points: &mut [Point<V>], count: usize) -> Halves<'_, V> {
    if count >= points.len() {
        return points.split_at_mut(points.len());
    }
    let around = points.iter().fold(Aabb::empty(), |around, point| {
        around.merged(&Aabb::new(point.center, point.center))
    });
    let extent = around.max - around.min;
    let axis = (1..V::DIM).fold(0, |longest, k| {
        if extent.component(k) > extent.component(longest) {
            k
        } else {
            longest
        }
    });
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
