// Writes the record of a run to its directory after every round, so that a crash loses at most one.
import type { LeftOutCells, RunFacts } from "@roundtrip/analysis";
import type { OpenRunDirectory } from "./run-directory.ts";
import type { RoundLog } from "./round-log.ts";
import type { RunLog } from "./run-log.ts";
import { RunnerError } from "../basics/runner-error.ts";

/** Its clock starts when it is made. All methods that write throw `unwritable`. */
export class RunRecord {
  readonly log: RunLog;
  readonly #output: OpenRunDirectory;
  readonly #startedAtMs = performance.now();

  constructor(log: RunLog, output: OpenRunDirectory) {
    this.log = log;
    this.#output = output;
  }

  get elapsedMs(): number {
    return performance.now() - this.#startedAtMs;
  }

  get facts(): RunFacts {
    return this.log.facts(this.elapsedMs);
  }

  /** Writes the facts of an empty run, so that a directory that cannot be written fails now rather than after an hour. */
  begin(): void {
    this.#output.writeFacts(this.log.facts(0), []);
  }

  /** Keeps the plan, before the first round is added. The first calls of left-out cells are dropped from it. */
  plan({ rounds, leftOut }: { readonly rounds: number; readonly leftOut: LeftOutCells | undefined }): void {
    const { outline } = this.log;
    // Rounds that a short budget has not time for are missing.
    this.log.outline = { ...outline, roundsPlanned: Math.max(outline.roundsPlanned, rounds) };
    this.log.leftOut = leftOut;
  }

  /** Adds a round. Writes calls first, so that facts never refer to calls that could not be written. */
  add(round: RoundLog): void {
    round.leaveOut(this.log.leftOut?.armIds ?? []);
    this.#output.samples.write(round.rows());
    this.log.add(round);
    this.log.warnings.push(...round.warnings);
  }

  write(): void {
    this.#output.writeFacts(this.facts, []);
  }

  /** As {@link write}, but its failure does not hide the error that came first. */
  tryWrite(): void {
    try {
      this.write();
    } catch (thrown) {
      if (!(thrown instanceof RunnerError)) throw thrown;
    }
  }

  close(): void {
    this.#output.samples.close();
  }
}
