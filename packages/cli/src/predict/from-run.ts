// Predictions from a run of `bench`: the demands of its tasks by mean value analysis, for other callers, a faster server or a longer distance.
import {
  busyDemands,
  callersPrediction,
  callNetwork,
  callsInSequence,
  changedDemands,
  counted,
  demandsOf,
  gatherParts,
  listed,
  saturatedServerMs,
  tasksOfRun,
  threeDigits,
  AnalysisError,
  type Callers,
  type MeasuredTask,
  type SeenDemands,
} from "@roundtrip/analysis";
import {
  asymptoticBounds,
  exactMva,
  withinCapacity,
  type ClosedNetwork,
  type ClosedPrediction,
} from "@roundtrip/analysis/models";
import {
  runCharts,
  runTables,
  type CallersPoint,
  type PredictedTask,
  type RunPrediction,
  type TaskPrediction,
} from "@roundtrip/report/predictions";
import { allStacks } from "@roundtrip/stacks/names";
import { readRunInParts } from "@roundtrip/runs/read";
import { CliError, requireKnown } from "../basics/cli-error.ts";
import { selectedStackNames } from "../stacks/selected-stacks.ts";
import type { Prediction, PredictFlags } from "./prediction.ts";

const usualPopulations = [1, 3, 10, 30, 100];
const usualThinkMs = [0];

/** Exact mean value analysis goes through every number of callers below. */
const mostCallers = 100_000;

/** More than a table can show. */
const mostPoints = 1_000;

interface Conditions {
  readonly populations: readonly number[];
  readonly thinkMs: readonly number[];
  readonly haveOwnClients: boolean;
  readonly serverSpeed: number;
  readonly fartherMs: number;
}

function conditionsOf({ load = {}, whatIf = {} }: PredictFlags): Conditions {
  const populations = load.callers ?? usualPopulations;
  const most = populations.at(-1) ?? 0;
  if (most > mostCallers) {
    throw new CliError("usage", `--load callers must be at most ${mostCallers} with --from, got ${most}`);
  }
  return {
    populations,
    thinkMs: load.think ?? usualThinkMs,
    haveOwnClients: whatIf["shared-client"] !== true,
    serverSpeed: whatIf["server-speed"] ?? 1,
    fartherMs: whatIf["farther-ms"] ?? 0,
  };
}

async function tasksIn(path: string): Promise<readonly MeasuredTask[]> {
  const { facts, parts } = readRunInParts(path);
  const calls = await gatherParts(facts, parts);
  const tasks = tasksOfRun(facts, calls);
  if (tasks.length > 0) return tasks;
  throw new CliError(
    "usage",
    `the run in ${path} has no task of one caller without a pause, and predictions begin with one; measure one: roundtrip bench, bench load-calls or bench concurrency`,
  );
}

/** The tasks that the flags select. Throws a usage error for names that the run does not have. */
function selected(tasks: readonly MeasuredTask[], flags: PredictFlags): readonly MeasuredTask[] {
  const names = flags.only;
  const stacks = selectedStackNames(flags, allStacks());
  const known = [...new Set(tasks.map(({ arm }) => arm.task))];
  for (const name of names ?? []) requireKnown("task", name, known);
  const chosen = tasks.filter(
    ({ arm }) => (names?.includes(arm.task) ?? true) && (stacks?.includes(arm.stack) ?? true),
  );
  if (chosen.length > 0) return chosen;
  throw new CliError(
    "usage",
    "the run has none of these tasks over these stacks; give other names to --only or --stack",
  );
}

/** What is known without the server's processor time: bounds of the throughput at light load. */
function refuseUnknown(tasks: readonly MeasuredTask[], { populations, thinkMs }: Conditions): never {
  const [first] = tasks as readonly [MeasuredTask];
  const { arm, roundTripMs, many } = first;
  const [callers = 1, pauseMs = 0] = [populations.at(-1), thinkMs[0]];
  const what = `${arm.task} over ${arm.title}`;
  const why =
    arm.target === undefined
      ? `the run has no processor time of the server for ${what}`
      : `the processor time of the server at ${arm.target} is not known, because it is a target`;
  const perSecond = threeDigits((1_000 * callers) / (pauseMs + roundTripMs));
  const measured =
    many === null
      ? ""
      : ` (${counted(many.callers, "caller")} without pauses made ${threeDigits(many.tasksPerSecond)} in the run)`;
  throw new CliError(
    "usage",
    `${why}. Known without it: a ${arm.task} takes ${threeDigits(roundTripMs)} ms or longer, and ${counted(callers, "caller")} with ${threeDigits(pauseMs)} ms between calls make at most ${perSecond} a second${measured}. ${adviceFor(first)}`,
  );
}

/** Where the processor time of a task comes from. */
function adviceFor({ arm, many }: MeasuredTask): string {
  const given =
    "--service-ms, the processor time of a task in ms: what the server's process used during a run (ps -o cputimes, or process_cpu_seconds_total of its metrics), divided by the run's tasks";
  if (arm.target === undefined) return `Give ${given}; or let roundtrip start the server (bench --serve)`;
  const found =
    many === null
      ? "Measure how many tasks it carries: run the same bench command with the study load-calls, and predict from that run"
      : `The rate of its ${counted(many.callers, "caller")} does not show it: they hardly waited, or their client was the limit (busy for ${Math.round(100 * many.clientUtilisation)} % of the time)`;
  return `${found}. Or let roundtrip start the server (bench --serve). Or give ${given}`;
}

const mvaWithinCapacity = (network: ClosedNetwork): ClosedPrediction => withinCapacity(network, exactMva(network));

