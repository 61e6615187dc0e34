// Tells people why no stub answered a call: the nearest stubs, and in which parts the call differs. Runs when a log is read, not for calls.
import type { JsonValue, Message } from "@bufbuild/protobuf";
import type { Metadata, ServerCall } from "@roundtrip/contract";
import type { CompiledStub } from "./compiled-stub.ts";
import { jsonText } from "../files/checked.ts";
import type { Difference, HeaderConditions } from "./text-conditions.ts";

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
export function nearStubs(stubs: readonly CompiledStub[], request: Message, metadata: Metadata): readonly NearStub[] {
  return stubs
    .slice(0, comparedStubs)
    .map(({ position, request: pattern, headers, stub: { when = {}, "when-headers": whenHeaders = {} } }) => ({
      position,
      when,
      whenHeaders,
      differences: [...pattern.differences(request), ...headers.differences(metadata)],
    }))
    .filter(({ differences }) => differences.length > 0)
    .toSorted((stub, next) => stub.differences.length - next.differences.length)
    .slice(0, shownStubs);
}

const shownCharacters = 200;

/** A difference in one line: `customer.mail: expected "a@b.example", got ""`. */
export function differenceText({ path, expected, got }: Difference): string {
  const [wanted, actual] = [expected, got].map((json) => jsonText(json ?? undefined, shownCharacters));
  return `${path === "" ? "the request" : path}: expected ${wanted}, got ${actual}`;
}
