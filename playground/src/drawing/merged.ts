// Bodies of which hardly two have one shape: one mesh for all, so that there are not thousands of drawings.
//
// The poses are a texture of two texels a body: translation and colour number, rotation.

import {
  BufferAttribute,
  BufferGeometry,
  DataTexture,
  FloatType,
  Group,
  NearestFilter,
  RGBAFormat,
} from "three";
import { WORDS_PER_POSE } from "../engine/protocol";
import { type Looks, ROW } from "./body-material";
import { addMeshes, type BodyShape } from "./instances";

/** A body that is alone with its shape, or nearly so. */
export interface Single {
  shape: BodyShape;
  body: number;
}

export class Merged {
  readonly group = new Group();
  readonly #fine = new Group();
  readonly #coarse = new Group();
  readonly #numbers: Float32Array;
  readonly #texture: DataTexture;

  constructor(bodies: number, looks: Looks) {
    const rows = Math.max(1, Math.ceil((bodies * 2) / ROW));
    this.#numbers = new Float32Array(ROW * rows * 4);
    this.#texture = new DataTexture(this.#numbers, ROW, rows, RGBAFormat, FloatType);
    this.#texture.minFilter = NearestFilter;
    this.#texture.magFilter = NearestFilter;
    for (const look of [looks.closed, looks.open, looks.lines]) {
      look.uniforms.poses = { value: this.#texture };
    }
    for (const group of [this.group, this.#fine, this.#coarse]) {
      group.matrixAutoUpdate = false;
    }
    this.group.add(this.#fine, this.#coarse);
    this.setFine(true);
  }

  /** Adds bodies as they are drawn with all triangles, or as they are drawn with fewer. */
  add(what: "fine" | "coarse", singles: Single[], looks: Looks, flat: boolean): void {
    const group = what === "fine" ? this.#fine : this.#coarse;
    for (const open of [false, true]) {
      const some = singles.filter(({ shape }) => shape.open === open);
      if (some.length > 0) {
        const { faces, edges } = merge(some);
        const look = { faces: open ? looks.open : looks.closed, lines: looks.lines };
        addMeshes(group, faces, edges, { look, flat });
      }
    }
  }

  setFine(fine: boolean): void {
    this.#coarse.visible = !fine && this.#coarse.children.length > 0;
    this.#fine.visible = !this.#coarse.visible;
  }

  setPoses(poses: Float32Array, tints: Uint8Array): void {
    const numbers = this.#numbers;
    for (let body = 0; body < tints.length; body += 1) {
      const from = body * WORDS_PER_POSE;
      const to = body * 8;
      numbers.set(poses.subarray(from, from + 3), to);
      numbers[to + 3] = tints[body] ?? 0;
      numbers.set(poses.subarray(from + 3, from + 7), to + 4);
    }
    this.#texture.needsUpdate = true;
  }

  dispose(): void {
    this.#texture.dispose();
  }
}

function merge(singles: Single[]): { faces: BufferGeometry; edges: () => BufferGeometry } {
  const count = singles.reduce((sum, { shape }) => sum + shape.vertices.length / 3, 0);
  const positions = new Float32Array(count * 3);
  const normals = new Float32Array(count * 3);
  const bodies = new Float32Array(count);
  const triangles: number[] = [];
  const edges: number[] = [];
  let first = 0;
  for (const { shape, body } of singles) {
    const vertices = shape.vertices.length / 3;
    positions.set(shape.vertices, first * 3);
    normals.set(shape.normals, first * 3);
    bodies.fill(body, first, first + vertices);
    for (const index of shape.triangles) {
      triangles.push(first + index);
    }
    for (const index of shape.edges) {
      edges.push(first + index);
    }
    first += vertices;
  }
  const geometry = (indices: number[]) => {
    const made = new BufferGeometry();
    made.setAttribute("position", new BufferAttribute(positions, 3));
    made.setAttribute("normal", new BufferAttribute(normals, 3));
    made.setAttribute("body", new BufferAttribute(bodies, 1));
    made.setIndex(new BufferAttribute(Uint32Array.from(indices), 1));
    return made;
  };
  return { faces: geometry(triangles), edges: () => geometry(edges) };
}
