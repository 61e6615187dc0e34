// Imports results of k6 from elsewhere: writes a run directory like any other from its files.
import type { JsonValue } from "@bufbuild/protobuf";
import { K6Error } from "../basics/k6-error.ts";
import { canonicalJson } from "../plan/plan-file.ts";
import type { K6Arm, K6Plan } from "../plan/k6-plan.ts";
import { patched } from "../plan/request-table.ts";
import { plainText } from "../results/points.ts";
import { type CompletedRound, readResults, type Results } from "../results/read-results.ts";
import { unknownEnvironment } from "@roundtrip/analysis";
import type { Arm, Environment, RunFacts, Warning } from "@roundtrip/runs";
import { RoundLog } from "@roundtrip/runner/parts";
import { openRunDirectory } from "@roundtrip/runs/write";
import { segmentsError } from "../results/instance-of.ts";
import { logRound, noEvidence } from "./log-round.ts";

interface Work {
  readonly arm: K6Arm;
  readonly round: CompletedRound;
}

const fileOf = ({ instances }: CompletedRound): string => instances[0]?.file ?? "";

/** The requests of its tasks, in a form that does not depend on how the plan stores them. */
function askedBy({ arm: { steps, sets }, round: { plan } }: Work): string {
  const requestAt = (place: number): unknown => {
    const request = plan.requests[place];
    if (request === undefined || !("like" in request)) return request;
    return patched(plan.requests[request.like] as JsonValue | undefined, request.but);
  };
  return canonicalJson({ sets, steps: steps.map((step) => ({ ...step, requests: step.requests.map(requestAt) })) });
}

/** How two arms of one name differ, in words; undefined if they do not. */
function difference(one: Work, other: Work): string | undefined {
  const [facts, others] = [one.arm.facts, other.arm.facts].map((all) => new Map<string, unknown>(Object.entries(all)));
  for (const name of new Set([...(facts?.keys() ?? []), ...(others?.keys() ?? [])])) {
    const [here, there] = [facts, others].map((all) => canonicalJson(all?.get(name) ?? null));
    if (here !== there) return `${name} is ${plainText(here ?? "")} and ${plainText(there ?? "")}`;
  }
  return askedBy(one) === askedBy(other) ? undefined : "requests differ";
}

function refuse(one: CompletedRound, other: CompletedRound, why: string): never {
  const message = `${fileOf(one)} and ${fileOf(other)} are not of one run: ${why}; import them separately`;
  throw new K6Error("other-plan", message);
}

const hashShown = 12;
const contractOf = ({ contractHash }: K6Plan): string => plainText(contractHash.slice(0, hashShown));

/** Throws a K6Error `other-plan` with the first difference unless they do. */
function requireOneRun(rounds: readonly CompletedRound[]): void {
  const known = new Map<string, Work>();
  const [first] = rounds;
  const seen = new Set<K6Plan["arms"]>();
  for (const round of rounds) {
    const { plan } = round;
    if (first !== undefined && plan.contractHash !== first.plan.contractHash) {
      refuse(first, round, `the contract is ${contractOf(first.plan)} and ${contractOf(plan)}`);
    }
    // Rounds of one export share their arms.
    if (seen.has(plan.arms)) continue;
    seen.add(plan.arms);
    for (const arm of plan.arms) {
      const work = { arm, round };
      const before = known.get(arm.facts.id) ?? work;
      const why = before === work ? undefined : difference(before, work);
      if (why !== undefined) refuse(before.round, round, `of ${arm.facts.id}, ${why}`);
      known.set(arm.facts.id, before);
    }
  }
}

export interface ImportOptions {
  readonly files: readonly string[];
  /** The plans of the exports that k6 ran. */
  readonly plans: readonly K6Plan[];
  /** Gives the directory to write the run to. Called only when there is something to write. */
  readonly directory: () => string;
  /** As typed, for the record. */
  readonly command: string;
}

function environmentOf(rounds: readonly CompletedRound[]): Environment {
  const reported = rounds
    .flatMap(({ instances }) => instances)
    .map(({ version, segment }) => ({ version: version ?? null, segment }));
  const different = new Map(reported.map((one) => [JSON.stringify(one), one]));
  const generators = [...different.values()].map((one) => ({ name: "k6", ...one }));
  return { ...unknownEnvironment("not reported"), generators };
}

const timeOf = (ms: number): string => new Date(ms).toISOString().slice(11, 23);

