// Flat faces: each triangle has one normal, which its last vertex carries.

/** A mesh whose triangles are lit by the normal of their last vertex alone. */
export interface Faces {
  /** The given vertices, and behind them those that had to be there twice. */
  vertices: Float32Array;
  normals: Float32Array;
  triangles: Uint32Array;
}

/** Normals that differ by less than this are one: both triangles of a quadrangle share it. */
const SAME = 1e-4;

/**
 * Turns each triangle so that its last vertex has its normal. A vertex is only added again where all three
 * have another one.
 */
export function facesOf(vertices: Float32Array, triangles: Uint32Array): Faces {
  const positions = Array.from(vertices);
  const normals: (number | undefined)[] = new Array(vertices.length);
  const turned = new Uint32Array(triangles.length);
  for (let first = 0; first < triangles.length; first += 3) {
    const corners = [triangles[first] ?? 0, triangles[first + 1] ?? 0, triangles[first + 2] ?? 0];
    const normal = normalOf(vertices, corners);
    const last = carrier(corners, normal, normals);
    const [a = 0, b = 0, c = 0] = [corners[(last + 1) % 3], corners[(last + 2) % 3], corners[last]];
    let carries = c;
    if (!isFree(normals, c) && !has(normals, c, normal)) {
      carries = positions.length / 3;
      positions.push(positions[c * 3] ?? 0, positions[c * 3 + 1] ?? 0, positions[c * 3 + 2] ?? 0);
    }
    for (const axis of [0, 1, 2]) {
      normals[carries * 3 + axis] = normal[axis];
    }
    turned.set([a, b, carries], first);
  }
  return {
    vertices: Float32Array.from(positions),
    normals: Float32Array.from(positions, (_, place) => normals[place] ?? 0),
    triangles: turned,
  };
}

/** Which corner shall carry the normal: one that has it, or else one that has none. */
function carrier(corners: number[], normal: number[], normals: (number | undefined)[]): number {
  const same = corners.findIndex((corner) => has(normals, corner, normal));
  const free = corners.findIndex((corner) => isFree(normals, corner));
  return same >= 0 ? same : Math.max(free, 0);
}

function isFree(normals: (number | undefined)[], vertex: number): boolean {
  return normals[vertex * 3] === undefined;
}

function has(normals: (number | undefined)[], vertex: number, normal: number[]): boolean {
  return normal.every((value, axis) => Math.abs((normals[vertex * 3 + axis] ?? Infinity) - value) < SAME);
}

function normalOf(vertices: Float32Array, [a = 0, b = 0, c = 0]: number[]): number[] {
  const at = (vertex: number, axis: number) => vertices[vertex * 3 + axis] ?? 0;
  const side = (to: number) => [0, 1, 2].map((axis) => at(to, axis) - at(a, axis));
  const [ux = 0, uy = 0, uz = 0] = side(b);
  const [vx = 0, vy = 0, vz = 0] = side(c);
  const cross = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
  const length = Math.hypot(...cross);
  return length > 0 ? cross.map((value) => value / length) : [0, 0, 1];
}
