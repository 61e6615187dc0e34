// What a call of an example request came to, over any style.
import { fromJson, toJson, type JsonValue, type Message } from "@bufbuild/protobuf";
import type { Contract, Operation } from "../../packages/contract/src/index.ts";

export interface Called {
  /** The canonical code or HTTP status of a refusal; undefined for an answer. */
  readonly refusal: string | undefined;
  /** The answer, or its messages if it is a stream, in ProtoJSON; undefined if this client cannot read it as messages. */
  readonly answers: readonly JsonValue[] | undefined;
  /** How the answer differs from the style's own document. */
  readonly faults: readonly string[];
}

/** Calls one operation with its example. Undefined if the style does not carry it. */
export type CallExample = (operation: Operation, session: string) => Promise<Called | undefined>;

/** The example request of an operation, by its id, in ProtoJSON. */
export type RequestOf = (id: string) => JsonValue;

/** Streams of a fake are short; a call takes at most this many milliseconds. */
export const longestCallMs = 20_000;

export const sessionHeader = "x-roundtrip-session";

export function refused(refusal: string): Called {
  return { refusal, answers: [], faults: [] };
}

export function normal({ registry }: Contract, { output }: Operation, message: Message): JsonValue {
  return toJson(output, message, { registry });
}

/** ProtoJSON as this project writes it, whatever wrote it. Throws an Error if it does not fit the contract. */
export function normalJson(contract: Contract, operation: Operation, json: JsonValue): JsonValue {
  return normal(contract, operation, fromJson(operation.output, json, { registry: contract.registry }));
}
