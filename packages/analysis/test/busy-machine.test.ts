// What a run says of a machine that was busy, of processes that stood still, and of means that a few calls make.
import { describe, expect, it } from "vitest";
import { analyse } from "../src/analyse/analyse.ts";
import type { Block, Disturbance } from "@roundtrip/runs";
import { fewSlowCalls } from "../src/warnings/round-warnings.ts";
import { busyWarnings, machineUse, machineUseText } from "../src/warnings/machine-use.ts";
import { standstillWarnings } from "../src/warnings/measuring-warnings.ts";
import { armFor, loadedBlock, syntheticRun } from "./synthetic-run.ts";

const rest = armFor({ stack: "rest", title: "REST", variant: "single" });
const open = armFor({ stack: "rest", title: "REST", variant: "open", load: { loop: "open", pacer: "poisson" } });
const calm = { cores: 2, watchedMs: 100, busyMs: 110, ownMs: 100, stealMs: 0, mostStolenMs: 0 };

function block(place: number, more: Partial<Block> = {}): Block {
  return { ...loadedBlock({ armId: rest.id, block: place, tasks: 10, serverCpuMs: 1 }), machine: calm, ...more };
}

const lostCore: Disturbance = { kind: "lost-core", process: "server", lostMs: 80 };

describe("a machine's use", () => {
  it("is what ran beside the run, over all blocks, in cores", () => {
    const busy = { ...calm, busyMs: 190, stealMs: 20 };
    const use = machineUse({ blocks: [block(0), block(1)], voidBlocks: [block(1, { machine: busy })] });
    expect(use).toMatchObject({ cores: 2, blocks: 2 });
    expect(use?.othersCores).toBeCloseTo((10 + 10 + 90) / 300, 12);
    expect(use?.stolenCores).toBeCloseTo(20 / 300, 12);
  });

  it("counts the blocks that lost their core", () => {
    const steal: Disturbance = { kind: "steal", lostMs: 60 };
    const disturbances = [undefined, lostCore, steal, still().disturbance];
    const use = machineUse({
      blocks: disturbances.map((disturbance, place) => block(place, disturbance && { disturbance })),
    });
    expect(use).toMatchObject({ blocks: 4, lostCore: 2 });
  });

  it("is not known where the kernel did not count, nor in older runs", () => {
    const { machine: _, ...older } = block(0);
    expect(machineUse({ blocks: [older] })).toBeNull();
    expect(busyWarnings(null)).toEqual([]);
  });
});

describe("the warning about it", () => {
  const quiet = { cores: 2, othersCores: 0.043, stolenCores: 0, blocks: 312, lostCore: 0 };

  it("is no warning on a quiet machine", () => {
    expect(busyWarnings(quiet)).toEqual([]);
    expect(machineUseText(quiet)).toBe("other processes took 0.043 of 2 cores; no block lost its core");
    expect(machineUseText({ ...quiet, othersCores: 0.001 })).toMatch(/^other processes took less than 0.01 of 2 cores/);
  });

  it.each([
    [0.9, 0, 4, "busy machine: other processes took 0.90 of 2 cores"],
    [0.9, 1, 4, "busy machine: other processes took 0.90 of 2 cores and the hypervisor 1.0"],
    [
      0.004,
      0.31,
      40,
      "cores stolen by the hypervisor: other processes took less than 0.01 of 2 cores and the hypervisor 0.31",
    ],
    [0.05, 0.31, 0, "cores stolen by the hypervisor: other processes took 0.050 of 2 cores and the hypervisor 0.31"],
    [0.05, 0.02, 40, "busy machine: other processes took 0.050 of 2 cores and the hypervisor 0.020"],
    [0.004, 0.004, 40, "lost cores: other processes took less than 0.01 of 2 cores"],
  ])("is one sentence on what took cores: others %s, the hypervisor %s, blocks %s", (others, stolen, blocks, text) => {
    const lost = blocks === 0 ? "no block lost its core" : `${blocks} of 312 blocks lost their core`;
    const use = { ...quiet, othersCores: others, stolenCores: stolen, lostCore: blocks };
    expect(busyWarnings(use)).toEqual([{ code: "busy", message: `${text}; ${lost}` }]);
  });
});

