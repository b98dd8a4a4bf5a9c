import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { EXAMPLES } from "../src/world/examples";
import { clearance, hashes, query } from "./native";
import { attribute, drag, drawn, eventually, fine, settled, site } from "./rooms";

const pages = site();

const canvas = (page: Page) => page.locator("#world .canvas");
const hash = (page: Page) => attribute(canvas(page), "data-hash");
const frame = async (page: Page) => Number((await attribute(canvas(page), "data-frame")) || Number.NaN);

async function reach(page: Page, wanted: number): Promise<void> {
  await eventually(
    () => frame(page),
    (shown) => shown === wanted,
  );
}

async function steps(page: Page, count: number): Promise<string[]> {
  const found: string[] = [];
  for (let step = 0; step < count; step += 1) {
    // A world that is being opened has a caption before it has a frame.
    const before = await eventually(
      () => frame(page),
      (shown) => !Number.isNaN(shown),
    );
    await page.locator("#world").getByRole("button", { name: "Step" }).click();
    await reach(page, before + 1);
    found.push(await hash(page));
  }
  return found;
}

async function load(page: Page, name: string, text: string): Promise<void> {
  await page.locator("#world input[type=file]").setInputFiles({
    name,
    mimeType: "application/json",
    buffer: Buffer.from(text),
  });
  await page.locator("#world .caption", { hasText: name }).waitFor();
  await reach(page, 0);
}

/** Where a body is on the page. */
async function placeOf(page: Page, body: number): Promise<{ x: number; y: number }> {
  const place = await page.evaluate((index) => {
    const { view } = window.clearance.world as {
      view: {
        stage: { place(at: unknown): { x: number; y: number } | null; canvas: HTMLCanvasElement };
        positionOf(body: number): unknown;
      };
    };
    const at = view.stage.place(view.positionOf(index));
    const box = view.stage.canvas.getBoundingClientRect();
    return at ? { x: at.x + box.left, y: at.y + box.top } : null;
  }, body);
  if (!place) {
    throw new Error(`body ${body} is not on the page`);
  }
  return place;
}

