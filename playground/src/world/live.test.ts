import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { notice } from "../shell/notice";
import { Following } from "./live";

/** A websocket whose other end is the test. */
class Socket {
  static readonly CLOSED = 3;
  static all: Socket[] = [];
  readyState = 0;
  readonly sent: string[] = [];
  onopen = () => {};
  onclose = () => {};
  onmessage = (_: { data: ArrayBuffer | string }) => {};

  constructor(readonly address: string) {
    if (address.includes("#")) {
      throw new SyntaxError("no fragment is allowed");
    }
    Socket.all.push(this);
  }

  send(text: string): void {
    this.sent.push(text);
  }

  close(): void {
    this.readyState = Socket.CLOSED;
  }

  opens(): void {
    this.readyState = 1;
    this.onopen();
  }

  brings(blocks: number): void {
    for (let block = 0; block < blocks; block += 1) {
      this.onmessage({ data: new ArrayBuffer(1) });
    }
  }

  breaks(): void {
    this.readyState = Socket.CLOSED;
    this.onclose();
  }
}

const ADDRESS = "ws://127.0.0.1:1/";
/** How many blocks were played at once, and how to finish playing them. */
const played: { blocks: number; finish: () => void }[] = [];
let ended = 0;
let names = new Map<string, string>();

function following(): Following {
  const made: Following = new Following({
    play: (blocks) =>
      new Promise((resolve) => {
        played.push({ blocks: blocks.byteLength, finish: resolve });
      }),
    named: (given) => {
      names = given;
    },
    opened: () => made.send({ do: "pause" }),
    ended: () => {
      ended += 1;
    },
  });
  return made;
}

function socket(place: number): Socket {
  const found = Socket.all.at(place);
  if (!found) {
    throw new Error(`there is no connection ${place}`);
  }
  return found;
}

beforeEach(() => vi.stubGlobal("WebSocket", Socket));
afterEach(() => {
  vi.unstubAllGlobals();
  Socket.all = [];
  played.length = 0;
  ended = 0;
  notice.value = null;
});

describe("following a live world", () => {
  it("gives orders only to a world that takes them, once it is connected", () => {
    const world = following();
    world.start({ address: ADDRESS, steered: true });
    expect(world.state.value).toBe("connecting");
    world.send({ do: "run" });
    socket(0).opens();
    expect(world.state.value).toBe("steered");
    expect(socket(0).sent).toEqual(['{"do":"pause"}']);
    world.start({ address: ADDRESS, steered: false });
    socket(1).opens();
    world.send({ do: "step" });
    expect(socket(1).sent).toEqual([]);
  });

  it("connects anew when too much waits, and orders what is wanted", async () => {
    const world = following();
    world.start({ address: ADDRESS, steered: true });
    socket(0).opens();
    socket(0).brings(61);
    expect(played.map(({ blocks }) => blocks)).toEqual([1]);
    played[0]?.finish();
    // 60 are caught up with.
    await expect.poll(() => played.length).toBe(2);
    expect(played[1]?.blocks).toBe(60);
    socket(0).brings(61);
    played[1]?.finish();
    await expect.poll(() => Socket.all.length).toBe(2);
    expect(played.length).toBe(2);
    expect(world.state.value).toBe("connecting");
    socket(1).opens();
    expect(socket(1).sent).toEqual(['{"do":"pause"}']);
  });

  it("does not play what became too much while it was held", () => {
    const world = following();
    world.start({ address: ADDRESS, steered: false });
    socket(0).opens();
    world.hold(true);
    socket(0).brings(61);
    world.hold(false);
    expect(played).toEqual([]);
    expect(Socket.all.length).toBe(2);
  });

  it("plays all that came before the world ended", async () => {
    const world = following();
    world.start({ address: ADDRESS, steered: false });
    socket(0).opens();
    socket(0).brings(70);
    socket(0).breaks();
    expect(ended).toBe(0);
    played[0]?.finish();
    await expect.poll(() => played.length).toBe(2);
    expect(played[1]?.blocks).toBe(69);
    expect(ended).toBe(0);
    played[1]?.finish();
    await expect.poll(() => ended).toBe(1);
    expect(world.state.value).toBe("no");
    expect(notice.value?.text).toBe(
      `The live world at ${ADDRESS} has closed the connection, or does not answer.`,
    );
  });

  it("hears what bodies are called", () => {
    const world = following();
    world.start({ address: ADDRESS, steered: false });
    socket(0).opens();
    socket(0).onmessage({ data: "0v1 the hero\n12v3 \n" });
    expect([...names]).toEqual([
      ["0v1", "the hero"],
      ["12v3", ""],
    ]);
    expect(played).toEqual([]);
  });

  it("says plainly that an address is none", () => {
    const world = following();
    world.start({ address: "ws://a#", steered: false });
    expect(world.state.value).toBe("no");
    expect(ended).toBe(1);
    expect(notice.value?.text).toBe("“ws://a#” is not an address at which a live world can be.");
  });
});
