//! A scene that pages follow and control.

use std::net::TcpStream;
use std::time::Duration;

use clearance_recording::{AnyPlayer, PlayerOptions};
use tungstenite::{Error, Message, WebSocket};

use super::served::{Served, WAIT, scene_file};
use crate::common::{json, run};

/// A page that plays what it gets.
struct Page {
    socket: WebSocket<TcpStream>,
    player: Option<AnyPlayer>,
}

impl Page {
    fn new(served: &Served) -> Self {
        Self {
            socket: served.follow(None).expect("there is room"),
            player: None,
        }
    }

    /// The next message, or nothing if none comes for so long.
    fn read_within(&mut self, wait: Duration) -> Option<Message> {
        let stream = self.socket.get_ref();
        stream.set_read_timeout(Some(wait)).expect("not zero");
        match self.socket.read() {
            Ok(message) => Some(message),
            Err(Error::Io(_)) => None,
            Err(error) => panic!("{error}"),
        }
    }

    fn play(&mut self, blocks: &[u8]) {
        match &mut self.player {
            Some(player) => assert_eq!(player.push(blocks), Ok(1)),
            None => {
                let player = AnyPlayer::live(blocks, PlayerOptions::default());
                self.player = Some(player.expect("a header"));
            }
        }
    }

    /// Plays one more message of frames.
    fn next_frame(&mut self) {
        loop {
            if let Message::Binary(blocks) = self.read_within(WAIT).expect("a frame") {
                return self.play(&blocks);
            }
        }
    }

    /// Plays until nothing more comes.
    fn play_to_the_end(&mut self) {
        while let Some(message) = self.read_within(Duration::from_secs(1)) {
            if let Message::Binary(blocks) = message {
                self.play(&blocks);
            }
        }
    }

    fn say(&mut self, order: &str) {
        self.socket.send(Message::text(order)).expect("sent");
    }

    fn player(&self) -> &AnyPlayer {
        self.player.as_ref().expect("a frame came")
    }

    fn frame(&self) -> u64 {
        self.player().frame()
    }

    /// The hash of the contacts that it shows, which must be the recorded one.
    fn hash(&self) -> u64 {
        let hash = match self.player() {
            AnyPlayer::Plane(player) => player.world().contacts_hash(),
            AnyPlayer::Space(player) => player.world().contacts_hash(),
        };
        assert_eq!(self.player().recorded_hash().unwrap_or(hash), hash);
        hash
    }
}

#[test]
fn pages_see_the_contacts_that_a_run_has() {
    const FRAMES: usize = 40;
    for (kind, options) in [
        ("mixed", &["--threads", "2"][..]),
        ("pile2", &["--backend", "brute"]),
        ("level", &[]),
    ] {
        let file = scene_file(&format!("{kind}-run.json"), kind, "150");
        let frames = FRAMES.to_string();
        let ran = run(&["run", &file, "--hash", "--frames", &frames]);
        let words = ran
            .out
            .lines()
            .filter_map(|line| line.split(' ').next_back());
        let expected: Vec<u64> = words
            .map(|word| u64::from_str_radix(word, 16).expect("a hash"))
            .collect();
        let served = Served::new(&[&[file.as_str()], options].concat());
        let mut page = Page::new(&served);
        // It begins with the scene before its first step.
        page.next_frame();
        for (&expected, frame) in expected.iter().zip(1..) {
            page.next_frame();
            assert_eq!(page.hash(), expected, "{kind}, frame {frame}");
        }
    }
}

#[test]
fn a_page_pauses_steps_and_runs_the_scene() {
    let served = Served::new(&[&scene_file("orders.json", "mixed2", "60")]);
    let mut page = Page::new(&served);
    page.next_frame();
    page.say(r#"{"do":"pause"}"#);
    page.play_to_the_end();
    let paused = page.frame();
    for step in 1..=3 {
        page.say(r#"{"do":"step"}"#);
        page.next_frame();
        assert_eq!(page.frame(), paused + step);
    }
    // Somebody who comes while it is paused sees where it stands, and orders are for all.
    let mut other = Page::new(&served);
    other.next_frame();
    assert_eq!(other.frame(), page.frame());
    other.say(r#"{"do":"step"}"#);
    other.next_frame();
    page.next_frame();
    assert_eq!((other.frame(), other.hash()), (page.frame(), page.hash()));
    page.say(r#"{"do":"speed","factor":4}"#);
    page.say(r#"{"do":"run"}"#);
    for _ in 0..20 {
        page.next_frame();
        other.next_frame();
        assert_eq!((other.frame(), other.hash()), (page.frame(), page.hash()));
    }
}

#[test]
fn orders_that_are_none_are_answered_and_change_nothing() {
    let served = Served::new(&[&scene_file("no-orders.json", "balls2", "20")]);
    let mut page = Page::new(&served);
    page.say(r#"{"do":"pause"}"#);
    page.play_to_the_end();
    let paused = page.frame();
    for (order, start) in [
        ("", "not JSON: "),
        ("{}", "do: is null, must be "),
        (r#"{"do":"fly"}"#, "do: is \"fly\", must be "),
        (r#"{"do":"speed","factor":0}"#, "factor: is 0, must be "),
        (r#"{"do":"speed"}"#, "factor: is null, must be "),
    ] {
        page.say(order);
        let answer = page.read_within(WAIT).expect("an answer");
        let answer = json(answer.to_text().expect("text"));
        let why = answer["error"].as_str().expect("a sentence");
        assert!(why.starts_with(start), "{order}: {why}");
    }
    page.socket
        .send(Message::binary(vec![1, 2, 3]))
        .expect("sent");
    page.say(r#"{"do":"step"}"#);
    page.next_frame();
    assert_eq!(page.frame(), paused + 1);
}

#[test]
fn a_scene_waits_while_nobody_looks() {
    let served = Served::new(&[&scene_file("waits.json", "balls2", "20")]);
    let mut page = Page::new(&served);
    page.next_frame();
    page.say(r#"{"do":"speed","factor":16}"#);
    for _ in 0..5 {
        page.next_frame();
    }
    drop(page);
    // Long enough for some thousand frames, if it did not wait.
    std::thread::sleep(Duration::from_secs(4));
    let mut page = Page::new(&served);
    page.next_frame();
    assert!(page.frame() < 2000, "{}", page.frame());
}
