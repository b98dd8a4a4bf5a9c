// All bodies of a world: one instanced mesh a shape, placed by the graphics card.
//
// Without a graphics card, each triangle counts: bodies in motion are drawn with as many as their size on the
// screen asks for, and those that are out of sight not at all.

import { type Camera, DoubleSide, FrontSide, Group, type Mesh } from "three";
import { floats, words } from "../engine/client";
import { type Dimension, type Shapes, WORDS_PER_POSE } from "../engine/protocol";
import { colour, type Looks, type PosesFrom, showPale, solid, translucent } from "./body-material";
import { coarser } from "./coarser";
import { kindTint, type Palette, Tint } from "./colours";
import { facesOf } from "./faces";
import { type BodyShape, Instances, withTriangles } from "./instances";
import { Merged } from "./merged";
import { Sight } from "./sight";

/** Shapes of fewer bodies than this are put into one mesh where there are many shapes. */
const FEW_BODIES = 3;
const MANY_SHAPES = 48;
/** If there are more triangles than this, and no graphics card, bodies in motion are drawn with fewer. */
const SOFTWARE_TRIANGLES = 60_000;
/** The triangles of a convex body in motion, up to a radius on the screen in pixels; above, all. */
const LEVELS = [
  { radius: 8, triangles: 7 },
  { radius: 12, triangles: 9 },
  { radius: 18, triangles: 20 },
  { radius: 40, triangles: 60 },
];

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

/** Bodies of one shape. */
interface Crowd {
  bodies: number[];
  /** The radius around the shape's origin that holds it. */
  radius: number;
  all: Instances;
  /** With fewer triangles, as in `LEVELS`; empty where bodies are always drawn with all. */
  levels: Instances[];
}

export class BodyMeshes {
  readonly group = new Group();
  #flat = false;
  #crowds: Crowd[] = [];
  #merged: Merged | null = null;
  #looks = looks("instances", 3);
  #mergedLooks = looks("texture", 3);
  #poses: Float32Array = new Float32Array(0);
  #tints = new Uint8Array(0);
  #base = new Uint8Array(0);
  #fine = true;
  #stale = true;
  #hasCoarse = false;
  readonly #software: boolean;

  constructor(software: boolean) {
    this.#software = software;
    this.group.matrixAutoUpdate = false;
  }

  /** Whether fewer triangles would be drawn of bodies in motion. */
  get hasCoarse(): boolean {
    return this.#hasCoarse;
  }

  /** Draws all triangles, or as many as are needed of bodies in motion. */
  setFine(fine: boolean): void {
    this.#stale ||= this.#fine !== fine;
    this.#fine = fine;
    this.#merged?.setFine(fine);
  }

