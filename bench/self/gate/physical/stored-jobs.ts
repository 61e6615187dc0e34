// All physical jobs so far: docs/gate/physical-jobs.jsonl, one line each, append-only.
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Calibration } from "./calibration.ts";
import type { PhysicalJob } from "./physical-job.ts";

export const jobsFile = join(import.meta.dirname, "../../../../docs/gate/physical-jobs.jsonl");

/** A calibration is stored among the jobs: later jobs on this machine use it. */
export interface StoredCalibration extends Calibration {
  readonly kind: "calibration";
  readonly machine: string;
  readonly startedAt: string;
}

type Line = PhysicalJob | StoredCalibration;

function isCalibration(line: Line): line is StoredCalibration {
  return line.kind === "calibration";
}

function lines(path: string): readonly Line[] {
  if (!existsSync(path)) return [];
  // A program that was killed while writing leaves an incomplete last line, which is skipped; later additions begin on a new line.
  return readFileSync(path, "utf8")
    .split("\n")
    .flatMap((text) => {
      try {
        return [JSON.parse(text) as Line];
      } catch {
        return [];
      }
    });
}

export function storedJobs(path = jobsFile): readonly PhysicalJob[] {
  return lines(path).filter((line) => !isCalibration(line));
}

export function storedCalibration(machine: string, stack: string, path = jobsFile): StoredCalibration | undefined {
  return lines(path)
    .filter(isCalibration)
    .findLast((line) => line.machine === machine && line.stack === stack);
}

export function store(line: Line, path = jobsFile): void {
  const isCutOff = existsSync(path) && !/(?:^|\n)$/.test(readFileSync(path, "utf8"));
  appendFileSync(path, `${isCutOff ? "\n" : ""}${JSON.stringify(line)}\n`);
}
