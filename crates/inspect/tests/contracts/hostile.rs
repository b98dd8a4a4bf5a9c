//! Clients that do not behave.

use std::time::Duration;

use clearance_inspect::InspectorOptions;
use tungstenite::{Bytes, Message};

use crate::common::{
    Game, Socket, connect, impatient, next_blocks_while, push, read_to_end, request, view,
};

/// Bytes without a meaning, always the same.
fn noise(length: usize) -> Vec<u8> {
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    let bytes = core::iter::repeat_with(|| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    });
    bytes.take(length).collect()
}

/// The first request of a viewer, byte by byte.
fn handshake() -> Vec<u8> {
    b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
      Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        .to_vec()
}

/// The game goes on, and so does a viewer who was there before and one who comes now.
fn still_works(game: &mut Game, before: &mut Socket) {
    next_blocks_while_stepping(game, before);
    let mut now = view(game.address());
    next_blocks_while_stepping(game, &mut now);
}

fn next_blocks_while_stepping(game: &mut Game, viewer: &mut Socket) {
    let blocks = next_blocks_while(viewer, || game.step());
    assert!(!blocks.is_empty());
}

#[test]
fn garbage_instead_of_a_request_is_closed() {
    let mut game = Game::new(2, InspectorOptions::default());
    let mut viewer = view(game.address());
    let long_header = [b"GET / HTTP/1.1\r\nCookie: ".to_vec(), vec![b'x'; 1 << 20]].concat();
    let no_key = b"GET / HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n";
    for garbage in [
        noise(100_000),
        vec![0; 1 << 20],
        vec![b'\n'; 70_000],
        long_header,
        no_key.to_vec(),
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03".repeat(100),
        [handshake(), noise(1000)].concat(),
    ] {
        let mut stream = connect(game.address());
        push(&mut stream, &garbage);
        read_to_end(&mut stream);
    }
    still_works(&mut game, &mut viewer);
}

#[test]
fn garbage_after_the_request_is_closed() {
    let mut game = Game::new(2, InspectorOptions::default());
    let mut viewer = view(game.address());
    let unmasked = b"\x82\x05hello".to_vec();
    let reserved_bits = b"\xf2\x80\0\0\0\0".to_vec();
    let huge = b"\x82\xff\x7f\xff\xff\xff\xff\xff\xff\xff\0\0\0\0".to_vec();
    let lone_continuation = b"\x80\x80\0\0\0\0".to_vec();
    let not_utf8 = b"\x81\x82\0\0\0\0\xff\xfe".to_vec();
    let long_ping = [b"\x89\xfe\x01\x00\0\0\0\0".to_vec(), vec![0; 256]].concat();
    for garbage in [
        noise(50_000),
        unmasked,
        reserved_bits,
        huge,
        lone_continuation,
        not_utf8,
        long_ping,
    ] {
        let mut stream = connect(game.address());
        push(&mut stream, &handshake());
        game.wait_for_viewers(2);
        push(&mut stream, &garbage);
        game.wait_for_viewers(1);
        read_to_end(&mut stream);
    }
    still_works(&mut game, &mut viewer);
}

#[test]
fn messages_are_limited_in_size_and_number() {
    let mut game = Game::new(2, InspectorOptions::default());
    let mut viewer = view(game.address());
    let mut talker = view(game.address());
    game.wait_for_viewers(2);
    for _ in 0..10 {
        talker
            .send(Message::text("what nobody reads"))
            .expect("room");
        talker.send(Message::binary(vec![0; 4096])).expect("room");
    }
    next_blocks_while_stepping(&mut game, &mut talker);
    let _ = talker.send(Message::binary(vec![0; 4097]));
    game.wait_for_viewers(1);
    let flood: Vec<u8> = b"\x89\x80\0\0\0\0".repeat(100_000);
    let mut flooder = connect(game.address());
    push(&mut flooder, &handshake());
    game.wait_for_viewers(2);
    push(&mut flooder, &flood);
    // Whether it is closed for that depends on how much arrives at once.
    drop(flooder);
    game.wait_for_viewers(1);
    still_works(&mut game, &mut viewer);
}

#[test]
fn connections_that_ask_for_nothing_are_closed() {
    let mut game = Game::new(2, impatient());
    let mut silent = connect(game.address());
    let mut begins = connect(game.address());
    push(&mut begins, &handshake()[..40]);
    let mut drips = connect(game.address());
    // A byte now and then is no request.
    let dripping = std::thread::spawn(move || {
        for byte in handshake() {
            push(&mut drips, &[byte]);
            std::thread::sleep(Duration::from_millis(20));
        }
        read_to_end(&mut drips)
    });
    assert!(read_to_end(&mut silent).is_empty());
    assert!(read_to_end(&mut begins).is_empty());
    assert!(dripping.join().expect("read").is_empty());
    assert_eq!(game.inspector.viewers(), 0);
    let mut viewer = view(game.address());
    next_blocks_while_stepping(&mut game, &mut viewer);
}

#[test]
fn half_open_connections_do_not_keep_viewers_out() {
    let options = InspectorOptions {
        viewers: 2,
        patience: Duration::from_secs(600),
        ..InspectorOptions::default()
    };
    let mut game = Game::new(2, options);
    let mut half_open: Vec<_> = (0..20).map(|_| connect(game.address())).collect();
    let mut viewer = view(game.address());
    next_blocks_while_stepping(&mut game, &mut viewer);
    // The first made room for the last.
    assert!(read_to_end(&mut half_open[0]).is_empty());
    still_works(&mut game, &mut viewer);
}

#[test]
fn viewers_that_vanish_are_forgotten() {
    let mut game = Game::new(2, impatient());
    let gone = view(game.address());
    game.wait_for_viewers(1);
    drop(gone);
    game.wait_for_viewers(0);
    // This one is there but never answers, as if its cable had been pulled.
    let mute = view(game.address());
    game.wait_for_viewers(1);
    game.wait_for_viewers(0);
    drop(mute);
    let mut viewer = view(game.address());
    still_works(&mut game, &mut viewer);
}

#[test]
fn viewers_that_answer_stay_though_the_game_is_paused() {
    let mut game = Game::new(2, impatient());
    let mut viewer = view(game.address());
    game.wait_for_viewers(1);
    let mut pings = 0;
    while pings < 5 {
        match viewer.read().expect("the connection lasts") {
            Message::Ping(_) => pings += 1,
            Message::Binary(_) => {}
            message => panic!("{message:?}"),
        }
    }
    assert_eq!(game.inspector.viewers(), 1);
    viewer.send(Message::Ping(Bytes::new())).expect("connected");
    still_works(&mut game, &mut viewer);
}

#[test]
fn a_request_in_pieces_is_one_request() {
    let mut game = Game::new(2, InspectorOptions::default());
    let mut stream = connect(game.address());
    for piece in handshake().chunks(7) {
        push(&mut stream, piece);
        std::thread::sleep(Duration::from_millis(1));
    }
    game.wait_for_viewers(1);
    assert!(request(game.address()).uri().path() == "/");
}
