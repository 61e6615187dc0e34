// The studies that a user named, as this run does them.
import { loadStudy, studyGroups, studyNames } from "@roundtrip/bench";
import type { Contract } from "@roundtrip/contract";
import type { Study } from "@roundtrip/runner";
import { CliError } from "../cli-error.ts";
import { requireKnown } from "../nearest-name.ts";

/** What hello and facade need together on two cores, and every other run whose studies do not say what they need. */
const usualBudgetMs = 57_000;

/** Names of studies in place of the groups among these. Throws a usage error for a name that is neither. */
function withoutGroups(names: readonly string[]): readonly string[] {
  const groups = studyGroups();
  return names.flatMap((name) => {
    requireKnown("study", name, [...studyNames(), ...groups.keys()]);
    return groups.get(name) ?? [name];
  });
}

/** The time that these studies say they need, the usual one for all that say nothing. */
export function budgetOf(studies: readonly Study[]): number {
  const declared = studies.flatMap(({ budgetMs }) => budgetMs ?? []);
  const usual = declared.length < studies.length ? usualBudgetMs : 0;
  return declared.reduce((sum, budgetMs) => sum + budgetMs, usual);
}

/**
 * Loads the named studies, of a group all, each once. Rejects with a usage error that has the nearest name for an unknown one.
 * @param calls executions of each arm in a round; undefined leaves them to the study
 */
export async function chosenStudies(names: readonly string[], calls: number | undefined): Promise<readonly Study[]> {
  const studies = await Promise.all([...new Set(withoutGroups(names))].map((name) => loadStudy(name)));
  if (calls === undefined) return studies;
  return studies.map((study) => ({
    ...study,
    tasks: study.tasks.map((task) => ({ ...task, tasksPerRound: calls })),
  }));
}

/** Studies call operations by name: one that the contract lacks is told before anything starts, with a usage error. */
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
