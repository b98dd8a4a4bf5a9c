//! A running `clearance view`, and a browser of few words.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::Child;
use std::time::Duration;

use tungstenite::client::IntoClientRequest;
use tungstenite::{Error, HandshakeError, WebSocket};

use crate::common::{json, run, scratch, spawn};

/// How long anything may take that should happen at once.
pub(super) const WAIT: Duration = Duration::from_secs(60);

/// A running `clearance view`; it is ended when this is dropped.
pub(super) struct Served {
    pub(super) child: Child,
    pub(super) address: SocketAddr,
}

impl Served {
    pub(super) fn new(arguments: &[&str]) -> Self {
        let all = [&["view"], arguments].concat();
        let mut child = spawn(&all);
        let out = child.stdout.take().expect("piped");
        let mut line = String::new();
        BufReader::new(out).read_line(&mut line).expect("UTF-8");
        let address = line
            .strip_prefix("http://")
            .and_then(|rest| rest.strip_suffix("/\n"));
        let address = address.unwrap_or_else(|| panic!("no address: {line:?}"));
        Self {
            child,
            address: address.parse().expect("an address"),
        }
    }

    /// A connection that waits only so long.
    pub(super) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect_timeout(&self.address, WAIT).expect("somebody listens");
        stream.set_read_timeout(Some(WAIT)).expect("not zero");
        stream.set_write_timeout(Some(WAIT)).expect("not zero");
        stream
    }

    pub(super) fn get(&self, path: &str) -> Answer {
        self.get_from(path, &self.address.to_string())
    }

    /// Asks under a name that may not be that of the server.
    pub(super) fn get_from(&self, path: &str, host: &str) -> Answer {
        self.ask(&format!(
            "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
        ))
    }

    pub(super) fn ask(&self, request: &str) -> Answer {
        let mut stream = self.connect();
        stream.write_all(request.as_bytes()).expect("sent");
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).expect("answered in time");
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n");
        let end = end.expect("the end of the head");
        let head = String::from_utf8(bytes[..end].to_vec()).expect("ASCII");
        let status = head.split(' ').nth(1).and_then(|word| word.parse().ok());
        Answer {
            status: status.expect("a status"),
            head: head.to_lowercase(),
            body: bytes[end + 4..].to_vec(),
        }
    }

    pub(super) fn session(&self) -> serde_json::Value {
        let answer = self.get("/session.json");
        assert_eq!(
            (answer.status, answer.header("content-type")),
            (200, "application/json")
        );
        json(&answer.text())
    }

    /// Follows the scene, or says with which status that is refused.
    pub(super) fn follow(&self, origin: Option<&str>) -> Result<WebSocket<TcpStream>, u16> {
        let url = format!("ws://{}/live", self.address);
        let mut request = url.into_client_request().expect("an address");
        if let Some(origin) = origin {
            let origin = origin.parse().expect("a header");
            request.headers_mut().insert("Origin", origin);
        }
        match tungstenite::client(request, self.connect()) {
            Ok((socket, _)) => Ok(socket),
            Err(HandshakeError::Failure(Error::Http(answer))) => Err(answer.status().as_u16()),
            Err(error) => panic!("{error}"),
        }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What the server answers.
pub(super) struct Answer {
    pub(super) status: u16,
    /// Status line and headers, in small letters.
    head: String,
    pub(super) body: Vec<u8>,
}

impl Answer {
    pub(super) fn header(&self, name: &str) -> &str {
        let start = format!("{name}: ");
        let line = self.head.lines().find_map(|line| line.strip_prefix(&start));
        line.unwrap_or("")
    }

    pub(super) fn text(&self) -> String {
        String::from_utf8(self.body.clone()).expect("UTF-8")
    }
}

/// A generated scene in a file of the test `test`.
pub(super) fn scene_file(test: &str, kind: &str, count: &str) -> String {
    let ran = run(&["generate", kind, "--count", count, "--seed", "5"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    write_file(test, ran.out.as_bytes())
}

pub(super) fn write_file(test: &str, bytes: &[u8]) -> String {
    let path = scratch(&format!("view-{test}"));
    std::fs::write(&path, bytes).expect("written");
    path.to_str().expect("UTF-8").to_owned()
}
