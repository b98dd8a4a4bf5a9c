import { describe, expect, it } from "vitest";
import { EXAMPLES } from "../src/world/examples";
import { hashes, recording } from "./native";
import { attribute, eventually, fine, site } from "./rooms";

const pages = site();

/** The stack, with the ball a little faster than it was. */
function faster(scene: string): string {
  const read = JSON.parse(scene);
  read.bodies[16].velocity.linear[0] += 0.001;
  return JSON.stringify(read);
}

describe("the room of comparison", () => {
  it("finds the first frame whose hashes differ, and the contacts that differ in it", async () => {
    const scene = EXAMPLES[1]?.scene ?? "";
    const frames = 200;
    const [one, other] = [hashes(scene, frames), hashes(faster(scene), frames)];
    const first = one.findIndex((hash, place) => hash !== other[place]) + 1;
    expect(first).toBeGreaterThan(1);

    const watched = await pages.enter("room=compare");
    const { page } = watched;
    const load = (side: string, bytes: Buffer) =>
      page
        .getByRole("region", { name: `Recording on the ${side}` })
        .locator("input[type=file]")
        .setInputFiles({ name: `${side}.clrec`, mimeType: "application/octet-stream", buffer: bytes });
    await load("left", recording(scene, frames).bytes);
    await page.getByText("left.clrec").waitFor();
    await load("right", recording(faster(scene), frames).bytes);
    await page.locator(`[data-difference="${first}"]`).waitFor();

    const left = page.locator('[data-side="left"]');
    const right = page.locator('[data-side="right"]');
    await eventually(
      () => attribute(right, "data-frame"),
      (frame) => frame === String(first),
    );
    expect(await attribute(left, "data-hash")).toBe(one[first - 1]);
    expect(await attribute(right, "data-hash")).toBe(other[first - 1]);
    const rows = page.getByRole("table", { name: "Contacts that differ" }).locator("tbody tr");
    expect(await rows.count()).toBeGreaterThan(0);
    const pairs = await rows.evaluateAll((list) => list.map((row) => row.getAttribute("data-pair") ?? ""));
    expect(pairs.every((pair) => pair.split(" ").includes("16"))).toBe(true);
    await rows.first().getByRole("button").click();

    await page.screenshot({ path: "tests/pictures/compare.png" });
    await page.keyboard.press(",");
    await eventually(
      () => attribute(right, "data-frame"),
      (frame) => frame === String(first - 1),
    );
    expect(await attribute(left, "data-hash")).toBe(await attribute(right, "data-hash"));
    await fine(watched);
  });

  it("plays a damaged recording up to the damage, and says where it is", async () => {
    const { bytes } = recording(EXAMPLES[1]?.scene ?? "", 60);
    const watched = await pages.enter("room=world");
    const { page } = watched;
    await page.locator("#world input[type=file]").setInputFiles({
      name: "cut.clrec",
      mimeType: "application/octet-stream",
      buffer: bytes.subarray(0, Math.floor(bytes.length * 0.7)),
    });
    await page.locator("[data-notice=bad]").waitFor();
    const canvas = page.locator("#world .canvas");
    await page.locator("#world .caption", { hasText: "cut.clrec" }).waitFor();
    await page.keyboard.press("End");
    await eventually(
      () => attribute(canvas, "data-frame"),
      (frame) => Number(frame) > 0,
    );
    await fine(watched);
  });
});
