//! Contacts in the order of their parts.

use arrayvec::ArrayVec;
use clearance_math::Vector;
use clearance_math::internal::heap_sort;

use crate::answer::Separation;

/// Up to so many contacts are sorted by way of their numbers.
const FEW: usize = 1 << PLACE_BITS;

/// The bits of a key that are the place of a contact; the others are the number of its part.
const PLACE_BITS: u32 = 10;

/// From so many keys on counting them is faster than comparing them.
const MANY: usize = 128;

/// The bits of a key by which it is sorted in each of two passes.
const DIGIT_BITS: u32 = 9;

const DIGITS: usize = 1 << DIGIT_BITS;

/// Up to so many large items are moved once each.
const MOST_MOVED_ONCE: usize = 64;

/// Sorts large items by their keys, equal ones in any order. Few of them, as usual, move once, to where they belong.
pub fn sort_large<T, K: PartialOrd>(items: &mut [T], key: impl Fn(&T) -> K) {
    if items.len() > MOST_MOVED_ONCE {
        return heap_sort(items, |a, b| key(a) < key(b));
    }
    let mut places = ArrayVec::<_, MOST_MOVED_ONCE>::new();
    places.extend(items.iter().map(key).zip(0..));
    heap_sort(&mut places, |a, b| a < b);
    for place in 0..places.len() {
        let mut from = places[place].1;
        // What was at an earlier place is where that one's was.
        while from < place {
            from = places[from].1;
        }
        if from > place {
            items.swap(place, from);
        }
    }
}

/// Sorts contacts, no two of which are of the same parts.
pub(super) fn sort_by_parts<V: Vector>(contacts: &mut Vec<Separation<V>>) {
    let count = contacts.len();
    if count < 2 {
        return;
    }
    let (mut most_a, mut most_b, mut least) = (0, 0, u32::MAX);
    for contact in &*contacts {
        most_a = most_a.max(contact.part_a);
        most_b = most_b.max(contact.part_b);
        least = least.min(contact.part_a | contact.part_b);
    }
    let is_of_one_part = most_a == 0 || most_b == 0;
    if count > FEW || !is_of_one_part || (most_a | most_b) - least >= 1 << (32 - PLACE_BITS) {
        return sort_large(contacts, |contact| (contact.part_a, contact.part_b));
    }
    // Contacts are large: keys are sorted first, and then each contact is moved once.
    let mut keys = ArrayVec::<u32, FEW>::new();
    keys.extend(contacts.iter().zip(0..).map(|(contact, place): (_, u32)| {
        let number = (contact.part_a | contact.part_b) - least;
        number << PLACE_BITS | place
    }));
    if count < MANY || (most_a | most_b) - least >= 1 << (2 * DIGIT_BITS) {
        keys.sort_unstable();
    } else {
        sort_by_digits(&mut keys);
    }
    // Copied from beside: in place, a contact would be copied by way of the stack, and wait there.
    contacts.extend_from_within(..);
    let (sorted, unsorted) = contacts.split_at_mut(count);
    for (contact, &key) in sorted.iter_mut().zip(&keys) {
        *contact = unsorted[key as usize % FEW];
    }
    contacts.truncate(count);
}

/// Sorts keys whose numbers have two digits: by counting, the low digit first.
fn sort_by_digits(keys: &mut [u32]) {
    let digit = |key: u32, which: usize| {
        (key >> (PLACE_BITS + DIGIT_BITS * which as u32)) as usize % DIGITS
    };
    let mut ends = [[0_u16; DIGITS]; 2];
    for &key in &*keys {
        ends[0][digit(key, 0)] += 1;
        ends[1][digit(key, 1)] += 1;
    }
    for ends in &mut ends {
        let mut sum = 0;
        for end in ends {
            sum += *end;
            *end = sum;
        }
    }
    let mut by_low_digit = [0; FEW];
    let by_low_digit = &mut by_low_digit[..keys.len()];
    distribute(keys, by_low_digit, |key| digit(key, 0), &mut ends[0]);
    distribute(by_low_digit, keys, |key| digit(key, 1), &mut ends[1]);
}

/// Puts keys where those of equal digits belong, in their order. `ends` says where the keys of each digit end.
#[inline(always)]
fn distribute(
    from: &[u32],
    to: &mut [u32],
    digit: impl Fn(u32) -> usize,
    ends: &mut [u16; DIGITS],
) {
    for &key in from.iter().rev() {
        let end = &mut ends[digit(key)];
        *end -= 1;
        to[usize::from(*end)] = key;
    }
}

#[cfg(test)]
mod tests {
    use clearance_math::{DVec2, Vec2};

    use super::*;
    use crate::answer::Status;

    /// A contact that carries its parts in its points, too.
    fn contact(part_a: u32, part_b: u32) -> Separation<Vec2> {
        Separation {
            distance: 0.0,
            lower: 0.0,
            upper: 0.0,
            normal: Vec2::X,
            position_a: DVec2::splat(part_a.into()),
            position_b: DVec2::splat(part_b.into()),
            part_a,
            part_b,
            status: Status::Exact,
        }
    }

    #[test]
    fn contacts_are_sorted_by_the_parts_of_either_side_or_both() {
        let sides: [fn(u32) -> [u32; 2]; 3] = [
            |number| [number, 0],
            |number| [0, number],
            |number| [number % 7, number],
        ];
        // Numbers of two digits, of more, and of more bits than a key has for them; far from zero, too.
        let ranges = [(1, 0), (1, 3_000_000_000), (60, 5), (60_000, 1)];
        for (side, (step, least)) in sides.into_iter().flat_map(|side| ranges.map(|r| (side, r))) {
            let few = [0, 1, 2, 5, 40, MOST_MOVED_ONCE, MOST_MOVED_ONCE + 1];
            let many = [MANY - 1, MANY, 500, FEW, FEW + 1, 3 * FEW];
            for count in few.into_iter().chain(many) {
                // A walk through all numbers below a prime, each of which comes once.
                let walk = |k: u64| (k * 48_271 % 65_537) as u32 * step + least;
                let numbers = (0..count as u64).map(walk);
                let mut sorted: Vec<_> = numbers
                    .map(side)
                    .map(|[part_a, part_b]| contact(part_a, part_b))
                    .collect();
                let mut expected = sorted.clone();
                expected.sort_by_key(|contact| (contact.part_a, contact.part_b));
                sort_by_parts(&mut sorted);
                assert_eq!(sorted, expected);
            }
        }
    }
}
