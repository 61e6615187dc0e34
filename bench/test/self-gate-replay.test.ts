// The replay of measured rounds: how jobs are drawn from them, and what the gate says of these.
import { describe, expect, it } from "vitest";
import { drawRounds, poolsOf, replayed, shifts, storedJobs, type StoredJob } from "../self/measures/gate-replay.ts";

const cells = ["latencyMs", "serverCpuMsPerTask"].map((metric) => ({ stack: "grpc-js", task: "hello", metric }));

function job(logRatios: StoredJob["logRatios"]): StoredJob {
  return { kind: "null", stack: "grpc-js", isWhole: false, hasNeighbour: false, cells, logRatios };
}

/** Rounds that turn their sign each time, and grow. */
const rising = Array.from({ length: 10 }, (_, round) => [(round % 2 === 0 ? 1 : -1) * (round + 1), 0.1 * (round + 1)]);
const jobs = [job(rising), job([...rising.slice(1), [null, 0.3]])];

describe("measured rounds", () => {
  it("are there, of equal versions", () => {
    expect(poolsOf(storedJobs()).length).toBeGreaterThan(1);
  });

  it("are drawn round by round with all cells together, or job by job in the order of their rounds", () => {
    const [pool] = poolsOf(jobs);
    if (pool === undefined) throw new Error("no pool");
    let state = 0.5;
    const random = (): number => (state = (state * 7.13) % 1);
    const rounds = drawRounds(pool, "whole rounds", 30, random);
    expect(rounds).toHaveLength(30);
    const whole = rounds.filter(([latency]) => Number.isFinite(latency));
    for (const [latency = 0, cpu = 0] of whole) expect(Math.abs(latency)).toBeCloseTo(10 * Math.abs(cpu));
    const [first, second] = drawRounds(pool, "whole jobs", 10, random);
    expect(Math.abs(second?.[1] ?? 0) - Math.abs(first?.[1] ?? 0)).toBeCloseTo(0.1);
  });

  it("make no pool if they are few", () => {
    expect(poolsOf([job(rising.slice(0, 5))])).toEqual([]);
  });

  it("fail no equal versions, show what is added, and give the same result again", () => {
    const quiet = job(
      Array.from({ length: 40 }, (_, round) => [0.01 * Math.sin(7 * round), 0.01 * Math.cos(5 * round)]),
    );
    const [pool] = poolsOf([quiet]);
    const [equal, , dearer] = shifts;
    if (pool === undefined) throw new Error("no pool");
    const none = replayed(pool, "whole rounds", { ...equal, jobs: 40 }, 1);
    expect(none).toMatchObject({ failed: 0, blocked: 0, storedJobs: 1, storedRounds: 40 });
    expect(replayed(pool, "whole rounds", { ...equal, jobs: 40 }, 1)).toEqual(none);
    expect(replayed(pool, "whole jobs", { ...dearer, effect: 0.2, jobs: 40 }, 1).blocked).toBe(40);
  });
});
