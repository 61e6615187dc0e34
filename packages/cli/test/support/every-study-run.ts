// A run of every study over every stack, made up but consistent and always the same: what shows all that a report can hold, without measuring.
import type { Arm, Block, Capacity, RunFacts, Samples, WarmUp } from "@roundtrip/runs";
import { loadStudy, studyNames } from "@roundtrip/bench";
import { linkDefaults, type Study } from "@roundtrip/runner";
import { columnKinds, namedColumns, type ReadColumns } from "@roundtrip/runs/call-columns";
import { armsOf, factsOfArm, type PlannedArm } from "@roundtrip/runner/parts";
import { loadStack, stackNames, type Stack } from "@roundtrip/stacks";
import { linkFactors } from "../../../runner/src/study/link-settings.ts";
import { armsAtShares } from "../../../runner/src/saturation/find-capacities.ts";

export interface MadeRun {
  readonly facts: RunFacts;
  readonly samples: Samples;
}

export interface MadeRunOptions {
  readonly studies?: readonly string[];
  /** All unless some are named. */
  readonly stacks?: readonly string[];
  readonly rounds?: number;
  readonly seed?: number;
}

const blockMs = 500;
const tasksPerBlock = 8;
const neverPausingHz = 4_000;

/** Stacks as they are set in studies that set nothing themselves: names have what is set in a parenthesis. */
const settings = {
  "rest-express": { keepAliveHint: [true, false] },
  "grpc-js": { localSubchannelPool: [true, false] },
};

const callMs: Readonly<Record<string, number>> = { floor: 0.05, "grpc-js": 0.3, "rest-express": 0.2 };

/** Numbers from 0 to 1 that look random, by the generator of Park and Miller. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

function asksForNoSettings({ tasks }: Study): boolean {
  return tasks.every(({ settings: varied, serviceSettings = {}, links }) =>
    [varied, serviceSettings, links].every((one) => Object.keys(one).length === 0),
  );
}

/** Of every factor of a task its lowest and its highest level, so that the run stays small. */
function extremes(arms: readonly PlannedArm[]): readonly PlannedArm[] {
  return [...Map.groupBy(arms, ({ study, task }) => `${study} ${task}`).values()].flatMap((ofTask) => {
    const levels = new Map<string, readonly [number, number]>();
    for (const [name, value] of ofTask.flatMap(({ factors }) => Object.entries(factors))) {
      if (typeof value !== "number") continue;
      const [low, high] = levels.get(name) ?? [value, value];
      levels.set(name, [Math.min(low, value), Math.max(high, value)]);
    }
    return ofTask.filter(({ factors, settingDefaults = {} }) =>
      Object.entries(factors).every(
        ([name, value]) =>
          typeof value !== "number" || name in settingDefaults || levels.get(name)?.includes(value) === true,
      ),
    );
  });
}

function plannedArms(studies: readonly Study[], stacks: readonly Stack[]): readonly PlannedArm[] {
  const usual = { targets: [], settings: {}, links: {}, usualLink: undefined, tls: false };
  return studies.flatMap((study) => armsOf([study], stacks, asksForNoSettings(study) ? { ...usual, settings } : usual));
}

/** Arms that rates are searched for, at rates that their stack carries; and what the search found. */
function searched(arms: readonly PlannedArm[]): {
  readonly arms: readonly PlannedArm[];
  readonly capacities: readonly Capacity[];
} {
  const capacities: Capacity[] = [];
  const all = arms.flatMap((arm) => {
    if (arm.saturation === undefined) return [arm];
    const foundHz = 150 / (callMs[arm.stack] ?? 0.4);
    const atShares = armsAtShares(arm, arm.saturation, foundHz);
    const { study, task, style, server, client, stack, title } = arm;
    const { limitMs } = arm.saturation;
    const closedLoop = {
      callers: 8,
      tasksPerSecond: neverPausingHz,
      serverCpuMsPerTask: 0.2,
      clientUtilisation: 0.8,
    };
    if (limitMs !== undefined) {
      const armIds = atShares.map(({ id }) => id);
      const found = { foundHz, limitedBy: "latency" as const, probes: [], armIds };
      capacities.push({ study, task, style, server, client, stack, title, limitMs, ...found, closedLoop });
    }
    return atShares;
  });
  return { arms: all, capacities };
}

