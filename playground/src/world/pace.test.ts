import { describe, expect, it } from "vitest";
import { Pace } from "./pace";

function stepsInASecond(speed: number, framesPerSecond: number): number {
  const pace = new Pace(1 / 60);
  let steps = pace.due(0, speed);
  for (let frame = 1; frame <= framesPerSecond; frame += 1) {
    steps += pace.due((frame * 1000) / framesPerSecond, speed);
  }
  return steps;
}

describe("a world runs as fast as the clock says", () => {
  it("at full speed, twice and a quarter of it", () => {
    expect(stepsInASecond(1, 60)).toBeGreaterThanOrEqual(59);
    expect(stepsInASecond(1, 60)).toBeLessThanOrEqual(61);
    expect(stepsInASecond(2, 60)).toBeGreaterThanOrEqual(119);
    expect(stepsInASecond(0.25, 60)).toBeLessThanOrEqual(16);
    expect(stepsInASecond(0.25, 60)).toBeGreaterThanOrEqual(15);
  });

  it("one step a frame where frames are slow, and no burst after a pause", () => {
    expect(stepsInASecond(1, 20)).toBe(21);
    const pace = new Pace(1 / 60);
    pace.due(0, 1);
    expect(pace.due(60_000, 1)).toBe(1);
    expect(pace.due(60_001, 1)).toBe(1);
    expect(pace.due(60_002, 1)).toBe(0);
  });
});
