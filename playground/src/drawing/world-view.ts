// A world on a canvas: bodies, contacts, boxes, and what is selected.

import {
  Box3,
  BufferAttribute,
  BufferGeometry,
  LineBasicMaterial,
  LineSegments,
  PerspectiveCamera,
  Points,
  PointsMaterial,
  Vector3,
} from "three";
import { floats } from "../engine/client";
import { type Bounds, type Dimension, type Frame, type Shapes, WORDS_PER_CONTACT } from "../engine/protocol";
import { BodyMeshes } from "./bodies";
import { Boxes } from "./boxes";
import { palette, Tint } from "./colours";
import { ContactLines } from "./contacts";
import { type Nearest, sighting } from "./framing";
import { Stage } from "./stage";

export interface Shown {
  contacts: boolean;
  normals: boolean;
}

/** A contact as the drawing knows it. */
export interface ContactPlace {
  number: number;
  a: number;
  b: number;
  distance: number;
  pointA: Vector3;
  pointB: Vector3;
  normal: Vector3;
}

/** So long after the last motion, many bodies are drawn with all triangles and pixels again. */
const UNTIL_STILL = 600;
/** The share of pixels, each way, of many bodies in motion without a graphics card. */
const PIXELS_IN_MOTION = 0.55;

export class WorldView {
  readonly stage: Stage;
  readonly bodies: BodyMeshes;
  readonly contacts = new ContactLines();
  readonly boxes = new Boxes();
  readonly #marks: LineSegments<BufferGeometry, LineBasicMaterial>;
  readonly #dots: Points<BufferGeometry, PointsMaterial>;
  #poses = new Float32Array(0);
  #numbers = new Float32Array(0);
  #words = new Uint32Array(0);
  #still: ReturnType<typeof setTimeout> | undefined;
  #shown: Shown = { contacts: true, normals: false };

