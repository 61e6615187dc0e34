// Names of arms are as long as what is set on their stacks: no picture may cut them off, or write one over another.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loadFormat } from "../src/index.ts";
import { costedArm } from "./support/arms.ts";
import { inBrowser, launchBrowser, openPage } from "./support/browser.ts";
import { inputFrom } from "./support/fixture.ts";

const titles = [
  "GraphQL (kept connection)",
  "gRPC (kept connection)",
  "REST (kept connection)",
  "GraphQL (new connection)",
  "gRPC (new connection)",
  "REST (new connection)",
  "REST (new connection, resumed)",
  "REST (new connection, not resumed)",
  "gRPC (flowControlWindowBytes=8388608)",
];

const arms = titles.flatMap((title) =>
  [20, 50].map((rttMs) => {
    const id = `network-connections/hello/${title}/rttMs=${rttMs}`;
    const stack = title.split(" ")[0] ?? "";
    const factors = { rttMs, tls: title.includes("resumed"), slowStartAfterIdle: title.includes("gRPC") };
    const work = { study: "network-connections", task: "hello", variant: "single", factors };
    return costedArm({ id, ...work, stack, title }, { latencyMs: rttMs + title.length });
  }),
);

/** Gives a line for each text of a picture that leaves it, and for each two that overlap. */
const untidy = `[...document.querySelectorAll("figure svg")].filter((svg) => svg.getBoundingClientRect().width > 0).flatMap((svg) => {
  const whole = svg.getBoundingClientRect();
  const texts = [...svg.querySelectorAll("text")].map((one) => ({ said: one.textContent, at: one.getBoundingClientRect() }));
  const seen = texts.filter(({ said, at }) => said.trim() !== "" && at.width > 0);
  const out = seen.filter(({ at }) => at.left < whole.left - 1 || at.right > whole.right + 1);
  const over = seen.flatMap((one, index) => seen.slice(index + 1)
    .filter(({ at }) => one.at.left < at.right - 1 && at.left < one.at.right - 1 && one.at.top < at.bottom - 3 && at.top < one.at.bottom - 3)
    .map((other) => one.said + " over " + other.said));
  return [...out.map(({ said }) => said + " is cut off"), ...over];
})`;

let browser: Browser;
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "roundtrip-names-"));
  await writeFile(join(directory, "report.html"), await (await loadFormat("html")).render(inputFrom(arms)));
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await rm(directory, { recursive: true, force: true });
});

test("long names are whole, and beside each other, in every picture", inBrowser, async () => {
  const url = pathToFileURL(join(directory, "report.html")).href;
  const { page } = await openPage(browser, url, { viewport: { width: 1200, height: 900 } });
  expect(await page.locator("figure svg:visible").count()).toBeGreaterThan(2);
  expect(await page.evaluate(untidy)).toEqual([]);
});
