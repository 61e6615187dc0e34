// Studies of contracts that users bring: derived, or from their task files.
export { derivedStudy, taskName, type LeftOut } from "./derived-study.ts";
export { fittingMixes } from "./fitting-mixes.ts";
export { tasksIn } from "./known-tasks.ts";
export { mixLimits } from "./mix-form.ts";
export { rehearseJson } from "./rehearsed-calls.ts";
export { studyOfTasks } from "./study-of-tasks.ts";
export { parseTaskFile, taskDocument, withoutWriting, type TaskFile } from "./task-file.ts";
export type { TitledClient } from "./derived-task.ts";
