// How deviations that suites from outside find are held against those that have a reason.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { allowancesOn, judge } from "../../.ci/outside/suite.ts";
import { casesIn } from "../../.ci/outside/connect-conformance/cases-in.ts";
import { takeReport, type Tally } from "../../.ci/outside/schemathesis/report.ts";
import { loadSuite, suiteNames } from "../../.ci/outside/suite.ts";

const findings = [
  { id: "accepts GET /a?b 400", text: "" },
  { id: "accepts GET /c 504", text: "" },
  { id: "rejects PUT /c 200", text: "" },
];

const occurs = "in every run";
const stacks = "all";

describe("a deviation", () => {
  it("without a reason is a fault", () => {
    expect(judge(findings, []).faults).toEqual(findings);
  });

  it("is allowed by its id, letter for letter", () => {
    const { faults } = judge(findings, [{ id: "accepts GET /a?b 400", reason: "so", occurs, stacks }]);
    expect(faults.map(({ id }) => id)).toEqual(["accepts GET /c 504", "rejects PUT /c 200"]);
    expect(judge(findings, [{ id: "accepts GET /a.b 400", reason: "so", occurs, stacks }]).faults).toEqual(findings);
    expect(judge(findings, [{ id: "accepts GET /c 50", reason: "so", occurs, stacks }]).faults).toEqual(findings);
  });

  it("is allowed together with others of its kind where the reason is the same", () => {
    const { faults, allowed } = judge(findings, [{ id: "accepts * /*", reason: "so", occurs, stacks }]);
    expect(faults.map(({ id }) => id)).toEqual(["rejects PUT /c 200"]);
    expect(allowed).toEqual([{ id: "accepts * /*", reason: "so", occurs, stacks, kinds: 2 }]);
  });

  it("is reported if it no longer occurs, unless it occurs by chance", () => {
    const [gone, rare] = [
      { id: "gone", reason: "so", occurs, stacks },
      { id: "rare", reason: "so", occurs: "by chance", stacks },
    ] as const;
    expect(judge(findings, [gone, rare]).obsolete).toMatchObject([gone]);
  });

  it("is allowed only on the stacks whose library causes it", () => {
    const general = { id: "a", reason: "so", occurs, stacks } as const;
    const own = { id: "b", reason: "so", occurs, stacks: ["grpc-js"] } as const;
    expect(allowancesOn(["grpc-node-http2"], [general, own])).toEqual([general]);
    expect(allowancesOn(["rest-express", "grpc-js"], [general, own])).toEqual([general, own]);
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

describe("what connectconformance prints", () => {
  const permutation = "HTTPVersion:2/Compression:COMPRESSION_GZIP/TLS:true/(grpc client impl)";
  const end = "Total cases: 3\n1 passed, 2 failed\n";
  const output = [
    `FAILED: Basic/${permutation}/unary/success:`,
    "\ttrailers are odd",
    "\t; actual error does not match",
    "\t- wanted",
    "\t  (message) {",
    `FAILED: Errors/${permutation}/unary/aborted:`,
    "\texpecting an error but received none",
    "",
    end,
  ].join("\n");

  it("has cases without their permutation, each with its faults and without differences", () => {
    const { total, passed, failed } = casesIn(output);
    expect([total, passed]).toEqual([3, 1]);
    expect(failed).toEqual([
      { name: "Basic/unary/success", faults: ["trailers are odd", "actual error does not match"] },
      { name: "Errors/unary/aborted", faults: ["expecting an error but received none"] },
    ]);
  });

  it.each([
    ["has no end", output.replace(end, "")],
    ["says that cases did not run", `${output}Another 2 could not be run due to client timing out.`],
    ["counts more failures than it has", output.replace("2 failed", "3 failed")],
  ])("is refused if it %s", (_what, text) => {
    expect(() => casesIn(text)).toThrow(/cases/);
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