it("a limit of the control group is named, and no other process is blamed", () => {
  const machine = { ...calm, busyMs: 100, quotaCores: 2 / 3, throttledMs: 60 };
  const throttled: Disturbance = { kind: "throttled", process: "server", lostMs: 60 };
  const use = machineUse({ blocks: [block(0, { machine, disturbance: throttled }), block(1, { machine })] });
  expect(use).toMatchObject({ lostCore: 0, quota: { cores: 2 / 3, blocks: 1 } });
  expect(busyWarnings(use)).toEqual([
    {
      code: "throttled",
      message:
        "the control group allows 0.67 of 2 cores: 1 of 2 blocks waited for it for more than a tenth of their time",
    },
  ]);
});

function still(process?: "server" | "client", lostMs = 5_012): Partial<Block> {
  return { disturbance: { kind: "stood-still", lostMs, ...(process === undefined ? {} : { process }) } };
}

describe("a process that stood still", () => {
  it("is named with what became of its block", () => {
    const facts = {
      arms: [rest, open],
      blocks: [block(0), block(1, { ...still("client"), armId: open.id, round: 2 }), block(2, still("server"))],
      voidBlocks: [block(0, still("server"))],
    };
    expect(standstillWarnings(facts)).toEqual([
      {
        code: "stood-still",
        armId: rest.id,
        message:
          "the server process of REST stood still for 5.01 s in 1 block of round 1 (facade, read): it was measured again, and left out",
      },
      {
        code: "stood-still",
        armId: open.id,
        message:
          "the client process of REST stood still for 5.01 s in 1 block of round 3 (facade, read): it was kept, as an open loop's callers would have met it",
      },
      {
        code: "stood-still",
        armId: rest.id,
        message:
          "the server process of REST stood still for 5.01 s in 1 block of round 1 (facade, read): it was kept: its latencies include that time",
      },
    ]);
  });

  it("is one warning for what is alike", () => {
    const voidBlocks = [block(0, still()), block(1, { ...still(undefined, 7_000), round: 3 })];
    const [warning, ...others] = standstillWarnings({ arms: [rest], blocks: [], voidBlocks });
    expect(others).toEqual([]);
    expect(warning?.message).toBe(
      "both processes of REST stood still for up to 7 s in 2 blocks of 2 rounds (facade, read): they were measured again, and left out",
    );
  });
});

/** As many calls of half a millisecond, the slowest of them so slow. */
function latencies(calls: number, ...slowest: readonly number[]): Float64Array {
  return new Float64Array(calls).fill(0.5).map((usual, call) => slowest[call - (calls - slowest.length)] ?? usual);
}

it("a mean that a few calls make gets a warning with their number and share", () => {
  expect(fewSlowCalls(rest, latencies(7_058, 5_200))).toEqual([
    {
      code: "few-slow-calls",
      armId: rest.id,
      message: "the slowest call of 7,058 makes 60 % of the mean latency: the median is the better figure",
    },
  ]);
  const [two] = fewSlowCalls({ ...rest, callsPerTask: 6 }, latencies(7_058, 600, 600));
  expect(two?.message).toMatch(/^the slowest 2 tasks of 7,058 make 25 % of the mean/);
});

it("an analysis holds all of it", () => {
  const { facts, samples } = syntheticRun(
    [rest],
    { rounds: 2, blocksPerRound: 2, tasksPerBlock: 600 },
    (_, round, turn, task) => (round + turn + task === 0 ? 5_200 : 0.5),
  );
  const blocks = [block(0, { disturbance: lostCore }), block(1)];
  const found = analyse(
    { ...facts, blocks, voidBlocks: [block(1, { disturbance: { kind: "stood-still", lostMs: 300 } })] },
    samples,
  );
  expect(found.machineUse).toMatchObject({ blocks: 2, lostCore: 1 });
  const codes = found.warnings.map(({ code }) => code);
  expect(codes).toEqual(expect.arrayContaining(["busy", "stood-still", "few-slow-calls"]));
});
