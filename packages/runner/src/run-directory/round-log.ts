// The log of one round. It is kept outside the round, so that it survives a round that fails.
import type {
  Block,
  Disturbance,
  FirstCall,
  ProcessEvidence,
  RoundMemory,
  TcpEvidence,
  WarmUp,
  RunEvent,
  RoundTime,
} from "@roundtrip/runs";
import { present } from "../basics/present.ts";
import type { KernelEvidence } from "../evidence/block-counters.ts";
import type { BlockAnswer } from "../processes/messages.ts";
import { RoundRows, type SampleRows } from "@roundtrip/runs/sample-rows";

/** The phases of a round, in this order for each of its parts. */
export type Phase = Exclude<keyof RoundTime, "round">;

const none: Readonly<Record<Phase, number>> = {
  startingMs: 0,
  firstCallsMs: 0,
  verificationMs: 0,
  warmUpMs: 0,
  blocksMs: 0,
  endingMs: 0,
};

class PhaseClock {
  readonly #spent = { ...none };
  #phase: Phase = "startingMs";
  #since = performance.now();

  /** Ends the current phase and begins this one. */
  enter(phase: Phase): void {
    const now = performance.now();
    this.#spent[this.#phase] += now - this.#since;
    this.#phase = phase;
    this.#since = now;
  }

  /** The time of each phase so far, in milliseconds. */
  get spent(): Readonly<Record<Phase, number>> {
    this.enter(this.#phase);
    return { ...this.#spent };
  }
}

/** What the runner knows of a block and its client cannot measure. */
export interface BlockFacts extends Pick<Block, "armId" | "block" | "tasks" | "serverCpuMs"> {
  readonly server: ProcessEvidence | undefined;
  readonly tcp: TcpEvidence | undefined;
  /** Absent if the runner does not see the block begin and end. */
  readonly kernel?: KernelEvidence;
  readonly disturbance?: Disturbance | undefined;
}

/** What the load generator reports of a block. Only clients of this project collect evidence. */
export type ReportedBlock = Pick<
  BlockAnswer,
  "rows" | "outcomes" | "timeOriginMs" | "elapsedMs" | "connectionsOpened"
> &
  Partial<
    Pick<
      BlockAnswer,
      "clientUtilisation" | "connectionsReused" | "connectionsClosedByServer" | "streamsPerConnection" | "client"
    >
  > & {
    /** Null if it ran elsewhere. */
    readonly clientCpuMs: number | null;
    /** Null if they cannot be separated from those of other tasks; rows have 0 then. */
    readonly wireBytes: number | null;
  };

/** Gathers facts and calls; converts clients' clocks to nanoseconds since the run's start. */
export class RoundLog {
  blocks: Block[] = [];
  /** Blocks that were measured again. */
  voidBlocks: Block[] = [];
  firstCalls: FirstCall[] = [];
  readonly warmUps: WarmUp[] = [];
  readonly memory: RoundMemory[] = [];
  readonly events: RunEvent[] = [];
  readonly clock = new PhaseClock();
  responsesCompared = 0;
  readonly #round: number;
  readonly #startedAtMs: number;
  #answers: { readonly armId: string; readonly block: number; readonly answer: ReportedBlock }[] = [];

  /** @param startedAtMs the run's start, in milliseconds of the time of day. */
  constructor(round: number, startedAtMs: number) {
    this.#round = round;
    this.#startedAtMs = startedAtMs;
  }

  addBlock(facts: BlockFacts, answer: ReportedBlock): void {
    const { armId, block } = facts;
    this.#answers.push({ armId, block, answer });
    this.blocks.push(this.#blockOf(facts, answer));
  }

  /** Keeps the facts of a block that is measured again, without its disturbed calls. */
  addVoidBlock(facts: BlockFacts, answer: ReportedBlock): void {
    this.voidBlocks.push(this.#blockOf(facts, answer));
  }

  #blockOf({ kernel, ...facts }: BlockFacts, answer: ReportedBlock): Block {
    const { rows, outcomes: _outcomes, timeOriginMs: _timeOriginMs, ...counters } = answer;
    return present({
      ...facts,
      round: this.#round,
      calls: rows.task.length,
      failedCalls: rows.outcome.reduce((failed, outcome) => failed + (outcome === 0 ? 0 : 1), 0),
      ...counters,
      ...kernel,
    });
  }

  leaveOut(armIds: readonly string[]): void {
    const isKept = ({ armId }: { readonly armId: string }): boolean => !armIds.includes(armId);
    this.blocks = this.blocks.filter(isKept);
    this.voidBlocks = this.voidBlocks.filter(isKept);
    this.firstCalls = this.firstCalls.filter(isKept);
    this.#answers = this.#answers.filter(isKept);
  }

  rows(): SampleRows {
    const calls = this.#answers.reduce((sum, { answer }) => sum + answer.rows.task.length, 0);
    const written = new RoundRows(calls, this.#startedAtMs);
    for (const { armId, block, answer } of this.#answers) written.add({ armId, round: this.#round, block }, answer);
    return written.rows;
  }
}
