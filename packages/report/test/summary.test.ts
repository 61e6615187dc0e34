import { describe, expect, test } from "vitest";
import stringWidth from "string-width";
import type { Claim, Warning } from "@roundtrip/analysis";
import { loadFormat } from "../src/index.ts";
import type { ReportInput } from "../src/view/report-input.ts";
import { defaultInput } from "./support/fixture.ts";

const input = defaultInput();
const files = [
  { path: "runs/one/run.json", holds: "facts" },
  { path: "runs/one/report.html", holds: "this report" },
];

async function summary(from: ReportInput = input, columns = 100, written = files): Promise<readonly string[]> {
  const format = await loadFormat("summary");
  const text = await format.render({ ...from, files: written, page: { columns, introducer: "" } });
  return text.trimEnd().split("\n");
}

function withAnalysis(part: Partial<ReportInput["analysis"]>): ReportInput {
  return { ...input, analysis: { ...input.analysis, ...part } };
}

const warning = (code: string, message: string): Warning => ({ code, message });

async function next(facts: Partial<ReportInput["facts"]>): Promise<string | undefined> {
  const lines = await summary({ ...input, facts: { ...input.facts, ...facts } });
  return / Next: (.*)\.$/.exec(
    lines
      .join(" ")
      .replaceAll(/ +/g, " ")
      .replace(/ (?:!|6 rounds).*/, ""),
  )?.[1];
}

describe("the summary", () => {
  test("has a table for each leading study, one box plot, the façade, what follows, and the report's path, in this order", async () => {
    const lines = await summary();
    const marks = [
      /^hello: time and cost of a task/,
      /^façade: read, 6 attributes: time and cost of a task/,
      /latency per task, in/,
      /^façade: one read in one call or in 6/,
      /^What follows$/,
      /^! /,
      /^Report: runs\/one\/report\.html/,
    ];
    const found = marks.map((mark) => lines.findIndex((line) => mark.test(line)));
    expect(found.every((line) => line >= 0)).toBe(true);
    expect(found).toEqual(found.toSorted((one, other) => one - other));
    expect(found.at(-1)).toBe(lines.length - 1);
  });

  test("of a repeated publication has its table first, and a line for each of its claims, within forty", async () => {
    const command = "roundtrip bench paper:2010";
    const lines = await summary({ ...input, facts: { ...input.facts, command } });
    expect(lines[0]).toMatch(/^Rablou 2010, beside façade/);
    const claims = input.published.find(({ name }) => name === "Rablou 2010")?.claims ?? [];
    for (const { found } of claims) expect(lines.filter((line) => line.includes(found.slice(0, 60)))).toHaveLength(1);
    expect(lines.some((line) => line.includes("Djurhuus"))).toBe(false);
    expect(lines.length).toBeLessThanOrEqual(40);
  });

  test("names linked data and the budget for what was left out as next steps, and no study of another contract", async () => {
    const cell = { study: "hello", task: "hello", variant: "single", factors: {}, priority: 2 };
    const leftOut = { cells: [cell], armIds: [], shareOfCalls: 1, withinMs: 57_000, budgetMs: 130_000 };
    const budget = "--budget 130s for what was left out";
    expect(await next({ leftOut })).toBe(`"bench linked" for data that is linked, ${budget}`);
    const hello = input.facts.arms.filter(({ study }) => study === "hello");
    expect(await next({ leftOut, arms: hello })).toBe(budget);
    const own = await next({ command: "roundtrip bench --contract shop.proto" });
    expect(own).toBe("--link rtt=20 for a round trip of 20 ms");
  });

  test("suggests nothing that would be refused: for a contract from settings, and for servers elsewhere", async () => {
    const arms = input.facts.arms.map((arm) => ({ ...arm, study: "contract" }));
    expect(await next({ arms, command: "roundtrip bench" })).toBeUndefined();
    const command = "roundtrip bench --contract proto";
    expect(await next({ arms, command: `${command} --serve ./server` })).toBeUndefined();
    const elsewhere = arms.map((arm) => ({ ...arm, target: "http://10.0.0.5:8080/" }));
    expect(await next({ arms: elsewhere, command })).toBeUndefined();
  });

  test.each([60, 80, 100, 160])("no line is wider than %i columns", async (columns) => {
    const lines = (await summary(input, columns)).slice(0, -1);
    expect(lines.filter((line) => stringWidth(line) > columns)).toEqual([]);
  });

  test("has at most 40 lines, however much there is to say", async () => {
    const warnings = Array.from({ length: 9 }, (_, index) => warning(`code ${index}`, "a long warning ".repeat(20)));
    const claims = ["x", "y", "z"].flatMap((study) =>
      input.analysis.claims.map((claim): Claim => ({ ...claim, study: `${claim.study} ${study}` })),
    );
    for (const columns of [80, 100]) {
      expect((await summary(withAnalysis({ claims, warnings }), columns)).length).toBeLessThanOrEqual(40);
    }
  });

  test("a table that is too long shows its first rows and counts the others", async () => {
    const [first] = input.analysis.arms;
    const ids = Array.from({ length: 30 }, (_, index) => `hello/hello/stack-${index}/single`);
    const arms = ids.map((id, index) => ({ ...first, id, title: `Stack ${index}` }) as typeof first & object);
    const ofFirst = input.analysis.summaries.filter(({ armId }) => armId === first?.id);
    const summaries = ids.flatMap((armId) => ofFirst.map((row) => ({ ...row, armId })));
    const lines = await summary(withAnalysis({ arms, summaries, comparisons: [], distributions: [] }));
    expect(lines.some((line) => /^… \d+ more rows?$/.test(line))).toBe(true);
    expect(lines.length).toBeLessThanOrEqual(40);
  });

  test("what makes figures void comes before other warnings; two lines hold what fits, and the rest is counted", async () => {
    const warnings = [
      warning("few-cores", "two cores"),
      warning("few-cores", "two cores again"),
      warning("x", "x"),
      warning("y", "y"),
      warning("void", "an arm is void"),
    ];
    const lines = (await summary(withAnalysis({ warnings, unsettled: [] }))).filter((line) => line.startsWith("! "));
    expect(lines).toEqual(["! an arm is void", "! 3 more warnings"]);
  });

  test("warnings that do not fit show the clauses that do, and cut none of these", async () => {
    const warnings = [
      warning("x", `the machine was busy: ${"beside other work ".repeat(9)}`),
      warning("y", `one clause; another: ${"and much more ".repeat(9)}`),
    ];
    const lines = (await summary(withAnalysis({ warnings, unsettled: [] }))).filter((line) => line.startsWith("! "));
    expect(lines.slice(0, 2)).toEqual(["! the machine was busy", "! one clause; another"]);
    const [unbroken] = (
      await summary(withAnalysis({ warnings: [warning("z", "unbroken ".repeat(40))], unsettled: [] }))
    ).filter((line) => line.startsWith("! "));
    expect(unbroken).toMatch(/^! (?:unbroken )+.*…$/);
  });

  test("shows no figures of other people's studies", async () => {
    expect((await summary()).join("\n")).not.toMatch(/Djurhuus|Rablou/);
  });
});
