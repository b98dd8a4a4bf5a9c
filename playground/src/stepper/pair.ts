// A line of a pair file, and changes to it: shapes moved and turned, vertices dragged, added and deleted.

import { Quaternion, Vector3 } from "three";
import type { Dimension } from "../engine/protocol";

export type SideName = "a" | "b";

export interface ShapeRecord {
  type: string;
  [field: string]: unknown;
}

export interface PoseRecord {
  translation?: number[];
  rotation?: number | number[];
}

export interface SideRecord {
  shape: ShapeRecord;
  pose?: PoseRecord;
}

export interface PairLine {
  id?: string | number;
  dimension: Dimension;
  ask?: string;
  a?: SideRecord;
  b?: SideRecord;
  [field: string]: unknown;
}

/** The pair of a line, or null if the line is no JSON object with a dimension. */
export function readPair(line: string): PairLine | null {
  try {
    const read: unknown = JSON.parse(line);
    if (typeof read === "object" && read !== null && "dimension" in read) {
      return read.dimension === 2 || read.dimension === 3 ? (read as PairLine) : null;
    }
  } catch {
    // The engine says what is wrong with the line.
  }
  return null;
}

export function moved(pair: PairLine, side: SideName, by: readonly number[]): PairLine {
  return withPose(pair, side, (pose) => ({
    ...pose,
    translation: numbers(pose.translation, pair.dimension).map((value, axis) =>
      single(value + (by[axis] ?? 0)),
    ),
  }));
}

/** Turns a side about its origin, by radians: in the plane counterclockwise, in space about an axis of the world. */
export function turned(pair: PairLine, side: SideName, angle: number, axis = new Vector3(0, 0, 1)): PairLine {
  return withPose(pair, side, (pose) => ({
    ...pose,
    rotation:
      pair.dimension === 2
        ? single(wrapped(Number(pose.rotation ?? 0) + angle))
        : new Quaternion()
            .setFromAxisAngle(axis, angle)
            .multiply(quaternion(pose))
            .normalize()
            .toArray()
            .map(fine),
  }));
}

export function placed(pair: PairLine, side: SideName, pose: PoseRecord): PairLine {
  return withPose(pair, side, () => pose);
}

export function quaternion(pose: PoseRecord | undefined): Quaternion {
  if (Array.isArray(pose?.rotation)) {
    const [x = 0, y = 0, z = 0, w = 1] = pose.rotation;
    return new Quaternion(x, y, z, w);
  }
  return new Quaternion().setFromAxisAngle(new Vector3(0, 0, 1), Number(pose?.rotation ?? 0));
}

export function translation(pose: PoseRecord | undefined): Vector3 {
  const [x = 0, y = 0, z = 0] = pose?.translation ?? [];
  return new Vector3(x, y, z);
}

/** The vertices of a shape that can be dragged, in its own axes; none for shapes without corners. */
export function corners(shape: ShapeRecord | undefined): number[][] {
  switch (shape?.type) {
    case "hull":
      return points(shape.points);
    case "polyline":
      return points(shape.vertices);
    case "segment":
      return points([shape.a, shape.b]);
    case "triangle":
      return points([shape.a, shape.b, shape.c]);
    case "cuboid": {
      const [x = 1, y = 1, z] = numbers(shape.half_extents, 2);
      return z === undefined
        ? [
            [-x, -y],
            [x, -y],
            [x, y],
            [-x, y],
          ]
        : [];
    }
    case "rounded":
      return corners(shape.shape as ShapeRecord);
    default:
      return [];
  }
}

/** The shape with other vertices: a hull, where its own kind cannot have them. */
export function withCorners(shape: ShapeRecord, vertices: number[][]): ShapeRecord {
  switch (shape.type) {
    case "polyline":
      return { ...shape, vertices };
    case "segment":
      if (vertices.length === 2) {
        return { type: "segment", a: vertices[0], b: vertices[1] };
      }
      break;
    case "triangle":
      if (vertices.length === 3) {
        return { type: "triangle", a: vertices[0], b: vertices[1], c: vertices[2] };
      }
      break;
    case "rounded":
      return { ...shape, shape: withCorners(shape.shape as ShapeRecord, vertices) };
  }
  return { type: "hull", points: vertices };
}

export function cornerMoved(pair: PairLine, side: SideName, corner: number, to: Vector3): PairLine {
  return withVertices(pair, side, (vertices, local) =>
    vertices.map((vertex, number) => (number === corner ? local(to) : vertex)),
  );
}

export function cornerDeleted(pair: PairLine, side: SideName, corner: number): PairLine {
  return withVertices(pair, side, (vertices) =>
    vertices.length > 1 ? vertices.filter((_, number) => number !== corner) : vertices,
  );
}

export function cornerAdded(pair: PairLine, side: SideName, at: Vector3): PairLine {
  return withVertices(pair, side, (vertices, local) => [...vertices, local(at)]);
}

/** Where the corners of a side are in the world. */
export function cornersInWorld(pair: PairLine, side: SideName): Vector3[] {
  const { shape, pose } = pair[side] ?? {};
  return corners(shape).map(([x = 0, y = 0, z = 0]) =>
    new Vector3(x, y, z).applyQuaternion(quaternion(pose)).add(translation(pose)),
  );
}

function withVertices(
  pair: PairLine,
  side: SideName,
  change: (vertices: number[][], local: (point: Vector3) => number[]) => number[][],
): PairLine {
  const record = pair[side];
  if (!record) {
    return pair;
  }
  const local = (point: Vector3) =>
    point
      .clone()
      .sub(translation(record.pose))
      .applyQuaternion(quaternion(record.pose).invert())
      .toArray()
      .slice(0, pair.dimension)
      .map(single);
  return {
    ...pair,
    [side]: { ...record, shape: withCorners(record.shape, change(corners(record.shape), local)) },
  };
}

function withPose(pair: PairLine, side: SideName, change: (pose: PoseRecord) => PoseRecord): PairLine {
  const record = pair[side];
  return record ? { ...pair, [side]: { ...record, pose: change(record.pose ?? {}) } } : pair;
}

/** Of a number that was dragged, what single precision keeps, in few digits. */
function single(value: number): number {
  return Number(value.toFixed(5));
}

/** Rotations in space need all the digits of single precision, or they lose their length. */
function fine(value: number): number {
  return Number(value.toFixed(7));
}

function wrapped(angle: number): number {
  return Math.atan2(Math.sin(angle), Math.cos(angle));
}

function numbers(value: unknown, length: number): number[] {
  return Array.isArray(value) ? value.map(Number) : Array.from({ length }, () => 0);
}

function points(value: unknown): number[][] {
  return Array.isArray(value) ? value.filter(Array.isArray).map((point) => numbers(point, 2)) : [];
}
