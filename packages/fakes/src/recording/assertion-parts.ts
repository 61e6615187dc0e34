// Parts that assertions about calls share.
import type { DescMethod, JsonValue } from "@bufbuild/protobuf";
import type { Contract, Operation } from "@roundtrip/contract";
import { operationNamed } from "../basics/operation-named.ts";
import type { ReadableLog } from "./call-log.ts";
import type { CallRecord } from "./call-record.ts";
import { refusalText } from "./refusal-log.ts";

/** Calls that were made: the log of a fake or of one session. */
export type AssertedLog = Pick<ReadableLog, "contract" | "records" | "dropped" | "refusals">;

/** An operation's id, an unambiguous end of it, or the method of a generated service. */
export type AssertedOperation = string | DescMethod;

export const shownCalls = 5;
const shownCharacters = 300;

export function named(contract: Contract, operation: AssertedOperation): Operation {
  const id = typeof operation === "string" ? operation : `${operation.parent.typeName}.${operation.name}`;
  return operationNamed(contract, id);
}

export function shown(value: JsonValue | undefined): string {
  const text = value === undefined ? "not set" : JSON.stringify(value);
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text;
}

/** A short list of what was called. */
export function calledInstead(records: readonly CallRecord[]): string {
  if (records.length === 0) return "there were no calls";
  const byOperation = [...Map.groupBy(records, ({ operation }) => operation)];
  const some = byOperation.slice(0, shownCalls).map(([id, calls]) => `${id} (${calls.length}×)`);
  const more = byOperation.length > shownCalls ? ` and ${byOperation.length - shownCalls} more` : "";
  return `the calls were ${some.join(", ")}${more}`;
}

export function droppedNote({ dropped }: AssertedLog): string {
  return dropped === 0 ? "" : `; the log has dropped the ${dropped === 1 ? "1 call" : `${dropped} calls`} before these`;
}

/** The requests that did not become calls, in lines: a client with a fault often makes one of them in place of the expected call. */
export function refusalLines({ refusals }: AssertedLog): readonly string[] {
  if (refusals.length === 0) return [];
  const some = refusals.slice(-shownCalls).map((refusal) => `  ${refusalText(refusal)}`);
  return ["requests that were refused before they reached an operation:", ...some];
}
