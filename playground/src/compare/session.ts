// Two recordings beside each other, and the first frame in which they differ.

import { batch, computed, signal } from "@preact/signals";
import type { WorldView } from "../drawing/world-view";
import { Engine, workerCarrier } from "../engine/client";
import type { ComparedContact, Frame, Requests, Side } from "../engine/protocol";
import { attempt, complain } from "../shell/notice";

export type Recording = Requests["compare.load"]["reply"] & { name: string };
export type Difference = Requests["compare.find"]["reply"];

export const SIDES: readonly Side[] = ["left", "right"];

export class CompareSession {
  readonly recordings = signal<Record<Side, Recording | null>>({ left: null, right: null });
  readonly frames = signal<Record<Side, Frame | null>>({ left: null, right: null });
  readonly difference = signal<Difference | null>(null);
  readonly frame = signal(0);
  readonly chosen = signal<ComparedContact | null>(null);
  /** The frames that both recordings have, or the one that is there. */
  readonly range = computed(() => {
    const there = Object.values(this.recordings.value).filter((each) => each !== null);
    const first = Math.max(...there.map((each) => each.first));
    const last = Math.min(...there.map((each) => each.last));
    return there.length > 0 && last >= first ? { first, last } : { first: 0, last: 0 };
  });

  readonly #engine = new Engine(workerCarrier(new URL("clearance.wasm", document.baseURI).href));
  readonly #views: Partial<Record<Side, WorldView>> = {};
  readonly #layouts: Partial<Record<Side, number>> = {};
  #showing = false;

  attach(side: Side, view: WorldView): void {
    this.#views[side] = view;
    const others = () => SIDES.filter((other) => other !== side).map((other) => this.#views[other]);
    // Both recordings are seen from the same place.
    view.stage.onMotion.push(() => {
      for (const other of others()) {
        other?.stage.lookAs(view.stage);
      }
    });
  }

  /** Takes recordings: two fill both sides, one the side that is empty. */
  open(files: readonly { name: string; bytes: ArrayBuffer }[]): void {
    const empty: Side = this.recordings.value.left === null ? "left" : "right";
    const sides: Side[] = files.length > 1 ? ["left", "right"] : [empty];
    attempt(async () => {
      for (const [place, side] of sides.entries()) {
        const file = files[place];
        if (file) {
          await this.load(side, file.name, file.bytes);
        }
      }
    });
  }

  async load(side: Side, name: string, bytes: ArrayBuffer): Promise<void> {
    const { ok } = await this.#engine.ask("compare.load", { side }, bytes.slice(0));
    delete this.#layouts[side];
    batch(() => {
      this.recordings.value = { ...this.recordings.value, [side]: { ...ok, name } };
      this.difference.value = null;
      this.chosen.value = null;
    });
    if (ok.damage !== null) {
      complain(`${name}: ${ok.damage}`);
    }
    if (Object.values(this.recordings.value).every((each) => each !== null)) {
      this.difference.value = (await this.#engine.ask("compare.find", {})).ok;
    }
    this.show(this.difference.value?.frame ?? this.range.value.first);
  }

  show(frame: number): void {
    const { first, last } = this.range.value;
    this.frame.value = Math.min(Math.max(frame, first), last);
    if (!this.#showing) {
      this.#showing = true;
      attempt(async () => {
        try {
          await this.#showLatest();
        } finally {
          this.#showing = false;
        }
      });
    }
  }

  choose(contact: ComparedContact | null): void {
    this.chosen.value = contact;
    this.#mark();
  }

  async #showLatest(): Promise<void> {
    for (let shown = Number.NaN; shown !== this.frame.value; ) {
      shown = this.frame.value;
      for (const side of SIDES) {
        if (this.recordings.value[side]) {
          await this.#showSide(side, shown);
        }
      }
    }
    this.#mark();
  }

  async #showSide(side: Side, frame: number): Promise<void> {
    const view = this.#views[side];
    const recording = this.recordings.value[side];
    if (!view || !recording) {
      return;
    }
    const { ok, binary } = await this.#engine.ask("compare.frame", { side, frame });
    if (this.#layouts[side] !== ok.layout) {
      const fresh = this.#layouts[side] === undefined;
      this.#layouts[side] = ok.layout;
      const shapes = await this.#engine.ask("compare.shapes", { side });
      if (fresh) {
        view.begin(recording.dimension, null, 0.05);
      }
      view.setShapes(shapes.ok, shapes.binary);
      view.setFrame(ok, binary);
      if (fresh) {
        view.fitBodies();
      }
    } else {
      view.setFrame(ok, binary);
    }
    this.frames.value = { ...this.frames.value, [side]: ok };
  }

  #mark(): void {
    const { difference, chosen, frame } = this;
    const here = difference.value?.frame === frame.value ? difference.value.contacts : [];
    const { a = null, b = null } = chosen.value ?? {};
    for (const side of SIDES) {
      const view = this.#views[side];
      view?.highlight(bodiesOf(chosen.value ? [chosen.value] : []), bodiesOf(here));
      view?.mark(a !== null && b !== null ? view.contactOf(a, b) : null);
    }
  }
}

function bodiesOf(contacts: readonly ComparedContact[]): number[] {
  return contacts.flatMap(({ a, b }) => [a, b]).filter((body) => body !== null);
}
