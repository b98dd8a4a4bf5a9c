//! The lines of a report between its header and its summary.

use std::io::{self, BufRead, Read, Write};

use serde::Serialize;

use super::earlier::{Change, Earlier};
use crate::check::Check;
use crate::clash::{Clash, Side};
use crate::groups::Grouped;
use crate::kind::Kind;
use crate::read::Refused;

/// The most bytes of a line that is read: a file without ends of lines could fill the memory otherwise.
const MOST_BYTES: u64 = 64 << 20;

/// Adds the next line with its end, or the beginning of one that is too long, and tells how many bytes that are.
pub(super) fn next_line(reader: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<usize> {
    reader.take(MOST_BYTES).read_until(b'\n', line)
}

/// A clash with the names of all that it has to do with.
#[derive(Serialize)]
#[serde(tag = "type", rename = "clash")]
pub(super) struct ClashLine<'c> {
    /// Counted from 1.
    clash: usize,
    /// The number of the first clash of its group.
    pub(super) group: usize,
    pub(super) kind: Kind,
    #[serde(skip_serializing_if = "Option::is_none")]
    inner: Option<Side>,
    pub(super) proven: bool,
    pub(super) allowed: bool,
    pub(super) a: &'c str,
    pub(super) b: &'c str,
    form_a: &'static str,
    form_b: &'static str,
    rule: Option<&'c str>,
    distance: f32,
    lower: Option<f32>,
    upper: Option<f32>,
    point_a: [f64; 3],
    point_b: [f64; 3],
    normal: [f32; 3],
    /// Of a fault, where there is an earlier run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) change: Option<Change>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) status: Option<&'c str>,
}

impl<'c> ClashLine<'c> {
    /// The line of a clash, with its number and that of its group, both counted from 0.
    pub(super) fn new(check: &'c Check, clash: &Clash, [number, group]: [usize; 2]) -> Self {
        let (part_a, part_b) = (check.part_a(clash), check.part_b(clash));
        let finite = |bound: f32| bound.is_finite().then_some(bound);
        Self {
            clash: number + 1,
            group: group + 1,
            kind: clash.kind,
            inner: clash.inner,
            proven: clash.is_proven,
            allowed: clash.is_allowed,
            a: part_a.name(),
            b: part_b.name(),
            form_a: part_a.form().name(),
            form_b: part_b.form().name(),
            rule: clash.rule.and_then(|rule| check.rules().name(rule)),
            distance: clash.distance,
            lower: finite(clash.lower),
            upper: finite(clash.upper),
            point_a: clash.point_a,
            point_b: clash.point_b,
            normal: clash.normal,
            change: None,
            status: None,
        }
    }

    /// With what became of it since an earlier run, if it is a fault.
    pub(super) fn since(self, earlier: &'c Earlier, now: &Grouped) -> Self {
        if self.allowed {
            return self;
        }
        let known = earlier.of(self.a, self.b);
        Self {
            change: Some(Change::since(known, now)),
            status: known.and_then(|known| known.status.as_deref()),
            ..self
        }
    }

    pub(super) fn is_first_of_group(&self) -> bool {
        self.group == self.clash
    }
}

/// A clash as a row of a table.
pub(super) struct CsvLine<'l>(pub(super) &'l ClashLine<'l>);

impl CsvLine<'_> {
    /// The first row.
    pub(super) const TITLES: &'static str = "clash,group,kind,inner,proven,allowed,a,b,form_a,form_b,rule,distance,lower,upper,\
        point_a_x,point_a_y,point_a_z,point_b_x,point_b_y,point_b_z,normal_x,normal_y,normal_z\n";

    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let Self(line) = self;
        let inner = match line.inner {
            Some(Side::A) => "a",
            Some(Side::B) => "b",
            None => "",
        };
        let (clash, group, kind) = (line.clash, line.group, line.kind.name());
        let (proven, allowed) = (line.proven, line.allowed);
        write!(out, "{clash},{group},{kind},{inner},{proven},{allowed}")?;
        let rule = line.rule.unwrap_or_default();
        for text in [line.a, line.b, line.form_a, line.form_b, rule] {
            write!(out, ",{}", quoted(text))?;
        }
        write!(out, ",{}", line.distance)?;
        for bound in [line.lower, line.upper] {
            let bound = bound.map_or_else(String::new, |bound| bound.to_string());
            write!(out, ",{bound}")?;
        }
        for number in line.point_a.iter().chain(&line.point_b) {
            write!(out, ",{number}")?;
        }
        for number in line.normal {
            write!(out, ",{number}")?;
        }
        writeln!(out)
    }
}

/// A text as a field of a table: in quotes if it would be read otherwise without them.
fn quoted(text: &str) -> String {
    if text.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

/// A part without an inside.
#[derive(Serialize)]
#[serde(tag = "type", rename = "surface")]
pub(super) struct SurfaceLine<'c> {
    side: &'static str,
    part: &'c str,
    reason: &'c str,
}

impl<'c> SurfaceLine<'c> {
    pub(super) fn new(side: &'static str, part: &'c str, reason: &'c str) -> Self {
        Self { side, part, reason }
    }
}

/// A part or a file that was left out.
#[derive(Serialize)]
#[serde(tag = "type", rename = "refused")]
pub(super) struct RefusedLine<'c> {
    side: &'static str,
    file: &'c str,
    part: Option<&'c str>,
    reason: &'c str,
}

impl<'c> RefusedLine<'c> {
    pub(super) fn new(side: &'static str, refused: &'c Refused) -> Self {
        Self {
            side,
            file: &refused.file,
            part: refused.part.as_deref(),
            reason: &refused.reason,
        }
    }
}
