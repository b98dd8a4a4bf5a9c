// The engine's thread: requests come in order and are answered in order.

import { EngineModule } from "./module";

export interface WorkerRequest {
  number: number;
  json: string;
  attachment: ArrayBuffer | null;
}

export type WorkerReply =
  | { number: number; json: string; binary: ArrayBuffer }
  | { number: number; failure: string };

const scope = self as unknown as {
  postMessage(message: WorkerReply, transfer?: Transferable[]): void;
  onmessage: ((event: MessageEvent<{ wasm: string } | WorkerRequest>) => void) | null;
};

let compiled: WebAssembly.Module | null = null;
let engine: Promise<EngineModule> | null = null;

async function start(wasm: string): Promise<EngineModule> {
  const response = await fetch(wasm);
  if (!response.ok) {
    throw new Error(`the engine could not be loaded: ${wasm} answers ${response.status}`);
  }
  compiled = await WebAssembly.compile(await response.arrayBuffer());
  return EngineModule.compile(compiled);
}

async function answer(request: WorkerRequest): Promise<void> {
  try {
    const running = await engine;
    if (!running) {
      throw new Error("the engine was not started");
    }
    const reply = running.handle(request.json, request.attachment);
    scope.postMessage({ number: request.number, ...reply }, [reply.binary]);
  } catch (problem) {
    if (compiled) {
      // What a stopped engine holds in its memory may be half done.
      engine = EngineModule.compile(compiled);
    }
    scope.postMessage({ number: request.number, failure: String(problem) });
  }
}

scope.onmessage = (event) => {
  const message = event.data;
  if ("wasm" in message) {
    engine = start(message.wasm);
    engine.catch(() => undefined);
  } else {
    void answer(message);
  }
};
