//! Programs that use Clearance; run one by `cargo run --release --example NAME`.
//!
//! * `closest_points_2d`, `closest_points_3d`: one question about two shapes.
//! * `game_loop`: a player, walls and pick-ups in steps of fixed length.
//! * `stress`: 10,000 moving bodies, and where the time of a frame goes.
//! * `backends`: three broad phases, one answer.
//! * `trace_gjk`: the iterations behind one distance.
//! * `picture`: bodies of the plane and their closest points, drawn as SVG.
