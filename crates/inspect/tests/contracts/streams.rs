//! What viewers get.

use clearance_inspect::InspectorOptions;

use crate::common::{Game, next_blocks, view};

#[test]
fn a_viewer_gets_every_frame_from_when_it_came() {
    let mut game = Game::new(5, InspectorOptions::default());
    for _ in 0..10 {
        game.step();
    }
    let mut viewer = view(game.address());
    game.wait_for_viewers(1);
    next_blocks(&mut viewer);
}
