// The parts of a run, for programs that combine them differently: `@roundtrip/runner/parts`.
export { armsOf, factsOfArm, type PlannedArm } from "./study/planned-arm.ts";
export type { Configuration } from "./study/configuration.ts";
export { openCapture, type Capture } from "./measure/capture-request.ts";
export { readyStep, type ReadyStep } from "./measure/ready-step.ts";
export { setsOfSteps } from "./study/study.ts";
export { paceOf } from "./pace/load.ts";
export { ProcessPair } from "./rounds/process-pair.ts";
export { CommandServer } from "./processes/command-server.ts";
export { Child, childCpuMs, processFile } from "./processes/child.ts";
export { readAllowedCores } from "./evidence/machine-counters.ts";
export { pin, placements, type Placement } from "./processes/cores.ts";
export { freePort } from "./processes/free-port.ts";
export { cpuMsOf, peakMiBOf } from "./evidence/process-cpu.ts";
export { scheduleRound, type ScheduledBlock } from "./rounds/schedule.ts";
export { RoundLog, type ReportedBlock } from "./run-directory/round-log.ts";
export { seedOf, shuffled } from "./basics/seeded-order.ts";
export { leaveOutTargetWrites } from "./rounds/leave-out.ts";
