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
  /** What bodies are called, by their ids. */
  named(names: Map<string, string>): void;
  /** The connection is open, and takes orders if the source does: at first, and whenever it was made anew. */
  opened(): void;
  ended(): void;
}

/** Follows one live world at a time. */
export class Following {
  readonly state = signal<"no" | "connecting" | "watched" | "steered">("no");
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
    try {
      this.#connect(source);
    } catch {
      this.#end(`“${source.address}” is not an address at which a live world can be.`);
    }
  }

  #connect(source: Source): void {
    const socket = new WebSocket(source.address);
    this.#socket = socket;
    this.last.value = source;
    this.state.value = "connecting";
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      if (socket === this.#socket) {
        this.state.value = source.steered ? "steered" : "watched";
        this.#listener.opened();
      }
    };
    socket.onmessage = (event: MessageEvent<unknown>) => {
      if (socket !== this.#socket) {
        return;
      }
      if (typeof event.data === "string") {
        this.#listener.named(namesOf(event.data));
      } else if (event.data instanceof ArrayBuffer) {
        this.#blocks.push(event.data);
        void this.#play(socket);
      }
    };
    socket.onclose = () => {
      if (socket === this.#socket) {
        // What came before is still played.
        this.state.value = "watched";
        void this.#play(socket);
      }
    };
  }

  /** Gives an order, if the world takes any now. */
  send(order: Order): void {
    if (this.state.value === "steered") {
      this.#socket?.send(JSON.stringify(order));
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
        const source = this.last.value;
        if (this.#blocks.length > MOST_WAITING && source && !closed(socket)) {
          this.start(source);
          break;
        }
        const blocks = joined(this.#blocks);
        this.#blocks = [];
        await this.#listener.play(blocks);
      }
    } catch (problem) {
      if (socket === this.#socket) {
        const why = problem instanceof Error ? problem.message : String(problem);
        this.#end(`The live world can be followed no further: ${why}`);
      }
    } finally {
      this.#playing = false;
    }
    this.#playOn();
  }

  #playOn(): void {
    const socket = this.#socket;
    if (!socket || this.#held) {
      return;
    }
    if (this.#blocks.length > 0) {
      void this.#play(socket);
    } else if (closed(socket)) {
      const address = this.last.value?.address ?? "";
      this.#end(`The live world at ${address} has closed the connection, or does not answer.`);
    }
  }
}

function closed(socket: WebSocket): boolean {
  return socket.readyState === WebSocket.CLOSED;
}

/** A line for each body: its id, a space and its name. */
export function namesOf(text: string): Map<string, string> {
  const lines = text.split("\n").map((line): [string, number] => [line, line.indexOf(" ")]);
  const whole = lines.filter(([, space]) => space > 0);
  return new Map(whole.map(([line, space]) => [line.slice(0, space), line.slice(space + 1)]));
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