  /** Takes new shapes, and which body has which. */
  setShapes(shapes: Shapes, binary: ArrayBuffer, dimension: Dimension): void {
    this.dispose();
    this.#flat = dimension === 2;
    this.#looks = looks("instances", dimension);
    this.#mergedLooks = looks("texture", dimension);
    const shapeOf = words(binary, shapes.body_shapes);
    const kinds = words(binary, shapes.body_kinds);
    this.#base = Uint8Array.from(shapeOf, (shape, body) => {
      const kind = kinds[body] ?? 0;
      if (kind & 2) {
        return Tint.standIn;
      }
      return kind & 1 ? kindTint(shapes.shapes[shape]?.kind ?? "") : Tint.fixed;
    });
    this.#tints = this.#base.slice();
    this.#makeMeshes(shapes, binary, shapeOf);
    this.setFine(true);
    this.#stale = true;
  }

  /** Takes the poses of a frame. */
  setPoses(poses: Float32Array): void {
    this.#poses = poses;
    this.#merged?.setPoses(poses, this.#tints);
    this.#stale = true;
  }

  /** Gives some bodies another colour, and all others their own or one for them all. */
  setTints(tints: Iterable<[body: number, tint: number]>, others?: number): void {
    if (others === undefined) {
      this.#tints.set(this.#base);
    } else {
      this.#tints.fill(others);
    }
    for (const looks of [this.#looks, this.#mergedLooks]) {
      showPale(looks, others === Tint.pale);
    }
    for (const [body, tint] of tints) {
      if (body < this.#tints.length) {
        this.#tints[body] = tint;
      }
    }
    this.#merged?.setPoses(this.#poses, this.#tints);
    this.#stale = true;
  }

  setPalette(palette: Palette): void {
    colour(this.#looks, palette, this.#flat);
    colour(this.#mergedLooks, palette, this.#flat);
  }

  /** Makes ready what is drawn next, as a camera sees it on a canvas of so many pixels. */
  prepare(camera: Camera, height: number): void {
    const byCamera = this.#hasCoarse && !this.#fine;
    if (!this.#stale && !byCamera) {
      return;
    }
    this.#stale = false;
    const sight = byCamera ? new Sight(camera, height) : null;
    for (const crowd of this.#crowds) {
      this.#place(crowd, sight);
    }
  }

  dispose(): void {
    this.group.traverse((object) => (object as Partial<Mesh>).geometry?.dispose());
    this.group.clear();
    this.#merged?.dispose();
    this.#merged = null;
    this.#crowds = [];
    for (const { closed, open, lines } of [this.#looks, this.#mergedLooks]) {
      closed.dispose();
      open.dispose();
      lines.dispose();
    }
  }

  #place({ bodies, radius, all, levels }: Crowd, sight: Sight | null): void {
    const poses = this.#poses;
    for (const instances of [all, ...levels]) {
      instances.clear();
    }
    for (const body of bodies) {
      const at = body * WORDS_PER_POSE;
      if (at + WORDS_PER_POSE > poses.length) {
        continue;
      }
      const size = sight ? sight.radius(poses, at, radius) : Infinity;
      if (size !== null) {
        (levels[levelOf(size)] ?? all).add(poses, body, this.#tints[body] ?? 0);
      }
    }
    for (const instances of [all, ...levels]) {
      instances.finish();
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
    const made: { shape: BodyShape; bodies: number[] }[] = [];
    let triangles = 0;
    for (const [number, bodies] of bodiesOf) {
      const mesh = shapes.shapes[number];
      if (mesh) {
        const shape = {
          open: OPEN.has(mesh.kind),
          ...facesOf(floats(binary, mesh.vertices), words(binary, mesh.triangles)),
          edges: words(binary, mesh.edges).slice(),
        };
        made.push({ shape, bodies });
        triangles += (shape.triangles.length / 3) * bodies.length;
      }
    }
    this.#hasCoarse = this.#software && !this.#flat && triangles > SOFTWARE_TRIANGLES;
    const alone = made.filter(({ bodies }) => made.length > MANY_SHAPES && bodies.length <= FEW_BODIES);
    for (const each of made) {
      if (!alone.includes(each)) {
        this.#crowds.push(this.#crowd(each));
      }
    }
    if (alone.length > 0) {
      this.#merge(alone.flatMap(({ shape, bodies }) => bodies.map((body) => ({ shape, body }))));
    }
  }

  #crowd({ shape, bodies }: { shape: BodyShape; bodies: number[] }): Crowd {
    const instances = (made: BodyShape) =>
      new Instances(this.group, made, bodies.length, this.#looks, this.#flat);
    const levels =
      this.#hasCoarse && !shape.open
        ? LEVELS.map(({ triangles }) => instances(withTriangles(shape, coarser(shape, triangles))))
        : [];
    return { bodies, radius: radiusOf(shape), all: instances(shape), levels };
  }

  #merge(singles: { shape: BodyShape; body: number }[]): void {
    const merged = new Merged(this.#base.length, this.#mergedLooks);
    merged.add("fine", singles, this.#mergedLooks, this.#flat);
    if (this.#hasCoarse) {
      const each = Math.max(SOFTWARE_TRIANGLES / this.#base.length, LEVELS[0]?.triangles ?? 0);
      const coarse = singles.map(({ shape, body }) => ({
        shape: shape.open ? shape : withTriangles(shape, coarser(shape, each)),
        body,
      }));
      merged.add("coarse", coarse, this.#mergedLooks, this.#flat);
    }
    this.#merged = merged;
    this.group.add(merged.group);
  }
}

/** The place in `LEVELS` for a radius on the screen; behind the last, all triangles are drawn. */
function levelOf(radius: number): number {
  let level = 0;
  while (radius > (LEVELS[level]?.radius ?? Infinity)) {
    level += 1;
  }
  return level;
}

function looks(from: PosesFrom, dimension: Dimension): Looks {
  const lines = translucent(from);
  if (dimension === 2) {
    return { closed: translucent(from), open: translucent(from), lines };
  }
  return { closed: solid(from, FrontSide), open: solid(from, DoubleSide), lines };
}

function radiusOf({ vertices }: BodyShape): number {
  let most = 0;
  for (let at = 0; at < vertices.length; at += 3) {
    most = Math.max(most, Math.hypot(vertices[at] ?? 0, vertices[at + 1] ?? 0, vertices[at + 2] ?? 0));
  }
  return most;
}
