//! clearance
