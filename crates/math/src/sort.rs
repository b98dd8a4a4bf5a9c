//! Sorts that compile quickly: for large items, and for a handful.

/// Puts items in an order, equal ones in any.
///
/// The sorts of the standard library are dozens of functions for each type and each order: a quarter of what LLVM had to
/// do for a world. This one is a heapsort (J. W. J. Williams, 1964), two short functions: no memory, and never more than
/// about `2 n log2(n)` comparisons; one pass where the items are in order already.
/// Long lists of numbers are sorted faster by `sort_unstable`.
pub fn heap_sort<T>(items: &mut [T], is_less: impl Fn(&T, &T) -> bool) {
    let mut sorted = 1;
    while sorted < items.len() && !is_less(&items[sorted], &items[sorted - 1]) {
        sorted += 1;
    }
    if sorted >= items.len() {
        return;
    }
    for first in (0..items.len() / 2).rev() {
        sift_down(items, first, &is_less);
    }
    for last in (1..items.len()).rev() {
        items.swap(0, last);
        sift_down(&mut items[..last], 0, &is_less);
    }
}

/// Moves the last item of a heap, whose greatest item is the first, up to where it belongs.
pub fn sift_up<T>(heap: &mut [T], is_less: &impl Fn(&T, &T) -> bool) {
    let mut place = heap.len().saturating_sub(1);
    while place > 0 && is_less(&heap[(place - 1) / 2], &heap[place]) {
        heap.swap((place - 1) / 2, place);
        place = (place - 1) / 2;
    }
}

/// Moves an item of a heap, whose greatest item is the first, down to where it belongs.
pub fn sift_down<T>(heap: &mut [T], mut place: usize, is_less: &impl Fn(&T, &T) -> bool) {
    loop {
        let mut greatest = place;
        for child in 2 * place + 1..heap.len().min(2 * place + 3) {
            if is_less(&heap[greatest], &heap[child]) {
                greatest = child;
            }
        }
        if greatest == place {
            return;
        }
        heap.swap(place, greatest);
        place = greatest;
    }
}

/// Puts a handful of items in an order; equal ones keep theirs. Its cost grows with the square of their number.
pub fn insertion_sort<T>(items: &mut [T], is_less: impl Fn(&T, &T) -> bool) {
    for end in 1..items.len() {
        let mut at = end;
        while at > 0 && is_less(&items[at], &items[at - 1]) {
            items.swap(at - 1, at);
            at -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_sorted_whatever_their_order_was() {
        for count in (0..40).chain([1_000]) {
            // A walk through the numbers below a prime, some of them made equal.
            for equal in [1, 7, 1_000] {
                let mut items: Vec<u64> = (0..count).map(|k| k * 48_271 % 1_009 / equal).collect();
                // Pairs of an item and its place, sorted by the item alone: the places show that equal ones keep their order.
                let mut few: Vec<(u64, u64)> = items.iter().copied().zip(0..).take(16).collect();
                let mut sorted = few.clone();
                sorted.sort_by_key(|item| item.0);
                insertion_sort(&mut few, |a, b| a.0 < b.0);
                assert_eq!(few, sorted);
                let mut expected = items.clone();
                expected.sort_unstable();
                heap_sort(&mut items, |a, b| a < b);
                assert_eq!(items, expected);
                heap_sort(&mut items, |a, b| a > b);
                expected.reverse();
                assert_eq!(items, expected);
                let mut heap = Vec::new();
                for (k, item) in expected.iter().rev().enumerate() {
                    heap.push(item * (k as u64 % 3));
                    sift_up(&mut heap, &|a, b| a < b);
                    assert_eq!(heap.first(), heap.iter().max());
                }
            }
        }
    }
}
