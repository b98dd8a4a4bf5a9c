//! Who is answered, and clients that do not behave.

use std::io::{Read, Write};

use super::served::{Served, scene_file};

#[test]
fn only_names_of_loopback_are_answered() {
    let served = Served::new(&[]);
    let port = served.address.port();
    for host in [
        format!("localhost:{port}"),
        "127.0.0.1".to_owned(),
        format!("[::1]:{port}"),
    ] {
        assert_eq!(served.get_from("/", &host).status, 200, "{host}");
    }
    for host in [
        "example.com",
        "127.0.0.1.example.com",
        "example.com:80",
        "192.168.0.7",
        "",
    ] {
        for path in ["/", "/session.json", "/input", "/live"] {
            let answer = served.get_from(path, host);
            assert_eq!(answer.status, 403, "{host} {path}");
        }
    }
    let twice =
        "GET / HTTP/1.1\r\nHost: localhost\r\nHost: example.com\r\nConnection: close\r\n\r\n";
    assert_eq!(served.ask(twice).status, 403);
    assert_eq!(served.ask("GET / HTTP/1.0\r\n\r\n").status, 403);
}

#[test]
fn answers_say_what_the_page_may_do() {
    let served = Served::new(&[]);
    for path in ["/", "/session.json", "/no-such-file"] {
        let answer = served.get(path);
        let policy = answer.header("content-security-policy");
        assert!(
            policy.starts_with("default-src 'self'; script-src 'self' 'wasm-unsafe-eval';"),
            "{policy}"
        );
        assert!(!policy.contains("unsafe-inline"), "{policy}");
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
        assert_eq!(answer.header("cache-control"), "no-store");
        assert_eq!(answer.header("access-control-allow-origin"), "");
    }
}

#[test]
fn nothing_can_be_sent_to_it() {
    let served = Served::new(&[]);
    for method in ["POST", "PUT", "DELETE", "OPTIONS"] {
        for path in ["/", "/session.json", "/input"] {
            let head =
                format!("{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n");
            let answer = served.ask(&format!("{head}Content-Length: 2\r\n\r\nhi"));
            assert_eq!(answer.status, 405, "{method} {path}");
        }
    }
}

#[test]
fn pages_of_other_sites_may_not_follow() {
    let served = Served::new(&[&scene_file("origins.json", "balls2", "20")]);
    let own = format!("http://{}", served.address);
    for origin in [None, Some(own.as_str()), Some("http://localhost:5173")] {
        assert!(served.follow(origin).is_ok(), "{origin:?}");
    }
    for origin in ["http://example.com", "null", "http://127.0.0.1.example.com"] {
        assert_eq!(served.follow(Some(origin)).map(drop), Err(403), "{origin}");
    }
}

#[test]
fn garbage_does_not_end_it() {
    let served = Served::new(&[&scene_file("garbage.json", "balls2", "20")]);
    let upgrade = "GET /live HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    let noise: Vec<u8> = (0..100_000_u32)
        .map(|k| (k.wrapping_mul(2_654_435_761) >> 13) as u8)
        .collect();
    let mut half_open = Vec::new();
    for garbage in [
        noise.clone(),
        vec![0; 1 << 20],
        [b"GET / HTTP/1.1\r\nCookie: ".to_vec(), vec![b'x'; 1 << 20]].concat(),
        [upgrade.as_bytes().to_vec(), noise].concat(),
        [
            upgrade.as_bytes(),
            b"\x82\xff\x7f\xff\xff\xff\xff\xff\xff\xff\0\0\0\0",
        ]
        .concat(),
        [upgrade.as_bytes(), b"\x81\x82\0\0\0\0\xff\xfe"].concat(),
    ] {
        let mut stream = served.connect();
        // It may be closed before all is sent.
        let _ = stream.write_all(&garbage);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let _ = stream.read_to_end(&mut Vec::new());
        let mut stream = served.connect();
        stream.write_all(b"GET /session").expect("sent");
        half_open.push(stream);
    }
    assert_eq!(served.session()["live"], "/live");
    let mut socket = served.follow(None).expect("there is room");
    assert!(socket.read().expect("a frame").is_binary());
}

#[test]
fn clients_that_never_ask_make_room_for_those_who_do() {
    let served = Served::new(&[]);
    let mut silent: Vec<_> = (0..200)
        .map(|_| {
            let mut stream = served.connect();
            stream.write_all(b"GET /session").expect("sent");
            stream
        })
        .collect();
    assert_eq!(served.get("/").status, 200);
    // The first ones were hung up on, whatever the process may have open.
    for stream in &mut silent[..100] {
        let ended = stream.read(&mut [0]);
        assert!(!matches!(ended, Ok(1..)), "{ended:?}");
    }
    let last = silent.last_mut().expect("200");
    last.write_all(b".json HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        .expect("sent");
    let mut answer = String::new();
    last.read_to_string(&mut answer).expect("answered");
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
}
