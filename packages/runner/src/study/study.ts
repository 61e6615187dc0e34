// A study as data: tasks, each with several variants in terms of contract operations.
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { Scalar } from "@roundtrip/analysis";
import type { SettingLevels } from "./service-settings.ts";
import type { LinkSettings, TcpNeed } from "./link-settings.ts";
import type { Load } from "../pace/load.ts";
import type { SaturationSearch } from "./saturation-search.ts";

/** What a stream of requests is made of: bytes that cannot be compressed, in chunks. */
export interface ChunkSource {
  /** The field of type bytes, by its name in the contract, that holds each request's chunk. */
  readonly field: string;
  readonly sizeBytes: number;
  readonly chunkBytes: number;
}

/** Fields of an answer, by their names in the contract and of type google.protobuf.Duration, with the server's times. */
export interface ReportedTimes {
  /** How long the call waited to be served. */
  readonly queue: string;
  /** How long it was served. */
  readonly service: string;
}

/** A place in a plan's answer: a member, or a place in a list that is one. */
export interface AnswerPosition {
  readonly member: string;
  readonly index?: number;
}

/** One operation of a plan with its request in ProtoJSON. */
export interface Step {
  /** `package.Service.Method`. */
  readonly operation: string;
  /** Of a stream of requests, what each of them holds beside its chunk. */
  readonly request: JsonValue;
  /**
   * Where tasks do not all ask the same: what they ask in turn, so that a block's task n asks the nth, round and round, on every stack. The
   * `request` is used where answers are compared. Not for streams.
   */
  readonly inTurn?: readonly JsonValue[];
  /** The server's times to record with the call; absent if its answer has none. Not for streams. */
  readonly reportedTimes?: ReportedTimes;
  /** Set for an operation that streams: its plan is left out on stacks that declare they cannot. A stream is read to its end. */
  readonly needs?: "serverStream" | "clientStream";
  /** The stream of requests; without it, one request is sent. */
  readonly source?: ChunkSource;
  /** Where the plan's answer has this one's; absent where its fields are the plan's own. */
  readonly into?: AnswerPosition;
  /** In a plan that is sequential: steps next to each other that have the same number here are called at once. */
  readonly set?: number;
}

/** How a task's calls follow each other: one after the other, all at once, or as one exchange (where a stack can). */
export type Order = "sequential" | "parallel" | "together";

/** What one execution of a task does. */
export interface Plan {
  readonly order: Order;
  readonly steps: readonly Step[];
  /** Who makes the calls: this project's clients, or autocannon as an independent witness (HTTP/1.1 stacks only, one step). */
  readonly driver: "own" | "autocannon";
  /**
   * A stream of answers pauses where nothing comes for longer than this after something has come. Absent for half the round-trip time of
   * the requested network; without a distance, nothing is a pause.
   */
  readonly pauseMs?: number;
  /**
   * How long its connections are idle before a block, at least: it is waited for, untimed. With 0 the plan is executed twice right before,
   * untimed. Absent where that makes no difference.
   */
  readonly idleMs?: number;
}

/** A piece of work and every way to do it. */
export interface Task {
  /** For example `read`. */
  readonly name: string;
  /** What is held for this task, for example `{ attributes: 3 }`. */
  readonly factors: Readonly<Record<string, Scalar>>;
  /** Settings of stacks and services that are varied, with their levels: each is a factor, and each combination an arm. */
  readonly settings: SettingLevels;
  /** Networks that it is done over, each a level of the factors that it sets; empty leaves it to the machine's own. */
  readonly links: readonly LinkSettings[];
  /** Whether calls go over TLS, each a level of the factor `tls`; absent leaves it to the run as a whole. */
  readonly tls?: readonly boolean[];
  /** What of a network it is about that only the kernel's TCP shows; absent where small calls on warm connections are all. */
  readonly needs?: readonly TcpNeed[];
  /** False where the floor would say nothing; absent where it does the task too. */
  readonly onFloor?: boolean;
  /** Whether the first call of fresh processes may be its; absent leaves it to the study. */
  readonly takesFirstCalls?: boolean;
  /** True where its server computes on threads: it has all cores but the client's then, and one of them otherwise. */
  readonly computesOnThreads?: boolean;
  /** The stacks that do it, if the others would give the same result. Default: all. */
  readonly stacks?: readonly string[];
  /** Plans by variant: `facade`, `chatty`, …; a `together` plan is left out on stacks that declare they cannot. */
  readonly variants: Readonly<Record<string, Plan>>;
  /**
   * The answer of a plan is its responses in ProtoJSON, merged into one object, each at its place. All variants on all stacks must give the same
   * values for these keys; an empty list compares everything.
   */
  readonly answerKeys: readonly string[];
  /**
   * What the answer holds for some of its keys. An answer that a second server gives as well needs no other witness; one that comes
   * from a single server is held against this.
   */
  readonly expected: JsonObject;
  /** Brings a freshly started server to the state that the task needs. */
  readonly setup: readonly Step[];
  /** What sets tasks off, a factor with all that its pacer holds; absent where each caller begins its next task at once. */
  readonly load?: Load;
  /**
   * In place of a load: what each stack carries of the task is searched before the rounds, and then it is measured at shares of that, with Poisson
   * arrivals; `tasksPerRound` is the most in a block.
   */
  readonly saturation?: SaturationSearch;
  /**
   * Closed loop: this many callers, each on a connection of its own, begin the next task when the one before has ended. Open loop: the
   * connections that calls may use over HTTP/1.1, where a call that finds all of them busy waits in the client, and that counts; over HTTP/2
   * they share one.
   */
  readonly callers: number;
  /**
   * Which variants go first where time is short, on all stacks at once: 1 is never left out, the largest number is left out first. Absent, and
   * for variants that are not named, 1.
   */
  readonly priorities?: Readonly<Record<string, number>>;
  /** Executions of each variant in one round. */
  readonly tasksPerRound: number;
  /** Executions in one uninterrupted block. */
  readonly tasksPerBlock: number;
}

/** What a study file in `bench/studies/` exports as `study`. */
export interface Study {
  readonly name: string;
  readonly title: string;
  /** The question it answers, in one sentence. */
  readonly question: string;
  readonly rounds: number;
  /** Wall-clock time that its rounds need; absent where the usual minute does. */
  readonly budgetMs?: number;
  /** Where time is short, the floor is left out with the cells of this priority; absent where it stays as long as any cell. */
  readonly floorPriority?: number;
  /** False where the first call of fresh processes is no result of it; absent where it is. */
  readonly takesFirstCalls?: boolean;
  readonly tasks: readonly Task[];
}

/** Indices of steps, in sets that follow each other: all of them in one, each in its own, or as the steps say. */
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
