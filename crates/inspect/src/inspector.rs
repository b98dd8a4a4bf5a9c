//! A server inside of a game.

use core::fmt;
use core::sync::atomic::{AtomicBool, Ordering};
use std::net::{SocketAddr, TcpListener, ToSocketAddrs};
use std::sync::Arc;
use std::thread::JoinHandle;

use clearance_math::Vector;
use clearance_world::{BodyId, World};

use crate::broadcast::Broadcaster;
use crate::server::{self, House};
use crate::{InspectError, InspectorOptions};

/// Lets a browser look at the world of a running game.
///
/// It listens for websockets at its address, in a thread of its own, and sends each frame to all who are
/// connected, each in a thread of its own. Dropping it closes the connections and ends the threads.
///
/// An inspector is for one world. A game with several makes one for each.
pub struct Inspector {
    broadcaster: Broadcaster,
    address: SocketAddr,
    ends: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Inspector {
    /// Listens at an address of this machine that no other machine can reach, such as `"127.0.0.1:0"`, where
    /// port 0 stands for a free one.
    ///
    /// # Errors
    /// If the address is not one of loopback, or cannot be listened at.
    pub fn listen(address: impl ToSocketAddrs) -> Result<Self, InspectError> {
        Self::listen_with(address, InspectorOptions::default())
    }

    /// Listens with options.
    ///
    /// # Errors
    /// If an option is out of range, the address is not one of loopback and the options do not allow others,
    /// or it cannot be listened at.
    pub fn listen_with(
        address: impl ToSocketAddrs,
        options: InspectorOptions,
    ) -> Result<Self, InspectError> {
        let broadcaster = Broadcaster::new(&options)?;
        let listener = bind(address, &options)?;
        let listen = |error| InspectError::Listen { error };
        let address = listener.local_addr().map_err(listen)?;
        let ends = Arc::new(AtomicBool::new(false));
        let house = Arc::new(House {
            options,
            door: broadcaster.door(),
            ends: Arc::clone(&ends),
        });
        let builder = std::thread::Builder::new().name("clearance-inspect".to_owned());
        let handle = builder
            .spawn(move || server::run(&listener, &house))
            .map_err(|error| InspectError::Thread { error })?;
        Ok(Self {
            broadcaster,
            address,
            ends,
            thread: Some(handle),
        })
    }

    /// Where it listens, with the port that was free.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// How many viewers there are.
    #[must_use]
    pub fn viewers(&self) -> usize {
        self.broadcaster.viewers()
    }

    /// Shows the last step of the world, and what was changed since, to all viewers; to be called after each step.
    ///
    /// Without viewers it costs nothing, and it never waits for one.
    ///
    /// # Errors
    /// If the world cannot be encoded. The game can go on: the next frame is a fresh start for all viewers.
    #[inline]
    pub fn frame<V: Vector>(&mut self, world: &World<V>) -> Result<(), InspectError> {
        self.broadcaster.frame(world)
    }

    /// Tells viewers what bodies are called: see [`Broadcaster::set_names`].
    pub fn set_names<N: AsRef<str>>(&self, names: impl IntoIterator<Item = (BodyId, N)>) {
        self.broadcaster.set_names(names);
    }
}

impl Drop for Inspector {
    fn drop(&mut self) {
        self.ends.store(true, Ordering::Release);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            let _ = thread.join();
        }
    }
}

impl fmt::Debug for Inspector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Inspector")
            .field("address", &self.address)
            .field("viewers", &self.viewers())
            .finish_non_exhaustive()
    }
}

/// Listens at the first address for which that works; all of them must be allowed.
fn bind(
    address: impl ToSocketAddrs,
    options: &InspectorOptions,
) -> Result<TcpListener, InspectError> {
    let listen = |error| InspectError::Listen { error };
    let addresses: Vec<SocketAddr> = address.to_socket_addrs().map_err(listen)?.collect();
    if !options.beyond_loopback
        && let Some(&address) = addresses.iter().find(|address| !address.ip().is_loopback())
    {
        return Err(InspectError::BeyondLoopback { address });
    }
    let listener = TcpListener::bind(&addresses[..]).map_err(listen)?;
    listener.set_nonblocking(true).map_err(listen)?;
    Ok(listener)
}
