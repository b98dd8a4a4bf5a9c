//! What scale and colours mean.

use core::fmt::{Result, Write};

use clearance_math::Vec2;
use clearance_world::World;

use super::number::{Rounded, Tenths, counted};
use super::options::SvgOptions;
use super::view::View;
use crate::closeness::{Closeness, GapRange};
use crate::round_number::round_below;

/// The height of a row, in pixels.
const ROW: f64 = 22.0;

/// The free space around the rows, in pixels.
const BORDER: f64 = 10.0;

/// The width that a letter may take, in pixels.
const LETTER: f64 = 6.5;

/// The length of a coloured line in front of a text, in pixels.
const LINE: f64 = 20.0;

/// The longest bar of the scale, in pixels.
const LONGEST_BAR: f64 = 120.0;

/// A sample with its explanation.
#[derive(Clone, Debug, PartialEq)]
struct Entry {
    colour: String,
    text: String,
}

/// What is written below a picture.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Legend {
    summary: String,
    unit: String,
    entries: Vec<Entry>,
}

impl Legend {
    pub(crate) fn new(world: &World<Vec2>, options: &SvgOptions, gaps: GapRange) -> Self {
        let contacts = world.contacts();
        let kinds = contacts
            .iter()
            .map(|contact| gaps.closeness(contact.distance()));
        let kinds: Vec<Closeness> = kinds.collect();
        let shown = |closeness: &Closeness| options.contacts && kinds.contains(closeness);
        let unit = escaped(&options.unit);
        let entries = Closeness::ALL.into_iter().filter(shown).map(|closeness| {
            let [red, green, blue] = closeness.colour();
            Entry {
                colour: format!("#{red:02x}{green:02x}{blue:02x}"),
                text: match closeness {
                    Closeness::Overlap => "overlap".to_owned(),
                    Closeness::Gap(step) => {
                        let end = Rounded(gaps.end(step).into());
                        format!("gap to {end} {unit}").trim_end().to_owned()
                    }
                },
            }
        });
        let bodies = counted(world.len(), "body", "bodies");
        Self {
            entries: entries.collect(),
            summary: if options.contacts {
                let contacts = counted(contacts.len(), "contact", "contacts");
                format!("{bodies}, {contacts}")
            } else {
                bodies
            },
            unit,
        }
    }

    /// The height that the legend takes of a picture of this width, in pixels.
    pub(crate) fn height(&self, width: f64) -> f64 {
        let rows = self.places(width).last().map_or(1.0, |[_, row]| row + 1.0);
        rows * ROW + BORDER
    }

    /// Left ends and rows of the scale, the entries and the summary.
    fn places(&self, width: f64) -> Vec<[f64; 2]> {
        let letters = |text: &str| text.chars().count() as f64 * LETTER;
        let scale = LONGEST_BAR + letters(&self.length(500.0));
        let entries = self.entries.iter().map(|entry| LINE + letters(&entry.text));
        let widths = [scale]
            .into_iter()
            .chain(entries)
            .chain([letters(&self.summary)]);
        let (mut x, mut row) = (BORDER, 0.0);
        let place = |needed: f64| {
            if x > BORDER && x + needed > width - BORDER {
                (x, row) = (BORDER, row + 1.0);
            }
            let place = [x, row];
            x += needed + 2.0 * BORDER;
            place
        };
        widths.map(place).collect()
    }

    /// A length with its unit.
    fn length(&self, length: f64) -> String {
        let number = Rounded(length);
        match self.unit.as_str() {
            "" if length == 1.0 => format!("{number} unit of length"),
            "" => format!("{number} units of length"),
            unit => format!("{number} {unit}"),
        }
    }

    pub(crate) fn write(&self, out: &mut String, view: &View, [width, height]: [f64; 2]) -> Result {
        let top = height - self.height(width);
        let below = height - top;
        writeln!(
            out,
            r##"<g fill="#33363b" stroke="none"><rect y="{}" width="{width}" height="{}" fill="#fff"/><path d="M0 {}h{width}" stroke="#d5d2ca"/>"##,
            Tenths(top),
            Tenths(below),
            Tenths(top)
        )?;
        let places = self.places(width);
        let at = |[x, row]: [f64; 2]| [x, top + BORDER + (row + 0.5) * ROW];
        let middle = |place| at(place).map(Tenths);
        let length = round_below(LONGEST_BAR / view.scale());
        let bar = length * view.scale();
        let [x, y] = middle(places[0]);
        let text = Tenths(places[0][0] + bar + 8.0);
        let baseline = Tenths(at(places[0])[1] + 4.0);
        writeln!(
            out,
            r##"<path d="M{x} {y}m0 -4v8m0 -4h{}m0 -4v8" fill="none" stroke="#33363b"/><text x="{text}" y="{baseline}">{}</text>"##,
            Tenths(bar),
            self.length(length)
        )?;
        for (entry, place) in self.entries.iter().zip(&places[1..]) {
            let [x, y] = middle(*place);
            let text = Tenths(place[0] + LINE + 6.0);
            let baseline = Tenths(at(*place)[1] + 4.0);
            let Entry {
                colour,
                text: words,
            } = entry;
            writeln!(
                out,
                r#"<path d="M{x} {y}h{LINE}" stroke="{colour}" stroke-width="2"/><path class="d" d="M{x} {y}h0m{LINE} 0h0" stroke="{colour}"/><text x="{text}" y="{baseline}">{words}</text>"#
            )?;
        }
        let last = places[places.len() - 1];
        let (x, y) = (Tenths(last[0]), Tenths(at(last)[1] + 4.0));
        writeln!(out, r#"<text x="{x}" y="{y}">{}</text></g>"#, self.summary)
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
