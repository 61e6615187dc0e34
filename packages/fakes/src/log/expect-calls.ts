// Assertions about the calls that a fake has received. A failed one lists the calls that were made, each with its differences.
import type { DescMethod, JsonValue } from "@bufbuild/protobuf";
import { canonicalCodes, type CanonicalCode, type Contract, type Operation } from "@roundtrip/contract";
import { suggestion } from "@roundtrip/contract/text";
import { operationNamed } from "../basics/names.ts";
import type { CallRecord, ReadableLog } from "./call-log.ts";
import { refusalText } from "./refusal-log.ts";
import { AssertionError } from "node:assert";
import { FakeError } from "../basics/fake-error.ts";
import { jsonText } from "../files/checked.ts";
import { type Difference, type HeaderConditions, headerPattern } from "../stubs/text-conditions.ts";
import { differenceText } from "../stubs/near-stubs.ts";
import { requestPattern } from "../stubs/request-pattern.ts";
import { headersOf, requestsOf } from "./logged-call.ts";

/** Calls that were made: the log of a fake or of one session. */
export type AssertedLog = Pick<ReadableLog, "contract" | "records" | "dropped" | "refusals">;

/** An operation's id, an unambiguous end of it, or the method of a generated service. */
export type AssertedOperation = string | DescMethod;

const shownCalls = 5;
const shownCharacters = 300;

function named(contract: Contract, operation: AssertedOperation): Operation {
  const id = typeof operation === "string" ? operation : `${operation.parent.typeName}.${operation.name}`;
  return operationNamed(contract, id);
}

function shown(value: JsonValue): string {
  return jsonText(value, shownCharacters);
}

/** A short list of what was called. */
function calledInstead(records: readonly CallRecord[]): string {
  if (records.length === 0) return "there were no calls";
  const byOperation = [...Map.groupBy(records, ({ operation }) => operation)];
  const some = byOperation.slice(0, shownCalls).map(([id, calls]) => `${id} (${calls.length}×)`);
  const more = byOperation.length > shownCalls ? ` and ${byOperation.length - shownCalls} more` : "";
  return `the calls were ${some.join(", ")}${more}`;
}

function droppedNote({ dropped }: AssertedLog): string {
  return dropped === 0 ? "" : `; the log has dropped the ${dropped === 1 ? "1 call" : `${dropped} calls`} before these`;
}

/** The requests that did not become calls, in lines: a client with a fault often makes one of them in place of the expected call. */
function refusalLines({ refusals }: AssertedLog): readonly string[] {
  if (refusals.length === 0) return [];
  const some = refusals.slice(-shownCalls).map((refusal) => `  ${refusalText(refusal)}`);
  return ["requests that were refused before they reached an operation:", ...some];
}

/** What a call must have. Members that are not given do not matter. */
export interface CallExpectation {
  /** A part of the request, with patterns as in a stub. In a stream of requests, one of them must match. */
  readonly request?: JsonValue;
  /** Values and patterns by name, as in a stub; in gRPC, of the metadata. */
  readonly headers?: HeaderConditions;
  readonly outcome?: CanonicalCode | "OK";
}

/** What calls must have, and their number. Default: at least one. */
export interface ExpectedCalls extends CallExpectation {
  readonly times?: number;
  readonly atLeast?: number;
  readonly atMost?: number;
}

export interface ExpectedStep extends CallExpectation {
  readonly operation: AssertedOperation;
}

/** Only so many calls are listed in a message. */
const listedCalls = 10;

/** A call, and where it differs from the expectation. */
interface ComparedCall {
  readonly record: CallRecord;
  readonly differences: readonly Difference[];
}

const conditions = ["request", "headers", "outcome"];

/** Throws a FakeError for a member that would be ignored, such as a field of the request beside `request`. */
function requireMembers(expected: object, known: readonly string[]): void {
  const unknown = Object.keys(expected).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const hint = `${suggestion(unknown, known)} (valid: ${known.join(", ")})`;
  throw new FakeError("unknown-field", `an expectation has no ${JSON.stringify(unknown)}${hint}`);
}

