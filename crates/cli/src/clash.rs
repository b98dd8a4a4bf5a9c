//! `clearance clash`: which parts of a building or a machine are where others are.

use std::fs;
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};

use clap::ArgGroup;
use clearance_clash::{
    Allowed, Assembly, Check, Clash, Earlier, ReportOptions, ReportWriter, Rules, SourceOfParts,
    Sources, read_assembly, shard_of,
};
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::bcf::{self, Issues};
use crate::clash_picture::ClashPicture;
use crate::clash_run::{finished, measured, print};
use crate::clash_scene::ClashScene;
use crate::failure::{Failure, Verdict};
use crate::interrupt::stop_on_interrupt;
use crate::number::whole;
use crate::output_file::is_same_file;
use crate::{input, progress};

const EXAMPLES: &str = "\
Examples:
  Every part of a building against every other:
    clearance clash building.glb -o report.jsonl

  Pipes against a building, by rules, as a table for a spreadsheet:
    clearance clash pipes/ building.glb --rules rules.json -o report.csv

  rules.json:
    {\"groups\": {\"pipes\": [\"pipe*\", \"valve*\"]},
     \"rules\": [{\"between\": [\"pipes\", \"pipes\"], \"ignore\": true},
               {\"between\": [\"pipes\", \"*\"], \"clearance\": 0.05, \"tolerance\": 0.001}]}
  The first rule that matches a pair decides. Pairs that no rule matches are not checked.

  A picture of the deepest clash in space, and a cut through it:
    clearance clash building.glb -o report.jsonl --png clash.png --svg clash.svg

  All of them in the browser, one after the other:
    clearance clash building.glb -o report.jsonl --scene clashes.json
    clearance view clashes.json --report report.jsonl --open

  What changed since the last run, with the statuses that others gave its issues, and issues for them:
    clearance clash building.glb -o new.jsonl --since last.bcf --bcf next.bcf

  On two machines of any scheduler, each of which has the files:
    clearance clash building.glb -o 1.shard --shard 1/2
    clearance clash building.glb -o 2.shard --shard 2/2
    clearance clash building.glb -o report.jsonl --merge 1.shard 2.shard

  The ten deepest overlaps:
    jq -c 'select(.kind == \"overlap\")' report.jsonl | jq -sc 'sort_by(.distance)[:10][]'

A and B are folders of STL, OBJ and glTF files, single ones of these, or scenes (.json). The unit of
all lengths is that of the files. With A alone its parts are checked among themselves.

The kinds of clashes are duplicate, inside, overlap (deeper than the tolerance), touch (neither
deeper nor farther apart than the tolerance) and clearance (nearer than the rule allows). Each has
bounds: the true distance is from `lower` to `upper`, minus the depth where parts overlap.

Ctrl-C leaves FILE.partial, and so does a killed run; --resume goes on with it. The bytes of the
report do not depend on that, nor on the number of threads.

Exit code: 1 if the bounds prove a fault or a part was left out, 0 if not, 2 if the check failed, 130
if Ctrl-C ended it. A touch is no fault where no clearance is asked for, and neither is what the
bounds leave open: the summary counts that as doubtful, and --strict makes 1 of it.
docs/file-formats.md in the source code describes rules and reports.";

/// Check the parts of a building or a machine for clashes, and write a report.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES, group = ArgGroup::new("picture").multiple(true))]
pub(crate) struct Arguments {
    /// A folder of meshes, a .glb, .gltf, .obj or .stl file, or a scene
    a: PathBuf,
    /// The same, to check the parts of A against; without it they are checked among themselves
    b: Option<PathBuf>,
    /// The report: lines of JSON, or a table if the name ends in .csv
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Which parts are checked against which, and what is allowed [default: all, touching]
    #[arg(long, value_name = "FILE")]
    rules: Option<PathBuf>,
    /// How far apart all parts must be, in the unit of the files
    #[arg(long, value_name = "LENGTH", conflicts_with = "rules", allow_hyphen_values = true, value_parser = length)]
    clearance: Option<f64>,
    /// Up to which depth and gap parts touch [default: 1e-5 of the size of the larger part]
    #[arg(long, value_name = "LENGTH", conflicts_with = "rules", allow_hyphen_values = true, value_parser = length)]
    tolerance: Option<f64>,
    /// Number of threads [default: as many as processors]
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = threads)]
    threads: Option<u64>,
    /// List parts that are not valid in the report and check the others; the exit code is 1 then
    #[arg(long)]
    skip_invalid: bool,
    /// Go on with the partial report of a run that was ended, if there is one
    #[arg(long)]
    resume: bool,
    /// Measure shard I of N only, counted from 1, and write it to the file of --output, for --merge
    #[arg(long, value_name = "I/N", value_parser = shard, conflicts_with_all = ["merge", "json", "png", "svg", "scene", "bcf", "since"])]
    shard: Option<(u64, u64)>,
    /// Measure nothing, but take what these shards hold; the report is that of one run
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with = "resume")]
    merge: Vec<PathBuf>,
    /// Draw a clash in space to this file, which ends in .png
    #[arg(long, value_name = "FILE", group = "picture")]
    png: Option<PathBuf>,
    /// Draw a cut through a clash to this file, which ends in .svg
    #[arg(long, value_name = "FILE", group = "picture")]
    svg: Option<PathBuf>,
    /// The number of the clash that is drawn [default: the deepest]
    #[arg(long, value_name = "N", requires = "picture", allow_hyphen_values = true, value_parser = any_clash)]
    clash: Option<u64>,
    /// Write the parts that clash as a scene to this file, which ends in .json
    #[arg(long, value_name = "FILE")]
    scene: Option<PathBuf>,
    /// An earlier report, or a BCF file of one: faults are new, known or moved, and the solved ones are listed
    #[arg(long, value_name = "FILE")]
    since: Option<PathBuf>,
    /// Write the faults as issues of BCF 3.0 to this file, which ends in .bcf; z points upwards
    #[arg(long, value_name = "FILE")]
    bcf: Option<PathBuf>,
    /// Let the exit code be 1, too, where the bounds leave open whether there is a fault
    #[arg(long)]
    strict: bool,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
}

