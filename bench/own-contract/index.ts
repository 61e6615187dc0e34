// Studies of contracts that users bring: derived, or of tasks that they wrote.
export { derivedStudy, mostOperations, type DerivedOptions, type DerivedStudy, type LeftOut } from "./derived-study.ts";
export { failureText } from "./rehearsed-calls.ts";
export { studyOfTasks } from "./study-of-tasks.ts";
export { parseTaskFile, type TaskFile } from "./task-file.ts";
