//! The films that engines are compared on.

use clearance_benches::FilmKind;
use clearance_scene::SceneKind;

/// What they show.
pub const FILMS: [FilmKind; 13] = [
    FilmKind::Generated(SceneKind::Balls, 10_000),
    FilmKind::Generated(SceneKind::Mixed, 10_000),
    FilmKind::Generated(SceneKind::Hulls, 3000),
    FilmKind::Generated(SceneKind::Pile, 8000),
    FilmKind::Generated(SceneKind::Sizes, 10_000),
    FilmKind::Generated(SceneKind::City, 50_000),
    FilmKind::Generated(SceneKind::Sparse, 100_000),
    FilmKind::Generated(SceneKind::Balls2, 10_000),
    FilmKind::Generated(SceneKind::Mixed2, 10_000),
    FilmKind::Generated(SceneKind::Pile2, 10_000),
    FilmKind::SettlingPile,
    FilmKind::ShakenBox,
    FilmKind::Crowd,
];
