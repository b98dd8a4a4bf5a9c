use core::ops::Range;

use super::*;

/// The list of items can have more space than that of keys, for one of them when memory is given back.
#[test]
fn no_result_is_lost_where_the_lists_have_different_space() {
    let items: Vec<u64> = (0..10_000).collect();
    let work = |places: Range<usize>, found: &mut Vec<u64>| found.extend(&items[places]);
    let key_of = |&found: &u64| found as u8;
    let threads = Threads::new(2).unwrap();
    for which in 0..2 {
        let mut out = OrderedResults::default();
        threads.gather(3000, &mut out, &work, key_of);
        out.items.shrink_to_fit();
        out.keys.shrink_to_fit();
        if which == 0 {
            out.items.reserve(100_000);
        } else {
            out.keys.reserve(100_000);
        }
        out.cut_down(1100);
        threads.gather(items.len(), &mut out, &work, key_of);
        assert_eq!(out.items, items);
        assert!(out.keys.iter().copied().eq(items.iter().map(key_of)));
    }
}

#[test]
fn chunks_are_in_order_whether_more_or_less_is_found_than_before() {
    // Every `kept`-th item is found; late chunks come first, for early ones are more work.
    let gather = |threads: &Threads, out: &mut OrderedResults<u64, u8>, kept: u64| {
        let items: Vec<u64> = (0..10_000).collect();
        let work = |places: Range<usize>, found: &mut Vec<u64>| {
            let rounds = 20_000 / (places.start as u64 + 1);
            std::hint::black_box((0..rounds).map(std::hint::black_box).sum::<u64>());
            found.extend(items[places].iter().filter(|&&item| item % kept == 0));
        };
        threads.gather(items.len(), out, &work, |&found| found as u8);
    };
    let one = Threads::new(1).unwrap();
    for count in [2, 3, 8] {
        let several = Threads::new(count).unwrap();
        let (mut alone, mut shared) = (OrderedResults::default(), OrderedResults::default());
        for kept in [3, 1, 2, 20_000, 7, 1, 1, 5] {
            gather(&one, &mut alone, kept);
            gather(&several, &mut shared, kept);
            assert_eq!(alone.items, shared.items, "{count} threads");
            assert_eq!(alone.keys, shared.keys, "{count} threads");
            assert_eq!(alone.items.len(), 10_000_usize.div_ceil(kept as usize));
        }
    }
}
