// What a view of the stepper shows, without saying how: drawn as SVG in the plane, by three.js in space.

import { Vector3 } from "three";

export type Role =
  | "a"
  | "b"
  | "overlap"
  | "difference"
  | "simplex"
  | "support"
  | "nearest"
  | "origin"
  | "region"
  | "faint";

export interface Solid {
  role: Role;
  vertices: Float32Array;
  triangles: Uint32Array;
  edges: Uint32Array;
  /** Drawn as an outline only: where a shape is at another time. */
  ghost?: boolean;
}

export interface Mark {
  role: Role;
  at: Vector3;
  label?: string;
  /** Stated in the drawing for tests and for those who hover. */
  title?: string;
}

export interface Stroke {
  role: Role;
  from: Vector3;
  to: Vector3;
  arrow?: boolean;
  dashed?: boolean;
}

export interface Patch {
  role: Role;
  corners: Vector3[];
  opacity: number;
}

export interface Round {
  role: Role;
  centre: Vector3;
  radius: number;
}

export interface Picture {
  solids: Solid[];
  patches: Patch[];
  strokes: Stroke[];
  marks: Mark[];
  rounds: Round[];
}

export function emptyPicture(): Picture {
  return { solids: [], patches: [], strokes: [], marks: [], rounds: [] };
}

export interface Extent {
  min: Vector3;
  max: Vector3;
}

/** The box around the solids, the marks, and the origin if it is marked; huge shapes count for a part only. */
export function extentOf(picture: Picture): Extent {
  const points: Vector3[] = picture.marks.map(({ at }) => at);
  const sizes = picture.solids.map((solid) => sizeOf(solid));
  const least = Math.min(...sizes);
  picture.solids.forEach((solid, number) => {
    if ((sizes[number] ?? 0) <= least * 30) {
      for (let at = 0; at < solid.vertices.length; at += 3) {
        points.push(new Vector3().fromArray(solid.vertices, at));
      }
    }
  });
  const min = new Vector3(Infinity, Infinity, Infinity);
  const max = new Vector3(-Infinity, -Infinity, -Infinity);
  for (const point of points) {
    min.min(point);
    max.max(point);
  }
  return points.length > 0 ? { min, max } : { min: new Vector3(-1, -1, -1), max: new Vector3(1, 1, 1) };
}

function sizeOf(solid: Solid): number {
  let most = 0;
  const first = new Vector3().fromArray(solid.vertices, 0);
  const point = new Vector3();
  for (let at = 3; at < solid.vertices.length; at += 3) {
    most = Math.max(most, point.fromArray(solid.vertices, at).distanceTo(first));
  }
  return Math.max(most, 1e-9);
}

/** Edges joined to paths: closed ones can be filled. */
export function paths(edges: ArrayLike<number>): { vertices: number[]; closed: boolean }[] {
  const next = new Map<number, number[]>();
  const join = (from: number, to: number) => {
    const list = next.get(from);
    if (list) {
      list.push(to);
    } else {
      next.set(from, [to]);
    }
  };
  for (let at = 0; at + 1 < edges.length; at += 2) {
    join(edges[at] ?? 0, edges[at + 1] ?? 0);
    join(edges[at + 1] ?? 0, edges[at] ?? 0);
  }
  const take = (from: number): number | undefined => {
    const to = next.get(from)?.shift();
    if (to !== undefined) {
      const back = next.get(to) ?? [];
      back.splice(back.indexOf(from), 1);
    }
    return to;
  };
  const found: { vertices: number[]; closed: boolean }[] = [];
  const ends = [...next.keys()].filter((vertex) => next.get(vertex)?.length === 1);
  for (const start of [...ends, ...next.keys()]) {
    const vertices = [start];
    for (let to = take(start); to !== undefined; to = take(to)) {
      vertices.push(to);
    }
    if (vertices.length > 1) {
      const closed = vertices[0] === vertices.at(-1);
      found.push({ vertices: closed ? vertices.slice(0, -1) : vertices, closed });
    }
  }
  return found;
}
