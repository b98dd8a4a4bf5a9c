//! The threads that talk to viewers: one that lets them in, and one for each.
//!
//! A viewer that is slow or silent holds up its own thread and nobody else.

mod guest;
mod line;

use core::sync::atomic::{AtomicBool, Ordering};
use core::time::Duration;
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread::{self, Builder, JoinHandle};
use std::time::Instant;

use crate::InspectorOptions;
use crate::broadcast::Door;

/// How often to look for connections, and how long to wait where the operating system could not give one.
const ACCEPT_AGAIN: Duration = Duration::from_millis(20);
/// How long viewers have for their last frames, once the inspector is dropped.
const GOODBYE: Duration = Duration::from_millis(200);

/// What all threads know.
pub(crate) struct House {
    pub(crate) options: InspectorOptions,
    pub(crate) door: Door,
    /// Whether the inspector was dropped.
    pub(crate) ends: Arc<AtomicBool>,
}

/// A connection, and the thread that talks to it.
struct Guest {
    stream: TcpStream,
    /// Whether it has not yet asked for anything, or not to the end.
    is_new: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

impl Guest {
    fn welcome(stream: TcpStream, house: &Arc<House>) -> Option<Self> {
        let (house, own) = (Arc::clone(house), stream.try_clone().ok()?);
        let is_new = Arc::new(AtomicBool::new(true));
        let asks = Arc::clone(&is_new);
        let talk = move || {
            if let Some((socket, viewer)) = house.shake_hands(own) {
                asks.store(false, Ordering::Release);
                // Whoever is gone is not told why.
                let _ = house.attend(socket, &viewer);
            }
        };
        let builder = Builder::new().name("clearance-viewer".to_owned());
        Some(Self {
            stream,
            is_new,
            thread: builder.spawn(talk).ok()?,
        })
    }

    fn is_new(&self) -> bool {
        self.is_new.load(Ordering::Acquire)
    }

    /// Ends whatever its thread waits for.
    fn hang_up(&self) {
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}

/// Lets viewers in until the inspector is dropped.
pub(crate) fn run(listener: &TcpListener, house: &Arc<House>) {
    // In the order in which they came.
    let mut guests: Vec<Guest> = Vec::new();
    while !house.ends.load(Ordering::Acquire) {
        guests.retain(|guest| !guest.thread.is_finished());
        let Ok((stream, _)) = listener.accept() else {
            thread::park_timeout(ACCEPT_AGAIN);
            continue;
        };
        // Of those who have not asked for anything yet, as many as there may be viewers are kept: the latest.
        let new = guests.iter().filter(|guest| guest.is_new()).count();
        if new >= house.options.viewers
            && let Some(oldest) = guests.iter().position(Guest::is_new)
        {
            guests.remove(oldest).hang_up();
        }
        guests.extend(Guest::welcome(stream, house));
    }
    say_goodbye(guests);
}

fn say_goodbye(guests: Vec<Guest>) {
    for guest in &guests {
        if guest.is_new() {
            guest.hang_up();
        }
        guest.thread.thread().unpark();
    }
    let start = Instant::now();
    while start.elapsed() < GOODBYE && guests.iter().any(|guest| !guest.thread.is_finished()) {
        thread::sleep(Duration::from_millis(1));
    }
    for guest in guests {
        guest.hang_up();
        // One that panicked has nothing left to say.
        let _ = guest.thread.join();
    }
}
