// Studies of contracts that users bring: derived, or of tasks that they wrote.
export { derivedStudy, type LeftOut } from "./derived-study.ts";
export { studyOfTasks } from "./study-of-tasks.ts";
export { parseTaskFile } from "./task-file.ts";
export type { Way } from "./ways.ts";
export { withoutWriting } from "./writing-tasks.ts";
