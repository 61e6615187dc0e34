// A study as data: tasks, each with several variants in terms of contract operations.
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { Scalar } from "@roundtrip/runs";
import type { Load } from "../pace/load.ts";
import type { LinkSettings, TcpNeed } from "./link-settings.ts";
import type { LevelsOfStack, SettingLevels } from "./configuration.ts";

/** The content of a stream of requests: incompressible bytes in chunks. */
export interface ChunkSource {
  /** The name in the contract of the bytes field for each request's chunk. */
  readonly field: string;
  readonly sizeBytes: number;
  readonly chunkBytes: number;
}

/** Names in the contract of answer fields of type google.protobuf.Duration with the server's times. */
export interface ReportedTimes {
  /** How long the call waited to be served. */
  readonly queue: string;
  readonly service: string;
}

/** A position in a plan's answer: a member, or an index in a list member. */
export interface AnswerPosition {
  readonly member: string;
  readonly index?: number;
  /** In a linked plan: the member is a list of all answers of the step, each once, ascending by this numeric field. */
  readonly eachBy?: string;
}

/** One operation of a plan with its request in ProtoJSON. */
export interface Step {
  /** `package.Service.Method`. */
  readonly operation: string;
  /** In a stream of requests, the fields beside the chunk. */
  readonly request: JsonValue;
  /** Requests in rotation: task n of a block uses the nth, modulo their number. Answers are compared with `request`. Not for streams. */
  readonly inTurn?: readonly JsonValue[];
  /** The server's times to record with the call; absent if its answer has none. Not for streams. */
  readonly reportedTimes?: ReportedTimes;
  /** Set for a streaming operation: its plan is left out on stacks that declare they do not support it. A stream is read to its end. */
  readonly needs?: "serverStream" | "clientStream";
  /** The stream of requests; without it, one request is sent. */
  readonly source?: ChunkSource;
  /** The position of the answer in the plan's answer; absent merges its fields into it. */
  readonly into?: AnswerPosition;
  /** In a sequential plan: adjacent steps with the same number are called at once. */
  readonly set?: number;
}

/** The order of calls: in turn, all at once, or as one exchange. `linked`: an exchange in which each step takes its key from answers before it. */
export type Order = "sequential" | "parallel" | "together" | "linked";

export function isOneExchange(order: Order): boolean {
  return order === "together" || order === "linked";
}

/** What one execution of a task does. */
export interface Plan {
  readonly order: Order;
  readonly steps: readonly Step[];
  /**
   * A mix: the step that each task makes, by index, in rotation: task n of a block makes step `turns[n]`, modulo their number, on every stack. Absent:
   * a task makes all steps. Only for plans in sequence.
   */
  readonly turns?: readonly number[];
  /** The client: this project's clients, or autocannon as an independent check (HTTP/1.1 stacks only, one step). */
  readonly driver: "own" | "autocannon";
  /** The shortest gap after a first answer that counts as a pause. Default: half the requested network's round-trip time; without one, no pauses. */
  readonly pauseMs?: number;
  /** The minimum idle time of its connections before a block; absent if it does not matter. With 0 the plan also runs, untimed, right before. */
  readonly idleMs?: number;
}

/** A plan of this project's clients with one call after the other. */
export function sequentialPlan(...steps: readonly Step[]): Plan {
  return { order: "sequential", driver: "own", steps };
}

