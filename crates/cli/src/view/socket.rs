//! A page that follows a scene: frames to it, orders from it.

use core::time::Duration;
use std::sync::Arc;
use std::sync::mpsc::TrySendError;

use axum::extract::State;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use clearance_inspect::{InspectorOptions, Viewer, is_loopback_origin};
use serde_json::json;
use tokio::sync::Notify;
use tokio::time::timeout;

use super::pace::Order;
use super::session::{Live, Site};

/// The most bytes of an order.
const MOST_BYTES: usize = 4096;
/// How long a page may take no frames.
const PATIENCE: Duration = Duration::from_secs(20);

/// How many pages may look at a scene, and how much waits for each.
pub(super) fn options() -> InspectorOptions {
    InspectorOptions::default()
}

pub(super) async fn live(
    State(site): State<Site>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    let mut origins = headers.get_all(header::ORIGIN).iter();
    if !origins.all(|origin| origin.to_str().is_ok_and(is_loopback_origin)) {
        let why = "pages of other sites may not look\n";
        return (StatusCode::FORBIDDEN, why).into_response();
    }
    let Some(live) = site.live else {
        return (StatusCode::NOT_FOUND, "no scene is open\n").into_response();
    };
    if live.door.is_full() {
        let why = "as many pages as allowed follow the scene\n";
        return (StatusCode::SERVICE_UNAVAILABLE, why).into_response();
    }
    upgrade
        .max_message_size(MOST_BYTES)
        .max_frame_size(MOST_BYTES)
        .on_upgrade(move |socket| follow(socket, live))
}

async fn follow(mut socket: WebSocket, live: Live) {
    let news = Arc::new(Notify::new());
    let wake = Arc::clone(&news);
    let Some(viewer) = live.door.enter(move || wake.notify_one()) else {
        return;
    };
    if live.orders.try_send(Order::Come).is_err() {
        return;
    }
    loop {
        let goes_on = tokio::select! {
            () = news.notified() => send_next(&mut socket, &viewer, &news).await,
            message = socket.recv() => match message {
                Some(Ok(Message::Text(order))) => obey(&mut socket, &order, &live).await,
                Some(Ok(_)) => true,
                _ => false,
            },
        };
        if !goes_on {
            return;
        }
    }
}

/// Sends what waits longest. The rest follows after the next order, if there is one: a page that is slow can
/// still pause.
async fn send_next(socket: &mut WebSocket, viewer: &Viewer, news: &Notify) -> bool {
    let Some(blocks) = viewer.take() else {
        return true;
    };
    news.notify_one();
    let sent = timeout(PATIENCE, socket.send(Message::Binary(blocks))).await;
    matches!(sent, Ok(Ok(())))
}

/// Passes an order on, or answers what is wrong with it.
async fn obey(socket: &mut WebSocket, text: &str, live: &Live) -> bool {
    let problem = match Order::read(text) {
        // Where orders wait, the page that sent them will see nothing change, and can ask again.
        Ok(order) => {
            return !matches!(
                live.orders.try_send(order),
                Err(TrySendError::Disconnected(_))
            );
        }
        Err(problem) => problem,
    };
    let answer = json!({ "error": problem }).to_string();
    let sent = timeout(PATIENCE, socket.send(Message::Text(answer.into()))).await;
    matches!(sent, Ok(Ok(())))
}