const factor = ({ factors }: Arm, name: string): number => {
  const value = factors[name];
  return typeof value === "number" ? value : 0;
};

/** What a call takes without noise. */
function usualMs(arm: Arm, round: number): number {
  const base = (callMs[arm.stack] ?? 0.4) * (1 + 0.01 * round);
  const newConnection = arm.factors["newConnectionPerCall"] === true ? 1 : 0;
  const flights = 1 + newConnection * (1 + (arm.connectRoundTrips ?? 0));
  const transferMs = factor(arm, "payloadBytes") / 50_000;
  const computingMs = factor(arm, "exponent") * 0.05;
  const busyMs = factor(arm, "rateHz") / 4_000 + factor(arm, "callers") * 0.05;
  return base + flights * factor(arm, "rttMs") + transferMs + computingMs + busyMs;
}

/** Every fifth arm under a load cannot keep it, and every seventh keeps all but its tail. */
function lateMs(arm: Arm, index: number, task: number): number {
  if (arm.load?.loop !== "open") return 0;
  if (index % 5 === 0) return 3;
  return index % 7 === 0 && task === tasksPerBlock - 1 ? 20 : 0;
}

function warmUpsOf(arms: readonly PlannedArm[], rounds: number): readonly WarmUp[] {
  const configurations = new Map(arms.map(({ configuration }) => [configuration.id, configuration]));
  return [...configurations.values()].flatMap(({ stack, settings: set }, index) =>
    Array.from({ length: rounds }, (_, round): WarmUp => ({
      stack,
      ...(Object.keys(set).length === 0 ? {} : { settings: set }),
      round,
      calls: 100,
      elapsedMs: 400,
      settled: !(index % 4 === 1 && round < 2),
    })),
  );
}

function blockOf(arm: Arm, index: number, place: Pick<Block, "round" | "block">, random: () => number): Block {
  const calls = tasksPerBlock * arm.callsPerTask;
  const perCall = callMs[arm.stack] ?? 0.4;
  return {
    armId: arm.id,
    ...place,
    tasks: tasksPerBlock,
    calls,
    failedCalls: 0,
    elapsedMs: blockMs,
    serverCpuMs: calls * perCall * (0.5 + 0.05 * random()),
    clientCpuMs: calls * perCall * (0.4 + 0.05 * random()),
    clientUtilisation: arm.load?.loop === "closed" && index % 6 === 0 ? 0.95 : 0.2,
    wireBytes: calls * (200 + factor(arm, "payloadBytes")),
    connectionsOpened: arm.factors["newConnectionPerCall"] === true ? calls : 0,
    connectionsReused: 1,
    ...(index % 11 === 0 && place.round === 0
      ? { disturbance: { kind: "stood-still", process: "server", lostMs: 20 } as const }
      : {}),
  };
}

/** Columns for so many calls, as they are declared. */
function columns(length: number): Required<ReadColumns> {
  const made = namedColumns.map(({ kind, readAs, missing }) => {
    const column = new columnKinds[kind].read(length);
    return [readAs, missing === "null" ? column.fill(Number.NaN) : column] as const;
  });
  return Object.fromEntries(made) as unknown as Required<ReadColumns>;
}

