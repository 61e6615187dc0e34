// What fuzzers know of a style: attacks on its own features, signs of a server's fault in its answers, and values that it cannot carry. A file in
// `styles/` per style.
import type { DescField, DescMessage, Message } from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import type { Contract, Operation } from "@roundtrip/contract";
import type { MisuseAttempt } from "@roundtrip/styles/fuzzing";
import { existsSync } from "node:fs";
import { join } from "node:path";

/** A valid call, corrupted, which the server must refuse. Attacks on HTTP/1.1 and HTTP/2 are the same for each style and are not among them. */
export interface StyleAttack extends MisuseAttempt {
  /** For example `a document with ten thousand aliases is refused`. */
  readonly name: string;
}

/** The signs of a server's fault in the bytes of an answer. */
export interface AnswerFaults {
  /** The framing of a connection. Malformed bytes differ between the two. */
  readonly framing: "http/1.1" | "http/2";
  readonly isComplete: (answer: Buffer) => boolean;
  /** The sign of a fault; undefined for an answer without one. */
  readonly faultIn: (answer: Buffer) => string | undefined;
}

export interface CallMessages {
  readonly operation: Operation;
  /** One for an operation without a stream of requests. */
  readonly requests: readonly Message[];
  readonly reply: {
    readonly answers: readonly Message[];
    /** The error that ends the call, after the answers; undefined for success. */
    readonly error: Error | undefined;
  };
}

/** Calls whose messages a style cannot carry, or carries in part. */
export interface KnownLimit {
  readonly reason: string;
  /** What is still the same as on other styles: the canonical code, or nothing. */
  readonly compared: "code" | "nothing";
  readonly appliesTo: (call: CallMessages, contract: Contract) => boolean;
}

/** How the default client of a style writes a message. */
export type Notation = "protobuf" | "json" | "xml";

/** What a file in `styles/` exports as `fuzzed`. */
export interface FuzzedStyle {
  readonly notation: Notation;
  readonly attacks: readonly StyleAttack[];
  readonly answerFaults: AnswerFaults | undefined;
  readonly knownLimits: readonly KnownLimit[];
}

/** Loads what fuzzers know of a style; nothing of a style without a file. */
export async function loadFuzzedStyle(style: string): Promise<FuzzedStyle> {
  const file = join(import.meta.dirname, "styles", `${style}.ts`);
  if (!existsSync(file)) return { notation: "json", attacks: [], answerFaults: undefined, knownLimits: [] };
  return ((await import(file)) as { readonly fuzzed: FuzzedStyle }).fuzzed;
}

/** 501 and 504 may be the caller's fault: an unknown operation, or a deadline of zero. */
const statusFault = /HTTP\/1\.1 (?!501|504)5\d\d/;
const codeFault = /"code":\s*"(?:INTERNAL|UNKNOWN|INTERNAL_SERVER_ERROR)"/;

/** Faults of HTTP/1.1, for styles that send JSON with the canonical code as `code`. */
export const httpAnswerFaults: AnswerFaults = {
  framing: "http/1.1",
  isComplete(answer) {
    const text = answer.toString("latin1");
    const head = text.indexOf("\r\n\r\n");
    const length = /^content-length: (\d+)/im.exec(text.slice(0, Math.max(0, head)))?.[1];
    return head !== -1 && text.length >= head + 4 + Number(length ?? 0);
  },
  faultIn(answer) {
    const text = answer.toString("latin1");
    return (statusFault.exec(text) ?? codeFault.exec(text))?.[0];
  },
};

/** One value of a set field; for a list or map, one per element. */
export interface ValueIn {
  readonly field: DescField;
  /** In the form of reflection: messages are reflected. */
  readonly value: unknown;
}

function elementsOf(reflected: ReflectMessage, field: DescField): Iterable<unknown> {
  if (field.fieldKind === "list") return reflected.get(field);
  if (field.fieldKind === "map") return reflected.get(field).values();
  return [reflected.get(field)];
}

/** The values of this message, without nested ones. */
export function* ownValues(reflected: ReflectMessage): Generator<ValueIn> {
  for (const field of reflected.fields) {
    if (!reflected.isSet(field)) continue;
    for (const value of elementsOf(reflected, field)) yield { field, value };
  }
}

function* valuesBelow(reflected: ReflectMessage): Generator<ValueIn> {
  for (const found of ownValues(reflected)) {
    yield found;
    if (found.field.message !== undefined) yield* valuesBelow(found.value as ReflectMessage);
  }
}

/** The values of a message and its nested messages, outermost first. The content of an `Any` counts as bytes. */
function valuesIn(desc: DescMessage, message: Message): Generator<ValueIn> {
  return valuesBelow(reflect(desc, message));
}

/** Whether a request or an answer of a call has such a value. */
export function anywhere(
  inRequest: (found: ValueIn) => boolean,
  inAnswer: (found: ValueIn) => boolean = inRequest,
): KnownLimit["appliesTo"] {
  return ({ operation: { input, output }, requests, reply }) =>
    requests.some((request) => [...valuesIn(input, request)].some(inRequest)) ||
    reply.answers.some((answer) => [...valuesIn(output, answer)].some(inAnswer));
}

/** For styles whose enums have only declared values. */
export function undeclaredEnumValue(reason: string): KnownLimit {
  return {
    reason,
    compared: "nothing",
    appliesTo: anywhere(
      ({ field, value }) => field.enum !== undefined && field.enum.value[value as number] === undefined,
    ),
  };
}

/** A limit of every JSON style. */
export const notFiniteInAnyJson: KnownLimit = {
  reason: "a google.protobuf.Value is JSON, which has no NaN or infinity",
  compared: "nothing",
  appliesTo: anywhere(
    ({ field, value }) =>
      field.parent.typeName === "google.protobuf.Value" && field.name === "number_value" && !Number.isFinite(value),
  ),
};

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.from([...bytes, rest]);
}

/** A message whose levels are each field 1 or 2 of the level above: `values.tree.only.only…` of the conformance contract. */
export function deepMessage(levels: number): Buffer {
  const headers: Buffer[] = [];
  let length = 0;
  for (const field of [...Array.from({ length: levels }, () => 2), 8, 1]) {
    const header = Buffer.concat([Buffer.of((field << 3) | 2), varint(length)]);
    headers.push(header);
    length += header.length;
  }
  return Buffer.concat(headers.toReversed());
}
