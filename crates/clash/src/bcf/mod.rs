//! BCF 3.0 files, by which programs for buildings exchange issues: a topic for each fault, and what people have said about it.
//!
//! The topic of two parts has one GUID in all runs, which is made of their names. So a program that reads the file of a later run finds its own topics
//! again.

mod markup;
mod view;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;
use std::time::SystemTime;

use quick_xml::DeError;
use quick_xml::de::from_str;
use quick_xml::se::Serializer;
use serde::Serialize;
use twox_hash::XxHash64;
use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

use crate::check::Check;
use crate::clash::Clash;
use crate::report::{Earlier, EarlierClash, ReadEarlier, ReportWriter};

use markup::{Attributes, Extensions, Markup, OPEN, Version};
use view::View;

/// Why a BCF file cannot be written or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BcfError {
    /// The file cannot be written or read.
    #[error(transparent)]
    File(#[from] io::Error),
    /// It is no archive.
    #[error(transparent)]
    Zip(#[from] ZipError),
    /// A file in it is not what a BCF file has there.
    #[error("{name}: {error}")]
    Read {
        /// The file.
        name: String,
        /// What is wrong with it.
        error: DeError,
    },
    /// A topic cannot be written.
    #[error(transparent)]
    Write(#[from] quick_xml::SeError),
    /// A file in it could fill the memory.
    #[error("{name} has more than {MOST_BYTES} bytes")]
    TooLarge {
        /// The file.
        name: String,
    },
}

/// The most bytes of a file in a BCF file that is read: a small one could fill the memory otherwise.
const MOST_BYTES: u64 = 16 << 20;

/// The GUID that the same words always have.
fn guid(words: [&str; 3]) -> String {
    let [high, low] = [0, 1].map(|seed| {
        let mut text = Vec::new();
        for word in words {
            text.extend((word.len() as u64).to_le_bytes());
            text.extend(word.as_bytes());
        }
        XxHash64::oneshot(seed, &text)
    });
    // Version 8, of one's own making.
    let (time, version) = (high >> 32, high & 0xfff | 0x8000);
    let (middle, variant) = (high >> 16 & 0xffff, low >> 48 & 0x3fff | 0x8000);
    let node = low & 0xffff_ffff_ffff;
    format!("{time:08x}-{middle:04x}-{version:04x}-{variant:04x}-{node:012x}")
}

/// The faults among clashes, as topics of a BCF 3.0 file.
#[derive(Clone, Copy, Debug)]
pub struct Issues<'c> {
    /// The check.
    pub check: &'c Check,
    /// All clashes that it found, in the order of the report.
    pub clashes: &'c [Clash],
    /// The faults of an earlier run, whose statuses stay.
    pub since: Option<&'c Earlier>,
}

impl Issues<'_> {
    /// Writes a BCF file for as long as it `goes_on`, which is asked before each fault. The view of a topic shows both parts, the way out and
    /// where their surfaces cross. The file takes the place of another one at once, when it is whole: until then it has `.whole` behind its name.
    ///
    /// # Errors
    /// The file cannot be written; of the kind [`io::ErrorKind::Interrupted`] if it did not go on to the end.
    pub fn write_while(&self, path: &Path, goes_on: impl Fn() -> bool) -> Result<(), BcfError> {
        let [_, _, whole] = ReportWriter::files(path);
        self.whole(&whole, goes_on)
            .and_then(|()| Ok(fs::rename(&whole, path)?))
            .inspect_err(|_| drop(fs::remove_file(&whole)))
    }

    fn whole(&self, path: &Path, goes_on: impl Fn() -> bool) -> Result<(), BcfError> {
        let now = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
        let mut archive = ZipWriter::new(io::BufWriter::new(File::create(path)?));
        put(&mut archive, "bcf.version", &Version::default(), "Version")?;
        let mut statuses = Vec::new();
        for clash in self.clashes.iter().filter(|clash| !clash.is_allowed) {
            if !goes_on() {
                return Err(BcfError::File(io::ErrorKind::Interrupted.into()));
            }
            statuses.push(self.put_topic(&mut archive, clash, &now)?);
        }
        let extensions = Extensions::of(statuses);
        put(&mut archive, "extensions.xml", &extensions, "Extensions")?;
        archive.finish()?.flush()?;
        Ok(())
    }

    /// Adds the topic of a fault; its status.
    fn put_topic(
        &self,
        archive: &mut ZipWriter<impl Write + io::Seek>,
        clash: &Clash,
        date: &str,
    ) -> Result<String, BcfError> {
        let check = self.check;
        let [a, b] = [check.part_a(clash), check.part_b(clash)].map(|part| part.name());
        let known = self
            .since
            .and_then(|since| since.of(a, b)?.status.as_deref());
        let status = known.unwrap_or(OPEN);
        let topic = guid(["topic", a, b]);
        let attributes = Attributes {
            guid: &topic,
            status,
            date,
        };
        let markup = Markup::new(check, clash, attributes);
        put(archive, &format!("{topic}/markup.bcf"), &markup, "Markup")?;
        let view = View::new(check, clash, guid(["view", a, b]));
        let name = format!("{topic}/{}", markup::VIEW);
        put(archive, &name, &view, "VisualizationInfo")?;
        Ok(status.to_owned())
    }
}

