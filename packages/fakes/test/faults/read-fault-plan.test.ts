// Reads plans from files, and reports errors with their position before any call.
import { builtInContract, canonicalCodes } from "@roundtrip/contract";
import { Ajv2020 } from "ajv/dist/2020.js";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { FakeError } from "../../src/basics/fake-error.ts";
import { faultPresets, noFaults } from "../../src/faults/fault-schema.ts";
import { jsonSchemas } from "../../src/files/json-schemas.ts";
import { withPresets } from "../../src/faults/plan-rules.ts";
import { faulting } from "../../src/faults/faulting.ts";
import { parseFaultPlan, readFaultPlan } from "../../src/faults/read-fault-plan.ts";

const contract = builtInContract();
const codes = Object.keys(canonicalCodes).join(", ");

const whole = `
faults:
  - operation: GetCustomer
    probability: 0.25
    error:
      code: NOT_FOUND
      message: nobody
      details: { reason: GONE, domain: example.com, metadata: { id: "1" }, violations: [{ field: id, description: gone, reason: gone }] }
  - { operation: "roundtrip.v1.HelloService.*", error: { code: RESOURCE_EXHAUSTED } }
  - { operation: "*", probability: 0.01, drop: true }
  - { operation: "*", probability: 0, truncate: true }
  - { operation: Download, slow-stream: { uniform: { fromMs: 1, toMs: 2 } } }
latencies:
  - { operation: SayHello, ms: 30 }
  - { operation: Echo, exponential: { meanMs: 20 } }
  - { operation: "*.CustomerService.*", lognormal: { medianMs: 20, p99Ms: 200 } }
  - { operation: "*", measured: { valuesMs: [1, 2.5, 3] } }
`;

/** The error of an invalid plan. */
async function faultIn(text: string): Promise<FakeError> {
  const thrown: unknown = await parseFaultPlan(text, "faults.yaml", contract).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (thrown instanceof FakeError) return thrown;
  throw new Error("that is a plan", { cause: thrown });
}

describe("a plan in a file", () => {
  it("can use every feature of a plan, and is read as it is written", async () => {
    expect(await parseFaultPlan(whole, "faults.yaml", contract)).toEqual(parse(whole));
  });

  it("can be JSON, empty, or several documents and files in order", async () => {
    expect(await parseFaultPlan("", "faults.yaml", contract)).toEqual(noFaults);
    expect(await parseFaultPlan("{}", "faults.json", contract)).toEqual(noFaults);
    const directory = await mkdtemp(join(tmpdir(), "roundtrip-faults-"));
    onTestFinished(() => rm(directory, { recursive: true }));
    await writeFile(join(directory, "b.json"), '{"latencies": [{"operation": "*", "ms": 3}]}');
    await writeFile(
      join(directory, "a.yaml"),
      'latencies: [{ operation: "*", ms: 1 }]\n---\nlatencies: [{ operation: "*", ms: 2 }]\n',
    );
    const { latencies } = await readFaultPlan(directory, contract);
    expect(latencies).toEqual([1, 2, 3].map((ms) => ({ operation: "*", ms })));
  });

  it("can have its own rules before those of presets", async () => {
    const text = "presets: [down]\nfaults: [{ operation: Echo, error: { code: ABORTED } }]\n";
    const { faults } = withPresets(await parseFaultPlan(text, "faults.yaml", contract));
    expect(faults).toMatchObject([{ error: { code: "ABORTED" } }, { drop: true }]);
  });

  it.each(Object.entries(faultPresets))("can be the preset %s, which fits any contract", async (name, preset) => {
    const plan = await readFaultPlan(name, contract);
    expect(plan).toEqual({ presets: [name] });
    expect(withPresets(plan)).toEqual(withPresets(preset));
    expect(() => faulting(contract, preset, 1)).not.toThrow();
  });

  it("can name a run that a passed function reads, relative to the file", async () => {
    const text = "latencies: [{ operation: '*', run: { directory: runs/yesterday, arm: 'hello*' } }]";
    const asked: unknown[] = [];
    const { latencies } = await parseFaultPlan(text, "/somewhere/faults.yaml", contract, (from) => {
      asked.push(from);
      return Promise.resolve({ measured: { valuesMs: [7] } });
    });
    expect(asked).toEqual([{ directory: "/somewhere/runs/yesterday", arm: "hello*" }]);
    expect(latencies).toEqual([{ operation: "*", measured: { valuesMs: [7] } }]);
  });
});

