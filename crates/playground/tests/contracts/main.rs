//! What the playground promises to the page.

mod accuracy;
mod page;
mod recordings;
mod requests;
mod stepper;
mod world;
