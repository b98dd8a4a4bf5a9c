// The Voronoi regions of a simplex: all of them as areas in the plane, and in space the one that holds the
// origin, by the walls around it.

import { Vector3 } from "three";
import type { Dimension } from "../engine/protocol";
import type { Extent, Patch, Stroke } from "./picture";
import { nearestOfPlane, subsets } from "./subsets";

interface HalfSpace {
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
    const whole = square({ normal: new Vector3(0, 0, 1), at: new Vector3() }, reach);
    const corners = limitsOf(vertices, members).reduce(clip, whole);
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

/** What lies between the region of the origin and its neighbours, as far as it is near to the simplex. */
function walls(vertices: Vector3[], reach: number): Patch[] {
  const chosen = subsets(vertices).find(({ voronoi }) => voronoi);
  if (!chosen) {
    return [];
  }
  const limits = limitsOf(vertices, chosen.members);
  const sum = vertices.reduce((total, vertex) => total.add(vertex), new Vector3());
  const around = box(sum.divideScalar(vertices.length), reach);
  return limits.flatMap((limit): Patch[] => {
    const others = [...limits.filter((each) => each !== limit), ...around];
    const corners = others.reduce(clip, square(limit, reach * 8));
    return corners.length > 2 ? [{ role: "region", corners, opacity: 0.16 }] : [];
  });
}

/**
 * The half spaces that make the region of some vertices: between the members, and on the far side of them as
 * the other vertices see it.
 */
function limitsOf(vertices: Vector3[], members: number[]): HalfSpace[] {
  const points = members.map((member) => vertices[member] ?? new Vector3());
  const others = vertices.filter((_, number) => !members.includes(number));
  const between = points.map((point, number) => {
    const rest = points.filter((_, other) => other !== number);
    return rest.length === 0 ? null : upright(rest, point, -1);
  });
  const beyond = others.map((other) => upright(points, other, 1));
  return [...between, ...beyond].filter((limit) => limit !== null);
}

/** Through some points, upright on the way from their line or plane to another; none if that is on it. */
function upright(points: Vector3[], other: Vector3, sign: 1 | -1): HalfSpace | null {
  const at = nearestOfPlane(points, other);
  const normal = other.clone().sub(at);
  const length = normal.length();
  return length > 0 ? { normal: normal.multiplyScalar(sign / length), at } : null;
}

function box(centre: Vector3, reach: number): HalfSpace[] {
  return [new Vector3(1, 0, 0), new Vector3(0, 1, 0), new Vector3(0, 0, 1)].flatMap((axis) =>
    [1, -1].map((sign) => {
      const normal = axis.clone().multiplyScalar(sign);
      return { normal, at: centre.clone().addScaledVector(normal, reach) };
    }),
  );
}

/** A large square of the plane that ends a half space. */
function square({ normal, at }: HalfSpace, reach: number): Vector3[] {
  const helper = Math.abs(normal.x) < 0.8 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0);
  const y = normal.clone().cross(helper).normalize();
  const x = y.clone().cross(normal).normalize();
  return [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ].map(([right = 0, up = 0]) =>
    at
      .clone()
      .addScaledVector(x, right * reach)
      .addScaledVector(y, up * reach),
  );
}

/** What of a polygon is inside of a half space. */
function clip(polygon: Vector3[], { normal, at }: HalfSpace): Vector3[] {
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
