//! The files of the page.

use axum::body::Body;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use rust_embed::Embed;

#[derive(Embed)]
#[folder = "page"]
struct Files;

/// The file at a path; `/` is `index.html`.
pub(super) fn file(path: &str) -> Response {
    let path = path.trim_start_matches('/');
    let path = if path.is_empty() { "index.html" } else { path };
    let Some(file) = Files::get(path) else {
        return (StatusCode::NOT_FOUND, "no such file\n").into_response();
    };
    let kind = file.metadata.mimetype().to_owned();
    let kind = match kind.as_str() {
        "text/html" | "text/css" | "text/javascript" => kind + "; charset=utf-8",
        _ => kind,
    };
    ([(header::CONTENT_TYPE, kind)], Body::from(file.data)).into_response()
}
