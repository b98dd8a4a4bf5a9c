import { Box3, PerspectiveCamera, Vector3 } from "three";
import { describe, expect, it } from "vitest";
import { type Nearest, sighting } from "./framing";

const vector = (numbers: number[]) => new Vector3(numbers[0], numbers[1], numbers[2]);
const box = (min: number[], max: number[]) => new Box3(vector(min), vector(max));
const nearest = (a: number[], b: number[], normal: number[]): Nearest => ({
  pointA: vector(a),
  pointB: vector(b),
  normal: vector(normal),
});

/** Where a point is in the picture: from -1 to 1 along each side. */
function seen(pair: Nearest, boxes: [Box3, Box3], aspect = 1.5) {
  const lens = { fov: 40, aspect, from: new Vector3(0.5, 0.4, 0.7) };
  const { eye, target } = sighting(pair, boxes, lens);
  const camera = new PerspectiveCamera(lens.fov, aspect, 1e-3, 1e4);
  camera.position.copy(eye);
  camera.lookAt(target);
  camera.updateMatrixWorld();
  const place = (point: Vector3) => point.clone().project(camera);
  return { a: place(pair.pointA), b: place(pair.pointB), eye, target };
}

const CASES: [string, Nearest, [Box3, Box3]][] = [
  [
    "a gap between walls",
    nearest([1, 1, 0], [1.5, 1, 0], [1, 0, 0]),
    [box([0, 0, -3], [1, 3, 3]), box([1.5, 0, -3], [2, 3, 3])],
  ],
  [
    "a pipe through a wall",
    nearest([0.5, 1, 0], [0.5, 2.75, 0], [0, -1, 0]),
    [box([0, 0, -3], [1, 2.75, 3]), box([-9, 1, -0.1], [9, 1.2, 0.1])],
  ],
  [
    "a pipe in a duct",
    nearest([2, 0.05, 1], [2, 0, 1], [0, -1, 0]),
    [box([0, 0, 0.8], [4, 0.5, 1.2]), box([1.95, -0.05, -3], [2.05, 0.05, 3])],
  ],
  [
    "a wall on a slab",
    nearest([0, 0, 0], [0, 0, 0], [0, 1, 0]),
    [box([-4, -1, -4], [4, 0, 4]), box([-4, 0, 0], [4, 3, 0.2])],
  ],
  [
    "points a million units away",
    nearest([1e6, 5, 0], [1e6, 5, 0.01], [0, 0, 1]),
    [box([1e6 - 1, 4, -1], [1e6 + 1, 6, 0]), box([1e6 - 1, 4, 0.01], [1e6 + 1, 6, 1])],
  ],
];

describe("the sight of a pair", () => {
  it.each(CASES)("has both points in the picture: %s", (_, pair, boxes) => {
    for (const aspect of [0.5, 1.5]) {
      const { a, b } = seen(pair, boxes, aspect);
      for (const place of [a, b]) {
        expect(Math.max(Math.abs(place.x), Math.abs(place.y))).toBeLessThan(0.9);
        expect(Math.abs(place.z)).toBeLessThan(1);
      }
    }
  });

  it.each(CASES)("is across the way from one to the other: %s", (_, pair, boxes) => {
    const { eye, target } = seen(pair, boxes);
    const along = Math.abs(eye.sub(target).normalize().dot(pair.normal));
    expect(along).toBeLessThan(0.5);
  });

  it.each(CASES)("is from outside of both: %s", (_, pair, boxes) => {
    const { eye } = seen(pair, boxes);
    expect(boxes.map((each) => each.containsPoint(eye))).toEqual([false, false]);
  });

  it("shows a small gap between long bodies", () => {
    const pipes: [Box3, Box3] = [box([0, 0, 0], [0.1, 0.1, 9]), box([0.14, 0, 0], [0.24, 0.1, 9])];
    const { a, b } = seen(nearest([0.1, 0, 0], [0.14, 0, 0], [1, 0, 0]), pipes);
    expect(Math.hypot(a.x - b.x, a.y - b.y)).toBeGreaterThan(0.03);
  });

  it("is from the side where the camera is already", () => {
    const [, pair, boxes] = CASES[0] as (typeof CASES)[0];
    const lens = { fov: 40, aspect: 1, from: new Vector3(0, 0, 1) };
    expect(sighting(pair, boxes, lens).eye.z).toBeGreaterThan(1);
    expect(sighting(pair, boxes, { ...lens, from: new Vector3(0, 0, -1) }).eye.z).toBeLessThan(-1);
  });

  it("has a size where bodies have none", () => {
    const point = box([1, 1, 1], [1, 1, 1]);
    const { eye, target } = sighting(nearest([1, 1, 1], [1, 1, 1], [1, 0, 0]), [point, point], {
      fov: 40,
      aspect: 1,
      from: new Vector3(),
    });
    expect(eye.distanceTo(target)).toBeGreaterThan(0);
  });
});
