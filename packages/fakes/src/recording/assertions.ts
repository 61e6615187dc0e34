// Assertions about the calls that a fake has received. A failed assertion throws an AssertionError with the actual calls, which every test runner
// shows.
import { fromJson, toJson, type DescMethod, type JsonObject, type JsonValue, type Message } from "@bufbuild/protobuf";
import { isObject, type Contract, type Operation } from "@roundtrip/contract";
import { AssertionError } from "node:assert";
import { operationNamed } from "../basics/operation-named.ts";
import { requestPattern } from "../stubs/request-pattern.ts";
import type { ReadableLog } from "./call-log.ts";
import type { CallRecord } from "./call-record.ts";

/** Calls that were made: the log of a fake or of one session. */
export type AssertedLog = Pick<ReadableLog, "contract" | "records" | "dropped">;

/** An operation's id, an unambiguous end of it, or the method of a generated service. */
export type AssertedOperation = string | DescMethod;

const shownCalls = 5;
const shownCharacters = 300;

function named(contract: Contract, operation: AssertedOperation): Operation {
  const id = typeof operation === "string" ? operation : `${operation.parent.typeName}.${operation.name}`;
  return operationNamed(contract, id);
}

function shown(value: JsonValue | undefined): string {
  const text = value === undefined ? "not set" : JSON.stringify(value);
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text;
}

/** The requests of a call as messages. A request that the log could not express in ProtoJSON matches nothing. */
function requestsOf({ requests }: CallRecord, { input }: Operation, { registry }: Contract): readonly Message[] {
  return requests.flatMap((request) => {
    try {
      return [fromJson(input, request, { registry })];
    } catch {
      return [];
    }
  });
}

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

function countedCalls(count: number): string {
  return count === 1 ? "1 call" : `${count} calls`;
}

/** A short list of what was called. */
function calledInstead(records: readonly CallRecord[]): string {
  if (records.length === 0) return "there were no calls";
  const byOperation = [...Map.groupBy(records, ({ operation }) => operation)];
  const some = byOperation.slice(0, shownCalls).map(([id, calls]) => `${id} (${calls.length}×)`);
  const more = byOperation.length > shownCalls ? ` and ${byOperation.length - shownCalls} more` : "";
  return `the calls were ${some.join(", ")}${more}`;
}

function memberOf(request: JsonValue, name: string, { input }: Operation): JsonValue | undefined {
  const field = input.fields.find((one) => one.name === name || one.jsonName === name);
  return field === undefined ? request : (request as JsonObject)[field.jsonName];
}

function droppedNote({ dropped }: AssertedLog): string {
  return dropped === 0 ? "" : `; the log has dropped the ${countedCalls(dropped)} before these`;
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
    message: `${asked.id} was not called${wanted}: ${why}${droppedNote(log)}`,
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
