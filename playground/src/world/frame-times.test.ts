import { describe, expect, it } from "vitest";
import type { Frame } from "../engine/protocol";
import { FrameTimes } from "./frame-times";

const frame = (number: number, move: number) =>
  ({ frame: number, stages: [{ name: "move", milliseconds: move }] }) as Frame;

describe("the times of the last frames", () => {
  it("are plotted now and then, and keep a limited number of frames", () => {
    const times = new FrameTimes();
    for (let number = 0; number < 1000; number += 1) {
      times.add(frame(number, number / 10), number * 500);
    }
    const { stages, rows } = times.plotted.value;
    expect(stages).toEqual(["move"]);
    expect(rows[0]).toHaveLength(240);
    expect(rows[0]?.at(-1)).toBe(999);
    expect(rows[1]?.at(-1)).toBe(99.9);
  });

  it("start anew from a frame that is gone back to", () => {
    const times = new FrameTimes();
    for (const [place, number] of [1, 2, 3, 4, 2, 3].entries()) {
      times.add(frame(number, 1), place * 500);
    }
    expect(times.plotted.value.rows[0]).toEqual([1, 2, 3]);
  });
});
