//! What the calls of C answer is what those of Rust answer, to the last bit.

mod defects;
mod same_answers;
mod twins;
