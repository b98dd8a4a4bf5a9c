//! Segments with a width.

use super::canvas::{Canvas, Colour, Spot, place};

/// How a segment is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pen {
    pub(crate) colour: Colour,
    /// Half of the width, in samples.
    pub(crate) half_width: f64,
    /// How much of the colour there is where the segment is behind something.
    pub(crate) share_behind: f64,
    /// How far behind a surface the segment may be and still count as seen, relative to its depth.
    pub(crate) slack: f64,
}

/// Draws all samples within half a width of a segment.
pub(crate) fn draw(canvas: &mut Canvas, [a, b]: [Spot; 2], pen: Pen) {
    let along = [b.x - a.x, b.y - a.y];
    let squared = along[0] * along[0] + along[1] * along[1];
    if !squared.is_finite() {
        return;
    }
    let half = pen.half_width;
    let low = [a.x.min(b.x) - half, a.y.min(b.y) - half];
    let high = [a.x.max(b.x) + half, a.y.max(b.y) + half];
    let samples = canvas.samples_in(low, high);
    for row in samples.rows {
        let columns = columns_near(row, samples.columns.clone(), [a, b], half);
        for column in columns {
            let [x, y] = place(row, column);
            let from_start = [x - a.x, y - a.y];
            let share = if squared > 0.0 {
                let dot = from_start[0] * along[0] + from_start[1] * along[1];
                (dot / squared).clamp(0.0, 1.0)
            } else {
                0.0
            };
            let off = [0, 1].map(|k| from_start[k] - along[k] * share);
            if off[0] * off[0] + off[1] * off[1] > half * half {
                continue;
            }
            let nearness = a.nearness + (b.nearness - a.nearness) * share;
            let is_seen = nearness >= canvas.nearness(row, column) * (1.0 - pen.slack);
            let share = if is_seen { 1.0 } else { pen.share_behind };
            if share > 0.0 {
                canvas.mix([row, column], pen.colour, share);
            }
        }
    }
}

/// The columns of a row that a segment may reach, so that long ones do not cost their whole box.
fn columns_near(
    row: usize,
    columns: core::ops::Range<usize>,
    [a, b]: [Spot; 2],
    half: f64,
) -> core::ops::Range<usize> {
    let height = b.y - a.y;
    if height.abs() < 1.0 {
        return columns;
    }
    // Within the row, and as far above and below it as the segment is wide.
    let [_, y] = place(row, 0);
    let at = |y: f64| a.x + (b.x - a.x) * ((y - a.y) / height).clamp(0.0, 1.0);
    let reach = 1.5 * half + 1.0;
    let (one, other) = (at(y - reach), at(y + reach));
    let first = (one.min(other) - reach).max(columns.start as f64) as usize;
    let end = (one.max(other) + reach + 1.0).clamp(0.0, columns.end as f64) as usize;
    first..end
}
