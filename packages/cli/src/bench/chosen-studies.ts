// The studies that a user named, as this run does them.
import { loadStudy, studyGroups, studyNames } from "@roundtrip/bench";
import type { Contract } from "@roundtrip/contract";
import { saturationLimits, type Study } from "@roundtrip/runner";
import { CliError } from "../basics/cli-error.ts";
import { requireKnown } from "../basics/require-known.ts";

/** What hello and facade need together on two cores, and every other run whose studies do not say what they need. */
const usualBudgetMs = 57_000;

/** Somebody who tries it waits so long for the report. */
const usualWaitMs = 58_000;

/** Analysis and report take about four times as long as everything before measuring; on a slow machine all of it takes longer. */
const besideMeasuring = 5;

/** At least this is measured, however long the program took to start. */
const leastBudgetMs = 40_000;

/** The usual time for measuring of a program that was started so long ago: with its report it ends within a minute. */
export function usualBudget(sinceStartMs: number): number {
  return Math.max(leastBudgetMs, Math.min(usualBudgetMs, usualWaitMs - besideMeasuring * sinceStartMs));
}

/** Names of studies in place of the groups among these. Throws a usage error for a name that is neither. */
function withoutGroups(names: readonly string[]): readonly string[] {
  const groups = studyGroups();
  return names.flatMap((name) => {
    requireKnown("study", name, [...studyNames(), ...groups.keys()]);
    return groups.get(name) ?? [name];
  });
}

/** The time that these studies say they need, the usual one for all that say nothing. */
export function budgetOf(studies: readonly Study[], usualMs = usualBudgetMs): number {
  const declared = studies.flatMap(({ budgetMs }) => budgetMs ?? []);
  const usual = declared.length < studies.length ? usualMs : 0;
  return declared.reduce((sum, budgetMs) => sum + budgetMs, usual);
}

/** What is asked of studies in place of what they say themselves; undefined leaves it to them. */
export interface StudyWishes {
  /** Executions of each arm in a round; at most, where rates are searched. */
  readonly calls: number | undefined;
  /** What one call in a hundred may take where the load is searched that a style carries. */
  readonly p99Ms: number | undefined;
}

/** Throws a usage error for a limit that no study would be measured with, or none could. */
function requireLimit(studies: readonly Study[], p99Ms: number | undefined): void {
  if (p99Ms === undefined) return;
  const { leastMs, mostMs } = saturationLimits;
  if (p99Ms < leastMs || p99Ms > mostMs) {
    throw new CliError("usage", `--p99 must be from ${leastMs}ms to ${mostMs / 1_000}s, got ${p99Ms}ms`);
  }
  if (studies.flatMap(({ tasks }) => tasks).some(({ saturation }) => saturation !== undefined)) return;
  throw new CliError("usage", "--p99 is for studies that search what load a style carries: load-calls");
}

/** The studies with what is wished in the place of what they say. Throws a usage error for a limit that makes no sense. */
export function withWishes(studies: readonly Study[], { calls, p99Ms }: StudyWishes): readonly Study[] {
  requireLimit(studies, p99Ms);
  return studies.map((study) => ({
    ...study,
    tasks: study.tasks.map((task) => ({
      ...task,
      ...(calls === undefined ? {} : { tasksPerRound: calls }),
      ...(task.saturation === undefined || p99Ms === undefined
        ? {}
        : { saturation: { ...task.saturation, limitMs: p99Ms } }),
    })),
  }));
}

/**
 * Loads the named studies, of a group all, each once. Rejects with a usage error that has the nearest name for an unknown one, and for a limit
 * that makes no sense.
 */
export async function chosenStudies(names: readonly string[], wishes: StudyWishes): Promise<readonly Study[]> {
  return withWishes(await Promise.all([...new Set(withoutGroups(names))].map((name) => loadStudy(name))), wishes);
}

/** Studies call operations by name: one that the contract lacks is a usage error before anything starts. */
export function requireOperations(studies: readonly Study[], contract: Contract, path: string | undefined): void {
  const known = new Set(contract.operations.map(({ id }) => id));
  for (const { name, tasks } of studies) {
    const steps = tasks.flatMap(({ setup, variants }) => [
      ...setup,
      ...Object.values(variants).flatMap((plan) => plan.steps),
    ]);
    const missing = steps.find(({ operation }) => !known.has(operation));
    if (missing === undefined) continue;
    throw new CliError(
      "usage",
      `the study ${name} calls ${missing.operation}, which the contract in ${path} does not have`,
    );
  }
}
