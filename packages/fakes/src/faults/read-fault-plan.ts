// Reads fault plans from files and checks them against the contract before any call. Errors have file, line and column.
import type { JsonObject } from "@bufbuild/protobuf";
import type { Contract } from "@roundtrip/contract";
import { suggestion } from "@roundtrip/contract/text";
import { dirname, resolve } from "node:path";
import { FakeError, type ValuePath } from "../basics/fake-error.ts";
import { parseDocuments, type LocatedDocument } from "../files/located-documents.ts";
import { readDocuments } from "../files/read-documents.ts";
import { checkDelay, type RunArm } from "./delays.ts";
import type { Delay, FaultPlan } from "./fault-plan.ts";
import { faultPresets, rememberText } from "./fault-presets.ts";
import { checkedPlan } from "./plan-form.ts";

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

/** A delay, or a rule with one, in which a run may be named. */
type WrittenDelay = Delay | { readonly run: Pick<RunArm, "directory"> & Partial<RunArm> };

/** The same with the latencies of the run that it names. */
async function measuredDelay<D extends WrittenDelay>(
  delay: D,
  path: ValuePath,
  { file }: LocatedDocument,
  measured: MeasuredLatency,
): Promise<D> {
  if (!("run" in delay)) return delay;
  const { run, ...rest } = delay;
  const at = [...path, "run"];
  try {
    const read = await measured({ arm: "*", ...run, directory: resolve(dirname(file), run.directory) });
    checkDelay(read as unknown as JsonObject, at);
    return { ...rest, ...read } as unknown as D;
  } catch (cause) {
    throw new FakeError("unreadable", cause instanceof Error ? cause.message : String(cause), { path: at, cause });
  }
}

/** The plan of a document with all delays read. */
async function wholePlan(document: LocatedDocument, contract: Contract, measured: MeasuredLatency): Promise<FaultPlan> {
  try {
    const { faults, latencies } = checkedPlan(document.value, contract);
    const wholeFaults = faults.map(async (rule, index) => {
      if (!("slow-stream" in rule)) return rule;
      const path = ["faults", index, "slow-stream"];
      return { ...rule, "slow-stream": await measuredDelay(rule["slow-stream"], path, document, measured) };
    });
    const wholeLatencies = latencies.map((rule, index) =>
      measuredDelay(rule, ["latencies", index], document, measured),
    );
    return { faults: await Promise.all(wholeFaults), latencies: await Promise.all(wholeLatencies) };
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
