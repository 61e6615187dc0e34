// Writes a run directory like that of a long default run: real arms, generated latencies, the real writer.
import type { RunFacts } from "@roundtrip/analysis";
import { loadStack } from "@roundtrip/stacks";
import type { Study } from "@roundtrip/runner";
import {
  type PlannedArm,
  armsOf,
  blankRows,
  describeEnvironment,
  factsOfArm,
  openRunDirectory,
  type SampleRows,
} from "@roundtrip/runner/parts";
import { type Random, randomFrom } from "@roundtrip/analysis/statistics";

export interface LargeRunOptions {
  readonly directory: string;
  readonly studies: readonly Study[];
  readonly calls: number;
  readonly rounds: number;
  readonly seed: number;
}

const stackNames = ["floor", "graphql-apollo", "grpc-js", "rest-express"];
const tasksPerBlock = 100;

/** Log-normal by Box and Muller: most calls near the median, some far above. */
function latencyNs(medianNs: number, random: Random): bigint {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return BigInt(Math.round(medianNs * Math.exp(0.25 * normal)));
}

type Block = RunFacts["blocks"][number];

/** One generated round: its calls follow each other on one clock. */
class RoundMaker {
  readonly rows: SampleRows;
  readonly blocks: Block[] = [];
  readonly #round: number;
  readonly #random: Random;
  #clockNs: bigint;
  #at = 0;

  constructor(round: number, calls: number, random: Random) {
    this.rows = blankRows(calls);
    (this.rows.outcome as string[]).fill("OK");
    this.#round = round;
    this.#random = random;
    this.#clockNs = BigInt(round) * 1_000_000_000_000n;
  }

  /** The calls of one arm, in blocks. @param usualNs the median duration of a call. */
  addArm(arm: PlannedArm, calls: number, usualNs: number): void {
    const end = Math.min(this.#at + calls, this.rows.round.length);
    while (this.#at < end) {
      const before = this.#clockNs;
      const size = Math.min(tasksPerBlock * arm.callsPerTask, end - this.#at);
      for (let call = 0; call < size; call += 1) this.#addCall(arm, call, usualNs);
      this.#addBlock(arm, size, Number(this.#clockNs - before) / 1e6);
    }
  }

  #addCall(arm: PlannedArm, call: number, usualNs: number): void {
    const { rows } = this;
    const at = this.#at;
    (rows.armId as string[])[at] = arm.id;
    rows.round[at] = this.#round;
    rows.block[at] = this.blocks.length;
    rows.index[at] = Math.floor(call / arm.callsPerTask);
    rows.step[at] = call % arm.callsPerTask;
    rows.intendedAtNs[at] = this.#clockNs;
    rows.startedAtNs[at] = this.#clockNs;
    if (arm.load !== undefined) {
      // The generator was late, and answers report the times of their server.
      rows.startedAtNs[at] = this.#clockNs + 5_000n;
      (rows.queueNs as (bigint | null)[])[at] = latencyNs(10_000, this.#random);
      (rows.serviceNs as (bigint | null)[])[at] = latencyNs(40_000, this.#random);
    }
    this.#clockNs += latencyNs(usualNs, this.#random);
    rows.endedAtNs[at] = this.#clockNs;
    rows.requestBytes[at] = 120;
    rows.responseBytes[at] = 260;
    this.#at += 1;
  }

  #addBlock(arm: PlannedArm, calls: number, elapsedMs: number): void {
    this.blocks.push({
      armId: arm.id,
      round: this.#round,
      block: this.blocks.length,
      tasks: Math.ceil(calls / arm.callsPerTask),
      calls,
      failedCalls: 0,
      elapsedMs,
      serverCpuMs: elapsedMs * (0.4 + 0.1 * this.#random()),
      clientCpuMs: elapsedMs * (0.5 + 0.1 * this.#random()),
      wireBytes: 380 * calls,
      connectionsOpened: 0,
    });
  }
}

function makeRound(arms: readonly PlannedArm[], round: number, calls: number, random: Random): RoundMaker {
  const made = new RoundMaker(round, calls, random);
  for (const [index, arm] of arms.entries()) made.addArm(arm, Math.ceil(calls / arms.length), 80_000 + 1_000 * index);
  return made;
}

/** Writes the run and returns the number of its arms. */
export async function writeLargeRun({ directory, studies, calls, rounds, seed }: LargeRunOptions): Promise<number> {
  const stacks = await Promise.all(stackNames.map((name) => loadStack(name)));
  const arms = armsOf(studies, stacks);
  const random = randomFrom(seed, "large run");
  const output = openRunDirectory(directory);
  const blocks: RunFacts["blocks"][number][] = [];
  let written = 0;
  for (let round = 0; round < rounds; round += 1) {
    const size = Math.round((calls * (round + 1)) / rounds) - written;
    const made = makeRound(arms, round, size, random);
    output.samples.write(made.rows);
    blocks.push(...made.blocks);
    written += size;
  }
  output.samples.close();
  const facts: RunFacts = {
    startedAt: "2026-01-31T12:00:00.000Z",
    durationMs: 60_000 * rounds,
    seed,
    command: "made up",
    status: "complete",
    environment: describeEnvironment({
      stacks,
      link: { kind: "loopback", rttMs: 0.05, mtuBytes: 65_536 },
      placement: "made up",
      services: {},
    }),
    warnings: [],
    arms: arms.map(factsOfArm),
    blocks,
    firstCalls: stackNames.flatMap((stack) => {
      const armId = arms.find((arm) => arm.stack === stack)?.id ?? "";
      return Array.from({ length: rounds }, (_, round) => ({ armId, round, firstCallMs: 10 + random() }));
    }),
    warmUps: stackNames.flatMap((stack) =>
      Array.from({ length: rounds }, (_, round) => ({ stack, round, calls: 800, elapsedMs: 300, settled: true })),
    ),
    verification: { responsesCompared: arms.length * rounds, answerGroups: 1, agreed: true },
    roundsPlanned: rounds,
    roundsDone: rounds,
  };
  output.writeFacts(facts);
  return arms.length;
}
