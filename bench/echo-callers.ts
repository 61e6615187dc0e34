// Callers that think between tasks: the cells of the 1996 study, for echoes of a given number of packets and for any other task.
import { closedLoop, type Plan, type Task, taskDefaults, sequentialPlan } from "@roundtrip/runner";
import { incompressibleText } from "./shared-tasks.ts";
import type { Work } from "./study-of-work.ts";

/**
 * This many bytes lengthen a call as much as one Ethernet packet did in 1996: from 5.7 ms without a packet to 8.0 with one and 34 with twelve. Today
 * 1,400 bytes, and twelve times that, take no measurable time: six levels of them would be one.
 */
const bytesPerPacket = 16_000;

/** Calls of a round: of each caller, and of the single caller that feeds the model, whose calls are spread over several blocks. */
interface Effort {
  readonly perCaller: number;
  readonly fed: { readonly round: number; readonly block: number };
}

/** The first calls of a block are slow, so blocks of the caller that feeds the model are about as long as those of several callers. */
const short: Effort = { perCaller: 40, fed: { round: 300, block: 100 } };
const long: Effort = { perCaller: 12, fed: { round: 60, block: 20 } };

const longPackets = 12;
const longThinkMs = 12;

/** As many calls as an HTTP/1.1 client has connections, so that none waits in the client. */
const callsOfBurst = 6;

/** The model's own caller also makes a single call several times at once, which shows what calls share. */
function withBurst(variants: Task["variants"]): Task["variants"] {
  const [plan, ...others] = Object.values(variants);
  const [step, ...more] = plan?.steps ?? [];
  if (step === undefined || others.length > 0 || more.length > 0) return variants;
  const steps = Array.from({ length: callsOfBurst }, () => step);
  const burst: Plan = { order: "parallel", driver: "own", steps };
  return { ...variants, burst };
}

function taskOf(work: Work, among: number, pauseMs: number, effort: Effort): Task {
  const isModelInput = among === 1 && pauseMs === 0;
  const own = pauseMs >= longThinkMs ? long.perCaller : effort.perCaller;
  // The calls of a single caller after pauses also feed the model: twice as many, in two blocks.
  const calls = isModelInput ? effort.fed : { round: own * Math.max(among, 2), block: own * among };
  return {
    ...work,
    onFloor: false,
    variants: isModelInput ? withBurst(work.variants) : work.variants,
    load: { pacer: closedLoop({ thinkMs: pauseMs, thinkTime: "exponential" }) },
    callers: among,
    tasksPerRound: calls.round,
    tasksPerBlock: calls.block,
  };
}

/** The varied levels: each combination is a task. */
export interface CallerLevels {
  readonly callers: readonly number[];
  /** Means of exponential distributions. Must include 0, because callers that do not think feed the model. */
  readonly thinkMs: readonly number[];
}

/** @param isLong whether a task takes many times as long as a small call: fewer are made of it. */
export function tasksOfCallers(work: Work, { callers, thinkMs }: CallerLevels, isLong = false): readonly Task[] {
  const effort = isLong ? long : short;
  return callers.flatMap((among) => thinkMs.map((pauseMs) => taskOf(work, among, pauseMs, effort)));
}

function echo(packets: number): Work {
  const request = { text: incompressibleText(packets * bytesPerPacket) };
  return {
    ...taskDefaults,
    name: "echo",
    factors: { packets },
    variants: {
      single: sequentialPlan({ operation: "roundtrip.v1.PayloadService.Echo", request }),
    },
  };
}

export interface EchoLevels extends CallerLevels {
  readonly packets: readonly number[];
}

export function echoCallers({ packets, ...levels }: EchoLevels): readonly Task[] {
  return packets.flatMap((count) => tasksOfCallers(echo(count), levels, count >= longPackets));
}
