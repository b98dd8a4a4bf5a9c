//! A socket from which only so much is read.

use std::io::{self, Read, Write};
use std::sync::Arc;

use mio::net::TcpStream;

/// A socket from which only so much is read until it is allowed more.
///
/// It is an error to send more than that: nobody has reason to tell an inspector much, and whoever floods it
/// must not keep it from the others.
#[derive(Debug)]
pub(crate) struct Metered {
    stream: Arc<TcpStream>,
    allowed: usize,
    has_read: bool,
}

impl Metered {
    pub(crate) fn new(stream: Arc<TcpStream>, allowed: usize) -> Self {
        Self {
            stream,
            allowed,
            has_read: false,
        }
    }

    /// Allows so many bytes from now on.
    pub(crate) fn allow(&mut self, bytes: usize) {
        self.allowed = bytes;
    }

    /// Whether anything was read since this was last asked.
    pub(crate) fn take_has_read(&mut self) -> bool {
        core::mem::take(&mut self.has_read)
    }
}

impl Read for Metered {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = buffer.len().min(self.allowed);
        if most == 0 && !buffer.is_empty() {
            return Err(io::Error::other("a viewer sends too much"));
        }
        let count = (&*self.stream).read(&mut buffer[..most])?;
        self.allowed -= count;
        self.has_read |= count > 0;
        Ok(count)
    }
}

impl Write for Metered {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        (&*self.stream).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        (&*self.stream).flush()
    }
}
