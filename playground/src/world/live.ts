// A world that runs elsewhere: its blocks come over a websocket, and a server of its own takes orders.

import { signal } from "@preact/signals";
import { complain } from "../shell/notice";

export type Order = { do: "run" } | { do: "pause" } | { do: "step" } | { do: "speed"; factor: number };

/** A page that has so many frames before it does not catch up: it begins again with the frame of now. */
const MOST_WAITING = 60;

/** Where a live world is, and whether it takes orders. */
export interface Source {
  address: string;
  steered: boolean;
}

export interface Listener {
  /** Plays the blocks that came; whatever it refuses ends the following. */
  play(blocks: ArrayBuffer): Promise<void>;
  opened(): void;
  ended(): void;
}

/** Follows one live world at a time. */
export class Following {
  readonly state = signal<"no" | "watched" | "steered">("no");
  /** What was followed last: it can be followed again. */
  readonly last = signal<Source | null>(null);
  readonly #listener: Listener;
  #socket: WebSocket | null = null;
  #blocks: ArrayBuffer[] = [];
  #playing = false;
  #held = false;

  constructor(listener: Listener) {
    this.#listener = listener;
  }

  start(source: Source): void {
    this.stop();
    this.last.value = source;
    this.state.value = source.steered ? "steered" : "watched";
    this.#connect(source).onopen = () => this.#listener.opened();
  }

  #connect(source: Source): WebSocket {
    const socket = new WebSocket(source.address);
    this.#socket = socket;
    socket.binaryType = "arraybuffer";
    socket.onmessage = (event: MessageEvent<unknown>) => {
      if (event.data instanceof ArrayBuffer && socket === this.#socket) {
        this.#blocks.push(event.data);
        void this.#play(socket);
      }
    };
    socket.onclose = () => {
      if (socket === this.#socket) {
        this.#end(`The live world at ${source.address} has closed the connection, or does not answer.`);
      }
    };
    return socket;
  }

  send(order: Order): void {
    if (this.#socket?.readyState === WebSocket.OPEN) {
      this.#socket.send(JSON.stringify(order));
    }
  }

  /** Lets blocks wait, as long as it may be that another world replaces this one. */
  hold(held: boolean): void {
    this.#held = held;
    if (this.#socket) {
      void this.#play(this.#socket);
    }
  }

  stop(): void {
    const socket = this.#socket;
    this.#socket = null;
    this.#blocks = [];
    this.state.value = "no";
    socket?.close();
  }

  #end(why: string): void {
    this.stop();
    complain(why);
    this.#listener.ended();
  }

  /** All that came meanwhile is played at once, so that a slow page does not fall behind. */
  async #play(socket: WebSocket): Promise<void> {
    if (this.#playing) {
      return;
    }
    this.#playing = true;
    try {
      while (this.#blocks.length > 0 && socket === this.#socket && !this.#held) {
        const blocks = joined(this.#blocks);
        this.#blocks = [];
        await this.#listener.play(blocks);
        if (this.#blocks.length > MOST_WAITING && socket === this.#socket && this.last.value) {
          this.#blocks = [];
          this.#socket = null;
          socket.close();
          this.#connect(this.last.value);
        }
      }
    } catch (problem) {
      if (socket === this.#socket) {
        const why = problem instanceof Error ? problem.message : String(problem);
        this.#end(`The live world can be followed no further: ${why}`);
      }
    } finally {
      this.#playing = false;
    }
    if (this.#socket && this.#blocks.length > 0 && !this.#held) {
      void this.#play(this.#socket);
    }
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
