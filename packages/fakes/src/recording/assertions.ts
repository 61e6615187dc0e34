// Assertions about the calls that a fake has received. A failed assertion throws an AssertionError with the actual calls, which every test runner
// shows.
import { toJson, type JsonObject, type JsonValue } from "@bufbuild/protobuf";
import { isObject, type Contract, type Operation } from "@roundtrip/contract";
import { AssertionError } from "node:assert";
import { requestPattern } from "../stubs/request-pattern.ts";
import {
  calledInstead,
  countedCalls,
  droppedNote,
  named,
  refusalLines,
  requestsOf,
  shown,
  shownCalls,
  type AssertedLog,
  type AssertedOperation,
} from "./assertion-parts.ts";
import type { CallRecord } from "./call-record.ts";

/** A request, with the expected members that it lacks. */
interface Compared {
  readonly record: CallRecord;
  readonly request: JsonValue;
  readonly missed: readonly string[];
}

/** Compares every request of the calls with the expected one, member by member. */
function compare(
  records: readonly CallRecord[],
  operation: Operation,
  contract: Contract,
  asked: JsonValue,
): readonly Compared[] {
  const { input } = operation;
  const { registry } = contract;
  const members: readonly (readonly [string, JsonValue])[] = isObject(asked)
    ? Object.entries(asked).map(([name, value]) => [name, { [name]: value }])
    : [["the request", asked]];
  const patterns = members.map(([name, part]) => ({ name, matches: requestPattern(input, part, registry) }));
  return records.flatMap((record) =>
    requestsOf(record, operation, contract).map((message) => ({
      record,
      request: toJson(input, message, { registry, alwaysEmitImplicit: true }),
      missed: patterns.filter(({ matches }) => !matches(message)).map(({ name }) => name),
    })),
  );
}

function memberOf(request: JsonValue, name: string, { input }: Operation): JsonValue | undefined {
  const field = input.fields.find((one) => one.name === name || one.jsonName === name);
  return field === undefined ? request : (request as JsonObject)[field.jsonName];
}

/**
 * Returns the calls of the operation with such a request; for a stream of requests, with one such request. Throws an AssertionError with the most
 * similar call if there is none, and a FakeError for unknown operations or fields.
 * @param partialRequest in ProtoJSON: its members must be present and equal. Default: any request.
 */
export function expectCalled(
  log: AssertedLog,
  operation: AssertedOperation,
  partialRequest: JsonValue = {},
): readonly CallRecord[] {
  const { contract, records } = log;
  const asked = named(contract, operation);
  const calls = records.filter((record) => record.operation === asked.id);
  const compared = compare(calls, asked, contract, partialRequest);
  const found = compared.filter(({ missed }) => missed.length === 0).map(({ record }) => record);
  // A call that failed before its request was read still counts as a call of the operation.
  const isAny = JSON.stringify(partialRequest) === "{}";
  if (isAny && calls.length > 0) return calls;
  if (found.length > 0) return [...new Set(found)];
  const [nearest] = compared.toSorted((one, other) => one.missed.length - other.missed.length);
  const why =
    nearest === undefined
      ? calledInstead(records)
      : `the nearest of ${countedCalls(calls.length)} is #${nearest.record.index}, where ${nearest.missed
          .map((name) => `${name} is ${shown(memberOf(nearest.request, name, asked))}`)
          .join(", ")}`;
  const wanted = isAny ? "" : ` with ${shown(partialRequest)}`;
  throw new AssertionError({
    message: [`${asked.id} was not called${wanted}: ${why}${droppedNote(log)}`, ...refusalLines(log)].join("\n"),
    actual: nearest?.request,
    expected: partialRequest,
    operator: "expectCalled",
    stackStartFn: expectCalled,
  });
}

/** Throws an AssertionError if there was such a call, or if the log has dropped calls and so cannot rule it out. */
export function expectNotCalled(log: AssertedLog, operation: AssertedOperation, partialRequest: JsonValue = {}): void {
  const { contract, records, dropped } = log;
  const asked = named(contract, operation);
  const calls = records.filter((record) => record.operation === asked.id);
  const [found] = compare(calls, asked, contract, partialRequest).filter(({ missed }) => missed.length === 0);
  if (found === undefined && dropped === 0) return;
  const why =
    found === undefined
      ? `it is unknown whether ${asked.id} was called${droppedNote(log)}`
      : `${asked.id} was called, as call #${found.record.index} with ${shown(found.request)}`;
  throw new AssertionError({
    message: why,
    actual: found?.request,
    expected: undefined,
    operator: "expectNotCalled",
    stackStartFn: expectNotCalled,
  });
}

/**
 * Throws an AssertionError if calls took more exchanges than this. Calls of one GraphQL document are one exchange; otherwise each call is one.
 * Also fails if the log has dropped calls, because their number of exchanges is unknown.
 */
export function expectRoundTripsAtMost(log: AssertedLog, roundTrips: number): void {
  const { records, dropped } = log;
  const trips = [...Map.groupBy(records, ({ session, roundTrip }) => `${roundTrip} ${session}`).values()];
  if (trips.length <= roundTrips && dropped === 0) return;
  const some = trips.slice(0, shownCalls).map((calls) => calls.map(({ operation }) => operation).join(" + "));
  const more = trips.length > shownCalls ? ` and ${trips.length - shownCalls} more` : "";
  throw new AssertionError({
    message: `${trips.length} round trips, where at most ${roundTrips} were expected: ${some.join(", ")}${more}${droppedNote(log)}`,
    actual: trips.length,
    expected: roundTrips,
    operator: "expectRoundTripsAtMost",
    stackStartFn: expectRoundTripsAtMost,
  });
}
