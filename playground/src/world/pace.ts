// How many steps are due, so that a world runs as fast as the clock says.

/** More steps at once than this would only make a slow frame slower. */
const MOST_AT_ONCE = 8;

export class Pace {
  readonly #dt: number;
  #last: number | null = null;
  #owed = 0;

  constructor(dt: number) {
    this.#dt = dt;
  }

  restart(): void {
    this.#last = null;
    this.#owed = 0;
  }

  /** The steps that are due at a time in milliseconds; time that cannot be made up is forgotten. */
  due(now: number, speed: number): number {
    if (this.#last === null) {
      this.#last = now;
      this.#owed = 1;
    } else {
      this.#owed += ((now - this.#last) / 1000 / this.#dt) * speed;
      this.#last = now;
    }
    const most = Math.min(Math.max(1, speed), MOST_AT_ONCE);
    const steps = Math.min(Math.floor(this.#owed), most);
    this.#owed = Math.min(this.#owed - steps, 1);
    return steps;
  }
}
