// The fakes package, as its users see it.
export { fakeDefaults, type FakeOptions } from "./fake-options.ts";
export {
  noFaults,
  type Delay,
  type Fault,
  type FaultPlan,
  type FaultRule,
  type LatencyRule,
} from "./faults/fault-plan.ts";
export type { CallRecord } from "./recording/call-record.ts";
export type { Stub, StubAnswer } from "./stubs/stub.ts";
