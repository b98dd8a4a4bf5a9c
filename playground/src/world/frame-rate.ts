// How many frames came in the last second.

import { signal } from "@preact/signals";

const SECOND = 1000;
const BETWEEN_NUMBERS = 480;

export class FrameRate {
  readonly shown = signal(0);
  #times: number[] = [];
  #read = 0;

  note(now: number): void {
    this.#times.push(now);
  }

  /** Shows the number, not more often than it can be read. */
  read(now: number): void {
    if (now - this.#read >= BETWEEN_NUMBERS) {
      this.#read = now;
      this.#times = this.#times.filter((time) => time > now - SECOND);
      this.shown.value = this.#times.length;
    }
  }
}
