import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import { formatNames, loadFormat, loadFormats, renderPlots, ReportError } from "../src/index.ts";
import type { ReportInput } from "../src/view/report-input.ts";
import { defaultInput } from "./support/fixture.ts";

const input = defaultInput();
const render = async (name: string, from: ReportInput = input): Promise<string> =>
  (await loadFormat(name)).render(from);

const cells = (line: string): number => line.replaceAll(String.raw`\|`, "").split("|").length;

const huesOf = (svg: string): Set<string> => new Set(svg.match(/var\(--hue-\d\)/g));

async function picture(name: string, from: ReportInput = input): Promise<string> {
  return (await renderPlots(from)).find((plot) => plot.name === name)?.svg ?? "";
}

describe("output formats", () => {
  test("are the files of their folder, each under its file's name", async () => {
    expect(formatNames()).toEqual([
      "bencher",
      "csv",
      "github-action-benchmark",
      "html",
      "json",
      "markdown",
      "otava",
      "summary",
      "terminal",
    ]);
    const formats = await loadFormats();
    expect(formats.map(({ name }) => name)).toEqual(formatNames());
    expect(formats.map(({ fileExtension }) => fileExtension)).toEqual([
      "bencher.json",
      "csv",
      "github-action-benchmark.json",
      "html",
      "json",
      "md",
      "otava.csv",
      "summary.txt",
      "txt",
    ]);
  });

  test("an unknown one is refused with the names that exist", async () => {
    const refused = loadFormat("../index");
    await expect(refused).rejects.toBeInstanceOf(ReportError);
    await expect(refused).rejects.toMatchObject({
      code: "unknown-format",
      message:
        'unknown format "../index" (valid: bencher, csv, github-action-benchmark, html, json, markdown, otava, summary, terminal)',
    });
  });

  test.each(formatNames())("%s: a run in which nothing was measured gives a document", async (name) => {
    const nothing = { summaries: [], comparisons: [], breakEvens: [], distributions: [], claims: [], warnings: [] };
    const text = await render(name, { ...input, analysis: { ...input.analysis, ...nothing } });
    expect(text).not.toMatch(/NaN|Infinity|undefined/);
  });

  test.each(formatNames())("%s: a run without arms gives a document", async (name) => {
    const arms = { arms: [], summaries: [], comparisons: [], breakEvens: [], distributions: [], claims: [] };
    const text = await render(name, {
      ...input,
      facts: { ...input.facts, arms: [] },
      analysis: { ...input.analysis, ...arms },
    });
    expect(text).not.toMatch(/NaN|Infinity|undefined/);
  });
});

