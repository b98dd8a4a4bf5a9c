// The times of the last frames by stage, for the live plot.

import { signal } from "@preact/signals";
import type { Frame } from "../engine/protocol";

const KEPT = 240;
/** Plots are drawn only so often: they would take time from what they measure. */
const BETWEEN_PLOTS = 500;

export interface Times {
  stages: string[];
  /** Frame numbers, then one row of milliseconds for each stage. */
  rows: number[][];
}

export class FrameTimes {
  readonly plotted = signal<Times>({ stages: [], rows: [[]] });
  #frames: { frame: number; times: Map<string, number> }[] = [];
  #last = Number.NEGATIVE_INFINITY;

  clear(): void {
    this.#frames = [];
    this.#last = Number.NEGATIVE_INFINITY;
    this.plotted.value = { stages: [], rows: [[]] };
  }

  add(frame: Frame, now = performance.now()): void {
    const last = this.#frames.at(-1)?.frame ?? Number.NEGATIVE_INFINITY;
    if (frame.frame <= last) {
      this.#frames = this.#frames.filter((kept) => kept.frame < frame.frame);
    }
    const times = new Map(frame.stages.map(({ name, milliseconds }) => [name, milliseconds]));
    this.#frames.push({ frame: frame.frame, times });
    this.#frames.splice(0, Math.max(0, this.#frames.length - KEPT));
    if (now - this.#last >= BETWEEN_PLOTS) {
      this.#last = now;
      this.#plot();
    }
  }

  #plot(): void {
    const stages = [...new Set(this.#frames.flatMap(({ times }) => [...times.keys()]))];
    const rows = [
      this.#frames.map(({ frame }) => frame),
      ...stages.map((stage) => this.#frames.map(({ times }) => times.get(stage) ?? 0)),
    ];
    this.plotted.value = { stages, rows };
  }
}
