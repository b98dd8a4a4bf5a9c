// A convex body with fewer triangles, for drawing thousands without a graphics card.

import { Vector3 } from "three";
import { ConvexHull } from "three/addons/math/ConvexHull.js";

export interface Triangles {
  vertices: Float32Array;
  triangles: Uint32Array;
}

/** A cuboid has so many: what has no more stays what it is. */
const FEW = 12;

/**
 * The hull of the farthest vertices in evenly spread directions: about so many triangles, or the shape itself
 * if it has no more.
 */
export function coarser(shape: Triangles, triangles: number): Triangles {
  if (shape.triangles.length / 3 <= Math.max(triangles * 1.5, FEW)) {
    return shape;
  }
  const chosen = new Set<number>();
  const directions = Math.max(Math.ceil(triangles / 2) + 2, 6);
  for (let number = 0; number < directions; number += 1) {
    chosen.add(farthest(shape.vertices, direction(number, directions)));
  }
  const points = [...chosen].map((vertex) => new Vector3().fromArray(shape.vertices, vertex * 3));
  if (points.length < 4) {
    return shape;
  }
  const numbers = new Map(points.map((point, number) => [point, number]));
  const faces: number[] = [];
  for (const face of new ConvexHull().setFromPoints(points).faces) {
    const first = face.edge;
    for (let edge = first.next; edge.next !== first; edge = edge.next) {
      faces.push(...[first, edge, edge.next].map((at) => numbers.get(at.head().point) ?? 0));
    }
  }
  return {
    vertices: Float32Array.from(points.flatMap((point) => point.toArray())),
    triangles: Uint32Array.from(faces),
  };
}

/** Points of a spiral around the sphere. */
function direction(number: number, of: number): Vector3 {
  const y = 1 - (2 * (number + 0.5)) / of;
  const around = number * Math.PI * (3 - Math.sqrt(5));
  const radius = Math.sqrt(1 - y * y);
  return new Vector3(radius * Math.cos(around), y, radius * Math.sin(around));
}

function farthest(vertices: Float32Array, along: Vector3): number {
  let best = 0;
  let most = Number.NEGATIVE_INFINITY;
  for (let vertex = 0; vertex * 3 < vertices.length; vertex += 1) {
    const x = vertices[vertex * 3] ?? 0;
    const y = vertices[vertex * 3 + 1] ?? 0;
    const z = vertices[vertex * 3 + 2] ?? 0;
    const height = x * along.x + y * along.y + z * along.z;
    if (height > most) {
      most = height;
      best = vertex;
    }
  }
  return best;
}
