//! The contacts of the last step, and what changed since the step before.
//!
//! `lists` are the lists that it consists of, `parts` those of part contacts, `manifolds` those of manifolds; `by_body` finds the contacts of a body.
//! `update` is how a step changes them, which `changes` and `splice` are for; `events` reads what changed.

pub(crate) mod by_body;
pub(crate) mod changes;
pub(crate) mod events;
pub(crate) mod lists;
pub(crate) mod manifolds;
pub(crate) mod parts;
pub(crate) mod splice;
mod update;
