// The parts of a measured process, for benchmarks that measure other things likewise: `@roundtrip/runner/measured-process`.
export { newAlarm } from "./basics/alarm.ts";
export type { CallLog } from "./measure/call-timer.ts";
export { prepareExecution, type Execution } from "./measure/execute-plan.ts";
export { Recorder } from "./measure/recorder.ts";
export { WireMeter } from "./measure/client-connections.ts";
export { answerQuestions } from "./processes/answer-questions.ts";
export type { ServerQuestion, ServerStart, ServerStarted } from "./processes/messages.ts";
