import { describe, expect, it } from "vitest";
import { paths } from "./picture";

describe("edges are joined to paths", () => {
  it("a ring, whatever the order of its edges", () => {
    const [ring, ...more] = paths([0, 1, 2, 3, 1, 2, 3, 0]);
    expect(more).toEqual([]);
    expect(ring?.closed).toBe(true);
    expect([...(ring?.vertices ?? [])].sort()).toEqual([0, 1, 2, 3]);
  });

  it("a chain, a ring beside it, and a single edge", () => {
    const found = paths([5, 6, 6, 7, 0, 1, 1, 2, 2, 0, 9, 8]);
    expect(found.map(({ closed }) => closed).sort()).toEqual([false, false, true]);
    expect(found.map(({ vertices }) => vertices.length).sort()).toEqual([2, 3, 3]);
  });
});
