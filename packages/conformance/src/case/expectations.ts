// Assertions of cases: each function throws an Error whose message is the first difference, in one line.
import type { DescMessage, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { create } from "@bufbuild/protobuf";
import { CallError, type ErrorDetails, type CanonicalCode } from "@roundtrip/contract";
import { firstDifference } from "./first-difference.ts";
import { markHandled } from "./mark-handled.ts";

/** Throws the message unless the condition holds. */
export function expect(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(message);
}

/** Compares two values in depth. */
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
