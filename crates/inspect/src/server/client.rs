//! One connection.

use std::io::{ErrorKind, Write};
use std::sync::Arc;
use std::time::Instant;

use mio::Waker;
use mio::net::TcpStream;
use tungstenite::handshake::server::{Callback, ErrorResponse, Request, Response, ServerHandshake};
use tungstenite::handshake::{HandshakeError, MidHandshake};
use tungstenite::http::{StatusCode, header};
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::protocol::{CloseFrame, WebSocketConfig};
use tungstenite::{Bytes, Error, Message, WebSocket};

use super::metered::Metered;
use crate::broadcast::{Door, Viewer};
use crate::{InspectorOptions, is_loopback_origin};

/// The first request of a browser has about 600 bytes, with cookies of other programs on loopback some more.
const REQUEST_BYTES: usize = 16 << 10;
/// What a viewer may send at once: answers to pings are less than 10 bytes each.
const BYTES_AT_ONCE: usize = 64 << 10;
const READ_BUFFER: usize = 4 << 10;

/// Room beside a frame for what the protocol itself answers.
const ANSWERS: usize = 64 << 10;

/// What a plain browser or a wrong client gets to read.
const NOT_A_WEBSOCKET: &[u8] = b"HTTP/1.1 426 Upgrade Required\r\nConnection: close, Upgrade\r\n\
    Upgrade: websocket\r\nContent-Type: text/plain\r\n\r\n\
    This is the inspector of a running game. `clearance view --attach` with its address opens a page for it.\n";

/// Who may look.
pub(super) struct Policy {
    pub(super) options: InspectorOptions,
    pub(super) door: Door,
}

impl Policy {
    fn config(&self) -> WebSocketConfig {
        let most = Some(self.options.message_bytes);
        WebSocketConfig::default()
            .read_buffer_size(READ_BUFFER)
            .max_message_size(most)
            .max_frame_size(most)
    }

    fn allows(&self, origin: &str) -> bool {
        let listed = &self.options.origins;
        is_loopback_origin(origin) || listed.iter().any(|one| one.eq_ignore_ascii_case(origin))
    }
}

/// Answers the first request of a client.
struct Doorkeeper(Arc<Policy>);

impl Callback for Doorkeeper {
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

/// One connection, from its first byte to its end.
pub(super) struct Client {
    stream: Arc<TcpStream>,
    stage: Stage,
    policy: Arc<Policy>,
    waker: Arc<Waker>,
    /// When it came, or when it last sent anything after its first request.
    last_heard: Instant,
}

enum Stage {
    /// It has not yet asked for anything, or not to the end.
    New(MidHandshake<ServerHandshake<Metered, Doorkeeper>>),
    Looks(Looking),
    Gone,
}

impl Client {
    pub(super) fn new(stream: TcpStream, policy: Arc<Policy>, waker: Arc<Waker>) -> Self {
        let stream = Arc::new(stream);
        let metered = Metered::new(Arc::clone(&stream), REQUEST_BYTES);
        let doorkeeper = Doorkeeper(Arc::clone(&policy));
        let handshake = ServerHandshake::start(metered, doorkeeper, Some(policy.config()));
        Self {
            stream,
            stage: Stage::New(handshake),
            policy,
            waker,
            last_heard: Instant::now(),
        }
    }

    pub(super) fn is_new(&self) -> bool {
        matches!(self.stage, Stage::New(_))
    }

    /// Reads and writes what can be. Returns whether the client is still there.
    pub(super) fn turn(&mut self, now: Instant) -> bool {
        self.stage = match core::mem::replace(&mut self.stage, Stage::Gone) {
            Stage::New(handshake) => self.shake_hands(handshake),
            stage => stage,
        };
        if let Stage::Looks(looking) = &mut self.stage {
            match looking.turn() {
                Ok(Heard::Something) => self.last_heard = now,
                Ok(Heard::Nothing) => {}
                Err(_) => return false,
            }
            let silence = now.saturating_duration_since(self.last_heard);
            if silence > self.policy.options.patience / 2 && looking.ask().is_err() {
                return false;
            }
        }
        let silence = now.saturating_duration_since(self.last_heard);
        !matches!(self.stage, Stage::Gone) && silence <= self.policy.options.patience
    }

    fn shake_hands(&self, handshake: MidHandshake<ServerHandshake<Metered, Doorkeeper>>) -> Stage {
        let socket = match handshake.handshake() {
            Ok(socket) => socket,
            Err(HandshakeError::Interrupted(handshake)) => return Stage::New(handshake),
            Err(HandshakeError::Failure(error)) => {
                if !matches!(error, Error::Http(_) | Error::Io(_)) {
                    // Nobody waits for whether this arrives.
                    let _ = (&*self.stream).write(NOT_A_WEBSOCKET);
                }
                return Stage::Gone;
            }
        };
        let waker = Arc::clone(&self.waker);
        // What fails to wake the thread is sent when it wakes by itself.
        let wake = move || drop(waker.wake());
        match self.policy.door.enter(wake) {
            Some(viewer) => Stage::Looks(Looking::new(socket, viewer)),
            None => Stage::Gone,
        }
    }

    /// Sends what still fits and that the game has ended, without waiting.
    pub(super) fn say_goodbye(self) {
        if let Stage::Looks(mut looking) = self.stage {
            let _ = looking.write();
            let _ = looking.socket.close(Some(CloseFrame {
                code: CloseCode::Away,
                reason: "the game has ended".into(),
            }));
            let _ = looking.socket.flush();
        }
    }
}

/// Whether a client sent anything.
enum Heard {
    Something,
    Nothing,
}

/// The connection of a viewer.
struct Looking {
    socket: WebSocket<Metered>,
    viewer: Viewer,
    was_asked: bool,
}

impl Looking {
    fn new(socket: WebSocket<Metered>, viewer: Viewer) -> Self {
        Self {
            socket,
            viewer,
            was_asked: false,
        }
    }

    fn turn(&mut self) -> Result<Heard, Error> {
        self.socket.get_mut().allow(BYTES_AT_ONCE);
        // What a viewer says means nothing to an inspector; reading answers pings and notices the end.
        while unblocked(self.socket.read())?.is_some() {}
        self.write()?;
        if self.socket.get_mut().take_has_read() {
            self.was_asked = false;
            return Ok(Heard::Something);
        }
        Ok(Heard::Nothing)
    }

    /// Sends what waits until the socket takes no more. The next frame is begun when the last is gone, so that
    /// frames wait where they are counted.
    fn write(&mut self) -> Result<(), Error> {
        while unblocked(self.socket.flush())?.is_some() {
            let names = self.viewer.take_names();
            let names = names.map(|names| Message::text(&*names));
            let Some(message) = names.or_else(|| self.viewer.take().map(Message::Binary)) else {
                break;
            };
            self.socket.set_config(|config| {
                config.max_write_buffer_size = config.write_buffer_size + message.len() + ANSWERS;
            });
            unblocked(self.socket.write(message))?;
        }
        Ok(())
    }

    /// Asks once whether the viewer is still there.
    fn ask(&mut self) -> Result<(), Error> {
        if core::mem::replace(&mut self.was_asked, true) {
            return Ok(());
        }
        unblocked(self.socket.send(Message::Ping(Bytes::new())))?;
        Ok(())
    }
}

/// Nothing where the socket would have blocked.
fn unblocked<T>(result: Result<T, Error>) -> Result<Option<T>, Error> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(Error::Io(error)) if error.kind() == ErrorKind::WouldBlock => Ok(None),
        Err(error) => Err(error),
    }
}
