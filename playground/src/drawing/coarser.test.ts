import { BoxGeometry, SphereGeometry, Vector3 } from "three";
import { describe, expect, it } from "vitest";
import { coarser, type Triangles } from "./coarser";

function trianglesOf(geometry: BoxGeometry | SphereGeometry): Triangles {
  return {
    vertices: geometry.getAttribute("position").array as Float32Array,
    triangles: Uint32Array.from(geometry.getIndex()?.array ?? []),
  };
}

describe("a coarser body", () => {
  const ball = trianglesOf(new SphereGeometry(1, 32, 16));

  it("has about as many triangles as wanted, all of them seen from outside", () => {
    const { vertices, triangles } = coarser(ball, 20);
    expect(triangles.length / 3).toBeGreaterThanOrEqual(12);
    expect(triangles.length / 3).toBeLessThanOrEqual(24);
    const point = (at: number) => new Vector3().fromArray(vertices, (triangles[at] ?? 0) * 3);
    for (let face = 0; face < triangles.length; face += 3) {
      const [a, b, c] = [point(face), point(face + 1), point(face + 2)];
      const normal = b.clone().sub(a).cross(c.clone().sub(a));
      expect(normal.dot(a)).toBeGreaterThan(0);
    }
  });

  it("has vertices of the body only", () => {
    const { vertices } = coarser(ball, 30);
    for (let at = 0; at < vertices.length; at += 3) {
      expect(new Vector3().fromArray(vertices, at).length()).toBeCloseTo(1, 5);
    }
  });

  it("is the body itself where that has few triangles", () => {
    const box = trianglesOf(new BoxGeometry());
    expect(coarser(box, 16)).toBe(box);
    expect(coarser(box, 7)).toBe(box);
  });
});
