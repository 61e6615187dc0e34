// By how much a ratio moves when other processes interrupt short and long blocks, by simulation of what a run measures.
import { pairedLogRatios, randomFrom, type Random } from "@roundtrip/analysis/statistics";
import { mean } from "./measure.ts";

/** Interruptions of a process: their length, and the mean time between them. */
export interface Interruptions {
  readonly name: string;
  readonly lostMs: number;
  readonly everyMs: number;
  /** Whether they come at fixed intervals, as from a time slice, or at random moments. */
  readonly isPeriodic: boolean;
}

export const interruptions: readonly Interruptions[] = [
  { name: "4 ms in each 100 ms", lostMs: 4, everyMs: 100, isPeriodic: true },
  { name: "4 ms at random, every 100 ms", lostMs: 4, everyMs: 100, isPeriodic: false },
  { name: "2 ms at random, every 50 ms", lostMs: 2, everyMs: 50, isPeriodic: false },
  { name: "1 to 5 s at random, every 30 s", lostMs: 3_000, everyMs: 30_000, isPeriodic: false },
];

/** Undisturbed durations of a block of the two arms. */
const shortMs = 8;
const longMs = 80;

/** The default run: six rounds, and five blocks of each arm in a round. */
const rounds = 6;
const turns = 5;

interface BiasOptions {
  readonly runs: number;
  readonly seed: number;
  /** Whether to measure a block again, from what it lost and how long it took; the one that lost less counts. */
  readonly isRepeated: (lostMs: number, elapsedMs: number) => boolean;
}

interface MeasuredBlock {
  readonly elapsedMs: number;
  readonly lostMs: number;
}

/** A machine that stops whatever runs, on and on. */
class InterruptedMachine {
  readonly #about: Interruptions;
  readonly #random: Random;
  #nowMs = 0;
  #nextMs: number;

  constructor(about: Interruptions, random: Random) {
    this.#about = about;
    this.#random = random;
    this.#nextMs = random() * about.everyMs;
  }

  /** Runs for this long without other work in between. */
  run(workMs: number): MeasuredBlock {
    const startedMs = this.#nowMs;
    let lostMs = 0;
    let leftMs = workMs;
    while (this.#nextMs < this.#nowMs + leftMs) {
      const doneMs = Math.max(0, this.#nextMs - this.#nowMs);
      const stoppedMs = this.#stoppedMs();
      leftMs -= doneMs;
      lostMs += stoppedMs;
      this.#nowMs += doneMs + stoppedMs;
      this.#nextMs = this.#nowMs + this.#gapMs();
    }
    this.#nowMs += leftMs;
    return { elapsedMs: this.#nowMs - startedMs, lostMs };
  }

  #stoppedMs(): number {
    const { lostMs } = this.#about;
    // Standstills vary in length, time slices do not.
    return lostMs < 1_000 ? lostMs : lostMs * (1 / 3 + (4 / 3) * this.#random());
  }

  #gapMs(): number {
    const { everyMs, lostMs, isPeriodic } = this.#about;
    const meanMs = everyMs - lostMs;
    return isPeriodic ? meanMs : -meanMs * Math.log(1 - this.#random());
  }
}

/** The error of the ratio long / short in per cent, over many simulated runs; the same seed gives the same figure. */
export function ratioBias(about: Interruptions, { runs, seed, isRepeated }: BiasOptions): number {
  const random = randomFrom(seed, `interrupted ${about.name}`);
  const machine = new InterruptedMachine(about, random);
  const measure = (workMs: number): number => {
    const first = machine.run(workMs);
    if (!isRepeated(first.lostMs, first.elapsedMs)) return first.elapsedMs;
    const again = machine.run(workMs);
    return (again.lostMs < first.lostMs ? again : first).elapsedMs;
  };
  const ratios = Array.from({ length: runs }, () => {
    const long = Array.from({ length: rounds }, () => new Map<number, number>());
    const short = Array.from({ length: rounds }, () => new Map<number, number>());
    for (let round = 0; round < rounds; round += 1) {
      for (let turn = 0; turn < turns; turn += 1) {
        // Other arms run in between.
        machine.run(100 * random());
        const inOrder: readonly (readonly [Map<number, number> | undefined, number])[] = [
          [long[round], longMs],
          [short[round], shortMs],
        ];
        for (const [values, workMs] of random() < 0.5 ? inOrder : inOrder.toReversed()) {
          values?.set(turn, measure(workMs));
        }
      }
    }
    return mean(pairedLogRatios(long, short).logRatios);
  });
  return 100 * (Math.exp(mean(ratios)) / (longMs / shortMs) - 1);
}
