//! The engine behind the buffers: one playground for the whole page.

use std::cell::RefCell;
use std::panic;

use serde_json::json;

use crate::{boundary, buffers};
use clearance_playground::{Playground, Reply};

thread_local! {
    static PLAYGROUND: RefCell<Playground> = RefCell::new(new_playground());
}

fn new_playground() -> Playground {
    if cfg!(target_family = "wasm") {
        // A panic ends in a trap, which tells the page nothing: what it reads instead is the reply.
        panic::set_hook(Box::new(|what| {
            buffers::set_reply(failure(&what.to_string()));
        }));
    }
    Playground::new(boundary::clock)
}

/// Answers the request in the buffers.
pub(crate) fn answer() {
    let request = buffers::take_request();
    let reply = match str::from_utf8(&request.text) {
        Ok(text) => {
            PLAYGROUND.with_borrow_mut(|playground| playground.handle(text, &request.attachment))
        }
        Err(error) => failure(&format!("the request is not UTF-8: {error}")),
    };
    buffers::set_reply(reply);
}

fn failure(sentence: &str) -> Reply {
    Reply {
        json: json!({ "error": sentence }).to_string(),
        binary: Vec::new(),
    }
}
