//! What a run writes while it steps.

use std::io;
use std::ops::ControlFlow;
use std::path::Path;

use clearance_recording::{Encoder, EncoderOptions};
use clearance_scene::{ContactLine, FileVector};
use clearance_world::World;

use crate::failure::{Failure, Verdict};
use crate::hashes::HashLines;
use crate::output_file::OutputFile;

/// Goes on, or says how the command ends.
type Progress = ControlFlow<Result<Verdict, Failure>>;

/// Where contacts, a recording and hashes are written to, if they are wanted.
pub(crate) struct RunOutputs<'p, V: FileVector> {
    pub(crate) contacts: Option<OutputFile<'p>>,
    pub(crate) recording: Option<RecordingFile<'p, V>>,
    pub(crate) hashes: Option<HashLines>,
}

impl<V: FileVector> RunOutputs<'_, V> {
    /// Writes the frame that was stepped.
    pub(crate) fn write(&mut self, frame: u64, world: &World<V>) -> Progress {
        if let Some(file) = &mut self.contacts
            && let Err(error) = file.write_contacts(&ContactLine { frame, world })
        {
            return ControlFlow::Break(file.verdict(error));
        }
        if let Some(recording) = &mut self.recording {
            recording.write(world)?;
        }
        let has_files = self.contacts.is_some() || self.recording.is_some();
        if let Some(lines) = &mut self.hashes {
            lines.write(frame, world.contacts_hash());
            if lines.has_failed() && !has_files {
                return ControlFlow::Break(self.finish_hashes());
            }
        }
        ControlFlow::Continue(())
    }

    /// Writes what is still in memory.
    pub(crate) fn finish(&mut self) -> Progress {
        let recording = self.recording.as_mut().map(|recording| &mut recording.file);
        for file in [self.contacts.as_mut(), recording].into_iter().flatten() {
            if let Err(error) = file.finish() {
                return ControlFlow::Break(file.verdict(error));
            }
        }
        ControlFlow::Continue(())
    }

    fn finish_hashes(&mut self) -> Result<Verdict, Failure> {
        let written = self.hashes.take().map_or(Ok(()), HashLines::finish);
        written.map_or_else(Failure::of_output, |()| Ok(Verdict::Fine))
    }
}

/// Where a recording is written to.
pub(crate) struct RecordingFile<'p, V: FileVector> {
    file: OutputFile<'p>,
    encoder: Encoder<V>,
    blocks: Vec<u8>,
}

impl<'p, V: FileVector> RecordingFile<'p, V> {
    pub(crate) fn create(path: &'p Path, scene: &Path) -> Result<Self, Failure> {
        Ok(Self {
            file: OutputFile::create(path, scene)?,
            encoder: Encoder::new(EncoderOptions::default()),
            blocks: Vec::new(),
        })
    }

    fn write(&mut self, world: &World<V>) -> Progress {
        self.blocks.clear();
        let encoded = self.encoder.frame(world, &mut self.blocks);
        if let Err(error) = encoded {
            return ControlFlow::Break(Err(Failure::Record(error)));
        }
        let written: io::Result<()> = self.file.write_bytes(&self.blocks);
        match written {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => ControlFlow::Break(self.file.verdict(error)),
        }
    }
}
