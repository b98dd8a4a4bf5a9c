import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { open } from "./chromium";
import { COMMAND, clearance, folder, type Running, start } from "./native";
import { attribute, eventually, fine, settled, site } from "./rooms";

const pages = site();

/** A name that would do harm if it were read as HTML. */
const EVIL = "<img src=x onerror=alert(1)>";

/** The room of the book, with that name in it. */
function room(): string {
  const path = fileURLToPath(new URL("../../docs/book/src/files/room.obj", import.meta.url));
  return readFileSync(path, "utf8").replace("o shelf", `o ${EVIL}`);
}

interface Line {
  type: string;
  a: string;
  b: string;
  kind: string;
  distance: number;
  point_a: number[];
  point_b: number[];
}

let scene = "";
let report = "";
let faults: Line[] = [];
let running: Running | null = null;
afterAll(() => running?.stop());
beforeAll(() => {
  const here = folder();
  const file = (name: string) => join(here, name);
  writeFileSync(file("room.obj"), room());
  const given = ["clash", file("room.obj"), "-o", file("report.jsonl"), "--scene", file("clashes.json")];
  // There are faults, which the exit code says.
  expect(() => clearance([...given, "--clearance", "0.05", "--tolerance", "0.001"])).toThrow();
  scene = file("clashes.json");
  report = file("report.jsonl");
  const lines = readFileSync(report, "utf8").trim().split("\n");
  faults = lines.map((line) => JSON.parse(line) as Line).filter(({ type }) => type === "clash");
});

const rows = (page: Page) => page.locator(".clashes button");

async function give(page: Page, ...files: string[]): Promise<void> {
  await page.locator("#world input[type=file]").setInputFiles(files);
}

/** Where the camera is, where points of the world are in the picture, what is selected, and the lines along which it crosses. */
async function look(page: Page, points: number[][]) {
  return page.evaluate((given) => {
    interface Point {
      clone(): Point;
      fromArray(numbers: number[]): Point;
      toArray(): number[];
    }
    const { view, session } = window.clearance.world as {
      view: {
        contacts: { crossing: Float32Array };
        stage: {
          camera: { position: Point };
          controls: { target: Point };
          canvas: HTMLCanvasElement;
          flies: boolean;
          place(at: unknown): { x: number; y: number } | null;
        };
      };
      session: { selection: { value: unknown } };
    };
    const { stage } = view;
    const at = (numbers: number[]) => stage.place(stage.camera.position.clone().fromArray(numbers));
    return {
      eye: stage.camera.position.toArray(),
      target: stage.controls.target.toArray(),
      flies: stage.flies,
      selection: session.selection.value,
      crossing: view.contacts.crossing.length / 6,
      places: given.map(at),
      size: { width: stage.canvas.clientWidth, height: stage.canvas.clientHeight },
    };
  }, points);
}

/** The page comes to face a clash: its bodies are selected, and both points are in the picture. */
async function faces(page: Page, clash: Line): Promise<void> {
  const middle = clash.point_a.map((x, axis) => (x + (clash.point_b[axis] ?? 0)) / 2);
  const { places, size, selection } = await eventually(
    () => look(page, [clash.point_a, clash.point_b]),
    ({ flies, target }) => !flies && Math.hypot(...target.map((x, axis) => x - (middle[axis] ?? 0))) < 1e-3,
  );
  const names = [...new Set(faults.flatMap(({ a, b }) => [a, b]))].sort();
  const [a, b] = [clash.a, clash.b].map((name) => names.indexOf(name));
  expect(selection).toEqual({ kind: "contact", a, b, alone: true });
  for (const place of places) {
    expect(place).not.toBeNull();
    expect(Math.abs((place?.x ?? Infinity) / size.width - 0.5)).toBeLessThan(0.45);
    expect(Math.abs((place?.y ?? Infinity) / size.height - 0.5)).toBeLessThan(0.45);
  }
  const shown = page.locator("[data-inspected=contact] [data-field=distance]");
  await eventually(
    async () => Number(await shown.textContent()),
    (distance) => Math.abs(distance - clash.distance) < 1e-5,
  );
  expect((await look(page, [])).crossing > 0).toBe(clash.kind === "overlap");
}

