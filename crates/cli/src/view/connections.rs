//! The connections of the server: so many at a time, of which those make room that have not asked for anything.

use core::sync::atomic::{AtomicBool, Ordering};
use core::time::Duration;
use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::middleware::map_request;
use hyper::server::conn::http1::Builder;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio::time::sleep;

/// How many connections there are at most. A browser opens 6; processes may have 128 files open, or more.
const MOST: usize = 48;
/// How long a client may take for the head of a request.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long to wait where the operating system could not give a connection.
const ACCEPT_AGAIN: Duration = Duration::from_millis(20);

/// A connection and what answers it.
struct Guest {
    has_asked: Arc<AtomicBool>,
    task: JoinHandle<()>,
}

impl Guest {
    fn welcome(stream: TcpStream, app: &Router) -> Self {
        // Frames should not wait for each other; without it they only come later.
        let _ = stream.set_nodelay(true);
        let has_asked = Arc::new(AtomicBool::new(false));
        let asks = Arc::clone(&has_asked);
        let noted = map_request(move |request: Request| {
            asks.store(true, Ordering::Relaxed);
            async { request }
        });
        let service = TowerToHyperService::new(app.clone().layer(noted));
        let connection = Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(PATIENCE)
            .serve_connection(TokioIo::new(stream), service)
            .with_upgrades();
        let task = tokio::spawn(async {
            // Whoever is gone is not told why.
            let _ = connection.await;
        });
        Self { has_asked, task }
    }
}

/// Answers whoever connects, for ever.
pub(super) async fn accept(listener: TcpListener, app: Router) {
    // In the order in which they came.
    let mut guests: Vec<Guest> = Vec::new();
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            sleep(ACCEPT_AGAIN).await;
            continue;
        };
        guests.retain(|guest| !guest.task.is_finished());
        if guests.len() >= MOST {
            let is_silent = |guest: &Guest| !guest.has_asked.load(Ordering::Relaxed);
            let oldest = guests.iter().position(is_silent).unwrap_or_default();
            guests.remove(oldest).task.abort();
        }
        guests.push(Guest::welcome(stream, &app));
    }
}
