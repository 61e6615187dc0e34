// Brings home what k6 did elsewhere: files of its results become a run directory like any other.
import type { Arm, Environment, RunFacts, Warning } from "@roundtrip/analysis";
import { completeArm, openRunDirectory, RoundLog } from "@roundtrip/runner/parts";
import { K6Error } from "../k6-error.ts";
import type { K6Plan } from "../plan/k6-plan.ts";
import { planFault } from "../results/plan-fault.ts";
import { readResults, type DoneRound, type Results } from "../results/read-results.ts";
import { faultOfSegments } from "../results/segments.ts";
import { logRound, noBooks } from "./log-round.ts";
import { requireOneRun } from "./one-run.ts";

export interface ImportOptions {
  readonly files: readonly string[];
  /** Those of the exports that k6 ran. */
  readonly plans: readonly K6Plan[];
  /** Makes the place where the run is written: asked when there is something to write. */
  readonly directory: () => string;
  /** As typed, for the record. */
  readonly command: string;
}

/** What the results do not tell. */
const untold = "not told";

function environmentOf(rounds: readonly DoneRound[]): Environment {
  const told = rounds
    .flatMap(({ instances }) => instances)
    .map(({ version, segment }) => ({ version: version ?? null, segment }));
  const different = new Map(told.map((one) => [JSON.stringify(one), one]));
  return {
    runtime: untold,
    libraries: {},
    cpuModel: untold,
    cores: 0,
    memoryGiB: 0,
    kernel: untold,
    congestionControl: untold,
    link: { kind: untold, rttMs: 0, mtuBytes: 0 },
    generators: [...different.values()].map((one) => ({ name: "k6", ...one })),
    placement: untold,
  };
}

const timeOf = (ms: number): string => new Date(ms).toISOString().slice(11, 23);

/** How near two parts of one round are that did not find the same T0. */
const sameStartMs = 120_000;

/** Plans of any version so far, with all that arms say now. Throws a K6Error `unreadable` for a plan that nobody exported so. */
function completePlans(plans: readonly K6Plan[]): readonly K6Plan[] {
  // Rounds of one export share their arms, and go on to.
  const completed = new Map<K6Plan["arms"], K6Plan["arms"]>();
  return plans.map((plan) => {
    const fault = planFault(plan);
    if (fault !== undefined) {
      const message = `the plan of the results is damaged: its ${fault} are not what they have to be; export it again`;
      throw new K6Error("unreadable", message);
    }
    const arms = completed.get(plan.arms) ?? plan.arms.map((arm) => ({ ...arm, facts: completeArm(arm.facts) }));
    completed.set(plan.arms, arms);
    return { ...plan, arms };
  });
}

/** What keeps it unknown whether clocks agreed: no instance on another machine than the others can be told from the data then. */
function clockWarnings(rounds: readonly DoneRound[]): readonly Warning[] {
  const isUnknown = rounds.some(
    ({ instances }) => instances.length > 1 && instances.some(({ clockMs }) => Number.isNaN(clockMs)),
  );
  const message =
    "whether the clocks of the instances agreed is not known, as no server told all of them its time: keep those of several machines by NTP";
  return isUnknown ? [{ code: "k6-clocks", message }] : [];
}

/** Throws a K6Error `incomplete` unless the instances of every round did all of it, once. */
function requireWhole({ rounds }: Results): void {
  for (const round of rounds) {
    const fault = faultOfSegments(round.instances.map(({ segment }) => segment));
    if (fault === undefined) continue;
    const files = round.instances.map(({ file }) => file).join(", ");
    const other = rounds.find(
      ({ plan, t0Ms }) => plan === round.plan && t0Ms !== round.t0Ms && Math.abs(t0Ms - round.t0Ms) < sameStartMs,
    );
    const apart =
      other === undefined
        ? ""
        : `; ${other.instances.map(({ file }) => file).join(", ")} began ${Math.abs(other.t0Ms - round.t0Ms) / 1_000} s apart from it: resume all instances of a round at once, or give each the same T0`;
    throw new K6Error(
      "incomplete",
      `the instances that began at ${timeOf(round.t0Ms)} (${files}) did not do the whole plan: ${fault}${apart}`,
    );
  }
}

/** Arms of all plans, each once. */
function armsOf(rounds: readonly DoneRound[]): readonly Arm[] {
  const arms = rounds.flatMap(({ plan }) => plan.arms.map(({ facts }) => facts));
  return [...new Map(arms.map((arm) => [arm.id, arm])).values()];
}

/**
 * Reads results and writes the run that they are, one round for each T0; gives back where. Rejects with a K6Error: `unreadable`, `other-plan`,
 * `incomplete`; and with a RunnerError `unwritable`.
 */
export async function importRun({ files, plans, directory, command }: ImportOptions): Promise<string> {
  const results = await readResults(files, completePlans(plans));
  requireWhole(results);
  const { rounds } = results;
  requireOneRun(rounds);
  const startedAtMs = rounds[0]?.t0Ms ?? 0;
  const warnings = [
    {
      code: "imported",
      message: "the calls were made elsewhere: where, and whether answers were compared before, is not recorded",
    },
    ...results.warnings,
    ...clockWarnings(rounds),
  ];
  const blocks: RunFacts["blocks"][number][] = [];
  const lost: Warning[] = [];
  let endedAtMs = startedAtMs;
  let output: ReturnType<typeof openRunDirectory> | undefined;
  let place = "";
  try {
    for (const [index, round] of rounds.entries()) {
      const log = new RoundLog(index, startedAtMs);
      // Two runs of one plan are two rounds, whatever number the plan has.
      lost.push(...logRound({ ...round, plan: { ...round.plan, round: index } }, log, () => noBooks).warnings);
      const { beginsMs = 0, mostMs = 0 } = round.plan.cells.at(-1) ?? {};
      endedAtMs = Math.max(endedAtMs, round.t0Ms + beginsMs + mostMs);
      if (log.blocks.length === 0) continue;
      if (output === undefined) {
        place = directory();
        output = openRunDirectory(place);
      }
      output.samples.write(log.rows());
      blocks.push(...log.blocks);
    }
  } finally {
    output?.samples.close();
  }
  if (output === undefined) {
    const why = lost[0]?.message ?? "its instances made no call";
    throw new K6Error("incomplete", `nothing of these results can be kept: ${why}`);
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
  output.writeFacts(facts, []);
  return place;
}
