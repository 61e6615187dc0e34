// A run directory as a long default run would leave it, without the hours: the real arms, made-up latencies, the real writer.
import type { RunFacts } from "@roundtrip/analysis";
import { loadStack } from "@roundtrip/stacks";
import type { Study } from "@roundtrip/runner";
import {
  type Arm,
  armsOf,
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

function emptyRows(length: number): SampleRows {
  return {
    armId: Array.from<string>({ length }),
    round: new Int32Array(length),
    block: new Int32Array(length),
    index: new Int32Array(length),
    step: new Int32Array(length),
    intendedAtNs: new BigInt64Array(length),
    startedAtNs: new BigInt64Array(length),
    endedAtNs: new BigInt64Array(length),
    outcome: Array.from({ length }, () => "OK"),
    requestBytes: new Int32Array(length),
    responseBytes: new Int32Array(length),
    firstByteAtNs: Array.from<null>({ length }).fill(null),
    pauses: Array.from<null>({ length }).fill(null),
    queueNs: Array.from<bigint | null>({ length }).fill(null),
    serviceNs: Array.from<bigint | null>({ length }).fill(null),
  };
}

interface RoundMade {
  readonly rows: SampleRows;
  readonly blocks: RunFacts["blocks"];
}

function makeRound(arms: readonly Arm[], round: number, calls: number, startNs: bigint, random: Random): RoundMade {
  const rows = emptyRows(calls);
  const armIds = rows.armId as string[];
  const [queueNs, serviceNs] = [rows.queueNs as (bigint | null)[], rows.serviceNs as (bigint | null)[]];
  const blocks: RunFacts["blocks"][number][] = [];
  const callsPerArm = Math.ceil(calls / arms.length);
  let clockNs = startNs;
  let at = 0;
  for (const [armIndex, arm] of arms.entries()) {
    const end = Math.min(at + callsPerArm, calls);
    while (at < end) {
      const block = blocks.length;
      const blockStart = at;
      const blockStartNs = clockNs;
      const blockEnd = Math.min(at + tasksPerBlock * arm.callsPerTask, end);
      for (; at < blockEnd; at += 1) {
        const call = at - blockStart;
        armIds[at] = arm.id;
        rows.round[at] = round;
        rows.block[at] = block;
        rows.index[at] = Math.floor(call / arm.callsPerTask);
        rows.step[at] = call % arm.callsPerTask;
        rows.intendedAtNs[at] = clockNs;
        rows.startedAtNs[at] = clockNs;
        if (arm.load !== undefined) {
          // Its generator was late, and its answers tell their server's time.
          rows.startedAtNs[at] = clockNs + 5_000n;
          queueNs[at] = latencyNs(10_000, random);
          serviceNs[at] = latencyNs(40_000, random);
        }
        clockNs += latencyNs(80_000 + 1_000 * armIndex, random);
        rows.endedAtNs[at] = clockNs;
        rows.requestBytes[at] = 120;
        rows.responseBytes[at] = 260;
      }
      const elapsedMs = Number(clockNs - blockStartNs) / 1e6;
      blocks.push({
        armId: arm.id,
        round,
        block,
        tasks: Math.ceil((blockEnd - blockStart) / arm.callsPerTask),
        calls: blockEnd - blockStart,
        failedCalls: 0,
        elapsedMs,
        serverCpuMs: elapsedMs * (0.4 + 0.1 * random()),
        clientCpuMs: elapsedMs * (0.5 + 0.1 * random()),
        wireBytes: 380 * (blockEnd - blockStart),
        connectionsOpened: 0,
      });
    }
  }
  return { rows, blocks };
}

/** Writes the run and gives the number of its arms. */
export async function writeLargeRun({ directory, studies, calls, rounds, seed }: LargeRunOptions): Promise<number> {
  const stacks = await Promise.all(stackNames.map((name) => loadStack(name)));
  const arms = armsOf(studies, stacks);
  const random = randomFrom(seed, "large run");
  const output = openRunDirectory(directory);
  const blocks: RunFacts["blocks"][number][] = [];
  let written = 0;
  for (let round = 0; round < rounds; round += 1) {
    const size = Math.round((calls * (round + 1)) / rounds) - written;
    const made = makeRound(arms, round, size, BigInt(round) * 1_000_000_000_000n, random);
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
  output.writeFacts(facts, []);
  return arms.length;
}
