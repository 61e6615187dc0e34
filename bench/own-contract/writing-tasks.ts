// Finds tasks that may change data, to keep them from servers that others rely on.
import type { Operation } from "@roundtrip/contract";
import type { StepForm } from "./step-form.ts";
import type { TaskFile, TaskForm } from "./task-file.ts";

function mayWrite({ sideEffects }: Operation): boolean {
  return sideEffects !== "none";
}

function operationsOfSteps(steps: readonly StepForm[]): readonly Operation[] {
  return steps.flatMap((step) => (step.kind === "call" ? [step.operation] : operationsOfSteps(step.steps)));
}

function writes(steps: readonly StepForm[]): boolean {
  return operationsOfSteps(steps).some(mayWrite);
}

/** The file without tasks that may write, and without such operations of mixes. */
export function withoutWriting(file: TaskFile): { readonly file: TaskFile; readonly writing: readonly string[] } {
  const writing: string[] = [];
  const tasks = file.tasks.flatMap((task): readonly TaskForm[] => {
    if (
      task.mix.length === 0 ? [task.setup, ...task.variants.map(({ steps }) => steps)].some(writes) : writes(task.setup)
    ) {
      writing.push(task.name);
      return [];
    }
    const reading = task.mix.filter(({ operation }) => !mayWrite(operation));
    writing.push(...task.mix.flatMap(({ operation }) => (mayWrite(operation) ? [operation.method.name] : [])));
    return task.mix.length > 0 && reading.length === 0 ? [] : [{ ...task, mix: reading }];
  });
  return { file: { ...file, tasks }, writing: [...new Set(writing)] };
}