describe("a report of clashes", () => {
  it("is listed beside its scene, and each click flies to a clash", async () => {
    const watched = await pages.enter("room=world");
    const { page } = watched;
    await give(page, scene, report);
    await page.locator("#world .caption", { hasText: "clashes.json" }).waitFor();
    const numbers = () => rows(page).evaluateAll((all) => all.map((row) => row.getAttribute("data-clash")));
    const listed = await eventually(numbers, (all) => all.length === faults.length);
    const first = faults[Number(listed[0]) - 1] as Line;
    const second = faults[Number(listed[1]) - 1] as Line;
    expect(first.distance).toBe(Math.min(...faults.map(({ distance }) => distance)));
    const before = await look(page, []);
    await rows(page).nth(1).click();
    await faces(page, second);
    expect((await look(page, [])).eye).not.toEqual(before.eye);
    expect(await attribute(rows(page).nth(1), "aria-current")).toBe("true");
    await page.screenshot({ path: "tests/pictures/clash-1280-light.png" });
    await page.keyboard.press("ArrowUp");
    await faces(page, first);
    await page.locator("#world .canvas canvas").focus();
    await page.keyboard.press("j");
    await faces(page, second);
    await fine(watched);
  });

  it("of two files in either order, with names that are no HTML", async () => {
    const watched = await pages.enter("room=world", { reducedMotion: "reduce" });
    const { page } = watched;
    await give(page, report);
    await page.locator("[data-field=absent]", { hasText: "Open the scene" }).waitFor();
    await give(page, scene);
    await page.locator("[data-field=absent]").waitFor({ state: "detached" });
    const evil = faults.findIndex(({ a, b, kind }) => kind === "overlap" && [a, b].includes(EVIL));
    await page.locator(`.clashes [data-clash="${evil + 1}"]`).click();
    // Whoever wants no motion is there at once.
    await faces(page, faults[evil] as Line);
    expect(await page.locator(`.clashes [data-clash="${evil + 1}"] .name`).allTextContents()).toContain(EVIL);
    await page.locator("[data-inspected=contact]", { hasText: EVIL }).waitFor();
    expect(await page.locator("#world img").count()).toBe(0);
    const kinds = page.locator("[data-clashes] select").first();
    await kinds.selectOption("clearance");
    await eventually(
      () => rows(page).count(),
      (count) => count === faults.filter(({ kind }) => kind === "clearance").length,
    );
    await page.getByRole("button", { name: "Close report" }).click();
    await page.locator("[data-clashes]").waitFor({ state: "detached" });
    expect((await look(page, [])).crossing).toBe(0);
    await fine(watched);
  });

  it("is refused in plain words if it is none, and what is open stays", async () => {
    const watched = await pages.enter("room=world");
    const { page } = watched;
    await give(page, scene, report);
    await rows(page).first().waitFor();
    const whole = readFileSync(report, "utf8");
    const bad = async (name: string, text: string, words: string) => {
      await page.locator("#world input[type=file]").setInputFiles({
        name,
        mimeType: "application/json",
        buffer: Buffer.from(text),
      });
      await page.locator("[data-notice=bad]", { hasText: words }).waitFor();
      expect(await rows(page).count()).toBe(faults.length);
    };
    await bad("p.jsonl", `${whole.split("\n")[0]}\n{"type":"block"}\n`, "p.jsonl is the partial report");
    await bad("t.csv", "clash,group,kind,inner\n", "t.csv is a table");
    await bad("v.jsonl", whole.replace('"version":1', '"version":9'), "has version 9");
    await bad("k.jsonl", whole.replace('"kind":"overlap"', '"kind":"kiss"'), 'kind is "kiss"');
    await fine(watched);
  });

  it("is shown by the command with its scene", async () => {
    running = await start(COMMAND, ["view", scene, "--report", report]);
    const watched = await open(pages.browser, running.line);
    const { page } = watched;
    await eventually(
      () => rows(page).count(),
      (count) => count === faults.length,
    );
    await page.locator("[data-field=absent]").waitFor({ state: "detached" });
    await page.keyboard.press("j");
    const first = Number(await attribute(page.locator(".clashes [aria-current=true]"), "data-clash"));
    await faces(page, faults[first - 1] as Line);
    const dark = page.getByRole("button", { name: "Dark" });
    await dark.click();
    await settled(page, async () => (await look(page, [])).eye.join());
    await page.screenshot({ path: "tests/pictures/clash-1280-dark.png" });
    await fine(watched);
  });
});