function measured(arms: readonly Arm[], rounds: number, seed: number): Pick<RunFacts, "blocks"> & { samples: Samples } {
  const random = randomFrom(seed);
  const length = rounds * tasksPerBlock * arms.reduce((sum, { callsPerTask }) => sum + callsPerTask, 0);
  const filled = columns(length);
  const blocks: Block[] = [];
  let row = 0;
  let nowMs = 0;
  for (let round = 0; round < rounds; round += 1) {
    for (let block = 0; block < arms.length; block += 1) {
      // Blocks change places from round to round, so that drift inside a round can be measured.
      const index = (block + round * 7) % arms.length;
      const arm = arms[index] as Arm;
      blocks.push(blockOf(arm, index, { round, block }, random));
      const gapMs = arm.load?.loop === "open" ? 1_000 / Math.max(1, factor(arm, "rateHz")) : 0;
      for (let task = 0; task < tasksPerBlock; task += 1) {
        let endMs = nowMs;
        const intendedMs = arm.load?.loop === "open" ? nowMs + task * gapMs * (0.5 + random()) : nowMs;
        for (let step = 0; step < arm.callsPerTask; step += 1) {
          const startMs = step === 0 ? intendedMs + lateMs(arm, index, task) : endMs;
          const tookMs = usualMs(arm, round) * (0.9 + 0.2 * random());
          endMs = startMs + tookMs;
          filled.arm[row] = index;
          filled.round[row] = round;
          filled.block[row] = block;
          filled.task[row] = task;
          filled.step[row] = step;
          filled.intendedAtNs[row] = (step === 0 ? intendedMs : startMs) * 1e6;
          filled.startedAtNs[row] = startMs * 1e6;
          filled.endedAtNs[row] = endMs * 1e6;
          filled.requestBytes[row] = 100;
          filled.responseBytes[row] = 100 + factor(arm, "payloadBytes");
          if (arm.factors["exponent"] !== undefined) {
            filled.queueNs[row] = tookMs * 1e5;
            filled.serviceNs[row] = tookMs * 5e5;
          }
          if (arm.variant === "streamed") {
            filled.firstByteAtNs[row] = (startMs + tookMs / 2) * 1e6;
            filled.pauses[row] = 1;
          }
          row += 1;
        }
        if (arm.load?.loop !== "open") nowMs = endMs;
      }
      nowMs += blockMs;
    }
  }
  return { blocks, samples: { length, ...filled, outcomes: ["OK"] } };
}

/** The networks that arms were measured over, each as far as was asked for. */
function linksOf(arms: readonly PlannedArm[]): NonNullable<RunFacts["environment"]["links"]> {
  const asked = arms.flatMap(({ configuration: { link } }) => (link === undefined ? [] : [linkFactors(link)]));
  const distinct = new Map(asked.map((one) => [JSON.stringify(one), one]));
  return [...distinct.values()].map((one) => ({
    kind: "kernel",
    rttMs: Number(one["rttMs"] ?? linkDefaults.rttMs),
    mtuBytes: 1_500,
    asked: one,
  }));
}

/** All studies unless some are named, in six rounds. */
export async function everyStudyRun(options: MadeRunOptions = {}): Promise<MadeRun> {
  const { studies, rounds = 6, seed = 1 } = options;
  const stacks = await Promise.all((options.stacks ?? stackNames()).map(loadStack));
  const planned = plannedArms(await Promise.all((studies ?? studyNames()).map(loadStudy)), stacks);
  const { arms: all, capacities } = searched(extremes(planned));
  const arms = all.map(factsOfArm);
  const { blocks, samples } = measured(arms, rounds, seed);
  const firsts = [...Map.groupBy(arms, ({ study, stack }) => `${study} ${stack}`).values()].flatMap(
    (some) => some[0] ?? [],
  );
  const facts: RunFacts = {
    startedAt: "2026-01-01T00:00:00.000Z",
    durationMs: 60_000,
    seed,
    command: "roundtrip bench",
    status: "complete",
    environment: {
      runtime: "Node.js 24",
      libraries: { "@grpc/grpc-js": "1.14.0", express: "5.1.0", undici: "7.0.0" },
      cpuModel: "test",
      cores: 2,
      memoryGiB: 8,
      kernel: "Linux 6.1",
      congestionControl: "cubic",
      link: { kind: "loopback", rttMs: 0.02, mtuBytes: 65_536 },
      links: linksOf(all),
      placement: "anywhere",
    },
    warnings: [],
    arms,
    blocks,
    firstCalls: firsts.flatMap(({ id, stack }) =>
      Array.from({ length: rounds }, (_, round) => ({
        armId: id,
        round,
        firstCallMs: 20 * (callMs[stack] ?? 0.4) + round,
      })),
    ),
    warmUps: warmUpsOf(all, rounds),
    capacities,
    verification: { responsesCompared: 10, answerGroups: 5, agreed: true },
    roundsPlanned: rounds,
    roundsDone: rounds,
  };
  return { facts, samples };
}
