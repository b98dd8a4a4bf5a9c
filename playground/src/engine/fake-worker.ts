// A worker for unit tests, in which the test answers.

import { vi } from "vitest";

interface Asked {
  do: string;
  [field: string]: unknown;
}

/** Bytes of the numbers beside an answer, which are all zero. */
const ROOM = 1024;

export class FakeWorker {
  /** What was asked and is not answered yet, in the order in which it came. */
  static readonly asked: (Asked & { answer: (reply: object) => void })[] = [];
  onmessage = (_: { data: object }) => {};

  /** Puts such workers in the place of real ones. */
  static install(): void {
    FakeWorker.asked.length = 0;
    vi.stubGlobal("Worker", FakeWorker);
    vi.stubGlobal("document", { baseURI: "http://127.0.0.1/" });
  }

  postMessage({ number, json }: { number?: number; json: string }): void {
    if (number !== undefined) {
      const answer = (reply: object) =>
        this.onmessage({ data: { number, json: JSON.stringify(reply), binary: new ArrayBuffer(ROOM) } });
      FakeWorker.asked.push({ ...(JSON.parse(json) as Asked), answer });
    }
  }

  /** Answers what came first. */
  static async answer(reply: object): Promise<void> {
    FakeWorker.asked.shift()?.answer(reply);
    await FakeWorker.settle();
  }

  /** Lets all go on that waits for an answer. */
  static async settle(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 0));
  }

  /** The requests that wait for an answer. */
  static get waiting(): string[] {
    return FakeWorker.asked.map((each) => each.do);
  }
}
