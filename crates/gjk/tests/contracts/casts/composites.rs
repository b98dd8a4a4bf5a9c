//! Composites in motion: the answer is the first of those of all pairs of parts.
