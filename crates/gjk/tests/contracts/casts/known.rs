//! Casts whose answers are known, and hostile ones.
