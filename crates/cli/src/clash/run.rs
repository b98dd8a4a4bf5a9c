//! How a clash check goes on: blocks are measured, Ctrl-C ends it, and the summary is printed.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use clearance_clash::{Block, Check, ReportWriter, Summary};
use rayon::ThreadPool;

use crate::failure::Failure;
use crate::{output, progress};

/// Measures all blocks that are not in the report yet; `None` if Ctrl-C ended that.
pub(crate) fn measured<'r>(
    check: &Check,
    blocks: &[Block],
    (mut report, threads): (ReportWriter<'r>, &ThreadPool),
    stop: &AtomicBool,
) -> Result<Option<ReportWriter<'r>>, Failure> {
    let (known, left) = blocks.split_at(report.done());
    let cost = |blocks: &[Block]| blocks.iter().map(|block| block.cost).sum::<u64>();
    let bar = progress::of_share(cost(blocks));
    bar.set_position(cost(known));
    bar.reset_eta();
    let ended = check.measure_each(left, threads, |block, clashes| {
        if stop.load(Ordering::Relaxed) {
            return ControlFlow::Break(Ok(()));
        }
        if let Err(error) = report.write(block, &clashes) {
            return ControlFlow::Break(Err(error));
        }
        bar.inc(block.cost);
        ControlFlow::Continue(())
    });
    bar.finish_and_clear();
    match ended {
        ControlFlow::Continue(()) => Ok(Some(report)),
        ControlFlow::Break(Err(error)) => Err(error.into()),
        ControlFlow::Break(Ok(())) => {
            say_ended([report.done(), blocks.len()], report.partial());
            Ok(None)
        }
    }
}

/// What is written of a report whose blocks are all measured, for as long as it goes on; `None` if Ctrl-C ended that.
pub(crate) fn finished<T>(
    report: ReportWriter<'_>,
    stop: &AtomicBool,
    write: impl FnOnce(ReportWriter<'_>, &dyn Fn() -> bool) -> Result<T, Failure>,
) -> Result<Option<T>, Failure> {
    let (done, partial) = (report.done(), report.partial().to_owned());
    let writing = progress::of_work("writing the report".to_owned());
    let written = write(report, &|| !stop.load(Ordering::Relaxed));
    drop(writing);
    match written {
        Err(failure) if failure.is_interrupted() => {
            say_ended([done, done], &partial);
            Ok(None)
        }
        written => written.map(Some),
    }
}

/// Says how many blocks of all are in the partial report.
fn say_ended([done, all]: [usize; 2], partial: &Path) {
    let name = partial.display();
    // If standard error is closed, the exit code still tells.
    let _ = writeln!(
        io::stderr(),
        "clearance: ended with {done} of {all} blocks in {name}; --resume goes on with them"
    );
}

pub(crate) fn print(summary: &Summary, as_json: bool) -> io::Result<()> {
    if summary.pairs == 0 {
        // If standard error is closed, the summary still tells.
        let _ = writeln!(
            io::stderr(),
            "clearance: no pair was measured: no parts are near each other, or no rule matches them"
        );
    }
    let mut out = output::standard();
    if as_json {
        serde_json::to_writer(&mut out, summary)?;
        writeln!(out)?;
    } else {
        write!(out, "{summary}")?;
    }
    out.flush()
}
