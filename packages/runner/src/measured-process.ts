// The parts of a measured process, for benchmarks that measure other things likewise: `@roundtrip/runner/measured-process`.
export { newAlarm } from "./basics/alarm.ts";
export type { Notebook } from "./measure/call-timer.ts";
export { prepareExecution, type Execution, type ExecutionOptions } from "./measure/execute-plan.ts";
export { openLoop } from "./measure/loops.ts";
export { Recorder } from "./measure/recorder.ts";
export { WireMeter } from "./measure/client-connections.ts";
export { answerQuestions } from "./processes/answer-questions.ts";
export type { CpuAnswer, ServerQuestion, ServerStart, ServerStarted } from "./processes/messages.ts";
