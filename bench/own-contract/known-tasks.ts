// The tasks of a file that another version of its contract supports too.
import type { Contract } from "@roundtrip/contract";
import type { StepForm } from "./step-form.ts";
import type { TaskFile, TaskForm } from "./task-file.ts";

/** The operations that the contract lacks, as typed in the contract of the file. */
function missingIn(steps: readonly StepForm[], known: ReadonlySet<string>): readonly string[] {
  return steps.flatMap((step) =>
    step.kind !== "call" ? missingIn(step.steps, known) : known.has(step.operation.id) ? [] : [step.operation.id],
  );
}

function stepsIn(steps: readonly StepForm[], contract: Contract): readonly StepForm[] {
  return steps.map((step) =>
    step.kind === "call"
      ? { ...step, operation: contract.operation(step.operation.id) }
      : { ...step, steps: stepsIn(step.steps, contract) },
  );
}

function taskIn(task: TaskForm, contract: Contract): TaskForm {
  return {
    ...task,
    setup: stepsIn(task.setup, contract),
    variants: task.variants.map((variant) => ({ ...variant, steps: stepsIn(variant.steps, contract) })),
    mix: task.mix.map((form) => ({ ...form, operation: contract.operation(form.operation.id) })),
  };
}

/** The same tasks with the operations of another contract, and the tasks that call one which is not among these. */
export function tasksIn(
  file: TaskFile,
  contract: Contract,
  known: ReadonlySet<string>,
): { readonly file: TaskFile; readonly missing: ReadonlyMap<string, string> } {
  const missing = new Map<string, string>();
  for (const { name, setup, variants, mix } of file.tasks) {
    const inMix = mix.map(({ operation }) => operation.id).filter((id) => !known.has(id));
    const [first] = [...missingIn([...setup, ...variants.flatMap(({ steps }) => steps)], known), ...inMix];
    if (first !== undefined) missing.set(name, first);
  }
  const tasks = file.tasks.filter(({ name }) => !missing.has(name)).map((task) => taskIn(task, contract));
  return { file: { ...file, contract, tasks }, missing };
}
