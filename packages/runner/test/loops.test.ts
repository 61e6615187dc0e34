// How loops set tasks off, on a clock of the test's own: what begins when, what is late, and what is never left out.
import { describe, expect, it } from "vitest";
import { constantRate, closedLoop } from "../src/index.ts";
import { openLoop, thinkingLoop } from "../src/measure/loops.ts";
import { VirtualClock } from "./support/virtual-clock.ts";

interface Seen {
  readonly task: number;
  readonly intendedAtMs: number;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
}

interface OpenWish {
  readonly startsMs: Float64Array;
  readonly mostInFlight?: number;
  /** How long the server takes for a task. */
  readonly serviceMs: (task: number) => number;
  /** What beginning a task takes of the client. */
  readonly computeMs?: (task: number) => number;
  readonly clock?: VirtualClock;
}

async function runOpen(wish: OpenWish) {
  const { startsMs, mostInFlight = 1_000, serviceMs, computeMs = () => 0, clock = new VirtualClock() } = wish;
  const seen: Seen[] = [];
  const refused: number[] = [];
  let inFlight = 0;
  let mostSeen = 0;
  const tasks = {
    async begin(task: number, intendedAtMs: number) {
      const startedAtMs = clock.nowMs();
      inFlight += 1;
      mostSeen = Math.max(mostSeen, inFlight);
      clock.work(computeMs(task));
      await clock.answer(serviceMs(task));
      inFlight -= 1;
      seen.push({ task, intendedAtMs, startedAtMs, endedAtMs: clock.nowMs() });
    },
    refuse: (task: number) => void refused.push(task),
  };
  const { ended } = openLoop({ loop: "open", startsMs, mostInFlight }, tasks, clock);
  await clock.run();
  return { seen: seen.toSorted((one, other) => one.task - other.task), refused, mostSeen, utilisation: await ended };
}

const everyTenMs = constantRate({ rateHz: 100 }).schedule(20, 1);

