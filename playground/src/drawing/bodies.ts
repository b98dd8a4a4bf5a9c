// All bodies of a world: one instanced mesh a shape, placed by the graphics card.
//
// The poses are a texture of two texels a body (translation and colour number, rotation), written straight
// from the engine's numbers once a frame, whatever the order of shapes.

import {
  BufferAttribute,
  BufferGeometry,
  DataTexture,
  DoubleSide,
  FloatType,
  FrontSide,
  GLSL3,
  Group,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  LineSegments,
  Mesh,
  NearestFilter,
  type Object3D,
  RawShaderMaterial,
  RGBAFormat,
  type Side,
} from "three";
import { floats, words } from "../engine/client";
import { type Dimension, type Shapes, WORDS_PER_POSE } from "../engine/protocol";
import { coarser } from "./coarser";
import { kindTint, type Palette, Tint } from "./colours";

/** Texels in a row of the texture of poses: an even number, so that no body's two are torn apart. */
const ROW = 1024;
const PALETTE = 11;
/** Shapes of fewer bodies than this are put into one mesh where there are many shapes. */
const FEW_BODIES = 3;
const MANY_SHAPES = 48;
/** No more triangles than this are drawn of bodies in motion where there is no graphics card. */
const SOFTWARE_TRIANGLES = 90_000;

const PLACE = `
precision highp float;
precision highp int;
uniform mat4 viewMatrix;
uniform mat4 projectionMatrix;
uniform highp sampler2D poses;
uniform vec3 palette[${PALETTE}];
in vec3 position;
in float body;
out vec3 seen;
flat out vec3 tint;
void main() {
  int texel = int(body) * 2;
  ivec2 place = ivec2(texel % ${ROW}, texel / ${ROW});
  vec4 translation = texelFetch(poses, place, 0);
  vec4 rotation = texelFetch(poses, place + ivec2(1, 0), 0);
  vec3 turned = position
    + 2.0 * cross(rotation.xyz, cross(rotation.xyz, position) + rotation.w * position);
  vec4 view = viewMatrix * vec4(turned + translation.xyz, 1.0);
  seen = view.xyz;
  tint = palette[int(translation.w)];
  gl_Position = projectionMatrix * view;
}`;

const FLAT_SHADED = `
precision highp float;
in vec3 seen;
flat in vec3 tint;
out vec4 colour;
void main() {
  vec3 normal = normalize(cross(dFdx(seen), dFdy(seen)));
  float light = 0.62 + 0.3 * normal.z + 0.16 * normal.y - 0.08 * normal.x;
  colour = vec4(tint * light, 1.0);
}`;

const FILLED = `
precision highp float;
in vec3 seen;
flat in vec3 tint;
uniform float opacity;
out vec4 colour;
void main() { colour = vec4(tint, opacity); }`;

/** Shapes whose faces are seen from both sides. */
const OPEN = new Set([
  "mesh",
  "height_field",
  "triangle",
  "segment",
  "polyline",
  "compound",
  "custom",
  "point",
  "half_space",
]);

function material(fragment: string, transparent: boolean, side: Side = DoubleSide): RawShaderMaterial {
  return new RawShaderMaterial({
    glslVersion: GLSL3,
    vertexShader: PLACE,
    fragmentShader: fragment,
    uniforms: { poses: { value: null }, palette: { value: [] }, opacity: { value: 0.55 } },
    side,
    transparent,
    depthTest: !transparent,
    depthWrite: !transparent,
  });
}

interface ShapeParts {
  open: boolean;
  vertices: Float32Array;
  triangles: Uint32Array;
  edges: Uint32Array;
}

interface Single {
  part: ShapeParts;
  body: number;
}

export class BodyMeshes {
  readonly group = new Group();
  readonly #fine = new Group();
  /** The same bodies with fewer triangles; empty where all are few enough. */
  readonly #coarse = new Group();
  #dimension: Dimension = 3;
  /** Faces of closed shapes, which are seen from outside only, and of all others. */
  #closed = material(FLAT_SHADED, false, FrontSide);
  #open = material(FLAT_SHADED, false);
  #lines = material(FILLED, true);
  #texture: DataTexture | null = null;
  #numbers = new Float32Array(0);
  #tints = new Uint8Array(0);
  #base = new Uint8Array(0);
  #bodies = 0;
  readonly #software: boolean;

