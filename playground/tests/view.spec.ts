import { createHash, randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { EXAMPLES } from "../src/world/examples";
import { launch, open } from "./chromium";
import { COMMAND, clearance, folder, hashes, query, type Running, recording, start } from "./native";
import { attribute, eventually, fine, settled } from "./rooms";

const GAME =
  process.env.CLEARANCE_GAME ??
  fileURLToPath(new URL("../../target/debug/examples/inspected_game", import.meta.url));

/** A game of Bevy. */
const PLATFORMER =
  process.env.CLEARANCE_PLATFORMER ??
  fileURLToPath(new URL("../../target/debug/examples/platformer_2d", import.meta.url));

let browser: Browser;
const running: Running[] = [];
beforeAll(async () => {
  browser = await launch();
});
afterEach(() => {
  for (const each of running.splice(0)) {
    each.stop();
  }
});
afterAll(() => browser?.close());

async function run(program: string, ...arguments_: string[]): Promise<Running> {
  const started = await start(program, arguments_);
  running.push(started);
  return started;
}

async function file(name: string, text: string): Promise<string> {
  const path = join(folder(), name);
  writeFileSync(path, text);
  return path;
}

/** A websocket server that sends what is no block of a recording. */
function nonsense(socket: Socket): void {
  socket.on("error", () => undefined);
  socket.once("data", (request) => {
    const key = /Sec-WebSocket-Key: (\S+)/i.exec(String(request))?.[1] ?? "";
    const accept = createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
    const answer = ["HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade"];
    socket.write(`${[...answer, `Sec-WebSocket-Accept: ${accept}`].join("\r\n")}\r\n\r\n`);
    for (let message = 0; message < 5; message += 1) {
      socket.write(Buffer.concat([Buffer.of(0x82, 100), Buffer.alloc(100, 0xa5)]));
    }
  });
}

const canvas = (page: Page) => page.locator("#world .canvas");
const frame = async (page: Page) => Number((await attribute(canvas(page), "data-frame")) || Number.NaN);

describe("the page of `clearance view`", () => {
  it("shows a scene that runs natively, and steers it", async () => {
    const scene = clearance(["generate", "mixed", "--count", "60", "--seed", "2"]);
    const { line } = await run(COMMAND, "view", await file("mixed.json", scene));
    const watched = await open(browser, line);
    const { page } = watched;
    await eventually(
      () => frame(page),
      (shown) => shown > 10,
    );
    await page.locator("#world").getByRole("button", { name: "Pause" }).click();
    // Frames that were on their way still come.
    const before = await settled(page, () => frame(page));
    await page.locator("#world").getByRole("button", { name: "Step" }).click();
    await eventually(
      () => frame(page),
      (shown) => shown === before + 1,
    );
    // What the page computes of the stream is what the command computes of the scene.
    expect(hashes(scene, before + 2)).toContain(await attribute(canvas(page), "data-hash"));
    await page.getByText("as recorded").waitFor();
    await fine(watched);
  });

  it("plays a recording, and goes on from any frame of it", async () => {
    const scene = EXAMPLES[1]?.scene ?? "";
    const { line } = await run(COMMAND, "view", recording(scene, 50).path);
    const watched = await open(browser, line);
    const { page } = watched;
    await eventually(
      () => attribute(canvas(page), "data-bodies"),
      (bodies) => bodies === "18",
    );
    await page.getByLabel("Frame", { exact: true }).fill("30");
    await eventually(
      () => frame(page),
      (shown) => shown === 30,
    );
    expect(await attribute(canvas(page), "data-hash")).toBe(hashes(scene, 30).at(-1));
    await page.getByText("as recorded").waitFor();
    await page.getByRole("button", { name: "Go on from here" }).click();
    await page.getByRole("button", { name: "Go on from here" }).waitFor({ state: "detached" });
    await page.locator("#world").getByRole("button", { name: "Step" }).click();
    await eventually(
      () => frame(page),
      (shown) => shown === 31,
    );
    await fine(watched);
  });

  it("opens one pair in the stepper", async () => {
    const pair =
      '{"dimension":2,"a":{"shape":{"type":"ball","radius":1}},"b":{"shape":{"type":"cuboid","half_extents":[1,1]},"pose":{"translation":[3,1],"rotation":0.5}}}';
    const { line } = await run(COMMAND, "view", await file("pairs.jsonl", pair));
    const watched = await open(browser, line);
    const { page } = watched;
    await eventually(
      () => page.locator("#stepper [data-field=distance]").textContent(),
      (shown) => shown === String(query(pair).distance),
    );
    await fine(watched);
  });

  it("attaches to a game that runs", async () => {
    const game = await run(GAME);
    const address = game.line.split(" ").at(-1) ?? "";
    const { line } = await run(COMMAND, "view", "--attach", address);
    const watched = await open(browser, line);
    const { page } = watched;
    await eventually(
      () => frame(page),
      (shown) => shown > 20,
    );
    expect(await attribute(canvas(page), "data-bodies")).toBe("64");
    const before = await frame(page);
    await eventually(
      () => frame(page),
      (shown) => shown > before + 20,
    );
    await page.getByText("as recorded").waitFor();
    expect(game.process.exitCode).toBeNull();

    // A game runs by itself: keys that would run or step it do nothing.
    for (const key of [".", "Space"]) {
      await page.keyboard.press(key);
      expect(await page.getByRole("button", { name: "Pause" }).isDisabled()).toBe(true);
      const shown = await frame(page);
      await eventually(
        () => frame(page),
        (now) => now > shown + 10,
      );
    }

    // Whoever goes back leaves the game, and can follow it again.
    await page.keyboard.press(",");
    await page.getByRole("button", { name: "Follow again" }).click();
    await page.getByText("as recorded").waitFor();
    const again = await frame(page);
    await eventually(
      () => frame(page),
      (now) => now > again + 10,
    );
    await fine(watched);
  });

  it("attaches to a game of Bevy, and shows bodies by the names of their entities", async () => {
    const game = await run(PLATFORMER, "watch");
    const address = game.line.split(" ").at(-1) ?? "";
    const { line } = await run(COMMAND, "view", "--attach", address);
    const watched = await open(browser, line);
    const { page } = watched;
    await eventually(
      () => frame(page),
      (shown) => shown > 20,
    );
    const name = page.locator("#world [data-field=name]");
    await eventually(
      async () => {
        await page.keyboard.press("]");
        await page.locator("#world [data-inspected=body]").waitFor();
        return name.textContent();
      },
      (shown) => shown === "hero",
    );
    await fine(watched);
  });

  it("goes on showing a game to which others send garbage", async () => {
    const game = await run(GAME);
    const address = game.line.split(" ").at(-1) ?? "";
    const { line } = await run(COMMAND, "view", "--attach", address);
    const watched = await open(browser, line);
    const { page } = watched;
    await eventually(
      () => frame(page),
      (shown) => shown > 5,
    );
    const [host = "", port = ""] = address.replace(/^ws:\/\//, "").split(":");
    for (const bytes of [randomBytes(5000), Buffer.from("GET / HTTP/1.1\r\n\r\n"), Buffer.alloc(0)]) {
      const socket = connect(Number(port), host).on("error", () => undefined);
      socket.write(bytes);
      running.push({ line: "", process: game.process, stop: () => socket.destroy() });
    }
    // And a page that speaks the protocol, but nonsense.
    const other = await open(browser, line);
    await other.page.evaluate(async (place) => {
      const socket = new WebSocket(`ws://${place}`);
      await new Promise((resolve) => {
        socket.onopen = resolve;
      });
      for (let message = 0; message < 200; message += 1) {
        socket.send("x".repeat(message));
        socket.send(new Uint8Array(message));
      }
    }, `${host}:${port}`);
    const before = await frame(page);
    await eventually(
      () => frame(page),
      (shown) => shown > before + 60,
    );
    await page.getByText("as recorded").waitFor();
    expect(game.process.exitCode).toBeNull();
    await fine(other);
    await fine(watched);
  });

  it("says once why a live world cannot be shown, and offers to follow it again", async () => {
    const server = createServer(nonsense);
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve);
    });
    const { port } = server.address() as AddressInfo;
    const { line } = await run(COMMAND, "view", "--attach", `127.0.0.1:${port}`);
    const { page } = await open(browser, line);
    const notice = page.locator("[data-notice=bad]", { hasText: "can be followed no further" });
    await notice.waitFor();
    await notice.getByRole("button").click();
    await page.getByRole("button", { name: "Follow again" }).waitFor();
    await page.getByRole("button", { name: "Follow again" }).click();
    await notice.waitFor();
    await page.context().close();
    server.close();
  });
});
