// What a fake is made of.
import type { Contract, Handlers, Service } from "@roundtrip/contract";
import { generatedService } from "../generated/generated-service.ts";
import { noFaults, type FaultPlan } from "../faults/fault-plan.ts";
import { callLogLimits, type CallLogLimits } from "../recording/call-log.ts";
import type { Stub } from "../stubs/stub.ts";

export interface FakeOptions {
  readonly contract: Contract;
  /** Of everything that is made up. The same seed gives the same answers. */
  readonly seed: number;
  /** Answers as data; the first that matches a request is it. */
  readonly stubs: readonly Stub[];
  /** Answers as functions, asked where no stub matches: what `overridesOf` makes of typed methods. */
  readonly handlers: Handlers;
  readonly faults: FaultPlan;
  /**
   * What answers where no stub and no handler does; asked for once in each session. Answers are made up unless told: a recorded target, or a
   * recording that is replayed, stands here too. It checks requests by itself, and writes to no message that it was given or has answered: logs keep them as they are.
   */
  readonly behind: (contract: Contract, seed: number) => Service;
  /** What the log of a session keeps. */
  readonly logLimits: CallLogLimits;
}

export const fakeDefaults = {
  seed: 1,
  stubs: [],
  handlers: new Map(),
  faults: noFaults,
  behind: generatedService,
  logLimits: callLogLimits,
} as const satisfies Omit<FakeOptions, "contract">;
