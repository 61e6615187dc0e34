// Reads the run directory of a finished job into its line.
import {
  comparedMetrics,
  gateRoundsOf,
  gatherParts,
  type ComparedCell,
  type PairedComparison,
} from "@roundtrip/analysis";
import type { GateRounds } from "@roundtrip/analysis/gate";
import { readRunInParts } from "@roundtrip/runner";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { armRoundsOf } from "./arm-rounds.ts";
import { changeNamed } from "./changes.ts";
import type { JobCase, JobCell, PhysicalJob } from "./physical-job.ts";

export type JobResult = Pick<
  PhysicalJob,
  "verdict" | "reason" | "rounds" | "cells" | "exact" | "logRatios" | "armRounds" | "confirmation"
>;

const digits = 5;

function rounded(value: number): number | null {
  return Number.isFinite(value) ? Number(value.toFixed(digits)) : null;
}

function roundedRows(rows: readonly (readonly number[])[]): readonly (readonly (number | null)[])[] {
  return rows.map((row) => row.map(rounded));
}

interface Measured {
  readonly gate: GateRounds;
  readonly armRounds: PhysicalJob["armRounds"];
}

async function roundsIn(directory: string): Promise<Measured> {
  const { facts, parts } = readRunInParts(directory);
  const calls = await gatherParts(facts, parts);
  return { gate: gateRoundsOf(facts, calls), armRounds: armRoundsOf(facts, calls, comparedMetrics) };
}

function truthOf(one: JobCase, stack: string, metric: string): number | null {
  // A change of one server does not affect the others.
  return stack === one.stack ? changeNamed(one.change).truthOf(metric) : 1;
}

function cellOf(one: JobCase, { stack, task, metric, ratio, low, high, state }: ComparedCell): JobCell {
  return {
    stack,
    task,
    metric,
    ratio: Number(ratio.toFixed(digits)),
    low: low === null ? null : rounded(low),
    high: high === null ? null : rounded(high),
    state,
    truth: truthOf(one, stack, metric),
  };
}

/** The rounds of the confirmation, for the cells that had failed. */
async function confirmationOf(
  directory: string,
  recheck: PairedComparison["recheck"],
  first: GateRounds,
): Promise<PhysicalJob["confirmation"]> {
  const folder = join(directory, "confirmation");
  if (recheck === null || !existsSync(folder)) return null;
  const { gate: fresh } = await roundsIn(folder);
  const columns = recheck.cells.map(({ id }) => fresh.cells.findIndex((cell) => cell.id === id));
  return {
    cells: recheck.cells.map(({ id }) => first.cells.findIndex((cell) => cell.id === id)),
    isConfirmed: recheck.isConfirmed,
    logRatios: roundedRows(fresh.values.map((row) => columns.map((column) => row[column] ?? Number.NaN))),
  };
}

/** @param directory of a comparison with a verdict */
export async function readJob(one: JobCase, directory: string): Promise<JobResult> {
  const comparison = JSON.parse(readFileSync(join(directory, "comparison.json"), "utf8")) as PairedComparison;
  const { verdict, reason, rounds } = comparison;
  const { gate: measured, armRounds } = await roundsIn(directory);
  const cells = measured.cells.map((cell) => {
    const compared = comparison.cells.find(({ id }) => id === cell.id);
    if (compared === undefined) throw new Error(`comparison.json of ${directory} has no cell ${cell.id}`);
    return cellOf(one, compared);
  });
  return {
    verdict,
    reason,
    rounds,
    cells,
    exact: comparison.exact.map(
      ({ stack, task, metric, base, head }) => `${stack} ${task} ${metric} ${rounded(base)} → ${rounded(head)}`,
    ),
    logRatios: roundedRows(measured.values),
    armRounds,
    confirmation: await confirmationOf(directory, comparison.recheck, measured),
  };
}
