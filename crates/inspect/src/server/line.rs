//! A socket from which only so much is read, for so long.

use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Instant;

/// A socket from which only so much is read until it is allowed more.
///
/// It is an error to send more than that: nobody has reason to tell an inspector much, and whoever floods it must not
/// take the time of the game.
#[derive(Debug)]
pub(super) struct Line {
    stream: TcpStream,
    allowed: usize,
    has_read: bool,
    /// When what is read must have come, byte by byte or at once.
    until: Option<Instant>,
}

impl Line {
    pub(super) fn new(stream: TcpStream, allowed: usize, until: Instant) -> Self {
        Self {
            stream,
            allowed,
            has_read: false,
            until: Some(until),
        }
    }

    /// Allows so many bytes from now on. Until [`close`](Self::close), reading takes only what is there already.
    pub(super) fn open(&mut self, bytes: usize) -> io::Result<()> {
        (self.allowed, self.has_read, self.until) = (bytes, false, None);
        self.stream.set_nonblocking(true)
    }

    /// Ends what [`open`](Self::open) began. Returns whether anything was read.
    pub(super) fn close(&mut self) -> io::Result<bool> {
        self.stream.set_nonblocking(false)?;
        Ok(self.has_read)
    }
}

impl Read for Line {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = buffer.len().min(self.allowed);
        if most == 0 && !buffer.is_empty() {
            return Err(io::Error::other("a viewer sends too much"));
        }
        if let Some(until) = self.until {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(ErrorKind::TimedOut.into());
            }
            self.stream.set_read_timeout(Some(left))?;
        }
        let count = self.stream.read(&mut buffer[..most])?;
        self.allowed -= count;
        self.has_read |= count > 0;
        Ok(count)
    }
}

impl Write for Line {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}
