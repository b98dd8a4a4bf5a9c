// What the two views show at a step: the shapes in the world, and their Minkowski difference.

import { Quaternion, Vector3 } from "three";
import { floats, words } from "../engine/client";
import type { ExpansionStep, Pose, SearchStep, ShapeMesh, Trace, Vector } from "../engine/protocol";
import { short } from "../shell/numbers";
import { type Extent, emptyPicture, type Mark, type Picture, type Role, type Solid } from "./picture";
import { regionPatches } from "./regions";
import type { Step } from "./timeline";

export interface Seen {
  trace: Trace;
  binary: ArrayBuffer;
  step: Step | null;
  /** The last step: the answer's points are drawn with it. */
  last: boolean;
  /** Whether the regions of the simplex are drawn. */
  regions: boolean;
  /** The length of an arrow. */
  arrow: number;
}

const vector = ([x, y, z]: Vector) => new Vector3(x, y, z);

export function overlaps(trace: Trace): boolean {
  return (trace.answer.distance ?? 1) < 0;
}

/** Both shapes, with the points of the simplex on them. */
export function shapesPicture(seen: Seen): Picture {
  const { trace, step } = seen;
  const picture = emptyPicture();
  const touching = overlaps(trace);
  for (const side of ["a", "b"] as const) {
    const solid = solidOf(trace[side], seen.binary, touching ? "overlap" : side);
    if (step?.phase === "cast") {
      const field = side === "a" ? "pose_a" : "pose_b";
      const vertices = carried(solid.vertices, trace[side].pose, step.step[field]);
      picture.solids.push({ ...solid, role: "faint", ghost: true });
      picture.solids.push({ ...solid, role: side, vertices });
    } else {
      picture.solids.push(solid);
    }
  }
  if (step?.phase === "search") {
    addSupports(picture, step.step, seen.arrow);
  }
  if (seen.last || step === null) {
    addAnswer(picture, trace);
  }
  return picture;
}

/** The Minkowski difference, the origin, and the simplex or the polytope. */
export function differencePicture(seen: Seen, extent: Extent): Picture {
  const { trace, step } = seen;
  const picture = emptyPicture();
  if (trace.difference) {
    const role = overlaps(trace) && trace.radius === 0 ? "overlap" : "difference";
    picture.solids.push(solidOf(trace.difference, seen.binary, role));
  }
  picture.marks.push({ role: "origin", at: new Vector3(), label: "0", title: "origin" });
  if (trace.radius > 0) {
    picture.rounds.push({ role: "origin", centre: new Vector3(), radius: trace.radius });
  }
  if (step?.phase === "search") {
    if (seen.regions) {
      const shape = regionPatches(candidate(step.step, step.before), trace.dimension, extent);
      picture.patches.push(...shape.patches);
      picture.strokes.push(...shape.strokes);
    }
    addSimplex(picture, step.step, seen.arrow);
  } else if (step?.phase === "expansion") {
    addPolytope(picture, step.step, trace.dimension === 2, seen.arrow);
  }
  return picture;
}

/** The vertices among which a step decided: those of the step before, and the support point that it found. */
export function candidate(step: SearchStep, before: SearchStep | null): Vector3[] {
  const vertices = before ? [...before.vertices, before.support] : step.vertices;
  const points = vertices.map(({ point }) => vector(point));
  // A support point that was in the simplex already ends the search.
  return points.filter(
    (point, number) => points.findIndex((other) => other.distanceTo(point) === 0) === number,
  );
}

export function solidOf(drawn: ShapeMesh, binary: ArrayBuffer, role: Role): Solid {
  return {
    role,
    vertices: floats(binary, drawn.vertices),
    triangles: words(binary, drawn.triangles),
    edges: words(binary, drawn.edges),
  };
}

/** Vertices in the world, carried along from one pose to another. */
function carried(vertices: Float32Array, before: Pose, after: Pose): Float32Array {
  const back = new Quaternion(...before.rotation).invert();
  const turn = new Quaternion(...after.rotation).multiply(back);
  const from = vector(before.translation);
  const to = vector(after.translation);
  const result = new Float32Array(vertices.length);
  const point = new Vector3();
  for (let at = 0; at < vertices.length; at += 3) {
    point.fromArray(vertices, at).sub(from).applyQuaternion(turn).add(to).toArray(result, at);
  }
  return result;
}

