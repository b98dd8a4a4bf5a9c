//! What the command is given, and which files it refuses to write.

use std::path::{Path, PathBuf};

use clap::ArgGroup;
use clearance_clash::{Outputs, ends_in};

use crate::failure::Failure;
use crate::number::whole;

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
    pub(super) a: PathBuf,
    /// The same, to check the parts of A against; without it they are checked among themselves
    pub(super) b: Option<PathBuf>,
    /// The report: lines of JSON if the name ends in .jsonl, a table if it ends in .csv; .shard with --shard
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: PathBuf,
    /// Which parts are checked against which, and what is allowed [default: all, touching]
    #[arg(long, value_name = "FILE")]
    pub(super) rules: Option<PathBuf>,
    /// How far apart all parts must be, in the unit of the files
    #[arg(long, value_name = "LENGTH", conflicts_with = "rules", allow_hyphen_values = true, value_parser = length)]
    pub(super) clearance: Option<f64>,
    /// Up to which depth and gap parts touch [default: 1e-5 of the size of the larger part]
    #[arg(long, value_name = "LENGTH", conflicts_with = "rules", allow_hyphen_values = true, value_parser = length)]
    pub(super) tolerance: Option<f64>,
    /// Number of threads [default: as many as processors]
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = threads)]
    pub(super) threads: Option<u64>,
    /// List parts that are not valid in the report and check the others; the exit code is 1 then
    #[arg(long)]
    pub(super) skip_invalid: bool,
    /// Go on with the partial report of a run that was ended, if there is one
    #[arg(long)]
    pub(super) resume: bool,
    /// Measure shard I of N only, counted from 1, and write it to the file of --output, for --merge
    #[arg(long, value_name = "I/N", value_parser = shard, conflicts_with_all = ["merge", "json", "png", "svg", "scene", "bcf", "since"])]
    pub(super) shard: Option<(u64, u64)>,
    /// Measure nothing, but take what these shards hold; the report is that of one run
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with = "resume")]
    pub(super) merge: Vec<PathBuf>,
    /// Draw a clash in space to this file, which ends in .png
    #[arg(long, value_name = "FILE", group = "picture")]
    pub(super) png: Option<PathBuf>,
    /// Draw a cut through a clash to this file, which ends in .svg
    #[arg(long, value_name = "FILE", group = "picture")]
    pub(super) svg: Option<PathBuf>,
    /// The number of the clash that is drawn [default: the deepest]
    #[arg(long, value_name = "N", requires = "picture", allow_hyphen_values = true, value_parser = any_clash)]
    pub(super) clash: Option<u64>,
    /// Write the parts that clash as a scene to this file, which ends in .json
    #[arg(long, value_name = "FILE")]
    pub(super) scene: Option<PathBuf>,
    /// An earlier report, or a BCF file of one: faults are new, known or moved, and the solved ones are listed
    #[arg(long, value_name = "FILE")]
    pub(super) since: Option<PathBuf>,
    /// Write the faults as issues of BCF 3.0 to this file, which ends in .bcf; z points upwards
    #[arg(long, value_name = "FILE")]
    pub(super) bcf: Option<PathBuf>,
    /// Let the exit code be 1, too, where the bounds leave open whether there is a fault
    #[arg(long)]
    pub(super) strict: bool,
    /// Print the summary as JSON
    #[arg(long)]
    pub(super) json: bool,
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

impl Arguments {
    /// Refuses files to write that are read or cannot be written, before hours of measuring.
    pub(super) fn refuse_outputs(&self) -> Result<(), Failure> {
        let name = |path: &Path| path.display().to_string();
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
        let others = [&self.png, &self.svg, &self.scene];
        let inputs = [Some(&self.a), self.b.as_ref()];
        let asked = [self.rules.as_ref(), self.since.as_ref()];
        let inputs = inputs.into_iter().chain(asked).flatten().chain(&self.merge);
        let outputs = Outputs {
            report: Some(&self.output),
            is_shard: self.shard.is_some(),
            bcf: self.bcf.as_deref(),
            others: others
                .into_iter()
                .filter_map(|path| path.as_deref())
                .collect(),
            inputs: inputs.map(PathBuf::as_path).collect(),
        };
        Ok(outputs.refuse_wrong()?)
    }
}