/// Endings of files that models are read from, and that pictures and scenes are written to: a report under such a name is a mistake.
const NO_REPORTS: [&str; 10] = [
    "stl", "obj", "glb", "gltf", "json", "bin", "png", "svg", "bcf", "bcfzip",
];
/// Endings of files of issues.
const BCF: [&str; 2] = ["bcf", "bcfzip"];

fn ends_in(path: &Path, endings: &[&str]) -> bool {
    let is_it = |ending: &&str| {
        path.extension()
            .is_some_and(|own| own.eq_ignore_ascii_case(ending))
    };
    endings.iter().any(is_it)
}

fn length(word: &str) -> Result<f64, String> {
    match word.parse::<f64>() {
        Ok(value) if (0.0..=f64::from(f32::MAX)).contains(&value) => Ok(value),
        _ => Err("must be a length, zero or more, such as 0.05".to_owned()),
    }
}

fn threads(word: &str) -> Result<u64, String> {
    whole(word, 1..=1024)
}

/// A shard, counted from 0, and how many there are.
fn shard(word: &str) -> Result<(u64, u64), String> {
    let wrong = || "must be a number, a slash and how many there are, such as 2/8".to_owned();
    let (own, all) = word.split_once('/').ok_or_else(wrong)?;
    let all = whole(all, 1..=1 << 20).map_err(|_| wrong())?;
    let own = whole(own, 1..=all).map_err(|_| wrong())?;
    Ok((own - 1, all))
}

fn any_clash(word: &str) -> Result<u64, String> {
    whole(word, 1..=u64::MAX)
}

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

    /// Refuses files to write that are read or cannot be written, before hours of measuring.
    fn refuse_outputs(&self) -> Result<(), Failure> {
        let name = |path: &Path| path.display().to_string();
        if input::is_standard(&self.output) || ends_in(&self.output, &NO_REPORTS) {
            let name = name(&self.output);
            return Err(Failure::ReportName { name });
        }
        for (picture, valid) in [(&self.png, ".png"), (&self.svg, ".svg")] {
            if let Some(path) = picture
                && !ends_in(path, &[&valid[1..]])
            {
                let name = name(path);
                return Err(Failure::PictureName { name, valid });
            }
        }
        if let Some(path) = self.scene.as_deref()
            && !ends_in(path, &["json"])
        {
            let name = name(path);
            return Err(Failure::SceneName { name });
        }
        if let Some(path) = self.bcf.as_deref()
            && !ends_in(path, &BCF)
        {
            let name = name(path);
            return Err(Failure::BcfName { name });
        }
        let files = ReportWriter::files(&self.output);
        let others = [&self.png, &self.svg, &self.scene, &self.bcf];
        let (rules, since) = (self.rules.as_ref(), self.since.as_ref());
        let named = [Some(&self.a), self.b.as_ref(), rules, since];
        let inputs = named.into_iter().flatten().chain(&self.merge);
        for output in files.iter().chain(others.into_iter().flatten()) {
            if output.is_dir() {
                return Err(Failure::write(output, io::ErrorKind::IsADirectory.into()));
            }
            let folder = output.parent().filter(|folder| *folder != Path::new(""));
            if let Some(Err(error)) = folder.map(fs::metadata) {
                return Err(Failure::write(output, error));
            }
            if inputs.clone().any(|path| is_same_file(output, path)) {
                let name = name(output);
                return Err(Failure::OverwritesInput { name });
            }
        }
        Ok(())
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
                bcf::read(file).map_err(|error| Failure::bcf(path, error))?;
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