function addSupports(picture: Picture, step: SearchStep, arrow: number): void {
  const { weights } = step;
  const onA = new Vector3();
  const onB = new Vector3();
  step.vertices.forEach((vertex, number) => {
    const label = String(number + 1);
    onA.addScaledVector(vector(vertex.on_a), weights[number] ?? 0);
    onB.addScaledVector(vector(vertex.on_b), weights[number] ?? 0);
    picture.marks.push({ role: "simplex", at: vector(vertex.on_a), label, title: `on a, vertex ${label}` });
    picture.marks.push({ role: "simplex", at: vector(vertex.on_b), label, title: `on b, vertex ${label}` });
  });
  picture.strokes.push({ role: "nearest", from: onA, to: onB, dashed: true });
  const supportA = vector(step.support.on_a);
  const supportB = vector(step.support.on_b);
  const along = vector(step.direction);
  along.multiplyScalar(arrow / Math.max(along.length(), 1e-30));
  for (const [at, way] of [
    [supportA, 1],
    [supportB, -1],
  ] as const) {
    picture.marks.push({ role: "support", at, title: "support point" });
    picture.strokes.push({
      role: "support",
      from: at,
      to: at.clone().addScaledVector(along, way),
      arrow: true,
    });
  }
}

function addAnswer(picture: Picture, trace: Trace): void {
  const { point_a: a, point_b: b } = trace.answer;
  if (a && b) {
    const from = new Vector3(a[0], a[1], a[2] ?? 0);
    const to = new Vector3(b[0], b[1], b[2] ?? 0);
    picture.strokes.push({ role: "nearest", from, to });
    picture.marks.push({ role: "nearest", at: from, title: "closest point of a" });
    picture.marks.push({ role: "nearest", at: to, title: "closest point of b" });
  }
}

function addSimplex(picture: Picture, step: SearchStep, arrow: number): void {
  const points = step.vertices.map(({ point }) => vector(point));
  const marks = points.map(
    (at, number): Mark => ({
      role: "simplex",
      at,
      label: `${number + 1}: ${short(step.weights[number], 3)}`,
      title: `vertex ${number + 1}, weight ${step.weights[number]}`,
    }),
  );
  picture.marks.push(...marks);
  points.forEach((from, number) => {
    for (const to of points.slice(number + 1)) {
      picture.strokes.push({ role: "simplex", from, to });
    }
  });
  for (const face of facesOf(points)) {
    picture.patches.push({ role: "simplex", corners: face, opacity: 0.25 });
  }
  const nearest = vector(step.nearest);
  const direction = vector(step.direction);
  picture.marks.push({ role: "nearest", at: nearest, title: "nearest point of the simplex" });
  picture.strokes.push({ role: "nearest", from: nearest, to: new Vector3(), dashed: true });
  if (direction.length() > 0) {
    const tip = nearest.clone().addScaledVector(direction.normalize(), arrow);
    picture.strokes.push({ role: "support", from: nearest, to: tip, arrow: true });
  }
  picture.marks.push({ role: "support", at: vector(step.support.point), title: "support point found next" });
}

function facesOf(points: Vector3[]): Vector3[][] {
  if (points.length === 3) {
    return [points];
  }
  return points.length === 4 ? points.map((_, out) => points.filter((_, number) => number !== out)) : [];
}

function addPolytope(picture: Picture, step: ExpansionStep, plane: boolean, arrow: number): void {
  const points = step.vertices.map(vector);
  const pointOf = (vertex: number) => points[vertex] ?? new Vector3();
  for (const [from, to] of edgesOf(step.faces)) {
    picture.strokes.push({ role: "simplex", from: pointOf(from), to: pointOf(to) });
  }
  step.faces.forEach((face, number) => {
    const corners = face.map(pointOf);
    const nearest = number === step.nearest;
    const [from, to] = corners;
    if (!plane) {
      picture.patches.push({ role: nearest ? "nearest" : "simplex", corners, opacity: nearest ? 0.6 : 0.16 });
    } else if (nearest && from && to) {
      picture.strokes.push({ role: "nearest", from, to });
    }
  });
  picture.marks.push(
    ...points.map((at, number): Mark => ({ role: "simplex", at, title: `vertex ${number + 1}` })),
  );
  const point = vector(step.point);
  picture.marks.push({ role: "nearest", at: point, title: "nearest point of the polytope" });
  picture.strokes.push({ role: "nearest", from: new Vector3(), to: point, dashed: true });
  picture.strokes.push({
    role: "support",
    from: point,
    to: point.clone().addScaledVector(vector(step.normal), arrow),
    arrow: true,
  });
  picture.marks.push({ role: "support", at: vector(step.support), title: "support point found next" });
}

/** Each edge of some faces once: a face of two vertices is one edge. */
function edgesOf(faces: readonly number[][]): [number, number][] {
  const edges = new Map<string, [number, number]>();
  for (const face of faces) {
    face.forEach((from, place) => {
      const to = face[(place + 1) % face.length] ?? from;
      edges.set(`${Math.min(from, to)} ${Math.max(from, to)}`, [from, to]);
    });
  }
  return [...edges.values()];
}