describe("an open loop", () => {
  it("begins each task when its schedule says, to a turn of the event loop, though timers are late", async () => {
    const { seen } = await runOpen({ startsMs: everyTenMs, serviceMs: () => 3 });
    expect(seen).toHaveLength(20);
    for (const { task, intendedAtMs, startedAtMs } of seen) {
      expect(intendedAtMs).toBeCloseTo((seen[0]?.intendedAtMs ?? 0) + 10 * task, 9);
      expect(startedAtMs).toBeGreaterThanOrEqual(intendedAtMs);
      expect(startedAtMs - intendedAtMs).toBeLessThanOrEqual(0.002);
    }
  });

  it("sleeps until shortly before: a second without arrivals is some thousand turns and no million", async () => {
    const clock = new VirtualClock();
    await runOpen({ startsMs: Float64Array.of(0, 1_000, 2_000), serviceMs: () => 1, clock });
    expect(clock.turns).toBeLessThan(10_000);
  });

  it("begins tasks whatever has been answered by then", async () => {
    const { seen, mostSeen } = await runOpen({ startsMs: everyTenMs, serviceMs: () => 95 });
    expect(mostSeen).toBe(10);
    for (const { intendedAtMs, endedAtMs } of seen) expect(endedAtMs - intendedAtMs).toBeCloseTo(95, 1);
  });

  it("counts a freeze of the server for everyone who would have come meanwhile", async () => {
    // Frozen from 52 ms on for 60 ms, else 1 ms: whoever comes waits for the thaw.
    const clock = new VirtualClock();
    const [from, to] = [2 + 52, 2 + 112];
    const serviceMs = () => (clock.nowMs() >= from && clock.nowMs() < to ? to - clock.nowMs() + 1 : 1);
    const { seen } = await runOpen({ startsMs: everyTenMs, serviceMs, clock });
    const latencies = seen.map(({ intendedAtMs, endedAtMs }) => Math.round(endedAtMs - intendedAtMs));
    expect(latencies).toEqual([1, 1, 1, 1, 1, 1, 53, 43, 33, 23, 13, 3, 1, 1, 1, 1, 1, 1, 1, 1]);
  });

  it("begins late what came due while the client was busy, all of it, and counts from when it was to begin", async () => {
    const { seen, refused } = await runOpen({
      startsMs: everyTenMs,
      serviceMs: () => 1,
      computeMs: (task) => (task === 4 ? 35 : 0),
    });
    expect(refused).toEqual([]);
    expect(seen).toHaveLength(20);
    const late = seen.map(({ intendedAtMs, startedAtMs }) => Math.round(startedAtMs - intendedAtMs));
    expect(late).toEqual([0, 0, 0, 0, 0, 25, 15, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    expect((seen[5]?.endedAtMs ?? 0) - (seen[5]?.intendedAtMs ?? 0)).toBeCloseTo(26, 1);
  });

  it("reports tasks that it did not begin because too many were under way", async () => {
    const { seen, refused } = await runOpen({ startsMs: everyTenMs, serviceMs: () => 95, mostInFlight: 4 });
    expect(refused).toEqual([4, 5, 6, 7, 8, 9, 14, 15, 16, 17, 18, 19]);
    expect(seen).toHaveLength(8);
  });

  it("is over when the last task is answered, and not whenever none is under way", async () => {
    const clock = new VirtualClock();
    const tasks = { begin: () => clock.answer(5), refuse: () => undefined };
    const { ended, isWaiting } = openLoop(
      { loop: "open", startsMs: Float64Array.of(0, 50, 100), mostInFlight: 2 },
      tasks,
      clock,
    );
    const waited: boolean[] = [];
    const endedAtMs = ended.then(() => clock.nowMs());
    for (const ms of [20, 32]) clock.sleep(ms, () => void waited.push(isWaiting()));
    clock.sleep(53, () => void waited.push(isWaiting()));
    await clock.run();
    expect(await endedAtMs).toBeGreaterThanOrEqual(2 + 100 + 5);
    expect(waited).toEqual([true, true, false]);
  });

  it("says how busy the client was: waiting turn by turn is free, computing is not", async () => {
    const startsMs = constantRate({ rateHz: 1_000 }).schedule(200, 1);
    const busy = async (computed: number) =>
      (await runOpen({ startsMs, serviceMs: () => 2, computeMs: () => computed })).utilisation;
    expect(await busy(0)).toBeLessThan(0.02);
    expect(await busy(0.5)).toBeCloseTo(0.5, 1);
    expect(await busy(2)).toBeGreaterThan(0.97);
  });
});

/** A server that answers after 1 ms and stands still for the last second of every ten. */
function freezing(clock: VirtualClock): number {
  const intoMs = clock.nowMs() % 10_000;
  return intoMs < 9_000 ? 1 : 10_000 - intoMs + 1;
}

function quantileOf(values: readonly number[], fraction: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(fraction * sorted.length)] ?? Number.NaN;
}

const coarse = { turnMs: 0.05, timersLateMs: 1 };

it("a server that freezes for 1 s in each 10 s shows in an open loop as what users see: the percentiles are those of theory, within 2 %", async () => {
  const clock = new VirtualClock(coarse);
  const startsMs = constantRate({ rateHz: 100.3 }).schedule(3_009, 1);
  const { seen } = await runOpen({ startsMs, serviceMs: () => freezing(clock), clock });
  const latencies = seen.map(({ intendedAtMs, endedAtMs }) => endedAtMs - intendedAtMs);
  // One in ten comes while it stands still, and waits for what is left of a second: uniform from 1 to 1,001 ms.
  for (const [fraction, trueMs] of [
    [0.95, 501],
    [0.975, 751],
    [0.99, 901],
  ] as const) {
    expect(Math.abs(quantileOf(latencies, fraction) / trueMs - 1)).toBeLessThan(0.02);
  }
  expect(quantileOf(latencies, 0.5)).toBeCloseTo(1, 0);
});

async function runThinking(callers: number, pausesMs: Float64Array, serviceMs: number, isWork = false) {
  const clock = new VirtualClock();
  const seen: Seen[] = [];
  const begin = async (task: number, intendedAtMs: number) => {
    const startedAtMs = clock.nowMs();
    await clock.answer(serviceMs);
    seen.push({ task, intendedAtMs, startedAtMs, endedAtMs: clock.nowMs() });
  };
  const { ended } = thinkingLoop({ loop: "closed", pausesMs, isWork }, callers, begin, clock);
  await clock.run();
  await ended;
  return { seen, elapsedMs: clock.nowMs() };
}

function thinking(tasks: number, thinkMs: number): Float64Array {
  return closedLoop({ thinkMs, thinkTime: "constant" }).schedule(tasks, 1);
}

describe("a closed loop with think time", () => {
  it("lets one caller pause after each answer: a cycle is pause and answer", async () => {
    const { seen, elapsedMs } = await runThinking(1, thinking(10, 20), 5);
    expect(seen.map(({ task }) => task)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(elapsedMs).toBeCloseTo(10 * 25, 0);
    for (const { intendedAtMs, startedAtMs } of seen) expect(startedAtMs - intendedAtMs).toBeLessThanOrEqual(0.002);
  });

  it("has callers who keep each other's answers waiting if they work instead of pausing", async () => {
    const { seen, elapsedMs } = await runThinking(2, thinking(10, 20), 5, true);
    const latencies = seen.map(({ startedAtMs, endedAtMs }) => endedAtMs - startedAtMs);
    // All but the last answer are held up by the work of the other caller.
    expect(Math.min(...latencies.slice(0, -1))).toBeGreaterThanOrEqual(20);
    expect(latencies.at(-1)).toBeCloseTo(5, 1);
    expect(elapsedMs).toBeCloseTo(9 * 20 + 10 + 5, 0);
  });

  it("has callers who do not wait for each other, and do not begin in step", async () => {
    const { seen, elapsedMs } = await runThinking(4, thinking(40, 20), 5);
    expect(seen).toHaveLength(40);
    expect(elapsedMs).toBeLessThan(11 * 25);
    const firsts = seen.slice(0, 4).map(({ startedAtMs }) => Math.round(startedAtMs));
    expect(firsts).toEqual([5, 10, 15, 20]);
  });

  it("does each task once, with pauses of any length and none", async () => {
    const pausesMs = closedLoop({ thinkMs: 3, thinkTime: "exponential" }).schedule(101, 8);
    for (const some of [pausesMs, new Float64Array(101)]) {
      const { seen } = await runThinking(7, some, 2);
      expect(seen.map(({ task }) => task).toSorted((one, other) => one - other)).toEqual([...some.keys()]);
    }
  });
});
