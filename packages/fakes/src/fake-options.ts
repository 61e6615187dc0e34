// What a fake is made of.
import type { Contract, Handlers } from "@roundtrip/contract";
import { noFaults, type FaultPlan } from "./faults/fault-plan.ts";
import type { Stub } from "./stubs/stub.ts";

export interface FakeOptions {
  readonly contract: Contract;
  /** Of everything that is made up. The same seed gives the same answers. */
  readonly seed: number;
  /** Answers as data; the first that matches a request is it. */
  readonly stubs: readonly Stub[];
  /** Answers as functions, asked where no stub matches: what `overridesOf` makes of typed methods. */
  readonly handlers: Handlers;
  readonly faults: FaultPlan;
}

export const fakeDefaults = {
  seed: 1,
  stubs: [],
  handlers: new Map(),
  faults: noFaults,
} as const satisfies Omit<FakeOptions, "contract">;