function predictionOf(task: MeasuredTask, measured: SeenDemands, conditions: Conditions): TaskPrediction {
  const { populations, thinkMs, haveOwnClients } = conditions;
  const { callsPerTask } = task.arm;
  const callersOf = (population: number, pauseMs: number): Callers => ({
    population,
    thinkMs: pauseMs,
    callsPerTask,
    haveOwnClients,
  });
  const points = thinkMs.flatMap((pauseMs) =>
    populations.map((population): CallersPoint => {
      const cell = task.series?.points.find((point) => point.callers === population && point.thinkMs === pauseMs);
      const measuredMs = haveOwnClients && population > 1 ? null : (cell?.measuredMs ?? null);
      return {
        callers: population,
        thinkMs: pauseMs,
        prediction: callersPrediction(measured, callersOf(population, pauseMs), mvaWithinCapacity),
        measuredMs,
      };
    }),
  );
  const busy = busyDemands(measured);
  return {
    demands: measured.alone,
    busyServerMs: busy.serverMs,
    bounds: asymptoticBounds(callNetwork(busy, measured.garbage, callersOf(1, 0))),
    points,
  };
}

function changeText({ serverSpeed, fartherMs }: Conditions): string {
  const parts = [
    ...(serverSpeed === 1 ? [] : [`server ${threeDigits(serverSpeed)} times as fast`]),
    ...(fartherMs === 0 ? [] : [`round-trip time ${threeDigits(fartherMs)} ms longer`]),
  ];
  return parts.join(", ");
}

/** The server's processor time of a task: given, measured, or of a server that many callers keep busy. NaN if it is unknown. */
function serverMsOf(task: MeasuredTask, { serviceMs }: PredictFlags): number {
  const measured = task.serverMs !== null && task.serverMs > 0 ? task.serverMs : null;
  return serviceMs ?? measured ?? saturatedServerMs(task) ?? Number.NaN;
}

function predictedTask(task: MeasuredTask, flags: PredictFlags, conditions: Conditions): PredictedTask {
  const { serverSpeed, fartherMs } = conditions;
  const measured = demandsOf(task, serverMsOf(task, flags));
  const addedDelayMs = fartherMs * callsInSequence(task.arm) * (1 + task.handshakesPerCall);
  const isChanged = serverSpeed !== 1 || fartherMs !== 0;
  return {
    arm: task.arm,
    asMeasured: predictionOf(task, measured, conditions),
    changed: isChanged ? predictionOf(task, changedDemands(measured, { serverSpeed, addedDelayMs }), conditions) : null,
  };
}

/** How the server's processor time was found where it was not measured. */
function saturatedText(known: readonly MeasuredTask[], { serviceMs }: PredictFlags): readonly string[] {
  const [first] = known.filter((task) => serviceMs === undefined && !((task.serverMs ?? 0) > 0));
  if (first?.many === undefined || first.many === null) return [];
  const { callers, tasksPerSecond } = first.many;
  return [
    `server CPU of a target is 1 / the rate of callers that kept it busy: ${first.arm.task} over ${first.arm.title} had ${counted(callers, "caller")}, and ${threeDigits(tasksPerSecond)} a second`,
  ];
}

function assumptionsOf(
  flags: PredictFlags,
  { haveOwnClients, fartherMs }: Conditions,
  known: readonly MeasuredTask[],
  left: readonly MeasuredTask[],
): readonly string[] {
  const stacks = [...new Set(left.map(({ arm }) => arm.title))];
  return [
    "one processor serves all callers, one call after the other",
    haveOwnClients
      ? "each caller has a processor of its own (--what-if shared-client=yes: all share one, as in a run)"
      : "all callers share the run's one client process",
    "calls of one caller cost as much as those of many, unless the run measured both",
    ...(flags.serviceMs === undefined ? [] : [`server CPU is ${threeDigits(flags.serviceMs)} ms, as given`]),
    ...saturatedText(known, flags),
    ...(fartherMs > 0
      ? ["each call takes one round trip over the longer distance, and handshakes where it opened a connection"]
      : []),
    ...(stacks.length === 0 ? [] : [`left out, because the server's processor time is unknown: ${listed(stacks)}`]),
  ];
}

/** Rejects with a usage error for a run without such tasks or without the servers' processor time, and with a RunError for an unreadable one. */
export async function predictFromRun(path: string, flags: PredictFlags): Promise<Prediction> {
  const conditions = conditionsOf(flags);
  const all = selected(await tasksIn(path), flags);
  const known = all.filter((task) => !Number.isNaN(serverMsOf(task, flags)));
  if (known.length === 0) refuseUnknown(all, conditions);
  const count = known.length * conditions.populations.length * conditions.thinkMs.length;
  if (count > mostPoints) {
    throw new CliError(
      "usage",
      `${counted(known.length, "task")} with all these callers and think times are ${count} predictions, and ${mostPoints} are the limit; select with --only or --stack, or give fewer numbers`,
    );
  }
  try {
    const prediction: RunPrediction = {
      tasks: known.map((task) => predictedTask(task, flags, conditions)),
      change: changeText(conditions),
      assumptions: assumptionsOf(
        flags,
        conditions,
        known,
        all.filter((task) => !known.includes(task)),
      ),
    };
    return {
      tables: runTables(prediction),
      charts: runCharts(prediction),
      document: { model: "mva", from: path, ...prediction },
    };
  } catch (cause) {
    // The demands that the user gave may contradict what was measured.
    if (!(cause instanceof AnalysisError)) throw cause;
    throw new CliError("usage", cause.message, { cause });
  }
}
