//! What a run writes beside its table: to a file or to standard output.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use clearance_scene::{ContactLine, FileVector};
use same_file::Handle;

use crate::failure::{Failure, Verdict};
use crate::{input, output};

/// Where contacts or a recording are written to.
pub(crate) struct OutputFile<'p> {
    path: &'p Path,
    out: Box<dyn Write>,
}

impl<'p> OutputFile<'p> {
    /// Creates the file `path`, or opens standard output if it is `-`.
    pub(crate) fn create(path: &'p Path, scene: &Path) -> Result<Self, Failure> {
        let out: Box<dyn Write> = if input::is_standard(path) {
            Box::new(output::standard())
        } else if is_same_file(path, scene) {
            let name = path.display().to_string();
            return Err(Failure::Overwrites { name });
        } else {
            let file = File::create(path).map_err(|error| Failure::write(path, error))?;
            Box::new(BufWriter::with_capacity(1 << 16, file))
        };
        Ok(Self { path, out })
    }

    pub(crate) fn write_contacts<V: FileVector>(
        &mut self,
        line: &ContactLine<V>,
    ) -> io::Result<()> {
        serde_json::to_writer(&mut self.out, line)?;
        self.out.write_all(b"\n")
    }

    pub(crate) fn write_bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes)
    }

    pub(crate) fn finish(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// How the command ends after an error of writing.
    pub(crate) fn verdict(&self, error: io::Error) -> Result<Verdict, Failure> {
        if input::is_standard(self.path) {
            Failure::of_output(error)
        } else {
            Err(Failure::write(self.path, error))
        }
    }
}

/// Whether `path` leads to the file that the scene was read from, under whatever name.
fn is_same_file(path: &Path, scene: &Path) -> bool {
    // Only files can be scenes, and to open a pipe could wait for ever.
    let is_file = fs::metadata(path).is_ok_and(|metadata| metadata.is_file());
    let scene = || {
        if input::is_standard(scene) {
            Handle::stdin()
        } else {
            Handle::from_path(scene)
        }
    };
    is_file && matches!((Handle::from_path(path), scene()), (Ok(file), Ok(scene)) if file == scene)
}
