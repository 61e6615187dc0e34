// The studies that a user named, as this run does them.
import { loadStudy, studyNames } from "@roundtrip/bench";
import type { Contract } from "@roundtrip/contract";
import type { Study } from "@roundtrip/runner";
import { CliError } from "./cli-error.ts";
import { requireKnown } from "./nearest-name.ts";

/**
 * Loads the named studies, each once. Rejects with a usage error that has the nearest name for an unknown one.
 * @param calls executions of each arm in a round; undefined leaves them to the study
 */
export async function chosenStudies(names: readonly string[], calls: number | undefined): Promise<readonly Study[]> {
  for (const name of names) requireKnown("study", name, studyNames());
  const studies = await Promise.all([...new Set(names)].map((name) => loadStudy(name)));
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
