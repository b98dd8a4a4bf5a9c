//! One connection, in a thread of its own.

use core::sync::atomic::Ordering;
use core::time::Duration;
use std::io::{ErrorKind, Write};
use std::net::TcpStream;
use std::thread;
use std::time::Instant;

use tungstenite::handshake::HandshakeError;
use tungstenite::handshake::server::{Callback, ErrorResponse, Request, Response};
use tungstenite::http::{StatusCode, header};
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::protocol::{CloseFrame, WebSocketConfig};
use tungstenite::{Bytes, Error, Message, WebSocket, accept_hdr_with_config};

use super::House;
use super::line::Line;
use crate::broadcast::Viewer;
use crate::is_loopback_origin;

/// The first request of a browser has about 600 bytes, with cookies of other programs on loopback some more.
const REQUEST_BYTES: usize = 16 << 10;
/// What a viewer may send at once: answers to pings are less than 10 bytes each.
const BYTES_AT_ONCE: usize = 64 << 10;
const READ_BUFFER: usize = 4 << 10;
/// How often a viewer is listened to while there is nothing to send.
const LISTEN_AGAIN: Duration = Duration::from_millis(20);

/// What a plain browser or a wrong client gets to read.
const NOT_A_WEBSOCKET: &[u8] = b"HTTP/1.1 426 Upgrade Required\r\nConnection: close, Upgrade\r\n\
    Upgrade: websocket\r\nContent-Type: text/plain\r\n\r\n\
    This is the inspector of a running game. `clearance view --attach` with its address opens a page for it.\n";

/// Answers the first request of a client.
struct Doorkeeper<'h>(&'h House);

impl Callback for Doorkeeper<'_> {
    fn on_request(self, request: &Request, response: Response) -> Result<Response, ErrorResponse> {
        // Programs other than browsers send no origin.
        for origin in request.headers().get_all(header::ORIGIN) {
            if !origin.to_str().is_ok_and(|origin| self.0.allows(origin)) {
                let why = "pages of this origin may not look: see InspectorOptions::origins\n";
                return Err(refusal(StatusCode::FORBIDDEN, why));
            }
        }
        if self.0.door.is_full() {
            let why = "as many viewers as allowed are connected: see InspectorOptions::viewers\n";
            return Err(refusal(StatusCode::SERVICE_UNAVAILABLE, why));
        }
        Ok(response)
    }
}

fn refusal(status: StatusCode, why: &str) -> ErrorResponse {
    let mut response = ErrorResponse::new(Some(why.to_owned()));
    *response.status_mut() = status;
    response
}

impl House {
    fn allows(&self, origin: &str) -> bool {
        let listed = &self.options.origins;
        is_loopback_origin(origin) || listed.iter().any(|one| one.eq_ignore_ascii_case(origin))
    }

    /// Answers the first request. Nothing for who is not let in or takes too long.
    pub(super) fn shake_hands(&self, stream: TcpStream) -> Option<(WebSocket<Line>, Viewer)> {
        let patience = self.options.patience;
        stream.set_nonblocking(false).ok()?;
        stream.set_write_timeout(Some(patience)).ok()?;
        // Frames should not wait for each other; without it they only come later.
        let _ = stream.set_nodelay(true);
        let mut raw = stream.try_clone().ok()?;
        let line = Line::new(stream, REQUEST_BYTES, Instant::now() + patience);
        let most = Some(self.options.message_bytes);
        let config = WebSocketConfig::default()
            .read_buffer_size(READ_BUFFER)
            .max_message_size(most)
            .max_frame_size(most);
        match accept_hdr_with_config(line, Doorkeeper(self), Some(config)) {
            Ok(socket) => {
                let thread = thread::current();
                Some((socket, self.door.enter(move || thread.unpark())?))
            }
            Err(HandshakeError::Failure(error)) => {
                if !matches!(error, Error::Http(_) | Error::Io(_)) {
                    // Nobody waits for whether this arrives.
                    let _ = raw.write(NOT_A_WEBSOCKET);
                }
                None
            }
            Err(HandshakeError::Interrupted(_)) => None,
        }
    }

    /// Sends a viewer all that comes, until it goes, is silent for too long, or the game ends.
    pub(super) fn attend(&self, mut socket: WebSocket<Line>, viewer: &Viewer) -> Result<(), Error> {
        let patience = self.options.patience;
        let (mut heard, mut was_asked) = (Instant::now(), false);
        while heard.elapsed() <= patience {
            while let Some(message) = next(viewer) {
                socket.send(message)?;
            }
            if self.ends.load(Ordering::Acquire) {
                socket.close(Some(CloseFrame {
                    code: CloseCode::Away,
                    reason: "the game has ended".into(),
                }))?;
                return socket.flush();
            }
            if listen(&mut socket)? {
                (heard, was_asked) = (Instant::now(), false);
            } else if heard.elapsed() > patience / 2 && !was_asked {
                was_asked = true;
                socket.send(Message::Ping(Bytes::new()))?;
            }
            // A frame that came since wakes it at once.
            thread::park_timeout(LISTEN_AGAIN.min(patience / 4));
        }
        Ok(())
    }
}

/// What waits for a viewer.
fn next(viewer: &Viewer) -> Option<Message> {
    let names = viewer.take_names().map(|names| Message::text(&*names));
    names.or_else(|| viewer.take().map(Message::Binary))
}

/// What a viewer says means nothing to an inspector; reading answers pings and notices the end. Returns whether it said
/// anything.
fn listen(socket: &mut WebSocket<Line>) -> Result<bool, Error> {
    socket.get_mut().open(BYTES_AT_ONCE)?;
    loop {
        match socket.read() {
            Ok(_) => {}
            Err(Error::Io(error)) if error.kind() == ErrorKind::WouldBlock => break,
            Err(error) => return Err(error),
        }
    }
    Ok(socket.get_mut().close()?)
}
