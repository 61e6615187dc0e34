import axe from "axe-core";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadFormat } from "../src/index.ts";
import { claimSentences } from "../src/words/claim-sentences.ts";
import { whatFollows } from "../src/words/what-follows.ts";
import type { ReportInput } from "../src/view/report-input.ts";
import { defaultArms } from "./support/arms.ts";
import { inBrowser, launchBrowser, openPage, type OpenedPage } from "./support/browser.ts";
import { defaultInput, inputFrom } from "./support/fixture.ts";

const input = defaultInput();
// Every kind of table and picture, but few of each: the accessibility check looks at each element of a page.
const small = inputFrom(
  defaultArms().filter(
    ({ arm }) => arm.study === "hello" || (arm.task === "read" && Number(arm.factors["attributes"]) <= 2),
  ),
);
const hostile = `</style></script><script>document.title="owned"</script><img src="http://192.0.2.1/x">"'&`;
const marks = {
  clear: "● clear",
  likely: "◐ likely",
  equal: "= equal",
  open: "? cannot tell",
  measured: "≈ measured",
};
const desk = { viewport: { width: 1280, height: 900 } };
const phone = { viewport: { width: 360, height: 740 } };

let browser: Browser;
let directory: string;
let onDesk: OpenedPage;
let onPhone: OpenedPage;

async function write(name: string, from: ReportInput): Promise<string> {
  const path = join(directory, name);
  await writeFile(path, await (await loadFormat("html")).render(from));
  return pathToFileURL(path).href;
}

const armsOf = (task: string): number => input.analysis.arms.filter((arm) => arm.task === task).length;
const rowsOf = async (table: string): Promise<number> => onDesk.page.locator(`#${table} tbody tr`).count();
const plain = (texts: readonly string[]): readonly string[] => texts.map((text) => text.replaceAll(/\s+/g, " "));
const scrollsSideways = async (page: Page): Promise<boolean> =>
  page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth");
const unfold = async (page: Page): Promise<void> =>
  page.evaluate("for (const node of document.querySelectorAll('details')) node.open = true");

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "roundtrip-report-"));
  const url = await write("report.html", input);
  browser = await launchBrowser();
  onDesk = await openPage(browser, url, desk);
  onPhone = await openPage(browser, url, phone);
});

afterAll(async () => {
  await browser?.close();
  await rm(directory, { recursive: true, force: true });
});

