// Reports of clashes, as `clearance clash` writes them: lines of JSON, read with care.

import type { Vector } from "../engine/protocol";

export const CLASH_KINDS = ["duplicate", "inside", "overlap", "touch", "clearance"] as const;
export type ClashKind = (typeof CLASH_KINDS)[number];

export interface Clash {
  /** Counted from 1. */
  number: number;
  /** The number of the first clash of its group. */
  group: number;
  kind: ClashKind;
  proven: boolean;
  allowed: boolean;
  /** The names of both parts, and what their shapes are called in the scene. */
  names: [string, string];
  shapes: [string, string];
  distance: number;
  pointA: Vector;
  pointB: Vector;
  normal: Vector;
}

export interface Report {
  name: string;
  clashes: Clash[];
  /** What is missing; empty if nothing is. */
  missing: string;
}

/** More take too long to sort whenever another kind is chosen. */
const MOST_CLASHES = 200_000;

type Line = Record<string, unknown>;

/** Whether a text begins as a report does: with the header of one, or with the titles of a table. */
export function looksLikeReport(text: string): boolean {
  const first = text.slice(0, 4096);
  return first.startsWith("clash,group,kind,") || /^\s*\{[^\n]*"format":"clearance clash report"/.test(first);
}

/** Reads a report; fails with what is wrong if it is none. */
export function readReport(name: string, text: string): Report {
  if (text.startsWith("clash,group,kind,")) {
    throw new Error(`${name} is a table: open the report that ends in .jsonl instead.`);
  }
  const lines = text.split("\n");
  const header = lineOf(lines[0] ?? "");
  if (header?.type !== "header" || !looksLikeReport(text)) {
    throw new Error(
      `${name} is no report of clashes: it must begin with the header that clearance clash writes.`,
    );
  }
  if (header.version !== 1) {
    throw new Error(`${name} has version ${String(header.version)} of the format, must have 1.`);
  }
  return { name, ...clashesOf(name, lines, header.b !== null) };
}

function clashesOf(name: string, lines: string[], two: boolean): Pick<Report, "clashes" | "missing"> {
  const clashes: Clash[] = [];
  for (const [index, text] of lines.entries()) {
    const line = lineOf(text);
    if (line?.type === "summary") {
      return { clashes, missing: "" };
    }
    if (line?.type === "block" || (line?.type === "clash" && !("group" in line))) {
      throw new Error(
        `${name} is the partial report of a check that has not ended: go on with it by --resume, and open what it becomes.`,
      );
    }
    if (line?.type === "clash") {
      if (clashes.length === MOST_CLASHES) {
        return { clashes, missing: `Only the first ${MOST_CLASHES} clashes of the report are listed.` };
      }
      clashes.push(clashOf(line, `${name}, line ${index + 1}`, two));
    } else if (!line && index < lines.length - 1) {
      throw new Error(`${name}, line ${index + 1}: is no object of JSON.`);
    }
  }
  return { clashes, missing: "The report was cut off: clashes behind its end are missing." };
}

/** The object in a line; null if there is none. */
function lineOf(text: string): Line | null {
  try {
    const line: unknown = JSON.parse(text);
    return typeof line === "object" && line !== null ? (line as Line) : null;
  } catch {
    return null;
  }
}

const isText = (value: unknown) => typeof value === "string";
const isNumber = (value: unknown) => Number.isFinite(value);
const isVector = (value: unknown) => Array.isArray(value) && value.length === 3 && value.every(isNumber);
const isKind = (value: unknown) => CLASH_KINDS.some((kind) => kind === value);
const isFlag = (value: unknown) => typeof value === "boolean";

const FIELDS: [string, (value: unknown) => boolean, string][] = [
  ["clash", isNumber, "a number"],
  ["group", isNumber, "a number"],
  ["kind", isKind, `one of ${CLASH_KINDS.join(", ")}`],
  ["proven", isFlag, "true or false"],
  ["allowed", isFlag, "true or false"],
  ["a", isText, "a name"],
  ["b", isText, "a name"],
  ["distance", isNumber, "a number"],
  ["point_a", isVector, "three numbers"],
  ["point_b", isVector, "three numbers"],
  ["normal", isVector, "three numbers"],
];

function clashOf(line: Line, where: string, two: boolean): Clash {
  for (const [field, isValid, valid] of FIELDS) {
    if (!isValid(line[field])) {
      const value = JSON.stringify(line[field])?.slice(0, 80) ?? "missing";
      throw new Error(`${where}: ${field} is ${value}, must be ${valid}.`);
    }
  }
  const names = [line.a, line.b] as [string, string];
  return {
    number: line.clash as number,
    group: line.group as number,
    kind: line.kind as ClashKind,
    proven: line.proven as boolean,
    allowed: line.allowed as boolean,
    names,
    shapes: two ? [`a/${names[0]}`, `b/${names[1]}`] : names,
    distance: line.distance as number,
    pointA: line.point_a as Vector,
    pointB: line.point_b as Vector,
    normal: line.normal as Vector,
  };
}

/** Which of the clashes are listed, and in which order. */
export interface Listing {
  kind: ClashKind | "all";
  order: "depth" | "report";
}

/** Clashes of a kind. Those of a group follow each other; faults come first, and deep ones before others. */
export function listed(clashes: Clash[], { kind, order }: Listing): Clash[] {
  const some = clashes.filter((clash) => kind === "all" || clash.kind === kind);
  if (order === "depth") {
    some.sort((one, other) => Number(one.allowed) - Number(other.allowed) || one.distance - other.distance);
  }
  const groups = new Map<number, Clash[]>();
  for (const clash of some) {
    const group = groups.get(clash.group);
    if (group) {
      group.push(clash);
    } else {
      groups.set(clash.group, [clash]);
    }
  }
  return [...groups.values()].flat();
}

/** The numbers of bodies by the names of their shapes; of several with one shape, the first. */
export function bodiesByShape(scene: string | null): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  const bodies = lineOf(scene ?? "")?.bodies;
  for (const [number, body] of Array.isArray(bodies) ? bodies.entries() : []) {
    const shape = (body as Line | null)?.shape;
    if (typeof shape === "string" && !found.has(shape)) {
      found.set(shape, number);
    }
  }
  return found;
}
