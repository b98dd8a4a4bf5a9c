//! The last stage: the contacts as the world shows them, and what became of those of the last step.

use clearance_math::Vector;

use crate::Contact;
use crate::mark::Mark;
use crate::report::Report;
use crate::threads::Gathered;

/// Makes the contacts of `report` those found, which are in the order of ids.
///
/// The contacts of the last step change place with them: nothing is copied, and the next step
/// overwrites them.
pub(crate) fn report<V: Vector>(found: &mut Gathered<Contact<V>, Mark>, report: &mut Report<V>) {
    report.turn_to(found);
}
