//! Taking many items out of a list and putting many into it, in one pass that moves whole runs.

use clearance_math::Vector;

use super::changes::Found;

/// Takes out the items at `places`, which ascend.
pub(super) fn take_out<T: Copy>(list: &mut Vec<T>, places: &[usize]) {
    let Some(&first) = places.first() else {
        return;
    };
    let mut end = first;
    for (index, place) in places.iter().enumerate() {
        let next = places.get(index + 1).copied().unwrap_or(list.len());
        list.copy_within(place + 1..next, end);
        end += next - place - 1;
    }
    list.truncate(end);
}

/// An item of another list that is to be put into this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Insertion {
    /// The item of this list before which it goes.
    pub(crate) before: usize,
    /// Its place in the other list.
    pub(crate) from: usize,
}

/// Puts items of `others` into the list; the insertions ascend.
pub(crate) fn put_in<T: Copy>(list: &mut Vec<T>, others: &[T], insertions: &[Insertion]) {
    let mut end = list.len();
    // Every new item is overwritten: these are only of the right number.
    list.extend(insertions.iter().map(|insertion| others[insertion.from]));
    for (earlier, insertion) in insertions.iter().enumerate().rev() {
        let place = insertion.before + earlier;
        list.copy_within(insertion.before..end, place + 1);
        list[place] = others[insertion.from];
        end = insertion.before;
    }
}

/// Puts contacts of other pairs among those that were found. Both are sorted; `insertions` is overwritten.
pub(crate) fn put_among<V: Vector>(
    found: &mut Found<V>,
    others: &Found<V>,
    insertions: &mut Vec<Insertion>,
) {
    insertions.clear();
    let mut before = 0;
    for (from, other) in others.keys.iter().enumerate() {
        let rest = &found.keys[before..];
        before += rest.partition_point(|key| key.pair() < other.pair());
        insertions.push(Insertion { before, from });
    }
    put_in(&mut found.items, &others.items, insertions);
    put_in(&mut found.keys, &others.keys, insertions);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every way to take items out of a short list.
    #[test]
    fn items_are_taken_out_wherever_they_are() {
        for length in 0..8_usize {
            let list: Vec<usize> = (0..length).collect();
            for chosen in 0_usize..1 << length {
                let is_chosen = |place: &usize| chosen >> place & 1 == 1;
                let places: Vec<usize> = (0..length).filter(is_chosen).collect();
                let mut rest = list.clone();
                take_out(&mut rest, &places);
                let expected: Vec<usize> = (0..length).filter(|p| !is_chosen(p)).collect();
                assert_eq!(rest, expected, "{places:?} of {length}");
            }
        }
    }

    /// Every way to put odd numbers among even ones, up to two before each of them.
    #[test]
    fn items_are_put_in_wherever_they_belong() {
        for length in 0..5_usize {
            let list: Vec<usize> = (0..length).map(|k| 10 * k).collect();
            for ways in 0..3_usize.pow(length as u32 + 1) {
                let mut expected = list.clone();
                let mut others = Vec::new();
                let mut insertions = Vec::new();
                for before in 0..=length {
                    for k in 1..=ways / 3_usize.pow(before as u32) % 3 {
                        let from = others.len();
                        others.push((10 * before + k).wrapping_sub(5));
                        insertions.push(Insertion { before, from });
                    }
                }
                expected.extend(&others);
                expected.sort_by_key(|item| item.wrapping_add(5));
                let mut longer = list.clone();
                put_in(&mut longer, &others, &insertions);
                assert_eq!(longer, expected);
            }
        }
    }
}
