//! The last stage: the contacts as the world shows them, and what became of those of the last step.

use clearance_math::Vector;

use crate::Contact;
use crate::report::Report;

/// Makes the contacts of `report` those found, which are in the order of ids.
///
/// The contacts of the last step change places with them: nothing is copied, and the next step
/// overwrites them.
pub(crate) fn report<V: Vector>(found: &mut Vec<Contact<V>>, report: &mut Report<V>) {
    core::mem::swap(found, &mut report.contacts);
    report.compare_with(found);
}
