// Processes and folders that end with this process: `@roundtrip/runner/lifetime`. Loads nothing that measures.
export { atExit } from "./lifetime/ends-with-us.ts";
export { closesAfterExit } from "./lifetime/ends-with-us.ts";
export { endsWithUs } from "./lifetime/ends-with-us.ts";
export { guard, type GuardedKind } from "./lifetime/guard.ts";
export { statIfReadable } from "./lifetime/process-stat.ts";
export { temporaryFolder, type TemporaryFolder } from "./lifetime/temporary-folder.ts";
export { whyNotStarted } from "./lifetime/why-not-started.ts";
