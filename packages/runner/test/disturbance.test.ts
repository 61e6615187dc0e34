// When a block is disturbed, and when it is measured again.
import { describe, expect, it } from "vitest";
import { disturbanceOf, isVoid, type Disturbed } from "../src/rounds/measure-block.ts";

const well = { loopDelayMeanMs: 0.1, loopDelayMaxMs: 1, gcCount: 0, gcMs: 0 };
const machine = { cores: 2, watchedMs: 102, busyMs: 100, ownMs: 90, stealMs: 0, mostStolenMs: 0 };

function block(facts: Partial<Disturbed>): Disturbed {
  return { elapsedMs: 100, serverCpuMs: 40, clientCpuMs: 40, server: well, client: well, machine, ...facts };
}

const still = (ms: number) => ({ ...well, loopDelayMaxMs: ms });

describe("a block is disturbed", () => {
  it("where a process lost its core for more than a tenth of its time, and not for less", () => {
    expect(disturbanceOf(block({ serverLostMs: 10, clientLostMs: 10 }))).toBeUndefined();
    expect(disturbanceOf(block({ serverLostMs: 11, clientLostMs: 3 }))).toEqual({
      kind: "lost-core",
      process: "server",
      lostMs: 11,
    });
    expect(disturbanceOf(block({ clientLostMs: 40 }))).toMatchObject({ process: "client" });
  });

  it("where a core was stolen for more than a tenth, beyond the tick in which that is counted", () => {
    expect(disturbanceOf(block({ machine: { ...machine, mostStolenMs: 20 } }))).toBeUndefined();
    expect(disturbanceOf(block({ machine: { ...machine, mostStolenMs: 30 } }))).toEqual({ kind: "steal", lostMs: 20 });
  });

  it("where one of its processes stood still: it was due, and neither computed nor was ready to", () => {
    const elapsedMs = 5_100;
    expect(disturbanceOf(block({ elapsedMs, server: still(5_000) }))).toEqual({
      kind: "stood-still",
      process: "server",
      lostMs: 4_960,
    });
    expect(disturbanceOf(block({ elapsedMs, client: still(5_000) }))).toMatchObject({ process: "client" });
    const both = disturbanceOf(block({ elapsedMs, client: still(5_000), server: still(4_990) }));
    expect(both).toEqual({ kind: "stood-still", lostMs: 4_950 });
  });

  it("and not by computing for long, collecting garbage included, nor by a short wait for the system", () => {
    expect(disturbanceOf(block({ elapsedMs: 500, server: still(300), serverCpuMs: 290 }))).toBeUndefined();
    expect(disturbanceOf(block({ elapsedMs: 200, server: still(139) }))).toBeUndefined();
    expect(disturbanceOf(block({ elapsedMs: 200, server: still(141) }))).toMatchObject({ kind: "stood-still" });
  });

  it("by what took most of its time, whichever is looked at first", () => {
    const stolen = { ...machine, mostStolenMs: 50 };
    expect(disturbanceOf(block({ serverLostMs: 20, machine: stolen }))).toEqual({ kind: "steal", lostMs: 40 });
    expect(disturbanceOf(block({ serverLostMs: 20, clientLostMs: 30 }))).toMatchObject({ process: "client" });
    expect(disturbanceOf(block({ serverLostMs: 60, machine: stolen }))).toMatchObject({ process: "server" });
  });

  it("beside an emulated network by a standstill, but by no core that the run itself may have taken", () => {
    const elapsedMs = 1_000;
    const starved = block({ elapsedMs, serverCpuMs: 0, server: still(400), serverLostMs: 400 });
    expect(disturbanceOf(starved)).toMatchObject({ kind: "lost-core", process: "server" });
    expect(disturbanceOf(starved, false)).toBeUndefined();
    const stopped = block({ elapsedMs, serverCpuMs: 0, server: still(400) });
    expect(disturbanceOf(stopped, false)).toMatchObject({ kind: "stood-still", process: "server" });
  });

  it("not by what was not counted", () => {
    const facts = {
      elapsedMs: 5_100,
      serverCpuMs: null,
      clientCpuMs: null,
      server: still(5_000),
      client: still(5_000),
    };
    expect(disturbanceOf(facts)).toBeUndefined();
    expect(disturbanceOf({ elapsedMs: 5_100, serverCpuMs: null, clientCpuMs: 4 })).toBeUndefined();
  });
});

it("a limit of the control group is not the loss of a core to others, where it explains half of the wait", () => {
  const limited = { ...machine, quotaCores: 0.67 };
  const at = (throttledMs: number): Disturbed => block({ serverLostMs: 60, machine: { ...limited, throttledMs } });
  expect(disturbanceOf(at(30))).toEqual({ kind: "throttled", process: "server", lostMs: 60 });
  expect(disturbanceOf(at(29))).toMatchObject({ kind: "lost-core" });
});

it.each([
  ["a standstill of a second", "stood-still", 1_000, false, true],
  ["a shorter standstill", "stood-still", 999, false, false],
  ["a standstill in an open loop, whose callers would have met it", "stood-still", 5_000, true, false],
  ["a lost core, however long", "lost-core", 5_000, false, false],
  ["stolen time, however long", "steal", 5_000, false, false],
  ["a CPU limit, which also delays the next measurement", "throttled", 5_000, false, false],
] as const)("a disturbed block is measured again or not: %s", (_, kind, lostMs, isOpenLoop, expected) => {
  expect(isVoid({ kind, lostMs }, isOpenLoop)).toBe(expected);
});
