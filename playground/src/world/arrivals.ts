// The order in which frames come, and which of them are still to be drawn.

/** A frame that had to wait is not drawn after one that came later. */
export class Arrivals {
  #came = 0;
  #drawn = 0;

  /** The number of a frame that comes now. */
  next(): number {
    this.#came += 1;
    return this.#came;
  }

  /** Whether a later one is drawn already. */
  late(number: number): boolean {
    return number < this.#drawn;
  }

  draw(number: number): void {
    this.#drawn = number;
  }
}
