//! broadphase
