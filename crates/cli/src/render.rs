//! `clearance render`: a picture of a scene.

use std::fs;
use std::path::{Path, PathBuf};

use clearance_math::{Real, Vec2, Vec3};
use clearance_render::{Camera, ImageOptions, MOST_PIXELS, SvgOptions, png, svg};
use clearance_scene::{AnyScene, FileVector, RunError, RunOptions, Scene, SceneRunner};

use indicatif::ProgressBar;

use crate::failure::{Failure, Verdict};
use crate::number::{any_whole, seconds, whole};
use crate::{input, progress};

const EXAMPLES: &str = "\
Examples:
  clearance render level.json -o level.png
  clearance generate mixed2 --count 100 | clearance render - --frame 60 -o mixed.svg
  clearance generate terrain --count 200 | clearance render - --frame 30 -o terrain.png \\
    --from 0,40,90 --towards 0,0,0 --width 1280 --height 720

A scene of dimension 2 becomes an .svg, one of dimension 3 a .png. Each contact within the margin of
the scene is a line between the closest points, red where bodies overlap, from orange to green the
wider the gap; the thin stroke is the normal. In a .png, contacts behind bodies are pale.

Equal scenes and frames give equal files on every platform.
docs/file-formats.md in the source code describes scenes.";

/// Draw a frame of a scene, with its contacts, to a file.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// A scene file, or - for standard input
    scene: PathBuf,
    /// The picture: a name that ends in .svg in 2D, in .png in 3D
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// How many frames to step before; 0 draws the scene as it is
    #[arg(long, value_name = "N", default_value = "0", allow_hyphen_values = true, value_parser = any_whole)]
    frame: u64,
    /// Length of a frame in seconds [default: 1/60]
    #[arg(long, value_name = "S", default_value_t = 1.0 / 60.0, hide_default_value = true, allow_hyphen_values = true, value_parser = seconds)]
    dt: Real,
    /// Width in pixels
    #[arg(long, value_name = "N", default_value = "960", allow_hyphen_values = true, value_parser = pixels)]
    width: u64,
    /// Height in pixels
    #[arg(long, value_name = "N", default_value = "640", allow_hyphen_values = true, value_parser = pixels)]
    height: u64,
    /// Where the camera is, in 3D [default: where it sees all bodies]
    #[arg(long, value_name = "X,Y,Z", requires = "towards", allow_hyphen_values = true, value_parser = point)]
    from: Option<Vec3>,
    /// The point that the camera looks at
    #[arg(long, value_name = "X,Y,Z", requires = "from", allow_hyphen_values = true, value_parser = point)]
    towards: Option<Vec3>,
    /// Leave the contacts out
    #[arg(long)]
    no_contacts: bool,
}

fn pixels(word: &str) -> Result<u64, String> {
    whole(word, 1..=MOST_PIXELS.into())
}

fn point(word: &str) -> Result<Vec3, String> {
    let numbers: Vec<Real> = word
        .split(',')
        .filter_map(|number| number.trim().parse().ok())
        .filter(|number: &Real| number.is_finite())
        .collect();
    match numbers[..] {
        [x, y, z] if word.split(',').count() == 3 => Ok(Vec3::new(x, y, z)),
        _ => Err("must be three numbers with commas between them, such as 0,2.5,10".to_owned()),
    }
}

/// What a name of a file says about the picture.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Svg,
    Png,
}

impl Format {
    fn of(path: &Path) -> Result<Self, Failure> {
        let extension = path.extension().and_then(|extension| extension.to_str());
        match extension.map(str::to_ascii_lowercase).as_deref() {
            Some("svg") => Ok(Self::Svg),
            Some("png") => Ok(Self::Png),
            _ => Err(Failure::NoPicture {
                name: path.display().to_string(),
            }),
        }
    }
}

pub(crate) fn execute(arguments: &Arguments) -> Result<Verdict, Failure> {
    let format = Format::of(&arguments.output)?;
    let bytes = match (&input::valid_scene(&arguments.scene)?, format) {
        (AnyScene::Plane(scene), Format::Svg) => in_plane(scene, arguments)?,
        (AnyScene::Space(scene), Format::Png) => in_space(scene, arguments)?,
        (scene, _) => {
            let (dimension, valid) = match scene {
                AnyScene::Plane(_) => (2, ".svg"),
                AnyScene::Space(_) => (3, ".png"),
            };
            return Err(Failure::OtherPicture {
                name: arguments.output.display().to_string(),
                dimension,
                valid,
            });
        }
    };
    fs::write(&arguments.output, bytes)
        .map_err(|error| Failure::write(&arguments.output, error))?;
    Ok(Verdict::Fine)
}

fn in_plane(scene: &Scene<Vec2>, arguments: &Arguments) -> Result<Vec<u8>, Failure> {
    if arguments.from.is_some() {
        return Err(Failure::NoCamera);
    }
    let options = SvgOptions {
        width: arguments.width as u32,
        height: arguments.height as u32,
        contacts: !arguments.no_contacts,
        ..SvgOptions::default()
    };
    let runner = stepped(scene, arguments)?;
    let _drawing = drawing(arguments);
    Ok(svg(runner.world(), &options).into_bytes())
}

fn in_space(scene: &Scene<Vec3>, arguments: &Arguments) -> Result<Vec<u8>, Failure> {
    let cameras = arguments.from.zip(arguments.towards);
    let options = ImageOptions {
        width: arguments.width as u32,
        height: arguments.height as u32,
        camera: cameras.map(|(from, towards)| Camera { from, towards }),
        contacts: !arguments.no_contacts,
    };
    let runner = stepped(scene, arguments)?;
    let _drawing = drawing(arguments);
    Ok(png(runner.world(), &options)?)
}

/// Shown until the picture is drawn.
fn drawing(arguments: &Arguments) -> ProgressBar {
    progress::of_work(format!("drawing {}", arguments.output.display()))
}

/// The scene at its frame, with its contacts.
fn stepped<V: FileVector>(
    scene: &Scene<V>,
    arguments: &Arguments,
) -> Result<SceneRunner<V>, Failure> {
    let mut runner = SceneRunner::new(scene, RunOptions::default())?;
    let bar = progress::of_frames(arguments.frame);
    for _ in 0..arguments.frame {
        runner.step(arguments.dt).map_err(RunError::World)?;
        bar.inc(1);
    }
    if arguments.frame == 0 {
        // Nothing moves, but contacts are found.
        runner.world_mut().step(0.0).map_err(RunError::World)?;
    }
    Ok(runner)
}
