//! Who may look, and where an inspector listens.

use std::net::TcpListener;
use std::time::Duration;

use clearance_inspect::{InspectError, Inspector, InspectorOptions};
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::{Error, Message};

use crate::common::{Game, connect, push, read_to_end, request_from, try_view, until, view};

#[test]
fn it_listens_on_loopback_unless_told_otherwise() {
    for address in ["0.0.0.0:0", "[::]:0", "192.0.2.1:80"] {
        let refused = Inspector::listen(address);
        assert!(
            matches!(refused, Err(InspectError::BeyondLoopback { .. })),
            "{address}: {refused:?}"
        );
    }
    let options = InspectorOptions {
        beyond_loopback: true,
        ..InspectorOptions::default()
    };
    let inspector = Inspector::listen_with("0.0.0.0:0", options).expect("it is allowed");
    assert!(inspector.address().ip().is_unspecified());
    assert_ne!(inspector.address().port(), 0);
}

#[test]
fn addresses_that_cannot_be_used_are_errors() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let taken = taken
        .local_addr()
        .map(|address| (address, taken))
        .expect("bound");
    let refused = Inspector::listen(taken.0).expect_err("the port is taken");
    assert!(matches!(refused, InspectError::Listen { .. }), "{refused}");
    let refused = Inspector::listen("nonsense").expect_err("no address");
    assert!(matches!(refused, InspectError::Listen { .. }), "{refused}");
    assert!(refused.to_string().starts_with("address: "), "{refused}");
}

#[test]
fn options_out_of_range_are_refused_by_name() {
    let fine = InspectorOptions::default;
    let cases = [
        (
            "viewers",
            InspectorOptions {
                viewers: 0,
                ..fine()
            },
        ),
        (
            "viewers",
            InspectorOptions {
                viewers: 1025,
                ..fine()
            },
        ),
        (
            "frames_waiting",
            InspectorOptions {
                frames_waiting: 0,
                ..fine()
            },
        ),
        (
            "patience",
            InspectorOptions {
                patience: Duration::ZERO,
                ..fine()
            },
        ),
        (
            "patience",
            InspectorOptions {
                patience: Duration::MAX,
                ..fine()
            },
        ),
    ];
    for (name, options) in cases {
        let refused = Inspector::listen_with("127.0.0.1:0", options).expect_err(name);
        let start = format!("InspectorOptions::{name}: is ");
        assert!(refused.to_string().starts_with(&start), "{refused}");
    }
}

#[test]
fn pages_of_other_sites_may_not_look_unless_listed() {
    let options = InspectorOptions {
        origins: vec!["https://tools.example.com".to_owned()],
        ..InspectorOptions::default()
    };
    let game = Game::new(1, options);
    let address = game.address();
    let answer = |origin| try_view(request_from(address, origin), address).map(drop);
    for origin in [
        "http://127.0.0.1:5173",
        "http://localhost",
        "http://[::1]:80",
        "https://tools.example.com",
    ] {
        assert_eq!(answer(origin), Ok(()), "{origin}");
    }
    for origin in [
        "http://example.com",
        "http://tools.example.com",
        "https://tools.example.com.evil.example",
        "http://127.0.0.1.example.com",
        "null",
        "",
    ] {
        assert_eq!(answer(origin), Err(403), "{origin}");
    }
}

#[test]
fn no_more_viewers_than_allowed_get_in() {
    let options = InspectorOptions {
        viewers: 2,
        ..InspectorOptions::default()
    };
    let mut game = Game::new(1, options);
    let first = view(game.address());
    let _second = view(game.address());
    game.wait_for_viewers(2);
    let request = request_from(game.address(), "http://localhost");
    let third = try_view(request.clone(), game.address());
    assert_eq!(third.map(drop), Err(503));
    drop(first);
    game.wait_for_viewers(1);
    assert!(try_view(request, game.address()).is_ok());
}

#[test]
fn a_browser_that_opens_the_address_reads_what_it_is() {
    let game = Game::new(1, InspectorOptions::default());
    let mut stream = connect(game.address());
    push(&mut stream, b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    let answer = String::from_utf8(read_to_end(&mut stream)).expect("text");
    assert!(answer.starts_with("HTTP/1.1 426 "), "{answer}");
    assert!(answer.contains("clearance view --attach"), "{answer}");
}

#[test]
fn dropping_it_closes_connections_and_frees_the_port() {
    let mut game = Game::new(1, InspectorOptions::default());
    let address = game.address();
    let mut viewer = view(address);
    game.wait_for_viewers(1);
    let mut half_open = connect(address);
    drop(game);
    let code = loop {
        match viewer.read().expect("a goodbye") {
            Message::Close(Some(frame)) => break frame.code,
            Message::Binary(_) => {}
            message => panic!("{message:?}"),
        }
    };
    assert_eq!(code, CloseCode::Away);
    let after = viewer.read();
    assert!(
        matches!(
            after,
            Err(Error::ConnectionClosed | Error::Io(_) | Error::Protocol(_))
        ),
        "{after:?}"
    );
    assert!(read_to_end(&mut half_open).is_empty());
    // Sockets of before may linger, but nobody listens there any more.
    assert!(std::net::TcpStream::connect(address).is_err());
}

/// Its thread waits for room in the socket, which does not come.
#[test]
fn dropping_it_does_not_wait_for_a_viewer_that_reads_nothing() {
    let options = InspectorOptions {
        patience: Duration::from_secs(600),
        ..InspectorOptions::default()
    };
    let mut game = Game::new(1, options);
    let viewer = view(game.address());
    game.wait_for_viewers(1);
    let ball = game.world.bodies().ids().last().expect("a ball");
    game.inspector.set_names([(ball, "x".repeat(24 << 20))]);
    let mut begun = [0; 1 << 16];
    until("the name is on its way", || {
        viewer.get_ref().peek(&mut begun).expect("connected") == begun.len()
    });
    drop(game);
}
