//! A game, and viewers.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use clearance::Options;
use clearance::dim2::{Body, Pose, Shape, Vec2, Velocity, World};
use clearance_inspect::{Inspector, InspectorOptions};
use tungstenite::client::IntoClientRequest;
use tungstenite::handshake::client::Request;
use tungstenite::{Error, Message, WebSocket};

/// How long anything may take that should happen at once.
pub(crate) const WAIT: Duration = Duration::from_secs(20);
pub(crate) const DT: f32 = 1.0 / 60.0;

/// Balls that roll over a floor in both directions.
pub(crate) fn world(balls: usize) -> World {
    let mut world = World::new(Options::default()).expect("default options");
    let floor = Shape::half_space(Vec2::Y).expect("a direction");
    world
        .insert(Body::fixed(floor, Pose::IDENTITY))
        .expect("valid");
    for k in 0..balls {
        let place = Pose::from_translation(Vec2::new(k as f32 * 0.9, 0.5));
        let speed = if k % 2 == 0 { 0.3 } else { -0.2 };
        let ball = Body::moving(Shape::ball(0.5).expect("a radius"), place);
        let velocity = Velocity::from_linear(Vec2::new(speed, 0.0));
        world.insert(ball.with_velocity(velocity)).expect("valid");
    }
    world
}

/// A game with an inspector.
pub(crate) struct Game {
    pub(crate) world: World,
    pub(crate) inspector: Inspector,
}

impl Game {
    pub(crate) fn new(balls: usize, options: InspectorOptions) -> Self {
        let inspector = Inspector::listen_with("127.0.0.1:0", options).expect("a free port");
        Self {
            world: world(balls),
            inspector,
        }
    }

    pub(crate) fn step(&mut self) {
        self.world.step(DT).expect("stepped");
        self.inspector.frame(&self.world).expect("encoded");
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.inspector.address()
    }

    /// Waits until there are so many viewers, and steps meanwhile.
    pub(crate) fn wait_for_viewers(&mut self, count: usize) {
        until("viewers come and go", || {
            self.step();
            self.inspector.viewers() == count
        });
    }
}

/// Options of a game that has little patience.
pub(crate) fn impatient() -> InspectorOptions {
    InspectorOptions {
        patience: Duration::from_secs(1),
        ..InspectorOptions::default()
    }
}

pub(crate) fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < WAIT, "{what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// A connection that waits only so long.
pub(crate) fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect_timeout(&address, WAIT).expect("somebody listens");
    stream.set_read_timeout(Some(WAIT)).expect("not zero");
    stream.set_write_timeout(Some(WAIT)).expect("not zero");
    stream
}

pub(crate) fn request(address: SocketAddr) -> Request {
    let address = format!("ws://{address}/");
    address.into_client_request().expect("an address")
}

/// What a page of `origin` sends.
pub(crate) fn request_from(address: SocketAddr, origin: &str) -> Request {
    let mut request = request(address);
    let origin = origin.parse().expect("a header");
    request.headers_mut().insert("Origin", origin);
    request
}

pub(crate) type Socket = WebSocket<TcpStream>;

pub(crate) fn view(address: SocketAddr) -> Socket {
    try_view(request(address), address).expect("there is room")
}

/// Connects, or says with which status it was refused.
pub(crate) fn try_view(request: Request, address: SocketAddr) -> Result<Socket, u16> {
    match tungstenite::client(request, connect(address)) {
        Ok((socket, _)) => Ok(socket),
        Err(tungstenite::HandshakeError::Failure(Error::Http(response))) => {
            Err(response.status().as_u16())
        }
        Err(error) => panic!("{error}"),
    }
}

/// The next blocks; pings are answered on the way.
pub(crate) fn next_blocks(socket: &mut Socket) -> Vec<u8> {
    loop {
        match socket.read().expect("a message in time") {
            Message::Binary(blocks) => return blocks.to_vec(),
            Message::Ping(_) | Message::Pong(_) => {}
            message => panic!("{message:?}"),
        }
    }
}

/// The next names of bodies, after any blocks.
pub(crate) fn next_names(socket: &mut Socket) -> String {
    loop {
        if let Message::Text(names) = socket.read().expect("a message in time") {
            return names.to_string();
        }
    }
}

/// The next blocks of a game that goes on meanwhile.
pub(crate) fn next_blocks_while(socket: &mut Socket, mut step: impl FnMut()) -> Vec<u8> {
    let mut found = None;
    socket
        .get_ref()
        .set_nonblocking(true)
        .expect("a socket can");
    until("a viewer gets frames", || {
        step();
        match socket.read() {
            Ok(Message::Binary(blocks)) => found = Some(blocks.to_vec()),
            Ok(Message::Ping(_) | Message::Pong(_)) => {}
            Ok(message) => panic!("{message:?}"),
            Err(Error::Io(error)) if error.kind() == std::io::ErrorKind::WouldBlock => {}
            Err(error) => panic!("{error}"),
        }
        found.is_some()
    });
    socket
        .get_ref()
        .set_nonblocking(false)
        .expect("a socket can");
    found.unwrap_or_default()
}

/// Sends what the other side may not want to read to the end.
pub(crate) fn push(stream: &mut TcpStream, bytes: &[u8]) {
    let _ = stream.write_all(bytes);
}

/// Everything that comes until the other side closes the connection, which it must.
pub(crate) fn read_to_end(stream: &mut TcpStream) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 1 << 16];
    loop {
        match stream.read(&mut buffer) {
            Ok(0) => return bytes,
            Ok(count) => bytes.extend(&buffer[..count]),
            Err(error) => {
                let kind = error.kind();
                assert_eq!(kind, std::io::ErrorKind::ConnectionReset, "closed in time");
                return bytes;
            }
        }
    }
}
