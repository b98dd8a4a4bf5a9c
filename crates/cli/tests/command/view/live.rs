//! A scene that a page follows and controls.

use super::served::{Served, scene_file};

#[test]
fn a_page_gets_frames() {
    let served = Served::new(&[&scene_file("live.json", "balls2", "20")]);
    let mut socket = served.follow(None).expect("there is room");
    for _ in 0..20 {
        assert!(socket.read().expect("a frame").is_binary());
    }
}
