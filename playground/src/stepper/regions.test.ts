import { Vector3 } from "three";
import { describe, expect, it } from "vitest";
import type { Patch } from "./picture";
import { regionPatches } from "./regions";

const extent = { min: new Vector3(-2, -2, 0), max: new Vector3(2, 2, 0) };

function area({ corners }: Patch): number {
  return Math.abs(
    corners.reduce((sum, from, number) => {
      const to = corners[(number + 1) % corners.length] ?? from;
      return sum + (from.x * to.y - to.x * from.y) / 2;
    }, 0),
  );
}

describe("Voronoi regions in the plane", () => {
  it("of a triangle cover all of it once: seven of them", () => {
    const triangle = [new Vector3(-1, -0.5, 0), new Vector3(1.2, 0.1, 0), new Vector3(0.3, 1.4, 0)];
    const { patches } = regionPatches(triangle, 2, extent);
    expect(patches).toHaveLength(7);
    const reach = extent.max.distanceTo(extent.min) * 4;
    const sum = patches.reduce((total, patch) => total + area(patch), 0);
    expect(sum).toBeCloseTo((2 * reach) ** 2, 6);
    expect(patches.filter(({ role }) => role === "region")).toHaveLength(1);
  });

  it("of a segment are two half planes and the strip between them", () => {
    const { patches } = regionPatches([new Vector3(-1, 0.5, 0), new Vector3(1, 0.5, 0)], 2, extent);
    expect(patches).toHaveLength(3);
    const chosen = patches.find(({ role }) => role === "region");
    expect(chosen?.corners.every(({ x }) => Math.abs(x) <= 1 + 1e-9)).toBe(true);
  });

  it("of a point are not drawn; in space, walls are", () => {
    expect(regionPatches([new Vector3(1, 0, 0)], 2, extent).patches).toEqual([]);
    const triangle = [new Vector3(1, 0, 0), new Vector3(0, 1, 0), new Vector3(0, 0, 1)];
    expect(regionPatches(triangle, 3, extent).patches).toHaveLength(3);
  });
});
