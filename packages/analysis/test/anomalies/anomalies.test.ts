// Cells that leave their model are flagged, with their evidence and its likeliest cause; those inside the band or their own interval are not.
import { describe, expect, it } from "vitest";
import { analyse } from "../../src/analyse/analyse.ts";
import type { Anomaly } from "../../src/anomalies/causes.ts";
import { anomalyWarnings } from "../../src/anomalies/anomalies.ts";
import type { Arm, ArmLoad, Block } from "@roundtrip/runs";
import { armFor, factsOf, samplesOf } from "../synthetic-run.ts";

const closed: ArmLoad = { loop: "closed", pacer: "exponential-think" };
const open: ArmLoad = { loop: "open", pacer: "poisson", mostInFlight: 500 };
const callsPerBlock = 20;

interface Wish {
  /** Mean latency of the second arm, by round. */
  readonly roundsMs: readonly number[];
  /** What its blocks hold besides. */
  readonly evidence?: Partial<Block>;
  readonly load?: ArmLoad;
  readonly rateHz?: number;
  /** Of both arms. */
  readonly common?: Arm["factors"];
}

/** A caller alone, whose calls take 10 ms, 4 of them of the server and 3 of the client; and a second arm, under a load. */
function analysed({ roundsMs, evidence = {}, load = closed, rateHz = 50, common = {} }: Wish) {
  const factors = { ...common, ...(load === open ? { rateHz } : { callers: 3, thinkMs: 100 }) };
  const alone: Arm =
    load === open
      ? armFor({ stack: "rest", variant: "single", factors: common })
      : armFor({ stack: "rest", variant: "single", load: closed, factors: { ...common, callers: 1, thinkMs: 0 } });
  const arms = [alone, armFor({ stack: "rest", variant: "single", load, factors })];
  const rounds = roundsMs.length;
  const calls = arms.flatMap((_, arm) =>
    roundsMs.flatMap((ms, round) =>
      Array.from({ length: callsPerBlock }, (__, task) => {
        const startMs = 20 * task;
        return { arm, round, block: arm, task, step: 0, startMs, endMs: startMs + (arm === 0 ? 10 : ms) };
      }),
    ),
  );
  const blocks = arms.flatMap(({ id: armId }, block) =>
    Array.from({ length: rounds }, (_, round): Block => {
      const books = { calls: callsPerBlock, failedCalls: 0, wireBytes: 8_000, connectionsOpened: 0, elapsedMs: 400 };
      const cpu = { serverCpuMs: 4 * callsPerBlock, clientCpuMs: 3 * callsPerBlock };
      return { armId, round, block, tasks: callsPerBlock, ...books, ...cpu, ...(block === 0 ? {} : evidence) };
    }),
  );
  return analyse(factsOf(arms, rounds, blocks), samplesOf(calls));
}

const around = (ms: number, spreadMs: number): readonly number[] =>
  [-1, -0.5, 0, 0.2, 0.5, 0.8].map((step) => ms + step * spreadMs);

describe("callers who take longer than mean value analysis predicts", () => {
  const opened = { connectionsOpened: 16, connectionsReused: 1, connectionsClosedByServer: 0 };

  it("are flagged with what was seen in their blocks, and why", () => {
    const { anomalies } = analysed({ roundsMs: around(16, 1), evidence: opened });
    expect(anomalies).toHaveLength(1);
    expect(anomalies[0]).toMatchObject({
      armIds: ["facade/read/rest/single/callers=3/thinkMs=100"],
      name: "read over rest, 3 callers who think 100 ms",
      model: "mean value analysis",
      measured: 16,
      evidence: { calls: 120, connectionsPerCall: 0.8, connectionsPerCallAlone: 0, bytesPerCall: 400, tcp: null },
    });
    expect(anomalies[0]?.ratio).toBeGreaterThan(1.4);
    expect(anomalies[0]?.causes.map(({ code }) => code)).toContain("connections-opened");
  });

  it("are a warning", () => {
    const { warnings } = analysed({ roundsMs: around(16, 1), evidence: opened });
    expect(warnings.find(({ code }) => code === "anomaly")?.message).toMatch(
      /^1 cell left mean value analysis by more than 20 % and beyond the interval: read over rest, 3 callers who think 100 ms 16 ms \(95 % interval 1[\d.]+ to 1[\d.]+ ms\) where 10\.\d ms is predicted: the client's pool/,
    );
  });

  it("are reported once: other warnings about connections leave them out", () => {
    const { warnings } = analysed({ roundsMs: around(16, 1), evidence: opened });
    expect(warnings.map(({ code }) => code)).not.toContain("connections-differ");
    const ordinary = analysed({ roundsMs: around(10.4, 0.1), evidence: opened });
    expect(ordinary.warnings.map(({ code }) => code)).toContain("connections-differ");
  });

  it("are flagged on the other side, too", () => {
    const { anomalies } = analysed({ roundsMs: around(6, 0.1) });
    expect(anomalies[0]?.ratio).toBeLessThan(0.8);
  });

  it("are disturbed by what their blocks show, not by how far off they are", () => {
    const asPredicted = analysed({ roundsMs: around(10.4, 0.1), evidence: opened });
    const farOff = analysed({ roundsMs: around(16, 1) });
    expect([asPredicted.anomalies.length, asPredicted.disturbed.length]).toEqual([0, 1]);
    expect([farOff.anomalies.length, farOff.disturbed]).toEqual([1, []]);
  });
});

const [example] = analysed({
  roundsMs: around(16, 1),
  evidence: { connectionsOpened: 16, connectionsReused: 1 },
}).anomalies;
const cell = (name: string, ratio: number, code?: string): Anomaly => {
  if (example === undefined) throw new Error("nothing was flagged");
  return { ...example, name, ratio, causes: code === undefined ? [] : [{ code, text: `a text about ${code}` }] };
};

it("a warning of many cells is one: how many, the farthest with its cause, and where the others stand", () => {
  const cells = [cell("first", 3, "garbage"), cell("second", 2, "event-loop"), cell("third", 0.6, "event-loop")];
  const warnings = anomalyWarnings(cells);
  expect(warnings).toHaveLength(1);
  expect(warnings[0]?.message).toMatch(
    /^3 cells left mean value analysis by .* the interval: the farthest is first .*: a text about garbage; the table of \S+ has the others$/,
  );
  expect(anomalyWarnings([cell("first", 3)])[0]?.message).toMatch(
    / is predicted; nothing that was collected explains it$/,
  );
});

describe("arrivals at a rate", () => {
  it("are flagged outside what every model of an open queue says", () => {
    const { anomalies } = analysed({ roundsMs: around(25, 1), load: open });
    expect(anomalies).toMatchObject([{ model: "open queue", name: "read over rest, 50 a second", measured: 25 }]);
    // Nobody waits whose arrivals are 20 ms apart and take 4; M/M/1 lets its own wait for each other for 1 ms.
    expect(anomalies[0]?.predictedLeast).toBeCloseTo(10, 6);
    expect(anomalies[0]?.predictedMost).toBeCloseTo(11, 6);
  });

  it("are not flagged close to capacity, where a small error of the demand is a large one of the prediction", () => {
    expect(analysed({ roundsMs: around(99, 1), load: open, rateHz: 201 }).anomalies).toEqual([]);
    expect(analysed({ roundsMs: around(99, 1), load: open, rateHz: 199 }).anomalies).toHaveLength(1);
  });
});
