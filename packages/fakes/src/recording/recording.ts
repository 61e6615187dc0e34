// The answers of a target as stubs: a recording is a stub file that people can read and edit.
import {
  toJson,
  type JsonValue,
  type Message,
  type DescField,
  type DescMessage,
  type JsonObject,
  type Registry,
} from "@bufbuild/protobuf";
import {
  hasOwnJson,
  type CallError,
  type ClientSideError,
  type Contract,
  type Operation,
  isObject,
} from "@roundtrip/contract";
import { isDeepStrictEqual } from "node:util";
import { answersWithStream } from "../basics/names.ts";
import { documentLimits } from "../files/located-documents.ts";
import type { Stub, StubAnswer } from "../stubs/stub-schema.ts";
import type { FieldMasking } from "../basics/masked-copy.ts";
import { keptDetails, withholding } from "../basics/redacted.ts";
import { hasNull } from "../stubs/request-pattern.ts";

/** A value in ProtoJSON, and the same as it was sent, without masks. */
interface MaskedJson {
  readonly json: JsonValue;
  readonly sent: JsonValue | undefined;
}

function exactValue(field: DescField, { json, sent }: MaskedJson): JsonValue {
  const { message, fieldKind } = field;
  if (message === undefined || hasOwnJson(message)) return json;
  if (fieldKind === "list" && Array.isArray(json)) {
    const all = Array.isArray(sent) ? sent : [];
    return json.map((item, at) => exactMessage(message, { json: item, sent: all[at] }));
  }
  if (fieldKind === "map" && isObject(json)) {
    const all = isObject(sent) ? sent : {};
    const entries = Object.entries(json);
    return Object.fromEntries(
      entries.map(([key, item]) => [key, exactMessage(message, { json: item, sent: all[key] })]),
    );
  }
  return exactMessage(message, { json, sent });
}

/** Whether a value that is compared as a whole, such as an `Any`, has a masked part: it would match nothing. */
function isMaskedInside({ message }: DescField, { json, sent }: MaskedJson): boolean {
  return message !== undefined && hasOwnJson(message) && !isDeepStrictEqual(json, sent);
}

function exactMessage({ fields }: DescMessage, { json, sent }: MaskedJson): JsonValue {
  if (!isObject(json)) return json;
  const all = isObject(sent) ? sent : {};
  const exact: JsonObject = {};
  for (const field of fields) {
    const { jsonName } = field;
    const value = json[jsonName];
    // Hidden values are not compared either, because the file would show them.
    if (withholding.isHidden(field)) continue;
    if (value === undefined) {
      if (!hasNull(field)) exact[jsonName] = null;
      continue;
    }
    const both = { json: value, sent: all[jsonName] };
    if (!isMaskedInside(field, both)) exact[jsonName] = exactValue(field, both);
  }
  return exact;
}

/**
 * The request in ProtoJSON with every field of its messages: zero values, and null for unset fields. Fields that the contract marks `debug_redact`
 * or that have names of secrets are left out, and so are extensions, which stubs cannot match. Throws for an `Any` of a type that the contract does
 * not contain.
 */
export function exactRequest(type: DescMessage, request: Message, registry: Registry): JsonValue {
  const jsonOf = (message: Message): JsonValue => toJson(type, message, { registry, alwaysEmitImplicit: true });
  const json = jsonOf(withholding.copyOf(type, request, registry));
  return hasOwnJson(type) ? json : exactMessage(type, { json, sent: jsonOf(request) });
}

/** The answer of an operation to one request, or to a stream of them that began with it. */
export interface Answered {
  readonly operation: Operation;
  /** Undefined for an empty stream of requests. */
  readonly request: Message | undefined;
  /** Undefined for a stream that was too long to be kept. */
  readonly responses: readonly Message[] | undefined;
  /** Undefined for a successful call. */
  readonly error: CallError | undefined;
}

interface KeptStub {
  readonly operation: string;
  readonly when: JsonValue;
  readonly answers: StubAnswer[];
  /** Made of the answers so far, until there is another one. */
  stub: Stub | undefined;
}

