// The pair that the stepper shows, its trace, and the step that is looked at.

import { batch, computed, signal } from "@preact/signals";
import type { Vector3 } from "three";
import { Engine, workerCarrier } from "../engine/client";
import type { Trace } from "../engine/protocol";
import { complain, notice } from "../shell/notice";
import {
  cornerAdded,
  cornerDeleted,
  cornerMoved,
  moved,
  type PairLine,
  type PoseRecord,
  placed,
  readPair,
  type SideName,
  turned,
} from "./pair";
import { timeline } from "./timeline";

const BETWEEN_STEPS = 900;
/** How far a key moves a shape, in units of the pair. */
const NUDGE = 0.05;

export class StepperSession {
  readonly lines = signal<string[]>([]);
  readonly line = signal(0);
  readonly pair = signal<PairLine | null>(null);
  /** The line as it is asked: what a file, an address or the clipboard hold. */
  readonly text = signal("");
  readonly traced = signal<{ line: string; trace: Trace; binary: ArrayBuffer; fresh: number } | null>(null);
  readonly at = signal(0);
  readonly running = signal(false);
  readonly side = signal<SideName>("b");
  readonly regions = signal(true);
  readonly steps = computed(() => (this.traced.value ? timeline(this.traced.value.trace) : []));
  readonly step = computed(() => this.steps.value[this.at.value] ?? null);

  readonly #engine = new Engine(workerCarrier(new URL("clearance.wasm", document.baseURI).href));
  #asking = false;
  #again = false;
  #fresh = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  /** Opens the lines of a file, or one line; the first one is shown. */
  open(text: string): void {
    const lines = text.split("\n").map((line) => line.trim());
    this.lines.value = lines.filter((line) => line !== "");
    this.show(0);
  }

  show(number: number): void {
    const line = this.lines.value[number];
    if (line !== undefined) {
      this.line.value = number;
      this.#fresh += 1;
      this.at.value = 0;
      this.setText(line);
    }
  }

  /** Takes a line as it is typed or loaded. */
  setText(text: string): void {
    batch(() => {
      this.text.value = text;
      this.pair.value = readPair(text);
    });
    this.#ask();
  }

  change(change: (pair: PairLine) => PairLine): void {
    const pair = this.pair.value;
    if (pair) {
      const changed = change(pair);
      batch(() => {
        this.pair.value = changed;
        this.text.value = JSON.stringify(changed);
      });
      this.#ask();
    }
  }

  move(side: SideName, by: readonly number[]): void {
    this.change((pair) => moved(pair, side, by));
  }

  /** Moves the chosen shape by a key. */
  nudge(way: readonly number[]): void {
    const dimension = this.pair.value?.dimension ?? 2;
    this.move(
      this.side.value,
      way.map((each, axis) => (axis < dimension ? each * NUDGE : 0)),
    );
  }

  turn(side: SideName, angle: number, axis?: Vector3): void {
    this.change((pair) => turned(pair, side, angle, axis));
  }

  place(side: SideName, pose: PoseRecord): void {
    this.change((pair) => placed(pair, side, pose));
  }

  moveCorner(side: SideName, corner: number, to: Vector3): void {
    this.change((pair) => cornerMoved(pair, side, corner, to));
  }

  deleteCorner(side: SideName, corner: number): void {
    this.change((pair) => cornerDeleted(pair, side, corner));
  }

  addCorner(side: SideName, at: Vector3): void {
    this.change((pair) => cornerAdded(pair, side, at));
  }

  go(to: number): void {
    this.at.value = Math.min(Math.max(to, 0), Math.max(this.steps.value.length - 1, 0));
  }

  run(running = !this.running.value): void {
    clearInterval(this.#timer);
    this.running.value = running;
    if (running) {
      if (this.at.value >= this.steps.value.length - 1) {
        this.go(0);
      }
      this.#timer = setInterval(() => {
        this.go(this.at.value + 1);
        if (this.at.value >= this.steps.value.length - 1) {
          this.run(false);
        }
      }, BETWEEN_STEPS);
    }
  }

  /** Asks for the trace of what is shown by now, one request at a time. */
  #ask(): void {
    if (this.#asking) {
      this.#again = true;
      return;
    }
    this.#asking = true;
    this.#again = false;
    const fresh = this.#fresh;
    const line = this.text.value;
    this.#engine
      .ask("pair.trace", { line })
      .then(({ ok, binary }) => {
        if (notice.value?.bad) {
          notice.value = null;
        }
        batch(() => {
          this.traced.value = { line, trace: ok, binary, fresh };
          this.go(this.at.value);
        });
      })
      .catch(complain)
      .finally(() => {
        this.#asking = false;
        if (this.#again) {
          this.#ask();
        }
      });
  }
}
