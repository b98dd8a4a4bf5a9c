// Contacts as lines between the closest points, a dot in their middle, and normals; and where two bodies cross.

import {
  BufferGeometry,
  type Camera,
  type Color,
  DynamicDrawUsage,
  GLSL3,
  Group,
  InterleavedBuffer,
  InterleavedBufferAttribute,
  LineSegments,
  NoBlending,
  Points,
  RawShaderMaterial,
} from "three";
import { WORDS_PER_CONTACT } from "../engine/protocol";
import { contactScale, type Palette } from "./colours";
import { Sight } from "./sight";

/** The width of a dot in pixels of the page: shorter lines are hidden by it. */
const DOT = 3;

const VERTEX = `
precision highp float;
uniform mat4 viewMatrix;
uniform mat4 projectionMatrix;
uniform vec3 deep;
uniform vec3 shallow;
uniform vec3 near;
uniform vec3 far;
uniform float margin;
uniform float depth;
uniform float dot;
in vec3 position;
in float gap;
flat out vec3 tint;
void main() {
  tint = gap < 0.0
    ? mix(shallow, deep, min(1.0, -gap / depth))
    : mix(near, far, min(1.0, gap / max(margin, 1e-12)));
  gl_Position = projectionMatrix * (viewMatrix * vec4(position, 1.0));
  gl_PointSize = dot;
}`;

const NORMAL = `
precision highp float;
uniform mat4 viewMatrix;
uniform mat4 projectionMatrix;
uniform vec3 normalColour;
in vec3 position;
flat out vec3 tint;
void main() {
  tint = normalColour;
  gl_Position = projectionMatrix * (viewMatrix * vec4(position, 1.0));
}`;

const PLAIN = `
precision mediump float;
flat in vec3 tint;
out vec4 colour;
void main() { colour = vec4(tint, 1.0); }`;

/** Words of a vertex: its place, and the distance of its contact. */
const WORDS = 4;

const uniforms = {
  deep: { value: null as Color | null },
  shallow: { value: null as Color | null },
  near: { value: null as Color | null },
  far: { value: null as Color | null },
  normalColour: { value: null as Color | null },
  margin: { value: 0.05 },
  depth: { value: 0.5 },
  dot: { value: DOT },
};

/** Vertices that are written anew for each drawing. */
class Vertices {
  readonly geometry = new BufferGeometry();
  #numbers = new Float32Array(0);
  #buffer: InterleavedBuffer | null = null;
  #used = 0;

  /** Empties it, with room for so many vertices. */
  clear(vertices: number): void {
    this.#used = 0;
    if (this.#numbers.length < vertices * WORDS) {
      this.geometry.dispose();
      this.#numbers = new Float32Array(Math.ceil(vertices * 1.5) * WORDS);
      this.#buffer = new InterleavedBuffer(this.#numbers, WORDS);
      this.#buffer.setUsage(DynamicDrawUsage);
      this.geometry.setAttribute("position", new InterleavedBufferAttribute(this.#buffer, 3, 0));
      this.geometry.setAttribute("gap", new InterleavedBufferAttribute(this.#buffer, 1, 3));
    }
  }

  add(x: number, y: number, z: number, gap: number): void {
    const numbers = this.#numbers;
    numbers[this.#used] = x;
    numbers[this.#used + 1] = y;
    numbers[this.#used + 2] = z;
    numbers[this.#used + 3] = gap;
    this.#used += WORDS;
  }

  finish(): void {
    this.geometry.setDrawRange(0, this.#used / WORDS);
    if (this.#buffer && this.#used > 0) {
      this.#buffer.clearUpdateRanges();
      this.#buffer.addUpdateRange(0, this.#used);
      this.#buffer.needsUpdate = true;
    }
  }
}

export class ContactLines {
  readonly group = new Group();
  readonly #uniforms = structuredClone(uniforms);
  readonly #line = new Vertices();
  readonly #dot = new Vertices();
  readonly #normal = new Vertices();
  readonly #materials = [VERTEX, VERTEX, NORMAL].map((shader) => this.#material(shader));
  readonly #lines = new LineSegments(this.#line.geometry, this.#materials[0]);
  readonly #dots = new Points(this.#dot.geometry, this.#materials[1]);
  readonly #normals = new LineSegments(this.#normal.geometry, this.#materials[2]);
  /** The curves in which two bodies cross, in the colour of what is deepest: the ends of their segments. */
  crossing = new Float32Array(0);
  #contacts: Float32Array = new Float32Array(0);
  #normalLength = 0.5;

  constructor() {
    this.group.matrixAutoUpdate = false;
    for (const object of [this.#normals, this.#lines, this.#dots]) {
      object.frustumCulled = false;
      object.matrixAutoUpdate = false;
      object.renderOrder = 3;
      this.group.add(object);
    }
    this.#normals.visible = false;
  }

  /** Takes the contacts of a frame: 13 words each. */
  setContacts(contacts: Float32Array): void {
    this.#contacts = contacts;
    this.group.visible = contacts.length >= WORDS_PER_CONTACT;
  }

  /** Makes ready what is drawn next, as a camera sees it on a canvas of so many pixels, for each of the page. */
  prepare(camera: Camera, height: number, detail: number): void {
    this.#uniforms.dot.value = Math.max(1, Math.round(DOT * detail));
    const count = Math.floor(this.#contacts.length / WORDS_PER_CONTACT);
    this.#line.clear(count * 2 + this.crossing.length / 3);
    this.#dot.clear(count);
    this.#normal.clear(this.#normals.visible ? count * 2 : 0);
    const sight = new Sight(camera, height);
    for (let contact = 0; contact < count; contact += 1) {
      this.#add(contact * WORDS_PER_CONTACT, sight);
    }
    for (let at = 0; at < this.crossing.length; at += 3) {
      const [x = 0, y = 0, z = 0] = this.crossing.subarray(at, at + 3);
      this.#line.add(x, y, z, -this.#uniforms.depth.value);
    }
    for (const vertices of [this.#line, this.#dot, this.#normal]) {
      vertices.finish();
    }
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
    this.#normalLength = what.normalLength;
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
    for (const { geometry } of [this.#line, this.#dot, this.#normal]) {
      geometry.dispose();
    }
    for (const material of this.#materials) {
      material.dispose();
    }
  }

  /** Thousands of times a frame: nothing is allocated. */
  #add(at: number, sight: Sight): void {
    const numbers = this.#contacts;
    const gap = numbers[at + 3] ?? 0;
    const ax = numbers[at + 4] ?? 0;
    const ay = numbers[at + 5] ?? 0;
    const az = numbers[at + 6] ?? 0;
    const bx = numbers[at + 7] ?? 0;
    const by = numbers[at + 8] ?? 0;
    const bz = numbers[at + 9] ?? 0;
    const x = (ax + bx) / 2;
    const y = (ay + by) / 2;
    const z = (az + bz) / 2;
    this.#dot.add(x, y, z, gap);
    const length = Math.sqrt((bx - ax) ** 2 + (by - ay) ** 2 + (bz - az) ** 2);
    if (length * sight.scale(numbers, at + 4) > this.#uniforms.dot.value) {
      this.#line.add(ax, ay, az, gap);
      this.#line.add(bx, by, bz, gap);
    }
    if (this.#normals.visible) {
      const reach = this.#normalLength;
      this.#normal.add(x, y, z, gap);
      this.#normal.add(
        x + (numbers[at + 10] ?? 0) * reach,
        y + (numbers[at + 11] ?? 0) * reach,
        z + (numbers[at + 12] ?? 0) * reach,
        gap,
      );
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
      blending: NoBlending,
    });
  }
}