/** The size of its JSON: a larger file could not be read again. */
const maxCharacters = documentLimits.fileBytes / 2;

/** The reasons that are remembered. */
const maxLeftOut = 1_000;

/** Without repetitions at the end: the last answer of a stub repeats anyway. */
function stubOf({ operation, when, answers }: KeptStub): Stub {
  const last = answers.at(-1);
  const different = answers.findLastIndex((answer) => !isDeepStrictEqual(answer, last));
  const [first, ...others] = answers.slice(0, different + 2);
  const request = isObject(when) && Object.keys(when).length === 0 ? {} : { when };
  if (first !== undefined && others.length === 0) return { operation, ...request, ...first };
  return { operation, ...request, answers: answers.slice(0, different + 2) };
}

/** The answer to a call as a stub has it: messages in ProtoJSON, then the error. Throws for messages that ProtoJSON cannot express. */
export function answerOf(
  operation: Operation,
  { responses, error }: { readonly responses: readonly Message[]; readonly error: CallError | undefined },
  registry: Registry,
  masking: FieldMasking,
): StubAnswer {
  const { input, output } = operation;
  const json = responses.map((response) => toJson(output, masking.copyOf(output, response, registry), { registry }));
  if (error === undefined && !answersWithStream(operation)) return { response: json[0] ?? {} };
  const messages = answersWithStream(operation) && (json.length > 0 || error === undefined) ? { responses: json } : {};
  if (error === undefined) return messages;
  const { code, message } = error;
  const details = keptDetails(input, error.details, masking);
  return { ...messages, error: { code, message, ...(Object.keys(details).length === 0 ? {} : { details }) } };
}

export class Recording {
  readonly #contract: Contract;
  /** By operation and request. */
  readonly #stubs = new Map<string, KeptStub>();
  readonly #listeners = new Set<() => void>();
  readonly #onLeftOut: (why: string) => void;
  readonly #leftOut = new Set<string>();
  #characters = 0;
  #omitted = 0;

  /** @param onLeftOut called once for each operation and reason why an answer is not recorded */
  constructor(contract: Contract, onLeftOut: (why: string) => void = () => {}) {
    this.#contract = contract;
    this.#onLeftOut = onLeftOut;
  }

  /** One stub for each request, with its answers in sequence. A stub without new answers is the same object as before. */
  get stubs(): readonly Stub[] {
    return [...this.#stubs.values()].map((kept) => (kept.stub ??= stubOf(kept)));
  }

  /** Adds a listener for each answer that is kept. */
  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** The number of calls that are not recorded, because the recording is full or ProtoJSON cannot express their messages. */
  get omitted(): number {
    return this.#omitted;
  }

  /** Reports a call without an answer of the contract, which is not recorded. */
  leaveOut({ id }: Operation, { message }: ClientSideError): void {
    const why = `${id}: ${message}`;
    if (this.#leftOut.has(why) || this.#leftOut.size >= maxLeftOut) return;
    this.#leftOut.add(why);
    this.#onLeftOut(why);
  }

  add({ operation, request, responses, error }: Answered): void {
    const { registry } = this.#contract;
    if (responses === undefined) {
      this.#omitted += 1;
      return;
    }
    let when: JsonValue;
    let answer: StubAnswer;
    try {
      when = request === undefined ? {} : exactRequest(operation.input, request, registry);
      answer = answerOf(operation, { responses, error }, registry, withholding);
    } catch {
      this.#omitted += 1;
      return;
    }
    this.#keep(operation.id, when, answer);
  }

  #keep(operation: string, when: JsonValue, answer: StubAnswer): void {
    const key = `${operation} ${JSON.stringify(when)}`;
    const known = this.#stubs.get(key);
    const characters = JSON.stringify(answer).length + (known === undefined ? key.length : 0);
    if (this.#characters + characters > maxCharacters) {
      this.#omitted += 1;
      return;
    }
    this.#characters += characters;
    if (known === undefined) this.#stubs.set(key, { operation, when, answers: [answer], stub: undefined });
    else {
      known.answers.push(answer);
      known.stub = undefined;
    }
    for (const listener of this.#listeners) listener();
  }
}
