// Reads and compares two run directories, without a verdict.
import {
  compareRuns,
  compareRunsDefaults,
  gatherParts,
  listed,
  type ComparedVersion,
  type MeasuredRun,
  type UnpairedComparison,
} from "@roundtrip/analysis";
import { readRunInParts } from "@roundtrip/runs/read";
import { existsSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { CliError } from "../basics/cli-error.ts";

const runFile = "run.json";

export function isRunDirectory(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return false;
  return found.isDirectory() ? existsSync(join(path, runFile)) : basename(path) === runFile;
}

export interface CompareRunDirectoriesFlags {
  readonly tolerate?: number;
  readonly detect?: number;
  readonly seed?: number;
}

async function read(path: string): Promise<MeasuredRun> {
  const { facts, parts } = readRunInParts(path);
  const calls = await gatherParts(facts, parts);
  if (calls.length === 0) throw new CliError("usage", `the run in ${path} holds no calls: nothing to compare`);
  const version: ComparedVersion = { label: path, when: facts.startedAt };
  return { version, facts, calls };
}

function studiesOf({ facts }: MeasuredRun): string {
  return listed([...new Set(facts.arms.map(({ study }) => study))]);
}

function requireCommonArm(base: MeasuredRun, head: MeasuredRun): void {
  const ids = new Set(base.facts.arms.map(({ id }) => id));
  if (head.facts.arms.some(({ id }) => ids.has(id))) return;
  const [baseStudies, headStudies] = [studiesOf(base), studiesOf(head)];
  const why =
    baseStudies === headStudies
      ? `both measured ${baseStudies}, on other stacks or with other settings`
      : `${baseStudies} and ${headStudies}`;
  throw new CliError(
    "usage",
    `${base.version.label} and ${head.version.label} have no arm in common (${why}): nothing to compare`,
  );
}

function placeOf(path: string): string {
  return realpathSync(statSync(path).isDirectory() ? path : dirname(path));
}

/** Compares two run directories or run.json files. Rejects with `usage` without a common arm, and with `unreadable` for what is no whole run. */
export async function compareRunDirectories(
  base: string,
  head: string,
  flags: CompareRunDirectoriesFlags = {},
): Promise<UnpairedComparison> {
  const [baseRun, headRun] = [await read(base), await read(head)];
  if (placeOf(base) === placeOf(head)) throw new CliError("usage", `${base} and ${head} are the same run`);
  requireCommonArm(baseRun, headRun);
  return compareRuns(baseRun, headRun, {
    tolerate: flags.tolerate ?? compareRunsDefaults.tolerate,
    detect: flags.detect ?? compareRunsDefaults.detect,
  });
}
