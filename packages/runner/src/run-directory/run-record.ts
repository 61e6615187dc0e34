// The record of a run: gathers the logs of its rounds, and writes them to its directory after every round, so that a crash loses at most one.
import {
  RunError,
  type Block,
  type Capacity,
  type Environment,
  type FirstCall,
  type LeftOutCells,
  type RoundMemory,
  type RoundTime,
  type RunEvent,
  type RunFacts,
  type WarmUp,
} from "@roundtrip/runs";
import { present } from "../basics/present.ts";
import { factsOfArm, type PlannedArm } from "../study/planned-arm.ts";
import type { RoundLog } from "./round-log.ts";
import type { OpenRunDirectory } from "@roundtrip/runs/write";

/** What is known of a run before it begins. */
export interface RunOutline {
  /** ISO 8601. */
  readonly startedAt: string;
  readonly seed: number;
  readonly command: string;
  readonly environment: Environment;
  readonly arms: readonly PlannedArm[];
  readonly capacities?: readonly Capacity[];
  readonly roundsPlanned: number;
}

/** Its clock starts when it is made. The status is "failed" until set, because a crash cannot set it. Methods that write throw `unwritable`. */
export class RunRecord {
  status: RunFacts["status"] = "failed";
  roundsDone = 0;
  /** False if arms that do the same work have answered differently. */
  agreed = true;
  /** Complete after the capacity searches before the rounds. */
  outline: RunOutline;
  /** The time limit for which rounds are missing; undefined if none are. */
  timeLimitMs: number | undefined;
  readonly events: RunEvent[];
  readonly roundTimes: RoundTime[] = [];
  readonly #blocks: Block[] = [];
  readonly #voidBlocks: Block[] = [];
  readonly #firstCalls: FirstCall[] = [];
  readonly #warmUps: WarmUp[] = [];
  readonly #memory: RoundMemory[] = [];
  #responsesCompared = 0;
  readonly #output: OpenRunDirectory;
  readonly #startedAtMs = performance.now();
  /** The cells without time; undefined if everything is measured. */
  #leftOut: LeftOutCells | undefined;

  constructor(outline: RunOutline, events: readonly RunEvent[], output: OpenRunDirectory) {
    this.outline = outline;
    this.events = [...events];
    this.#output = output;
  }

  get elapsedMs(): number {
    return performance.now() - this.#startedAtMs;
  }

  get facts(): RunFacts {
    return this.#facts(this.elapsedMs);
  }

  /** Writes the facts of an empty run, so that a directory that cannot be written fails now rather than after an hour. */
  begin(): void {
    this.#output.writeFacts(this.#facts(0));
  }

  /** Keeps the plan, before the first round is added. The first calls of left-out cells are dropped from it. */
  plan({ rounds, leftOut }: { readonly rounds: number; readonly leftOut: LeftOutCells | undefined }): void {
    // Rounds that a short budget has not time for are missing.
    this.outline = { ...this.outline, roundsPlanned: Math.max(this.outline.roundsPlanned, rounds) };
    this.#leftOut = leftOut;
  }

  /** Adds a round, complete or not. Writes calls first, so that facts never refer to calls that could not be written. */
  add(round: RoundLog): void {
    round.leaveOut(this.#leftOut?.armIds ?? []);
    this.#output.samples.write(round.rows());
    this.#blocks.push(...round.blocks);
    this.#voidBlocks.push(...round.voidBlocks);
    this.#firstCalls.push(...round.firstCalls);
    this.#warmUps.push(...round.warmUps);
    this.#memory.push(...round.memory);
    this.#responsesCompared += round.responsesCompared;
    this.events.push(...round.events);
  }

  write(): void {
    this.#output.writeFacts(this.facts);
  }

  /** As {@link write}, but its failure does not hide the error that came first. */
  tryWrite(): void {
    try {
      this.write();
    } catch (thrown) {
      if (!(thrown instanceof RunError)) throw thrown;
    }
  }

  close(): void {
    this.#output.samples.close();
  }

  #facts(durationMs: number): RunFacts {
    const { arms, capacities = [], startedAt, seed, command, environment, roundsPlanned } = this.outline;
    const { armIds: without = [] } = this.#leftOut ?? {};
    return present({
      startedAt,
      durationMs,
      seed,
      command,
      status: this.status,
      environment,
      events: this.events,
      arms: arms.filter(({ id }) => !without.includes(id)).map(factsOfArm),
      blocks: this.#blocks,
      voidBlocks: this.#voidBlocks.length === 0 ? undefined : this.#voidBlocks,
      firstCalls: this.#firstCalls,
      warmUps: this.#warmUps,
      memory: this.#memory.length === 0 ? undefined : this.#memory,
      capacities: capacities.length === 0 ? undefined : capacities,
      roundTimes: this.roundTimes,
      leftOut: this.#leftOut,
      timeLimitMs: this.timeLimitMs,
      verification: {
        responsesCompared: this.#responsesCompared,
        answerGroups: new Set(arms.map((arm) => arm.answerKey)).size,
        agreed: this.agreed,
      },
      roundsPlanned,
      roundsDone: this.roundsDone,
    });
  }
}
