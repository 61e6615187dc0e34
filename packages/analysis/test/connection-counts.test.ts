// Connections are counted, and what is counted is held against what is set.
import type { Arm, Block } from "@roundtrip/runs";
import { expect, test } from "vitest";
import { unexpectedConnections } from "../src/warnings/measuring-warnings.ts";
import { armFor, loadedBlock } from "./synthetic-run.ts";

function armWith(id: string, factors: Arm["factors"], variant = "single", callsPerTask = 1): Arm {
  const settingDefaults = factors["keepAlive"] === undefined ? {} : { settingDefaults: { keepAlive: true } };
  return armFor({ id, stack: "rest", variant, factors, callsPerTask, ...settingDefaults });
}

function blockOf(armId: string, calls: number, connectionsOpened: number): Block {
  return loadedBlock({ armId, block: 0, tasks: calls, serverCpuMs: 1, connectionsOpened });
}

/** Without anomalies about connections. */
const unexpected = (facts: Parameters<typeof unexpectedConnections>[0]) => unexpectedConnections(facts, new Set());

test("calls that open as many connections as set get no warning: none if kept, one each if the server closes", () => {
  const arms = [armWith("kept", {}), armWith("closed", { keepAlive: false })];
  expect(unexpected({ arms, blocks: [blockOf("kept", 100, 0), blockOf("closed", 100, 100)] })).toEqual([]);
});

test("one call in twenty may open a connection more, or have one less, and no more than that", () => {
  const arms = [armWith("kept", {}), armWith("closed", { keepAlive: false })];
  const countedOn = (kept: number, closed: number) =>
    unexpected({ arms, blocks: [blockOf("kept", 100, kept), blockOf("closed", 100, closed)] }).length;
  expect([countedOn(5, 100), countedOn(6, 100), countedOn(0, 96), countedOn(0, 94)]).toEqual([0, 1, 0, 1]);
});

test("calls that open more or fewer are named with what was counted and what is set", () => {
  const arms = [armWith("kept", {}), armWith("closed", { keepAlive: false })];
  const [warning, ...others] = unexpected({
    arms,
    blocks: [blockOf("kept", 100, 50), blockOf("closed", 100, 0)],
  });
  expect(others).toEqual([]);
  expect(warning).toMatchObject({
    code: "connections-differ",
    message: expect.stringContaining("kept 0.50 and not 0 and closed 0.00 and not 1"),
  });
});

test("calls at once, which share connections or need several, and arms without calls say nothing", () => {
  const arms = [armWith("parallel", {}, "chatty-parallel", 6), armWith("none", {})];
  expect(unexpected({ arms, blocks: [blockOf("parallel", 6, 6)] })).toEqual([]);
});
