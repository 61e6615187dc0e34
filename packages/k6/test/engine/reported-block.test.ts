// What becomes of a cell's calls: rows in the order in which they ended, counted from when they were meant; or nothing, where calls were lost.
import { expect, it } from "vitest";
import { judgeCell, reportedBlock } from "../../src/engine/log-round.ts";
import type { K6Plan } from "../../src/plan/k6-plan.ts";
import { CallTable, type ReportedCall } from "../../src/results/call-table.ts";
import type { CompletedRound } from "../../src/results/read-results.ts";
import { armWith, cellOf, planWith, t0Ms } from "../support/plans.ts";

function call(task: number, atMs: number, changes: Partial<ReportedCall> = {}): ReportedCall {
  const untold = { dueMs: Number.NaN, queueMs: Number.NaN, serviceMs: Number.NaN };
  return {
    cell: 0,
    task,
    step: 0,
    atMs,
    durationMs: 2,
    outcome: "OK",
    instance: 0,
    opened: false,
    ...untold,
    ...changes,
  };
}

function roundOf(plan: K6Plan, reported: readonly ReportedCall[]): CompletedRound {
  const calls = new CallTable(plan);
  for (const one of reported) calls.note(one);
  return { plan, t0Ms, instances: [], calls };
}

function sum(values: Float64Array): number {
  return values.reduce((total, value) => total + value, 0);
}

const two = planWith({ arms: [armWith("a", 2)], cells: [cellOf(0, { tasks: 2, arrivalsMs: [0, 7.25] })] });

it("is in the order in which calls ended, each from the moment that the schedule has for its task", () => {
  const round = roundOf(two, [
    call(1, 507.5, { durationMs: 1 }),
    call(0, 500, { durationMs: 30, opened: true }),
    call(1, 509, { step: 1, outcome: "NOT_FOUND" }),
    call(0, 530, { step: 1, queueMs: 0.5, serviceMs: 1.25 }),
  ]);
  const { rows, outcomes, timeOriginMs, connectionsOpened, elapsedMs } = reportedBlock(round, 0, null);
  expect([...rows.task]).toEqual([1, 1, 0, 0]);
  expect([...rows.step]).toEqual([0, 1, 0, 1]);
  expect([...rows.startedAtMs]).toEqual([507.5, 509, 500, 530]);
  expect([...rows.endedAtMs]).toEqual([508.5, 511, 530, 532]);
  // Calls that wait for others have no moment of their own.
  expect([...rows.intendedAtMs]).toEqual([507.25, Number.NaN, 500, Number.NaN]);
  expect([...rows.outcome].map((outcome) => outcomes[outcome])).toEqual(["OK", "NOT_FOUND", "OK", "OK"]);
  expect([rows.queueMs[3], rows.serviceMs[3]]).toEqual([0.5, 1.25]);
  expect({ timeOriginMs, connectionsOpened, elapsedMs }).toEqual({
    timeOriginMs: t0Ms,
    connectionsOpened: 1,
    elapsedMs: 32,
  });
});

it("has the bytes of its own tasks, by those that are counted, and all of them in its rows", () => {
  const round = roundOf(
    planWith(),
    [0, 1, 2, 3].map((task) => call(task, 500 + task)),
  );
  Object.assign(round.calls.sums[0] ?? {}, { bytesSent: 300, bytesReceived: 607, countedTasks: 3 });
  const { rows, wireBytes } = reportedBlock(round, 0, null);
  expect([sum(rows.requestBytes), sum(rows.responseBytes), wireBytes]).toEqual([400, 809, 1_209]);
  expect([...rows.responseBytes].every(Number.isInteger)).toBe(true);
});

it("says how busy its generator was where that is known", () => {
  const round = roundOf(
    planWith(),
    [0, 1, 2, 3].map((task) => call(task, 500 + 10 * task)),
  );
  expect(reportedBlock(round, 0, { ms: 8, cores: 1 })).toMatchObject({ clientCpuMs: 8, clientUtilisation: 0.25 });
  expect(reportedBlock(round, 0, { ms: 8, cores: 4 })).toMatchObject({ clientCpuMs: 8, clientUtilisation: 0.0625 });
  expect(reportedBlock(round, 0, { ms: 100, cores: 1 })).toMatchObject({ clientUtilisation: 1 });
  expect(reportedBlock(round, 0, null)).not.toHaveProperty("clientUtilisation");
});

it("is void when calls are missing or were made twice, and nothing when none was made", () => {
  const all = [0, 1, 2, 3].map((task) => call(task, 500 + task));
  expect(judgeCell(roundOf(planWith(), all), 0)).toEqual({ kind: "whole" });
  expect(judgeCell(roundOf(planWith(), all), 1)).toEqual({ kind: "none" });
  expect(judgeCell(roundOf(planWith(), all.slice(1)), 0)).toEqual({ kind: "void", calls: 4, missing: 1, doubled: 0 });
  expect(judgeCell(roundOf(planWith(), [...all, ...all.slice(2)]), 0)).toEqual({
    kind: "void",
    calls: 4,
    missing: 0,
    doubled: 2,
  });
});
