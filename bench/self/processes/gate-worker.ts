// A thread that simulates jobs of the gate: it answers each request with its tally.
import { parentPort } from "node:worker_threads";
import { simulateJobs, type JobsAsked } from "../gate/simulate-jobs.ts";

parentPort?.on("message", (asked: JobsAsked) => {
  // oxlint-disable-next-line require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(simulateJobs(asked));
});