  constructor(software: boolean) {
    this.#software = software;
    for (const group of [this.group, this.#fine, this.#coarse]) {
      group.matrixAutoUpdate = false;
    }
    this.group.add(this.#fine, this.#coarse);
  }

  /** Whether fewer triangles would be drawn of bodies in motion. */
  get hasCoarse(): boolean {
    return this.#coarse.children.length > 0;
  }

  /** Draws all triangles, or fewer. */
  setFine(fine: boolean): void {
    this.#fine.visible = fine || !this.hasCoarse;
    this.#coarse.visible = !this.#fine.visible;
  }

  /** Takes new shapes, and which body has which. */
  setShapes(shapes: Shapes, binary: ArrayBuffer, dimension: Dimension): void {
    this.#clear();
    this.#dimension = dimension;
    const shapeOf = words(binary, shapes.body_shapes);
    const kinds = words(binary, shapes.body_kinds);
    this.#bodies = shapeOf.length;
    this.#setMaterials();
    this.#makeTexture();
    this.#base = Uint8Array.from(shapeOf, (shape, body) => {
      const kind = kinds[body] ?? 0;
      if (kind & 2) {
        return Tint.standIn;
      }
      return kind & 1 ? kindTint(shapes.shapes[shape]?.kind ?? "") : Tint.fixed;
    });
    this.#tints = this.#base.slice();
    this.#makeMeshes(shapes, binary, shapeOf);
  }

