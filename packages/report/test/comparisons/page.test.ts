// The page of a comparison in a real browser.
import axe from "axe-core";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadComparisonFormat } from "@roundtrip/report";
import { inBrowser, launchBrowser, openPage } from "../support/browser.ts";
import { failed, inputOf, runs } from "../support/comparison.ts";

let browser: Browser;
let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "roundtrip-comparison-"));
  const format = await loadComparisonFormat("html");
  for (const [name, comparison] of Object.entries({ failed, runs })) {
    // oxlint-disable-next-line no-await-in-loop
    await writeFile(join(folder, `${name}.html`), format.render(inputOf(comparison)));
  }
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

const screens = [
  ["failed", 1280],
  ["runs", 360],
] as const;

describe("the page of a comparison", inBrowser, () => {
  it.for(screens)("of %s, %d pixels wide, loads nothing, fits, and is accessible", async ([name, width]) => {
    const url = pathToFileURL(join(folder, `${name}.html`)).href;
    const { page, complaints, requests } = await openPage(browser, url, { viewport: { width, height: 800 } });
    expect(complaints).toEqual([]);
    expect(requests).toEqual([url]);
    expect(await page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")).toBe(
      true,
    );
    await page.evaluate(axe.source);
    const { violations } = await page.evaluate<axe.AxeResults>("axe.run({ resultTypes: ['violations'] })");
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
  });
});
