// Several callers who think: the model is fed with one caller, and predicts the others.
import { describe, expect, it } from "vitest";
import { analyse } from "../src/analyse/analyse.ts";
import { concurrencySeries, predictionErrors } from "../src/load/concurrency-series.ts";
import type { ArmLoad, Block } from "@roundtrip/runs";
import { armFor, factsOf, samplesOf } from "./synthetic-run.ts";

const closed: ArmLoad = { loop: "closed", pacer: "exponential-think" };

interface Cell {
  /** Calls that begin at once; 1 where left out. */
  readonly together?: number;
  readonly callers: number;
  readonly thinkMs: number;
  /** By round. */
  readonly roundTripsMs: readonly number[];
}

/** Cells of one stack, whose calls take so much of both processors. */
function analysisOf(cells: readonly Cell[], cpu: { readonly clientMs: number; readonly serverMs: number }) {
  const arms = cells.map(({ callers, thinkMs, together = 1 }) =>
    armFor({
      stack: "grpc-js",
      variant: together === 1 ? "single" : "burst",
      callsPerTask: together,
      load: closed,
      factors: { packets: 1, callers, thinkMs },
    }),
  );
  const calls = cells.flatMap(({ roundTripsMs }, arm) =>
    roundTripsMs.flatMap((ms, round) =>
      [0, 1].flatMap((task) =>
        Array.from({ length: cells[arm]?.together ?? 1 }, (_, step) => {
          const startMs = 100 * task;
          return { arm, round, block: arm, task, step, startMs, endMs: startMs + ms };
        }),
      ),
    ),
  );
  const rounds = cells[0]?.roundTripsMs.length ?? 0;
  const blocks = arms.flatMap(({ id: armId }, block) =>
    Array.from({ length: rounds }, (_, round): Block => {
      const books = { calls: 2, failedCalls: 0, wireBytes: 1, connectionsOpened: 0, elapsedMs: 200 };
      return { armId, round, block, tasks: 2, serverCpuMs: 2 * cpu.serverMs, clientCpuMs: 2 * cpu.clientMs, ...books };
    }),
  );
  return analyse(factsOf(arms, rounds, blocks), samplesOf(calls));
}

function seriesOf(...given: Parameters<typeof analysisOf>) {
  return concurrencySeries(analysisOf(...given));
}

describe("callers of whom one was measured alone", () => {
  it("are predicted from that one's demands: exactly itself, longer for more, and shorter again for those who think", () => {
    const cells = [
      { callers: 1, thinkMs: 0, roundTripsMs: [10, 10] },
      { callers: 3, thinkMs: 0, roundTripsMs: [14, 16] },
      { callers: 3, thinkMs: 100, roundTripsMs: [10, 11] },
    ];
    const [one] = seriesOf(cells, { clientMs: 3, serverMs: 4 });
    expect(one?.demands).toEqual({ roundTripMs: 10, clientMs: 3, serverMs: 4, delayMs: 3, phaseTwoMs: 0 });
    const [alone, busy, thinking] = one?.points ?? [];
    expect(alone).toMatchObject({ predictedMs: 10, measuredMs: 10, stddevMs: 0, error: 0, isModelInput: true });
    // By hand, by the recursion of docs/models.md: 10 for one caller, 12.5 for two, and then
    expect(busy?.predictedMs).toBeCloseTo(15.456, 9);
    expect(busy).toMatchObject({ measuredMs: 15, stddevMs: expect.closeTo(Math.SQRT2, 9), isModelInput: false });
    expect(busy?.error).toBeCloseTo((busy?.predictedMs ?? 0) / 15 - 1, 12);
    expect(thinking?.predictedMs).toBeGreaterThan(10);
    expect(thinking?.predictedMs).toBeLessThan(10.6);
  });

  it("have a second phase where both processors are busy for longer than the round trip lasts", () => {
    const cells = [
      { callers: 1, thinkMs: 0, roundTripsMs: [6, 6] },
      { callers: 6, thinkMs: 0, roundTripsMs: [24, 24] },
    ];
    const [one] = seriesOf(cells, { clientMs: 3, serverMs: 4 });
    expect(one?.demands).toMatchObject({ delayMs: 0, phaseTwoMs: 1 });
    expect(one?.points[0]?.predictedMs).toBeCloseTo(6, 9);
  });

  it("are predicted from what that one's calls take after pauses, and at once, too", () => {
    const cells = [
      { callers: 1, thinkMs: 0, roundTripsMs: [10, 10] },
      { callers: 1, thinkMs: 0, roundTripsMs: [12, 12], together: 6 },
      { callers: 1, thinkMs: 50, roundTripsMs: [10, 10] },
      { callers: 9, thinkMs: 0, roundTripsMs: [20, 20] },
    ];
    const [one, ...others] = seriesOf(cells, { clientMs: 3, serverMs: 4 });
    expect(others).toEqual([]);
    // Six calls take as much as one in these books; a call has a sixth of it, and of the time.
    const server = [
      ["at once", 2 - 4 / 6, 4 / 6] as const,
      ["alone", 6, 4] as const,
      ["after pauses", 56, 4] as const,
    ].map(([calling, restMs, demandMs]) => ({
      calling,
      restMs: expect.closeTo(restMs, 9) as unknown,
      demandMs: expect.closeTo(demandMs, 9) as unknown,
    }));
    expect(one?.seen.server).toEqual(server);
    expect(one?.seen.client).toHaveLength(2);
    // Calls at once feed the model, and are no cell of the table.
    expect(one?.points.map(({ callers, thinkMs }) => [callers, thinkMs])).toEqual([
      [1, 0],
      [1, 50],
      [9, 0],
    ]);
    expect(one?.points.filter(({ isModelInput }) => isModelInput)).toHaveLength(1);
    // Nine callers who took 4 ms each could not be answered within 20.
    expect(one?.points.at(-1)?.predictedMs).toBeLessThan(20);
  });

  it("are absent without that caller", () => {
    const cells = [
      { callers: 3, thinkMs: 0, roundTripsMs: [14, 16] },
      { callers: 6, thinkMs: 0, roundTripsMs: [24, 26] },
    ];
    expect(seriesOf(cells, { clientMs: 3, serverMs: 4 })).toEqual([]);
  });
});

describe("errors of the predictions of a stack", () => {
  it("have a median and a 90th percentile, of all cells and of those that nothing disturbed", () => {
    const cells = [1, 3].map((callers) => ({ callers, thinkMs: 0, roundTripsMs: [10, 10] }));
    const [series] = seriesOf(cells, { clientMs: 1, serverMs: 1 });
    const [point] = series?.points ?? [];
    if (series === undefined || point === undefined) throw new Error("there is no series");
    const points = [-0.1, 0.2, 0.3, 0.4, -0.5].map((error) => ({
      ...point,
      armId: `off by ${error}`,
      error,
      isModelInput: false,
    }));
    const [errors] = predictionErrors([{ ...series, points }], ["off by -0.5"]);
    const shares = [errors?.median, errors?.p90, errors?.largest, errors?.ofOthers?.median, errors?.ofOthers?.p90];
    expect(shares).toEqual([0.3, 0.46, 0.5, 0.25, 0.37].map((share) => expect.closeTo(share)));
    expect(errors?.ofOthers?.cells).toBe(4);
  });
});
