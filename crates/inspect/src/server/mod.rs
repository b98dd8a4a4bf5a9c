//! The thread that talks to viewers.
//!
//! One thread waits for all sockets at once. Whenever something happens on any of them, each is read and written
//! until it would block: with a handful of viewers that is less to go wrong than knowing which of them it was.

mod client;
mod metered;

use core::sync::atomic::{AtomicBool, Ordering};
use core::time::Duration;
use std::io::{self, ErrorKind};
use std::sync::Arc;
use std::time::Instant;

use mio::net::{TcpListener, TcpStream};
use mio::{Events, Interest, Poll, Token, Waker};

use crate::InspectorOptions;
use crate::broadcast::Door;
use client::{Client, Policy};

/// All sockets have the same: an event says that something happened, not where.
const SOCKET: Token = Token(0);
const EVENTS: usize = 64;
/// Then viewers get their turn, before more connections are accepted.
const ACCEPTED_AT_ONCE: usize = 64;
/// How long to wait before a connection is accepted again, when the operating system could not give one.
const ACCEPT_AGAIN: Duration = Duration::from_millis(200);

pub(crate) struct Server {
    poll: Poll,
    listener: TcpListener,
    waker: Arc<Waker>,
    policy: Arc<Policy>,
    /// In the order in which they came.
    clients: Vec<Client>,
    ends: Arc<AtomicBool>,
}

impl Server {
    pub(crate) fn new(
        listener: std::net::TcpListener,
        options: InspectorOptions,
        door: Door,
        ends: Arc<AtomicBool>,
    ) -> io::Result<(Self, Arc<Waker>)> {
        let poll = Poll::new()?;
        let mut listener = TcpListener::from_std(listener);
        poll.registry()
            .register(&mut listener, SOCKET, Interest::READABLE)?;
        let waker = Arc::new(Waker::new(poll.registry(), SOCKET)?);
        let server = Self {
            poll,
            listener,
            waker: Arc::clone(&waker),
            policy: Arc::new(Policy { options, door }),
            clients: Vec::new(),
            ends,
        };
        Ok((server, waker))
    }

    /// Until the inspector is dropped.
    pub(crate) fn run(mut self) {
        let mut events = Events::with_capacity(EVENTS);
        let mut timeout = None;
        while !self.ends.load(Ordering::Acquire) {
            match self.poll.poll(&mut events, timeout) {
                Ok(()) => {}
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                // Without events there is nothing to do; the game goes on without viewers.
                Err(_) => break,
            }
            let again = self.accept();
            let now = Instant::now();
            self.clients.retain_mut(|client| client.turn(now));
            timeout = self.timeout(again);
        }
        for client in self.clients {
            client.say_goodbye();
        }
    }

    /// When to look after the clients, though nothing happens.
    fn timeout(&self, again: Option<Duration>) -> Option<Duration> {
        let patience = (!self.clients.is_empty()).then(|| self.policy.options.patience / 4);
        match (patience, again) {
            (Some(patience), Some(again)) => Some(patience.min(again)),
            (patience, again) => patience.or(again),
        }
    }

    /// Accepts whoever waits. Returns when to try again, though nothing happens.
    fn accept(&mut self) -> Option<Duration> {
        for _ in 0..ACCEPTED_AT_ONCE {
            match self.listener.accept() {
                Ok((stream, _)) => self.welcome(stream),
                Err(error) => match error.kind() {
                    ErrorKind::WouldBlock => return None,
                    ErrorKind::Interrupted | ErrorKind::ConnectionAborted => {}
                    _ => return Some(ACCEPT_AGAIN),
                },
            }
        }
        Some(Duration::ZERO)
    }

    fn welcome(&mut self, mut stream: TcpStream) {
        let interest = Interest::READABLE | Interest::WRITABLE;
        let registry = self.poll.registry();
        if registry.register(&mut stream, SOCKET, interest).is_err() {
            return;
        }
        // Frames should not wait for each other; without it they only come later.
        let _ = stream.set_nodelay(true);
        self.make_room();
        let waker = Arc::clone(&self.waker);
        self.clients
            .push(Client::new(stream, Arc::clone(&self.policy), waker));
    }

    /// Of those who have not asked for anything yet, as many as there may be viewers are kept: the latest.
    fn make_room(&mut self) {
        let new = self.clients.iter().filter(|client| client.is_new()).count();
        if new >= self.policy.options.viewers
            && let Some(oldest) = self.clients.iter().position(Client::is_new)
        {
            self.clients.remove(oldest);
        }
    }
}
