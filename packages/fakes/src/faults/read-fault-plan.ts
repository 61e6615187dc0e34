// Reads fault plans from files and checks them against the contract before any call. Errors have file, line and column.
import type { Contract } from "@roundtrip/contract";
import { suggestion } from "@roundtrip/contract/text";
import { dirname, resolve } from "node:path";
import { FakeError, type ValuePath } from "../basics/fake-error.ts";
import { checked } from "../files/checked.ts";
import { type LocatedDocument, parseDocuments, readDocuments, withPosition } from "../files/located-documents.ts";
import { type Delay, type FaultPlan, faultPresets, faultSchemas } from "./fault-schema.ts";
import { resolvedPlan } from "./plan-rules.ts";

/** The source of measured latencies: a run directory, and the arms in it. */
export interface RunArm {
  readonly directory: string;
  /** An arm's id, or a pattern with `*` for any part of one. */
  readonly arm: string;
}

/** Reads latencies of a run, by an absolute path. Rejects with an error that says what is wrong with the run. */
export type MeasuredLatency = (from: RunArm) => Promise<Delay>;

/** This package cannot read runs; callers that can pass a function. */
const unmeasured: MeasuredLatency = () =>
  Promise.reject(new FakeError("unreadable", "only the command line can read runs; use another kind of delay"));

/** A delay, or a rule with one, with the latencies of the run that it names. */
async function measuredDelay<D extends Delay>(
  delay: D,
  path: ValuePath,
  { file }: LocatedDocument,
  measured: MeasuredLatency,
): Promise<D> {
  const { run, ...others } = delay;
  if (run === undefined) return delay;
  try {
    const read = await measured({ arm: run.arm ?? "*", directory: resolve(dirname(file), run.directory) });
    return { ...others, ...checked(faultSchemas().delay, read, []) } as unknown as D;
  } catch (cause) {
    const text = cause instanceof Error ? cause.message : String(cause);
    throw new FakeError("unreadable", text, { path: [...path, "run"], cause });
  }
}

/** The plan of a document with all runs read. */
async function planOf(document: LocatedDocument, contract: Contract, measured: MeasuredLatency): Promise<FaultPlan> {
  try {
    const plan = checked(faultSchemas().plan, document.value, []);
    const { faults = [], latencies = [] } = plan;
    const whole: FaultPlan = {
      ...plan,
      faults: await Promise.all(
        faults.map(async ({ "slow-stream": slow, ...rule }, index) => {
          if (slow === undefined) return rule;
          const path = ["faults", index, "slow-stream"];
          return { ...rule, "slow-stream": await measuredDelay(slow, path, document, measured) };
        }),
      ),
      latencies: await Promise.all(
        latencies.map((rule, index) => measuredDelay(rule, ["latencies", index], document, measured)),
      ),
    };
    resolvedPlan(whole, contract);
    return whole;
  } catch (thrown) {
    throw withPosition(thrown, document);
  }
}

async function planIn(
  documents: readonly LocatedDocument[],
  contract: Contract,
  measured: MeasuredLatency,
): Promise<FaultPlan> {
  const plans = await Promise.all(documents.map((document) => planOf(document, contract, measured)));
  const members = {
    presets: plans.flatMap(({ presets = [] }) => presets),
    faults: plans.flatMap(({ faults = [] }) => faults),
    latencies: plans.flatMap(({ latencies = [] }) => latencies),
  };
  return Object.fromEntries(Object.entries(members).filter(([, rules]) => rules.length > 0)) as FaultPlan;
}

/**
 * Parses a plan in YAML or JSON. Rejects with a FakeError with the position of the first error.
 * @param file the name of the text in errors; paths in the text are relative to its folder
 */
export async function parseFaultPlan(
  text: string,
  file: string,
  contract: Contract,
  measured: MeasuredLatency = unmeasured,
): Promise<FaultPlan> {
  return await planIn(parseDocuments(text, file), contract, measured);
}

/** Adds the preset that the path resembles; and all presets, if the path may be meant as a name. */
function withPresetNames(thrown: unknown, path: string): unknown {
  const names = Object.keys(faultPresets);
  const all = /^[\w-]+$/.test(path) ? ` (built-in plans: ${names.join(", ")})` : "";
  const more = `${suggestion(path, names)}${all}`;
  if (more === "" || !(thrown instanceof FakeError) || thrown.position !== undefined) return thrown;
  return new FakeError(thrown.code, `${thrown.what}${more}`, { cause: thrown });
}

/**
 * Reads the plan in a file, or in all .yaml, .yml and .json files of a folder in the order of their paths; earlier rules apply first. Rejects with a
 * FakeError with file, line and column.
 * @param path a preset's name means the preset; for a file of that name, use a path such as `./flaky`
 */
export async function readFaultPlan(
  path: string,
  contract: Contract,
  measured: MeasuredLatency = unmeasured,
): Promise<FaultPlan> {
  if (Object.hasOwn(faultPresets, path)) return { presets: [path as keyof typeof faultPresets] };
  const documents = await readDocuments(path).catch((thrown: unknown) => {
    throw withPresetNames(thrown, path);
  });
  return await planIn(documents, contract, measured);
}
