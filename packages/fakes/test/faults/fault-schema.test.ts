// The JSON schema for editors agrees with the reader of fault plans.
import { builtInContract, canonicalCodes } from "@roundtrip/contract";
import { Ajv2020 } from "ajv/dist/2020.js";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { faultPresets } from "../../src/faults/fault-presets.ts";
import { parseFaultPlan, type MeasuredLatency } from "../../src/faults/read-fault-plan.ts";

interface PlanSchema {
  readonly properties: { readonly presets: { readonly items: { readonly enum: readonly string[] } } };
  readonly $defs: {
    readonly fault: {
      readonly properties: {
        readonly error: { readonly properties: { readonly code: { readonly enum: readonly string[] } } };
      };
    };
  };
}

const schema = JSON.parse(
  readFileSync(new URL("../../../../schema/faults.v1.schema.json", import.meta.url), "utf8"),
) as PlanSchema;
const validate = new Ajv2020({ allErrors: true, strictRequired: false }).compile(schema);
const contract = builtInContract();

const measured: MeasuredLatency = () => Promise.resolve({ measured: { valuesMs: [1] } });

async function isRead(text: string): Promise<boolean> {
  return parseFaultPlan(text, "faults.yaml", contract, measured).then(
    () => true,
    () => false,
  );
}

const delays = [
  "ms: 0",
  "ms: 3600000",
  "uniform: { fromMs: 1, toMs: 2.5 }",
  "exponential: { meanMs: 3 }",
  "lognormal: { medianMs: 1, p99Ms: 9 }",
  "measured: { valuesMs: [1, 2] }",
  "run: { directory: runs/yesterday }",
  'run: { directory: runs/yesterday, arm: "*/grpc-js/*" }',
];

const noDelays = [
  "ms: -1",
  "ms: 3600001",
  "ms: 30ms",
  "uniform: { fromMs: 1 }",
  "exponential: 3",
  "lognormal: { medianMs: 0, p99Ms: 9 }",
  "measured: { valuesMs: [] }",
  "measured: { valuesMs: [1, fast] }",
  "run: {}",
  "normal: { meanMs: 3 }",
  "ms: 3, exponential: { meanMs: 3 }",
];

const faults = [
  "error: { code: UNAVAILABLE }",
  'error: { code: NOT_FOUND, message: "no", details: { reason: R, domain: d, metadata: { a: "1" }, violations: [{ field: id }] } }',
  "drop: true",
  "truncate: true, probability: 0",
  "truncate: true, probability: 1",
];

const noFaults = [
  "error: {}",
  "error: { code: OK }",
  "error: { code: UNAVAILABLE, details: { reason: 3 } }",
  "drop: false",
  "drop: true, probability: 1.1",
  "drop: true, truncate: true",
  "drop: true, often: true",
  "probability: 1",
];

const latency = (delay: string): string => `latencies: [{ operation: Echo, ${delay} }]`;
const slow = (delay: string): string => `faults: [{ operation: Download, slow-stream: { ${delay} } }]`;
const fault = (text: string): string => `faults: [{ operation: Echo, ${text} }]`;

describe("schema/faults.v1.schema.json", () => {
  it.each([...delays.map(latency), ...delays.map(slow), ...faults.map(fault), "{}", "presets: [slow, down]"])(
    "takes what the reader takes: %s",
    async (text) => {
      expect({ read: await isRead(text), valid: validate(parse(text)) }).toEqual({ read: true, valid: true });
    },
  );

  it.each([
    ...noDelays.map(latency),
    ...noDelays.map(slow),
    ...noFaults.map(fault),
    "[]",
    "faults: {}",
    "presets: [fast]",
    "latency: []",
    "faults: [{ drop: true }]",
  ])("rejects what the reader rejects: %s", async (text) => {
    expect({ read: await isRead(text), valid: validate(parse(text)) }).toEqual({ read: false, valid: false });
  });

  it("contains every code and every preset", () => {
    expect(schema.$defs.fault.properties.error.properties.code.enum).toEqual(Object.keys(canonicalCodes));
    expect(schema.properties.presets.items.enum).toEqual(Object.keys(faultPresets));
  });
});