/// A text without the characters that XML 1.0 has no way to say, which names of parts may have.
pub(crate) fn in_xml(text: &str) -> String {
    let is_no_xml = |letter: char| {
        let is_control = letter < ' ' && !matches!(letter, '\t' | '\n' | '\r');
        is_control || matches!(letter, '\u{fffe}' | '\u{ffff}')
    };
    text.replace(is_no_xml, "\u{fffd}")
}

fn put(
    archive: &mut ZipWriter<impl Write + io::Seek>,
    name: &str,
    content: &impl Serialize,
    root: &str,
) -> Result<(), BcfError> {
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let mut serializer = Serializer::with_root(&mut text, Some(root))?;
    serializer.indent(' ', 2);
    content.serialize(serializer)?;
    archive.start_file(name, SimpleFileOptions::default())?;
    archive.write_all(in_xml(&text).as_bytes())?;
    Ok(())
}

/// Reads the faults of a BCF file that an earlier run wrote, with the statuses that its topics have now, and counts the topics of clashes that
/// have no view of such a run. Topics of other programs are passed over.
pub(crate) fn read_bcf(file: File) -> Result<ReadEarlier, BcfError> {
    let mut archive = ZipArchive::new(io::BufReader::new(file))?;
    let files = archive.file_names().zip(0..);
    let files = files.map(|(name, number)| Ok((plain(&name?), number)));
    let files = files.collect::<Result<BTreeMap<String, usize>, ZipError>>()?;
    let mut read = ReadEarlier::default();
    for (name, &number) in &files {
        let Some(folder) = name.strip_suffix("markup.bcf") else {
            continue;
        };
        let Markup { topic } = get(&mut archive, (name, number))?;
        // A view that cannot be read is none of ours, and hides none.
        let clash = topic.views().find_map(|view| {
            let name = plain(&format!("{folder}{view}"));
            let shown: View = get(&mut archive, (&name, *files.get(&name)?)).ok()?;
            let clash = shown.clash()?;
            (view == markup::VIEW || shown.is_of(&clash.0)).then_some(clash)
        });
        match clash {
            Some((parts, point)) => {
                let status = Some(topic.status);
                read.earlier.insert(parts, EarlierClash { point, status });
            }
            None => read.passed_over += usize::from(topic.sort == markup::CLASH),
        }
    }
    Ok(read)
}

/// The name of a file as programs compare it that write it otherwise: with backslashes, or in capitals.
fn plain(name: &str) -> String {
    name.replace('\\', "/").to_ascii_lowercase()
}

fn get<T: serde::de::DeserializeOwned>(
    archive: &mut ZipArchive<impl Read + io::Seek>,
    (name, number): (&str, usize),
) -> Result<T, BcfError> {
    let mut text = String::new();
    let file = archive.by_index(number)?;
    if file.size() > MOST_BYTES {
        let name = name.to_owned();
        return Err(BcfError::TooLarge { name });
    }
    file.take(MOST_BYTES).read_to_string(&mut text)?;
    from_str(&text).map_err(|error| BcfError::Read {
        name: name.to_owned(),
        error,
    })
}