  /** Takes the poses of a frame. */
  setPoses(poses: Float32Array): void {
    const numbers = this.#numbers;
    const bodies = Math.min(this.#bodies, Math.floor(poses.length / WORDS_PER_POSE));
    for (let body = 0; body < bodies; body += 1) {
      const from = body * WORDS_PER_POSE;
      const to = body * 8;
      numbers[to] = poses[from] ?? 0;
      numbers[to + 1] = poses[from + 1] ?? 0;
      numbers[to + 2] = poses[from + 2] ?? 0;
      numbers[to + 3] = this.#tints[body] ?? 0;
      numbers[to + 4] = poses[from + 3] ?? 0;
      numbers[to + 5] = poses[from + 4] ?? 0;
      numbers[to + 6] = poses[from + 5] ?? 0;
      numbers[to + 7] = poses[from + 6] ?? 1;
    }
    if (this.#texture) {
      this.#texture.needsUpdate = true;
    }
  }

  /** Gives some bodies another colour; all others have their own. */
  setTints(tints: Iterable<[body: number, tint: number]>): void {
    this.#tints.set(this.#base);
    for (const [body, tint] of tints) {
      if (body < this.#tints.length) {
        this.#tints[body] = tint;
      }
    }
    for (let body = 0; body < this.#bodies; body += 1) {
      this.#numbers[body * 8 + 3] = this.#tints[body] ?? 0;
    }
    if (this.#texture) {
      this.#texture.needsUpdate = true;
    }
  }

  setPalette(palette: Palette): void {
    for (const faces of [this.#closed, this.#open]) {
      faces.uniforms.palette = { value: palette.bodies };
    }
    const outlines = this.#dimension === 2 ? palette.bodies.map(() => palette.edges) : palette.bodies;
    this.#lines.uniforms.palette = { value: outlines };
  }

  dispose(): void {
    this.#clear();
    this.#closed.dispose();
    this.#open.dispose();
    this.#lines.dispose();
  }

  #setMaterials(): void {
    this.#closed.dispose();
    this.#open.dispose();
    const space = this.#dimension === 3;
    this.#closed = space ? material(FLAT_SHADED, false, FrontSide) : material(FILLED, true);
    this.#open = space ? material(FLAT_SHADED, false) : this.#closed;
  }

  #makeTexture(): void {
    const rows = Math.max(1, Math.ceil((this.#bodies * 2) / ROW));
    this.#numbers = new Float32Array(ROW * rows * 4);
    this.#texture = new DataTexture(this.#numbers, ROW, rows, RGBAFormat, FloatType);
    this.#texture.minFilter = NearestFilter;
    this.#texture.magFilter = NearestFilter;
    for (const material of [this.#closed, this.#open, this.#lines]) {
      material.uniforms.poses = { value: this.#texture };
    }
  }

  #makeMeshes(shapes: Shapes, binary: ArrayBuffer, shapeOf: Uint32Array): void {
    const bodiesOf = new Map<number, number[]>();
    shapeOf.forEach((shape, body) => {
      const bodies = bodiesOf.get(shape);
      if (bodies) {
        bodies.push(body);
      } else {
        bodiesOf.set(shape, [body]);
      }
    });
    const parts = new Map<number, ShapeParts>();
    let triangles = 0;
    for (const [shape, bodies] of bodiesOf) {
      const mesh = shapes.shapes[shape];
      if (mesh) {
        const part = {
          open: OPEN.has(mesh.kind),
          vertices: floats(binary, mesh.vertices).slice(),
          triangles: words(binary, mesh.triangles).slice(),
          edges: words(binary, mesh.edges).slice(),
        };
        parts.set(shape, part);
        triangles += (part.triangles.length / 3) * bodies.length;
      }
    }
    this.#addAll(this.#fine, bodiesOf, parts);
    if (this.#software && this.#dimension === 3 && triangles > SOFTWARE_TRIANGLES) {
      const each = SOFTWARE_TRIANGLES / this.#bodies;
      const coarse = new Map<number, ShapeParts>();
      for (const [shape, part] of parts) {
        coarse.set(shape, part.open ? part : { ...part, ...coarser(part, each) });
      }
      this.#addAll(this.#coarse, bodiesOf, coarse);
    }
    this.setFine(true);
  }

  #addAll(group: Group, bodiesOf: Map<number, number[]>, parts: Map<number, ShapeParts>): void {
    const single: Single[] = [];
    for (const [shape, bodies] of bodiesOf) {
      const part = parts.get(shape);
      if (!part) {
        continue;
      }
      if (bodies.length <= FEW_BODIES && bodiesOf.size > MANY_SHAPES) {
        single.push(...bodies.map((body) => ({ part, body })));
      } else {
        this.#addInstances(group, part, bodies);
      }
    }
    if (single.length > 0) {
      this.#addMerged(group, single);
    }
  }

  #addInstances(group: Group, part: ShapeParts, bodies: number[]): void {
    const positions = new BufferAttribute(part.vertices, 3);
    const numbers = new InstancedBufferAttribute(Float32Array.from(bodies), 1);
    const geometry = (indices: Uint32Array) => {
      const made = new InstancedBufferGeometry();
      made.setAttribute("position", positions);
      made.setAttribute("body", numbers);
      made.setIndex(new BufferAttribute(indices, 1));
      made.instanceCount = bodies.length;
      return made;
    };
    this.#add(group, geometry(part.triangles), geometry(part.edges), part.open ? this.#open : this.#closed);
  }

  #addMerged(group: Group, single: Single[]): void {
    const vertices = single.reduce((sum, { part }) => sum + part.vertices.length / 3, 0);
    const positions = new Float32Array(vertices * 3);
    const bodies = new Float32Array(vertices);
    const triangles: number[] = [];
    const edges: number[] = [];
    let first = 0;
    for (const { part, body } of single) {
      const count = part.vertices.length / 3;
      positions.set(part.vertices, first * 3);
      bodies.fill(body, first, first + count);
      for (const index of part.triangles) {
        triangles.push(first + index);
      }
      for (const index of part.edges) {
        edges.push(first + index);
      }
      first += count;
    }
    const geometry = (indices: number[]) => {
      const made = new BufferGeometry();
      made.setAttribute("position", new BufferAttribute(positions, 3));
      made.setAttribute("body", new BufferAttribute(bodies, 1));
      made.setIndex(new BufferAttribute(Uint32Array.from(indices), 1));
      return made;
    };
    this.#add(group, geometry(triangles), geometry(edges), this.#open);
  }

  #add(group: Group, faces: BufferGeometry, edges: BufferGeometry, look: RawShaderMaterial): void {
    const add = (object: Object3D, order: number) => {
      object.frustumCulled = false;
      object.matrixAutoUpdate = false;
      object.renderOrder = order;
      group.add(object);
    };
    if ((faces.index?.count ?? 0) > 0) {
      add(new Mesh(faces, look), 0);
    }
    // In space, edges would hide small bodies; what has no faces is all edges.
    if (this.#dimension === 2 || (faces.index?.count ?? 0) === 0) {
      add(new LineSegments(edges, this.#lines), 1);
    }
  }

  #clear(): void {
    for (const group of [this.#fine, this.#coarse]) {
      for (const object of group.children) {
        (object as Mesh).geometry.dispose();
      }
      group.clear();
    }
    this.#texture?.dispose();
    this.#texture = null;
  }
}
