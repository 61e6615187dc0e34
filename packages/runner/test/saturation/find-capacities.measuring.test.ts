// A search over real sockets, on the floor: what it leaves in the run, and that nothing of it is a result.
import { expect, it } from "vitest";
import { measureRun } from "../../src/index.ts";
import { readRun } from "@roundtrip/runs/read";
import { shortRun, shortStudies, single } from "../support/short-run.ts";

it("measures a task at shares of what was found, and keeps what was tried apart", async () => {
  const options = await shortRun({ stackNames: ["floor"], rounds: 1 });
  const saturation = { limitMs: 50, shares: [0.1, 0.2], blockMs: 50 };
  const seen = new Set<string | undefined>();
  const studies = shortStudies({ variants: { single }, saturation, tasksPerRound: 6, tasksPerBlock: 6 });
  const facts = await measureRun({ ...options, studies }, new AbortController().signal, ({ searched: whose }) =>
    seen.add(whose),
  );

  const [capacity, ...more] = facts.capacities ?? [];
  expect(more).toEqual([]);
  expect(capacity).toMatchObject({ stack: "floor", limitMs: 50 });
  const { closedLoop } = capacity ?? {};
  expect(closedLoop).toMatchObject({ callers: 1, serverCpuMsPerTask: expect.any(Number) });
  // What became of it is the machine's: others may be using it.
  expect(capacity?.probes[0]).toMatchObject({ rateHz: (closedLoop?.tasksPerSecond ?? 0) / 2 });
  // Six arrivals are carried at any rate.
  expect(capacity?.foundHz).toBeLessThan(4 * (closedLoop?.tasksPerSecond ?? 0));
  expect(facts.arms.map(({ id }) => id)).toEqual(capacity?.armIds);
  const rates = facts.arms.map(({ factors }) => Number(factors["rateHz"]));
  expect(rates.map((rateHz) => rateHz / (capacity?.foundHz ?? 0))).toEqual([
    expect.closeTo(0.1, 2),
    expect.closeTo(0.2, 2),
  ]);
  expect(facts.arms.map(({ load }) => load?.loop)).toEqual(["open", "open"]);
  expect(seen).toEqual(new Set([undefined, expect.stringContaining("hello")]));
  const { samples } = await readRun(options.directory);
  expect(samples.length).toBe(facts.blocks.reduce((sum, { calls }) => sum + calls, 0));
  expect(facts.blocks.map(({ round }) => round)).toEqual([0, 0]);
});

it("leaves a readable run when the search is interrupted", async () => {
  const options = await shortRun({ stackNames: ["floor"], rounds: 1 });
  const saturation = { limitMs: 10_000, shares: [1], blockMs: 50 };
  const studies = shortStudies({ saturation });
  const stop = new AbortController();
  const facts = await measureRun({ ...options, studies }, stop.signal, ({ searched }) => {
    if (searched !== undefined) stop.abort();
  });
  expect(facts).toMatchObject({ status: "interrupted", arms: [], blocks: [] });
  expect((await readRun(options.directory)).facts.status).toBe("interrupted");
});
