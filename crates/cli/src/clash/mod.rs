//! `clearance clash`: which parts of a building or a machine are where others are.

mod arguments;
mod picture;
mod run;
mod scene;

use std::fs;
use std::io::{self, BufReader, Write};
use std::path::Path;

use clearance_clash::{
    Allowed, Assembly, Check, Clash, Earlier, Issues, ReportOptions, ReportWriter, Rules,
    SourceOfParts, Sources, read_assembly, read_bcf, shard_of,
};
use rayon::{ThreadPool, ThreadPoolBuilder};

use self::arguments::{BCF, ends_in};
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
    let extras = Extras::of(arguments, &check, &report)?;
    let Some(summary) = finished(report, &stop)? else {
        return Ok(Verdict::Interrupted);
    };
    let printed = print(&summary, arguments.json);
    extras.write(arguments, &check, earlier.as_ref())?;
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

/// What is written besides the report, of clashes that are read before it is whole.
struct Extras {
    /// The clash that is drawn.
    drawn: Option<Clash>,
    scene: Option<ClashScene>,
    issues: Option<Issues>,
}

impl Extras {
    fn of(
        arguments: &Arguments,
        check: &Check,
        report: &ReportWriter<'_>,
    ) -> Result<Self, Failure> {
        let drawn = match arguments.draws() {
            true => report.find(arguments.clash.map(|number| number - 1))?,
            false => None,
        };
        let scene = || ClashScene::of(check, report);
        let issues = || Issues::of(report);
        let issues = arguments.bcf.as_ref().map(|_| issues()).transpose();
        Ok(Self {
            drawn,
            scene: arguments.scene.as_ref().map(|_| scene()).transpose()?,
            issues: issues.map_err(|error| Failure::write(report.partial(), error))?,
        })
    }

    fn write(
        &self,
        arguments: &Arguments,
        check: &Check,
        earlier: Option<&Earlier>,
    ) -> Result<(), Failure> {
        if let (Some(scene), Some(path)) = (&self.scene, &arguments.scene) {
            scene.write(check, path)?;
        }
        if let (Some(issues), Some(path)) = (&self.issues, &arguments.bcf) {
            let written = issues.write(path, check, earlier);
            written.map_err(|error| Failure::bcf(path, error))?;
        }
        arguments.draw(check, self.drawn.as_ref())
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
        let file = input::open_file(path)?;
        if ends_in(path, &BCF) {
            let (earlier, passed_over) =
                read_bcf(file).map_err(|error| Failure::bcf(path, error))?;
            if passed_over > 0 {
                // If standard error is closed, the report still has the changes.
                let _ = writeln!(
                    io::stderr(),
                    "clearance: {}: topics of the type Clash that were passed over: {passed_over}; none of their views is one that \
                     `clearance clash --bcf` wrote",
                    path.display()
                );
            }
            return Ok(Some(earlier));
        }
        let read = Earlier::from_report(BufReader::new(file));
        read.map(Some).map_err(|error| match error.kind() {
            io::ErrorKind::InvalidData => Failure::no_report(path, &error),
            _ => input::unreadable(path, error),
        })
    }

    fn draws(&self) -> bool {
        self.png.is_some() || self.svg.is_some()
    }

    /// Draws the clash that is wanted, if a picture is.
    fn draw(&self, check: &Check, clash: Option<&Clash>) -> Result<(), Failure> {
        let Some(clash) = clash else {
            return match self.clash {
                Some(number) => Err(Failure::NoClash { number }),
                None => Ok(()),
            };
        };
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
