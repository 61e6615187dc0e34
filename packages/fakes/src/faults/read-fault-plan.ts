// Reads fault plans that stand in files, and holds them against the contract before anybody calls: what is wrong is told with file, line and
// column.
import type { Contract } from "@roundtrip/contract";
import { suggestion } from "@roundtrip/contract/nearest-name";
import { dirname, resolve } from "node:path";
import { FakeError } from "../basics/fake-error.ts";
import { parseDocuments, type LocatedDocument } from "../files/located-documents.ts";
import { readDocuments } from "../files/read-documents.ts";
import { checkDelay } from "./check-delay.ts";
import type { RunArm, WrittenDelay } from "./delay-form.ts";
import type { Delay, FaultPlan } from "./fault-plan.ts";
import { faultPresets } from "./fault-presets.ts";
import { planOf } from "./plan-form.ts";
import { rememberText } from "./plan-text.ts";

/** Reads latencies of a run; a path in it is absolute. Rejects with an error whose message says what is wrong with the run. */
export type MeasuredLatency = (from: RunArm) => Promise<Delay>;

/** Runs are no business of this package: whoever can read them says how. */
const unmeasured: MeasuredLatency = () =>
  Promise.reject(new FakeError("unreadable", "runs are read by the command line only; give the delay in another way"));

/** The same error with the place in the file. */
function placed(thrown: unknown, document: LocatedDocument): unknown {
  if (!(thrown instanceof FakeError) || thrown.place !== undefined) return thrown;
  const { code, what, path } = thrown;
  return new FakeError(code, what, { place: document.placeOf(path), path, cause: thrown });
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

/** The plan of a document with every delay read. */
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
    throw placed(thrown, document);
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
  // A text that leads to a run is read by those alone who can read runs.
  if (!areRunsRead) rememberText(plan, [...new Set(documents.map(({ text }) => text))].join("\n---\n"));
  return plan;
}

/**
 * The plan in a text of YAML or JSON. Rejects with a FakeError that names the place of the first fault.
 * @param file what the text is called in faults; paths in it count from its folder.
 */
export async function parseFaultPlan(
  text: string,
  file: string,
  contract: Contract,
  measured: MeasuredLatency = unmeasured,
): Promise<FaultPlan> {
  return await planIn(parseDocuments(text, file), contract, measured);
}

/** Where a preset is nearly called so, that is told too. */
function withNearestPreset(thrown: unknown, path: string): unknown {
  const nearest = suggestion(path, Object.keys(faultPresets));
  if (nearest === "" || !(thrown instanceof FakeError) || thrown.place !== undefined) return thrown;
  return new FakeError(thrown.code, `${thrown.what}${nearest}`, { cause: thrown });
}

/**
 * The plan in a file, or in all .yaml, .yml and .json files of a folder in the order of their paths: what stands first goes before what stands
 * later. Rejects with a FakeError that names file, line and column.
 * @param path the name of a preset is that preset; a file that is called so has a path like `./flaky`
 */
export async function readFaultPlan(
  path: string,
  contract: Contract,
  measured: MeasuredLatency = unmeasured,
): Promise<FaultPlan> {
  if (Object.hasOwn(faultPresets, path)) return faultPresets[path as keyof typeof faultPresets];
  const documents = await readDocuments(path).catch((thrown: unknown) => {
    throw withNearestPreset(thrown, path);
  });
  return await planIn(documents, contract, measured);
}
