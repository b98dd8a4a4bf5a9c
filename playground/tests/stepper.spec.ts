import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Trace } from "../src/engine/protocol";
import { pack } from "../src/shell/address";
import { PRESETS } from "../src/stepper/presets";
import { engine } from "./engine";
import { query } from "./native";
import { attribute, drag, drawn, eventually, fine, middle, site } from "./rooms";

const pages = site();

const distance = (page: Page) => page.locator("#stepper [data-field=distance]").textContent();
const line = (page: Page) => page.locator("#stepper [data-field=line]").inputValue();

/** The page has the answer to the line that it shows. */
async function settled(page: Page): Promise<string> {
  await drawn(page);
  await page.waitForFunction(() => {
    const answered = document.querySelector("#stepper [data-answer-of]")?.getAttribute("data-answer-of");
    const field = document.querySelector<HTMLTextAreaElement>("#stepper [data-field=line]");
    return answered !== undefined && answered === field?.value;
  });
  return line(page);
}

async function preset(page: Page, name: string): Promise<Trace> {
  const chosen = PRESETS.find((each) => each.name === name);
  const text = JSON.stringify(chosen?.pair);
  await page.locator("#stepper").getByLabel("Example").selectOption(name);
  await eventually(
    () => line(page),
    (shown) => shown === text,
  );
  await settled(page);
  return (await (await engine()).ask("pair.trace", { line: text })).ok;
}

