// Stubs with their conditions and messages built before the first call; templates are filled for each call.
import { clone, create, type DescMessage, type JsonValue, type Message } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import {
  CallError,
  checkMetadata,
  type Contract,
  hasOwnJson,
  isObject,
  type Metadata,
  type Operation,
} from "@roundtrip/contract";
import { copyField } from "../answers/echoed.ts";
import { FakeError, type ValuePath } from "../basics/fake-error.ts";
import { answersWithStream, operationNamed } from "../basics/names.ts";
import { type HeaderPattern, headerPattern } from "./text-conditions.ts";
import { fieldNamed, readMessage, readWholeMessage } from "./read-message.ts";
import { requestPattern, type RequestPattern } from "./request-pattern.ts";
import { jsonText } from "../files/checked.ts";
import type { WrittenError } from "../files/written-error.ts";
import type { Stub, StubAnswer } from "./stub-schema.ts";
import { jsonTemplate, type Template, templateCall, textTemplate } from "./template.ts";

// Puts the fields that a stub writes over an answer that the fake has made.

function put(desc: DescMessage, json: object, written: Message, answer: Message): void {
  const [from, to] = [reflect(desc, written, false), reflect(desc, answer, false)];
  for (const [name, value] of Object.entries(json)) {
    const field = fieldNamed(desc, name);
    if (field === undefined) continue;
    const isInner = field.fieldKind === "message" && !hasOwnJson(field.message) && isObject(value) && to.isSet(field);
    if (isInner) put(field.message, value, from.get(field).message, to.get(field).message);
    else copyField(from, field, to, field);
  }
  // Extensions: the last value of a number counts.
  if (written.$unknown !== undefined) answer.$unknown = [...(answer.$unknown ?? []), ...written.$unknown];
}

/**
 * A copy of the answer. Messages inside keep the fields that are not written; lists and maps are replaced.
 * @param json as it was written: a field with its zero value is written too
 * @param written the message of it
 */
function overlaid(desc: DescMessage, json: JsonValue, written: Message, answer: Message): Message {
  if (hasOwnJson(desc) || !isObject(json)) return written;
  const copy = clone(desc, answer);
  put(desc, json, written, copy);
  return copy;
}

/** An answer. Callers share its messages and must not change them. */
export interface BuiltAnswer {
  /** Undefined for the answer behind the stub. */
  readonly messages: readonly Message[] | undefined;
  /** Replaces fields of the answer behind the stub. */
  readonly over: ((answer: Message) => Message) | undefined;
  readonly keep: boolean | undefined;
  readonly error: WrittenError | undefined;
  readonly headers: Metadata;
}

interface CompiledAnswer {
  /** Whether it takes parts of the request. */
  readonly looksAtRequest: boolean;
  /** Throws a CallError if a template makes an invalid answer of this call. */
  readonly build: (request: Message, metadata: Metadata) => BuiltAnswer;
}

