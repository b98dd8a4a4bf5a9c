// What is drawn besides the bodies.

import { signal } from "@preact/signals";
import type { WorldView } from "../drawing/world-view";
import { type Engine, floats } from "../engine/client";
import { attempt } from "../shell/notice";

export interface Shown {
  contacts: boolean;
  normals: boolean;
  boxes: boolean;
  tree: boolean;
  level: number;
}

export class ShownLayers {
  readonly shown = signal<Shown>({ contacts: true, normals: false, boxes: false, tree: false, level: 0 });
  /** How many levels the tree has. */
  readonly levels = signal(0);
  readonly #engine: Engine;
  #view: WorldView | null = null;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  attach(view: WorldView): void {
    this.#view = view;
  }

  show(change: Partial<Shown>): void {
    this.shown.value = { ...this.shown.value, ...change };
    this.#view?.show(this.shown.value);
    attempt(() => this.drawBoxes());
  }

  /** Draws the boxes of this frame, if they are wanted. */
  async drawBoxes(): Promise<void> {
    const shown = this.shown.value;
    const { boxes, tree, level } = shown;
    if (!boxes && !tree) {
      this.#view?.setBoxes(new Float32Array(0));
      return;
    }
    const { ok, binary } = await this.#engine.ask(
      "world.boxes",
      tree ? { of: "tree", level } : { of: "bodies" },
    );
    // Whoever has changed what is shown has asked anew.
    if (this.shown.value !== shown) {
      return;
    }
    this.levels.value = ok.levels;
    this.#view?.setBoxes(floats(binary, ok.boxes));
  }
}
