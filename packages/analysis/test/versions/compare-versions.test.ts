// A run in two versions, and what the gate said of it, as a comparison.
import { cellId, compareVersions, versionPairs, type CompareVersionsInput } from "@roundtrip/analysis";
import type { Arm } from "@roundtrip/runs";
import { describe, expect, it } from "vitest";
import { hello, measured, usualCost } from "./two-versions.ts";

const settings = { tolerate: 0.02, detect: 0.05, alpha: 0.01, passAlpha: 0.05 };

const arms: readonly Arm[] = ["grpc-js", "rest-express"].flatMap((stack) => [
  hello(stack, { version: "base" }),
  hello(stack, { version: "head" }),
]);
const pairs = versionPairs(arms);
const slowId = cellId("gate/hello/rest-express/single", "latencyMs");

type Judged = CompareVersionsInput["judgement"];
type Cell = Judged["cells"][number];

const calm: Omit<Cell, "cell"> = {
  state: "not-worse",
  better: false,
  rounds: 12,
  ratio: 1.001,
  low: 0.98,
  high: 1.03,
  deviation: 0.02,
  pseudoMedian: 1.002,
  atMost: 1.02,
  smallestDetectable: 0.03,
};

function judgedAs(state: Judged["state"], change: (id: string) => Partial<Cell> = () => ({})): Judged {
  const cells = pairs.flatMap(({ id }) =>
    ["latencyMs", "serverCpuMsPerTask"].map((metric): Cell => {
      const [study = "", task = "", stack = "", variant = ""] = id.split("/");
      const cell = { id: `${id} ${metric}`, study, task, stack, variant, metric };
      return { ...calm, cell, ...change(cell.id) };
    }),
  );
  return { state, look: 3, rounds: 12, plannedRounds: 30, spentAlpha: 0.0016, canFail: true, canPass: true, cells };
}

const slow = (id: string): Partial<Cell> => (id === slowId ? { state: "worse", ratio: 1.08 } : {});

const open = (id: string): Partial<Cell> => (id === slowId ? { state: "undecided" } : {});

function compared(given: Partial<CompareVersionsInput>) {
  const run = measured(arms, 12, () => usualCost);
  return compareVersions({
    base: { label: "main" },
    head: { label: "HEAD" },
    ...run,
    judgement: judgedAs("pass"),
    settings,
    confirmation: null,
    isOutOfTime: false,
    doubts: [],
    warnings: [],
    ...given,
  });
}

function confirmation(isConfirmed: boolean): NonNullable<CompareVersionsInput["confirmation"]> {
  const cell = judgedAs("fail", slow).cells.find((one) => one.cell.id === slowId)?.cell as Cell["cell"];
  return { isConfirmed, rounds: 12, cells: [{ cell, isConfirmed, rounds: 12, ratio: 1.07 }] };
}

function peakOf(armId: string): number {
  return armId.includes("version=head") ? 300 : 200;
}

