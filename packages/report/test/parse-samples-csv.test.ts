import { againstFirst, analyse, analyseDefaults, fromLongForm } from "@roundtrip/analysis";
import { array, assert, constantFrom, double, nat, property, record, string } from "fast-check";
import { describe, expect, test } from "vitest";
import { loadFormat, parseSamplesCsv, ReportError } from "../src/index.ts";

const fault = (text: string): string => {
  try {
    parseSamplesCsv(text);
  } catch (error) {
    if (error instanceof ReportError) return `${error.code}: ${error.message}`;
    throw error;
  }
  return "none";
};

describe("foreign samples", () => {
  test("long form is read row by row", () => {
    expect(parseSamplesCsv("arm,round,latencyMs\ngRPC,0,1.5\nREST,1,2e-1\n")).toEqual([
      { arm: "gRPC", round: 0, latencyMs: 1.5 },
      { arm: "REST", round: 1, latencyMs: 0.2 },
    ]);
  });

  test("one row per arm is read as nanoseconds, all of one round", () => {
    expect(parseSamplesCsv("gRPC,1500000,250\nREST,2000000,,\n")).toEqual([
      { arm: "gRPC", round: 0, latencyMs: 1.5 },
      { arm: "gRPC", round: 0, latencyMs: 0.00025 },
      { arm: "REST", round: 0, latencyMs: 2 },
    ]);
  });

  test("quoted names, Windows line ends, a byte order mark, blanks and empty lines do no harm", () => {
    expect(parseSamplesCsv('\uFEFF"Arm", Round, LatencyMs\r\n\r\n"a, ""b""",2, 3 \r\n')).toEqual([
      { arm: 'a, "b"', round: 2, latencyMs: 3 },
    ]);
  });

  test.each([
    ["arm,round,latencyMs\na,0,1\na,0,abc\n", 'broken-csv: line 3: latencyMs is not a number: "abc"'],
    ["arm,round,latencyMs\na,0,\n", "broken-csv: line 2: latencyMs is missing"],
    ["arm,round,latencyMs\na,0,0x10\n", 'broken-csv: line 2: latencyMs is not a number: "0x10"'],
    ["arm,round,latencyMs\na,0,-1\n", 'broken-csv: line 2: latencyMs is negative: "-1"'],
    ["arm,round,latencyMs\na,0,1e999\n", 'broken-csv: line 2: latencyMs is too large: "1e999"'],
    ["arm,round,latencyMs\na,0.5,1\n", 'broken-csv: line 2: round is not a whole number: "0.5"'],
    ["arm,round,latencyMs\na,1\n", "broken-csv: line 2: expected 3 columns (arm, round, latencyMs), found 2"],
    ["arm,round,latencyMs\n,1,1\n", "broken-csv: line 2: the arm has no name; put one in the first column"],
    ["arm,round,latencyMs\n", "broken-csv: line 1: there are no samples below the header"],
    ["arm,latencyMs\na,1\n", 'broken-csv: line 1: the header is "arm,latencyMs"; write it as arm,round,latencyMs'],
    ["a,1\nb,2,x\n", 'broken-csv: line 2: column 3 (nanoseconds) is not a number: "x"'],
    ["a,1\n\nb\n", 'broken-csv: line 3: "b" has no samples; put nanoseconds after the name'],
    [
      "a,1\na,2\n",
      'broken-csv: line 2: "a" was on line 1 already; give each arm one row, or use the header arm,round,latencyMs',
    ],
    ["", "broken-csv: line 1: there are no samples"],
  ])("%j gives one clear line", (text, message) => {
    expect(fault(text)).toBe(message);
  });

  test("whatever the text, the answer is samples or a ReportError", () => {
    assert(
      property(string({ unit: constantFrom("a", "1", ",", "\n", '"', ".", "-", "é", "\r") }), (text) => {
        expect(fault(text)).toMatch(/^(none|broken-csv: line \d+: .+)/s);
      }),
    );
  });

  test("numbers that are written are the numbers that are read", () => {
    const rows = array(
      record({
        arm: string({ minLength: 1 }).filter((name) => name.trim() === name && !name.includes("\r")),
        round: nat(),
        latencyMs: double({ min: 0, max: 1e9, noNaN: true }).map((value) => value + 0),
      }),
      { minLength: 1 },
    );
    assert(
      property(rows, (samples) => {
        const lines = samples.map(
          ({ arm, round, latencyMs }) => `"${arm.replaceAll('"', '""')}",${round},${latencyMs}`,
        );
        expect(parseSamplesCsv(["arm,round,latencyMs", ...lines].join("\n"))).toEqual(samples);
      }),
    );
  });

  test.each(["csv", "html", "json", "markdown", "terminal"])(
    "go through the analysis into a %s report",
    async (name) => {
      const lines = ["theirs", "ours"].flatMap((arm, index) =>
        Array.from({ length: 60 }, (_, at) => `${arm},${at % 6},${(1 + index + (at % 7) / 10).toFixed(2)}`),
      );
      const { facts, samples } = fromLongForm(parseSamplesCsv(["arm,round,latencyMs", ...lines].join("\n")));
      const analysis = analyse(facts, samples, { ...analyseDefaults, pairs: againstFirst });
      const format = await loadFormat(name);
      const text = await format.render({
        facts,
        analysis,
        published: [],
        files: [],
        page: { columns: 100, introducer: "" },
      });
      expect(text).toContain("theirs");
      expect(text).toContain("ours");
      expect(text.includes("another tool")).toBe(name !== "csv");
      expect(text).not.toMatch(/NaN|undefined/);
      // What this project's runner does was not done to these samples.
      expect(text).not.toMatch(/Equal answers first|fresh processes|not recorded, 0 cores|responses compared/);
    },
  );
});
