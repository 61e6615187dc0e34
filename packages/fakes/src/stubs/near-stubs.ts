// Stubs of a call's operation that did not match it, and why. A call that no stub answers keeps only a reference to the stubs: the comparison is made
// when its log is read.
import type { JsonValue, Message } from "@bufbuild/protobuf";
import type { Contract, Metadata, ServerCall } from "@roundtrip/contract";
import type { CompiledStub } from "./compiled-stub.ts";
import { headerDifferences, requestDifferences, type Difference } from "./differences.ts";
import type { HeaderConditions } from "./header-pattern.ts";

/** A stub that did not match. */
export interface NearStub {
  /** Its number among all stubs of the session, from 1, in order of precedence. */
  readonly position: number;
  readonly when: JsonValue;
  readonly whenHeaders: HeaderConditions;
  readonly differences: readonly Difference[];
}

/** Only so many stubs are compared, since recordings have thousands. */
const comparedStubs = 200;
const shownStubs = 3;

const unmatchedKey = Symbol("unmatched stubs");

interface MarkedCall extends ServerCall {
  [unmatchedKey]?: readonly CompiledStub[];
}

/** Notes that none of these stubs matched the call. */
export function noteUnmatched(call: ServerCall, stubs: readonly CompiledStub[]): void {
  (call as MarkedCall)[unmatchedKey] = stubs;
}

/** The stubs that {@link noteUnmatched} noted; undefined for a call that a stub answered, or whose operation has no stubs. */
export function unmatchedStubs(call: ServerCall): readonly CompiledStub[] | undefined {
  return (call as MarkedCall)[unmatchedKey];
}

/** The stubs with the fewest differences from the call, the nearest first. */
export function nearStubs(
  stubs: readonly CompiledStub[],
  request: Message,
  metadata: Metadata,
  { registry }: Contract,
): readonly NearStub[] {
  return stubs
    .slice(0, comparedStubs)
    .map(({ position, operation, stub: { when, whenHeaders = {} } }) => ({
      position,
      when,
      whenHeaders,
      differences: [
        ...requestDifferences(operation.input, when, request, registry),
        ...headerDifferences(whenHeaders, metadata),
      ],
    }))
    .filter(({ differences }) => differences.length > 0)
    .toSorted((one, other) => one.differences.length - other.differences.length)
    .slice(0, shownStubs);
}