describe("two versions side by side", () => {
  it("pass when the gate says so, with every metric of every arm and its figures in both", () => {
    const comparison = compared({});
    expect(comparison).toMatchObject({ kind: "side-by-side", verdict: "pass", reason: "", rounds: 12, mostRounds: 30 });
    expect(comparison.cells.map(({ id }) => id)).toEqual([
      "gate/hello/grpc-js/single latencyMs",
      "gate/hello/grpc-js/single serverCpuMsPerTask",
      "gate/hello/rest-express/single latencyMs",
      "gate/hello/rest-express/single serverCpuMsPerTask",
    ]);
    expect(comparison.cells[0]).toMatchObject({ factors: {}, base: { mean: 2 }, head: { mean: 2 }, atMost: 1.02 });
  });

  it("have the memory of servers where both report it, whatever the verdict", () => {
    const run = measured(arms, 12, () => usualCost);
    const blocks = run.facts.blocks
      .filter(({ armId }) => armId.includes("grpc-js"))
      .map((block) => ({ ...block, serverMemory: { residentBytes: 100, peakBytes: peakOf(block.armId) } }));
    const others = run.facts.blocks.filter(({ armId }) => !armId.includes("grpc-js"));
    const { memory, verdict } = compared({ facts: { ...run.facts, blocks: [...blocks, ...others] } });
    expect(memory).toMatchObject([
      {
        id: "gate/hello/grpc-js/single",
        base: { peakBytes: 200, allocatedBytesPerTask: null },
        head: { peakBytes: 300, allocatedBytesPerTask: null },
      },
    ]);
    expect(verdict).toBe("pass");
    expect(compared({}).memory).toEqual([]);
  });

  it("fail when a loss was found and seen again", () => {
    const comparison = compared({ judgement: judgedAs("fail", slow), confirmation: confirmation(true) });
    expect(comparison.verdict).toBe("fail");
    expect(comparison.cells.filter(({ state }) => state === "worse").map(({ id }) => id)).toEqual([slowId]);
  });

  it("are inconclusive when a loss was not seen again, and nothing is called worse any more", () => {
    const comparison = compared({ judgement: judgedAs("fail", slow), confirmation: confirmation(false) });
    expect(comparison).toMatchObject({
      verdict: "inconclusive",
      reason: "a loss was found and not confirmed: 12 fresh rounds did not show it again",
      recheck: { isConfirmed: false, cells: [{ id: slowId, isConfirmed: false, ratio: 1.07 }] },
    });
    expect(comparison.cells.find(({ id }) => id === slowId)?.state).toBe("undecided");
  });

  it("never fail by a loss that did not run again, and say why it did not", () => {
    const judgement = judgedAs("fail", slow);
    const why = "a loss was found and not confirmed:";
    expect(compared({ judgement })).toMatchObject({
      verdict: "inconclusive",
      reason: `${why} there was no time for that`,
    });
    expect(compared({ judgement, doubts: ["it was interrupted"] }).reason).toBe(`${why} it was interrupted`);
  });

  it("never pass where there are doubts, whatever the figures say; a loss that was found stays one", () => {
    const doubts = ["3 of 12 rounds were lost", "it was interrupted"];
    expect(compared({ doubts })).toMatchObject({
      verdict: "inconclusive",
      doubts,
      reason: "3 of 12 rounds were lost and it was interrupted",
    });
    expect(compared({ doubts, judgement: judgedAs("fail", slow), confirmation: confirmation(true) }).verdict).toBe(
      "fail",
    );
  });

  const lostRound = { kind: "round-lost", round: 3, end: { name: "head server", how: "exited", status: 1 } } as const;

  it.each([
    [30, false, 0, "all 30 rounds are over"],
    [12, true, 0, "the time was over after 12 rounds"],
    [29, false, 1, "all 29 rounds are over, and 1 was lost"],
    [25, true, 2, "the time was over after 25 rounds, and 2 were lost"],
  ])("that %d rounds could not decide say how much, and what ended it", (rounds, isOutOfTime, lost, why) => {
    const run = measured(arms, 12, () => usualCost);
    const facts = { ...run.facts, events: Array.from({ length: lost }, () => lostRound) };
    const judgement = { ...judgedAs("inconclusive", open), rounds };
    expect(compared({ ...run, facts, judgement, isOutOfTime })).toMatchObject({
      verdict: "inconclusive",
      reason: `1 metric of 4 could not be decided: ${why}`,
    });
  });

  it("call a gain one, and leave out bounds that are not there yet", () => {
    const early = { low: 0, high: Number.POSITIVE_INFINITY, atMost: Number.POSITIVE_INFINITY };
    const change = (id: string): Partial<Cell> =>
      id === slowId ? { better: true } : { ...early, smallestDetectable: Number.NaN };
    const [first, , better] = compared({ judgement: judgedAs("pass", change) }).cells;
    expect(better?.state).toBe("better");
    expect(first).toMatchObject({ low: null, high: null, atMost: null, smallestDetectable: null });
  });

  it("report metrics that were to be judged and could not be measured: they are in no table, and undecided", () => {
    const lost = (id: string): Partial<Cell> =>
      id === slowId ? { state: "undecided", ratio: Number.NaN, pseudoMedian: Number.NaN, rounds: 0 } : {};
    const comparison = compared({ judgement: judgedAs("undecided", lost) });
    expect(comparison.cells).toHaveLength(3);
    expect(comparison.verdict).toBe("inconclusive");
    expect(comparison.warnings[0]?.message).toBe(
      `1 metric could not be measured, as loads were not kept or rounds were lost: ${slowId}`,
    );
  });

  it("say that the CPU of a server that mostly waits changes with the wait", () => {
    const cpu = "gate/hello/grpc-js/single serverCpuMsPerTask";
    const grown = (id: string): Partial<Cell> => (id === cpu ? { state: "worse", ratio: 1.3 } : {});
    const judgement = judgedAs("fail", grown);
    const warned = (serverCpuMs: number, given = judgement): readonly string[] =>
      compared({ ...measured(arms, 12, () => ({ ...usualCost, serverCpuMs })), judgement: given }).warnings.map(
        ({ message }) => message,
      );
    expect(warned(0.3)).toEqual([
      "waiting costs server CPU too (timers, wake-ups, cold caches), so a longer wait alone can raise it: GRPC-JS hello (300 µs of 2 ms) mostly waits",
    ]);
    expect(warned(0.8)).toEqual([]);
    expect(warned(0.3, judgedAs("pass"))).toEqual([]);
    // A few slow calls raise the mean of a server that computes.
    const slowCalls = measured(arms, 12, (_arm, round) => ({
      ...usualCost,
      serverCpuMs: 0.8,
      latencyMs: round === 0 ? 200 : 2,
    }));
    expect(compared({ ...slowCalls, judgement }).warnings).toEqual([]);
  });

  it("leave out what the gate did not judge, and list arms that only one version has", () => {
    const judgement = judgedAs("pass");
    const run = measured([...arms, hello("graphql-apollo", { version: "head" })], 12, () => usualCost);
    const comparison = compared({ ...run, judgement: { ...judgement, cells: judgement.cells.slice(1) } });
    expect(comparison.cells).toHaveLength(3);
    expect(comparison).toMatchObject({ onlyBase: [], onlyHead: ["gate/hello/graphql-apollo/single"] });
  });

  it("report bytes that head sends more", () => {
    const run = measured(arms, 8, ({ factors }) => ({
      ...usualCost,
      bytes: factors["version"] === "head" ? 310 : 300,
    }));
    expect(compared(run).exact).toMatchObject([
      { id: "gate/hello/grpc-js/single wireBytesPerTask", factors: {}, base: 300, head: 310 },
      { id: "gate/hello/rest-express/single wireBytesPerTask" },
    ]);
  });
});
