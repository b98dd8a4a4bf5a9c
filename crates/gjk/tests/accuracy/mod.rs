//! The accuracy that is promised, checked against truths that share no method with the engine.
//!
//! A few hundred pairs a category; CLEARANCE_TEST_ITERATIONS=400 makes it 100,000, and
//! UPDATE_ACCURACY=1 writes the table in ACCURACY.md.

mod axes;
mod body;
mod categories;
mod depth;
mod features;
mod harness;
mod line;
mod pair;
mod shapes;
mod solid;
mod table;
mod truth;
