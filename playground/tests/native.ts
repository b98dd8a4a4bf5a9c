// The `clearance` command, whose answers the page has to repeat.

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { QueryAnswer } from "../src/engine/protocol";

export const COMMAND =
  process.env.CLEARANCE ?? fileURLToPath(new URL("../../target/debug/clearance", import.meta.url));

export function clearance(arguments_: string[], input = ""): string {
  return execFileSync(COMMAND, arguments_, { input, encoding: "utf8", maxBuffer: 1 << 28 });
}

export function query(line: string): QueryAnswer {
  return JSON.parse(clearance(["query", "-"], `${line}\n`)) as QueryAnswer;
}

/** The hashes of the contacts of a scene's first frames. */
export function hashes(scene: string, frames: number): string[] {
  const lines = clearance(["run", "-", "--hash", "--frames", String(frames)], scene)
    .trim()
    .split("\n");
  return lines.map((line) => line.split(/\s+/).at(-1) ?? "");
}
