//! Programs that use Clearance; run one by `cargo run --release -p clearance-examples --example NAME`.
//!
//! * `character`: a hero on terrain, stairs, ramps, tiles and a lift, by move and slide.
//! * `closest_points_2d`, `closest_points_3d`: the distance of two shapes.
//! * `custom_shape`: a superellipsoid, which the engine does not know, among other shapes.
//! * `game_loop`: a player, walls and coins in steps of fixed length.
//! * `platformer`: a game on tiles: slopes, a ladder, a lift, platforms to jump through, coins.
//! * `digging`: a map of cells that is dug and built while things walk on it.
//! * `stack`: ten boxes at rest on each other, by a solver with warm starting, in the plane and in space.
//! * `stress`: 10,000 moving bodies, and where the time of a frame goes.
//! * `trace_gjk`: the iterations of GJK for one distance.
//!
//! Those in `tools` use more than the engine, and more packages (`-p clearance-tool-examples`):
//!
//! * `backends`: three broad phases, one answer.
//! * `inspected_game`: balls in a room, to look at in the browser while they bounce.
//! * `level`: 500 bodies fall about in a mesh from a file; rays for sight, the nearest gem.
//! * `picture`: bodies of the plane and their closest points, drawn as SVG.
//! * `tiled`: a hero in a map of the editor Tiled, with slopes and planks.
