// What is selected in a world, and what the engine tells of it.

import { batch, signal } from "@preact/signals";
import type { WorldView } from "../drawing/world-view";
import { type Engine, floats } from "../engine/client";
import type { BodyAnswer, ContactAnswer } from "../engine/protocol";

/** The engine is asked only so often while the world runs. */
const BETWEEN_QUESTIONS = 150;

/** A contact that is looked at alone has pale bodies about it. */
export type Selection =
  | { kind: "body"; index: number }
  | { kind: "contact"; a: number; b: number; alone?: boolean };

export class Inspection {
  readonly selection = signal<Selection | null>(null);
  readonly body = signal<BodyAnswer | null>(null);
  readonly contact = signal<ContactAnswer | null>(null);

  readonly #engine: Engine;
  #view: WorldView | null = null;
  #asking = false;
  #again = false;
  #asked = Number.NEGATIVE_INFINITY;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  attach(view: WorldView): void {
    this.#view = view;
  }

  set(selection: Selection | null): void {
    batch(() => {
      this.selection.value = selection;
      this.body.value = null;
      this.contact.value = null;
    });
    this.#view?.setCrossing(new Float32Array(0));
  }

  /** Colours the bodies that are selected, and marks a contact. */
  mark(): void {
    const selection = this.selection.value;
    if (selection?.kind === "body") {
      this.#view?.highlight([selection.index]);
    } else if (selection?.alone) {
      this.#view?.highlightPair(selection.a, selection.b);
    } else {
      this.#view?.highlight(selection ? [selection.a, selection.b] : []);
    }
    this.markContact();
  }

  /** Marks the selected contact where it is in this frame. */
  markContact(): void {
    const selection = this.selection.value;
    const isContact = selection?.kind === "contact";
    this.#view?.mark(isContact ? this.#view.contactOf(selection.a, selection.b) : null);
  }

  /** Asks what is known by now; of a world that runs, not too often. */
  async refresh(running: boolean): Promise<void> {
    const now = performance.now();
    if (running && now - this.#asked < BETWEEN_QUESTIONS) {
      return;
    }
    this.#asked = now;
    if (this.#asking) {
      this.#again = true;
      return;
    }
    this.#asking = true;
    try {
      do {
        this.#again = false;
        await this.#ask();
      } while (this.#again);
    } finally {
      this.#asking = false;
    }
  }

  async #ask(): Promise<void> {
    const selection = this.selection.value;
    if (selection?.kind === "body") {
      const { ok } = await this.#engine.ask("world.body", { index: selection.index });
      if (this.selection.value === selection) {
        this.body.value = ok;
      }
    } else if (selection) {
      const place = this.#view?.contactOf(selection.a, selection.b);
      const answer = place ? await this.#engine.ask("world.contact", { number: place.number }) : null;
      const { a, b, alone } = selection;
      const crossing = alone ? await this.#engine.ask("world.crossing", { a, b }) : null;
      if (this.selection.value === selection) {
        this.contact.value = answer?.ok ?? null;
        if (crossing) {
          this.#view?.setCrossing(floats(crossing.binary, crossing.ok.segments));
        }
      }
    }
  }
}
