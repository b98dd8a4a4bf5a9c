import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { query } from "./native";
import { eventually, fine, site } from "./rooms";
import { PAGE } from "./server";

const pages = site();

describe("the room of accuracy", () => {
  it("answers all lines of the sample, and opens the worst one in the stepper", async () => {
    const watched = await pages.enter("room=accuracy");
    const { page } = watched;
    const lines = readFileSync(`${PAGE}sample.jsonl`, "utf8").trim().split("\n");
    await page.getByRole("button", { name: "Sample" }).click();
    await page.locator(`[data-answered="${lines.length}"]`).waitFor();
    await page.getByRole("table", { name: "By kind of pair" }).waitFor();
    await page.locator("#accuracy .u-over").waitFor();

    const row = page.getByRole("table", { name: "Worst lines" }).locator("tbody tr").first();
    const number = Number(await row.getAttribute("data-line"));
    const worst = lines[number - 1] ?? "";
    const shown = await row.locator("td").nth(2).textContent();
    expect(shown).toBe(String(query(worst).distance));
    await row.getByRole("button").click();
    await eventually(
      () => page.locator("#stepper [data-field=line]").inputValue(),
      (line) => line === worst,
    );
    await eventually(
      () => page.locator("#stepper [data-field=distance]").textContent(),
      (distance) => distance === shown,
    );
    await fine(watched);
  });

  it("shows the lines that cannot be answered first", async () => {
    const watched = await pages.enter("room=accuracy");
    const { page } = watched;
    const good = readFileSync(`${PAGE}sample.jsonl`, "utf8").split("\n").slice(0, 3);
    await page.locator("#accuracy input[type=file]").setInputFiles({
      name: "pairs.jsonl",
      mimeType: "application/json",
      buffer: Buffer.from([...good, '{"dimension":3,"a":{}}', "no JSON"].join("\n")),
    });
    await page.locator('[data-answered="5"]').waitFor();
    const rows = page.getByRole("table", { name: "Worst lines" }).locator("tbody tr");
    expect(await rows.nth(0).getAttribute("data-line")).toBe("4");
    expect(await rows.nth(1).getAttribute("data-line")).toBe("5");
    await page.getByLabel("Measure").selectOption("iterations");
    await page
      .getByRole("button", { name: /cannot be answered/ })
      .first()
      .click();
    await fine(watched);
  });
});
