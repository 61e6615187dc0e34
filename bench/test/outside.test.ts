// How deviations that suites from outside find are held against those that have a reason.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { judge } from "../../.ci/outside/judge.ts";
import { takeReport, type Tally } from "../../.ci/outside/schemathesis/report.ts";
import { loadSuite, suiteNames } from "../../.ci/outside/suites.ts";

const findings = [
  { id: "accepts GET /a?b 400", text: "" },
  { id: "accepts GET /c 504", text: "" },
  { id: "rejects PUT /c 200", text: "" },
];

const occurs = "in every run";

describe("a deviation", () => {
  it("without a reason is a fault", () => {
    expect(judge(findings, []).faults).toEqual(findings);
  });

  it("is allowed by its id, letter for letter", () => {
    const { faults } = judge(findings, [{ id: "accepts GET /a?b 400", reason: "so", occurs }]);
    expect(faults.map(({ id }) => id)).toEqual(["accepts GET /c 504", "rejects PUT /c 200"]);
    expect(judge(findings, [{ id: "accepts GET /a.b 400", reason: "so", occurs }]).faults).toEqual(findings);
    expect(judge(findings, [{ id: "accepts GET /c 50", reason: "so", occurs }]).faults).toEqual(findings);
  });

  it("is allowed together with others of its kind where the reason is the same", () => {
    const { faults, allowed } = judge(findings, [{ id: "accepts * /*", reason: "so", occurs }]);
    expect(faults.map(({ id }) => id)).toEqual(["rejects PUT /c 200"]);
    expect(allowed).toEqual([{ id: "accepts * /*", reason: "so", occurs, kinds: 2 }]);
  });

  it("is reported if it no longer occurs, unless it occurs by chance", () => {
    const [gone, rare] = [
      { id: "gone", reason: "so", occurs },
      { id: "rare", reason: "so", occurs: "by chance" },
    ] as const;
    expect(judge(findings, [gone, rare]).obsolete).toMatchObject([gone]);
  });
});

function answer(status: number, body: unknown): unknown {
  return { status_code: status, content: { $base64: Buffer.from(JSON.stringify(body)).toString("base64") } };
}

async function tallyOf(events: readonly unknown[]): Promise<Tally> {
  const workspace = mkdtempSync(join(tmpdir(), "roundtrip-report-"));
  try {
    const path = join(workspace, "report.ndjson");
    writeFileSync(path, events.map((event) => JSON.stringify(event)).join("\n"));
    const tally: Tally = { sent: 0, passed: 0, findings: new Map() };
    await takeReport(path, tally);
    return tally;
  } finally {
    rmSync(workspace, { recursive: true });
  }
}

describe("a report of schemathesis", () => {
  const failure = { failure: { title: "Server error", message: "first\nsecond" } };
  const scenario = {
    ScenarioFinished: {
      recorder: {
        cases: { a: { value: { method: "GET", path: "/a" } }, b: { value: { method: "PUT", path: "/b" } } },
        checks: {
          a: [{ name: "schema", status: "success" }],
          b: [{ name: "errors", status: "failure", failure_info: failure }],
        },
        interactions: {
          a: { request: { uri: "/a" }, response: answer(200, {}) },
          b: {
            request: { uri: "/b" },
            response: answer(500, { code: "INTERNAL", violations: [{ field: "zÿ", reason: "json" }] }),
          },
        },
      },
    },
  };
  const end = { EngineFinished: { stop_reason: "completed" } };

  it("counts requests, and distinguishes deviations by check, operation, status, code and field", async () => {
    const { sent, passed, findings: found } = await tallyOf([scenario, scenario, end]);
    expect([sent, passed]).toEqual([4, 2]);
    expect([...found.values()]).toEqual([
      { id: "errors PUT /b 500 INTERNAL …/json", text: "Server error: first at /b" },
    ]);
  });

  it("is worth nothing without its end", async () => {
    await expect(tallyOf([scenario])).rejects.toThrow("ended");
  });

  it("with an error is a deviation, even if no check failed", async () => {
    const { findings: found } = await tallyOf([{ NonFatalError: { label: "GET /a", value: "no route" } }, end]);
    expect([...found.keys()]).toEqual(["error GET /a"]);
  });
});

describe("every suite", () => {
  it.each(suiteNames())("%s says what it is, what it needs and why it allows what it allows", async (name) => {
    const { about, styles, allowed } = await loadSuite(name);
    expect(about).not.toBe("");
    expect(styles).not.toEqual([]);
    expect(allowed.filter(({ reason }) => reason === "")).toEqual([]);
    expect(new Set(allowed.map(({ id }) => id)).size).toBe(allowed.length);
  });
});
