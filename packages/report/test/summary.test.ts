import { describe, expect, test } from "vitest";
import stringWidth from "string-width";
import type { Finding, Warning } from "@roundtrip/analysis";
import { loadFormat } from "../src/index.ts";
import type { ReportInput } from "../src/view/report-input.ts";
import { defaultInput } from "./support/fixture.ts";

const input = defaultInput();
const files = [
  { path: "runs/one/run.json", holds: "facts and summaries" },
  { path: "runs/one/report.html", holds: "this report" },
];

async function summary(from: ReportInput = input, columns = 100, written = files): Promise<readonly string[]> {
  const format = await loadFormat("summary");
  const text = await format.render({ ...from, files: written, page: { columns, colour: false } });
  return text.trimEnd().split("\n");
}

function withAnalysis(part: Partial<ReportInput["analysis"]>): ReportInput {
  return { ...input, analysis: { ...input.analysis, ...part } };
}

const wordy = (index: number): Finding => ({
  code: "fastest",
  study: `study ${index}`,
  sentence: `${index} ${"a long sentence about it ".repeat(9)}.`,
  strength: "clear",
  armIds: [],
});

const warning = (code: string, message: string): Warning => ({ code, message });

async function next(facts: Partial<ReportInput["facts"]>): Promise<string | undefined> {
  return (await summary({ ...input, facts: { ...input.facts, ...facts } })).at(-1);
}

describe("the summary", () => {
  test("has the verdict, one table and one box plot of the first study, the report's path and what to run next", async () => {
    const lines = await summary();
    expect(lines[0]).toBe("VERDICT");
    expect(lines.filter((line) => line.includes("latency and cost per task"))).toHaveLength(1);
    expect(lines.filter((line) => line.includes("latency per task, in"))).toHaveLength(1);
    expect(lines.at(-2)).toBe("Report: runs/one/report.html");
    expect(lines.at(-1)).toBe('Next:   "report runs/one --full" for everything; "bench libraries" for other servers');
  });

  test("names the budget for what was left out as the next step, and no study of another contract", async () => {
    const cell = { study: "hello", task: "hello", variant: "single", factors: {}, priority: 2 };
    const leftOut = { cells: [cell], armIds: [], shareOfCalls: 1, withinMs: 57_000, budgetMs: 130_000 };
    expect(await next({ leftOut })).toMatch(/; --budget 130s for what was left out$/);
    const own = await next({ command: "roundtrip bench --contract shop.proto" });
    expect(own).toMatch(/; --rtt 20 for 20 ms of distance$/);
  });

  test("suggests nothing that would be refused: for a contract from settings, and for servers elsewhere", async () => {
    const arms = input.facts.arms.map((arm) => ({ ...arm, study: "contract" }));
    const nothing = 'Next:   "report runs/one --full" for everything';
    expect(await next({ arms, command: "roundtrip bench" })).toBe(nothing);
    const command = "roundtrip bench --contract proto";
    expect(await next({ arms, command: `${command} --serve ./server` })).toBe(nothing);
    const elsewhere = arms.map((arm) => ({ ...arm, target: "http://10.0.0.5:8080/" }));
    expect(await next({ arms: elsewhere, command })).toBe(nothing);
  });

  test("keeps a path whole that is wider than the terminal, and what is below the tables too", async () => {
    const path = `runs/${"a-long-name-".repeat(6)}/report.html`;
    const cpuModel = "Intel(R) Xeon(R) Platinum 8375C CPU @ 2.90GHz";
    const facts = { ...input.facts, environment: { ...input.facts.environment, cpuModel } };
    const lines = await summary({ ...input, facts }, 60, [{ path, holds: "this report" }]);
    expect(lines).toContain(`Report: ${path}`);
    const text = lines.join(" ").replaceAll(/ +/g, " ");
    expect(text).toContain(`on ${cpuModel}, 2 cores; 312 responses compared before timing: all agreed`);
    expect(lines.at(-1)).toBe('        "bench libraries" for other servers');
  });

  test.each([60, 80, 100, 160])("no line is wider than %i columns", async (columns) => {
    expect((await summary(input, columns)).filter((line) => stringWidth(line) > columns)).toEqual([]);
  });

  test("has at most 45 lines, however much there is to say", async () => {
    const findings = Array.from({ length: 30 }, (_, index) => wordy(index));
    const warnings = Array.from({ length: 9 }, (_, index) => warning(`code ${index}`, "a long warning ".repeat(20)));
    for (const columns of [60, 80, 100]) {
      expect((await summary(withAnalysis({ findings, warnings }), columns)).length).toBeLessThanOrEqual(45);
    }
  });

  test("cuts no sentence of the verdict, has eight at most, and counts the others", async () => {
    const findings = Array.from({ length: 12 }, (_, index) => ({ ...wordy(index), sentence: `Sentence ${index}.` }));
    const lines = await summary(withAnalysis({ findings }));
    expect(lines.filter((line) => line.includes("Sentence"))).toHaveLength(8);
    expect(lines.join("\n")).toContain("4 more findings");
  });

  test("a table that is too long shows its first rows and counts the others", async () => {
    const [first] = input.analysis.arms;
    const ids = Array.from({ length: 30 }, (_, index) => `hello/hello/stack-${index}/single`);
    const arms = ids.map((id, index) => ({ ...first, id, title: `Stack ${index}` }) as typeof first & object);
    const ofFirst = input.analysis.summaries.filter(({ armId }) => armId === first?.id);
    const summaries = ids.flatMap((armId) => ofFirst.map((row) => ({ ...row, armId })));
    const lines = await summary(withAnalysis({ arms, summaries, comparisons: [], distributions: [] }));
    expect(lines.some((line) => /^… \d+ more rows?$/.test(line))).toBe(true);
    expect(lines.length).toBeLessThanOrEqual(45);
  });

  test("what makes figures void comes before other warnings; three lines hold what fits, and the rest is counted", async () => {
    const warnings = [
      warning("few-cores", "two cores"),
      warning("few-cores", "two cores again"),
      warning("x", "x"),
      warning("y", "y"),
      warning("void", "an arm is void"),
    ];
    const lines = (await summary(withAnalysis({ warnings, unsettled: [] }))).filter((line) => line.startsWith("! "));
    expect(lines).toEqual(["! an arm is void", "! two cores (and 1 more of this kind)", "! 2 more warnings"]);
  });

  test("warnings that do not fit show the clauses that do, and cut none of these", async () => {
    const warnings = [
      warning("x", `the machine was busy: ${"beside other work ".repeat(9)}`),
      warning("y", `one clause; another: ${"and much more ".repeat(9)}`),
      warning("z", "unbroken ".repeat(20)),
    ];
    const lines = (await summary(withAnalysis({ warnings, unsettled: [] }))).filter((line) => line.startsWith("! "));
    expect(lines.slice(0, 2)).toEqual(["! the machine was busy", "! one clause; another"]);
    expect(lines[2]).toMatch(/^! (?:unbroken )+.*…$/);
  });

  test("shows no figures of other people's studies", async () => {
    expect((await summary()).join("\n")).not.toMatch(/Djurhuus|Rablou/);
  });

  test("an interrupted run says so before its verdict", async () => {
    const rounds = { planned: 6, complete: 2, begun: 3 };
    const [first] = await summary({ ...withAnalysis({ rounds }), facts: { ...input.facts, status: "interrupted" } });
    expect(first).toMatch(/^! This run was interrupted after 2 of 6 rounds/);
  });
});
