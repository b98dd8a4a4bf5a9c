//! Standard output, locked and buffered.

use std::io::{self, BufWriter, StdoutLock};

const BUFFER: usize = 1 << 16;

pub(crate) fn standard() -> BufWriter<StdoutLock<'static>> {
    BufWriter::with_capacity(BUFFER, io::stdout().lock())
}
