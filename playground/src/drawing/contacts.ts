// Contacts as lines between the closest points, and normals: drawn straight from the engine's numbers.

import {
  BufferAttribute,
  type Color,
  DynamicDrawUsage,
  GLSL3,
  Group,
  InstancedBufferGeometry,
  InstancedInterleavedBuffer,
  InterleavedBufferAttribute,
  LineSegments,
  Points,
  RawShaderMaterial,
} from "three";
import { WORDS_PER_CONTACT } from "../engine/protocol";
import { contactScale, type Palette } from "./colours";

const COMMON = `
precision highp float;
uniform mat4 viewMatrix;
uniform mat4 projectionMatrix;
uniform vec3 deep;
uniform vec3 shallow;
uniform vec3 near;
uniform vec3 far;
uniform vec3 normalColour;
uniform float margin;
uniform float depth;
uniform float normalLength;
in vec3 position;
in float distance_;
in vec3 pointA;
in vec3 pointB;
in vec3 normal;
flat out vec3 tint;
vec3 colourOf(float gap) {
  return gap < 0.0
    ? mix(shallow, deep, min(1.0, -gap / depth))
    : mix(near, far, min(1.0, gap / max(margin, 1e-12)));
}`;

const LINE = `${COMMON}
void main() {
  tint = colourOf(distance_);
  gl_Position = projectionMatrix * (viewMatrix * vec4(mix(pointA, pointB, position.x), 1.0));
}`;

const DOT = `${COMMON}
void main() {
  tint = colourOf(distance_);
  gl_Position = projectionMatrix * (viewMatrix * vec4(0.5 * (pointA + pointB), 1.0));
  gl_PointSize = 3.0;
}`;

const NORMAL = `${COMMON}
void main() {
  tint = normalColour;
  vec3 start = 0.5 * (pointA + pointB);
  gl_Position = projectionMatrix * (viewMatrix * vec4(start + normal * normalLength * position.x, 1.0));
}`;

const PLAIN = `
precision mediump float;
flat in vec3 tint;
out vec4 colour;
void main() { colour = vec4(tint, 1.0); }`;

const uniforms = {
  deep: { value: null as Color | null },
  shallow: { value: null as Color | null },
  near: { value: null as Color | null },
  far: { value: null as Color | null },
  normalColour: { value: null as Color | null },
  margin: { value: 0.05 },
  depth: { value: 0.5 },
  normalLength: { value: 0.5 },
};

export class ContactLines {
  readonly group = new Group();
  readonly #uniforms = structuredClone(uniforms);
  readonly #lines: LineSegments;
  readonly #dots: Points;
  readonly #normals: LineSegments;
  #buffer: InstancedInterleavedBuffer | null = null;
  #geometries: InstancedBufferGeometry[] = [];
  #count = 0;

  constructor() {
    this.group.matrixAutoUpdate = false;
    this.#lines = new LineSegments(new InstancedBufferGeometry(), this.#material(LINE));
    this.#dots = new Points(new InstancedBufferGeometry(), this.#material(DOT));
    this.#normals = new LineSegments(new InstancedBufferGeometry(), this.#material(NORMAL));
    for (const object of [this.#normals, this.#lines, this.#dots]) {
      object.frustumCulled = false;
      object.matrixAutoUpdate = false;
      object.renderOrder = 3;
      this.group.add(object);
    }
    this.#normals.visible = false;
    this.#grow(1024);
  }

  /** Takes the contacts of a frame: 13 words each. */
  setContacts(contacts: Float32Array): void {
    this.#count = Math.floor(contacts.length / WORDS_PER_CONTACT);
    if (!this.#buffer || this.#buffer.array.length < contacts.length) {
      this.#grow(Math.ceil(this.#count * 1.5));
    }
    const buffer = this.#buffer;
    if (buffer) {
      (buffer.array as Float32Array).set(contacts);
      buffer.clearUpdateRanges();
      buffer.addUpdateRange(0, contacts.length);
      buffer.needsUpdate = true;
    }
    for (const geometry of this.#geometries) {
      geometry.instanceCount = this.#count;
    }
    this.group.visible = this.#count > 0;
  }

  /** The ends of the scale: the margin of the world, and the depth that has the deepest colour. */
  setScale(margin: number, depth: number): void {
    this.#uniforms.margin.value = margin;
    this.#uniforms.depth.value = depth;
  }

  show(what: { contacts: boolean; normals: boolean; normalLength: number }): void {
    this.#lines.visible = what.contacts;
    this.#dots.visible = what.contacts;
    this.#normals.visible = what.normals;
    this.#uniforms.normalLength.value = what.normalLength;
  }

  setPalette(palette: Palette): void {
    const scale = contactScale();
    this.#uniforms.deep.value = scale.deep;
    this.#uniforms.shallow.value = scale.shallow;
    this.#uniforms.near.value = scale.near;
    this.#uniforms.far.value = scale.far;
    this.#uniforms.normalColour.value = palette.normal;
  }

  dispose(): void {
    for (const geometry of this.#geometries) {
      geometry.dispose();
    }
    for (const object of [this.#lines, this.#dots, this.#normals]) {
      (object.material as RawShaderMaterial).dispose();
    }
  }

  #material(vertexShader: string): RawShaderMaterial {
    // Contacts lie inside of bodies as often as not, so nothing hides them.
    return new RawShaderMaterial({
      glslVersion: GLSL3,
      vertexShader,
      fragmentShader: PLAIN,
      uniforms: this.#uniforms,
      depthTest: false,
      depthWrite: false,
      transparent: true,
    });
  }

  #grow(contacts: number): void {
    for (const geometry of this.#geometries) {
      geometry.dispose();
    }
    const array = new Float32Array(Math.max(contacts, 1) * WORDS_PER_CONTACT);
    const buffer = new InstancedInterleavedBuffer(array, WORDS_PER_CONTACT);
    buffer.setUsage(DynamicDrawUsage);
    this.#buffer = buffer;
    const line = new BufferAttribute(Float32Array.of(0, 0, 0, 1, 0, 0), 3);
    const dot = new BufferAttribute(Float32Array.of(0, 0, 0), 3);
    const geometry = (position: BufferAttribute) => {
      const made = new InstancedBufferGeometry();
      made.setAttribute("position", position);
      made.setAttribute("distance_", new InterleavedBufferAttribute(buffer, 1, 3));
      made.setAttribute("pointA", new InterleavedBufferAttribute(buffer, 3, 4));
      made.setAttribute("pointB", new InterleavedBufferAttribute(buffer, 3, 7));
      made.setAttribute("normal", new InterleavedBufferAttribute(buffer, 3, 10));
      made.instanceCount = this.#count;
      return made;
    };
    this.#lines.geometry = geometry(line);
    this.#normals.geometry = geometry(line);
    this.#dots.geometry = geometry(dot);
    this.#geometries = [
      this.#lines.geometry,
      this.#normals.geometry,
      this.#dots.geometry,
    ] as InstancedBufferGeometry[];
  }
}
