// Finds tasks that may change data, to keep them from servers that others rely on.
import type { StepForm } from "./step-form.ts";
import type { TaskFile } from "./task-file.ts";

function writes(steps: readonly StepForm[]): boolean {
  return steps.some((step) => (step.kind === "call" ? step.operation.sideEffects !== "none" : writes(step.steps)));
}

export function withoutWriting(file: TaskFile): { readonly file: TaskFile; readonly writing: readonly string[] } {
  const [writing, reading] = [true, false].map((wanted) =>
    file.tasks.filter(
      ({ setup, variants }) => [setup, ...variants.map(({ steps }) => steps)].some((steps) => writes(steps)) === wanted,
    ),
  );
  return { file: { ...file, tasks: reading ?? [] }, writing: (writing ?? []).map(({ name }) => name) };
}
