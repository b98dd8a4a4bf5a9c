import { Vector3 } from "three";
import { describe, expect, it } from "vitest";
import { subsets } from "./subsets";

/** Numbers between -1 and 1, the same ones in each run. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) % 4294967296;
    return state / 2147483648 - 1;
  };
}

function simplex(next: () => number, vertices: number, dimension: number): Vector3[] {
  return Array.from({ length: vertices }, () => new Vector3(next(), next(), dimension === 3 ? next() : 0));
}

describe("Johnson's subalgorithm and Voronoi regions", () => {
  it("decide for the same one part of each simplex", () => {
    const next = random(7);
    for (let round = 0; round < 2000; round += 1) {
      const dimension = round % 2 ? 3 : 2;
      const vertices = simplex(next, 1 + (round % (dimension + 1)), dimension);
      const all = subsets(vertices);
      expect(all.filter((each) => each.johnson)).toHaveLength(1);
      expect(all.map((each) => each.johnson)).toEqual(all.map((each) => each.voronoi));
    }
  });

  it("find the nearest of very many points of the simplex", () => {
    const next = random(3);
    for (let round = 0; round < 60; round += 1) {
      const vertices = simplex(next, 2 + (round % 3), 3);
      const chosen = subsets(vertices).find((each) => each.johnson);
      const nearest = new Vector3();
      chosen?.members.forEach((member, number) => {
        nearest.addScaledVector(vertices[member] ?? new Vector3(), chosen.weights[number] ?? 0);
      });
      for (let sample = 0; sample < 300; sample += 1) {
        const weights = vertices.map(() => Math.abs(next()) ** 3);
        const sum = weights.reduce((total, each) => total + each, 0);
        const point = new Vector3();
        vertices.forEach((vertex, number) => {
          point.addScaledVector(vertex, (weights[number] ?? 0) / sum);
        });
        expect(point.length()).toBeGreaterThanOrEqual(nearest.length() - 1e-9);
      }
    }
  });

  it("agree on a triangle whose edge is nearest", () => {
    const vertices = [new Vector3(-1, 1, 0), new Vector3(1, 1, 0), new Vector3(0, 3, 0)];
    const chosen = subsets(vertices).find((each) => each.voronoi);
    expect(chosen?.members).toEqual([0, 1]);
    expect(chosen?.weights).toEqual([0.5, 0.5]);
  });
});