describe("the HTML report in a browser", inBrowser, () => {
  test("shows what follows before anything else, and folded the claims with the strength of each", async () => {
    const section = onDesk.page.locator("main > section").first();
    expect(plain(await section.locator(":scope > ul > li").allInnerTexts())).toEqual(whatFollows(input));
    const claims = await section
      .locator(".findings li")
      .evaluateAll((all) => all.map((item) => Array.from(item.children, ({ textContent }) => textContent).join(" ")));
    expect(plain(claims).map((text) => text.trim())).toEqual(
      claimSentences(input.analysis).map(({ strength, text }) => `${marks[strength]} ${text}`),
    );
  });

  test("has a row for every summary of latency, and leads with the published figures beside ours", async () => {
    expect(await rowsOf("latency-hello-hello")).toBe(armsOf("hello"));
    expect(await rowsOf("latency-facade-read-all-arms")).toBe(armsOf("read"));
    expect(await rowsOf("latency-facade-write-all-arms")).toBe(armsOf("write"));
    expect(await rowsOf("latency-facade-read-payload-all-arms")).toBe(armsOf("read-payload"));
    expect(await rowsOf("published-hello-djurhuus-2020")).toBe(3);
    const tables = await onDesk.page.locator("table").evaluateAll((all) => all.map(({ id }) => id));
    expect(tables[0]).toBe("published-hello-djurhuus-2020");
  });

  test("asks for nothing but itself, says nothing on the console and needs no script", async () => {
    expect(onDesk.requests).toEqual([onDesk.page.url()]);
    expect(onDesk.complaints).toEqual([]);
    expect(await onDesk.page.locator("script").count()).toBe(0);
  });

  test.each(["desk", "phone"])("draws every picture with a size, a title and a description on a %s", async (where) => {
    const { page } = where === "desk" ? onDesk : onPhone;
    const pictures = await page.locator("figure svg:visible").evaluateAll((all) =>
      all.map((picture) => {
        const { width, height } = picture.getBoundingClientRect();
        const [title, desc] = ["title", "desc"].map((name) => picture.querySelector(name)?.textContent);
        return { least: Math.min(width, height), title, desc };
      }),
    );
    expect(pictures.length).toBe(await page.locator("figure").count());
    expect(pictures.length).toBeGreaterThan(15);
    for (const { least, title, desc } of pictures) {
      expect(least).toBeGreaterThan(60);
      expect([title, desc]).toEqual([expect.stringMatching(/./), expect.stringMatching(/./)]);
    }
  });

  test("does not scroll sideways on a phone: wide tables scroll in boxes that the keyboard can reach", async () => {
    const { page } = onPhone;
    expect(await scrollsSideways(page)).toBe(false);
    await unfold(page);
    expect(await scrollsSideways(page)).toBe(false);
    expect(await page.locator(".scroll:not([tabindex='0'])").count()).toBe(0);
    const box = page.locator(".scroll", { has: page.locator("#latency-hello-hello") });
    expect(await box.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)).toBe(true);
    await box.focus();
    expect(await page.evaluate("document.activeElement.className")).toBe("scroll");
  });

  test("a sweep of six values fits a phone: rows stand under their stack, which is named once", async () => {
    const table = onPhone.page.locator("#sweep-facade-read");
    const box = onPhone.page.locator(".scroll", { has: table });
    expect(await box.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)).toBe(true);
    expect(await table.locator("th[scope=rowgroup]").allInnerTexts()).toEqual(["GraphQL", "gRPC", "REST"]);
    const graphql = table.locator("tbody", { has: onPhone.page.locator("th", { hasText: /^GraphQL$/ }) });
    expect(await graphql.locator("th[scope=row]").allInnerTexts()).toEqual([
      "façade",
      "chatty",
      "chatty, parallel",
      "together",
    ]);
  });

  test("is dark where the reader's system is", async () => {
    const paper = "getComputedStyle(document.body).backgroundColor";
    await onPhone.page.emulateMedia({ colorScheme: "light" });
    expect(await onPhone.page.evaluate(paper)).toBe("rgb(255, 255, 255)");
    await onPhone.page.emulateMedia({ colorScheme: "dark" });
    expect(await onPhone.page.evaluate(paper)).toBe("rgb(20, 23, 27)");
  });

  test.each(["light", "dark"] as const)("has no accessibility violations in %s", async (colorScheme) => {
    // The check is a script, which the page's own policy would not let in.
    const { page } = await openPage(browser, await write("small.html", small), {
      ...desk,
      colorScheme,
      bypassCSP: true,
    });
    await unfold(page);
    await page.evaluate(axe.source);
    const { violations } = await page.evaluate<axe.AxeResults>("axe.run({ resultTypes: ['violations'] })");
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
  });

  test("can be walked by landmarks and headings, and the first tab stop skips to the content", async () => {
    const { page } = onDesk;
    expect(await page.locator("h1, h2").allInnerTexts()).toEqual([
      "Hello, façade: what a call costs",
      "What follows",
      "Study: hello",
      "Study: façade",
      "The first call",
      "Warnings",
      "Environment",
      "Method",
      "Raw data",
    ]);
    for (const landmark of ["banner", "navigation", "main", "contentinfo"] as const) {
      expect(await page.getByRole(landmark).count()).toBe(1);
    }
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Skip to the content");
    expect(await page.locator("nav a").count()).toBe(7);
    for (const link of await page.locator("nav a").all()) {
      expect(await page.locator((await link.getAttribute("href")) ?? "").count()).toBe(1);
    }
  });

  test("text from outside stays text", async () => {
    const text = JSON.stringify(small)
      .replaceAll('"GraphQL"', JSON.stringify(hostile))
      .replaceAll('"AMD EPYC 7B13"', JSON.stringify(hostile))
      .replaceAll('"not-settled"', JSON.stringify(hostile));
    const url = await write("hostile.html", JSON.parse(text) as ReportInput);
    const { page, requests, complaints } = await openPage(browser, url, desk);
    expect(await page.title()).toBe("Hello, façade: what a call costs · Roundtrip");
    expect(await page.locator("script, img").count()).toBe(0);
    expect({ requests, complaints }).toEqual({ requests: [url], complaints: [] });
    expect(await page.locator("#latency-hello-hello tbody th").first().innerText()).toBe(hostile);
  });
});
