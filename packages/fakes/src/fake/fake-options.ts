// The options of a fake.
import type { Contract, Handlers, Service } from "@roundtrip/contract";
import { usualSeed } from "../answers/request-seed.ts";
import { generatedService } from "../generated/generated-service.ts";
import { noFaults, type FaultPlan } from "../faults/fault-schema.ts";
import { callLogLimits, type CallLogLimits } from "../log/call-log.ts";
import type { Stub } from "../stubs/stub-schema.ts";

export interface FakeOptions {
  readonly contract: Contract;
  /** The seed of everything that is made up. The same seed gives the same answers. */
  readonly seed: number;
  /** Answers as data. The first matching stub answers. */
  readonly stubs: readonly Stub[];
  /** Answers as functions, used if no stub matches. `fakeHandlers` makes them from typed methods. */
  readonly handlers: Handlers;
  readonly faults: FaultPlan;
  /**
   * Answers if no stub and no handler does. Called once for each session. Default: made-up answers; otherwise a recorded target or a replayed recording.
   * It checks requests itself, and does not change messages that it received or returned, because logs keep them without a copy.
   */
  readonly behind: (contract: Contract, seed: number) => Service;
  /** The size limits of a session's log. */
  readonly logLimits: CallLogLimits;
}

export const fakeDefaults = {
  seed: usualSeed,
  stubs: [],
  handlers: new Map(),
  faults: noFaults,
  behind: generatedService,
  logLimits: callLogLimits,
} as const satisfies Omit<FakeOptions, "contract">;
