//! What the traces show is what the algorithms do: bounds that close, sets that are what they are said to
//! be, and the answer at the end.

mod casts;
mod expansions;
