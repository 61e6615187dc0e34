// The fakes package, as its users see it.
export { generatedService } from "./generated/generated-service.ts";
export { createFake, type Fake, type Replaced } from "./fake/fake.ts";
export type { EarlierService, Reset } from "./resources/reread.ts";
export { FakeError, type FakeErrorCode, type SourcePosition, type ValuePath } from "./basics/fake-error.ts";
export { fakeDefaults, type FakeOptions } from "./fake/fake.ts";
export type { FakeSession, OwnOptions } from "./fake/sessions.ts";
export {
  type Delay,
  type Fault,
  type FaultPlan,
  faultPresets,
  type FaultRule,
  type LatencyRule,
  noFaults,
} from "./faults/fault-schema.ts";
export { faulting } from "./faults/faulting.ts";
export { withPresets } from "./faults/plan-rules.ts";
export { parseFaultPlan, readFaultPlan, type MeasuredLatency, type RunArm } from "./faults/read-fault-plan.ts";
export { memoryClient, memoryClientDefaults, type MemoryClientOptions } from "@roundtrip/stacks/memory";
export { operationNamed, sessionMetadataName } from "./basics/names.ts";
export { fakeHandlers, type FakeHandlers } from "./handlers/fake-handlers.ts";
export { behind, handling } from "./handlers/handling.ts";
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
} from "./log/expect-calls.ts";
export {
  CallLog,
  callLogLimits,
  type CallLogLimits,
  type CallRecord,
  type ReadableLog,
  type ShownHeaders,
} from "./log/call-log.ts";
export { Recording, type Answered } from "./recording/recording.ts";
export { RecordingFile } from "./recording/recording-file.ts";
export { refusalText, type ReadableRefusals, type Refusal } from "./log/refusal-log.ts";
export { forwarding, type Forwarding, type ForwardTarget } from "./recording/forward.ts";
export { type RecordedTarget, recordTarget, requireReachable } from "./recording/record-target.ts";
export { replaying } from "./recording/replay.ts";
export {
  clientSettings,
  connectStack,
  fakeStackNames,
  serveFake,
  stackWatch,
  type ServedFake,
} from "./fake/serve-fake.ts";
export {
  startFake,
  startFakeDefaults,
  type StartedFake,
  type StartedSession,
  type StartFakeOptions,
} from "./fake/start-fake.ts";
export type { Difference, HeaderConditions } from "./stubs/text-conditions.ts";
export type { NearStub } from "./stubs/near-stubs.ts";
export type { Stub, StubAnswer } from "./stubs/stub-schema.ts";
export type { WrittenError } from "./files/written-error.ts";
export { stubWarnings } from "./stubs/broken-rules.ts";
export { parseStubs, readStubs, writeStubs } from "./stubs/read-stubs.ts";
export { stubbing } from "./stubs/stubbing.ts";
