// The named studies, with the overrides of the flags.
import { loadStudy, paperGroups, studyGroups, studyNames } from "@roundtrip/bench";
import type { Contract } from "@roundtrip/contract";
import { saturationLimits, type Study } from "@roundtrip/runner";
import { CliError, requireKnown } from "../basics/cli-error.ts";

/** The budget for hello and facade together on two cores, and for studies that declare none. */
const usualBudgetMs = 57_000;

/** Time until the report of a run with the usual budget, in milliseconds. */
const usualWaitMs = 59_500;

/** Analysis and report take about twice as long as everything before the measurement, so that both scale with a slow machine. */
const besideMeasuring = 3;

/** The minimum budget, however long the program took to start, in milliseconds. */
const leastBudgetMs = 40_000;

/** The usual budget after a start of this duration: with its report, the run ends within a minute. */
export function usualBudget(sinceStartMs: number): number {
  return Math.max(leastBudgetMs, Math.min(usualBudgetMs, usualWaitMs - besideMeasuring * sinceStartMs));
}

/** Replaces groups by their studies. Throws a usage error for an unknown name. */
export function withoutGroups(names: readonly string[]): readonly string[] {
  const groups = studyGroups();
  return names.flatMap((name) => {
    requireKnown("study", name, [...studyNames(), ...groups.keys()]);
    return groups.get(name) ?? [name];
  });
}

/** Replaces publications by all studies that judge their claims. Throws a usage error if no publication is named. */
export function withFullPapers(names: readonly string[]): readonly string[] {
  const papers = paperGroups(true);
  if (names.some((name) => papers.has(name))) return names.flatMap((name) => papers.get(name) ?? [name]);
  const known = [...papers.keys()].join(", ");
  throw new CliError("usage", `--full is for publications: name one of ${known}, or leave --full out`);
}

/** The sum of the studies' budgets; all that declare none share the usual budget. */
export function budgetOf(studies: readonly Study[], usualMs = usualBudgetMs): number {
  const declared = studies.flatMap(({ budgetMs }) => budgetMs ?? []);
  const usual = declared.length < studies.length ? usualMs : 0;
  return declared.reduce((sum, budgetMs) => sum + budgetMs, usual);
}

/** Overrides of study settings; undefined keeps the study's own. */
export interface StudyWishes {
  /** Executions of each arm in a round; the maximum if rates are searched. */
  readonly calls: number | undefined;
  /** The limit of the 99th percentile, in milliseconds, for studies that search the maximum load. */
  readonly p99Ms?: number | undefined;
  /** Whether a study must use the limit. A configuration may have it for others. */
  readonly isLimitTyped?: boolean;
}

/** Throws a usage error for a limit that no chosen study uses, or that is out of range. */
function requireLimit(studies: readonly Study[], { p99Ms, isLimitTyped = false }: StudyWishes): void {
  if (p99Ms === undefined) return;
  const { leastMs, mostMs } = saturationLimits;
  if (p99Ms < leastMs || p99Ms > mostMs) {
    throw new CliError("usage", `--load p99 must be from ${leastMs}ms to ${mostMs / 1_000}s, got ${p99Ms}ms`);
  }
  const isUsed = studies.some(({ tasks }) => tasks.some(({ saturation }) => saturation !== undefined));
  if (isUsed || !isLimitTyped) return;
  throw new CliError("usage", "--load p99 is for studies that search what load a style carries: load-calls");
}

/** Applies overrides to studies. Throws a usage error for an invalid limit. */
export function withWishes(studies: readonly Study[], wishes: StudyWishes): readonly Study[] {
  const { calls, p99Ms } = wishes;
  requireLimit(studies, wishes);
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

/** Loads the named studies and groups, each study once. Rejects with a usage error for an unknown name (with the nearest) or an invalid limit. */
export async function chosenStudies(names: readonly string[], wishes: StudyWishes): Promise<readonly Study[]> {
  return withWishes(await Promise.all([...new Set(withoutGroups(names))].map((name) => loadStudy(name))), wishes);
}

/** Throws a usage error for an operation that the contract lacks, before anything starts. */
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
