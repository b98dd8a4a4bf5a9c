//! What long work shows of its progress: on standard error, and only if that is a terminal. All of it
//! disappears when the work ends.

use std::io::{self, IsTerminal};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// How often the time of work that cannot be counted is drawn anew.
const TICK: Duration = Duration::from_millis(250);

/// A bar that counts frames.
pub(crate) fn of_frames(frames: u64) -> ProgressBar {
    styled(
        ProgressBar::new(frames),
        "{wide_bar} {pos}/{len} frames, {eta} left",
    )
}

/// A bar that counts the bytes of a file whose answers go to standard output. It is hidden where they are seen
/// on a terminal, too, and where the length is not known.
pub(crate) fn of_answers(length: Option<u64>) -> ProgressBar {
    match length {
        Some(length) if !io::stdout().is_terminal() => styled(
            ProgressBar::new(length),
            "{wide_bar} {bytes}/{total_bytes}, {eta} left",
        ),
        _ => ProgressBar::hidden(),
    }
}

/// A bar of work whose parts have a cost.
pub(crate) fn of_share(cost: u64) -> ProgressBar {
    styled(ProgressBar::new(cost), "{wide_bar} {percent} %, {eta} left")
}

/// The time that work takes whose end cannot be foreseen, such as `reading scene.json`.
pub(crate) fn of_work(what: String) -> ProgressBar {
    let bar = styled(ProgressBar::new_spinner(), "{spinner} {msg}, {elapsed}");
    bar.enable_steady_tick(TICK);
    bar.with_message(what)
}

fn styled(bar: ProgressBar, template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template);
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
