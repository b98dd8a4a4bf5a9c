//! The server of the page.

use std::io;
use std::net::TcpListener;
use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use clearance_inspect::is_loopback_host;
use tokio::sync::Notify;

use super::address::Attached;
use super::connections;
use super::page;
use super::session::Site;
use super::socket;
use crate::failure::Failure;

/// Serves until Ctrl-C; `ready` is called when whoever connects is answered.
pub(super) fn serve(
    listener: TcpListener,
    site: Site,
    attached: Option<&Attached>,
    ready: impl FnOnce(),
) -> Result<(), Failure> {
    let stop = Arc::new(Notify::new());
    let stops = Arc::clone(&stop);
    ctrlc::set_handler(move || stops.notify_one())?;
    let app = router(site, policy(attached));
    let served = serve_until(listener, app, async {
        ready();
        stop.notified().await;
    });
    served.map_err(|error| Failure::Serve { error })
}

fn router(site: Site, policy: HeaderValue) -> Router {
    Router::new()
        .route("/session.json", get(session))
        .route(
            "/input",
            get(|State(site): State<Site>| async { input(site.input) }),
        )
        .route(
            "/report",
            get(|State(site): State<Site>| async { input(site.report) }),
        )
        .route("/live", get(socket::live))
        .route("/", get(file))
        .route("/{*path}", get(file))
        .layer(middleware::from_fn_with_state(policy, guard))
        .with_state(site)
}

/// Serves until `stop` is done. Connections end with it.
fn serve_until(listener: TcpListener, app: Router, stop: impl Future) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        tokio::select! {
            () = connections::accept(listener, app) => {}
            _ = stop => {}
        }
        Ok(())
    })
}

async fn session(State(site): State<Site>) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], site.session).into_response()
}

fn input(bytes: Option<Bytes>) -> Response {
    match bytes {
        Some(bytes) => {
            ([(header::CONTENT_TYPE, "application/octet-stream")], bytes).into_response()
        }
        None => (StatusCode::NOT_FOUND, "no file is open\n").into_response(),
    }
}

async fn file(uri: Uri) -> Response {
    page::file(uri.path())
}

/// What the page may load and run: what comes from here, and frames of games that run on this machine or that
/// it is attached to. If that game has an address of IPv6, the policy allows `ws:` to every host.
fn policy(attached: Option<&Attached>) -> HeaderValue {
    let games = "ws://127.0.0.1:* ws://localhost:*";
    let attached = attached.map(Attached::source).unwrap_or_default();
    let policy = format!(
        "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self' {games} {attached}; \
         img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'none'"
    );
    HeaderValue::try_from(policy).unwrap_or(HeaderValue::from_static("default-src 'self'"))
}

const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");
const EMBEDDER_POLICY: HeaderName = HeaderName::from_static("cross-origin-embedder-policy");

/// Answers only those who name this machine by a name of loopback, and says what browsers may do with answers.
async fn guard(State(policy): State<HeaderValue>, request: Request, next: Next) -> Response {
    let mut response = if names_loopback(request.headers()) {
        next.run(request).await
    } else {
        let why = "the page is served to this machine, as 127.0.0.1 or localhost\n";
        (StatusCode::FORBIDDEN, why).into_response()
    };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    let fixed = [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        // Files keep their names from version to version.
        (header::CACHE_CONTROL, "no-store"),
        // A page that is isolated from others gets a finer clock.
        (OPENER_POLICY, "same-origin"),
        (EMBEDDER_POLICY, "require-corp"),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Whether there is a header `Host`, and each names loopback.
fn names_loopback(headers: &HeaderMap) -> bool {
    let mut hosts = headers.get_all(header::HOST).iter().peekable();
    let is_loopback = |host: &HeaderValue| host.to_str().is_ok_and(is_loopback_host);
    hosts.peek().is_some() && hosts.all(is_loopback)
}
