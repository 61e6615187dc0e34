// Imports results of k6 from elsewhere: writes a run directory like any other from its files.
import { K6Error } from "../basics/k6-error.ts";
import type { K6Plan } from "../plan/k6-plan.ts";
import { type CompletedRound, readResults, type Results } from "../results/read-results.ts";
import { eventWarning, unknownEnvironment } from "@roundtrip/analysis";
import type { Environment, RunEvent, RunFacts } from "@roundtrip/runs";
import { RoundLog } from "@roundtrip/runner/parts";
import { openRunDirectory } from "@roundtrip/runs/write";
import { segmentsError } from "../results/instance-of.ts";
import { logRound, noEvidence } from "./log-round.ts";

export interface ImportOptions {
  readonly files: readonly string[];
  /** The plans of the export that k6 ran. */
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

/** Throws a K6Error `incomplete` unless the instances of every round cover it exactly once. */
function requireWhole({ rounds }: Results): void {
  for (const round of rounds) {
    const fault = segmentsError(round.instances.map(({ segment }) => segment));
    if (fault === undefined) continue;
    const files = round.instances.map(({ file }) => file).join(", ");
    throw new K6Error(
      "incomplete",
      `the instances that began at ${timeOf(round.t0Ms)} (${files}) did not run the whole plan: ${fault}`,
    );
  }
}

/** Writes results as a run, a round for each T0. Resolves to its directory. Rejects with `unreadable`, `other-plan`, `incomplete` or `unwritable`. */
export async function importRun({ files, plans, directory, command }: ImportOptions): Promise<string> {
  const results = await readResults(files, plans);
  requireWhole(results);
  const { rounds } = results;
  const startedAtMs = rounds[0]?.t0Ms ?? 0;
  const blocks: RunFacts["blocks"][number][] = [];
  const lost: RunEvent[] = [];
  let endedAtMs = startedAtMs;
  let output: ReturnType<typeof openRunDirectory> | undefined;
  let path = "";
  try {
    for (const [index, round] of rounds.entries()) {
      const log = new RoundLog(index, startedAtMs);
      // Two runs of one plan are two rounds, whatever number the plan has.
      lost.push(...logRound({ ...round, plan: { ...round.plan, round: index } }, log, () => noEvidence).events);
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
    const why = lost[0] === undefined ? "its instances made no call" : eventWarning(lost[0]).message;
    throw new K6Error("incomplete", `these results have no complete block: ${why}`);
  }
  const facts: RunFacts = {
    startedAt: new Date(startedAtMs).toISOString(),
    durationMs: endedAtMs - startedAtMs,
    seed: rounds[0]?.plan.seed ?? 0,
    command,
    status: "complete",
    environment: environmentOf(rounds),
    events: [{ kind: "imported" }, ...results.cuts, ...lost],
    // The rounds of one export share their arms.
    arms: plans[0]?.arms.map((arm) => arm.facts) ?? [],
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
