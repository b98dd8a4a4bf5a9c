//! The part of the last stage that few worlds need: the ghosts among the contacts of parts.

use clearance_math::Vector;

use super::impacts::is_of_impact;
use super::select::Selection;
use crate::Contact;
use crate::bodies::Bodies;
use crate::report::lists::Report;
use crate::seams::SeamBuffers;

/// Says for each part contact whether it is a ghost, if that is wanted.
///
/// A pair at rest may have one because of a third body, so all are looked at anew if anything changed.
pub(crate) fn find_ghosts<V: Vector>(
    selection: Selection<'_>,
    bodies: &Bodies<V>,
    buffers: &mut SeamBuffers<V>,
    report: &mut Report<V>,
) {
    if matches!(selection, Selection::None) {
        return;
    }
    let impacts = &report.impacts;
    // A pair that met on its way and is out of range by the end has the contact of that time as its only part contact.
    let is_over = |contact: &Contact<V>| is_of_impact(contact, impacts);
    let parts = &mut report.parts;
    buffers.find(bodies, &parts.list, is_over, &mut parts.surface);
}
