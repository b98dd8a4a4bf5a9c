// From where a pair of bodies is seen best: across the way from one to the other, a little from above.

import { type Box3, MathUtils, Vector3 } from "three";

/** Where a camera is, and what it looks at. */
export interface Sighting {
  eye: Vector3;
  target: Vector3;
}

export interface Nearest {
  pointA: Vector3;
  pointB: Vector3;
  /** From a to b. */
  normal: Vector3;
}

export interface Lens {
  /** Of the height of the picture, in degrees. */
  fov: number;
  /** Width by height. */
  aspect: number;
  /** From what is looked at to where the camera is now: of two sides the nearer one is taken. */
  from: Vector3;
}

const UP = new Vector3(0, 1, 0);

/** The way from one to the other lies across the picture, with both points in it and what both bodies share of their boxes. */
export function sighting({ pointA, pointB, normal }: Nearest, boxes: [Box3, Box3], lens: Lens): Sighting {
  const target = pointA.clone().lerp(pointB, 0.5);
  const shared = sharedSize(...boxes);
  const beside = normal.clone().cross(UP);
  if (beside.length() < 0.1) {
    // One stands on the other: seen along the shorter side of where they meet.
    beside.set(shared.x < shared.z ? 1 : 0, 0, shared.x < shared.z ? 0 : 1);
  }
  beside.normalize();
  if (beside.dot(lens.from) < 0) {
    beside.negate();
  }
  const towards = beside.addScaledVector(UP, 0.35).addScaledVector(normal, 0.15).normalize();
  const smaller = Math.min(...boxes.map((box) => box.getSize(new Vector3()).length()));
  const radius = Math.max(0.6 * shared.length(), pointA.distanceTo(pointB), 0.05 * smaller, 1e-6);
  const half = MathUtils.degToRad(lens.fov / 2);
  const away = radius / (Math.sin(half) * Math.min(1, lens.aspect));
  return { eye: target.clone().addScaledVector(towards, away), target };
}

/** How far two boxes reach into each other along each axis, or how far they are apart. */
function sharedSize(one: Box3, other: Box3): Vector3 {
  const low = one.min.clone().max(other.min);
  const high = one.max.clone().min(other.max);
  const size = high.sub(low);
  return size.set(Math.abs(size.x), Math.abs(size.y), Math.abs(size.z));
}
