// Assertions of cases: each function throws an Error whose message is the first difference, in one line.
import { create, type DescMessage, type MessageInitShape, type MessageShape } from "@bufbuild/protobuf";
import { CallError, type CanonicalCode, type ErrorDetails } from "@roundtrip/contract";
import type { RawAnswer } from "@roundtrip/styles";
import { markHandled } from "./case-run.ts";

function shown(value: unknown): string {
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "number") return Object.is(value, -0) ? "-0" : String(value);
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? String(part) : part)) ?? "?";
  return text.length <= 60 ? text : `${text.slice(0, 57)}… (${text.length} characters)`;
}

function hasMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/** The keys to compare. `$unknown` has fields of newer contracts and is ignored. */
function keysOf(value: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(value).filter((key) => key !== "$unknown" && value[key] !== undefined);
}

/** `path: got …, expected …` for the first difference; undefined if the values are equal. NaN equals NaN, -0 is not 0. */
export function firstDifference(actual: unknown, expected: unknown, path: string): string | undefined {
  if (Object.is(actual, expected)) return undefined;
  // Compares bytes as a whole first, because there can be many.
  if (actual instanceof Uint8Array && expected instanceof Uint8Array && Buffer.compare(actual, expected) === 0) {
    return undefined;
  }
  if (!hasMembers(actual) || !hasMembers(expected) || Array.isArray(actual) !== Array.isArray(expected)) {
    return `${path}: got ${shown(actual)}, expected ${shown(expected)}`;
  }
  if (Array.isArray(actual) && Array.isArray(expected) && actual.length !== expected.length) {
    return `${path}: got ${actual.length} items, expected ${expected.length}`;
  }
  for (const key of new Set([...keysOf(expected), ...keysOf(actual)])) {
    const inner = Array.isArray(expected) ? `${path}[${key}]` : `${path}.${key}`;
    const difference = firstDifference(actual[key], expected[key], inner);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

/** Throws the message unless the condition holds. */
export function expect(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(message);
}

export function expectEqual(actual: unknown, expected: unknown, what: string): void {
  const difference = firstDifference(actual, expected, what);
  if (difference !== undefined) throw new Error(difference);
}

/** Compares a message with expected fields. Fields that are not given must be empty. */
export function expectMessage<S extends DescMessage>(
  schema: S,
  actual: MessageShape<S>,
  expected: MessageInitShape<S>,
): void {
  expectEqual(actual, create(schema, expected), schema.name);
}

async function errorOf(call: Promise<unknown>, code: CanonicalCode): Promise<CallError> {
  const thrown = await call.then(
    () => {
      throw new Error(`succeeded, expected ${code}`);
    },
    (reason: unknown) => reason,
  );
  expect(thrown instanceof CallError, `rejected with ${String(thrown)}, expected a CallError ${code}`);
  expect(thrown.code === code, `failed with ${thrown.code} (${thrown.message}), expected ${code}`);
  return thrown;
}

/** Expects a call to reject with a CallError of this code, and resolves to it. */
export function expectError(call: Promise<unknown>, code: CanonicalCode): Promise<CallError> {
  return markHandled(errorOf(call, code));
}

/** Like {@link expectError}, for INVALID_ARGUMENT with exactly these violations, in this order. */
export async function expectViolations(
  call: Promise<unknown>,
  violations: readonly { readonly field: string; readonly reason: string }[],
): Promise<CallError> {
  const error = await expectError(call, "INVALID_ARGUMENT");
  const actual = error.details.violations.map(({ field, reason }) => ({ field, reason }));
  expectEqual(actual, violations, "violations");
  for (const { field, description } of error.details.violations) {
    expect(description !== "", `the violation of ${field} has no description`);
  }
  return error;
}

/** Compares reason, domain and metadata of an error. */
export function expectInfo(error: CallError, expected: Pick<ErrorDetails, "reason" | "domain" | "metadata">): void {
  const { reason, domain, metadata } = error.details;
  expectEqual({ reason, domain, metadata }, expected, "details");
}

/** Does something for each item, one after the other. */
export async function inTurn<T>(items: Iterable<T>, act: (item: T) => unknown): Promise<void> {
  // oxlint-disable-next-line no-await-in-loop
  for (const item of items) await act(item);
}

/** Expects a deadline to end a call whose handler has begun. On a busy machine, a short one passes before that. */
export async function expectExpired(
  call: (timeoutMs: number) => Promise<unknown>,
  hasBegun: () => boolean,
): Promise<void> {
  for (const timeoutMs of [150, 450, 1_350, 4_050, 12_150]) {
    // oxlint-disable-next-line no-await-in-loop
    await expectError(call(timeoutMs), "DEADLINE_EXCEEDED");
    if (hasBegun()) return;
  }
  throw new Error("no handler began before its call's deadline");
}

/** For example `HTTP 400 INVALID_ARGUMENT`. */
export function answerText({ httpStatus, code }: RawAnswer): string {
  if (httpStatus === undefined) return "no answer";
  return code === undefined ? `HTTP ${httpStatus}` : `HTTP ${httpStatus} ${code}`;
}

/** What is wrong with an answer: `got HTTP 200 OK, expected HTTP 400 INVALID_ARGUMENT`; undefined if it is allowed. */
export function answerFault(answer: RawAnswer, allowed: readonly RawAnswer[]): string | undefined {
  const texts = allowed.map(answerText);
  const got = answerText(answer);
  return texts.includes(got) ? undefined : `got ${got}, expected ${texts.join(" or ")}`;
}
