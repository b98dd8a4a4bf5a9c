//! The last stage: one list of contacts.

use clearance_math::Vector;

use crate::Contact;

/// Hands the room of the last contacts to the first chunk, so that there is no second list as long.
pub(crate) fn recycle<V: Vector>(contacts: &mut Vec<Contact<V>>, found: &mut Vec<Vec<Contact<V>>>) {
    if found.is_empty() {
        found.push(Vec::new());
    }
    core::mem::swap(&mut found[0], contacts);
}

/// Makes `contacts` the contacts of all chunks in their order, which is that of the ids.
///
/// Without threads there is one chunk, and nothing is copied.
pub(crate) fn report<V: Vector>(found: &mut [Vec<Contact<V>>], contacts: &mut Vec<Contact<V>>) {
    let [first, rest @ ..] = found else {
        return;
    };
    core::mem::swap(first, contacts);
    for chunk in rest {
        contacts.append(chunk);
    }
}