  constructor(canvas: HTMLCanvasElement) {
    this.stage = new Stage(canvas, 3);
    this.bodies = new BodyMeshes(this.stage.software);
    this.#marks = new LineSegments(
      new BufferGeometry(),
      new LineBasicMaterial({ depthTest: false, transparent: true }),
    );
    this.#dots = new Points(
      new BufferGeometry(),
      new PointsMaterial({ depthTest: false, transparent: true, size: 9, sizeAttenuation: false }),
    );
    for (const object of [this.#marks, this.#dots]) {
      object.frustumCulled = false;
      object.renderOrder = 5;
      object.visible = false;
    }
    this.stage.scene.add(this.bodies.group, this.boxes.object, this.contacts.group, this.#marks, this.#dots);
    this.stage.onMotion.push(() => this.#stir());
    this.stage.onDraw = () => {
      const { camera, canvas } = this.stage;
      this.bodies.prepare(camera, canvas.height);
      this.contacts.prepare(camera, canvas.height, canvas.height / Math.max(canvas.clientHeight, 1));
    };
    this.stage.onTheme = () => this.#setPalette();
    this.#setPalette();
  }

  /** Prepares for another world. */
  begin(dimension: Dimension, bounds: Bounds | null, margin: number): void {
    this.stage.setBounds(bounds);
    this.stage.setDimension(dimension);
    this.contacts.setScale(margin, this.depthOfScale(margin));
    this.boxes.setBoxes(new Float32Array(0));
    this.mark(null);
  }

  /** The depth from which on all overlaps have one colour. */
  depthOfScale(margin: number): number {
    return Math.max(margin * 4, 1e-3);
  }

  setShapes(shapes: Shapes, binary: ArrayBuffer): void {
    this.bodies.setShapes(shapes, binary, this.stage.dimension);
    this.#rest();
    this.#setPalette();
  }

  setFrame(frame: Frame, binary: ArrayBuffer): void {
    this.#poses = floats(binary, frame.poses);
    this.#numbers = floats(binary, frame.contacts);
    this.#words = new Uint32Array(this.#numbers.buffer, this.#numbers.byteOffset, this.#numbers.length);
    this.bodies.setPoses(this.#poses);
    this.contacts.setContacts(this.#numbers);
    this.#stir();
    this.stage.invalidate();
  }

  show(shown: Shown): void {
    this.#shown = shown;
    this.contacts.show({ ...shown, normalLength: this.stage.extent() / 60 });
    this.stage.invalidate();
  }

  setBoxes(boxes: Float32Array): void {
    this.boxes.setBoxes(boxes);
    this.boxes.setPalette(palette());
    this.stage.invalidate();
  }

  setCrossing(crossing: Float32Array<ArrayBuffer>): void {
    this.contacts.crossing = crossing;
    this.stage.invalidate();
  }

  /** Bodies in the colour of what is selected, and others in that of what differs. */
  highlight(selected: number[], differing: number[] = []): void {
    this.bodies.setTints([
      ...differing.map((body): [number, number] => [body, Tint.differs]),
      ...selected.map((body): [number, number] => [body, Tint.selected]),
    ]);
    this.stage.invalidate();
  }

  /** Two bodies in two colours, and all others so pale that one sees through them. */
  highlightPair(a: number, b: number): void {
    this.bodies.setTints(
      [
        [a, Tint.selected],
        [b, Tint.differs],
      ],
      Tint.pale,
    );
    this.stage.invalidate();
  }

  /** Flies to where two bodies with these boxes are nearest to each other. */
  face(nearest: Nearest, boxes: [Bounds, Bounds]): void {
    const { camera, canvas, controls } = this.stage;
    if (camera instanceof PerspectiveCamera) {
      const box = ({ min, max }: Bounds) => new Box3(new Vector3(...min), new Vector3(...max));
      this.stage.fly(
        sighting(nearest, [box(boxes[0]), box(boxes[1])], {
          fov: camera.fov,
          aspect: canvas.clientWidth / Math.max(canvas.clientHeight, 1),
          from: camera.position.clone().sub(controls.target),
        }),
      );
    }
  }

  /** Marks both points of a contact, and its normal. */
  mark(contact: Nearest | null): void {
    for (const object of [this.#marks, this.#dots]) {
      object.visible = contact !== null;
    }
    if (contact) {
      const { pointA, pointB, normal } = contact;
      const tip = pointB.clone().addScaledVector(normal, this.stage.extent() / 40);
      this.#marks.geometry.setFromPoints([pointA, pointB, pointB, tip]);
      const ends = Float32Array.of(...pointA.toArray(), ...pointB.toArray());
      this.#dots.geometry.setAttribute("position", new BufferAttribute(ends, 3));
    }
    this.stage.invalidate();
  }

  /** Shows all bodies, where nobody says how large the world is. */
  fitBodies(): void {
    const min = new Vector3(Infinity, Infinity, Infinity);
    const max = new Vector3(-Infinity, -Infinity, -Infinity);
    for (let body = 0; body * 7 < this.#poses.length; body += 1) {
      const at = this.positionOf(body);
      min.min(at);
      max.max(at);
    }
    const room = max.distanceTo(min) * 0.05 + 1;
    const bounds: Bounds = {
      min: [min.x - room, min.y - room, min.z - room],
      max: [max.x + room, max.y + room, max.z + room],
    };
    this.stage.setBounds(this.#poses.length > 0 ? bounds : null);
    this.stage.fit();
  }

  positionOf(body: number): Vector3 {
    return new Vector3().fromArray(this.#poses, body * 7);
  }

  /** A place beside a body, to the right or above as it is seen. */
  beside(body: number, right: number, up: number): [number, number, number] {
    const step = this.stage.extent() / 100;
    const camera = this.stage.camera;
    const across = new Vector3().setFromMatrixColumn(camera.matrixWorld, 0).multiplyScalar(right * step);
    const upwards = new Vector3().setFromMatrixColumn(camera.matrixWorld, 1).multiplyScalar(up * step);
    return this.positionOf(body).add(across).add(upwards).toArray();
  }

  contact(number: number): ContactPlace | null {
    const at = number * WORDS_PER_CONTACT;
    if (at + WORDS_PER_CONTACT > this.#numbers.length) {
      return null;
    }
    return {
      number,
      a: this.#words[at] ?? 0,
      b: this.#words[at + 1] ?? 0,
      distance: this.#numbers[at + 3] ?? 0,
      pointA: new Vector3().fromArray(this.#numbers, at + 4),
      pointB: new Vector3().fromArray(this.#numbers, at + 7),
      normal: new Vector3().fromArray(this.#numbers, at + 10),
    };
  }

  /** The contact of two bodies in the frame that is shown. */
  contactOf(a: number, b: number): ContactPlace | null {
    for (let at = 0; at < this.#words.length; at += WORDS_PER_CONTACT) {
      if (this.#words[at] === a && this.#words[at + 1] === b) {
        return this.contact(at / WORDS_PER_CONTACT);
      }
    }
    return null;
  }

  /** The drawn contact nearest to a place of the page, if it is within some pixels. */
  contactAt(clientX: number, clientY: number, pixels: number): ContactPlace | null {
    if (!this.#shown.contacts && !this.#shown.normals) {
      return null;
    }
    const frame = this.stage.canvas.getBoundingClientRect();
    let best: ContactPlace | null = null;
    let least = pixels;
    for (let number = 0; number < this.#words.length / WORDS_PER_CONTACT; number += 1) {
      const contact = this.contact(number);
      const middle = contact?.pointA.clone().lerp(contact.pointB, 0.5);
      const place = middle ? this.stage.place(middle) : null;
      if (contact && place) {
        const away = Math.hypot(place.x + frame.left - clientX, place.y + frame.top - clientY);
        if (away < least) {
          least = away;
          best = contact;
        }
      }
    }
    return best;
  }

  get contactNumbers(): Float32Array {
    return this.#numbers;
  }

  dispose(): void {
    clearTimeout(this.#still);
    this.bodies.dispose();
    this.contacts.dispose();
    this.boxes.dispose();
    this.stage.dispose();
  }

  /** Draws coarsely as long as something moves, where all triangles would take too long. */
  #stir(): void {
    if (this.bodies.hasCoarse) {
      this.bodies.setFine(false);
      this.stage.setDetail(PIXELS_IN_MOTION);
      clearTimeout(this.#still);
      this.#still = setTimeout(() => this.#rest(), UNTIL_STILL);
    }
  }

  #rest(): void {
    clearTimeout(this.#still);
    this.bodies.setFine(true);
    this.stage.setDetail(1);
  }

  #setPalette(): void {
    const colours = palette();
    this.bodies.setPalette(colours);
    this.contacts.setPalette(colours);
    this.boxes.setPalette(colours);
    const selected = colours.bodies[Tint.selected];
    if (selected) {
      this.#marks.material.color = selected;
      this.#dots.material.color = selected;
    }
  }
}
