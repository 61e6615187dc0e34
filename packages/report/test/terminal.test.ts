import { describe, expect, test } from "vitest";
import stringWidth from "string-width";
import { loadFormat } from "../src/index.ts";
import type { ReportInput } from "../src/view/report-input.ts";
import { defaultInput } from "./support/fixture.ts";

const input = defaultInput();

async function terminal(columns: number, from: ReportInput = input, introducer = ""): Promise<readonly string[]> {
  const format = await loadFormat("terminal");
  return (await format.render({ ...from, page: { columns, introducer } })).split("\n");
}

const section = (lines: readonly string[], caption: string): readonly string[] => {
  const from = lines.findIndex((line) => line.startsWith(caption));
  return lines.slice(from, lines.indexOf("", from));
};

describe("the terminal report", () => {
  test("opens with what follows, and has each claim with a sign and a word below the tables", async () => {
    const lines = await terminal(100);
    expect(lines[0]).toBe("WHAT FOLLOWS");
    expect(lines[1]).toMatch(/^- Call the façade where 2 attributes or more are needed: 6 calls instead of one take /);
    const text = lines.join("\n");
    expect(text).toMatch(/\n● clear {8}For one hello call, REST is faster; in its times: /);
    expect(text.indexOf("WHAT THE FIGURES SUPPORT")).toBeGreaterThan(text.indexOf("hello: latency and cost"));
  });

  test.each([60, 80, 100, 160])("no line is wider than %i columns", async (columns) => {
    const tooWide = (await terminal(columns)).filter((line) => stringWidth(line) > columns);
    expect(tooWide).toEqual([]);
  });

  test("columns that do not fit are continued below, none is lost", async () => {
    const wide = section(await terminal(160), "hello: latency and cost");
    const narrow = (await terminal(60)).join(" ").split(/\s+/);
    const figures = wide.slice(2).join(" ").split(/\s+/);
    expect(figures.filter((word) => !word.startsWith("─") && !narrow.includes(word))).toEqual([]);
  });

  test("a name is broken over two lines where that keeps all columns side by side", async () => {
    const table = section(await terminal(80), "Rablou 2010, beside");
    expect(table.filter((line) => line.startsWith("─"))).toHaveLength(1);
    expect(table.join("\n")).toMatch(/\nfaçade, 2 +1\.01.*\n {2}attributes\n/);
  });

  test("a publication's table has its rows, each as a multiple of the first, beside the stack of its style", async () => {
    const table = section(await terminal(100), "Djurhuus 2020, beside hello");
    expect(table.find((line) => line.startsWith("RPC "))).toMatch(/ 2\.33 +1\.19 +1\.00× +\d+ +[\d.]+ +1\.00×$/);
    expect(table.find((line) => line.startsWith("GraphQL "))).toMatch(/ 2\.64 +2\.52 +1\.13× +\d+ +[\d.]+ +[\d.]+×$/);
  });

  test("a sweep is one row per stack and variant", async () => {
    const table = section(await terminal(100), "façade: read: mean latency per task");
    expect(table[1]).toMatch(/^attributes +1 +2 +3 +4 +5 +6$/);
    expect(table).toHaveLength(3 + 10);
  });

  test("the box plot's axis is logarithmic when the range asks for it, and each arm has a median", async () => {
    const boxes = section(await terminal(100), "hello: latency per task");
    expect(boxes[0]).toBe("hello: latency per task, in µs, logarithmic");
    expect(boxes.slice(1, 5).every((line) => /├─*▒*┃▒*─*┤/.test(line))).toBe(true);
  });

  test("colour codes appear only when they are asked for, and carry no meaning of their own", async () => {
    const plain = await terminal(100);
    const coloured = await terminal(100, input, "\u001B[");
    // oxlint-disable-next-line no-control-regex
    const codes = /\u001B\[\d+m/g;
    expect(plain.join("\n")).not.toMatch(codes);
    expect(coloured.join("\n")).toMatch(codes);
    expect(coloured.map((line) => line.replaceAll(codes, ""))).toEqual(plain);
  });

  test("warnings and the environment are always shown", async () => {
    const text = (await terminal(100)).join("\n");
    expect(text).toContain("! client and server shared 2 cores");
    expect(text).toContain("link loopback with a round trip of 31 µs");
    expect(text).toContain("312 responses compared before timing: all agreed");
  });

  test("an interrupted run says so first", async () => {
    const rounds = { planned: 6, complete: 2, begun: 3 };
    const lines = await terminal(100, {
      ...input,
      facts: { ...input.facts, status: "interrupted" },
      analysis: { ...input.analysis, rounds },
    });
    expect(lines.slice(0, 2)).toEqual([
      "! This run was interrupted after 2 of 6 rounds and part of another: the figures are of what was",
      "  measured until then.",
    ]);
    expect(lines.join("\n")).toContain("2 of 6 rounds and part of another in 48 s");
  });

  test("control characters in foreign names do not reach the terminal", async () => {
    const hostile = JSON.parse(JSON.stringify(input).replaceAll('"GraphQL"', '"Graph\\u001b[2JQL"')) as ReportInput;
    expect((await terminal(100, hostile)).join("\n")).not.toContain("\u001B");
  });
});
