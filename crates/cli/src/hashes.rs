//! Hashes of the contacts on standard output, one line a frame.

use std::io::{self, Write};

use crate::output;

pub(crate) struct HashLines {
    out: Box<dyn Write>,
    as_json: bool,
    /// The first error of writing. The run continues after it if it writes contacts, too.
    written: io::Result<()>,
}

impl HashLines {
    pub(crate) fn new(as_json: bool) -> Self {
        Self {
            out: Box::new(output::standard()),
            as_json,
            written: Ok(()),
        }
    }

    pub(crate) fn write(&mut self, frame: u64, hash: u64) {
        if self.written.is_ok() {
            self.written = self.write_line(frame, hash);
        }
    }

    pub(crate) fn has_failed(&self) -> bool {
        self.written.is_err()
    }

    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.written?;
        self.out.flush()
    }

    fn write_line(&mut self, frame: u64, hash: u64) -> io::Result<()> {
        if self.as_json {
            // A string, since many JSON readers round numbers of 64 bits.
            writeln!(self.out, "{{\"frame\":{frame},\"hash\":\"{hash:016x}\"}}")
        } else {
            writeln!(self.out, "{frame} {hash:016x}")
        }
    }
}
