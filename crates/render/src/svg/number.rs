//! Numbers of an SVG image, in as few characters as they need.

use core::fmt::{Display, Formatter, Result};

/// A number with one decimal at most.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Tenths(pub(crate) f64);

/// Two coordinates in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pixels(pub(crate) [f64; 2]);

/// A number for people: three significant digits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rounded(pub(crate) f64);

impl Display for Tenths {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let text = format!("{:.1}", self.0);
        let text = text.strip_suffix(".0").unwrap_or(&text);
        f.write_str(match text {
            "-0" => "0",
            text => text,
        })
    }
}

impl Display for Pixels {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let [x, y] = self.0.map(Tenths);
        write!(f, "{x} {y}")
    }
}

impl Display for Rounded {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        // Rounded to three digits by writing them.
        let rounded = format!("{:.2e}", self.0).parse().unwrap_or(self.0);
        if rounded == 0.0 || (1e-4..1e6).contains(&rounded.abs()) {
            write!(f, "{rounded}")
        } else {
            write!(f, "{rounded:e}")
        }
    }
}

/// A number with the noun that fits it.
pub(crate) fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let tenths = |value| Tenths(value).to_string();
        assert_eq!(
            [1.0, -0.04, 12.34, -7.96].map(tenths),
            ["1", "0", "12.3", "-8"]
        );
        let rounded = |value| Rounded(value).to_string();
        assert_eq!(
            [0.0, 0.5, 1.0 / 3.0, 20.0].map(rounded),
            ["0", "0.5", "0.333", "20"]
        );
        assert_eq!([2e7, 5e-8].map(rounded), ["2e7", "5e-8"]);
    }
}
