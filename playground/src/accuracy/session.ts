// A file of pairs, answered line by line in the engine's worker.

import { batch, computed, signal } from "@preact/signals";
import { Engine, workerCarrier } from "../engine/client";
import type { AnswerRow } from "../engine/protocol";
import { attempt } from "../shell/notice";
import { groups, type Measure } from "./summary";

/** So many lines are asked at once: few enough that the page shows how it goes on. */
const AT_ONCE = 200;
/** All rows are grouped and sorted anew when there are so many times as many, so that it takes little in all. */
const GROWTH = 1.25;

function errorsOf(rows: AnswerRow[]): number {
  return rows.filter(({ error }) => error !== null).length;
}

export class AccuracySession {
  readonly name = signal("");
  readonly total = signal(0);
  /** How many lines are answered, and how many of them with an error; `rows` follows. */
  readonly answered = signal(0);
  readonly errors = signal(0);
  readonly rows = signal<readonly AnswerRow[]>([]);
  readonly measure = signal<Measure>("width");
  /** The kind of pair that the table is limited to. */
  readonly only = signal<string | null>(null);
  readonly groups = computed(() => groups(this.rows.value));

  readonly #engine = new Engine(workerCarrier(new URL("clearance.wasm", document.baseURI).href));
  #lines: string[] = [];
  #run = 0;

  open(name: string, text: string): void {
    this.#run += 1;
    const run = this.#run;
    this.#lines = text.split("\n");
    if (this.#lines.at(-1)?.trim() === "") {
      this.#lines.pop();
    }
    batch(() => {
      this.name.value = name;
      this.total.value = this.#lines.length;
      this.#show([]);
      this.only.value = null;
    });
    attempt(async () => {
      const rows: AnswerRow[] = [];
      try {
        await this.#answer(run, rows);
      } finally {
        if (run === this.#run) {
          this.#show(rows);
        }
      }
      if (run === this.#run) {
        this.total.value = rows.length;
      }
    });
  }

  async #answer(run: number, rows: AnswerRow[]): Promise<void> {
    for (let first = 0; first < this.#lines.length && run === this.#run; first += AT_ONCE) {
      const text = this.#lines.slice(first, first + AT_ONCE).join("\n");
      const { ok } = await this.#engine.ask("pair.answers", { text, first: first + 1 });
      if (run === this.#run) {
        rows.push(...ok.rows);
        batch(() => {
          this.answered.value = rows.length;
          this.errors.value += errorsOf(ok.rows);
        });
        if (rows.length >= this.rows.value.length * GROWTH) {
          this.#show(rows.slice());
        }
      }
    }
  }

  #show(rows: AnswerRow[]): void {
    batch(() => {
      this.rows.value = rows;
      this.answered.value = rows.length;
      this.errors.value = errorsOf(rows);
    });
  }

  async openSample(): Promise<void> {
    const run = this.#run;
    const response = await fetch(new URL("sample.jsonl", document.baseURI));
    if (!response.ok) {
      throw new Error(`The sample could not be loaded: the server answers ${response.status}.`);
    }
    const text = await response.text();
    // Whatever was opened meanwhile is wanted more.
    if (run === this.#run) {
      this.open("sample of pairs", text);
    }
  }

  /** The text of a line, counted from 1. */
  line(number: number): string {
    return this.#lines[number - 1] ?? "";
  }
}
