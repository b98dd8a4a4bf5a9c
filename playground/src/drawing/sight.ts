// What a camera sees: how large a ball is on the screen, and whether it is there.

import { type Camera, Matrix4 } from "three";

export class Sight {
  readonly #matrix: number[];
  readonly #up: number;
  /** 1, or 0 in a picture without depth. */
  readonly #perspective: number;
  readonly #sideways: number;
  readonly #upwards: number;
  readonly #pixels: number;

  /** A camera, and the height of its picture in pixels. */
  constructor(camera: Camera, height: number) {
    camera.updateMatrixWorld();
    const projection = camera.projectionMatrix.elements;
    this.#matrix = new Matrix4().multiplyMatrices(
      camera.projectionMatrix,
      camera.matrixWorldInverse,
    ).elements;
    this.#up = projection[5];
    this.#perspective = projection[11] === 0 ? 0 : 1;
    this.#sideways = Math.hypot(projection[0], this.#perspective);
    this.#upwards = Math.hypot(this.#up, this.#perspective);
    this.#pixels = height / 2;
  }

  /** How many pixels a length has at a place, and 0 behind the camera. */
  scale(places: Float32Array, at: number): number {
    const depth = this.#row(3, places, at);
    return depth > 0 ? (this.#up * this.#pixels) / depth : 0;
  }

  /** The radius of a ball on the screen in pixels, about; null if none of it is seen. */
  radius(places: Float32Array, at: number, radius: number): number | null {
    const depth = this.#row(3, places, at);
    if (depth <= -radius) {
      return null;
    }
    const x = Math.abs(this.#row(0, places, at));
    const y = Math.abs(this.#row(1, places, at));
    if (x > depth + radius * this.#sideways || y > depth + radius * this.#upwards) {
      return null;
    }
    // What surrounds the camera is as large as can be.
    return depth > radius * this.#perspective ? (radius * this.#up * this.#pixels) / depth : Infinity;
  }

  #row(row: number, places: Float32Array, at: number): number {
    const matrix = this.#matrix;
    return (
      (matrix[row] ?? 0) * (places[at] ?? 0) +
      (matrix[row + 4] ?? 0) * (places[at + 1] ?? 0) +
      (matrix[row + 8] ?? 0) * (places[at + 2] ?? 0) +
      (matrix[row + 12] ?? 0)
    );
  }
}
