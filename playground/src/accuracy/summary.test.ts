import { describe, expect, it } from "vitest";
import type { AnswerRow } from "../engine/protocol";
import { curves, groups, worst } from "./summary";

function row(line: number, kinds: string, width: number | null, error: string | null = null): AnswerRow {
  return {
    line,
    id: null,
    kinds,
    dimension: 3,
    ask: "distance",
    distance: 1,
    lower: 1,
    upper: 1,
    width,
    status: "converged",
    iterations: line,
    microseconds: 10 - line,
    error,
  };
}

const rows = [
  row(1, "ball, ball", 0),
  row(2, "ball, cone", 3e-7),
  row(3, "ball, cone", 1e-7),
  row(4, "ball, cone", 2e-7),
];

describe("answers by kind of pair", () => {
  it("are grouped and summarized", () => {
    const [balls, cones] = groups(rows);
    expect(balls?.name).toBe("ball, ball 3D");
    expect(balls?.widest).toBe(0);
    expect(cones?.rows).toHaveLength(3);
    expect(cones?.widest).toBe(3e-7);
    expect(cones?.medianIterations).toBe(3);
    expect(cones?.longestTime).toBe(8);
  });

  it("the worst come first, and errors before them", () => {
    expect(worst(rows, "width", 2).map(({ line }) => line)).toEqual([2, 4]);
    const more = [...rows, row(5, "", null, "a: missing")];
    expect(worst(more, "width", 2).map(({ line }) => line)).toEqual([5, 2]);
    expect(groups(more).find(({ errors }) => errors === 1)?.name).toBe("cannot be answered");
  });

  it("rise within each group, without zeros", () => {
    const { x, y, rows: drawn } = curves(groups(rows), "width");
    expect(y).toEqual([1e-7, 1e-7, 2e-7, 3e-7]);
    expect(drawn.map(({ line }) => line)).toEqual([1, 3, 4, 2]);
    expect(x).toEqual(x.toSorted((a, b) => a - b));
    expect(Math.round(x[0] ?? -1)).toBe(0);
    expect(Math.round(x[3] ?? -1)).toBe(1);
  });
});
