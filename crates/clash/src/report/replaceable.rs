//! What a report may take the place of: an older report or an empty file, but no model, link, pipe or device.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use super::ReportError;
use super::header::FORMAT;
use super::lines::CsvLine;

/// Whether there is a file at a path, and nothing else.
pub(super) fn is_file(path: &Path) -> Result<bool, ReportError> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_file() => Ok(true),
        Ok(_) => Err(not_replaced(path)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(ReportError::file(path)(error)),
    }
}

/// Refuses paths where something is that is neither a report, as a whole or in part, nor empty.
pub(super) fn refuse_what_is_no_report(paths: &[PathBuf]) -> Result<(), ReportError> {
    for path in paths {
        if is_file(path)? && !is_report(path).map_err(ReportError::file(path))? {
            return Err(not_replaced(path));
        }
    }
    Ok(())
}

fn not_replaced(path: &Path) -> ReportError {
    let path = path.display().to_string();
    ReportError::NotReplaced { path }
}

/// Whether a file is empty or begins as a report does.
fn is_report(path: &Path) -> io::Result<bool> {
    let mut begin = Vec::new();
    // Longer than the beginning of any report; a model may have no ends of lines.
    let beginning = File::open(path)?.take(1024);
    BufReader::new(beginning).read_until(b'\n', &mut begin)?;
    let has = |words: &str| {
        let shorter = begin.len().min(words.len());
        begin[..shorter] == words.as_bytes()[..shorter]
    };
    Ok(has(&format!("{{\"type\":\"header\",\"format\":\"{FORMAT}\",")) || has(CsvLine::TITLES))
}
