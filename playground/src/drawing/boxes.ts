// Boxes along the axes, as their twelve edges.

import {
  BufferAttribute,
  type Color,
  GLSL3,
  InstancedBufferGeometry,
  InstancedInterleavedBuffer,
  InterleavedBufferAttribute,
  LineSegments,
  RawShaderMaterial,
} from "three";
import type { Palette } from "./colours";

const WORDS_PER_BOX = 6;

const VERTEX = `
precision highp float;
uniform mat4 viewMatrix;
uniform mat4 projectionMatrix;
in vec3 position;
in vec3 least;
in vec3 greatest;
void main() {
  gl_Position = projectionMatrix * (viewMatrix * vec4(mix(least, greatest, position), 1.0));
}`;

const FRAGMENT = `
precision mediump float;
uniform vec3 tint;
out vec4 colour;
void main() { colour = vec4(tint, 0.75); }`;

/** The corners of a unit cube, two for each edge: corner n has the bits of n as its coordinates. */
function edges(): Float32Array {
  const ends: number[] = [];
  for (let corner = 0; corner < 8; corner += 1) {
    for (const axis of [1, 2, 4]) {
      if ((corner & axis) === 0) {
        for (const end of [corner, corner | axis]) {
          ends.push(end & 1, (end >> 1) & 1, (end >> 2) & 1);
        }
      }
    }
  }
  return Float32Array.from(ends);
}

export class Boxes {
  readonly object: LineSegments;
  readonly #tint = { value: null as Color | null };

  constructor() {
    const material = new RawShaderMaterial({
      glslVersion: GLSL3,
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: { tint: this.#tint },
      transparent: true,
      depthWrite: false,
    });
    this.object = new LineSegments(new InstancedBufferGeometry(), material);
    this.object.frustumCulled = false;
    this.object.matrixAutoUpdate = false;
    this.object.renderOrder = 2;
    this.object.visible = false;
  }

  /** How many are shown. */
  get count(): number {
    return this.object.visible ? (this.object.geometry as InstancedBufferGeometry).instanceCount : 0;
  }

  setBoxes(boxes: Float32Array): void {
    this.object.geometry.dispose();
    const buffer = new InstancedInterleavedBuffer(boxes, WORDS_PER_BOX);
    const geometry = new InstancedBufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(edges(), 3));
    geometry.setAttribute("least", new InterleavedBufferAttribute(buffer, 3, 0));
    geometry.setAttribute("greatest", new InterleavedBufferAttribute(buffer, 3, 3));
    geometry.instanceCount = boxes.length / WORDS_PER_BOX;
    this.object.geometry = geometry;
    this.object.visible = boxes.length > 0;
  }

  setPalette(palette: Palette): void {
    this.#tint.value = palette.boxes;
  }

  dispose(): void {
    this.object.geometry.dispose();
    (this.object.material as RawShaderMaterial).dispose();
  }
}
