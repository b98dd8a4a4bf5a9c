//! The lines of a whole report.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use super::earlier::SolvedLine;
use super::lines::{ClashLine, CsvLine, RefusedLine, SurfaceLine};
use super::{Changes, Earlier, ReportWriter, Summary, write_line};
use crate::files::ends_in;
use crate::groups::groups_while;
use crate::part::Form;

impl ReportWriter<'_> {
    /// Writes the whole report to a file.
    pub(super) fn whole(&self, path: &Path, goes_on: impl Fn() -> bool) -> io::Result<Summary> {
        let check = self.options.check;
        let mut grouped = Vec::new();
        self.each_clash(&goes_on, |clash| {
            grouped.push(check.grouped(&clash));
            Ok(())
        })?;
        let groups = groups_while(&grouped, &goes_on).ok_or(io::ErrorKind::Interrupted)?;
        drop(grouped);
        let mut summary = Summary::of(&self.header, check);
        summary.changes = self.options.since.map(|_| Changes::default());
        let mut out = BufWriter::new(File::create(path)?);
        let is_table = ends_in(self.options.path, &["csv"]);
        if is_table {
            out.write_all(CsvLine::TITLES.as_bytes())?;
        } else {
            write_line(&mut out, &self.header)?;
            self.put_flaws(&mut out)?;
        }
        let mut number = 0;
        let mut left = self.options.since.cloned().unwrap_or_default();
        self.each_clash(&goes_on, |clash| {
            let mut line = ClashLine::new(check, &clash, [number, groups[number] as usize]);
            if let Some(earlier) = self.options.since {
                line = line.since(earlier, &check.grouped(&clash));
            }
            if !clash.is_allowed {
                left.remove(line.a, line.b);
            }
            summary.count(&line, clash.rule);
            number += 1;
            if is_table {
                CsvLine(&line).write(&mut out)
            } else {
                write_line(&mut out, &line)
            }
        })?;
        if let Some(changes) = &mut summary.changes {
            changes.solved = left.len() as u64;
        }
        if !is_table {
            put_solved(&mut out, &left)?;
            write_line(&mut out, &summary)?;
        }
        out.into_inner()?.sync_all()?;
        Ok(summary)
    }

    /// What was refused, and what has no inside.
    fn put_flaws(&self, out: &mut impl Write) -> io::Result<()> {
        let sources = self.options.sources;
        let sides = [("a", Some(&sources.a)), ("b", sources.b.as_ref())];
        for (side, source) in sides {
            for refused in source.iter().flat_map(|source| &source.refused) {
                write_line(out, &RefusedLine::new(side, refused))?;
            }
        }
        let check = self.options.check;
        for (side, assembly) in [("a", Some(check.a())), ("b", check.b())] {
            for part in assembly.iter().flat_map(|assembly| assembly.parts()) {
                if let Form::Surface { reason } = part.form() {
                    write_line(out, &SurfaceLine::new(side, part.name(), reason))?;
                }
            }
        }
        Ok(())
    }
}

/// The faults that there are no more.
fn put_solved(out: &mut impl Write, left: &Earlier) -> io::Result<()> {
    for ([a, b], clash) in left.iter() {
        let (point, status) = (clash.point.to_array(), clash.status.as_deref());
        write_line(
            out,
            &SolvedLine {
                a,
                b,
                point,
                status,
            },
        )?;
    }
    Ok(())
}
