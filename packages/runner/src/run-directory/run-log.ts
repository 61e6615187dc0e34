// The facts of a run so far, which can be written at any time, whatever ends the run.
import type {
  Block,
  Capacity,
  Environment,
  FirstCall,
  LeftOutCells,
  RoundTime,
  RunFacts,
  WarmUp,
  Warning,
} from "@roundtrip/analysis";
import { factsOfArm, type PlannedArm } from "../study/planned-arm.ts";
import type { RoundLog } from "./round-log.ts";

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

/** Gathers the logs of rounds. The status is "failed" until it is set, because a crash cannot set it. */
export class RunLog {
  status: RunFacts["status"] = "failed";
  roundsDone = 0;
  /** False if arms that do the same work have answered differently. */
  agreed = true;
  /** Complete after the capacity searches before the rounds. */
  outline: RunOutline;
  /** The time limit for which rounds are missing; undefined if none are. */
  timeLimitMs: number | undefined;
  readonly warnings: Warning[];
  readonly roundTimes: RoundTime[] = [];
  /** The cells without time; undefined if everything is measured. */
  leftOut: LeftOutCells | undefined;
  readonly #blocks: Block[] = [];
  readonly #voidBlocks: Block[] = [];
  readonly #firstCalls: FirstCall[] = [];
  readonly #warmUps: WarmUp[] = [];
  #responsesCompared = 0;

  constructor(outline: RunOutline, warnings: readonly Warning[]) {
    this.outline = outline;
    this.warnings = [...warnings];
  }

  /** Adds the log of a round, complete or not. */
  add({ blocks, voidBlocks, firstCalls, warmUps, responsesCompared }: RoundLog): void {
    this.#blocks.push(...blocks);
    this.#voidBlocks.push(...voidBlocks);
    this.#firstCalls.push(...firstCalls);
    this.#warmUps.push(...warmUps);
    this.#responsesCompared += responsesCompared;
  }

  /** The facts so far; `durationMs` is 0 before the first round has ended. */
  facts(durationMs: number): RunFacts {
    const { arms, capacities = [], startedAt, seed, command, environment, roundsPlanned } = this.outline;
    const { armIds: without = [] } = this.leftOut ?? {};
    return {
      startedAt,
      durationMs,
      seed,
      command,
      status: this.status,
      environment,
      warnings: this.warnings,
      arms: arms.filter(({ id }) => !without.includes(id)).map(factsOfArm),
      blocks: this.#blocks,
      ...(this.#voidBlocks.length === 0 ? {} : { voidBlocks: this.#voidBlocks }),
      firstCalls: this.#firstCalls,
      warmUps: this.#warmUps,
      ...(capacities.length === 0 ? {} : { capacities }),
      roundTimes: this.roundTimes,
      ...(this.leftOut === undefined ? {} : { leftOut: this.leftOut }),
      ...(this.timeLimitMs === undefined ? {} : { timeLimitMs: this.timeLimitMs }),
      verification: {
        responsesCompared: this.#responsesCompared,
        answerGroups: new Set(arms.map((arm) => arm.answerKey)).size,
        agreed: this.agreed,
      },
      roundsPlanned,
      roundsDone: this.roundsDone,
    };
  }
}
