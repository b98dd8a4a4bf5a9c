//! `clearance clash`: which parts of a building or a machine are where others are.

mod arguments;
mod picture;
mod run;
mod scene;

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use clearance_clash::{
    Allowed, Assembly, Check, Clash, Earlier, Issues, ReportOptions, ReportWriter, Rules,
    SourceOfParts, Sources, Summary, read_assembly, shard_of,
};
use rayon::{ThreadPool, ThreadPoolBuilder};

use self::picture::ClashPicture;
use self::run::{finished, measured, print};
use self::scene::ClashScene;
use crate::failure::{Failure, Verdict};
use crate::interrupt::stop_on_interrupt;
use crate::{input, progress};

pub(crate) use self::arguments::Arguments;

pub(crate) fn execute(arguments: &Arguments) -> Result<Verdict, Failure> {
    arguments.refuse_outputs()?;
    let threads = arguments.pool()?;
    let earlier = arguments.earlier()?;
    let (check, sources) = arguments.check(&threads)?;
    let finding = progress::of_work("finding pairs".to_owned());
    let blocks = check.blocks();
    drop(finding);
    let divided = |(own, all)| shard_of(&blocks, own, all);
    let shard = arguments.shard.map(divided);
    let mut report = ReportWriter::start(ReportOptions {
        check: &check,
        blocks: &blocks,
        sources: &sources,
        path: &arguments.output,
        resume: arguments.resume,
        since: earlier.as_ref(),
        shard: shard.clone(),
    })?;
    let stop = stop_on_interrupt()?;
    if !arguments.merge.is_empty() {
        let merged = report.merge(&arguments.merge);
        // Nothing is lost that was measured: the shards have it.
        merged.inspect_err(|_| drop(fs::remove_file(report.partial())))?;
    }
    let end = shard.as_ref().map_or(blocks.len(), |shard| shard.end);
    let Some(report) = measured(&check, &blocks[..end], (report, &threads), &stop)? else {
        return Ok(Verdict::Interrupted);
    };
    if shard.is_some() {
        report.finish_shard()?;
        return Ok(Verdict::Fine);
    }
    let since = earlier.as_ref();
    let written = finished(report, &stop, |report, goes_on| {
        arguments.write(&check, since, report, goes_on)
    })?;
    let Some((summary, clashes)) = written else {
        return Ok(Verdict::Interrupted);
    };
    let printed = print(&summary, arguments.json);
    arguments.show(&check, &clashes)?;
    let doubtful = if arguments.strict {
        summary.doubtful
    } else {
        0
    };
    match printed {
        Ok(()) if summary.faults + doubtful == 0 && summary.refused == 0 => Ok(Verdict::Fine),
        Ok(()) => Ok(Verdict::Flawed),
        Err(error) => Failure::of_output(error),
    }
}

impl Arguments {
    fn pool(&self) -> Result<ThreadPool, Failure> {
        let threads = self.threads.unwrap_or(0) as usize;
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        pool.map_err(|error| Failure::Thread {
            error: io::Error::other(error),
        })
    }

    /// The check of what the files hold, and where that came from.
    fn check(&self, threads: &ThreadPool) -> Result<(Check, Sources), Failure> {
        let rules = self.rules()?;
        let (a, source_a) = self.assembly(&self.a, threads)?;
        let b = self.b.as_deref();
        let b = b.map(|path| self.assembly(path, threads)).transpose()?;
        let (b, source_b) = b.unzip();
        let sources = Sources {
            a: source_a,
            b: source_b,
            rules: self.rules.as_deref().map(input::name_of),
        };
        let check = match b {
            Some(b) => Check::between(a, b, rules)?,
            None => Check::within(a, rules)?,
        };
        Ok((check, sources))
    }

    fn rules(&self) -> Result<Rules, Failure> {
        let Some(path) = &self.rules else {
            return Ok(Rules::everything(Allowed {
                clearance: self.clearance.unwrap_or(0.0),
                tolerance: self.tolerance,
            }));
        };
        let name = input::name_of(path);
        let bytes = fs::read(path).map_err(|error| input::unreadable(path, error))?;
        let text = str::from_utf8(&bytes).map_err(|error| Failure::NotUtf8 {
            name: name.clone(),
            offset: error.valid_up_to(),
        })?;
        Rules::from_json(text).map_err(|error| Failure::Rules { name, error })
    }

    /// The faults of the run that this one is compared with.
    fn earlier(&self) -> Result<Option<Earlier>, Failure> {
        let Some(path) = self.since.as_deref() else {
            return Ok(None);
        };
        let read = Earlier::read(path)?;
        if let Some(warning) = read.warning() {
            // If standard error is closed, the report still has the changes.
            let _ = writeln!(io::stderr(), "clearance: {}: {warning}", path.display());
        }
        Ok(Some(read.earlier))
    }

    /// Writes the issues and the report, in this order, so that what is ended can be gone on with. The clashes are those that more is written
    /// of.
    fn write(
        &self,
        check: &Check,
        since: Option<&Earlier>,
        report: ReportWriter<'_>,
        goes_on: &dyn Fn() -> bool,
    ) -> Result<(Summary, Vec<Clash>), Failure> {
        let mut clashes = Vec::new();
        if self.bcf.is_some() || self.scene.is_some() || self.draws() {
            clashes = report.clashes_while(goes_on)?;
        }
        if let Some(path) = &self.bcf {
            let issues = Issues {
                check,
                clashes: &clashes,
                since,
            };
            let written = issues.write_while(path, goes_on);
            written.map_err(|error| Failure::bcf(path, error))?;
        }
        Ok((report.finish_while(goes_on)?, clashes))
    }

    /// Writes the scene and draws the clash that is wanted.
    fn show(&self, check: &Check, clashes: &[Clash]) -> Result<(), Failure> {
        if let Some(path) = &self.scene {
            ClashScene::of(check, clashes).write(check, path)?;
        }
        if !self.draws() {
            return Ok(());
        }
        let deepest = |a: &&Clash, b: &&Clash| a.distance.total_cmp(&b.distance);
        let clash = match self.clash {
            Some(number) => {
                let clash = clashes.get(number as usize - 1);
                Some(clash.ok_or(Failure::NoClash { number })?)
            }
            None => clashes.iter().min_by(deepest),
        };
        clash.map_or(Ok(()), |clash| self.draw(check, clash))
    }

    fn draws(&self) -> bool {
        self.png.is_some() || self.svg.is_some()
    }

    fn draw(&self, check: &Check, clash: &Clash) -> Result<(), Failure> {
        let picture = ClashPicture::new(check, clash);
        if let Some(path) = &self.png {
            let written = fs::write(path, picture.png()?);
            written.map_err(|error| Failure::write(path, error))?;
        }
        if let Some(path) = &self.svg {
            let written = fs::write(path, picture.svg()?);
            written.map_err(|error| Failure::write(path, error))?;
        }
        Ok(())
    }

    fn assembly(
        &self,
        path: &Path,
        threads: &ThreadPool,
    ) -> Result<(Assembly, SourceOfParts), Failure> {
        let reading = progress::of_work(format!("reading {}", path.display()));
        let read = threads
            .install(|| read_assembly(path))
            .map_err(Failure::Refused)?;
        drop(reading);
        if let Some(first) = read.refused.first().filter(|_| !self.skip_invalid) {
            return Err(Failure::RefusedParts {
                first: first.clone(),
                count: read.refused.len(),
            });
        }
        let source = SourceOfParts {
            name: input::name_of(path),
            refused: read.refused,
            passed_over: read.passed_over,
        };
        Ok((read.assembly, source))
    }
}
