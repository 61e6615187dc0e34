// Handles servers and clients that are killed during a block: unanswered calls have failed, later blocks of the pair in the round are left out, and
// the run continues. A closed connection fails its calls; a server that runs but does not answer ends the run.
import type { RunEvent } from "@roundtrip/runs";
import { setTimeout } from "node:timers/promises";
import type { PlannedArm } from "../study/planned-arm.ts";
import type { OpenLinks } from "../link/open-links.ts";
import type { EndedProcess, ProcessPair } from "./process-pair.ts";
import type { BlockAnswer } from "../processes/messages.ts";
import { ProcessLoss } from "../basics/runner-error.ts";

/** A call may fail this long before the runner notices that its server, or the network to it, is gone. */
export const lossNoticeMs = 250;

/** Closed connections do not explain this many unanswered calls in a row, in two blocks or more: some tasks have one call in a block. */
const mostUnanswered = 10;

interface Loss extends EndedProcess {
  blocksLeftOut: number;
}

/** The pairs of one part of a round that have lost a process. */
export class EndedProcesses {
  readonly #round: number;
  readonly #links: OpenLinks;
  readonly #losses = new Map<ProcessPair, Loss>();
  /** Unanswered calls in a row, up to the end of the last block. */
  readonly #unanswered = new Map<ProcessPair, number>();

  constructor(round: number, links: OpenLinks) {
    this.#round = round;
    this.#links = links;
  }

  /** Whether a block of this pair is left out because one of its processes has ended. */
  async leaveOut(pair: ProcessPair): Promise<boolean> {
    const lost = await pair.endedProcess(0);
    if (lost === undefined) return false;
    (await this.#lossOf(pair, lost)).blocksLeftOut += 1;
    return true;
  }

  /** The block; undefined if its client was killed in it. Rejects like the block otherwise. */
  async blockUnlessClientKilled(pair: ProcessPair, block: Promise<BlockAnswer>): Promise<BlockAnswer | undefined> {
    try {
      return await block;
    } catch (thrown) {
      const lost = await pair.endedProcess(lossNoticeMs);
      if (lost?.role !== "client") throw thrown;
      (await this.#lossOf(pair, lost)).blocksLeftOut += 1;
      return undefined;
    }
  }

  /**
   * Whether the server ended during this block. Throws a RunnerError `no-answer` if it runs, or is a target, and has left {@link mostUnanswered} calls
   * unanswered by the end of this block, and some before it.
   */
  async hasServerEnded(
    pair: ProcessPair,
    { title, target }: PlannedArm,
    { rows, outcomes }: BlockAnswer,
  ): Promise<boolean> {
    const notFound = rows.outcome.reduce((sum, outcome) => sum + (outcomes[outcome] === "UNAVAILABLE" ? 1 : 0), 0);
    const isUnanswered = notFound > 0 && notFound === rows.outcome.length;
    const before = this.#unanswered.get(pair) ?? 0;
    this.#unanswered.delete(pair);
    if (notFound === 0) return false;
    const lost = await pair.endedProcess(isUnanswered ? 4 * lossNoticeMs : lossNoticeMs);
    if (lost !== undefined) {
      await this.#lossOf(pair, lost);
      return true;
    }
    if (!isUnanswered) return false;
    if (before > 0 && before + notFound >= mostUnanswered) {
      const name = target === undefined ? title : `${title} at ${target}`;
      throw new ProcessLoss({ name, how: "silent" }, `${name} no longer answers`);
    }
    this.#unanswered.set(pair, before + notFound);
    return false;
  }

  events(): readonly RunEvent[] {
    const round = this.#round;
    return [...this.#losses.values()].map(({ end: { end }, ...loss }) => ({
      kind: "process-ended",
      round,
      end,
      ...loss,
    }));
  }

  // A lost network also ends processes, and may be reported after them. Then the network counts as lost.
  async #lossOf(pair: ProcessPair, lost: EndedProcess): Promise<Loss> {
    const known = this.#losses.get(pair);
    if (known !== undefined) return known;
    if (this.#links.facts.length > 0) await setTimeout(lossNoticeMs);
    this.#links.lost.throwIfAborted();
    const loss = { ...lost, blocksLeftOut: 0 };
    this.#losses.set(pair, loss);
    return loss;
  }
}
