// Answers by kind of pair: how wide the bounds are, how long the search was, how much time it took.

import type { AnswerRow } from "../engine/protocol";

export type Measure = "width" | "iterations" | "microseconds";

export const MEASURES: Record<Measure, { name: string; unit: string }> = {
  width: { name: "width of the bounds", unit: "units of the pair" },
  iterations: { name: "iterations", unit: "iterations" },
  microseconds: { name: "time", unit: "µs" },
};

export interface Group {
  name: string;
  rows: AnswerRow[];
  errors: number;
  widest: number | null;
  medianIterations: number | null;
  mostIterations: number | null;
  medianTime: number;
  longestTime: number;
}

export function groupName(row: AnswerRow): string {
  const ask = row.ask === "distance" ? "" : ` (${row.ask})`;
  return row.error !== null && row.kinds === ""
    ? "cannot be answered"
    : `${row.kinds} ${row.dimension}D${ask}`;
}

/** Groups by name; in each, rows stay in the order of the file. */
export function groups(rows: readonly AnswerRow[]): Group[] {
  const byName = new Map<string, AnswerRow[]>();
  for (const row of rows) {
    const name = groupName(row);
    const list = byName.get(name);
    if (list) {
      list.push(row);
    } else {
      byName.set(name, [row]);
    }
  }
  return [...byName].map(([name, list]) => summarize(name, list)).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function summarize(name: string, rows: AnswerRow[]): Group {
  const widths = known(rows, "width");
  const iterations = known(rows, "iterations");
  const times = known(rows, "microseconds");
  return {
    name,
    rows,
    errors: rows.filter(({ error }) => error !== null).length,
    widest: widths.at(-1) ?? null,
    medianIterations: median(iterations),
    mostIterations: iterations.at(-1) ?? null,
    medianTime: median(times) ?? 0,
    longestTime: times.at(-1) ?? 0,
  };
}

/** What is known of a measure, in increasing order. */
function known(rows: readonly AnswerRow[], measure: Measure): number[] {
  return rows
    .map((row) => row[measure])
    .filter((value) => value !== null)
    .sort((a, b) => a - b);
}

function median(sorted: readonly number[]): number | null {
  return sorted[Math.floor(sorted.length / 2)] ?? null;
}

/** The rows with the greatest values; errors come first, since nothing is worse than no answer. */
export function worst(rows: readonly AnswerRow[], measure: Measure, count: number): AnswerRow[] {
  const rank = (row: AnswerRow) => (row.error !== null ? Number.POSITIVE_INFINITY : (row[measure] ?? -1));
  return rows.toSorted((a, b) => rank(b) - rank(a) || a.line - b.line).slice(0, count);
}

/** The groups in which the greatest values are, the greatest first. */
export function worstGroups(list: readonly Group[], measure: Measure, count: number): Group[] {
  const greatest = ({ rows }: Group) => known(rows, measure).at(-1) ?? -1;
  return list.toSorted((a, b) => greatest(b) - greatest(a)).slice(0, count);
}

export interface Curve {
  x: number[];
  y: (number | null)[];
  rows: AnswerRow[];
}

/**
 * The values of each group as a rising curve beside the others: group n fills x from n - 0.4 to n + 0.4. A
 * logarithmic axis has no zero, so the least value above it stands for it.
 */
export function curves(list: readonly Group[], measure: Measure): Curve {
  const positive = list.flatMap(({ rows }) => known(rows, measure)).filter((value) => value > 0);
  const least = positive.reduce((min, value) => Math.min(min, value), Number.POSITIVE_INFINITY);
  const curve: Curve = { x: [], y: [], rows: [] };
  list.forEach(({ rows }, place) => {
    const sorted = rows
      .filter((row) => row[measure] !== null)
      .toSorted((a, b) => (a[measure] ?? 0) - (b[measure] ?? 0));
    sorted.forEach((row, rank) => {
      curve.x.push(place - 0.4 + (0.8 * (rank + 0.5)) / sorted.length);
      curve.y.push(Math.max(row[measure] ?? 0, Number.isFinite(least) ? least : 1));
      curve.rows.push(row);
    });
  });
  return curve;
}