const outcomes: readonly string[] = ["OK", ...Object.keys(canonicalCodes)];

/** Compiles an expectation into a comparison of calls. Throws a FakeError for unknown fields and outcomes and for invalid patterns. */
function comparing(
  operation: Operation,
  { request = {}, headers = {}, outcome }: CallExpectation,
  contract: Contract,
): (record: CallRecord) => ComparedCall {
  if (outcome !== undefined && !outcomes.includes(outcome)) {
    const text = `unknown outcome "${outcome}"${suggestion(outcome, outcomes)} (valid: ${outcomes.join(", ")})`;
    throw new FakeError("wrong-type", text);
  }
  const pattern = requestPattern(operation.input, request, contract.registry, ["request"]);
  const { differences: headerDifferences } = headerPattern(headers, ["headers"]);
  return (record) => {
    // In a stream of requests, the nearest counts.
    const [nearest = [{ path: "", expected: request, got: undefined }]] = requestsOf(record, operation, contract)
      .map((message) => pattern.differences(message))
      .toSorted((differences, next) => differences.length - next.length);
    const isOutcome = outcome === undefined || outcome === record.outcome;
    return {
      record,
      differences: [
        ...(pattern.isAny ? [] : nearest),
        ...headerDifferences(headersOf(record)),
        ...(isOutcome ? [] : [{ path: "outcome", expected: outcome, got: record.outcome }]),
      ],
    };
  };
}

function timesText(count: number): string {
  return count === 1 ? "1 time" : `${count} times`;
}

/** ` with {"id":7} and headers {"x-user":"ada"}` */
function conditionText({ request = {}, headers = {}, outcome }: CallExpectation): string {
  const parts = [
    ...(JSON.stringify(request) === "{}" ? [] : [shown(request)]),
    ...(Object.keys(headers).length === 0 ? [] : [`headers ${shown(headers)}`]),
    ...(outcome === undefined ? [] : [`the outcome ${outcome}`]),
  ];
  return parts.length === 0 ? "" : ` with ${parts.join(" and ")}`;
}

/** One call in a list: what matches is shown with its request, what does not with its differences. */
function callLines({ record: { index, outcome, requests }, differences }: ComparedCall): string {
  const head = `  #${index} `.padEnd(6);
  if (differences.length === 0) return `${head}${outcome} ${requests.map(shown).join(" ")}`;
  return `${head}${differences.map(differenceText).join(`\n${" ".repeat(head.length)}`)}`;
}

function listed(heading: string, calls: readonly ComparedCall[]): readonly string[] {
  if (calls.length === 0) return [];
  const more = calls.length > listedCalls ? [`  and ${calls.length - listedCalls} more`] : [];
  return [heading, ...calls.slice(0, listedCalls).map(callLines), ...more];
}

/** The least and the greatest number of calls that an expectation allows. */
function boundsOf({ times, atLeast, atMost }: ExpectedCalls): readonly [least: number, most: number] {
  for (const [name, count] of Object.entries({ times, atLeast, atMost })) {
    if (count === undefined || (Number.isInteger(count) && count >= 0)) continue;
    throw new FakeError("wrong-type", `${name} must be an integer of at least 0, got ${count}`);
  }
  if (times !== undefined) return [times, times];
  return [atLeast ?? (atMost === undefined ? 1 : 0), atMost ?? Infinity];
}

function boundsText([least, most]: readonly [number, number]): string {
  if (least === most) return timesText(least);
  if (most === Infinity) return `at least ${timesText(least)}`;
  return least === 0 ? `at most ${timesText(most)}` : `${least} to ${timesText(most)}`;
}

/**
 * Returns the calls of the operation that match, in their order. Throws an AssertionError with a list of the calls and their differences if their number
 * is not as expected, and a FakeError for unknown operations and fields.
 */
