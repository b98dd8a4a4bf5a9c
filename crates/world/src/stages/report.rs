//! The last stage: the contacts as the world shows them, and what changed since the last step.

use clearance_math::Vector;

use super::Selection;
use crate::report::{Changes, Found, Report};

/// Puts `found`, the contacts among the selected pairs, into the report, and notes what changed. The contacts of
/// all other pairs stay.
pub(crate) fn report<V: Vector>(
    selection: Selection<'_>,
    found: &mut Found<V>,
    changes: &mut Changes,
    report: &mut Report<V>,
) {
    match selection {
        Selection::None => report.keep_all(),
        Selection::Some { changed, .. } => report.replace_some(found, changed, changes),
        Selection::All(_) => report.replace_all(found),
    }
}
