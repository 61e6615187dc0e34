// The fakes package, as its users see it.
export { createFake, type Fake } from "./fake.ts";
export { fakeDefaults, type FakeOptions } from "./fake-options.ts";
export type { FakeSession } from "./fake-session.ts";
export {
  noFaults,
  type Delay,
  type Fault,
  type FaultPlan,
  type FaultRule,
  type LatencyRule,
} from "./faults/fault-plan.ts";
export { memoryClient, memoryClientDefaults, type MemoryClientOptions } from "./memory-client.ts";
export {
  expectCalled,
  expectNotCalled,
  expectRoundTripsAtMost,
  type AssertedLog,
  type AssertedOperation,
} from "./recording/assertions.ts";
export { CallLog, callLogLimits, type CallLogLimits, type ReadableLog } from "./recording/call-log.ts";
export type { CallRecord } from "./recording/call-record.ts";
export { recording } from "./recording/recording.ts";
export { maxSessions, sessionMetadataName, sessionsOf, type Sessions } from "./sessions.ts";
export {
  startFake,
  startFakeDefaults,
  type StartedFake,
  type StartedSession,
  type StartFakeOptions,
} from "./start-fake.ts";
export type { Stub, StubAnswer } from "./stubs/stub.ts";
