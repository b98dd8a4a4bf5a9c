//! The last stage: one list of contacts, and what became of those of the last step.

use clearance_math::Vector;

use crate::Contact;
use crate::report::Report;

/// Makes the contacts of `report` those of all chunks in their order, which is that of the ids.
///
/// The contacts of the last step change places with the first chunk: nothing is copied without
/// threads, and the next step overwrites them.
pub(crate) fn report<V: Vector>(found: &mut [Vec<Contact<V>>], report: &mut Report<V>) {
    let [first, rest @ ..] = found else {
        return;
    };
    core::mem::swap(first, &mut report.contacts);
    for chunk in rest {
        report.contacts.append(chunk);
    }
    report.compare_with(first);
}
