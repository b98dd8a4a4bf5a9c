// From where a pair of bodies is seen best: across the way from one to the other, and from outside of both.

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
  /** From what is looked at to where the camera is now. */
  from: Vector3;
}

/** How many directions about the normal are tried. */
const DIRECTIONS = 12;
/** How much farther away the camera may be for a way that is half a turn shorter. */
const TURNING = 0.3;
/** How much farther away it may be to look from above. */
const BELOW = 1.5;
/** How much farther away it may be to have a body out of the way, relative to the length of the way in it. */
const HIDDEN = 1;

/** The way from one to the other lies across the picture, with both points in it and what is about them. */
export function sighting({ pointA, pointB, normal }: Nearest, boxes: [Box3, Box3], lens: Lens): Sighting {
  const target = pointA.clone().lerp(pointB, 0.5);
  const half = MathUtils.degToRad(lens.fov / 2);
  const away = shownAbout(pointA.distanceTo(pointB), boxes) / (Math.sin(half) * Math.min(1, lens.aspect));
  let least = Infinity;
  const eye = target.clone();
  for (const direction of across(normal)) {
    const [one, other] = boxes.map((box) => wayOut(box, target, direction)) as [number, number];
    const far = Math.max(away, 1.1 * one, 1.1 * other);
    const turn = direction.angleTo(lens.from) / Math.PI;
    const cost = far * (1 + TURNING * turn) * (direction.y < 0 ? BELOW : 1) + HIDDEN * (one + other);
    if (cost < least) {
      least = cost;
      eye.copy(target).addScaledVector(direction, far);
    }
  }
  return { eye, target };
}

/** Directions about the normal, a little along it to where it leads up. */
function across(normal: Vector3): Vector3[] {
  const other = Math.abs(normal.y) < 0.9 ? new Vector3(0, 1, 0) : new Vector3(1, 0, 0);
  const u = normal.clone().cross(other).normalize();
  const v = u.clone().cross(normal);
  return Array.from({ length: DIRECTIONS }, (_, number) => {
    // No box is seen along its sides.
    const angle = ((number + 0.35) * 2 * Math.PI) / DIRECTIONS;
    const direction = u.clone().multiplyScalar(Math.cos(angle)).addScaledVector(v, Math.sin(angle));
    return direction.addScaledVector(normal, normal.y < 0 ? -0.25 : 0.25).normalize();
  });
}

/** The radius about the middle that is shown: that of a cut through what both boxes share, not the length of two pipes side by side. */
function shownAbout(distance: number, boxes: [Box3, Box3]): number {
  const [one, other] = boxes;
  const shared = one.max.clone().min(other.max).sub(one.min.clone().max(other.min)).toArray();
  const [, median = 0] = shared.map(Math.abs).sort((a, b) => a - b);
  const smaller = Math.min(...boxes.map((box) => box.max.distanceTo(box.min)));
  return Math.max(2.5 * median, 1.5 * distance, 0.05 * smaller, 1e-6);
}

/** How far it is from a point along a direction until a box is left; 0 if it never is inside. */
function wayOut(box: Box3, from: Vector3, direction: Vector3): number {
  let enters = 0;
  let leaves = Infinity;
  for (const axis of ["x", "y", "z"] as const) {
    const ends = [box.min, box.max].map((corner) => (corner[axis] - from[axis]) / direction[axis]);
    enters = Math.max(enters, Math.min(...ends));
    leaves = Math.min(leaves, Math.max(...ends));
  }
  return enters <= leaves ? leaves : 0;
}