export function expectCalls(
  log: AssertedLog,
  operation: AssertedOperation,
  expected: ExpectedCalls = {},
): readonly CallRecord[] {
  const { contract, records, dropped } = log;
  const asked = named(contract, operation);
  requireMembers(expected, [...conditions, "times", "atLeast", "atMost"]);
  const compare = comparing(asked, expected, contract);
  const bounds = boundsOf(expected);
  const [least, most] = bounds;
  const compared = records.filter((record) => record.operation === asked.id).map(compare);
  const [matching = [], others = []] = [true, false].map((isMatch) =>
    compared.filter(({ differences }) => (differences.length === 0) === isMatch),
  );
  const isUnknown = dropped > 0 && most !== Infinity;
  if (matching.length >= least && matching.length <= most && !isUnknown) return matching.map(({ record }) => record);
  const instead = compared.length === 0 ? [calledInstead(records)] : [];
  throw new AssertionError({
    message: [
      `${asked.id} was called ${timesText(matching.length)}${conditionText(expected)}, expected ${boundsText(bounds)}${droppedNote(log)}`,
      ...listed("matching calls:", matching),
      ...listed("other calls of the operation:", others),
      ...instead,
      ...(matching.length < least ? refusalLines(log) : []),
    ].join("\n"),
    actual: matching.length,
    expected: matching.length < least ? least : most,
    operator: "expectCalls",
    stackStartFn: expectCalls,
  });
}

/** Throws an AssertionError if there was such a call, or if the log has dropped calls and so cannot rule it out. */
export function expectNotCalled(log: AssertedLog, operation: AssertedOperation, expected: CallExpectation = {}): void {
  requireMembers(expected, conditions);
  expectCalls(log, operation, { ...expected, times: 0 });
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

const ordinals = ["1st", "2nd", "3rd"] as const;

/** The calls of a sequence that were found, and all calls, in lines. */
function sequenceLines(records: readonly CallRecord[], found: readonly CallRecord[]): readonly string[] {
  const lines = records.map((record) => {
    const at = found.indexOf(record);
    const mark = at === -1 ? "" : `   <- ${ordinals[at] ?? `${at + 1}th`}`;
    return `${`  #${record.index} `.padEnd(6)}${record.operation} ${record.requests.map(shown).join(" ")}${mark}`;
  });
  return lines.length <= maxSequenceLines
    ? lines
    : [...lines.slice(0, maxSequenceLines), `  and ${lines.length - maxSequenceLines} more`];
}

const maxSequenceLines = 40;

/**
 * Returns the calls of a sequence, in the order in which they began; other calls may be between them. Throws an AssertionError with the calls that were
 * made if one is missing, or came before the one that it should follow.
 */
export function expectCallsInOrder(log: AssertedLog, steps: readonly ExpectedStep[]): readonly CallRecord[] {
  const { contract, records } = log;
  const asked = steps.map((step) => {
    const operation = named(contract, step.operation);
    requireMembers(step, ["operation", ...conditions]);
    return { operation, step, compare: comparing(operation, step, contract) };
  });
  const found: CallRecord[] = [];
  let from = 0;
  for (const { operation, step, compare } of asked) {
    const isMatch = (record: CallRecord): boolean =>
      record.operation === operation.id && compare(record).differences.length === 0;
    const at = records.findIndex((record, index) => index >= from && isMatch(record));
    const record = records[at];
    if (record === undefined) {
      const what = `${operation.id}${conditionText(step)}`;
      const earlier = records.slice(0, from).find((call) => isMatch(call) && !found.includes(call));
      const after = found.length === 0 ? "" : ` after #${found.at(-1)?.index ?? 0}`;
      const hint = earlier === undefined ? "" : `; it was made before that, as #${earlier.index}`;
      throw new AssertionError({
        message: [
          `expected ${asked.length} calls in this order; the ${ordinals[found.length] ?? `${found.length + 1}th`} is missing: ${what} was not called${after}${hint}${droppedNote(log)}`,
          ...(records.length === 0 ? ["there were no calls"] : ["calls:", ...sequenceLines(records, found)]),
          ...refusalLines(log),
        ].join("\n"),
        actual: records.map((call) => call.operation),
        expected: asked.map((call) => call.operation.id),
        operator: "expectCallsInOrder",
        stackStartFn: expectCallsInOrder,
      });
    }
    found.push(record);
    from = at + 1;
  }
  return found;
}
