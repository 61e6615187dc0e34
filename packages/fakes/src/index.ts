// The fakes package, as its users see it.
export { generatedService } from "./generated/generated-service.ts";
export { createFake, fakeService, type Fake } from "./fake/fake.ts";
export { FakeError, type FakeErrorCode, type SourcePosition, type ValuePath } from "./basics/fake-error.ts";
export { fakeDefaults, type FakeOptions } from "./fake/fake-options.ts";
export type { FakeSession, OwnOptions } from "./fake/sessions.ts";
export type { RunArm } from "./faults/delays.ts";
export {
  noFaults,
  type Delay,
  type Fault,
  type FaultPlan,
  type FaultRule,
  type LatencyRule,
} from "./faults/fault-plan.ts";
export { faultPresets } from "./faults/fault-presets.ts";
export { faulting } from "./faults/faulting.ts";
export { matchesOperation } from "./faults/operation-rules.ts";
export { parseFaultPlan, readFaultPlan, type MeasuredLatency } from "./faults/read-fault-plan.ts";
export { memoryClient, memoryClientDefaults, type MemoryClientOptions } from "./memory/memory-client.ts";
export { operationNamed, sessionMetadataName } from "./basics/names.ts";
export { overridesOf, type Overrides } from "./overrides/overrides-of.ts";
export { behind, overriding, type OverriddenAnswer } from "./overrides/overriding.ts";
export {
  type AssertedLog,
  type AssertedOperation,
  type CallExpectation,
  expectCalls,
  expectCallsInOrder,
  type ExpectedCalls,
  type ExpectedStep,
  expectNotCalled,
  expectRoundTripsAtMost,
} from "./recording/expect-calls.ts";
export {
  CallLog,
  callLogLimits,
  type CallLogLimits,
  type CallRecord,
  type ReadableLog,
  type ShownHeaders,
} from "./recording/call-log.ts";
export { Cassette, type Answered } from "./recording/cassette.ts";
export { CassetteFile } from "./recording/cassette-file.ts";
export { refusalText, type ReadableRefusals, type Refusal } from "./recording/refusal-log.ts";
export { type RecordedTarget, recordTarget, requireReachable } from "./recording/record-target.ts";
export { recording } from "./recording/recording.ts";
export { replaying } from "./recording/replay.ts";
export { writeCassette } from "./recording/cassette-file.ts";
export { maxSessions, sessionsOf, type Sessions } from "./fake/sessions.ts";
export { stackWatch } from "./fake/watched-server.ts";
export {
  startFake,
  startFakeDefaults,
  type StartedFake,
  type StartedSession,
  type StartFakeOptions,
} from "./fake/start-fake.ts";
export type { Difference, NearStub } from "./stubs/differences.ts";
export type { HeaderConditions } from "./stubs/patterns.ts";
export type { Stub, StubAnswer, StubFailure } from "./stubs/stub.ts";
export { parseStubs, readStubs } from "./stubs/read-stubs.ts";
export { stubbing } from "./stubs/stubbing.ts";
export { stubForm, writeStubs } from "./stubs/stub-form.ts";
