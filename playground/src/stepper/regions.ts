// The Voronoi regions of a simplex as areas (in the plane) or as the walls between them (in space).

import { Vector3 } from "three";
import type { Dimension } from "../engine/protocol";
import type { Extent, Patch, Stroke } from "./picture";
import { subsets } from "./subsets";

interface HalfPlane {
  /** Points x with normal · (x - at) <= 0 are inside. */
  normal: Vector3;
  at: Vector3;
}

export interface Regions {
  patches: Patch[];
  strokes: Stroke[];
}

export function regionPatches(vertices: Vector3[], dimension: Dimension, extent: Extent): Regions {
  if (vertices.length < 2) {
    return { patches: [], strokes: [] };
  }
  const size = extent.max.clone().sub(extent.min).length();
  return dimension === 2 ? areas(vertices, size * 4) : { patches: walls(vertices, size * 0.35), strokes: [] };
}

function areas(vertices: Vector3[], reach: number): Regions {
  const patches: Patch[] = [];
  const strokes: Stroke[] = [];
  for (const { members, voronoi } of subsets(vertices)) {
    const limits = limitsOf(vertices, members);
    const corners = limits.reduce(clip, square(reach));
    if (corners.length > 2) {
      patches.push({ role: voronoi ? "region" : "faint", corners, opacity: voronoi ? 0.3 : 0.05 });
      corners.forEach((from, number) => {
        const to = corners[(number + 1) % corners.length] ?? from;
        strokes.push({ role: "faint", from, to });
      });
    }
  }
  return { patches, strokes };
}

/** The lines that bound the region of some vertices of a segment or triangle in the plane. */
function limitsOf(vertices: Vector3[], members: number[]): HalfPlane[] {
  const points = members.map((member) => vertices[member] ?? new Vector3());
  const others = vertices.filter((_, number) => !members.includes(number));
  const [first = new Vector3(), second] = points;
  if (points.length === 1) {
    return others.map((other) => ({ normal: other.clone().sub(first), at: first }));
  }
  const sides = (from: Vector3, to: Vector3, inside: Vector3): HalfPlane => {
    const along = to.clone().sub(from).normalize();
    const across = inside.clone().sub(from);
    across.addScaledVector(along, -across.dot(along));
    return { normal: across, at: from };
  };
  if (points.length === 2 && second) {
    const along = second.clone().sub(first);
    return [
      { normal: along.clone().negate(), at: first },
      { normal: along, at: second },
      ...others.map((other) => sides(first, second, other)),
    ];
  }
  return points.map((from, number) => {
    const to = points[(number + 1) % 3] ?? from;
    const limit = sides(from, to, points[(number + 2) % 3] ?? from);
    return { ...limit, normal: limit.normal.negate() };
  });
}

function square(reach: number): Vector3[] {
  return [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ].map(([x = 0, y = 0]) => new Vector3(x * reach, y * reach, 0));
}

/** What of a polygon is inside of a half plane. */
function clip(polygon: Vector3[], { normal, at }: HalfPlane): Vector3[] {
  const height = (point: Vector3) => normal.dot(point.clone().sub(at));
  return polygon.flatMap((from, number) => {
    const to = polygon[(number + 1) % polygon.length] ?? from;
    const [start, end] = [height(from), height(to)];
    const kept = start <= 0 ? [from] : [];
    if (start < 0 !== end < 0 && start !== end) {
      kept.push(from.clone().lerp(to, start / (start - end)));
    }
    return kept;
  });
}

/** Planes upright on the edges of a segment or triangle in space. */
function walls(vertices: Vector3[], reach: number): Patch[] {
  const [a = new Vector3(), b = new Vector3(), c] = vertices;
  if (vertices.length === 2) {
    const along = b.clone().sub(a).normalize();
    const [x, y] = across(along, reach);
    return [a, b].map((centre) => ({ role: "region", corners: ring(centre, x, y), opacity: 0.14 }));
  }
  if (!c || vertices.length > 3) {
    return [];
  }
  const normal = b.clone().sub(a).cross(c.clone().sub(a)).normalize().multiplyScalar(reach);
  return vertices.map((from, number) => {
    const to = vertices[(number + 1) % 3] ?? from;
    const corners = [
      from.clone().add(normal),
      to.clone().add(normal),
      to.clone().sub(normal),
      from.clone().sub(normal),
    ];
    return { role: "region", corners, opacity: 0.14 };
  });
}

function across(along: Vector3, reach: number): [Vector3, Vector3] {
  const helper = Math.abs(along.x) < 0.8 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0);
  const x = helper.cross(along).normalize();
  const y = along.clone().cross(x);
  return [x.multiplyScalar(reach), y.multiplyScalar(reach)];
}

function ring(centre: Vector3, x: Vector3, y: Vector3): Vector3[] {
  return Array.from({ length: 24 }, (_, number) => {
    const angle = (number * Math.PI) / 12;
    return centre.clone().addScaledVector(x, Math.cos(angle)).addScaledVector(y, Math.sin(angle));
  });
}
