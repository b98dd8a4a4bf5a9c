//! The scenes that engines are compared on.

use clearance_scene::SceneKind;

/// Kinds and numbers of bodies.
pub const SCENES: [(SceneKind, usize); 10] = [
    (SceneKind::Balls, 10_000),
    (SceneKind::Mixed, 10_000),
    (SceneKind::Hulls, 3000),
    (SceneKind::Pile, 8000),
    (SceneKind::Sizes, 10_000),
    (SceneKind::City, 50_000),
    (SceneKind::Sparse, 100_000),
    (SceneKind::Balls2, 10_000),
    (SceneKind::Mixed2, 10_000),
    (SceneKind::Pile2, 10_000),
];

/// Kind and count in one word.
#[must_use]
pub fn name(kind: SceneKind, count: usize) -> String {
    format!("{kind}-{count}")
}
