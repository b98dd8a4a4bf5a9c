import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { EXAMPLES } from "../src/world/examples";
import { launch, open } from "./chromium";
import { COMMAND, clearance, folder, hashes, query, type Running, recording, start } from "./native";
import { attribute, eventually, fine } from "./rooms";

const GAME =
  process.env.CLEARANCE_GAME ??
  fileURLToPath(new URL("../../target/debug/examples/inspected_game", import.meta.url));

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
    let before = await frame(page);
    await eventually(
      async () => {
        await page.waitForTimeout(1000);
        const last = before;
        before = await frame(page);
        return before - last;
      },
      (more) => more === 0,
    );
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
    await fine(watched);
  });
});
