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

/** An address of the engine's memory, which WebAssembly gives as a signed number. */
function unsigned(address: number): number {
  return address >>> 0;
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
    this.#write(engine.input(text.length), text);
    const bytes = new Uint8Array(attachment ?? new ArrayBuffer(0));
    this.#write(engine.attachment(bytes.length), bytes);
    try {
      engine.handle();
    } catch (problem) {
      // The engine has written why it stopped.
      throw new Error(this.#output() || String(problem), { cause: problem });
    }
    const start = unsigned(engine.binary());
    const end = start + unsigned(engine.binary_length());
    return { json: this.#output(), binary: engine.memory.buffer.slice(start, end) };
  }

  #write(place: number, bytes: Uint8Array): void {
    if (place === 0 && bytes.length > 0) {
      throw new Error(`the engine has no memory for ${bytes.length} bytes`);
    }
    // The memory may have grown and moved: views are made anew.
    new Uint8Array(this.#exports.memory.buffer, unsigned(place), bytes.length).set(bytes);
  }

  #output(): string {
    const { memory, output, output_length } = this.#exports;
    const bytes = new Uint8Array(memory.buffer, unsigned(output()), unsigned(output_length()));
    return this.#decoder.decode(bytes);
  }
}
