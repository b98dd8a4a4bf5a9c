//! The buffers that the page fills and reads.

use std::cell::RefCell;

use clearance_playground::Reply;

thread_local! {
    static REQUEST: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static ATTACHMENT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static REPLY: RefCell<Reply> = const { RefCell::new(Reply { json: String::new(), binary: Vec::new() }) };
}

pub(crate) fn input(length: usize) -> *mut u8 {
    REQUEST.with_borrow_mut(|buffer| sized(buffer, length))
}

pub(crate) fn attachment(length: usize) -> *mut u8 {
    ATTACHMENT.with_borrow_mut(|buffer| sized(buffer, length))
}

/// Makes `buffer` that long; null if there is no memory, and the buffer is then empty.
fn sized(buffer: &mut Vec<u8>, length: usize) -> *mut u8 {
    buffer.clear();
    if buffer.try_reserve_exact(length).is_err() {
        return std::ptr::null_mut();
    }
    buffer.resize(length, 0);
    buffer.as_mut_ptr()
}

/// What the page wrote.
pub(crate) struct Request {
    pub(crate) text: Vec<u8>,
    pub(crate) attachment: Vec<u8>,
}

/// Takes the request out of its buffers.
pub(crate) fn take_request() -> Request {
    Request {
        text: REQUEST.take(),
        attachment: ATTACHMENT.take(),
    }
}

pub(crate) fn set_reply(reply: Reply) {
    REPLY.set(reply);
}

pub(crate) fn with_reply<T>(read: impl FnOnce(&Reply) -> T) -> T {
    REPLY.with_borrow(read)
}