describe("Markdown", () => {
  test("has what follows, the claims, the papers' figures beside the measured ones, and a picture for every plot", async () => {
    const text = await render("markdown");
    expect(text).toMatch(/\n## What follows\n\n- Call the façade where 2 attributes or more are needed: /);
    expect(text).toContain("- **clear**: For one hello call, REST is faster; in its times: ");
    expect(text).toMatch(
      /\n\| RPC \| 2\.33 \| 1\.19 \| 1\.00× \| [\d,]+ \| [\d.,]+ \| 1\.00× \|\n\| REST \| 2\.53 \| 1\.58 \| 1\.08× \|/,
    );
    expect(text).toMatch(/\n\| chatty, 6 attributes \| 5\.44 \| 5\.47× \| [\d,]+ \| 5\.\d+× \|/);
    const pictures = [...text.matchAll(/\(plots\/([a-z0-9-]+)\.svg\)/g)].map(([, name]) => name);
    const drawn = (await renderPlots(input)).map(({ name }) => name);
    expect(new Set(pictures)).toEqual(new Set(drawn));
    expect(pictures).toHaveLength(drawn.length);
  });

  test("every row of a table has as many cells as its head, whatever a name contains", async () => {
    const text = await render(
      "markdown",
      JSON.parse(JSON.stringify(input).replaceAll('"gRPC"', '"a|b\\n\\n# <img src=x>"')) as ReportInput,
    );
    expect(text).not.toContain("\n# <img");
    const tables = text
      .trim()
      .split("\n\n")
      .filter((part) => part.startsWith("| "));
    expect(tables.length).toBeGreaterThan(5);
    for (const table of tables) expect(new Set(table.split("\n").map(cells)).size).toBe(1);
  });
});

describe("CSV", () => {
  test("has one row per summary with every factor, at full precision", async () => {
    const rows = parse<Record<string, string>>(await render("csv"), { columns: true });
    expect(rows).toHaveLength(input.analysis.summaries.length);
    const id = "facade/read/grpc-js/chatty/attributes=3";
    const row = rows.find(({ armId, metric }) => armId === id && metric === "latencyMs");
    const summary = input.analysis.summaries.find(({ armId, metric }) => armId === id && metric === "latencyMs");
    expect(row).toMatchObject({ stack: "grpc-js", variant: "chatty", attributes: "3", payloadBytes: "" });
    expect(Number(row?.["p99"])).toBe(summary?.p99);
  });

  test("a name that a spreadsheet would run as a formula is escaped", async () => {
    const text = JSON.stringify(input).replaceAll('"hello/hello/grpc-js/single"', '"=HYPERLINK(1)"');
    expect(await render("csv", JSON.parse(text) as ReportInput)).toContain("\n'=HYPERLINK(1),");
  });
});

test("JSON is the facts and the analysis, under the names of their types", async () => {
  const read = JSON.parse(await render("json")) as ReportInput;
  expect(Object.keys(read)).toEqual(["facts", "analysis", "published"]);
  expect(read.analysis).toEqual(input.analysis);
  expect(read.facts).toEqual(input.facts);
});

describe("pictures", () => {
  test("are standalone SVG for light and dark, each with a title and a description", async () => {
    const plots = await renderPlots(input);
    expect(new Set(plots.map(({ name }) => name)).size).toBe(plots.length);
    for (const { name, svg, title, alt } of plots) {
      expect(name).toMatch(/^[a-z0-9-]+$/);
      const [root = ""] = svg.match(/^<svg [^>]*>/) ?? [];
      expect(root).toContain('xmlns="http://www.w3.org/2000/svg"');
      expect(root).toContain('role="img"');
      expect(root).toContain(`aria-labelledby="${name}-title ${name}-desc"`);
      expect(svg).toContain("prefers-color-scheme:dark");
      expect(svg).toContain(`<title id="${name}-title">${title}</title>`);
      expect(alt).toMatch(/\d/);
      expect(svg).not.toMatch(/NaN|undefined|Infinity|https?:\/\/(?!www\.w3\.org)/);
    }
  });

  test("a stack has one colour in all of them", async () => {
    expect(huesOf(await picture("latency-facade-read"))).toEqual(
      new Set(["var(--hue-0)", "var(--hue-1)", "var(--hue-2)"]),
    );
    const restAlone = input.analysis.summaries.filter(
      ({ armId }) => !armId.startsWith("hello/") || armId.includes("rest-express"),
    );
    const alone = { ...input, analysis: { ...input.analysis, summaries: restAlone } };
    expect(huesOf(await picture("latency-hello-hello", alone))).toEqual(new Set(["var(--hue-2)"]));
  });

  test("letter values are drawn where there are any, a plain box where there are none", async () => {
    const distributions = input.analysis.distributions.map((row) => ({ ...row, letterValues: [] }));
    const plain = { ...input, analysis: { ...input.analysis, distributions } };
    expect((await picture("latency-hello-hello")).match(/<rect/g)).toHaveLength(4 * 6);
    expect((await picture("latency-hello-hello", plain)).match(/<rect/g)).toHaveLength(4);
  });

  test("names from outside stay text, and characters that XML does not know are replaced", async () => {
    const text = JSON.stringify(input).replaceAll('"gRPC"', String.raw`"<script>&\u0001\ud800"`);
    for (const { svg } of await renderPlots(JSON.parse(text) as ReportInput)) {
      expect(svg).not.toContain("<script>");
      // oxlint-disable-next-line no-control-regex
      expect(svg).not.toMatch(/[\u0000-\u0008]|\p{Cs}/u);
    }
  });
});

test("where calls are made at once, tables and method say over how many connections", async () => {
  const text = (await render("html")).replaceAll(/\s+/g, " ");
  const said = text.match(
    /Calls made at once shared 6 connections over GraphQL and REST and one connection over gRPC\./g,
  );
  expect(said?.length).toBeGreaterThanOrEqual(2);
});

test("intervals from few rounds carry a sign that their table and captions explain, and the analysis names their basis", async () => {
  const legend = "t: intervals from fewer than 6 rounds are Student’s t and assume normal noise.";
  expect(await render("markdown")).not.toContain("Student’s t");
  const comparisons = input.analysis.comparisons.map((row) => ({ ...row, rounds: 4, basis: "student-t" as const }));
  const few = { ...input, analysis: { ...input.analysis, comparisons } };
  const page = (await render("html", few)).replaceAll(/\s+/g, " ");
  expect(page).toContain(legend);
  expect(page).toContain(
    "Bars: 95 % intervals, where they are wider than the mark. Intervals from fewer than 6 rounds are",
  );
  expect(page).toMatch(/>1\.\d\d× to 1\.\d\d× t</);
  expect(page).toContain(">likely different<");
  expect(page).not.toContain(">different<");
  const read = JSON.parse(await render("json", few)) as typeof few;
  expect(read.analysis.comparisons[0]?.basis).toBe("student-t");
});
