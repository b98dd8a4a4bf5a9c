// Bodies of one shape: a mesh that is drawn once for each of them, with its pose and colour.

import {
  BufferAttribute,
  type BufferGeometry,
  DynamicDrawUsage,
  type Group,
  InstancedBufferGeometry,
  InstancedInterleavedBuffer,
  InterleavedBufferAttribute,
  LineSegments,
  Mesh,
  type Object3D,
} from "three";
import { WORDS_PER_POSE } from "../engine/protocol";
import type { Looks } from "./body-material";
import { type Faces, facesOf } from "./faces";

/** A shape as it is drawn. */
export interface BodyShape extends Faces {
  /** Whether its faces are seen from both sides. */
  open: boolean;
  edges: Uint32Array;
}

/** Translation, colour number, rotation. */
const WORDS = 8;

/** A shape with other triangles. */
export function withTriangles(
  shape: BodyShape,
  { vertices, triangles }: Pick<Faces, "vertices" | "triangles">,
): BodyShape {
  return { ...shape, ...facesOf(vertices, triangles) };
}

/** Adds faces, and edges where they would not hide what is small: in the plane, or where they are all. */
export function addMeshes(
  group: Group,
  faces: BufferGeometry,
  edges: () => BufferGeometry,
  { look, flat }: { look: { faces: Looks["open"]; lines: Looks["lines"] }; flat: boolean },
): Object3D[] {
  const made: Object3D[] = [];
  const add = (object: Object3D, order: number) => {
    object.frustumCulled = false;
    object.matrixAutoUpdate = false;
    object.renderOrder = order;
    group.add(object);
    made.push(object);
  };
  const some = (faces.index?.count ?? 0) > 0;
  if (some) {
    add(new Mesh(faces, look.faces), 0);
  }
  if (flat || !some) {
    add(new LineSegments(edges(), look.lines), 1);
  }
  return made;
}

export class Instances {
  readonly #numbers: Float32Array;
  readonly #buffer: InstancedInterleavedBuffer;
  readonly #objects: Object3D[];
  #count = 0;

  constructor(group: Group, shape: BodyShape, bodies: number, looks: Looks, flat: boolean) {
    this.#numbers = new Float32Array(bodies * WORDS);
    this.#buffer = new InstancedInterleavedBuffer(this.#numbers, WORDS);
    this.#buffer.setUsage(DynamicDrawUsage);
    const positions = new BufferAttribute(shape.vertices, 3);
    const normals = new BufferAttribute(shape.normals, 3);
    const geometry = (indices: Uint32Array) => {
      const made = new InstancedBufferGeometry();
      made.setAttribute("position", positions);
      made.setAttribute("normal", normals);
      made.setAttribute("place", new InterleavedBufferAttribute(this.#buffer, 4, 0));
      made.setAttribute("turn", new InterleavedBufferAttribute(this.#buffer, 4, 4));
      made.setIndex(new BufferAttribute(indices, 1));
      return made;
    };
    this.#objects = addMeshes(group, geometry(shape.triangles), () => geometry(shape.edges), {
      look: { faces: shape.open ? looks.open : looks.closed, lines: looks.lines },
      flat,
    });
  }

  clear(): void {
    this.#count = 0;
  }

  add(poses: Float32Array, body: number, tint: number): void {
    const numbers = this.#numbers;
    const from = body * WORDS_PER_POSE;
    const to = this.#count * WORDS;
    numbers[to] = poses[from] ?? 0;
    numbers[to + 1] = poses[from + 1] ?? 0;
    numbers[to + 2] = poses[from + 2] ?? 0;
    numbers[to + 3] = tint;
    numbers[to + 4] = poses[from + 3] ?? 0;
    numbers[to + 5] = poses[from + 4] ?? 0;
    numbers[to + 6] = poses[from + 5] ?? 0;
    numbers[to + 7] = poses[from + 6] ?? 1;
    this.#count += 1;
  }

  /** Hands what was added to the graphics card. */
  finish(): void {
    for (const object of this.#objects) {
      object.visible = this.#count > 0;
      ((object as Mesh).geometry as InstancedBufferGeometry).instanceCount = this.#count;
    }
    if (this.#count > 0) {
      this.#buffer.clearUpdateRanges();
      this.#buffer.addUpdateRange(0, this.#count * WORDS);
      this.#buffer.needsUpdate = true;
    }
  }
}