describe("the stepper", () => {
  it("shows what `clearance query` answers, also while shapes are dragged and turned", async () => {
    const watched = await pages.enter("room=stepper");
    const { page } = watched;
    const first = await settled(page);
    expect(await distance(page)).toBe(String(query(first).distance));

    await drag(page, await middle(page.locator('[data-side="b"]')), { x: -60, y: 35 });
    const dragged = await settled(page);
    expect(dragged).not.toBe(first);
    expect(await distance(page)).toBe(String(query(dragged).distance));

    await drag(page, await middle(page.locator("svg .knob.a")), { x: 50, y: 30 });
    const turned = await settled(page);
    expect(JSON.parse(turned).a.pose.rotation).not.toBe(JSON.parse(dragged).a.pose.rotation);
    expect(await distance(page)).toBe(String(query(turned).distance));
    await fine(watched);
  });

  it("drags, adds and deletes vertices, also by keyboard", async () => {
    const watched = await pages.enter("room=stepper");
    const { page } = watched;
    const points = async () => JSON.parse(await settled(page)).a.shape.points as number[][];
    const before = await points();
    await drag(page, await middle(page.locator('[data-corner="a 2"]')), { x: 25, y: -20 });
    const dragged = await points();
    expect(dragged[2]).not.toEqual(before[2]);
    expect(dragged[1]).toEqual(before[1]);

    await page.locator('[data-corner="a 0"]').focus();
    await page.keyboard.press("ArrowLeft");
    expect((await points())[0]).not.toEqual(before[0]);
    await page.keyboard.press("Delete");
    expect(await points()).toHaveLength(before.length - 1);

    await page.locator('[data-side="a"]').focus();
    const place = await middle(page.locator('[data-side="a"]'));
    await page.mouse.dblclick(place.x, place.y + 12);
    expect(await points()).toHaveLength(before.length);
    expect(await distance(page)).toBe(String(query(await line(page)).distance));
    await fine(watched);
  });

  it("steps through the simplices of the engine's trace", async () => {
    const watched = await pages.enter("room=stepper");
    const { page } = watched;
    for (const name of ["How the simplex evolves", "Johnson and Voronoi", "Cylinder and hull (3D)"]) {
      const trace = await preset(page, name);
      expect(trace.search.length).toBeGreaterThan(1);
      for (const [number, step] of trace.search.entries()) {
        await eventually(
          () => attribute(page.locator("[data-step]"), "data-step"),
          (shown) => shown === String(number),
        );
        const rows = page.getByRole("table", { name: "Simplex" }).locator("[data-vertex]");
        const vertices = await rows.evaluateAll((list) => list.map((row) => row.getAttribute("data-vertex")));
        expect(vertices).toEqual(step.vertices.map(({ point }) => JSON.stringify(point)));
        if (trace.dimension === 2) {
          const drawn = page.locator('[aria-label="Minkowski difference"] circle[data-mark=simplex]');
          const places = await drawn.evaluateAll((list) => list.map((mark) => mark.getAttribute("data-at")));
          expect(places).toEqual(step.vertices.map(({ point: [x, y] }) => `${x} ${y}`));
        }
        await page.keyboard.press(".");
      }
    }
    await page.keyboard.press("Home");
    expect(await attribute(page.locator("[data-step]"), "data-step")).toBe("0");
    await fine(watched);
  });

  it("has Johnson's subalgorithm and Voronoi regions decide for the simplex that the engine keeps", async () => {
    const watched = await pages.enter("room=stepper");
    const { page } = watched;
    const trace = await preset(page, "Johnson and Voronoi");
    for (const step of trace.search) {
      const table = page.getByRole("table", { name: "Johnson's subalgorithm and Voronoi regions" });
      const johnson = await table.locator("tr:has([data-johnson=true])").getAttribute("data-part");
      const voronoi = await table.locator("tr:has([data-voronoi=true])").getAttribute("data-part");
      expect(johnson).toBe(voronoi);
      expect(johnson?.split(" ")).toHaveLength(step.vertices.length);
      await page.keyboard.press(".");
    }
    await fine(watched);
  });

  it("grows the polytope where shapes overlap, in the plane and in space", async () => {
    const watched = await pages.enter("room=stepper");
    const { page } = watched;
    for (const name of ["Overlap: the expanding polygon", "Overlap: the expanding polytope (3D)"]) {
      const trace = await preset(page, name);
      expect(trace.expansion.length).toBeGreaterThan(0);
      expect(await attribute(page.locator("[data-overlap]"), "data-overlap")).toBe("true");
      await page.keyboard.press("End");
      await page.locator('[data-phase="expansion"]').waitFor();
      const shown = page.getByRole("table", { name: "Polytope" });
      const last = trace.expansion.at(-1);
      expect(await shown.locator('[data-fact="faces"]').textContent()).toBe(String(last?.faces.length));
    }
    await fine(watched);
  });

  it("steps the advances of a cast", async () => {
    const watched = await pages.enter("room=stepper");
    const { page } = watched;
    for (const name of ["A cast in the plane", "A cast in space"]) {
      const trace = await preset(page, name);
      await page.keyboard.press("End");
      await page.locator('[data-phase="cast"]').waitFor();
      const time = await page.locator('[data-fact="time"]').textContent();
      expect(time).toBe(String(trace.cast?.at(-1)?.time));
    }
    await fine(watched);
  });

  it("moves shapes in space by keyboard, and the answer follows", async () => {
    const watched = await pages.enter("room=stepper");
    const { page } = watched;
    await preset(page, "Cylinder and hull (3D)");
    const before = await distance(page);
    await page.keyboard.press("a");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("PageUp");
    await page.keyboard.press("[");
    const moved = await settled(page);
    expect(await distance(page)).not.toBe(before);
    expect(await distance(page)).toBe(String(query(moved).distance));
    await fine(watched);
  });

  it("opens the pair of an address, and shares the one it shows", async () => {
    const pair = JSON.stringify(PRESETS[4]?.pair);
    const watched = await pages.enter(`room=stepper&pair=${await pack(pair)}`);
    const { page } = watched;
    await eventually(
      () => line(page),
      (shown) => shown === pair,
    );
    await page.locator('[data-side="a"]').focus();
    await page.keyboard.press("ArrowUp");
    const changed = await settled(page);
    expect(changed).not.toBe(pair);
    await page.locator("#stepper").getByRole("button", { name: "Share" }).click();
    await page.locator("[data-notice=good]").waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    const other = await pages.enter(copied.split("#")[1] ?? "");
    await eventually(
      () => line(other.page),
      (shown) => shown === changed,
    );
    await settled(other.page);
    expect(await distance(other.page)).toBe(await distance(page));
    await fine(other);
    await fine(watched);
  });

  it("opens lines that are pasted", async () => {
    const watched = await pages.enter("room=stepper");
    const { page } = watched;
    await settled(page);
    const lines = [PRESETS[2], PRESETS[3]].map((preset) => JSON.stringify(preset?.pair));
    await page.evaluate((text) => navigator.clipboard.writeText(text), lines.join("\n"));
    await page.locator("h1").click();
    await page.keyboard.press("Control+v");
    await eventually(
      () => line(page),
      (shown) => shown === lines[0],
    );
    await page.locator("#stepper").getByLabel(/^Line/).fill("2");
    await page.keyboard.press("Enter");
    await eventually(
      () => line(page),
      (shown) => shown === lines[1],
    );
    await settled(page);
    expect(await distance(page)).toBe(String(query(lines[1] ?? "").distance));
    await fine(watched);
  });

  it("says what is wrong with a line, and goes on with the next", async () => {
    const watched = await pages.enter("room=stepper");
    const { page } = watched;
    const good = await settled(page);
    const field = page.locator("#stepper [data-field=line]");
    await field.fill('{"dimension":2,"a":{"shape":{"type":"ball","radius":-1}},"b":{}}');
    await eventually(
      () => page.locator("[data-notice=bad]").textContent(),
      (text) => /radius/.test(text ?? ""),
    );
    await field.fill(good);
    await page.locator("[data-notice=bad]").waitFor({ state: "detached" });
    expect(await distance(page)).toBe(String(query(good).distance));
    await fine(watched);
  });
});