describe("the world", () => {
  it("has the hashes of the command, frame by frame, in 2D and in 3D", async () => {
    const watched = await pages.enter("room=world");
    const { page } = watched;
    const scenes = [
      clearance(["generate", "mixed", "--count", "150", "--seed", "3"]),
      clearance(["generate", "pile2", "--count", "60"]),
      EXAMPLES[1]?.scene ?? "",
    ];
    for (const [number, scene] of scenes.entries()) {
      await load(page, `scene ${number}`, scene);
      expect(await steps(page, 6)).toEqual(hashes(scene, 6));
    }
    await fine(watched);
  });

  it("goes back through the last frames and on again, to the same hash", async () => {
    const watched = await pages.enter("room=world");
    const { page } = watched;
    await page.getByRole("form", { name: "Generate a scene" }).getByLabel("Bodies").fill("300");
    await page.getByRole("button", { name: "Generate" }).click();
    await page.locator("#world .caption", { hasText: "300 bodies" }).waitFor();
    const first = await steps(page, 12);
    await page.getByLabel("Frame", { exact: true }).fill("4");
    await reach(page, 4);
    expect(await hash(page)).toBe(first[3]);
    expect(await steps(page, 8)).toEqual(first.slice(4));
    await page.keyboard.press(",");
    await reach(page, 11);
    expect(await hash(page)).toBe(first[10]);
    await fine(watched);
  });

  it("runs and pauses", async () => {
    const watched = await pages.enter("room=world");
    const { page } = watched;
    await reach(page, 0);
    await page.keyboard.press("Space");
    await eventually(
      () => frame(page),
      (shown) => shown > 5,
    );
    await page.keyboard.press("Space");
    await page.getByText("paused").waitFor();
    const paused = await settled(page, () => frame(page));
    await drawn(page, 20);
    expect(await frame(page)).toBe(paused);
    await fine(watched);
  });

  it("drags a body, and its contacts follow", async () => {
    const watched = await pages.enter("room=world");
    const { page } = watched;
    await load(page, "stack", EXAMPLES[1]?.scene ?? "");
    const ball = 16;
    const before = await hash(page);
    const from = await placeOf(page, ball);
    const to = await placeOf(page, 6);
    await drag(page, from, { x: to.x - from.x, y: to.y - from.y });
    await page.locator(`[data-inspected=body][data-index="${ball}"]`).waitFor();
    await eventually(
      () => hash(page),
      (now) => now !== before,
    );
    await eventually(
      () => page.locator("[data-inspected=body] button.link").count(),
      (contacts) => contacts > 0,
    );
    await page.keyboard.press("ArrowLeft");
    await fine(watched);
  });

  it("tells of a contact what `clearance query` answers for its pair, and opens it in the stepper", async () => {
    const watched = await pages.enter("room=world");
    const { page } = watched;
    await load(page, "mixed", clearance(["generate", "mixed", "--count", "150", "--seed", "5"]));
    for (const direction of ["]", "]", "]"]) {
      await page.keyboard.press(direction);
    }
    await eventually(
      async () => {
        await page.keyboard.press("]");
        await page.locator("[data-inspected=body]").waitFor();
        return page.locator("[data-inspected=body] button.link").count();
      },
      (contacts) => contacts > 0,
    );
    await page.locator("[data-inspected=body] button.link").first().click();
    await page.locator("[data-inspected=contact]").waitFor();
    const pair = await page.locator("#world [data-field=pair]").inputValue();
    const distance = await page.locator("#world [data-field=distance]").textContent();
    expect(distance).toBe(String(query(pair).distance));
    await page.locator("#world").getByRole("button", { name: "Copy as pair" }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(pair);
    await page.locator("#world").getByRole("button", { name: "Open in the stepper" }).click();
    const line = page.locator("#stepper [data-field=line]");
    await eventually(
      () => line.inputValue(),
      (shown) => shown === pair,
    );
    await eventually(
      () => page.locator("#stepper [data-field=distance]").textContent(),
      (shown) => shown === distance,
    );
    await fine(watched);
  });

  it("selects what is clicked", async () => {
    const watched = await pages.enter("room=world");
    const { page } = watched;
    await load(page, "stack", EXAMPLES[1]?.scene ?? "");
    await page.keyboard.press("c");
    const place = await placeOf(page, 16);
    await page.mouse.click(place.x, place.y);
    await page.locator('[data-inspected=body][data-index="16"]').waitFor();
    await page.mouse.click(place.x, place.y - 130);
    await page.locator("[data-inspected=body]").waitFor({ state: "detached" });
    await fine(watched);
  });

  it("shows boxes, levels of the tree and normals", async () => {
    const watched = await pages.enter("room=world");
    const { page } = watched;
    await load(page, "mixed", clearance(["generate", "mixed", "--count", "150", "--seed", "5"]));
    const boxes = () =>
      page.evaluate(() => {
        const { view } = window.clearance.world as { view: { boxes: { count: number } } };
        return view.boxes.count;
      });
    await page.getByLabel("Boxes of bodies").check();
    await eventually(boxes, (count) => count === 150);
    await page.getByLabel("Boxes of the tree").check();
    await eventually(boxes, (count) => count === 1);
    await page.getByLabel(/^Level/).fill("3");
    await eventually(boxes, (count) => count > 1 && count < 150);
    await page.getByLabel(/^Level/).fill("4");
    await eventually(boxes, (count) => count === 150);
    await page.getByLabel("Boxes of the tree").uncheck();
    await eventually(boxes, (count) => count === 0);
    await page.getByLabel("Normals").check();
    await page.getByText("Normals point from the first body").waitFor();
    await fine(watched);
  });

  it("shares a scene in its address", async () => {
    const watched = await pages.enter("room=world");
    const { page } = watched;
    await load(page, "stack", EXAMPLES[1]?.scene ?? "");
    await steps(page, 3);
    await page.getByRole("button", { name: "Share this scene" }).click();
    await page.locator("[data-notice=good]").waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    const other = await pages.enter(copied.split("#")[1] ?? "");
    await other.page.locator("#world .caption", { hasText: "shared scene" }).waitFor();
    await eventually(
      () => hash(other.page),
      (shown) => shown !== "",
    );
    expect(await hash(other.page)).toBe(await hash(page));
    await fine(other);
    await fine(watched);
  });

  it("says what is wrong with a scene, and keeps the one it has", async () => {
    const watched = await pages.enter("room=world");
    const { page } = watched;
    await reach(page, 0);
    const before = await hash(page);
    await page.locator("#world input[type=file]").setInputFiles({
      name: "bad.json",
      mimeType: "application/json",
      buffer: Buffer.from('{"dimension":2,"bodies":[{"shape":{"type":"ball","radius":-1}}]}'),
    });
    await page.locator("[data-notice=bad]", { hasText: "bodies[0].shape.radius" }).waitFor();
    expect(await hash(page)).toBe(before);
    await fine(watched);
  });
});
