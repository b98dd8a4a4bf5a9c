// The engine's WebAssembly module, called from the worker.

interface Exports {
  memory: WebAssembly.Memory;
  input(length: number): number;
  attachment(length: number): number;
  handle(): void;
  output(): number;
  output_length(): number;
  binary(): number;
  binary_length(): number;
}

export interface RawReply {
  json: string;
  binary: ArrayBuffer;
}

/** Carries out one request after the other. */
export class EngineModule {
  readonly #exports: Exports;
  readonly #encoder = new TextEncoder();
  readonly #decoder = new TextDecoder();

  private constructor(exports: Exports) {
    this.#exports = exports;
  }

  static async compile(module: WebAssembly.Module): Promise<EngineModule> {
    const instance = await WebAssembly.instantiate(module, { env: { now: () => performance.now() } });
    return new EngineModule(instance.exports as unknown as Exports);
  }

  handle(request: string, attachment: ArrayBuffer | null): RawReply {
    const engine = this.#exports;
    const text = this.#encoder.encode(request);
    const input = engine.input(text.length);
    new Uint8Array(engine.memory.buffer, input, text.length).set(text);
    const bytes = new Uint8Array(attachment ?? new ArrayBuffer(0));
    const place = engine.attachment(bytes.length);
    new Uint8Array(engine.memory.buffer, place, bytes.length).set(bytes);
    engine.handle();
    // The memory may have grown and moved: views are made anew.
    const memory = engine.memory.buffer;
    const json = this.#decoder.decode(new Uint8Array(memory, engine.output(), engine.output_length()));
    const start = engine.binary();
    return { json, binary: memory.slice(start, start + engine.binary_length()) };
  }
}
