//! Samples with colours and depths, which triangles are drawn into.

use super::picture::{Image, ImageOptions};

/// How many samples a pixel has along each side; their mean is its colour.
pub(crate) const SAMPLES: usize = 2;

/// Red, green and blue.
pub(crate) type Colour = [u8; 3];

const BACKGROUND: Colour = [0xfb, 0xfb, 0xf8];

/// A point of the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spot {
    /// To the right, in samples.
    pub(crate) x: f64,
    /// Down, in samples.
    pub(crate) y: f64,
    /// One divided by the depth, so that it changes evenly over a triangle.
    pub(crate) nearness: f64,
}

/// The samples of a picture.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Canvas {
    width: usize,
    height: usize,
    colours: Vec<Colour>,
    /// One divided by the depth of what is seen at each sample, zero for the background.
    nearness: Vec<f32>,
}

impl Canvas {
    pub(crate) fn new(options: &ImageOptions) -> Self {
        let [width, height] = [options.width, options.height].map(|side| side as usize * SAMPLES);
        Self {
            width,
            height,
            colours: vec![BACKGROUND; width * height],
            nearness: vec![0.0; width * height],
        }
    }

    /// The rows and columns of the samples within a range of places, both ends included.
    pub(crate) fn samples_in(&self, low: [f64; 2], high: [f64; 2]) -> Samples {
        let first = |place: f64| libm::ceil(place - 0.5).max(0.0) as usize;
        let end = |place: f64, count: usize| {
            let past = libm::floor(place - 0.5) + 1.0;
            past.clamp(0.0, count as f64) as usize
        };
        Samples {
            columns: first(low[0])..end(high[0], self.width),
            rows: first(low[1])..end(high[1], self.height),
        }
    }

    /// The nearness of what is seen at a sample.
    pub(crate) fn nearness(&self, row: usize, column: usize) -> f64 {
        self.nearness[row * self.width + column].into()
    }

    /// Mixes a colour into a sample; with `share` 1 it replaces what was there.
    pub(crate) fn mix(&mut self, [row, column]: [usize; 2], colour: Colour, share: f64) {
        let place = &mut self.colours[row * self.width + column];
        *place = mixed(*place, colour, share);
    }

    /// Fills a convex polygon where nothing nearer is seen.
    pub(crate) fn fill(&mut self, polygon: &[Spot], colour: Colour) {
        let [first, rest @ ..] = polygon else { return };
        for pair in rest.windows(2) {
            self.triangle([*first, pair[0], pair[1]], colour);
        }
    }

    fn triangle(&mut self, [a, b, c]: [Spot; 3], colour: Colour) {
        let area = doubled_area([a.x, a.y], b, c);
        if !(area.abs() > 0.0 && area.is_finite()) {
            return;
        }
        let low = [a.x.min(b.x).min(c.x), a.y.min(b.y).min(c.y)];
        let high = [a.x.max(b.x).max(c.x), a.y.max(b.y).max(c.y)];
        let samples = self.samples_in(low, high);
        for row in samples.rows {
            for column in samples.columns.clone() {
                let place = place(row, column);
                let shares =
                    [(b, c), (c, a), (a, b)].map(|(from, to)| doubled_area(place, from, to) / area);
                if shares.iter().any(|share| *share < 0.0) {
                    continue;
                }
                let [to_a, to_b, to_c] = shares;
                let nearness = to_a * a.nearness + to_b * b.nearness + to_c * c.nearness;
                let index = row * self.width + column;
                if nearness as f32 > self.nearness[index] {
                    self.nearness[index] = nearness as f32;
                    self.colours[index] = colour;
                }
            }
        }
    }

    pub(crate) fn into_image(self) -> Image {
        let [width, height] = [self.width, self.height].map(|side| side / SAMPLES);
        let mut pixels = Vec::with_capacity(3 * width * height);
        for row in 0..height {
            for column in 0..width {
                let mut sum = [0; 3];
                for index in 0..SAMPLES * SAMPLES {
                    let row = row * SAMPLES + index / SAMPLES;
                    let column = column * SAMPLES + index % SAMPLES;
                    let colour = self.colours[row * self.width + column];
                    sum = [0, 1, 2].map(|k| sum[k] + u32::from(colour[k]));
                }
                let count = (SAMPLES * SAMPLES) as u32;
                pixels.extend(sum.map(|sum| ((sum + count / 2) / count) as u8));
            }
        }
        Image {
            width: width as u32,
            height: height as u32,
            pixels,
        }
    }
}

/// Rows and columns of samples.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Samples {
    pub(crate) rows: core::ops::Range<usize>,
    pub(crate) columns: core::ops::Range<usize>,
}

/// The middle of a sample.
pub(crate) fn place(row: usize, column: usize) -> [f64; 2] {
    [column as f64 + 0.5, row as f64 + 0.5]
}

/// A colour with a share of another.
pub(crate) fn mixed(under: Colour, over: Colour, share: f64) -> Colour {
    [0, 1, 2].map(|k| {
        let (under, over) = (f64::from(under[k]), f64::from(over[k]));
        libm::round(under + (over - under) * share) as u8
    })
}

/// Twice the area of a triangle, positive in one order of its corners and negative in the other.
fn doubled_area([x, y]: [f64; 2], b: Spot, c: Spot) -> f64 {
    (b.x - x) * (c.y - y) - (b.y - y) * (c.x - x)
}
