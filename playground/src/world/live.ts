// A world that runs elsewhere: its blocks come over a websocket, and a server of its own takes orders.

export type Order = { do: "run" } | { do: "pause" } | { do: "step" } | { do: "speed"; factor: number };

export interface Listener {
  block(bytes: ArrayBuffer): void;
  opened(): void;
  closed(reason: string): void;
}

export class LiveLink {
  readonly #socket: WebSocket;
  #wanted = true;

  constructor(address: string, listener: Listener) {
    this.#socket = new WebSocket(address);
    this.#socket.binaryType = "arraybuffer";
    this.#socket.onopen = () => listener.opened();
    this.#socket.onmessage = (event: MessageEvent<unknown>) => {
      if (event.data instanceof ArrayBuffer) {
        listener.block(event.data);
      }
    };
    this.#socket.onclose = () => {
      if (this.#wanted) {
        listener.closed(`The live world at ${address} has closed the connection, or does not answer.`);
      }
    };
  }

  send(order: Order): void {
    if (this.#socket.readyState === WebSocket.OPEN) {
      this.#socket.send(JSON.stringify(order));
    }
  }

  close(): void {
    this.#wanted = false;
    this.#socket.close();
  }
}

/** Blocks one after the other, as one message. */
export function joined(blocks: ArrayBuffer[]): ArrayBuffer {
  const all = new Uint8Array(blocks.reduce((length, block) => length + block.byteLength, 0));
  let place = 0;
  for (const block of blocks) {
    all.set(new Uint8Array(block), place);
    place += block.byteLength;
  }
  return all.buffer;
}
