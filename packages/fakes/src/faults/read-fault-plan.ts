// Reads fault plans from files and checks them against the contract before any call. Errors have file, line and column.
import type { Contract } from "@roundtrip/contract";
import { suggestion } from "@roundtrip/contract/text";
import { dirname, resolve } from "node:path";
import { FakeError } from "../basics/fake-error.ts";
import { parseDocuments, type LocatedDocument } from "../files/located-documents.ts";
import { readDocuments } from "../files/read-documents.ts";
import { checkDelay } from "./delays.ts";
import type { RunArm, WrittenDelay } from "./delay-form.ts";
import type { Delay, FaultPlan } from "./fault-plan.ts";
import { faultPresets } from "./fault-presets.ts";
import { planOf } from "./plan-form.ts";
import { rememberText } from "./plan-text.ts";

/** Reads latencies of a run, by an absolute path. Rejects with an error that says what is wrong with the run. */
export type MeasuredLatency = (from: RunArm) => Promise<Delay>;

/** This package cannot read runs; callers that can pass a function. */
const unmeasured: MeasuredLatency = () =>
  Promise.reject(new FakeError("unreadable", "only the command line can read runs; use another kind of delay"));

/** Adds the position in the file to an error. */
function withPosition(thrown: unknown, document: LocatedDocument): unknown {
  if (!(thrown instanceof FakeError) || thrown.position !== undefined) return thrown;
  const { code, what, path } = thrown;
  return new FakeError(code, what, { position: document.positionOf(path), path, cause: thrown });
}

async function measuredDelay(
  delay: WrittenDelay,
  { file }: LocatedDocument,
  measured: MeasuredLatency,
): Promise<Delay> {
  if (delay.kind !== "run") return delay;
  const { from, path } = delay;
  try {
    const read = await measured({ ...from, directory: resolve(dirname(file), from.directory) });
    checkDelay(read, path);
    return read;
  } catch (cause) {
    throw new FakeError("unreadable", cause instanceof Error ? cause.message : String(cause), { path, cause });
  }
}

/** The plan of a document with all delays read. */
async function wholePlan(document: LocatedDocument, contract: Contract, measured: MeasuredLatency): Promise<FaultPlan> {
  try {
    const written = planOf(document.value, contract);
    const read = (delay: WrittenDelay): Promise<Delay> => measuredDelay(delay, document, measured);
    const faults = written.faults.map(async ({ fault, ...rule }) =>
      fault.kind === "slow-stream"
        ? { ...rule, fault: { ...fault, between: await read(fault.between) } }
        : { ...rule, fault },
    );
    const latencies = written.latencies.map(async ({ delay, ...rule }) => ({ ...rule, delay: await read(delay) }));
    return { faults: await Promise.all(faults), latencies: await Promise.all(latencies) };
  } catch (thrown) {
    throw withPosition(thrown, document);
  }
}

async function planIn(
  documents: readonly LocatedDocument[],
  contract: Contract,
  measured: MeasuredLatency,
): Promise<FaultPlan> {
  let areRunsRead = false;
  const reading: MeasuredLatency = (from) => {
    areRunsRead = true;
    return measured(from);
  };
  const plans = await Promise.all(documents.map((document) => wholePlan(document, contract, reading)));
  const plan = {
    faults: plans.flatMap(({ faults }) => faults),
    latencies: plans.flatMap(({ latencies }) => latencies),
  };
  // A text that refers to a run can only be read by programs that read runs.
  if (!areRunsRead) rememberText(plan, [...new Set(documents.map(({ text }) => text))].join("\n---\n"));
  return plan;
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
function withPresets(thrown: unknown, path: string): unknown {
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
  if (Object.hasOwn(faultPresets, path)) return faultPresets[path as keyof typeof faultPresets];
  const documents = await readDocuments(path).catch((thrown: unknown) => {
    throw withPresets(thrown, path);
  });
  return await planIn(documents, contract, measured);
}
