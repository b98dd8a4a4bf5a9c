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

describe("Voronoi regions in space", () => {
  const corners = [
    new Vector3(1, 0.1, 0),
    new Vector3(-0.2, 1.1, 0.1),
    new Vector3(0.1, -0.1, 1.2),
    new Vector3(-0.3, -0.2, -0.1),
  ];
  const moved = (by: Vector3) => corners.map((corner) => corner.clone().add(by));
  const wide = { min: new Vector3(-9, -9, -9), max: new Vector3(9, 9, 9) };
  /** The part of the tetrahedron that is nearest, found by trying points of it. */
  const nearestPart = (vertices: Vector3[]) => {
    let best = { away: Number.POSITIVE_INFINITY, part: 0 };
    const steps = 24;
    for (let i = 0; i <= steps; i += 1) {
      for (let j = 0; i + j <= steps; j += 1) {
        for (let k = 0; i + j + k <= steps; k += 1) {
          const weights = [i, j, k, steps - i - j - k];
          const point = new Vector3();
          weights.forEach((weight, at) => {
            point.addScaledVector(vertices[at] ?? point, weight / steps);
          });
          const part = weights.filter((weight) => weight > 0).length;
          best = point.length() < best.away ? { away: point.length(), part } : best;
        }
      }
    }
    return best.part;
  };

  it.each([
    ["a corner", new Vector3(3, 0.4, 0.1), 1, 3],
    ["an edge", new Vector3(-2.2, -2.4, 0.1), 2, 4],
    ["a face", new Vector3(-1.4, -1.2, -1.2), 3, 4],
    ["the inside", new Vector3(-0.1, -0.2, -0.25), 4, 4],
  ])("of a tetrahedron have walls around the origin: %s", (_, by, members, count) => {
    const vertices = moved(by);
    expect(nearestPart(vertices)).toBe(members);
    const { patches } = regionPatches(vertices, 3, wide);
    expect(patches).toHaveLength(count);
    // No wall lies between the origin and the middle of another one: what is inside is convex.
    const planes = patches.map(({ corners: [a, b, c] }) => {
      const at = a ?? new Vector3();
      const normal = (b ?? at)
        .clone()
        .sub(at)
        .cross((c ?? at).clone().sub(at))
        .normalize();
      return { at, normal };
    });
    for (const patch of patches) {
      const middle = patch.corners
        .reduce((sum, corner) => sum.add(corner), new Vector3())
        .divideScalar(patch.corners.length);
      for (const { at, normal } of planes) {
        const origin = normal.dot(at.clone().negate());
        const there = normal.dot(middle.clone().sub(at));
        expect(origin * there).toBeGreaterThan(-1e-6);
      }
    }
  });
});
