// What one round has seen so far: kept outside the round, so that it survives when the round does not.
import type { Block, Disturbance, FirstCall, ProcessEvidence, TcpEvidence, WarmUp, Warning } from "@roundtrip/analysis";
import type { KernelEvidence } from "../evidence/block-books.ts";
import type { BlockAnswer } from "../processes/messages.ts";
import { PhaseClock } from "./phase-clock.ts";
import type { SampleRows } from "./samples-parquet.ts";

/** A block as the runner knows it: which one it was, and what its client cannot tell. */
export interface BlockPlace extends Pick<Block, "armId" | "block" | "tasks" | "serverCpuMs"> {
  readonly server: ProcessEvidence | undefined;
  readonly tcp: TcpEvidence | undefined;
  /** Absent where the runner does not see the block begin and end. */
  readonly kernel?: KernelEvidence;
  readonly disturbance?: Disturbance | undefined;
}

/** A block as whoever made its calls told it. Evidence is what clients of this project collect; other generators have none. */
export type ToldBlock = Pick<BlockAnswer, "rows" | "outcomes" | "timeOriginMs" | "elapsedMs" | "connectionsOpened"> &
  Partial<
    Pick<
      BlockAnswer,
      "clientUtilisation" | "connectionsReused" | "connectionsClosedByServer" | "streamsPerConnection" | "client"
    >
  > & {
    /** Null where it ran elsewhere. */
    readonly clientCpuMs: number | null;
    /** Null where they cannot be told from those of other tasks; rows have 0 then. */
    readonly wireBytes: number | null;
  };

/** Gathers facts and calls; turns clients' clocks into nanoseconds since the run's start. */
export class RoundLog {
  blocks: Block[] = [];
  /** Those that were measured again. */
  voidBlocks: Block[] = [];
  firstCalls: FirstCall[] = [];
  readonly warmUps: WarmUp[] = [];
  /** What happened in the round that its readers must know. */
  readonly warnings: Warning[] = [];
  readonly clock = new PhaseClock();
  responsesCompared = 0;
  readonly #round: number;
  readonly #startedAtMs: number;
  #answers: { readonly armId: string; readonly block: number; readonly answer: ToldBlock }[] = [];

  /** @param startedAtMs the run's start, in milliseconds of the time of day. */
  constructor(round: number, startedAtMs: number) {
    this.#round = round;
    this.#startedAtMs = startedAtMs;
  }

  /** Adds a block as its generator told it. */
  addBlock(place: BlockPlace, answer: ToldBlock): void {
    const { armId, block } = place;
    this.#answers.push({ armId, block, answer });
    this.blocks.push(this.#blockOf(place, answer));
  }

  /** Keeps what a block was like that is measured again: its calls are those of a disturbance. */
  addVoidBlock(place: BlockPlace, answer: ToldBlock): void {
    this.voidBlocks.push(this.#blockOf(place, answer));
  }

  #blockOf(place: BlockPlace, answer: ToldBlock): Block {
    const { armId, block, tasks, serverCpuMs, server, tcp, kernel, disturbance } = place;
    const { rows, elapsedMs, clientCpuMs, clientUtilisation, wireBytes, connectionsOpened } = answer;
    const { connectionsReused, connectionsClosedByServer, streamsPerConnection, client } = answer;
    return {
      armId,
      round: this.#round,
      block,
      tasks,
      calls: rows.task.length,
      failedCalls: rows.outcome.reduce((failed, outcome) => failed + (outcome === 0 ? 0 : 1), 0),
      elapsedMs,
      serverCpuMs,
      clientCpuMs,
      ...(clientUtilisation === undefined ? {} : { clientUtilisation }),
      wireBytes,
      connectionsOpened,
      ...(connectionsReused === undefined ? {} : { connectionsReused }),
      ...(connectionsClosedByServer === undefined ? {} : { connectionsClosedByServer }),
      ...(streamsPerConnection === undefined ? {} : { streamsPerConnection }),
      ...(client === undefined ? {} : { client }),
      ...(server === undefined ? {} : { server }),
      ...(tcp === undefined ? {} : { tcp }),
      ...kernel,
      ...(disturbance === undefined ? {} : { disturbance }),
    };
  }

  /** Forgets what was seen of these arms. */
  leaveOut(armIds: readonly string[]): void {
    const isKept = ({ armId }: { readonly armId: string }): boolean => !armIds.includes(armId);
    this.blocks = this.blocks.filter(isKept);
    this.voidBlocks = this.voidBlocks.filter(isKept);
    this.firstCalls = this.firstCalls.filter(isKept);
    this.#answers = this.#answers.filter(isKept);
  }

  /** All calls so far, in columns. */
  rows(): SampleRows {
    const length = this.#answers.reduce((sum, { answer }) => sum + answer.rows.task.length, 0);
    const armId: string[] = Array.from({ length });
    const outcome: string[] = Array.from({ length });
    const firstByteAtNs = Array.from<bigint | null>({ length }).fill(null);
    const pauses = Array.from<number | null>({ length }).fill(null);
    const queueNs = Array.from<bigint | null>({ length }).fill(null);
    const serviceNs = Array.from<bigint | null>({ length }).fill(null);
    const rows = {
      armId,
      round: new Int32Array(length).fill(this.#round),
      block: new Int32Array(length),
      index: new Int32Array(length),
      step: new Int32Array(length),
      intendedAtNs: new BigInt64Array(length),
      startedAtNs: new BigInt64Array(length),
      endedAtNs: new BigInt64Array(length),
      outcome,
      requestBytes: new Int32Array(length),
      responseBytes: new Int32Array(length),
      firstByteAtNs,
      pauses,
      queueNs,
      serviceNs,
    };
    let at = 0;
    for (const { armId: id, block, answer } of this.#answers) {
      const { rows: calls, outcomes } = answer;
      const offsetMs = answer.timeOriginMs - this.#startedAtMs;
      const ns = (ms: number): bigint => BigInt(Math.round((ms + offsetMs) * 1e6));
      rows.index.set(calls.task, at);
      rows.step.set(calls.step, at);
      rows.requestBytes.set(calls.requestBytes, at);
      rows.responseBytes.set(calls.responseBytes, at);
      rows.block.fill(block, at, at + calls.task.length);
      armId.fill(id, at, at + calls.task.length);
      for (let call = 0; call < calls.task.length; call += 1) {
        const startedAtNs = ns(calls.startedAtMs[call] ?? 0);
        rows.startedAtNs[at + call] = startedAtNs;
        const intendedAtMs = calls.intendedAtMs[call] ?? Number.NaN;
        // Without a schedule, a call is intended when it is made.
        rows.intendedAtNs[at + call] = Number.isNaN(intendedAtMs) ? startedAtNs : ns(intendedAtMs);
        rows.endedAtNs[at + call] = ns(calls.endedAtMs[call] ?? 0);
        const firstByteAtMs = calls.firstByteAtMs[call] ?? Number.NaN;
        if (!Number.isNaN(firstByteAtMs)) {
          firstByteAtNs[at + call] = ns(firstByteAtMs);
          pauses[at + call] = calls.pauses[call] ?? 0;
        }
        const queueMs = calls.queueMs[call] ?? Number.NaN;
        if (!Number.isNaN(queueMs)) {
          queueNs[at + call] = BigInt(Math.round(queueMs * 1e6));
          serviceNs[at + call] = BigInt(Math.round((calls.serviceMs[call] ?? 0) * 1e6));
        }
        outcome[at + call] = outcomes[calls.outcome[call] ?? 0] ?? "UNKNOWN";
      }
      at += calls.task.length;
    }
    return rows;
  }
}