/** A piece of work and all its variants. */
export interface Task {
  /** For example `read`. */
  readonly name: string;
  /** The levels of this task, for example `{ attributes: 3 }`. */
  readonly factors: Readonly<Record<string, Scalar>>;
  /** Levels of settings on each stack that has the setting, and that value of it: each setting is a factor, and each combination an arm. */
  readonly settings: LevelsOfStack;
  readonly serviceSettings?: SettingLevels;
  /** Networks of the task, each a level of the factors that it sets; empty uses the machine's own. */
  readonly links: readonly LinkSettings[];
  /** Whether calls use TLS, each a level of the factor `tls`; absent uses the setting of the run. */
  readonly tls?: readonly boolean[];
  /**
   * Whether processes warm up before they are timed, each a level of the factor `warmUp`; absent warms up. Without a warm-up, its first block has the
   * first call of its processes, which answer to be compared afterwards. Not for tasks with a setup.
   */
  readonly warmUp?: readonly boolean[];
  /** What it needs of a network that only the kernel's TCP shows; absent if it has only small calls on warm connections. */
  readonly needs?: readonly TcpNeed[];
  /** False to leave the floor out. Default: true. */
  readonly onFloor?: boolean;
  /** Whether the first call of fresh processes may be its; absent leaves it to the study. */
  readonly takesFirstCalls?: boolean;
  /** True if its server computes on threads: it gets all cores except the client's, otherwise one of them. */
  readonly computesOnThreads?: boolean;
  /** True if its server has both cores, of which the client's is idle while its callers wait. */
  readonly servedOnBothCores?: boolean;
  /** The styles to measure, if others would give the same result. Default: all. */
  readonly styles?: readonly string[];
  /** Plans by variant: `facade`, `chatty`, …; a `together` plan is left out on stacks that declare they do not support it. */
  readonly variants: Readonly<Record<string, Plan>>;
  /**
   * The answer of a plan is its responses in ProtoJSON, merged into one object, each at its position. All variants on all stacks must give the same
   * values for these keys, such as `name`, or `products.name` for the names of all products; an empty list compares everything.
   */
  readonly answerKeys: readonly string[];
  /** True if two versions of a server may answer otherwise: only answers of one version are compared. */
  readonly answersMayDiffer?: boolean;
  /** Expected values for some keys of the answer. Only an answer from a single server is compared with them; others are compared with each other. */
  readonly expected: JsonObject;
  /** Brings a freshly started server to the state that the task needs. */
  readonly setup: readonly Step[];
  /** What starts tasks, a factor with all values of its pacer; absent if each caller begins its next task at once. */
  readonly load?: Load;
  /** Instead of a load: each stack's capacity is searched first, and measured at shares of it by Poisson arrivals, `tasksPerRound` at most a block. */
  readonly saturation?: SaturationSearch;
  /**
   * Closed loop: the number of callers, each on its own connection, that begin the next task when the one before has ended. Open loop: the number of
   * connections over HTTP/1.1, where a call that finds all of them busy waits in the client, which counts; over HTTP/2 calls share one.
   */
  readonly callers: number;
  /**
   * Priorities of variants if time is short, on all stacks at once: 1 is never left out; 2 only if a fifth of its calls are too many; larger numbers
   * before any cell makes fewer than 80 % of its calls, the largest first. Default: 1.
   */
  readonly priorities?: Readonly<Record<string, number>>;
  /** Executions of each variant in one round. */
  readonly tasksPerRound: number;
  /** Executions in one uninterrupted block. */
  readonly tasksPerBlock: number;
}

/** A task of one caller, without levels, conditions or compared answers. */
export const taskDefaults = {
  factors: {},
  settings: {},
  links: [],
  answerKeys: [],
  expected: {},
  setup: [],
  callers: 1,
} as const satisfies Partial<Task>;

/** What a study file in `bench/studies/` exports as `study`. */
export interface Study {
  readonly name: string;
  readonly title: string;
  /** The question it answers, in one sentence. */
  readonly question: string;
  readonly rounds: number;
  /** The stacks to measure if none are selected: with `libraries` every server and client of each style, and bounds; or these. Default: one per style. */
  readonly stacks?: "libraries" | readonly string[];
  /** The stacks of the run that measure it, beside the floor and calls in process; absent for all. A run of several studies has the stacks of each. */
  readonly measuredOn?: readonly string[];
  /** Wall-clock time that its rounds need; absent for the default of a minute. */
  readonly budgetMs?: number;
  /** If time is short, the floor is left out with the cells of this priority. Default: 1, never. */
  readonly floorPriority?: number;
  /** True if its plainest calls are made in process too. Default: false. */
  readonly inProcess?: boolean;
  /** The factors whose levels show from where on a façade is faster; absent for all numbers, empty where levels or variants have other answers. */
  readonly breakEvensOver?: readonly string[];
  /** False if the first call of fresh processes is not a result of the study. Default: true. */
  readonly takesFirstCalls?: boolean;
  /** True if each stack does the blocks of a round in the order of tasks and variants, instead of a random one. Default: false. */
  readonly keepsOrder?: boolean;
  readonly tasks: readonly Task[];
}

/** Indices of steps, in sets that follow each other: all in one set, each in its own, or as the steps say. */
export function setsOfSteps(order: Order, steps: readonly Pick<Step, "set">[]): readonly (readonly number[])[] {
  if (order !== "sequential") return [steps.map((_step, index) => index)];
  const sets: number[][] = [];
  steps.forEach(({ set }, index) => {
    const last = sets.at(-1);
    if (set !== undefined && last !== undefined && steps[index - 1]?.set === set) last.push(index);
    else sets.push([index]);
  });
  return sets;
}

/** The limit of a search, and the shares at which the task is measured. */
export interface SaturationSearch {
  /**
   * The limit for 99 % of calls, from their intended start. Absent if only a rate is wanted: then it is the rate of callers without pauses, of
   * processes no warmer than in a round, found in less than a second.
   */
  readonly limitMs?: number;
  /** Shares of the capacity at which the task is measured. */
  readonly shares: readonly number[];
  /** The duration of arrivals in each measured block. */
  readonly blockMs: number;
}

/** A lower limit is within the machine's own hiccups; a higher one exceeds the time that answers are waited for. */
export const saturationLimits = { leastMs: 1, mostMs: 10_000 } as const;
