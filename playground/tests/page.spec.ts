import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { DESK, open, PHONE } from "./chromium";
import { attribute, eventually, fine, ready, site } from "./rooms";
import { PAGE } from "./server";

const pages = site();
const ROOMS = ["world", "stepper", "accuracy", "compare"];

function files(): string[] {
  return readdirSync(PAGE, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`);
}

describe("the built page", () => {
  it("is smaller than 1.50 MB when compressed", () => {
    const sizes = files().map((path) => gzipSync(readFileSync(path), { level: 9 }).length);
    const sum = sizes.reduce((total, size) => total + size, 0);
    process.stdout.write(`the page has ${(sum / 1e6).toFixed(2)} MB compressed\n`);
    expect(sum).toBeLessThan(1.5e6);
  });

  it("loads nothing from elsewhere", () => {
    for (const path of files().filter((each) => /\.(html|css)$/.test(each))) {
      const text = readFileSync(path, "utf8").replaceAll("http://www.w3.org/2000/svg", "");
      expect(text).not.toMatch(/https?:\/\//);
      expect(text).not.toMatch(/(src|href)="\//);
    }
    // In scripts only the names of XML, and texts that nobody fetches.
    for (const path of files().filter((each) => each.endsWith(".js"))) {
      const text = readFileSync(path, "utf8");
      expect(text).not.toMatch(/(fetch|import|importScripts)\(\s*["'`]https?:/);
    }
  });

  it("opens each room without errors at desk and phone width, light and dark", async () => {
    for (const viewport of [DESK, PHONE]) {
      for (const colorScheme of ["light", "dark"] as const) {
        for (const room of ROOMS) {
          const watched = await pages.enter(`room=${room}`, { viewport, colorScheme });
          const { page } = watched;
          await ready(page, room);
          expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe(colorScheme);
          const overflow = await page.evaluate(
            () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
          );
          expect(overflow, `${room} at ${viewport.width}`).toBeLessThanOrEqual(0);
          await page.screenshot({
            path: `tests/pictures/${room}-${viewport.width}-${colorScheme}.png`,
            fullPage: true,
          });
          await fine(watched);
        }
      }
    }
  });

  it("paints soon, and says when", async () => {
    const watched = await pages.enter("room=world");
    const paint = await eventually(
      () =>
        watched.page.evaluate(
          () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0,
        ),
      (time) => time > 0,
    );
    process.stdout.write(`first paint after ${Math.round(paint)} ms\n`);
    await fine(watched);
  });

  it("switches rooms, the theme and the help by keyboard", async () => {
    const watched = await pages.enter("room=world");
    const { page } = watched;
    await page.locator("#world canvas").waitFor();
    await page.keyboard.press("t");
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe("dark");
    for (const [number, room] of ROOMS.entries()) {
      await page.keyboard.press(String(number + 1));
      await page.locator(`main#${room}:not([hidden])`).waitFor();
    }
    await page.keyboard.press("2");
    await page.locator("#stepper [data-answer]").waitFor();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).getByText("one step back").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await fine(watched);
  });

  it("moves the bar between its panes by keyboard", async () => {
    const watched = await pages.enter("room=world");
    const { page } = watched;
    const bar = page.getByRole("separator", { name: /world and panel/ });
    await bar.focus();
    const share = async () => Number(await attribute(bar, "aria-valuenow"));
    const width = async () => (await page.locator("#world .pane").first().boundingBox())?.width ?? 0;
    const before = { share: await share(), width: await width() };
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    await eventually(share, (now) => now === before.share - 4);
    expect(await width()).toBeLessThan(before.width - 30);
    await page.keyboard.press("Home");
    expect(await width()).toBeGreaterThanOrEqual(280);
    await page.keyboard.press("End");
    const panel = await page.locator("#world .pane").last().boundingBox();
    expect(panel?.width).toBeGreaterThanOrEqual(255);
    await fine(watched);
  });

  it("says what is valid where its address is not", async () => {
    const served = new URL(pages.address);
    served.search = "?live=garbage";
    const watched = await open(pages.browser, served.href);
    const { page } = watched;
    const notice = page.locator("[data-notice=bad]", { hasText: "live: is “garbage”, must be" });
    await notice.waitFor();
    await ready(page, "world");
    await fine(watched);
  });

  it("has a name for each control", async () => {
    const watched = await pages.enter("room=world");
    const { page } = watched;
    for (const room of ROOMS) {
      await page
        .getByRole("navigation", { name: "Rooms" })
        .locator("button")
        .nth(ROOMS.indexOf(room))
        .click();
      await ready(page, room);
      const nameless = await page.evaluate((id) => {
        const controls = document.querySelectorAll(
          `#${id} button, #${id} input, #${id} select, #${id} textarea, #${id} .canvas > canvas, #${id} [role=button], header button`,
        );
        const named = (each: Element) =>
          each.getAttribute("aria-label") ||
          each.textContent?.trim() ||
          (each as HTMLInputElement).labels?.[0]?.textContent?.trim();
        return [...controls].filter((each) => !named(each)).map((each) => each.outerHTML);
      }, room);
      expect(nameless).toEqual([]);
    }
    await fine(watched);
  });
});