/** Two parts of one round that chose different values of T0 are at most this far apart. */
const sameStartMs = 120_000;

/** Warns if it is unknown whether the clocks agreed: the results do not show which instances ran on other machines. */
function clockWarnings(rounds: readonly CompletedRound[]): readonly Warning[] {
  const isUnknown = rounds.some(
    ({ instances }) => instances.length > 1 && instances.some(({ clockMs }) => Number.isNaN(clockMs)),
  );
  const message =
    "it is unknown whether the clocks of the instances agreed, because no server sent all of them its time; synchronize the clocks of several machines by NTP";
  return isUnknown ? [{ code: "k6-clocks", message }] : [];
}

/** Throws a K6Error `incomplete` unless the instances of every round cover it exactly once. */
function requireWhole({ rounds }: Results): void {
  for (const round of rounds) {
    const fault = segmentsError(round.instances.map(({ segment }) => segment));
    if (fault === undefined) continue;
    const files = round.instances.map(({ file }) => file).join(", ");
    const other = rounds.find(
      ({ plan, t0Ms }) => plan === round.plan && t0Ms !== round.t0Ms && Math.abs(t0Ms - round.t0Ms) < sameStartMs,
    );
    const apart =
      other === undefined
        ? ""
        : `; ${other.instances.map(({ file }) => file).join(", ")} began ${Math.abs(other.t0Ms - round.t0Ms) / 1_000} s apart: resume all instances of a round at once, or give each the same T0`;
    throw new K6Error(
      "incomplete",
      `the instances that began at ${timeOf(round.t0Ms)} (${files}) did not run the whole plan: ${fault}${apart}`,
    );
  }
}

/** The arms of all plans, each once. */
function armsOf(rounds: readonly CompletedRound[]): readonly Arm[] {
  const arms = rounds.flatMap(({ plan }) => plan.arms.map(({ facts }) => facts));
  return [...new Map(arms.map((arm) => [arm.id, arm])).values()];
}

/**
 * Reads results and writes them as a run, with one round for each T0. Resolves to its directory. Rejects with a K6Error: `unreadable`, `other-plan`,
 * `incomplete`; and with a RunError `unwritable`.
 */
export async function importRun({ files, plans, directory, command }: ImportOptions): Promise<string> {
  const results = await readResults(files, plans);
  requireWhole(results);
  const { rounds } = results;
  requireOneRun(rounds);
  const startedAtMs = rounds[0]?.t0Ms ?? 0;
  const warnings = [
    {
      code: "imported",
      message: "the calls were made elsewhere: the machine, and whether answers were compared, are not recorded",
    },
    ...results.warnings,
    ...clockWarnings(rounds),
  ];
  const blocks: RunFacts["blocks"][number][] = [];
  const lost: Warning[] = [];
  let endedAtMs = startedAtMs;
  let output: ReturnType<typeof openRunDirectory> | undefined;
  let path = "";
  try {
    for (const [index, round] of rounds.entries()) {
      const log = new RoundLog(index, startedAtMs);
      // Two runs of one plan are two rounds, whatever number the plan has.
      lost.push(...logRound({ ...round, plan: { ...round.plan, round: index } }, log, () => noEvidence).warnings);
      const { beginsMs = 0, mostMs = 0 } = round.plan.cells.at(-1) ?? {};
      endedAtMs = Math.max(endedAtMs, round.t0Ms + beginsMs + mostMs);
      if (log.blocks.length === 0) continue;
      if (output === undefined) {
        path = directory();
        output = openRunDirectory(path);
      }
      output.samples.write(log.rows());
      blocks.push(...log.blocks);
    }
  } finally {
    output?.samples.close();
  }
  if (output === undefined) {
    const why = lost[0]?.message ?? "its instances made no call";
    throw new K6Error("incomplete", `these results have no complete block: ${why}`);
  }
  const facts: RunFacts = {
    startedAt: new Date(startedAtMs).toISOString(),
    durationMs: endedAtMs - startedAtMs,
    seed: rounds[0]?.plan.seed ?? 0,
    command,
    status: "complete",
    environment: environmentOf(rounds),
    warnings: [...warnings, ...lost],
    arms: armsOf(rounds),
    blocks,
    firstCalls: [],
    warmUps: [],
    verification: { responsesCompared: 0, answerGroups: 0, agreed: true },
    roundsPlanned: rounds.length,
    roundsDone: rounds.length,
  };
  output.writeFacts(facts);
  return path;
}
