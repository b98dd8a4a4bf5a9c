// Work that is wanted more often than it can be done: only the newest wish counts.

import { attempt } from "./notice";

/** Carries out one wish after the other, and leaves out those that another one followed. */
export class Newest<Wish> {
  readonly #work: (wish: Wish) => Promise<void>;
  #waiting: { wish: Wish } | null = null;
  #working = false;

  constructor(work: (wish: Wish) => Promise<void>) {
    this.#work = work;
  }

  want(wish: Wish): void {
    this.#waiting = { wish };
    this.#next();
  }

  /** Forgets what waits. */
  forget(): void {
    this.#waiting = null;
  }

  #next(): void {
    const waiting = this.#waiting;
    if (this.#working || !waiting) {
      return;
    }
    this.#working = true;
    this.#waiting = null;
    attempt(async () => {
      try {
        await this.#work(waiting.wish);
      } finally {
        this.#working = false;
        this.#next();
      }
    });
  }
}
