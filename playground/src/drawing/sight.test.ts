import { OrthographicCamera, PerspectiveCamera, Vector3 } from "three";
import { describe, expect, it } from "vitest";
import { Sight } from "./sight";

const HEIGHT = 400;

function camera(): PerspectiveCamera {
  const made = new PerspectiveCamera(40, 1.5, 0.1, 1000);
  made.position.set(3, 4, 10);
  made.lookAt(0, 0, 0);
  made.updateMatrixWorld();
  return made;
}

describe("what a camera sees", () => {
  it("knows how many pixels a length has at a place", () => {
    const eye = camera();
    const [x, y, z] = [0.5, -0.25, 1];
    const up = new Vector3().setFromMatrixColumn(eye.matrixWorld, 1).multiplyScalar(0.01);
    const start = new Vector3(x, y, z).project(eye);
    const end = new Vector3(x, y, z).add(up).project(eye);
    const scale = new Sight(eye, HEIGHT).scale(Float32Array.of(x, y, z), 0);
    expect(scale * 0.01).toBeCloseTo(((end.y - start.y) * HEIGHT) / 2, 3);
  });

  it("leaves out balls that are out of sight, and no others", () => {
    const eye = camera();
    const sight = new Sight(eye, HEIGHT);
    const seen = (place: Vector3) => sight.radius(Float32Array.from(place.toArray()), 0, 0.5) !== null;
    expect(seen(new Vector3(0, 0, 0))).toBe(true);
    expect(seen(new Vector3(6, 8, 20))).toBe(false);
    // A ball beside the picture whose edge is in it.
    const far = (direction: Vector3) => direction.normalize().multiplyScalar(11).add(eye.position);
    const right = new Vector3().setFromMatrixColumn(eye.matrixWorld, 0);
    const edge = far(new Vector3(1, 0, 0.5).unproject(eye).sub(eye.position));
    expect(seen(edge.clone().addScaledVector(right, 0.45))).toBe(true);
    expect(seen(edge.clone().addScaledVector(right, 0.7))).toBe(false);
  });

  it("sees what has no size", () => {
    const sight = new Sight(camera(), HEIGHT);
    expect(sight.radius(Float32Array.of(0, 0, 0), 0, 0)).toBe(0);
    expect(sight.radius(Float32Array.of(6, 8, 20), 0, 0)).toBeNull();
  });

  it("takes what surrounds the camera as large", () => {
    const sight = new Sight(camera(), HEIGHT);
    expect(sight.radius(Float32Array.of(3, 4, 10), 0, 1)).toBe(Infinity);
  });

  it("has one scale everywhere in the plane", () => {
    const eye = new OrthographicCamera(-1, 1, 1, -1, -1e6, 1e6);
    const sight = new Sight(eye, HEIGHT);
    expect(sight.scale(Float32Array.of(0.3, 0.2, 0), 0)).toBeCloseTo(200, 6);
    expect(sight.radius(Float32Array.of(0.3, 0.2, 0), 0, 0.1)).toBeCloseTo(20, 6);
    expect(sight.radius(Float32Array.of(1.3, 0.2, 0), 0, 0.1)).toBeNull();
    expect(sight.radius(Float32Array.of(0.3, 0.2, 0), 0, 2)).toBeCloseTo(400, 6);
  });
});
