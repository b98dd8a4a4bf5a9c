// Takes the pictures of the page: node shots.mjs COMMAND SCENE. Called by `pictures`.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { once } from "node:events";
import { addressOf } from "./address.mjs";

const { chromium } = createRequire(new URL("../../playground/", import.meta.url))("playwright-core");
const [command, crowd] = process.argv.slice(2);

/** Of each picture: what the page opens, the keys that are pressed then, and what is seen of it. */
const SHOTS = [
  { name: "gjk", file: "src/files/gjk.json", keys: ["Home", ".", ".", "."], place: "#page" },
  { name: "stepper", file: "src/files/polytope.json", keys: ["End", ","], place: "#page", colorScheme: "dark" },
  { name: "boxes", file: null, keys: ["b", "f"], place: "#world .canvas" },
];

const served = spawn(command, ["view", "--port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
const [line] = await once(served.stdout, "data");
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--use-gl=angle", "--use-angle=gles-egl", "--ignore-gpu-blocklist"],
});
try {
  for (const { name, file, keys, place, colorScheme = "light" } of SHOTS) {
    const text = readFileSync(file ? new URL(file, import.meta.url) : crowd, "utf8");
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme });
    await page.goto(`${String(line).trim()}#${addressOf(text)}`);
    const seen = page.locator(place).first();
    await seen.waitFor();
    await page.waitForTimeout(3000);
    for (const key of keys) {
      await page.keyboard.press(key);
      await page.waitForTimeout(300);
    }
    await page.waitForTimeout(1000);
    await seen.screenshot({ path: new URL(`src/pictures/${name}.png`, import.meta.url).pathname });
    await page.close();
  }
} finally {
  await browser.close();
  served.kill();
}