/** An answer before its messages are read: their JSON, with their paths. */
interface WrittenAnswer {
  readonly messages: readonly { readonly json: JsonValue; readonly path: ValuePath }[] | undefined;
  /** Whether the message has only the fields that replace those of the answer behind the stub. */
  readonly isOver: boolean;
  readonly keep: boolean | undefined;
  readonly error: WrittenError | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** Throws a FakeError for an answer that the operation cannot return. */
function writtenAnswer(operation: Operation, answer: StubAnswer, path: ValuePath): WrittenAnswer {
  const { response, responses, error, headers = {}, keep } = answer;
  const isStream = answersWithStream(operation);
  if (response !== undefined && isStream) {
    const text = `${operation.id} returns a stream: use "responses"`;
    throw new FakeError("wrong-type", text, { path: [...path, "response"] });
  }
  if (responses !== undefined && !isStream) {
    const text = `${operation.id} returns one message: use "response"`;
    throw new FakeError("wrong-type", text, { path: [...path, "responses"] });
  }
  const messages =
    response === undefined
      ? responses?.map((json, index) => ({ json, path: [...path, "responses", index] }))
      : [{ json: response, path: [...path, "response"] }];
  const isOver = answer["made-up"] === true;
  return { messages: messages ?? (error === undefined ? undefined : []), isOver, keep, error, headers };
}

/** Reads the JSON of an answer. Throws a FakeError for invalid messages and headers. */
function builtAnswer(
  { output }: Operation,
  { messages, isOver, keep, error, headers }: WrittenAnswer,
  path: ValuePath,
  { registry }: Contract,
): BuiltAnswer {
  const metadata = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  try {
    checkMetadata(metadata);
  } catch (cause) {
    const text = (cause as Error).message.replace(/^metadata: /, "");
    throw new FakeError("wrong-type", text, { path: [...path, "headers"], cause });
  }
  const answer = { keep, error, headers: metadata };
  const [first] = messages ?? [];
  if (!isOver || first === undefined) {
    const whole = messages?.map(({ json, path: at }) => readWholeMessage(output, json, at, registry));
    return { ...answer, messages: whole, over: undefined };
  }
  const written = readMessage(output, first.json, first.path, registry);
  return { ...answer, messages: undefined, over: (madeUp) => overlaid(output, first.json, written, madeUp) };
}

/** Compiles the texts of an answer. Throws a FakeError for unknown fields. */
function answerTemplate({ input }: Operation, written: WrittenAnswer, path: ValuePath): Template<WrittenAnswer> {
  const { messages, error, headers, ...rest } = written;
  const fillMessages = messages?.map(({ json, path: at }) => ({ fill: jsonTemplate(json, input, at), path: at }));
  const fillText = textTemplate(error?.message ?? "", input, [...path, "error", "message"]);
  const fillHeaders = Object.entries(headers).map(
    ([name, text]) => [name, textTemplate(text, input, [...path, "headers", name])] as const,
  );
  return (call) => ({
    ...rest,
    messages: fillMessages?.map(({ fill, path: at }) => ({ json: fill(call) ?? {}, path: at })),
    error: error?.message === undefined ? error : { ...error, message: fillText(call) },
    headers: Object.fromEntries(fillHeaders.map(([name, fill]) => [name, fill(call)])),
  });
}

/** Throws a FakeError for an answer that the operation cannot return. A template is tried with an empty request. */
function compileAnswer(operation: Operation, answer: StubAnswer, path: ValuePath, contract: Contract): CompiledAnswer {
  const written = writtenAnswer(operation, answer, path);
  if (answer.template !== true) {
    const built = builtAnswer(operation, written, path, contract);
    return { looksAtRequest: false, build: () => built };
  }
  const { input } = operation;
  const { registry } = contract;
  const fill = answerTemplate(operation, written, path);
  const build = (request: Message, metadata: Metadata): BuiltAnswer =>
    builtAnswer(operation, fill(templateCall(input, request, metadata, registry)), path, contract);
  build(create(input), new Map());
  return {
    looksAtRequest: true,
    build(request, metadata) {
      try {
        return build(request, metadata);
      } catch (cause) {
        if (cause instanceof CallError) throw cause;
        const text = `a stub's template does not fit this call: ${(cause as Error).message}`;
        throw new CallError("INTERNAL", text, {}, { cause });
      }
    },
  };
}

export interface CompiledStub {
  readonly stub: Stub;
  /** Its number among all stubs, from 1. */
  readonly position: number;
  readonly operation: Operation;
  readonly request: RequestPattern;
  readonly headers: HeaderPattern;
  readonly matches: (request: Message, metadata: Metadata) => boolean;
  /** False if every call gets the same answer, so that a stream of requests need not be read. */
  readonly looksAtCall: boolean;
  /** The sequence of answers; at least one. */
  readonly answers: readonly CompiledAnswer[];
}

/**
 * Checks a stub and builds its answers. Throws a FakeError for names that the contract does not have.
 * @param path the position of the stub among others, for error messages
 */
export function compileStub(contract: Contract, stub: Stub, path: ValuePath): CompiledStub {
  const { when = {}, "when-headers": conditions = {} } = stub;
  const operation = operationNamed(contract, stub.operation, [...path, "operation"]);
  const answers =
    stub.answers === undefined
      ? [compileAnswer(operation, stub, path, contract)]
      : stub.answers.map((answer, index) => compileAnswer(operation, answer, [...path, "answers", index], contract));
  if (answers.length === 0) throw new FakeError("wrong-type", "a stub needs at least one answer", { path });
  const request = requestPattern(operation.input, when, contract.registry, [...path, "when"]);
  const headers = headerPattern(conditions, [...path, "when-headers"]);
  return {
    stub,
    position: Number(path.at(-1) ?? 0) + 1,
    operation,
    request,
    headers,
    looksAtCall: !request.isAny || !headers.isAny || answers.some(({ looksAtRequest }) => looksAtRequest),
    matches: (message, metadata) => headers.matches(metadata) && request.matches(message),
    answers,
  };
}

const shownCharacters = 80;

/** Which stub does not fit a contract, and why; undefined if it fits. */
export function misfit(contract: Contract, stub: Stub): string | undefined {
  try {
    compileStub(contract, stub, []);
    return undefined;
  } catch (thrown) {
    if (!(thrown instanceof FakeError)) throw thrown;
    const when = stub.when === undefined ? "" : ` with ${jsonText(stub.when, shownCharacters)}`;
    return `${stub.operation}${when}: ${thrown.message}`;
  }
}
