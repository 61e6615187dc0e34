// The operations that tasks call.
import type { Operation } from "@roundtrip/contract";
import type { StepForm } from "./step-form.ts";
import type { TaskFile } from "./task-file.ts";

export function operationsOfSteps(steps: readonly StepForm[]): readonly Operation[] {
  return steps.flatMap((step) => (step.kind === "call" ? [step.operation] : operationsOfSteps(step.steps)));
}

/** Each operation once, setups included. */
export function calledOperations({ tasks }: TaskFile): readonly Operation[] {
  const called = tasks.flatMap(({ setup, variants, mix }) => [
    ...operationsOfSteps([...setup, ...variants.flatMap(({ steps }) => steps)]),
    ...mix.map(({ operation }) => operation),
  ]);
  return [...new Set(called)];
}
