// The `clearance` command, whose answers the page has to repeat.

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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

/** A folder for the files of a test. */
export function folder(): string {
  return mkdtempSync(join(tmpdir(), "clearance-page-"));
}

/** Records the first frames of a scene. */
export function recording(scene: string, frames: number): { path: string; bytes: Buffer } {
  const here = folder();
  const path = join(here, "run.clrec");
  writeFileSync(join(here, "scene.json"), scene);
  clearance(["run", join(here, "scene.json"), "--frames", String(frames), "--record", path]);
  return { path, bytes: readFileSync(path) };
}

export interface Running {
  /** The first line that the program printed. */
  line: string;
  process: ChildProcess;
  stop(): void;
}

/** Starts a program that runs until it is stopped, and waits for its first line. */
export function start(program: string, arguments_: string[]): Promise<Running> {
  return new Promise((resolve, reject) => {
    const process = spawn(program, arguments_, { stdio: ["ignore", "pipe", "inherit"] });
    let text = "";
    process.stdout.on("data", (data: Buffer) => {
      text += data.toString();
      const end = text.indexOf("\n");
      if (end >= 0) {
        resolve({ line: text.slice(0, end), process, stop: () => process.kill() });
      }
    });
    process.on("error", reject);
    process.on("exit", (code) => reject(new Error(`${program} ended with ${code}`)));
  });
}