describe("an error in a plan has its position:", () => {
  it.each([
    [
      "an operation that is not there",
      "faults:\n  - operation: GetCustomr\n    drop: true",
      'faults.yaml:2:5: faults[0].operation: the contract has no operation "GetCustomr"; did you mean "GetCustomer"?',
    ],
    [
      "a pattern that matches nothing",
      "latencies:\n  - { operation: 'roundtrip.v2.*', ms: 3 }",
      'faults.yaml:2:7: latencies[0].operation: no operation of the contract matches "roundtrip.v2.*"',
    ],
    [
      "a rule without an operation",
      "faults:\n  - drop: true",
      "faults.yaml:2:5: faults[0].operation: expected the name of an operation, or a pattern with *, got nothing",
    ],
    [
      "a member that is not there",
      "faults:\n  - operation: Echo\n    probabilty: 0.1\n    drop: true",
      'faults.yaml:3:5: faults[0].probabilty: unknown member "probabilty" in a fault; did you mean "probability"? (valid: operation, probability, error, drop, truncate, slow-stream)',
    ],
    [
      "a rule without a fault",
      "faults: [{ operation: Echo }]",
      "faults.yaml:1:10: faults[0]: expected one of error, drop, truncate, slow-stream; got none",
    ],
    [
      "an unknown code",
      "faults: [{ operation: Echo, error: { code: NOTFOUND } }]",
      `faults.yaml:1:38: faults[0].error.code: unknown error code "NOTFOUND"; did you mean "NOT_FOUND"? (valid: ${codes})`,
    ],
    [
      "a slow-stream fault of an operation that does not stream",
      "faults: [{ operation: Echo, slow-stream: { ms: 3 } }]",
      "faults.yaml:1:29: faults[0].slow-stream: roundtrip.v1.PayloadService.Echo does not return a stream: use a latency",
    ],
    [
      "a delay that ends before it begins",
      "latencies: [{ operation: Echo, uniform: { fromMs: 20, toMs: 10 } }]",
      "faults.yaml:1:55: latencies[0].uniform.toMs: expected milliseconds from 20 to 3600000, got 10",
    ],
    [
      "a median of nothing",
      "latencies: [{ operation: Echo, lognormal: { medianMs: 0, p99Ms: 10 } }]",
      "faults.yaml:1:45: latencies[0].lognormal.medianMs: expected milliseconds from 0.001 to 3600000, got 0",
    ],
    [
      "a run that nobody can read",
      "latencies: [{ operation: Echo, run: { directory: runs } }]",
      "faults.yaml:1:32: latencies[0].run: only the command line can read runs; use another kind of delay",
    ],
    [
      "a preset that is not there",
      "presets: [flakey]",
      'faults.yaml:1:11: presets[0]: unknown preset "flakey"; did you mean "flaky"? (valid: flaky, slow, overloaded, down, hanging)',
    ],
    [
      "a plan that is a list",
      "- operation: Echo",
      'faults.yaml:1:1: expected a fault plan: an object with presets, faults, latencies, got [{"operation":"Echo"}]',
    ],
  ])("%s", async (_what, text, message) => {
    expect((await faultIn(text)).message).toBe(message);
  });

  // The JSON schema is made from the same schema.
  const isValid = new Ajv2020({ allErrors: true, strictRequired: false }).compile(
    jsonSchemas()["faults.v1.schema.json"],
  );

  it.each([
    whole,
    "{}",
    "presets: [slow, down]",
    'latencies: [{ operation: Echo, run: { directory: runs, arm: "*/grpc-js/*" } }]',
  ])("the JSON schema allows %s", (text) => {
    expect(isValid(parse(text))).toBe(true);
  });

  it.each([
    "ms: 30ms",
    "uniform: { fromMs: 1 }",
    "measured: { valuesMs: [] }",
    "normal: { meanMs: 3 }",
    "ms: 3, exponential: { meanMs: 3 }",
  ])("the reader and the JSON schema refuse the delay %s, and the same in a stream", async (delay) => {
    for (const text of [
      `latencies: [{ operation: Echo, ${delay} }]`,
      `faults: [{ operation: Download, slow-stream: { ${delay} } }]`,
    ]) {
      expect(isValid(parse(text))).toBe(false);
      expect(await faultIn(text)).toBeInstanceOf(FakeError);
    }
  });

  it.each([
    "error: {}",
    "error: { code: UNAVAILABLE, details: { reason: 3 } }",
    "drop: true, probability: 1.1",
    "drop: true, truncate: true",
  ])("the reader and the JSON schema refuse the fault %s", async (fault) => {
    const text = `faults: [{ operation: Echo, ${fault} }]`;
    expect(isValid(parse(text))).toBe(false);
    expect(await faultIn(text)).toBeInstanceOf(FakeError);
  });

  it("rejects too many rules", async () => {
    const rules = Array.from({ length: 10_001 }, () => '{"operation":"*","ms":1}').join(",");
    expect(await faultIn(`{"latencies":[${rules}]}`)).toMatchObject({ code: "too-large" });
  });

  it("rejects a missing file", async () => {
    await expect(readFaultPlan("/no/such/faults.yaml", contract)).rejects.toThrow(
      /^cannot read \/no\/such\/faults\.yaml: no such file or folder$/,
    );
  });

  it("lists the presets, and suggests the nearest", async () => {
    await expect(readFaultPlan("flakey", contract)).rejects.toThrow(
      /^cannot read flakey: no such file or folder; did you mean "flaky"\? \(built-in plans: flaky, slow, overloaded, down, hanging\)$/,
    );
  });
});
