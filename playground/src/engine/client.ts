// Asks the engine in its worker.

import type { RequestName, Requests, Span } from "./protocol";
import type { WorkerReply } from "./worker";

/** The engine refuses: its message is a whole sentence that names the field. */
export class EngineError extends Error {}

export interface Reply<Answer> {
  ok: Answer;
  binary: ArrayBuffer;
}

export interface RawReply {
  json: string;
  binary: ArrayBuffer;
}

/** Carries a request to an engine, wherever it runs. */
export type Carrier = (json: string, attachment: ArrayBuffer | null) => Promise<RawReply>;

/** The requests of the page, typed. */
export class Engine {
  readonly #carry: Carrier;

  constructor(carry: Carrier) {
    this.#carry = carry;
  }

  async ask<Name extends RequestName>(
    name: Name,
    fields: Requests[Name]["ask"],
    attachment: ArrayBuffer | null = null,
  ): Promise<Reply<Requests[Name]["reply"]>> {
    const { json, binary } = await this.#carry(JSON.stringify({ do: name, ...fields }), attachment);
    const reply = JSON.parse(json) as { ok?: Requests[Name]["reply"]; error?: string };
    if (reply.ok === undefined) {
      throw new EngineError(reply.error ?? "the engine gave no answer");
    }
    return { ok: reply.ok, binary };
  }
}

interface Waiting {
  resolve(reply: RawReply): void;
  reject(problem: Error): void;
}

/** A carrier to an engine in a worker of its own. */
export function workerCarrier(wasm: string): Carrier {
  const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  const waiting = new Map<number, Waiting>();
  let last = 0;
  worker.postMessage({ wasm });
  worker.onmessage = (event: MessageEvent<WorkerReply>) => {
    const reply = event.data;
    const asker = waiting.get(reply.number);
    waiting.delete(reply.number);
    if ("failure" in reply) {
      asker?.reject(new EngineError(reply.failure));
    } else {
      asker?.resolve(reply);
    }
  };
  worker.onerror = (event) => {
    for (const asker of waiting.values()) {
      asker.reject(new EngineError(`the engine's worker stopped: ${event.message}`));
    }
    waiting.clear();
  };
  return (json, attachment) =>
    new Promise((resolve, reject) => {
      last += 1;
      waiting.set(last, { resolve, reject });
      worker.postMessage({ number: last, json, attachment }, attachment ? [attachment] : []);
    });
}

export function floats(binary: ArrayBuffer, span: Span): Float32Array<ArrayBuffer> {
  return new Float32Array(binary, span[0] * 4, span[1]);
}

export function words(binary: ArrayBuffer, span: Span): Uint32Array<ArrayBuffer> {
  return new Uint32Array(binary, span[0] * 4, span[1]);
}
