// How many frames came in the last second.

import { signal } from "@preact/signals";

const SECOND = 1000;
/** Where no frame comes, the number is shown anew after this time. */
const WITHOUT_FRAMES = 1000;

export class FrameRate {
  readonly shown = signal(0);
  #times: number[] = [];
  #read = 0;

  note(now: number): void {
    this.#times.push(now);
  }

  /** Shows the number of now. */
  show(now: number): void {
    this.#read = now;
    this.#times = this.#times.filter((time) => time > now - SECOND);
    this.shown.value = this.#times.length;
  }

  /** Shows the number if nobody did for long, so that it falls when frames stop. */
  read(now: number): void {
    if (now - this.#read >= WITHOUT_FRAMES) {
      this.show(now);
    }
  }
}
