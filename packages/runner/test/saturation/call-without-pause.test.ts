// Cells of callers who never pause: how long they are, when they have settled, and which of them counts.
import { describe, expect, it } from "vitest";
import type { BlockAnswer, SessionRequest } from "../../src/processes/messages.ts";
import { callWithoutPause, firstRateHz, verdictOn } from "../../src/saturation/search.ts";
import { anArm } from "../support/an-arm.ts";

function arm(tasksPerRound = 10_000) {
  return { ...anArm({ stack: "rest", variant: "single", attributes: 1, tasksPerRound }), callers: 4 };
}

/** A pair whose cells keep these rates, one after the other, and whose server takes 3 ms of CPU for each task. */
function keeping(ratesHz: readonly number[], outcome = 0) {
  const asked: number[] = [];
  let cpuMs = 7;
  return {
    asked,
    serverCpuMs: () => Promise.resolve(cpuMs),
    ask: <A>(question: SessionRequest): Promise<A> => {
      const tasks = question.ask === "block" ? question.tasks : 0;
      const rateHz = ratesHz[asked.length] ?? Number.NaN;
      asked.push(tasks);
      cpuMs += 3 * tasks;
      const rows = { outcome: Uint8Array.of(0, outcome) };
      const answer = {
        rows,
        outcomes: ["OK", "UNAVAILABLE"],
        elapsedMs: (1_000 * tasks) / rateHz,
        clientUtilisation: 0.5,
      };
      return Promise.resolve(answer as A);
    },
  };
}

describe("callers who never pause", () => {
  it("go on until two cells agree within 5 %, and count by the fastest after the first", async () => {
    const pair = keeping([10_000, 501, 600, 629, 1_000]);
    expect(await callWithoutPause(pair, arm())).toEqual({
      callers: 4,
      tasksPerSecond: 629,
      serverCpuMsPerTask: 3,
      clientUtilisation: 0.5,
    });
    // As many as come in 200 ms of what the last cell kept; at first one for each caller.
    expect(pair.asked).toEqual([4, 2_000, 101, 120]);
  });

  it("have ten cells at most, or as many as was asked for, and fewer tasks than a round of the arm has", async () => {
    const doubling = Array.from({ length: 20 }, (_, cell) => 100 * 2 ** cell);
    const usual = keeping(doubling);
    expect(await callWithoutPause(usual, arm(300))).toMatchObject({ tasksPerSecond: 51_200 });
    expect(usual.asked).toEqual([4, 20, 40, 80, 160, 300, 300, 300, 300, 300]);
    const quick = keeping(doubling);
    await callWithoutPause(quick, arm(), 3);
    expect(quick.asked).toHaveLength(3);
    const slow = keeping([1, 10]);
    await callWithoutPause(slow, arm(), 2);
    expect(slow.asked).toEqual([4, 4]);
  });

  it("keep nothing where a call fails", async () => {
    expect(await callWithoutPause(keeping([900, 900], 1), arm())).toBeUndefined();
  });

  it("say where a search begins: at half of what they got, or at 100 a second where that is not known", async () => {
    expect(firstRateHz(await callWithoutPause(keeping([900, 800, 800]), arm()))).toBe(400);
    expect(firstRateHz(undefined)).toBe(100);
  });
});

/** A block of 150 calls that were to begin at 0, began so late, and took so long from then on; the last two were slower. */
function probed(lateMs: number, tookMs: number, slowestMs: number, clientUtilisation = 0.5, outcome = 0) {
  const endedAtMs = Float64Array.from({ length: 150 }, (_, call) => lateMs + (call < 148 ? tookMs : slowestMs));
  const rows = {
    intendedAtMs: new Float64Array(150),
    startedAtMs: new Float64Array(150).fill(lateMs),
    endedAtMs,
    outcome: new Uint8Array(150).fill(outcome, 149),
  };
  return { rows: rows as unknown as BlockAnswer["rows"], outcomes: ["OK", "UNAVAILABLE"], clientUtilisation };
}

describe("a rate", () => {
  it("is kept where 99 calls in a hundred were answered within the limit, counted from when they were to begin", () => {
    expect(verdictOn(probed(0, 5, 20), 20)).toEqual({ p99Ms: 20, clientUtilisation: 0.5, verdict: "kept" });
    expect(verdictOn(probed(0, 5, 20.1), 20)).toMatchObject({ p99Ms: 20.1, verdict: "latency" });
  });

  it("does not count against the server if the generator was too busy or late", () => {
    expect(verdictOn(probed(0, 5, 20, 0.9), 20)).toMatchObject({ verdict: "kept" });
    expect(verdictOn(probed(0, 5, 20, 0.91), 20)).toMatchObject({ verdict: "generator" });
    expect(verdictOn(probed(0, 5, 21, 0.9), 20)).toMatchObject({ verdict: "latency" });
    expect(verdictOn(probed(15, 5, 20), 20)).toMatchObject({ p99Ms: 35, verdict: "generator" });
    expect(verdictOn(probed(15, 5, 21), 20)).toMatchObject({ verdict: "latency" });
  });

  it("is not kept where a call failed, however busy the generator was", () => {
    expect(verdictOn(probed(0, 5, 5, 0.95, 1), 20)).toEqual({
      p99Ms: null,
      clientUtilisation: 0.95,
      verdict: "latency",
    });
  });
});
